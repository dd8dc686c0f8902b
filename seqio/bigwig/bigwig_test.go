package bigwig_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/bigwigtest"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/bigwig"
)

// memory is a file in memory.
type memory struct{ bytes []byte }

func (m *memory) Write(p []byte) (int, error) {
	m.bytes = append(m.bytes, p...)
	return len(p), nil
}

func (m *memory) WriteAt(p []byte, at int64) (int, error) { return copy(m.bytes[at:], p), nil }

// track is what a file should hold.
type track struct {
	chroms []bigwig.Chromosome
	of     map[string][]bigwig.Interval
	order  []string
}

// randomTrack draws intervals: of mixed lengths, or of one length at equal or unequal distances.
func randomTrack(seed uint64, chroms, intervals int) *track {
	rng := rand.New(rand.NewPCG(seed, 1))
	t := &track{of: map[string][]bigwig.Interval{}}
	for c := range chroms {
		name := fmt.Sprintf("chr%d", (c*11)%chroms+1) // not sorted
		at, span, gap := rng.IntN(100), 1+rng.IntN(20), rng.IntN(3)
		mixed, apart := rng.IntN(2) == 0, rng.IntN(2) == 0
		if c%5 != 4 { // some have no data
			for range rng.IntN(intervals + 1) {
				if mixed {
					span = 1 + rng.IntN(200)
				}
				if apart {
					gap = rng.IntN(50)
				}
				t.of[name] = append(t.of[name], bigwig.Interval{Start: at, End: at + span,
					Value: float32(rng.NormFloat64())})
				at += span + gap
			}
		}
		t.chroms = append(t.chroms, bigwig.Chromosome{Name: name, Length: at + rng.IntN(1000) + 1})
		t.order = append(t.order, name)
	}
	return t
}

func (tr *track) write(t testing.TB, w bigwig.File) {
	t.Helper()
	b := must.Get(bigwig.NewWriter(w, tr.chroms))(t)
	for _, name := range tr.order {
		for _, i := range tr.of[name] {
			must.Succeed(t, b.Add(name, i.Start, i.End, float64(i.Value)))
		}
	}
	must.Succeed(t, b.Close())
}

func (tr *track) file(t testing.TB) []byte {
	var m memory
	tr.write(t, &m)
	return m.bytes
}

func read(t testing.TB, file []byte) *bigwigtest.File {
	t.Helper()
	return must.Get(bigwigtest.Read(file))(t)
}

// What is read is what was written; summaries are those of the values.
func TestRoundTrip(t *testing.T) {
	for seed, size := range []int{0, 1, 3, 300, 2500} {
		for _, chroms := range []int{1, 5, 700} { // 700 blocks need two levels of an index
			if chroms == 700 && size != 3 {
				continue
			}
			tr := randomTrack(uint64(seed), chroms, size)
			file := tr.file(t)
			if !bytes.Equal(file, tr.file(t)) {
				t.Fatal("the same track has other bytes")
			}
			f := read(t, file)
			if fmt.Sprint(f.Chromosomes) != fmt.Sprint(tr.chroms) {
				t.Fatalf("chromosomes %v, want %v", f.Chromosomes, tr.chroms)
			}
			var want []bigwigtest.Record
			for _, name := range tr.order {
				for _, i := range tr.of[name] {
					want = append(want, bigwigtest.Record{Chromosome: name, Start: i.Start, End: i.End, Value: i.Value})
				}
			}
			if !slices.Equal(f.Intervals, want) {
				t.Fatalf("intervals %v, want %v", f.Intervals, want)
			}
			for _, z := range f.Zooms {
				tr.checkZoom(t, z)
			}
			checkSummary(t, f.Summary, tr.summary(tr.order, 0, math.MaxInt))
		}
	}
}

