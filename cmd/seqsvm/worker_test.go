package main_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/worker"
	"github.com/seqsvm/seqsvm/internal/must"
)

// client talks to a worker that runs in this process.
type client struct {
	t   *testing.T
	in  io.Writer
	out io.Reader

	keep []string // by the next requests
}

func newClient(t *testing.T) *client {
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	done := make(chan int)
	ctx := context.WithoutCancel(t.Context()) // which ends before the cleanup
	go func() {
		done <- run(ctx, cli.Streams{In: requests, Out: answers, Err: io.Discard}, "about", "worker")
	}()
	t.Cleanup(func() {
		in.Close()
		if code := <-done; code != cli.ExitOK {
			t.Errorf("exit code %d", code)
		}
	})
	c := &client{t: t, in: in, out: out}
	c.next(new(worker.Greeting))
	return c
}

func (c *client) next(header any) {
	if err := json.Unmarshal(c.read(int64(binary.LittleEndian.Uint32(c.read(4)))), header); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) read(n int64) []byte {
	data := make([]byte, n)
	if _, err := io.ReadFull(c.out, data); err != nil {
		c.t.Fatal(err)
	}
	return data
}

// run returns standard output and messages of a command line, and the outputs by name.
func (c *client) run(files map[string][]byte, outputs []string, args ...string) (code int, out, messages string,
	written map[string][]byte) {
	request := worker.Request{ID: 3, Args: args, Outputs: outputs, Keep: c.keep}
	var body []byte
	for name, content := range files {
		request.Files = append(request.Files, worker.File{Name: name, Size: int64(len(content))})
		body = append(body, content...)
	}
	header, err := json.Marshal(request)
	if err != nil {
		c.t.Fatal(err)
	}
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(header)))
	if _, err := c.in.Write(bytes.Join([][]byte{size, header, body}, nil)); err != nil {
		c.t.Fatal(err)
	}
	var r worker.Response
	c.next(&r)
	out, messages = string(c.read(r.Out)), string(c.read(r.Messages))
	written = map[string][]byte{}
	for _, f := range r.Files {
		written[f.Name] = c.read(f.Size)
	}
	return r.Code, out, messages, written
}

// A worker gives the bytes of the tool, of files that are in memory alone.
func TestWorker(t *testing.T) {
	inGoodFolder(t)
	records := must.Get(os.ReadFile("two.fa"))(t)
	mustTool(t, "train", "--kernel", "spectrum:k=2", "-q", "-o", "disk.seqsvm", "two.fa")
	want := must.Get(os.ReadFile("disk.seqsvm"))(t)
	c := newClient(t)
	threads := runtime.GOMAXPROCS(0)
	_, _, messages, files := c.run(map[string][]byte{"records.fa": records}, []string{"model"},
		"train", "--threads", "1", "--kernel", "spectrum:k=2", "-q", "-o", "model", "records.fa")
	trained := files["model"]
	if !bytes.Equal(trained, want) {
		t.Errorf("a model of %d bytes, want %d others (%s)", len(trained), len(want), messages)
	}
	if runtime.GOMAXPROCS(0) != threads {
		t.Errorf("--threads holds after its command")
	}
	_, out, _, _ := c.run(map[string][]byte{"records.fa": records, "m": trained}, nil, "predict", "-m", "m", "records.fa")
	if want := mustTool(t, "predict", "-m", "disk.seqsvm", "two.fa"); out != want {
		t.Errorf("predictions %q, want %q", out, want)
	}
	c.keep = []string{"m"}
	for _, files := range []map[string][]byte{{"records.fa": records, "m": trained}, {"records.fa": records}} {
		for _, command := range []string{"predict", "explain"} {
			_, kept, _, _ := c.run(files, nil, command, "-q", "-m", "m", "records.fa")
			if want := mustTool(t, command, "-q", "-m", "disk.seqsvm", "two.fa"); kept != want {
				t.Errorf("%s by a kept model: %q, want %q", command, kept, want)
			}
		}
	}
	if _, err := os.Stat("model"); err == nil {
		t.Error("the model is on the disk, too")
	}
}

// A command that fails says why, as the tool does, and the worker goes on.
func TestWorkerErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	c := newClient(t)
	for _, bad := range []struct {
		files    map[string][]byte
		args     []string
		code     int
		messages string
	}{
		{nil, []string{"predict", "-m", "m", "x.fa"}, 1, "seqsvm: m: no such file or directory\n"},
		{map[string][]byte{"x.fa": []byte(">a\nAC\n\n>a\nA?C\n")}, strings.Fields("matrix gram -k spectrum:k=2 x.fa"), 1,
			"seqsvm: x.fa:"},
		{nil, []string{"serve"}, 2, `seqsvm: unknown command "serve"`},
		{nil, nil, 0, ""},
	} {
		code, _, messages, _ := c.run(bad.files, []string{"out"}, bad.args...)
		if code != bad.code || len(messages) < len(bad.messages) || messages[:len(bad.messages)] != bad.messages {
			t.Errorf("%q: code %d, %q; want %d, %q", bad.args, code, messages, bad.code, bad.messages)
		}
	}
}
