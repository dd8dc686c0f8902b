package seqio

import (
	"fmt"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// budget is how many bytes an input that is held whole may take, 0 where nothing is known of the machine: a few bytes of a compressed file may stand for more records, or
// lines of a table, than any machine holds.
type budget int64

func newBudget() budget { return budget(memory.Half()) }

// check returns an error if the records, or the lines, up to some place need more.
func (b budget) check(need int64, what string) error {
	if b > 0 && need > int64(b) {
		return fmt.Errorf("the %s up to here need %w; split the input", what, &memory.Error{Bytes: float64(need), Limit: float64(b)})
	}
	return nil
}
