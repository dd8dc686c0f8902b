package worker_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/worker"
	"github.com/seqsvm/seqsvm/internal/must"
)

// message returns a message of a header and a body.
func message(header, body string) string {
	return string(binary.LittleEndian.AppendUint32(nil, uint32(len(header)))) + header + body
}

// next reads the header of a message into a value.
func next(t *testing.T, r io.Reader, into any) {
	t.Helper()
	var size [4]byte
	must.Get(io.ReadFull(r, size[:]))(t)
	header := make([]byte, binary.LittleEndian.Uint32(size[:]))
	must.Get(io.ReadFull(r, header))(t)
	if err := json.Unmarshal(header, into); err != nil {
		t.Fatalf("%s: %v", header, err)
	}
}

// reverse is a tool that writes the files it reads, letters in reverse order, and fails without any.
func reverse(_ context.Context, args []string, std cli.Streams) int {
	fmt.Fprint(std.Out, strings.Join(args, " "))
	if len(std.Files.Read) == 0 {
		fmt.Fprint(std.Err, "no file")
		return cli.ExitFailed
	}
	for name, content := range std.Files.Read {
		content = slices.Clone(content)
		slices.Reverse(content)
		std.Files.Written["reverse of "+name].Write(content)
	}
	return cli.ExitOK
}

// Requests are answered in order: what is printed, and the outputs of those that succeed.
func TestServe(t *testing.T) {
	in := message(`{"id": 7, "args": ["a", "b"], "files": [{"name": "x", "size": 3}, {"name": "y", "size": 0}],
		"outputs": ["reverse of y", "reverse of x"]}`, "abc") + message(`{"id": 8, "args": ["c"]}`, "")
	var out bytes.Buffer
	must.Succeed(t, worker.Serve(t.Context(), strings.NewReader(in), &out, worker.Greeting{Tool: "t", Version: "v"}, reverse))
	var greeting worker.Greeting
	if next(t, &out, &greeting); greeting != (worker.Greeting{Tool: "t", Version: "v", Protocol: worker.Protocol}) {
		t.Errorf("greeting %+v", greeting)
	}
	var first, second worker.Response
	next(t, &out, &first)
	if body := string(out.Next(6)); body != "a bcba" {
		t.Errorf("body %q", body)
	}
	next(t, &out, &second)
	for _, c := range []struct{ got, want any }{
		{first, worker.Response{ID: 7, Out: 3, Files: []worker.File{{Name: "reverse of y"}, {Name: "reverse of x", Size: 3}}}},
		{second, worker.Response{ID: 8, Code: 1, Out: 1, Messages: 7, Files: []worker.File{}}},
		{out.String(), "cno file"},
	} {
		if got, want := fmt.Sprintf("%+v", c.got), fmt.Sprintf("%+v", c.want); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A file that is kept is read again without being sent, until a request does not keep it.
func TestKeep(t *testing.T) {
	echo := func(_ context.Context, _ []string, std cli.Streams) int {
		fmt.Fprintf(std.Out, "%s%d", std.Files.Read["x"], len(std.Files.Kept))
		return cli.ExitOK
	}
	in := message(`{"id": 1, "files": [{"name": "x", "size": 3}, {"name": "y", "size": 1}], "keep": ["x"]}`, "abcd") +
		message(`{"id": 2, "keep": ["x"]}`, "") + message(`{"id": 3, "files": [{"name": "x", "size": 1}]}`, "e")
	var out bytes.Buffer
	must.Succeed(t, worker.Serve(t.Context(), strings.NewReader(in), &out, worker.Greeting{}, echo))
	next(t, &out, new(worker.Greeting))
	for _, want := range []string{"abc1", "abc1", "e0"} {
		next(t, &out, new(worker.Response))
		if body := string(out.Next(len(want))); body != want {
			t.Errorf("body %q, want %q", body, want)
		}
	}
}

// A malformed request ends the worker with an error that says where and why.
func TestMalformed(t *testing.T) {
	for in, want := range map[string]string{
		"\x01\x00":               "the input ends within the length of a header",
		message(`{"id": `, ""):   "header",
		"\x05\x00\x00\x00{":      "the input ends within a header",
		"GET / HTTP/1.1\r\n":     "want at most 1048576",
		message(`{"it": 1}`, ""): `unknown field "it"`,
		message(`{"id": 1, "files": [{"name": "x", "size": 3}]}`, "ab"):                 "request 1: the input ends within file x",
		message(`{"id": 1, "files": [{"name": "x", "size": -3}]}`, ""):                  `file "x" of -3 bytes`,
		message(`{"id": 1, "files": [{"name": "-", "size": 0}]}`, ""):                   `a file named "-"`,
		message(`{"id": 1, "keep": ["x"]}`, ""):                                         `keep "x", which is no file`,
		message(`{"id": 1, "outputs": [""]}`, ""):                                       `a file named ""`,
		message(`{"id": 1, "files": [{"name": "x", "size": 0}], "outputs": ["x"]}`, ""): `two files named "x"`,
		message(`{"id": 1, "files": [{"name": "x", "size": 4611686018427387904}]}`, ""): "GiB",
	} {
		err := worker.Serve(t.Context(), strings.NewReader(in), io.Discard, worker.Greeting{}, reverse)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
}

// Whatever comes, the worker ends without panic, and answers with whole messages.
func FuzzServe(f *testing.F) {
	f.Add([]byte(message(`{"id": 7, "args": ["a"], "files": [{"name": "x", "size": 3}], "outputs": ["reverse of x"]}`, "abc")))
	f.Add([]byte(message(`{}`, "") + "\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		// An error is as good as none.
		_ = worker.Serve(t.Context(), bytes.NewReader(in), &out, worker.Greeting{},
			func(context.Context, []string, cli.Streams) int { return cli.ExitOK })
		next(t, &out, new(worker.Greeting))
		for out.Len() > 0 {
			var r worker.Response
			next(t, &out, &r)
			for _, file := range r.Files {
				if file.Size != 0 {
					t.Errorf("output %+v", file)
				}
			}
		}
	})
}
