// Package worker runs command lines for another program, one after another, over two streams: their files travel in
// messages and need not be on a disk. docs/worker.md describes the protocol.
//
// A message is a header and a body. The header is a JSON object, preceded by its length in bytes as 4 bytes, the least
// significant first; the body is the files that the header lists, in order, one after the other. The worker begins with
// a [Greeting]; then each [Request] is answered by a [Response].
package worker

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/strictjson"
)

// Protocol is the version of the protocol. It changes when a program that knows only the one before would go wrong.
const Protocol = 1

// Greeting is the header of the worker's first message, which has no body.
type Greeting struct {
	Tool     string `json:"tool"`
	Version  string `json:"version"`
	Protocol int    `json:"protocol"`
}

// Request is a command line, and the files in memory that it reads and writes.
type Request struct {
	ID      uint64   `json:"id"` // of the answer
	Args    []string `json:"args"`
	Files   []File   `json:"files,omitempty"`   // whose contents follow: those that the command reads
	Outputs []string `json:"outputs,omitempty"` // names of those that it writes
	Keep    []string `json:"keep,omitempty"`    // all files that later requests may name without sending them again
}

// File is a file of a message's body.
type File struct {
	Name string `json:"name"`
	Size int64  `json:"size"` // bytes
}

// Response is how a command line ended. The body has what it wrote to standard output, its messages, and then, if it
// succeeded, the outputs that the request asked for.
type Response struct {
	ID       uint64 `json:"id"`
	Code     int    `json:"code"`     // exit code: 0 is success
	Out      int64  `json:"out"`      // bytes of standard output
	Messages int64  `json:"messages"` // bytes of standard error
	Files    []File `json:"files"`
}

// mostHeader bounds the header of a request, in bytes.
const mostHeader = 1 << 20

// mostClaimed bounds the bytes that are set aside for a file that has not come.
const mostClaimed = 1 << 25

// Run executes a command line and returns its exit code.
type Run func(ctx context.Context, args []string, std cli.Streams) int

// Serve answers requests until in ends, which is no error, or a request is malformed or the context ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, greeting Greeting, run Run) error {
	r, w := bufio.NewReader(in), bufio.NewWriter(out)
	kept := map[string]*cli.Kept{}
	greeting.Protocol = Protocol
	if err := write(w, greeting); err != nil {
		return err
	}
	for {
		request, files, err := read(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if kept, err = request.keep(kept, files); err != nil {
			return fmt.Errorf("request %d: %w", request.ID, err)
		}
		response, body := answer(ctx, request, &cli.Files{Read: files, Kept: kept}, run)
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := write(w, response, body...); err != nil {
			return err
		}
	}
}

// answer executes a request.
func answer(ctx context.Context, request *Request, held *cli.Files, run Run) (*Response, [][]byte) {
	var out, messages bytes.Buffer
	held.Written = map[string]*bytes.Buffer{}
	for _, name := range request.Outputs {
		held.Written[name] = new(bytes.Buffer)
	}
	response := &Response{ID: request.ID, Files: []File{}}
	response.Code = run(ctx, request.Args, cli.Streams{
		In: bytes.NewReader(nil), Out: &out, Err: &messages, Files: held,
	})
	body := [][]byte{out.Bytes(), messages.Bytes()}
	response.Out, response.Messages = int64(out.Len()), int64(messages.Len())
	if response.Code == cli.ExitOK {
		for _, name := range request.Outputs {
			content := held.Written[name].Bytes()
			response.Files, body = append(response.Files, File{name, int64(len(content))}), append(body, content)
		}
	}
	return response, body
}

// read reads a request. The error is io.EOF if there is none left.
func read(r io.Reader) (*Request, map[string][]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil, io.EOF
		}
		return nil, nil, cut("the length of a header", err)
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n > mostHeader {
		return nil, nil, fmt.Errorf("request: a header of %d bytes, want at most %d: 4 bytes of length, the least "+
			"significant first, then JSON", n, mostHeader)
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, nil, cut("a header", err)
	}
	request := new(Request)
	if err := strictjson.Decode(header, request); err != nil {
		return nil, nil, fmt.Errorf("request: header: %w", err)
	}
	if err := request.check(); err != nil {
		return nil, nil, fmt.Errorf("request %d: %w", request.ID, err)
	}
	files := make(map[string][]byte, len(request.Files))
	for _, f := range request.Files {
		// What is longer than claimed grows as bytes come.
		content := bytes.NewBuffer(memory.InLargePages[byte](int(min(f.Size, mostClaimed)) + bytes.MinRead)[:0])
		if _, err := io.CopyN(content, r, f.Size); err != nil {
			return nil, nil, fmt.Errorf("request %d: %w", request.ID, cut("file "+f.Name, err))
		}
		files[f.Name] = content.Bytes()
	}
	return request, files, nil
}

// check returns an error about names or sizes of files.
func (r *Request) check() error {
	total, names := 0.0, slices.Clone(r.Outputs)
	for _, f := range r.Files {
		if f.Size < 0 {
			return fmt.Errorf("file %q of %d bytes, want 0 or more", f.Name, f.Size)
		}
		total += float64(f.Size)
		names = append(names, f.Name)
	}
	slices.Sort(names)
	for i, name := range names {
		switch {
		case name == "" || name == "-":
			return fmt.Errorf("a file named %q, want another name", name)
		case i > 0 && name == names[i-1]:
			return fmt.Errorf("two files named %q, want one", name)
		}
	}
	return memory.Check(total)
}

// keep returns the files that are kept from now on, those of the request in place of earlier ones, and adds them to the
// files that the command reads.
func (r *Request) keep(before map[string]*cli.Kept, files map[string][]byte) (map[string]*cli.Kept, error) {
	after, total := map[string]*cli.Kept{}, 0.0
	for _, content := range files {
		total += float64(len(content))
	}
	for _, name := range r.Keep {
		content, sent := files[name]
		switch {
		case sent:
			after[name] = &cli.Kept{Content: content}
		case before[name] == nil:
			return nil, fmt.Errorf("keep %q, which is no file of this request and was not kept by the one before", name)
		default:
			after[name] = before[name]
			files[name] = before[name].Content
			total += float64(len(files[name]))
		}
	}
	return after, memory.Check(total)
}

// cut is the error of an input that ends, or fails, within something.
func cut(what string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the input ends within %s", what)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// write writes a message.
func write(w *bufio.Writer, header any, body ...[]byte) error {
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	for _, part := range slices.Concat([][]byte{size, text}, body) {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return w.Flush()
}
