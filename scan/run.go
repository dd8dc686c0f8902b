package scan

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/seqsvm/seqsvm/seqio"
)

// Batch is the result of one chunk.
type Batch struct {
	Record string // id
	Index  int    // of the record, 0-based
	Start  int    // 0-based place of the chunk's first window in the record
	Bases  int    // letters that no chunk before held
	Last   bool   // the record ends here
	Short  bool   // the record is shorter than a window
	Hits   []Hit  // in order
	Text   []byte // for Job.Work to write into; empty before

	windows int // of which the hits are those that count
}

// Source gives the chunks of sequences to visit, in order, as [seqio.Stream] does under [Scanner.Stream].
type Source func(visit func(seqio.Chunk) error) error

// Job says what is done with the hits of a run.
type Job struct {
	// Least is the least score of a hit. It may be raised while the run goes on. If it is nil, every window is a hit.
	Least *Threshold
	// Work, if not nil, is called once per batch, concurrently.
	Work func(b *Batch)
	// Emit is called once per batch, in the order of the sequences. What the batch holds is valid until it returns.
	Emit func(b *Batch) error

	peaks    int       // if positive, hits that begin less than this from a better one are dropped where that is known
	shuffles *shuffles // hits are the peaks of these
}

// Threshold is a number that several goroutines read and one raises.
type Threshold struct{ bits atomic.Uint64 }

// NewThreshold returns a threshold.
func NewThreshold(value float64) *Threshold {
	t := new(Threshold)
	t.Raise(value)
	return t
}

// Raise sets the threshold.
func (t *Threshold) Raise(value float64) { t.bits.Store(math.Float64bits(value)) }

// Value returns the threshold.
func (t *Threshold) Value() float64 { return math.Float64frombits(t.bits.Load()) }

// chunkWindows is the least number of windows per chunk: enough for the work on a chunk to be long, and so few that
// their scores stay in the cache.
const chunkWindows = 1 << 15

// Stream returns how sequences are to be cut for a run: into chunks of 2¹⁵ windows, or 4 times a window's letters if
// that is more. The cuts depend on the window alone, and so do the last bits of scores, which depend on where a chunk
// begins. Lower-case letters stay as they are if c is [seqio.CaseKept].
func (s *Scanner) Stream(c seqio.Case) seqio.StreamOptions {
	o := seqio.StreamOptions{Size: max(chunkWindows, 4*s.Window), Overlap: s.Window - 1, Alphabet: s.Alphabet}
	if c == seqio.CaseKept {
		o.Case = c
	}
	return o
}

// task is a chunk on its way.
type task struct {
	chunk seqio.Chunk
	batch Batch
	done  chan struct{} // holds a token when the batch is ready
}

// Run scores all windows of a source on all processors and hands over the hits, the same ones whatever the number of
// processors. It returns the first error of the source, of Emit or of ctx, after all goroutines have ended. Memory is
// that of a few chunks per processor.
func (s *Scanner) Run(ctx context.Context, source Source, job Job) error {
	workers := runtime.GOMAXPROCS(0)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		free    = make(chan *task, 3*workers)
		todo    = make(chan *task, 3*workers) // never full: its capacity is the number of tasks
		ordered = make(chan *task, 3*workers)
		failed  = make(chan error, 1)
		wait    sync.WaitGroup
	)
	for range cap(free) {
		free <- &task{done: make(chan struct{}, 1)}
	}
	for range workers {
		wait.Go(func() {
			var scratch work
			for t := range todo {
				s.do(ctx, t, &scratch, job)
				t.done <- struct{}{}
			}
		})
	}
	go func() {
		failed <- source(func(c seqio.Chunk) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			select {
			case t := <-free:
				c.Seq = append(t.chunk.Seq[:0], c.Seq...)
				t.chunk = c
				todo <- t
				ordered <- t
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		close(todo)
		close(ordered)
	}()
	var err error
	for t := range ordered {
		<-t.done
		if err == nil {
			if err = job.Emit(&t.batch); err != nil {
				cancel()
			}
		}
		free <- t
	}
	wait.Wait()
	if sourceErr := <-failed; err == nil {
		err = sourceErr
	}
	return err
}

// do scores a chunk.
func (s *Scanner) do(ctx context.Context, t *task, w *work, job Job) {
	c := &t.chunk
	known := 0
	if c.Start > 0 {
		known = min(s.Window-1, len(c.Seq))
	}
	t.batch = Batch{
		Record: c.Record, Index: c.Index, Start: c.Start, Bases: len(c.Seq) - known, Last: c.Last,
		Short: c.Start == 0 && len(c.Seq) < s.Window,
		Hits:  t.batch.Hits[:0], Text: t.batch.Text[:0],
	}
	if job.shuffles != nil {
		s.shuffledPeaks(ctx, &t.batch, w, c, job)
	} else {
		s.chunkHits(&t.batch, w, c, job)
	}
	if job.Work != nil {
		job.Work(&t.batch)
	}
}

// chunkHits adds the hits of a chunk to its batch.
func (s *Scanner) chunkHits(b *Batch, w *work, c *seqio.Chunk, job Job) {
	least := math.Inf(-1)
	if job.Least != nil {
		least = job.Least.Value()
	}
	b.Hits = s.hits(b.Hits, w, *c, least)
	b.windows = len(b.Hits)
	if job.peaks > 0 {
		known := span{c.Start, c.Start + len(c.Seq) - s.Window}
		if c.Start == 0 {
			known.first = everywhere.first
		}
		if c.Last {
			known.last = everywhere.last
		}
		b.Hits = w.thinner.thin(b.Hits, job.peaks, known)
	}
}