// summary adds up the values of positions start … end − 1 one by one.
func (tr *track) summary(chroms []string, start, end int) (s bigwig.Summary) {
	for _, name := range chroms {
		for _, i := range tr.of[name] {
			v := float64(i.Value)
			for p := max(start, i.Start); p < min(end, i.End); p++ {
				if s.Covered == 0 {
					s.Min, s.Max = v, v
				}
				s.Covered++
				s.Min, s.Max = min(s.Min, v), max(s.Max, v)
				s.Sum += v
				s.SumSquares += v * v
			}
		}
	}
	return s
}

func checkSummary(t *testing.T, got, want bigwig.Summary) {
	t.Helper()
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-5*(1+math.Abs(b)) }
	if got.Covered != want.Covered || got.Min != want.Min || got.Max != want.Max || !near(got.Sum, want.Sum) ||
		!near(got.SumSquares, want.SumSquares) {
		t.Fatalf("summary %+v, want %+v", got, want)
	}
}

// checkZoom compares each record with the values of its bin, which begins at a multiple of the reduction.
func (tr *track) checkZoom(t *testing.T, z bigwigtest.Zoom) {
	t.Helper()
	bin, covered := z.Reduction, 0
	for _, r := range z.Records {
		if r.End <= r.Start || r.Start/bin != (r.End-1)/bin {
			t.Fatalf("a record of %d-%d at reduction %d", r.Start, r.End, bin)
		}
		covered += r.Summary.Covered
		checkSummary(t, r.Summary, tr.summary([]string{r.Chromosome}, r.Start/bin*bin, (r.Start/bin+1)*bin))
	}
	if want := tr.summary(tr.order, 0, math.MaxInt).Covered; covered != want {
		t.Fatalf("reduction %d covers %d positions, want %d", bin, covered, want)
	}
}

// pyScript prints what pyBigWig finds in a file.
const pyScript = `
import json, sys, pyBigWig
b = pyBigWig.open(sys.argv[1])
out = {"chroms": b.chroms(), "header": b.header(), "intervals": {}, "mean": {}, "exact": {}}
for c, n in b.chroms().items():
    out["intervals"][c] = b.intervals(c) or []
    out["mean"][c] = b.stats(c, 0, n, type="mean")[0]
    out["exact"][c] = b.stats(c, 0, n, type="mean", exact=True)[0]
json.dump(out, sys.stdout)
`

// pyBigWig, which reads by libBigWig, finds the intervals, and the means by zoom levels.
func TestPyBigWig(t *testing.T) {
	python := "/usr/bin/python3"
	if exec.Command(python, "-c", "import pyBigWig").Run() != nil {
		t.Skip("python3 with pyBigWig is not installed")
	}
	tr := randomTrack(3, 6, 4000)
	path := filepath.Join(t.TempDir(), "track.bw")
	must.Succeed(t, os.WriteFile(path, tr.file(t), 0o600))
	text := must.Get(exec.Command(python, "-c", pyScript, path).Output())(t)
	var got struct {
		Chroms      map[string]int
		Header      struct{ NLevels, NBasesCovered int }
		Intervals   map[string][][3]float64
		Mean, Exact map[string]*float64
	}
	must.Succeed(t, json.Unmarshal(text, &got))
	if want := tr.summary(tr.order, 0, math.MaxInt).Covered; got.Header.NBasesCovered != want {
		t.Errorf("%d bases covered, want %d", got.Header.NBasesCovered, want)
	}
	if got.Header.NLevels < 2 {
		t.Errorf("%d zoom levels", got.Header.NLevels)
	}
	for _, c := range tr.chroms {
		if got.Chroms[c.Name] != c.Length || len(got.Intervals[c.Name]) != len(tr.of[c.Name]) {
			t.Fatalf("%s: %d letters and %d intervals, want %d and %d", c.Name, got.Chroms[c.Name],
				len(got.Intervals[c.Name]), c.Length, len(tr.of[c.Name]))
		}
		for n, i := range tr.of[c.Name] {
			if g := got.Intervals[c.Name][n]; g != [3]float64{float64(i.Start), float64(i.End), float64(i.Value)} {
				t.Fatalf("%s: interval %d is %v, want %v", c.Name, n, g, i)
			}
		}
		s := tr.summary([]string{c.Name}, 0, c.Length)
		if s.Covered == 0 {
			continue
		}
		for _, mean := range []*float64{got.Mean[c.Name], got.Exact[c.Name]} {
			if mean == nil || math.Abs(*mean-s.Sum/float64(s.Covered)) > 1e-4 {
				t.Errorf("%s: a mean of %v, want %v", c.Name, mean, s.Sum/float64(s.Covered))
			}
		}
	}
}

