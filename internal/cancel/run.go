package cancel

import "context"

// Run calls work, which takes no context, and returns ctx.Err(): nil after work, the error as soon as ctx is done. In
// the latter case work goes on to its end in the background, so that the caller must neither use nor lend again what
// work reads and writes. That suits work of bounded length, such as a product with a Gram matrix. A panic of work is
// the caller's, unless the caller has left.
func Run(ctx context.Context, work func()) error {
	if ctx.Done() == nil {
		work()
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	ended := make(chan any, 1)
	go func() {
		defer func() { ended <- recover() }()
		work()
	}()
	select {
	case p := <-ended:
		if p != nil {
			panic(p)
		}
	case <-ctx.Done():
	}
	return ctx.Err()
}
