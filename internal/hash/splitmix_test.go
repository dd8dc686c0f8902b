package hash_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/internal/hash"
)

// The first numbers of SplitMix64 from the seed 1234567, as Java's SplittableRandom and the generator's other
// implementations give them.
func TestSplitMix(t *testing.T) {
	state := uint64(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
		16408922859458223821} {
		state += hash.Golden
		if got := hash.SplitMix(state); got != want {
			t.Errorf("number %d is %d, want %d", i, got, want)
		}
	}
}
