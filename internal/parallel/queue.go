package parallel

import "runtime"

// Queue runs pieces of work beside each other and finishes them one after another, in the order in which they were
// given. So a stream is dealt with a piece at a time, and processors that one piece leaves idle go on with the next. It
// is used by one goroutine, which ends it by Close.
type Queue struct {
	ahead   int // pieces that may be unfinished when Do returns
	running []chan func() error
}

// NewQueue returns a queue whose calls of Do leave one piece running if there are several processors.
func NewQueue() *Queue {
	return &Queue{ahead: min(1, runtime.GOMAXPROCS(0)-1)}
}

// Pieces returns how many pieces run at once.
func (q *Queue) Pieces() int { return q.ahead + 1 }

// Do has work begin, and calls what those before it have returned, which finishes them, until few are left. It returns
// the first error of these calls, after which only Close may be called.
func (q *Queue) Do(work func() (finish func() error)) error {
	done := make(chan func() error, 1)
	q.running = append(q.running, done)
	if q.ahead == 0 {
		done <- work()
	} else {
		go func() { done <- work() }()
	}
	return q.finish(q.ahead)
}

// finish finishes all but some of the pieces.
func (q *Queue) finish(but int) error {
	for len(q.running) > but {
		finish := <-q.running[0]
		q.running = q.running[1:]
		if err := finish(); err != nil {
			return err
		}
	}
	return nil
}

// Flush finishes all pieces, as Do does.
func (q *Queue) Flush() error { return q.finish(0) }

// Close waits for the pieces that are running and finishes none.
func (q *Queue) Close() {
	for _, done := range q.running {
		<-done
	}
	q.running = nil
}
