package genome_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Records of intervals are the letters that their definition says.
func TestCutter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		letters := rapid.StringOfN(rapid.SampledFrom([]rune("ACGTN")), 30, 60, -1).Draw(rt, "letters")
		g := openText(t, ">chr1\n"+letters+"\n")
		defer g.Close()
		c := genome.Cutter{Genome: g, Width: rapid.SampledFrom([]int{0, 1, 7, 10}).Draw(rt, "width"),
			At: rapid.SampledFrom([]genome.Point{"", genome.Centre, genome.Summit}).Draw(rt, "at")}
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
				if c.At == genome.Summit {
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

// Records around summits: column 10 of narrowPeak names a letter, says that there is none, or is wrong. Each is counted
// for what it is, and has the middle where there is no letter.
func TestCutterSummits(t *testing.T) {
	g := openText(t, ">chr1\nAACCGGTTAC\n")
	defer g.Close()
	c := genome.Cutter{Genome: g, Width: 2, At: genome.Summit}
	var bed strings.Builder
	for _, offset := range []string{"5", "-1", ".", "0", "6", "99999999999999999999", "-7", "3.0", "NA"} { // of an interval of six letters
		fmt.Fprintf(&bed, "chr1\t2\t8\tp\t0\t.\t1\t1\t1\t%s\n", offset)
	}
	var got []string
	err := c.EachRecord(strings.NewReader(bed.String()), "x.bed", func(id, _, _ []byte, _ int) error {
		got = append(got, string(id))
		return nil
	})
	const middle = "chr1:5-6"
	want := []string{"chr1:7-8", middle, middle, "chr1:2-3", middle, middle, middle, middle, middle}
	if err != nil || !slices.Equal(got, want) || c.NotCalled != 4 || c.Outside != 2 {
		t.Errorf("%v, %v, %d without and %d beyond; want %v, 4 and 2", got, err, c.NotCalled, c.Outside, want)
	}
	if got := fmt.Sprint(c.FirstOutside); got != "x.bed:5: column 10 is 6, in an interval of 6 letters" {
		t.Error(got)
	}
}

// Intervals that are not in the genome are left out and counted, by file and in all.
func TestCutterMisfits(t *testing.T) {
	g := openText(t, ">chr1\nACGT\n>chr2\nACGT\n")
	defer g.Close()
	c := genome.Cutter{Genome: g}
	var got []string
	for _, bed := range []string{"chr1\t1\t5\nchr1\t1\t4\nchrM\t0\t1\nchr2\t2\t2\n", "chr2\t0\t1\nchr2\t4\t6\n"} {
		err := c.EachRecord(strings.NewReader(bed), "x.bed", func(id, _, _ []byte, line int) error {
			got = append(got, fmt.Sprint(string(id), " ", line))
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if want := []string{"chr1:2-4 2", "chr2:1-1 1"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	m := &c.Misfits
	want := "left out 4 of 6 intervals, which do not fit a genome (1 on a sequence that the genome lacks, 2 beyond the " +
		"end of the sequence, 1 without letters); the first: x.bed:1: the interval ends at 5, but"
	if text := m.Text("intervals", "a genome"); !strings.HasPrefix(text, want) || m.LeftOut() != 4 {
		t.Errorf("%s, want %s", text, want)
	}
	err := c.EachRecord(strings.NewReader("8\t0\t2\n9\t0\t2\n"), "y.bed", nil)
	var e *seqio.Error
	if !errors.As(err, &e) || e.Line != 1 || !strings.Contains(err.Error(), "; none of 2 intervals fits the genome; ") {
		t.Errorf("other names: %v", err)
	}
}

// A file of intervals none of which is in the genome is an error that names the first.
func TestCutterErrors(t *testing.T) {
	g := openText(t, ">chr1\nACGT\n>chr2\nACGT\n")
	defer g.Close()
	for _, c := range []struct {
		bed, want string
		cut       genome.Cutter
	}{
		{"#\nchr3\t1\t2\n", `x.bed:2: `, genome.Cutter{}},
		{"chr3\t1\t2\n", `has no sequence "chr3"; it has "chr1", "chr2"`, genome.Cutter{}},
		{"chr1\t1\t5\n", `x.bed:1: the interval ends at 5, but "chr1" has 4 letters`, genome.Cutter{}},
		{"chr1\t2\t2\n", "x.bed:1: the interval from 2 to 2 has no letters", genome.Cutter{}},
		{"chr1\t1\t3\n", "x.bed:1: no summit, want one in column 10", genome.Cutter{Width: 2, At: genome.Summit}},
		{"chr1\t1\t3\ta\t0\t+\t1\t1\t1\tx\n", "x.bed:1: column 10 is no whole number: no summit", genome.Cutter{Width: 2, At: genome.Summit}},
		{"chr1\t1\t3\ta\t0\t+\t1\t1\t1\t0\nchr1\t1\n", "x.bed:2: 2 columns", genome.Cutter{Width: 2, At: genome.Summit}},
	} {
		c.cut.Genome = g
		err := c.cut.EachRecord(strings.NewReader(c.bed), "x.bed", func(_, _, _ []byte, _ int) error { return nil })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.bed, err, c.want)
		}
	}
}

func openText(t *testing.T, text string) *genome.Genome {
	t.Helper()
	return must.Get(genome.Open(writeGenome(t, map[string]string{"g.fa": text}), seqio.CaseUpper))(t)
}

// FuzzCutter: of every interval there is a record within the genome or a misfit, and errors are one line.
func FuzzCutter(f *testing.F) {
	f.Add([]byte("chr1\t2\t8\tp\t0\t-\t1\t1\t1\t-1\nchr1\t0\t99\nchr2\t1\t1\n"), uint8(4), true)
	f.Add([]byte("chr1 0 10 p 0 .\nchrM 1 2\nchr1\t9\t10\tp\t0\t+\t1\t1\t1\t9223372036854775807\n"), uint8(0), false)
	g := must.Get(genome.Open(writeGenome(f, map[string]string{"g.fa": ">chr1\nACGTNacgtn\n>chr2\nA\n"}), seqio.CaseUpper))(f)
	f.Cleanup(func() { g.Close() })
	f.Fuzz(func(t *testing.T, data []byte, width uint8, summit bool) {
		c := genome.Cutter{Genome: g, Width: int(width)}
		if summit {
			c.At = genome.Summit
		}
		records := 0
		err := c.EachRecord(bytes.NewReader(data), "x.bed", func(id, _, letters []byte, line int) error {
			region, ok := genome.ParseRegion(string(id))
			n, found := g.Length(region.Seq)
			if !ok || !found || region.First < 1 || region.Last > n || len(letters) != region.Last-region.First+1 ||
				width > 0 && len(letters) > int(width) || line < 1 {
				t.Fatalf("%s %s, line %d", id, letters, line)
			}
			records++
			return nil
		})
		if err != nil {
			checkOneLine(t, err)
		}
		if c.Misfits.Lines != records+c.Misfits.LeftOut() || c.NotCalled+c.Outside > c.Misfits.Lines {
			t.Fatalf("%d records, %+v", records, c)
		}
	})
}
