package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"

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
	letters      int  // answer only the first records, of at most this many letters together; 0: answer all
}

// parameters are those of the query.
var parameters = []string{"model", "class", "input", "letters"}

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
	if n := query.Get("letters"); n != "" {
		if q.letters, err = strconv.Atoi(n); err != nil || q.letters < 1 {
			return q, refusef(http.StatusBadRequest, "parameter letters = %.60q, want a number from 1", n)
		}
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil && r.Header.Get("Content-Type") != "" {
		return q, refusef(http.StatusUnsupportedMediaType, "Content-Type: %w", err)
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" && encoding != gzipped {
		return q, refusef(http.StatusUnsupportedMediaType, "Content-Encoding %.60q, want gzip or none", encoding)
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
	io.Reader
	size int // bytes, if it is held
}

// uncounted is how many bytes of each body are not counted among those held, so that small requests never wait for
// large ones, nor for those that send little and slowly.
const uncounted = 16 << 10

// receive reads the body of a request that is no stream, and counts it among those held as it arrives.
func (s *Service) receive(w http.ResponseWriter, r *http.Request, of *holding) (*bytes.Buffer, error) {
	most := s.limits.Body + 1
	if r.ContentLength >= most {
		return nil, &http.MaxBytesError{Limit: s.limits.Body}
	}
	if r.ContentLength >= 0 && r.Header.Get("Content-Encoding") != gzipped {
		most = r.ContentLength + 1
	}
	in, buffer := s.incoming(w, r, s.limits.Body), new(bytes.Buffer)
	for size := min(uncounted, most); ; size = min(2*size, most) {
		if more := min(size, s.limits.Body) - uncounted - of.units; more > 0 {
			ctx, cancel := context.WithTimeout(r.Context(), s.limits.Time)
			err := of.grow(ctx, more)
			if cancel(); err != nil {
				return buffer, err
			}
			in.begin() // the client could not help that
		}
		rest := int(size) - buffer.Len()
		buffer.Grow(rest + bytes.MinRead)
		n, err := buffer.ReadFrom(io.LimitReader(in, int64(rest)))
		if err != nil {
			return buffer, err
		}
		if n < int64(rest) {
			return buffer, in.deadline(0)
		}
	}
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
	if q.document {
		records, err := q.takeDocument(text)
		return &body{Reader: bytes.NewReader(records), size: len(records)}, err
	}
	return &body{Reader: bytes.NewReader(text), size: len(text)}, nil
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
	if told := new(fault); errors.As(err, &told) || errors.As(err, &large) || errors.As(err, &timed) && timed.Timeout() {
		return err
	}
	return gone(err)
}

var errCompressed = refusef(http.StatusUnsupportedMediaType, "the body is compressed, want it as it is, or gzip, once, "+
	"with the header Content-Encoding: gzip")

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

// wantedJSON says in errors what a body of JSON looks like.
const wantedJSON = `{"records": ["a", "b"]} or {"records": [{"id": "1", "text": "a"}, …]}; with Content-Type: ` +
	typeLines + ` an object {"text": "a"} per line; see /docs`

// takeDocument makes JSON Lines of the records of a document. A record is an object as in a line of these, or a text.
func (q *request) takeDocument(text []byte) ([]byte, error) {
	var d documentJSON
	if err := strictjson.Decode(text, &d); err != nil {
		if kind := new(json.UnmarshalTypeError); errors.As(err, &kind) {
			err = fmt.Errorf("unexpected %s%s", kind.Value, strings.TrimSuffix(" in "+kind.Field, " in "))
		}
		return nil, refusef(http.StatusBadRequest, "body: %w; want %s", err, wantedJSON)
	}
	if err := strictjson.Unique(text); err != nil {
		return nil, refusef(http.StatusBadRequest, "body: %w", err)
	}
	q.model, q.class = cmp.Or(d.Model, q.model), cmp.Or(d.Class, q.class)
	if len(d.Records) == 0 {
		return nil, refusef(http.StatusBadRequest, "body: no records; want %s", wantedJSON)
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
			return nil, refusef(http.StatusBadRequest, `body: record %d is %.20s, want "a" or {"text": "a"}`, i+1, record)
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

// incoming is a body as it arrives. A client has a limit of time for each portion of the bytes; the parts of a stream
// have a limit.
type incoming struct {
	body     io.Reader
	part     int64 // limit of bytes between parts
	since    int64 // bytes since the last one
	left     int64 // bytes for which the time is
	deadline func(after time.Duration) error
	time     time.Duration
}

// pace is how many bytes per second a client has to send, over the time that it has for a request.
const pace = 16 << 10

// incoming prepares to read a body of limited size.
func (s *Service) incoming(w http.ResponseWriter, r *http.Request, most int64) *incoming {
	control, from := http.NewResponseController(w), http.MaxBytesReader(w, r.Body, most)
	if r.Header.Get("Content-Encoding") == gzipped { // what comes out is bounded too
		from = http.MaxBytesReader(w, io.NopCloser(&inflated{from: from}), most)
	}
	return &incoming{
		body: from, part: most, time: s.limits.Time,
		deadline: func(after time.Duration) error { return deadline(control.SetReadDeadline, after) },
	}
}

// gzipped is the Content-Encoding of bodies that are decompressed.
const gzipped = "gzip"

// inflated is a compressed body as it is read, from its first byte on when that is wanted.
type inflated struct {
	from   io.Reader
	reader *gzip.Reader
}

func (f *inflated) Read(p []byte) (n int, err error) {
	if f.reader == nil {
		f.reader, err = gzip.NewReader(f.from)
	}
	if err == nil {
		n, err = f.reader.Read(p)
	}
	var corrupt flate.CorruptInputError
	if errors.As(err, &corrupt) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) ||
		errors.Is(err, io.ErrUnexpectedEOF) {
		err = refusef(http.StatusBadRequest, "body: %w; want gzip, as the header Content-Encoding says", err)
	}
	return n, err
}

// readAhead is more than readers have in their buffers.
const readAhead = 1 << 20

// openStream prepares the body of a stream, and waits for its first bytes.
func (s *Service) openStream(w http.ResponseWriter, r *http.Request) (*body, *incoming, error) {
	if err := http.NewResponseController(w).EnableFullDuplex(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return nil, nil, fmt.Errorf("serve: %w", err)
	}
	in := s.incoming(w, r, s.limits.Stream)
	in.part = s.limits.Body + readAhead
	buffered := bufio.NewReaderSize(in, uncounted)
	first, err := buffered.Peek(uncounted)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	if compressed(first) {
		return nil, nil, errCompressed
	}
	return &body{Reader: buffered}, in, nil
}

// next begins another part.
func (in *incoming) next() { in.since, in.left = 0, 0 }

// begin gives the client its time from now on.
func (in *incoming) begin() { in.left = 0 }

// abandon has the server close the connection after the answer, rather than wait for what is left of the body.
func (in *incoming) abandon() { in.deadline(1) } // if there is no connection any more, so much the better

// Read reads on in a part.
func (in *incoming) Read(p []byte) (int, error) {
	if in.since > in.part {
		return 0, exceeded(http.StatusRequestEntityTooLarge, "body", in.part,
			"a record of a stream has more than %d bytes", in.part)
	}
	if in.left <= 0 {
		in.left = int64(pace * in.time.Seconds())
		if err := in.deadline(in.time); err != nil {
			return 0, err
		}
	}
	n, err := in.body.Read(p)
	in.since, in.left = in.since+int64(n), in.left-int64(n)
	if err != nil && err != io.EOF {
		err = arriving(err)
	}
	return n, err
}
