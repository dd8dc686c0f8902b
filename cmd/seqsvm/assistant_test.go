package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/must"
)

// assistant starts seqsvm mcp with folders and returns the session of a client.
func assistant(t *testing.T, o *mcp.ClientOptions, folders ...string) *mcp.ClientSession {
	t.Helper()
	fromClient, toTool := io.Pipe()
	fromTool, toClient := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		run(ctx, cli.Streams{In: fromClient, Out: toClient, Err: io.Discard}, append([]string{"mcp"}, folders...)...)
		close(ended)
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	session := must.Get(client.Connect(ctx, &mcp.IOTransport{Reader: fromTool, Writer: toTool}, nil))(t)
	t.Cleanup(func() {
		session.Close()
		toTool.Close()
		cancel()
		toClient.Close()
		<-ended
	})
	return session
}

// told is all texts of a result, and its object.
func told(r *mcp.CallToolResult) (text string, object map[string]any) {
	for _, c := range r.Content {
		if of, is := c.(*mcp.TextContent); is {
			text += of.Text
		}
	}
	object, _ = r.StructuredContent.(map[string]any)
	return text, object
}

// TestTasksOfAnAssistant has a client of the protocol do what users do, with the shipped data.
func TestTasksOfAnAssistant(t *testing.T) {
	shipped := must.Get(filepath.Abs("../../testdata"))(t)
	t.Chdir(t.TempDir())
	must.Succeed(t, os.Symlink(filepath.Join(shipped, "text"), "elsewhere"))
	s := assistant(t, nil, ".", filepath.Join(shipped, "dna"), filepath.Join(shipped, "protein"))
	dna := func(name string) string { return filepath.Join(shipped, "dna", name) }
	must.Succeed(t, os.WriteFile("new.tsv", []byte("where is my parcel\n"), 0o600))
	must.Succeed(t, os.WriteFile("topics.csv", must.Get(os.ReadFile(filepath.Join(shipped, "text", "messages.csv")))(t), 0o600))
	type arguments = map[string]any
	two := arguments{"pos": dna("bound.fa"), "neg": dna("unbound.fa")}
	with := func(more arguments) arguments {
		all := arguments{}
		for _, from := range []arguments{two, more} {
			for name, value := range from {
				all[name] = value
			}
		}
		return all
	}
	for _, task := range []struct {
		tool      string
		arguments arguments
		want      string // in the texts
	}{
		{"kernels", arguments{}, `"gapped"`},
		{"help", arguments{"tool": "train"}, "--class-weight"},
		{"cv", with(arguments{"folds": 3}), `"auroc"`},
		{"train", with(arguments{"output": "bound.seqsvm"}), "kernel gapped:l=10,k=6,d=4,rc: longer"},
		{"train", with(arguments{"kernel": []any{"gapped:l=7,k=5,rc", "spectrum:k=6,rc"}, "C": 2, "output": "sum.seqsvm",
			"more": arguments{"keep-sequences": true}}), `"support_vectors"`},
		{"info", arguments{"files": []any{"sum.seqsvm"}}, "spectrum"},
		{"predict", arguments{"model": "bound.seqsvm", "files": []any{dna("bound.fa")}}, `"class":"pos"`},
		{"evaluate", with(arguments{"model": "bound.seqsvm"}), "training data"},
		{"explain", arguments{"model": "bound.seqsvm", "top": 3}, "CCCCCTAG"},
		{"explain", arguments{"model": "bound.seqsvm", "files": []any{dna("bound.fa")}}, "lines: give output a file for all"},
		{"motifs", arguments{"model": "bound.seqsvm", "files": []any{dna("bound.fa")}}, "CCCCCTAG"},
		{"variants", arguments{"model": "bound.seqsvm", "genome": dna("genome.fa"), "files": []any{dna("variants.vcf")}},
			`"delta":-3.2`},
		{"scan", arguments{"model": "bound.seqsvm", "files": []any{dna("bound.fa")}, "top": 5, "output": "hits.bed",
			"more": arguments{"window": 150}}, "speak for the positive class"},
		{"report", with(arguments{"output": "page.html", "more": arguments{"kernel": "spectrum:k=4", "folds": 2,
			"bootstrap": 0}}), "2 classes by --pos and --neg"},
		{"tune", arguments{"kernel": []any{"wd:d=1", "poly:d=2"}, "task": "regress", "C": "1,10", "folds": 3,
			"files": []any{filepath.Join(shipped, "protein", "variants.fa")}, "output": "best.seqsvm"}, "picked: "},
		{"train", arguments{"files": []any{"topics.csv"}, "output": "topics.seqsvm"}, "kernel words"},
		{"predict", arguments{"model": "topics.seqsvm", "files": []any{"new.tsv"}}, `"class":"delivery"`},
		{"cv", arguments{"files": []any{"topics.csv"}, "kernel": "words", "more": arguments{"folds": 3, "bootstrap": 100}},
			`"lower"`},
		{"train", arguments{"files": []any{"topics.csv"}}, "!--output is required"},
		{"train", with(arguments{"kernel": "spektrum", "output": "x"}), `!did you mean`},
		{"train", with(arguments{"output": "../x.seqsvm"}), "!has .. in it"},
		{"train", with(arguments{"output": "/tmp/x.seqsvm"}), "!outside the folders"},
		{"predict", arguments{"model": "topics.seqsvm", "files": []any{"elsewhere/messages.csv"}}, "!outside the folders"},
		{"predict", arguments{"model": "topics.seqsvm", "files": []any{"-"}}, "!give a path"},
		{"predict", arguments{"model": "topics.seqsvm", "more": arguments{"modle": 1}}, "!no option \"modle\""},
	} {
		r := must.Get(s.CallTool(t.Context(), &mcp.CallToolParams{Name: task.tool, Arguments: task.arguments}))(t)
		text, _ := told(r)
		want, failed := strings.CutPrefix(task.want, "!")
		if r.IsError != failed || !strings.Contains(strings.ReplaceAll(text, `": `, `":`), want) {
			t.Errorf("%s %v: error %v, want %q in\n%.600s", task.tool, task.arguments, r.IsError, want, text)
		}
	}
	if hits := must.Get(os.ReadFile("hits.bed"))(t); strings.Count(string(hits), "\n") != 5 {
		t.Errorf("scan wrote %q", hits)
	}
	if _, err := os.Stat("page.html"); err != nil {
		t.Error(err)
	}
}

