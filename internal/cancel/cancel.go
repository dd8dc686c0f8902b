// Package cancel ends long computations soon after their context is done.
//
// Indexing a corpus is a chain of loops over its letters, most of them in functions that cannot fail. Such a function
// takes a context, and calls [Check] once per record or has [Steps], [Down] or [All] count its iterations, which call
// it once per 65,536. Check unwinds the stack to the deferred [Catch] of the function that began the work and returns
// an error, as parsers of the standard library do at a syntax error. Package parallel carries it from its goroutines to
// their caller.
package cancel

import (
	"context"
	"iter"
)

// stride is the number of iterations, of nanoseconds each, between checks.
const stride = 1 << 16

// done is what Check panics with.
type done struct{ err error }

// Check returns unless ctx is done: then it unwinds the stack to a deferred [Catch].
func Check(ctx context.Context) {
	if err := ctx.Err(); err != nil {
		panic(done{err})
	}
}

// Steps yields from, from+1, … below to. The compiler inlines it, and the loop over it, as it does All and Down.
func Steps(ctx context.Context, from, to int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for lo := from; lo < to; lo += stride {
			Check(ctx)
			for i, hi := lo, min(lo+stride, to); i < hi; i++ {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// Down yields to−1, to−2, … from.
func Down(ctx context.Context, from, to int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for hi := to; hi > from; hi -= stride {
			Check(ctx)
			for i, lo := hi-1, max(hi-stride, from); i >= lo; i-- {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// All yields the indices and elements of list.
func All[T any](ctx context.Context, list []T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for lo := 0; lo < len(list); lo += stride {
			Check(ctx)
			for i, x := range list[lo:min(lo+stride, len(list))] {
				if !yield(lo+i, x) {
					return
				}
			}
		}
	}
}

// Catch, deferred, makes the context's error the result of a function that Check has unwound to. It lets other panics
// pass.
func Catch(err *error) {
	switch p := recover().(type) {
	case nil:
	case done:
		*err = p.err
	default:
		panic(p)
	}
}
