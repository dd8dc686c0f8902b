//go:build heap

package trees_test

import (
	"runtime"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
)

// A converter and its record keep no more of a hostile text than it says that it needs.
func TestHeapOfHostileTexts(t *testing.T) {
	for name, attack := range hostile(200_000) {
		c := allLabels(t, attack.syntax)
		start := heaptest.InUse()
		record, _ := c.Append(nil, []byte(attack.text))
		if kept, needs := heaptest.InUse()-start, c.Needs([]byte(attack.text)); kept > float64(needs+1<<16) {
			t.Errorf("%s: %.0f bytes are kept of a text of %d, which is to need %d", name, kept, len(attack.text),
				needs)
		}
		runtime.KeepAlive(c)
		runtime.KeepAlive(record)
	}
}
