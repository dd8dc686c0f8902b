package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seqsvm/seqsvm/internal/strictjson"
	"github.com/seqsvm/seqsvm/seqio"
)

// request is what is asked: a model and its records.
type request struct {
	model, class string
	format       seqio.Format
	document     bool // the body is a JSON object with all of this
	form         bool // the body is said to be a form
	lines        bool // the answer is JSON Lines
	stream       bool // and given while the body is being read
}

// parameters are those of the query.
var parameters = []string{"model", "class", "input"}

// formats are those of a body, by its type.
var formats = map[string]seqio.Format{
	typeLines: seqio.JSONL, "application/jsonl": seqio.JSONL, "application/jsonlines": seqio.JSONL,
	"application/x-jsonlines": seqio.JSONL,
	"text/csv":                seqio.CSV, "text/tab-separated-values": seqio.TSV,
	"text/x-fasta": seqio.FASTA, "application/x-fasta": seqio.FASTA, "application/fasta": seqio.FASTA,
	// what curl says of anything
	typeForm: seqio.Auto, "application/octet-stream": seqio.Auto, "text/plain": seqio.Auto, "": seqio.Auto,
}

// parseRequest reads the query and the header.
func parseRequest(r *http.Request) (q request, err error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return q, refusef(http.StatusBadRequest, "query: %w", err)
	}
	for name, values := range query {
		if !slices.Contains(parameters, name) || len(values) > 1 {
			return q, refusef(http.StatusBadRequest, "parameter %.60q, want each once of: %s", name,
				strings.Join(parameters, ", "))
		}
	}
	q.model, q.class, q.format = query.Get("model"), query.Get("class"), seqio.Format(query.Get("input"))
	if err := q.format.Check(); err != nil || q.format == seqio.Documents {
		return q, refusef(http.StatusBadRequest, "parameter input = %.60q is no format of a body", string(q.format))
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil && r.Header.Get("Content-Type") != "" {
		return q, refusef(http.StatusUnsupportedMediaType, "Content-Type: %w", err)
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return q, refusef(http.StatusUnsupportedMediaType, "Content-Encoding %.60q, want none", encoding)
	}
	format, known := formats[kind]
	q.document, q.form = kind == typeJSON && q.format == seqio.Auto, kind == typeForm
	if !known && kind != typeJSON && q.format == seqio.Auto {
		return q, refusef(http.StatusUnsupportedMediaType, "Content-Type %.60q, want %s, %s, text/x-fasta, "+
			"text/plain, text/csv or text/tab-separated-values; send the records themselves, as curl --data-binary @FILE does",
			kind, typeJSON, typeLines)
	}
	if q.format == seqio.Auto || q.format == "auto" {
		q.format = format
	}
	q.lines = kind != typeJSON && formats[kind] == seqio.JSONL || strings.Contains(r.Header.Get("Accept"), typeLines)
	q.stream = q.lines && !q.document
	return q, nil
}

// body is what records are read from.
type body struct {
	name string // in errors
	io.Reader
	size int // bytes, if it is held
}

// held are buffers of bodies and answers that may be used again.
var held = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// mostKept bounds the buffers that are kept.
const mostKept = 1 << 20

func keep(b *bytes.Buffer) {
	if b != nil && b.Cap() <= mostKept {
		b.Reset()
		held.Put(b)
	}
}

// reserve waits until the body fits among those held.
func (s *Service) reserve(ctx context.Context, r *http.Request) (release func(), err error) {
	bytes := s.limits.Body
	if r.ContentLength > bytes {
		return nil, &http.MaxBytesError{Limit: bytes}
	}
	if r.ContentLength >= 0 {
		bytes = r.ContentLength
	}
	if err := s.bodies.enter(ctx, bytes); err != nil {
		return nil, err
	}
	return func() { s.bodies.leave(bytes) }, nil
}

// receive reads the body of a request that is no stream.
func (s *Service) receive(w http.ResponseWriter, r *http.Request) (*bytes.Buffer, error) {
	control := http.NewResponseController(w)
	if err := deadline(control.SetReadDeadline, s.limits.Time); err != nil {
		return nil, err
	}
	buffer := held.Get().(*bytes.Buffer)
	if r.ContentLength > 0 {
		buffer.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	if _, err := buffer.ReadFrom(http.MaxBytesReader(w, r.Body, s.limits.Body)); err != nil {
		return nil, arriving(err)
	}
	return buffer, deadline(control.SetReadDeadline, 0)
}

// open makes a body of its bytes. What a JSON object says of the model takes precedence.
func (q *request) open(text []byte) (*body, error) {
	if compressed(text) {
		return nil, errCompressed
	}
	if q.form && bytes.HasPrefix(text, []byte{'>'}) && bytes.IndexByte(text, '\n') < 0 {
		return nil, refusef(http.StatusBadRequest,
			"body: FASTA without line ends, as curl -d sends it; want curl --data-binary")
	}
	b := &body{name: "body", Reader: bytes.NewReader(text), size: len(text)}
	if q.document {
		records, err := q.takeDocument(text)
		b.Reader, b.size = bytes.NewReader(records), len(records)
		return b, err
	}
	if q.format == seqio.Auto {
		b.name = "body.txt" // text, unless it looks like something else
	}
	return b, nil
}

// deadline sets one, or none for 0, where the connection has any.
func deadline(set func(time.Time) error, after time.Duration) error {
	var at time.Time
	if after > 0 {
		at = time.Now().Add(after)
	}
	if err := set(at); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return gone(err)
	}
	return nil
}

