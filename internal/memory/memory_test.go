package memory

import (
	"errors"
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
)

func TestLimitIsHalfOfTheRuntimes(t *testing.T) {
	heaptest.Limit(t, 6<<30)
	if got := Limit(); got != 3<<30 {
		t.Errorf("Limit() = %d for a limit of 6 GiB, want 3 GiB", got)
	}
}

func TestLimitWithoutTheRuntimes(t *testing.T) {
	heaptest.Limit(t, math.MaxInt64)
	if got := Limit(); got < 1<<20 || got > 4<<30 {
		t.Errorf("Limit() = %d, want no more than 4 GiB", got)
	}
	if installed := physical(); installed > 0 && Limit() > installed/4 {
		t.Errorf("Limit() = %d of %d bytes of memory, want no more than a quarter", Limit(), installed)
	}
}

func TestCheck(t *testing.T) {
	heaptest.Limit(t, 2<<30)
	if err := Check(1 << 30); err != nil {
		t.Errorf("what the limit grants: %v", err)
	}
	for bytes, want := range map[float64]string{
		1<<30 + 1<<20:    "about 1 GiB of memory, more than the 1 GiB granted; the environment variable GOMEMLIMIT grants half of what it says",
		3.25 * (1 << 40): "about 3328 GiB of memory, more than the 1 GiB granted; the environment variable GOMEMLIMIT grants half of what it says",
	} {
		err := Check(bytes)
		var large *Error
		if !errors.As(err, &large) || err.Error() != want {
			t.Errorf("Check(%g) = %v, want %s", bytes, err, want)
		}
	}
	if Check(math.Inf(1)) == nil || Check(math.NaN()) == nil {
		t.Error("no number of bytes was granted")
	}
}

func TestText(t *testing.T) {
	for bytes, want := range map[float64]string{
		0: "0 bytes", 999.4: "999 bytes", 999.5: "0.976 KiB", 1 << 10: "1 KiB", 999.4 * (1 << 20): "999 MiB", 999.9 * (1 << 20): "0.976 GiB",
		999.4 * (1 << 30): "999 GiB", 999.9 * (1 << 30): "1000 GiB", 1 << 50: "1048576 GiB",
	} {
		if got := text(bytes); got != want {
			t.Errorf("%v bytes are written %q, want %q", bytes, got, want)
		}
	}
}
