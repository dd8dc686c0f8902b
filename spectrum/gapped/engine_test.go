package gapped

import (
	"sync"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestEnginesAreBounded: a process that meets ever new parameters keeps no more than so many engines, and values stay what they are.
func TestEnginesAreBounded(t *testing.T) {
	mostEngines := int(engines.Most)
	kernel := func(i int) Kernel {
		return Kernel{L: 3, K: 2, D: 1, Filter: Wildcard, Lambda: 1 / float64(1+i), Alphabet: stringkernel.DNA}
	}
	x, y := []byte("ACGACT"), []byte("ACTACGA")
	want := kernel(7).Eval(x, y)
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range 3 * mostEngines {
				kernel((i+worker*mostEngines/2)%(3*mostEngines)).Eval(x, y)
			}
		})
	}
	wait.Wait()
	if kept := engines.Len(); kept > mostEngines+4 { // as many more as there are goroutines
		t.Errorf("%d engines kept, want at most %d", kept, mostEngines)
	}
	if got := kernel(7).Eval(x, y); got != want {
		t.Errorf("value %v after others, want %v", got, want)
	}
}
