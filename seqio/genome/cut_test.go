package genome

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Records of intervals are the letters that their definition says.
func TestCutter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		letters := rapid.StringOfN(rapid.SampledFrom([]rune("ACGTN")), 30, 60, -1).Draw(rt, "letters")
		g := openText(t, ">chr1\n"+letters+"\n")
		defer g.Close()
		c := Cutter{Genome: g, Width: rapid.SampledFrom([]int{0, 1, 7, 10}).Draw(rt, "width"),
			At: rapid.SampledFrom([]Point{"", Centre, Summit}).Draw(rt, "at")}
		var bed strings.Builder
		var want []string
		clipped := 0
		for i := range rapid.IntRange(1, 5).Draw(rt, "intervals") {
			start := rapid.IntRange(0, len(letters)-1).Draw(rt, "start")
			end := rapid.IntRange(start+1, len(letters)).Draw(rt, "end")
			summit := rapid.IntRange(0, end-start-1).Draw(rt, "summit")
			strand := rapid.SampledFrom([]string{"+", "-", "."}).Draw(rt, "strand")
			fmt.Fprintf(&bed, "# %d\nchr1\t%d\t%d\tpeak%d\t0\t%s\t1\t1\t1\t%d\n", i, start, end, i, strand, summit)
			if c.Width > 0 {
				at := (start + end) / 2
				if c.At == Summit {
					at = start + summit
				}
				start, end = at-c.Width/2, at-c.Width/2+c.Width
				if start < 0 || end > len(letters) {
					clipped++
				}
				start, end = max(start, 0), min(end, len(letters))
			}
			id, piece := fmt.Sprintf("chr1:%d-%d", start+1, end), letters[start:end]
			if strand != "." {
				id += "(" + strand + ")"
			}
			if strand == "-" {
				piece = string(stringkernel.DNA.ReverseComplementTo(nil, []byte(piece)))
			}
			want = append(want, fmt.Sprint(id, " peak", i, " ", piece, " ", 2*i+2))
		}
		var got []string
		err := c.EachRecord(strings.NewReader(bed.String()), "x.bed", func(id, description, x []byte, line int) error {
			got = append(got, fmt.Sprintf("%s %s %s %d", id, description, x, line))
			return nil
		})
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) || c.Clipped != clipped {
			rt.Fatalf("%v: %q, %d clipped, want %q, %d", err, got, c.Clipped, want, clipped)
		}
	})
}

// Intervals that are not in the genome are errors that name their line.
func TestCutterErrors(t *testing.T) {
	g := openText(t, ">chr1\nACGT\n>chr2\nACGT\n")
	defer g.Close()
	for _, c := range []struct {
		bed, want string
		cut       Cutter
	}{
		{"#\nchr3\t1\t2\n", `x.bed:2: `, Cutter{}},
		{"chr3\t1\t2\n", `has no sequence "chr3"; it has "chr1", "chr2"`, Cutter{}},
		{"chr1\t1\t5\n", `x.bed:1: the interval ends at 5, but "chr1" has 4 letters`, Cutter{}},
		{"chr1\t2\t2\n", "x.bed:1: the interval from 2 to 2 has no letters", Cutter{}},
		{"chr1\t1\t3\n", "x.bed:1: no summit, want one in column 10", Cutter{Width: 2, At: Summit}},
		{"chr1\t1\t3\ta\t0\t+\t1\t1\t1\t-1\n", "no summit", Cutter{Width: 2, At: Summit}},
	} {
		c.cut.Genome = g
		err := c.cut.EachRecord(strings.NewReader(c.bed), "x.bed", func(_, _, _ []byte, _ int) error { return nil })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.bed, err, c.want)
		}
	}
}

func openText(t *testing.T, text string) *Genome {
	t.Helper()
	g, err := Open(writeGenome(t, map[string]string{"g.fa": text}), seqio.CaseUpper)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
