package seqio

import (
	"fmt"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// checkHeld returns an error if what is kept of an input up to some place, its records or its lines, exceeds the limit of
// memory: a few bytes of a compressed file may expand to more than any machine holds.
func checkHeld(bytes int64, what string) error {
	if err := memory.Check(float64(bytes)); err != nil {
		return fmt.Errorf("the %s up to here need %w; split the input", what, err)
	}
	return nil
}