// TestAssistantAnswersAsTheTool: an answer is what the command prints, as an object where it prints one.
func TestAssistantAnswersAsTheTool(t *testing.T) {
	t.Chdir("../../testdata/fasta")
	s := assistant(t, nil)
	r := must.Get(s.CallTool(t.Context(), &mcp.CallToolParams{Name: "cv",
		Arguments: map[string]any{"files": []string{"promoters.fa"}, "kernel": "spectrum:k=4"}}))(t)
	_, object := told(r)
	var want map[string]any
	must.Succeed(t, json.Unmarshal([]byte(tool(t, "", "cv", "--kernel", "spectrum:k=4", "--format", "json", "promoters.fa").out),
		&want))
	if got := fmt.Sprint(object); len(want) == 0 || got != fmt.Sprint(want) {
		t.Errorf("%s, want %s", got, want)
	}
	for _, of := range must.Get(s.ListTools(t.Context(), nil))(t).Tools {
		if of.Description == "" || of.InputSchema == nil {
			t.Errorf("tool %s is not described", of.Name)
		}
	}
}

// TestAssistantAnswersAtTheEnd of its input what it has read, however the input ends.
func TestAssistantAnswersAtTheEnd(t *testing.T) {
	t.Chdir("../../testdata/fasta")
	const begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"x","version":"1"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	call := func(id int, files string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"cv","arguments":{"files":[%q],`+
			`"kernel":"spectrum:k=4"}}}`+"\n", id, files)
	}
	for input, want := range map[string]int{
		begin: 1, strings.TrimSuffix(begin, "\n"): 1, begin + call(2, "promoters.fa") + call(3, "no.fa"): 3,
		begin + call(2, "promoters.fa") + "no JSON": 2, "": 0,
	} {
		var out bytes.Buffer
		run(t.Context(), cli.Streams{In: strings.NewReader(input), Out: &out, Err: io.Discard}, "mcp")
		answers := map[int]bool{}
		for line := range strings.Lines(out.String()) {
			var answer struct{ ID int }
			must.Succeed(t, json.Unmarshal([]byte(line), &answer))
			answers[answer.ID] = true
		}
		for id := range want {
			if !answers[id+1] {
				t.Errorf("%.2000q: no answer to call %d in %s", input, id+1, &out)
			}
		}
	}
}

// TestAssistantCancels a search, which ends, and hears of its progress before.
func TestAssistantCancels(t *testing.T) {
	t.Chdir("../../testdata/fasta")
	ctx, cancel := context.WithCancel(t.Context())
	var progress atomic.Int64
	s := assistant(t, &mcp.ClientOptions{
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) {
			progress.Add(1)
			cancel()
		},
	})
	timer := time.AfterFunc(time.Minute, cancel) // so that a failure is one
	defer timer.Stop()
	params := &mcp.CallToolParams{Name: "tune", Arguments: map[string]any{"files": []string{"splice.fa"}, "nested": 10}}
	params.SetProgressToken("search")
	if r, err := s.CallTool(ctx, params); err == nil {
		t.Errorf("a cancelled search answers %v", r)
	}
	if progress.Load() == 0 {
		t.Error("no progress")
	}
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "kernels"}); err != nil {
		t.Errorf("after it: %v", err)
	}
}
