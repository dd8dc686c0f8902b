package seqio

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// A record of more letters than kernels index is refused by line, in one piece or in several, where all records
// together may have more.
func TestLongRecord(t *testing.T) {
	read := func(text string) error {
		c := newCollector(Options{})
		c.start(Input{Path: "a.fa"}, FASTA)
		c.longest = 8
		return fastaParser{c}.parse(lines.NewReader(strings.NewReader(text)))
	}
	if err := read(">x\nACGT\nACGT\n>y\nACGTACGT\n"); err != nil {
		t.Error(err)
	}
	for _, text := range []string{">x\nA\n>y\nACGT\nACGTA\n", ">x\nA\n>y\n\nACGTACGTA\n"} {
		if err := read(text); err == nil || err.Error() != `a.fa:5: record "y": more than 8 letters; split the record` {
			t.Error(err)
		}
	}
}

// Letters that are copied to a larger place, which doubles while there is memory for both, never take more than the
// limit.
func TestArenaGrowsWithinLimit(t *testing.T) {
	const limit = 10 << 20
	heaptest.Limit(t, limit)
	read := func(letters int) (largest int, err error) {
		c := newCollector(Options{})
		c.start(Input{Path: "a.fa"}, FASTA)
		err = fastaParser{c}.parse(lines.NewReader(strings.NewReader(">x\n" + strings.Repeat("A", letters) + "\n")))
		return cap(c.builder.Letters()), err
	}
	const before = 4 << 20 // letters, when the last copy but one is full
	if largest, err := read(before + 1<<19); err != nil || before+largest > limit {
		t.Errorf("%d bytes and a copy of %d, want at most %d in all: %v", before, largest, limit, err)
	}
	if _, err := read(limit/2 + 1); err == nil || !strings.Contains(err.Error(), "--max-memory allows") {
		t.Errorf("more letters than can be copied: %v", err)
	}
}