// Each error names the place.
func TestWriterRefuses(t *testing.T) {
	chroms := []bigwig.Chromosome{{Name: "chr1", Length: 100}, {Name: "chr2", Length: 50}}
	for _, c := range []struct {
		chrom      string
		start, end int
		value      float64
		want       string
	}{
		{"chr3", 0, 1, 1, "chr3:1-1: the chromosome is not among those with a size"},
		{"chr2", 40, 51, 1, "chr2:41-51: the chromosome has 50 letters"},
		{"chr1", 19, 30, 1, "chr1:20-30: not after the interval before it, which ends at 20"},
		{"chr1", 30, 30, 1, "chr1:31-30: no position"},
		{"chr1", 30, 31, math.NaN(), "chr1:31-31: the value NaN is not a finite float32"},
		{"chr1", 30, 31, 1e300, "chr1:31-31: the value 1e+300 is not a finite float32"},
	} {
		b := must.Get(bigwig.NewWriter(new(memory), chroms))(t)
		must.Succeed(t, b.Add("chr1", 10, 20, 1))
		if err := b.Add(c.chrom, c.start, c.end, c.value); err == nil || err.Error() != "bigwig: "+c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	b, _ := bigwig.NewWriter(new(memory), chroms)
	for _, chrom := range []string{"chr1", "chr2"} {
		must.Succeed(t, b.Add(chrom, 0, 1, 1))
	}
	if err := b.Add("chr1", 5, 6, 1); err == nil || !strings.Contains(err.Error(), "left for chr2 before") {
		t.Errorf("going back to a chromosome: %v", err)
	}
	for _, bad := range [][]bigwig.Chromosome{{{Name: "a", Length: 1}, {Name: "a", Length: 1}}, {{Name: ""}},
		{{Name: "a", Length: -1}}, {{Name: "a", Length: 1 << 33}}} {
		if _, err := bigwig.NewWriter(new(memory), bad); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

// broken fails after some bytes.
type broken struct {
	memory
	room int
}

var errFull = errors.New("full")

func (b *broken) Write(p []byte) (int, error) {
	if b.room -= len(p); b.room < 0 {
		return 0, errFull
	}
	return b.memory.Write(p)
}

// An error of the file is returned.
func TestWriterFails(t *testing.T) {
	tr := randomTrack(3, 2, 3000)
	for _, room := range []int{0, 1000, len(tr.file(t)) - 1} {
		b, err := bigwig.NewWriter(&broken{room: room}, tr.chroms)
		for _, name := range tr.order {
			for _, i := range tr.of[name] {
				if err == nil {
					err = b.Add(name, i.Start, i.End, float64(i.Value))
				}
			}
		}
		if err == nil {
			err = b.Close()
		}
		if !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes: %v", room, err)
		}
	}
}

func BenchmarkWriter(b *testing.B) {
	chroms := []bigwig.Chromosome{{Name: "chr1", Length: 1 << 20}}
	b.SetBytes(1 << 20)
	for b.Loop() {
		w, _ := bigwig.NewWriter(new(memory), chroms)
		for i := range 1 << 20 {
			_ = w.Add("chr1", i, i+1, float64(i%1000)/7)
		}
		_ = w.Close()
	}
}