// arriving tells an error of a body that is too large or too slow from that of a client that went away.
func arriving(err error) error {
	var large *http.MaxBytesError
	var timed interface{ Timeout() bool }
	if errors.As(err, &large) || errors.As(err, &timed) && timed.Timeout() {
		return err
	}
	return gone(err)
}

var errCompressed = refusef(http.StatusUnsupportedMediaType, "the body is compressed, want it as it is")

// compressed reports whether package seqio would decompress what begins like this.
func compressed(begin []byte) bool {
	return bytes.HasPrefix(begin, []byte{0x1f, 0x8b}) || bytes.HasPrefix(begin, []byte{0x28, 0xb5, 0x2f, 0xfd})
}

// documentJSON is a request in JSON.
type documentJSON struct {
	Model   string            `json:"model"`
	Class   string            `json:"class"`
	Records []json.RawMessage `json:"records"`
}

// takeDocument makes JSON Lines of the records of a document. A record is an object as in a line of these, or a text.
func (q *request) takeDocument(text []byte) ([]byte, error) {
	var d documentJSON
	if err := strictjson.Decode(text, &d); err != nil {
		return nil, refusef(http.StatusBadRequest, "body: %w", err)
	}
	if d.Model != "" {
		q.model = d.Model
	}
	if d.Class != "" {
		q.class = d.Class
	}
	if len(d.Records) == 0 {
		return nil, refusef(http.StatusBadRequest, `body: no records; want {"records": ["TEXT", …]}`)
	}
	var lines bytes.Buffer
	lines.Grow(len(text) + len(d.Records)*len(`{"text":}`))
	for i, record := range d.Records {
		switch {
		case record[0] == '"':
			lines.WriteString(`{"text":`)
			lines.Write(record)
			lines.WriteByte('}')
		case record[0] != '{':
			return nil, refusef(http.StatusBadRequest, "body: record %d is %.20s, want a text or an object with text",
				i+1, record)
		case bytes.IndexByte(record, '\n') >= 0:
			if err := json.Compact(&lines, record); err != nil {
				return nil, fmt.Errorf("serve: %w", err)
			}
		default:
			lines.Write(record)
		}
		lines.WriteByte('\n')
	}
	q.format = seqio.JSONL
	return lines.Bytes(), nil
}

// streamed is the body of a stream. Every part has its own time and its own limit of bytes.
type streamed struct {
	body     io.Reader
	part     int64 // limit of bytes between parts
	since    int64 // bytes since the last one
	deadline func(after time.Duration) error
	time     time.Duration
}

// readAhead is more than readers have in their buffers.
const readAhead = 1 << 20

// openStream prepares the body of a stream.
func (s *Service) openStream(w http.ResponseWriter, r *http.Request, q *request) (*body, *streamed, error) {
	control := http.NewResponseController(w)
	if err := control.EnableFullDuplex(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return nil, nil, fmt.Errorf("serve: %w", err)
	}
	in := &streamed{
		body: http.MaxBytesReader(w, r.Body, s.limits.Stream), part: s.limits.Body + readAhead, time: s.limits.Time,
		deadline: func(after time.Duration) error { return deadline(control.SetReadDeadline, after) },
	}
	if err := in.next(); err != nil {
		return nil, nil, err
	}
	begin := bufio.NewReaderSize(in, 1<<16)
	first, err := begin.Peek(4)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	if compressed(first) {
		return nil, nil, errCompressed
	}
	b := &body{name: "body", Reader: begin}
	if q.format == seqio.Auto {
		b.name = "body.txt"
	}
	return b, in, nil
}

// next begins another part.
func (in *streamed) next() error {
	in.since = 0
	return in.deadline(in.time)
}

// abandon has the server close the connection after the answer, rather than wait for what is left of the body.
func (in *streamed) abandon() { in.deadline(1) } // if there is no connection any more, so much the better

// Read reads on in a part.
func (in *streamed) Read(p []byte) (int, error) {
	if in.since > in.part {
		return 0, exceeded(http.StatusRequestEntityTooLarge, "body", in.part,
			"a record of a stream has more than %d bytes", in.part)
	}
	n, err := in.body.Read(p)
	in.since += int64(n)
	if err != nil && err != io.EOF {
		err = arriving(err)
	}
	return n, err
}
