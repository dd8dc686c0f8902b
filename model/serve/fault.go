package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
)

// fault is an error that the client is told, with the status of the answer. The text of any other error is kept from
// the client.
type fault struct {
	status int
	limit  string // that was exceeded, "" if none was
	value  int64  // of the limit
	err    error
}

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

// refusef is a fault of the request.
func refusef(status int, format string, args ...any) *fault {
	return &fault{status: status, err: fmt.Errorf(format, args...)}
}

// exceeded is a fault of a request beyond a limit.
func exceeded(status int, limit string, value int64, format string, args ...any) *fault {
	return &fault{status, limit, value, fmt.Errorf(format, args...)}
}

// told makes a fault of any error but that of a client that went away, which is nil.
func (s *Service) told(err error) *fault {
	var told *fault
	var body *http.MaxBytesError
	seconds := int64(s.limits.Time.Seconds())
	switch {
	case errors.As(err, &told):
		return told
	case errors.As(err, &body):
		return exceeded(http.StatusRequestEntityTooLarge, "body", body.Limit,
			"the body has more than %d bytes; send fewer records at a time, or a stream", body.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return exceeded(http.StatusRequestTimeout, "time", seconds, "the request did not arrive within %d seconds",
			seconds)
	case errors.Is(err, context.DeadlineExceeded):
		return exceeded(http.StatusServiceUnavailable, "time", seconds,
			"no answer within %d seconds; send fewer records at a time, or try again later", seconds)
	case errors.Is(err, context.Canceled):
		return nil
	}
	return &fault{status: http.StatusInternalServerError, err: errors.New("internal error; the log has more")}
}

// faultJSON is the body of an answer that is an error, and the last line of a stream that ends with one.
type faultJSON struct {
	Error struct {
		Status  int    `json:"status"`
		Message string `json:"message"`
		Limit   string `json:"limit,omitempty"`
		Value   int64  `json:"value,omitempty"`
	} `json:"error"`
}

func (f *fault) json() []byte {
	var out faultJSON
	out.Error.Status, out.Error.Message, out.Error.Limit, out.Error.Value = f.status, f.Error(), f.limit, f.value
	text, err := json.Marshal(out)
	if err != nil {
		panic(err) // strings and numbers
	}
	return append(text, '\n')
}

// write answers with the fault.
func (f *fault) write(w http.ResponseWriter) {
	header := w.Header()
	header.Del("Content-Length")
	header.Set("Content-Type", typeJSON)
	switch f.status {
	case http.StatusRequestTimeout, http.StatusRequestEntityTooLarge:
		header.Set("Connection", "close") // what is left of the body is not read
	case http.StatusTooManyRequests:
		header.Set("Retry-After", "1")
	case http.StatusServiceUnavailable:
		header.Set("Retry-After", "5")
	case http.StatusUnauthorized:
		header.Set("WWW-Authenticate", `Bearer realm="seqsvm"`)
	}
	text := f.json()
	header.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(f.status)
	w.Write(text) // an error means that the client is gone
}
