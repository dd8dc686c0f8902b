package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model/serve"
)

// servedLines posts a file to a service of a model and returns the objects of the answer, one per line: of a stream, or
// those of the records.
func servedLines(t *testing.T, model, path, file, accept string) string {
	t.Helper()
	s := must.Get(serve.New(t.Context(), []serve.Source{{Name: "m", Path: model, Read: input.ReadModelFile}}, serve.Options{}))(t)
	body := must.Get(os.Open(file))(t)
	defer body.Close()
	r := httptest.NewRequest("POST", "http://localhost"+path, body)
	r.Header.Set("Accept", accept)
	r.Header.Set("Content-Type", map[string]string{".csv": "text/csv", ".tsv": "text/tab-separated-values",
		".jsonl": "application/jsonl", ".json": "application/json"}[filepath.Ext(file)])
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: status %d, %s", file, w.Code, w.Body)
	}
	text := w.Body.String()
	if !strings.HasPrefix(text, `{"model":`) {
		return text
	}
	all := must.Get(schemas())(t)
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	} else if err := all["serve"].Validate(value); err != nil {
		t.Error(err)
	}
	_, text, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(text, `],"warnings"`)
	return strings.ReplaceAll(text, "\n,", "\n")
}

// What the service answers is what predict and explain print, to the last digit: for all kinds of kernels, labels and
// tasks, containers, and options of reading that the model remembers.
func TestServedAsPredicted(t *testing.T) {
	if _, err := schemas(); err != nil { // they are read here, not in the folder of the test
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{
		"a.fa":  ">a +\nACGTACGGTTAACC\n>b -\nTTTTACGATTAGGC\n>c +\nACGTACGGTAAACC\n>d -\nTTTTACGATCAGGC\n",
		"q.fa":  ">x\nACGUACGNTTAACC\n>y\nttttacgattaggc\n>z\nTTTTTTTTTTTTTT\n",
		"q.fq":  "@x\nACGTAcGGTTAACC\n+\nIIIIIIIIIIIIII\n",
		"q.txt": "ACGTACGGTTAACC\nttttacgattaggc\n", "q.csv": "id,seq\nx,ACGTACGGTTAACC\ny,ttttacgattaggc\n",
		"q.json": `{"records": ["ACGTACGGTTAACC", {"text":
			"ttttacgattaggc"}, {"text": "ACGUACGUACGUAC"}]}`,
		"q.jsonl": `{"text":"ACGTACGGTTAACC"}` + "\n" + `{"text":"ttttacgattaggc"}` + "\n" +
			`{"text":"ACGUACGUACGUAC"}` + "\n",
		"a.csv": "id,label,seq\na,+,ACGTACGGTTAACC\nb,-,TTTTACGATTAGGC\nc,+,ACGTACGGTAAACC\nd,-,TTTTACGATCAGGC\n",
		"three.fa": ">a A\nACGTACGGTTAACC\n>b B\nTTTTACGATTAGGC\n>c C\nGGGTACGGTAAACC\n" +
			">d A\nACTTACGATCAGGC\n>e B\nTTTTAAAA\n>f C\nGGGGTT\n",
		"words.tsv": "label\ttext\na\tone two three\na\tone two\nb\tfour five six\n" +
			"b\tsix, four\nc\tseven eight nine\nc\tten seven\n",
		"more.tsv": "id\ttext\nx\tone six naïve seven\ny\t\n",
		"sets.tsv": "label\ttext\na,b\tone two three\na\tone two\nb\tfour five six\n" +
			"b,c\tsix, four\nc\tseven eight nine\nc\tten seven\n",
		"n.fa": ">a label=1.5\nACGTACGGTTAACC\n>b label=2\nTTTTACGATTAGGC\n" +
			">c label=-1\nACGTACGGTAAACC\n>d label=0\nTTTTACGATCAGGC\n",
		"trees.tsv": "label\ttext\na\t(S (NP a) (VP b))\nb\t(S (VP b) (VP c))\na\t(S (NP a) (VP c))\nb\t(S (VP c) (VP c))\n",
	})
	for _, c := range []struct{ train, files string }{
		{"--kernel spectrum:k=3,rc a.fa", "q.fa q.fq q.txt q.jsonl"},
		{"--kernel spectrum:k=3 --input soft-mask=break a.fa", "q.fa q.fq"},
		{"--kernel gapped:l=5,k=3 --kernel wd:d=3 a.fa", "q.fa"},
		{"--kernel substring:weight=decay,lambda=0.5 --no-normalize --keep-sequences a.csv --input text=seq", "q.fa q.csv"},
		{"--kernel spectrum:k=2,rbf=0.5 --probability a.fa", "q.fa"},
		{"--kernel spectrum:k=2 --probability three.fa", "q.fa a.fa"},
		{"--kernel spectrum:k=2 --multiclass ovo three.fa", "q.fa"},
		{"--kernel words words.tsv", "more.tsv"},
		{"--kernel substring words.tsv", "more.tsv"},
		{"--kernel words --multilabel , sets.tsv", "more.tsv"},
		{"--kernel spectrum:k=2 --task regress n.fa", "q.fa"},
		{"--kernel spectrum:k=2 --task gaussian-process n.fa", "q.fa"},
		{"--kernel sst trees.tsv", "trees.tsv"},
	} {
		if r := tool(t, "", strings.Fields("train -q -o m.seqsvm "+c.train)...); r.code != cli.ExitOK {
			t.Fatalf("%s: %s", c.train, r.err)
		}
		for _, command := range []string{"predict", "explain"} {
			if command == "explain" && (strings.Contains(c.train, "rbf") || strings.Contains(c.train, "sst")) {
				continue
			}
			for file := range strings.FieldsSeq(c.files) {
				want := mustTool(t, command, "-q", "-m", "m.seqsvm", "--format", "json", file)
				for _, accept := range []string{"", "application/x-ndjson"} {
					if got := servedLines(t, "m.seqsvm", "/v1/"+command, file, accept); got != want {
						t.Errorf("train %s, %s %s: served as\n%sprinted as\n%s", c.train, command, file, got, want)
					}
				}
			}
		}
	}
	tool(t, "", strings.Fields("train -q -k spectrum:k=3 a.fa -o m.seqsvm")...)
	want := mustTool(t, strings.Fields("predict -q -m m.seqsvm --format json q.jsonl")...)
	if got := servedLines(t, "m.seqsvm", "/v1/predict", "q.json", ""); got != want {
		t.Errorf("JSON is served as\n%sprinted as\n%s", got, want)
	}
}

