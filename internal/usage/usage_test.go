package usage_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/internal/usage"
)

// The peak counts memory that was taken, and the processor time that it is used.
func TestNow(t *testing.T) {
	before := usage.Now()
	if before == (usage.Usage{}) {
		t.Skipf("not known on %s", runtime.GOOS)
	}
	const size = 64 << 20
	taken := make([]byte, size)
	for range taken {
		for i := range taken {
			taken[i]++
		}
		if usage.CPU() > before.CPU { // a clock may have coarse ticks
			break
		}
	}
	after := usage.Now()
	if after.Peak < size || after.Peak > 100*size {
		t.Errorf("peak of %d bytes after taking %d", after.Peak, size)
	}
	if after.CPU <= before.CPU || after.CPU > time.Hour {
		t.Errorf("%v of processor time, before %v", after.CPU, before.CPU)
	}
	runtime.KeepAlive(taken)
}
