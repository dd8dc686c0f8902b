package serve

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"
)

const (
	typeJSON  = "application/json"
	typeLines = "application/x-ndjson"
	typeForm  = "application/x-www-form-urlencoded"
)

// Service answers requests. It is an [http.Handler], safe for concurrent use.
type Service struct {
	options Options
	limits  Limits
	log     *slog.Logger
	shelves []*shelf
	routes  map[string]route
	guard   *guard
	metrics *metrics

	held    atomic.Int64 // requests
	ending  atomic.Bool  // it finishes what has begun
	bodies  *gate        // by bytes
	streams *gate        // by number
	working *gate        // by number
}

// New loads the models, which are served in their order under distinct names.
func New(ctx context.Context, models []Source, o Options) (*Service, error) {
	o.Limits = o.Limits.Defaults()
	if err := o.Limits.check(); err != nil {
		return nil, err
	}
	shelves, err := openShelves(ctx, models)
	if err != nil {
		return nil, err
	}
	s := &Service{options: o, limits: o.Limits, log: logger(o.Log), shelves: shelves, guard: newGuard(o)}
	s.bodies, s.streams = newGate(s.limits.Bodies), newGate(int64(s.limits.Streams))
	s.bodies.reserve = s.limits.Body
	s.working, s.metrics = newGate(int64(s.limits.Working)), newMetrics()
	s.routes = map[string]route{
		"/":             {get: s.file("page.html", "text/html; charset=utf-8"), open: true},
		"/page.css":     {get: s.file("page.css", "text/css; charset=utf-8"), open: true},
		"/page.js":      {get: s.file("page.js", "text/javascript; charset=utf-8"), open: true},
		"/icon.svg":     {get: s.file("icon.svg", "image/svg+xml"), open: true},
		"/openapi.json": {get: s.file("openapi.json", typeJSON), open: true},
		"/docs":         {get: s.documentation, open: true},
		"/healthz":      {get: s.health, open: true},
		"/readyz":       {get: s.ready, open: true},
		"/metrics":      {get: s.writeMetrics},
		"/v1/models":    {get: s.listModels},
		"/v1/predict":   {post: s.predict},
		"/v1/explain":   {post: s.explain},
	}
	return s, nil
}

// route is how a path is answered.
type route struct {
	get, post handler
	open      bool // without the token
}

// handler answers a request, or returns the error to answer with if it has not begun to.
type handler func(w *watchedWriter, r *http.Request) error

// ServeHTTP answers a request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begun, path := time.Now(), r.URL.Path
	at, known := s.routes[path]
	if !known {
		path = "other"
	}
	watched := &watchedWriter{ResponseWriter: w}
	defer func() {
		cause := recover()
		if cause != nil && cause != http.ErrAbortHandler {
			s.log.Error("panic", "path", path, "cause", cause, "stack", string(debug.Stack()))
			(&fault{status: http.StatusInternalServerError, err: errors.New("internal error")}).writeOn(watched)
		}
		took := time.Since(begun)
		s.metrics.answered(path, watched.status, took)
		s.log.Info("request", "method", r.Method, "path", path, "status", watched.status, "model", watched.model,
			"records", watched.records, "letters", watched.letters, "bytes", watched.bytes, "seconds", took.Seconds(),
			"remote", r.RemoteAddr)
		if cause == http.ErrAbortHandler {
			panic(cause) // the server closes the connection
		}
	}()
	protect(watched.Header())
	if err := s.handle(at, known, watched, r); err != nil {
		s.fail(watched, r, err)
	}
}

// handle answers the request if it may.
func (s *Service) handle(at route, known bool, w *watchedWriter, r *http.Request) error {
	if err := s.guard.admit(r, at.open); err != nil {
		return err
	}
	if !known {
		return refusef(http.StatusNotFound, "no such path: %.60q; /docs lists all", r.URL.Path)
	}
	do, allowed := at.get, "GET, HEAD"
	if at.post != nil {
		do, allowed = at.post, "POST"
	}
	if (at.post != nil) != (r.Method == http.MethodPost) ||
		at.get != nil && r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", allowed)
		return refusef(http.StatusMethodNotAllowed, "method %.20s, want %s", r.Method, allowed)
	}
	return do(w, r)
}

