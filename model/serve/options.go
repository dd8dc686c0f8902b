package serve

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"github.com/seqsvm/seqsvm/model"
)

// Source is a model to serve, under a name.
type Source struct {
	Name string
	Path string // of its file, which is read again when it changes
	// Read reads the file; nil: model.ReadFile
	Read func(path string) (*model.Model, error)
}

// Options say how to serve. The zero value is a good start on a local address.
type Options struct {
	Hosts  []string // names that a Host header may have besides localhost and addresses
	Token  string   // what requests have to bring; empty: nothing
	TLS    *tls.Config
	Limits Limits
	Log    *slog.Logger // nil: none
}

// Limits bound what requests may take. A zero is the default.
type Limits struct {
	Body    int64 // bytes of the body of a request; of a stream, of the records of a part (8 MiB)
	Stream  int64 // bytes of a stream (1 GiB)
	Records int   // records of a request that is no stream (50,000)
	Letters int   // letters of a request, or of a record of a stream; to explain an eighth (8,000,000)
	Bodies  int64 // bytes of bodies held at a time, beyond 16 KiB of each; more wait (the greater of Body and 128 MiB)
	Queue   int   // requests held at a time, at work or waiting (4,096)
	Working int   // requests scored at a time (GOMAXPROCS)
	Streams int   // streams at a time (8)
	// Time is what a client has to send each part of a body, of 16 KiB per second of it, and what a request, or a part
	// of a stream, has to wait and to be scored (30 s).
	Time time.Duration
}

// Defaults returns the limits with their defaults in place of zeros.
func (l Limits) Defaults() Limits {
	l.Body = cmp.Or(l.Body, 8<<20)
	l.Stream = cmp.Or(l.Stream, 1<<30)
	l.Records = cmp.Or(l.Records, 50_000)
	l.Letters = cmp.Or(l.Letters, 8_000_000)
	l.Bodies = cmp.Or(l.Bodies, max(128<<20, l.Body))
	l.Queue = cmp.Or(l.Queue, 4096)
	l.Working = cmp.Or(l.Working, runtime.GOMAXPROCS(0))
	l.Streams = cmp.Or(l.Streams, 8)
	l.Time = cmp.Or(l.Time, 30*time.Second)
	return l
}

func (l Limits) check() error {
	if min(l.Body, l.Stream, l.Bodies, int64(l.Records), int64(l.Letters), int64(l.Queue), int64(l.Working),
		int64(l.Streams), int64(l.Time)) < 1 {
		return fmt.Errorf("serve: a limit below 1 in %+v", l)
	}
	if l.Bodies < l.Body {
		return fmt.Errorf("serve: limit of bodies %d, want at least that of a body, %d", l.Bodies, l.Body)
	}
	return nil
}
