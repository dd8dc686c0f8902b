package genome_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// A track has the values of both strands at their positions, and means where records overlap.
func TestTrack(t *testing.T) {
	var track genome.Track
	track.Add("chr2", 10, genome.Plus, []float64{1, 2, 3})
	track.Add("chr2", 12, genome.Minus, []float64{8, 9})
	track.Add("chr1", 0, genome.NoStrand, []float64{5})
	var got []string
	for _, seq := range track.Sequences() {
		must.Succeed(t, track.Each(seq, func(at int, value float64) error {
			got = append(got, fmt.Sprintf("%s:%d=%v", seq, at, value))
			return nil
		}))
	}
	want := "chr1:0=5 chr2:10=1 chr2:11=2 chr2:12=6 chr2:13=8" // (3 + 9)/2
	if strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// Sizes are the first two columns; a line that is not one is an error with its number.
func TestReadSizes(t *testing.T) {
	list, err := genome.ReadSizes(strings.NewReader("#name\nchr1\t248\n\nchr2\t17\t5\t60\t61\n"), "sizes")
	if err != nil || fmt.Sprint(list) != "[{chr1 248} {chr2 17}]" {
		t.Errorf("%v, %v", list, err)
	}
	for text, want := range map[string]string{
		"chr1\n":               "sizes:1: 1 column, want at least 2",
		"chr1\tlong\n":         "sizes:1: length is",
		"chr1\t5\nchr1\t6\n":   "sizes:2: a second length of",
		"chr1\t5\nchr\x002\t6": "sizes:2:",
	} {
		if _, err := genome.ReadSizes(strings.NewReader(text), "sizes"); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