// fail answers with an error. An answer that has begun is broken off, so that nobody takes it for complete.
func (s *Service) fail(w *watchedWriter, r *http.Request, err error) {
	told := s.told(err)
	if told == nil {
		s.log.Info("client gone", "path", r.URL.Path, "remote", r.RemoteAddr)
		w.status = statusGone
		panic(http.ErrAbortHandler)
	}
	if told.limit != "" {
		s.metrics.refused.add(1, told.limit)
	}
	if told.status == http.StatusInternalServerError {
		s.log.Error("request failed", "path", r.URL.Path, "error", err)
	}
	told.writeOn(w)
	if told.status == http.StatusRequestEntityTooLarge {
		drain(w, r)
	}
}

// Bounds of what is read of a body that was refused as too large.
const (
	mostDrained = 256 << 20
	drainTime   = 5 * time.Second
)

// drain reads on for a while, so that a client that is still sending sees the answer and not a broken connection.
func drain(w *watchedWriter, r *http.Request) {
	control := http.NewResponseController(w.ResponseWriter)
	if control.Flush() == nil && deadline(control.SetReadDeadline, drainTime) == nil {
		io.CopyN(io.Discard, r.Body, mostDrained) // an error ends it, too
	}
}

// statusGone is counted where no answer was given, since the client was gone.
const statusGone = 499

// writeOn answers with the fault, or breaks the answer off that has begun.
func (f *fault) writeOn(w *watchedWriter) {
	if w.status != 0 {
		panic(http.ErrAbortHandler)
	}
	f.write(w)
}

// watchedWriter takes note of what is answered.
type watchedWriter struct {
	http.ResponseWriter
	status           int
	bytes            int64
	model            string // that answered
	records, letters int
}

func (w *watchedWriter) WriteHeader(status int) {
	if status >= http.StatusOK { // not 100 Continue
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *watchedWriter) Write(p []byte) (int, error) {
	w.status = cmp.Or(w.status, http.StatusOK)
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (w *watchedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// health says that the service answers.
func (s *Service) health(w *watchedWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, err := io.WriteString(w, "ok\n")
	return gone(err)
}

// ready says that the service takes requests: its models are loaded from the start.
func (s *Service) ready(w *watchedWriter, r *http.Request) error {
	switch held := s.held.Load(); {
	case s.ending.Load():
		return refusef(http.StatusServiceUnavailable, "the service is stopping")
	case held >= int64(s.limits.Queue):
		return exceeded(http.StatusServiceUnavailable, "queue", int64(s.limits.Queue),
			"%d requests are being answered or waiting", held)
	}
	return s.health(w, r)
}

func (s *Service) writeMetrics(w *watchedWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	var text bytes.Buffer
	s.metrics.write(&text, s)
	_, err := text.WriteTo(w)
	return gone(err)
}

// writeJSON answers with a value.
func writeJSON(w http.ResponseWriter, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	w.Header().Set("Content-Type", typeJSON)
	_, err = w.Write(append(text, '\n'))
	return gone(err)
}

// gone makes an error of writing that of a client that went away.
func gone(err error) error {
	if err != nil {
		return fmt.Errorf("%w: %w", context.Canceled, err)
	}
	return nil
}

// documentation writes the API for people, with the address by which it was asked.
func (s *Service) documentation(w *watchedWriter, r *http.Request) error {
	address := html.EscapeString(r.Host)
	if r.TLS != nil {
		address = "https://" + address
	}
	text, err := files.ReadFile("docs.html")
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, err = w.Write(bytes.ReplaceAll(text, []byte("localhost:8080"), []byte(address)))
	return gone(err)
}

// files are the pages, and the description of the API.
//
//go:embed docs.html page.html page.css page.js icon.svg openapi.json
var files embed.FS

// file returns a handler of one of the files.
func (s *Service) file(name, kind string) handler {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return func(w *watchedWriter, r *http.Request) error {
		w.Header().Set("Content-Type", kind)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
		return nil
	}
}