// The examples of docs/serve.md work, on a service that ends well when it is asked to.
func TestServeDocumented(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("curl is not installed")
	}
	page := must.Get(os.ReadFile("../../docs/serve.md"))(t)
	shipped := must.Get(filepath.Abs("../../testdata"))(t)
	t.Chdir(t.TempDir())
	must.Succeed(t, os.Symlink(shipped, "testdata"))
	train := regexp.MustCompile(`(?m)^    seqsvm (train .*)$`).FindSubmatch(page)
	mustTool(t, append(strings.Fields(string(train[1])), "-q")...)
	service := exec.Command("seqsvm", "serve", "-m", "bound.seqsvm", "--listen", "localhost:0")
	var log bytes.Buffer
	service.Stderr = &log
	out := must.Get(service.StdoutPipe())(t)
	must.Succeed(t, service.Start())
	defer service.Process.Kill()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, &log)
	}
	address = strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/\n")
	ran := 0
	examples := regexp.MustCompile(`(?m)^    ((?:gzip .* )?)curl (.* localhost:8080/.*)$`)
	for _, line := range examples.FindAllStringSubmatch(continued(page), -1) {
		command := line[1] + curl + " -sS --fail-with-body " + strings.ReplaceAll(line[2], "localhost:8080", address)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		text, err := exec.CommandContext(ctx, "sh", "-c", command).CombinedOutput()
		cancel()
		if err != nil || !bytes.Contains(text, []byte(`"decision":`)) {
			t.Errorf("%s: %v, %s", command, err, text)
		}
		ran++
	}
	if ran < 5 {
		t.Errorf("%d examples", ran)
	}
	service.Process.Signal(syscall.SIGTERM)
	io.Copy(io.Discard, out)
	if err := service.Wait(); err != nil || !strings.Contains(log.String(), "msg=stopping") {
		t.Errorf("it ended with %v: %s", err, &log)
	}
}
