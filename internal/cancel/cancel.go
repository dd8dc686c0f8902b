// Package cancel ends long computations soon after their context is done.
//
// Indexing a corpus is a chain of loops over its letters, most of them in functions that cannot fail. Such a function
// takes a context, and its loops call [Check], or [Every], once per [Stride] of iterations; short loops go block by
// block, since a call in a loop has its variables stored. Check unwinds the stack to the deferred [Catch] of the
// function that began the work and returns an error, as parsers of the standard library do at a syntax error. Package
// parallel carries it from its goroutines to their caller.
package cancel

import "context"

// Stride is the number of iterations, of nanoseconds each, between checks: a power of two.
const Stride = 1 << 16

// done is what Check panics with.
type done struct{ err error }

// Check returns unless ctx is done: then it unwinds the stack to a deferred [Catch].
func Check(ctx context.Context) {
	if err := ctx.Err(); err != nil {
		panic(done{err})
	}
}

// Every calls [Check] in iteration i if that is a multiple of [Stride].
func Every(ctx context.Context, i int) {
	if i&(Stride-1) == 0 {
		Check(ctx)
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
