package drift

import (
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// What is collected is bounded, whatever the records are.
func TestCollectorMemory(t *testing.T) {
	var c Collector
	long := make([]byte, 4*mostLetters)
	for range mostCollected/mostLetters + 3 {
		c.Add(long)
	}
	if c.letters > mostCollected || len(c.kept) == 0 || len(c.kept[0]) != mostLetters {
		t.Errorf("%d letters are kept, want at most %d, %d of a record", c.letters, mostCollected, mostLetters)
	}
}

// TestFeatures compares the features of records with their definitions.
func TestFeatures(t *testing.T) {
	var b stringkernel.CorpusBuilder
	for range 3 {
		b.Add("", []byte("ACGTACGTAC"))
	}
	p := New(b.Corpus(), stringkernel.DNA)
	// 4-mers of ACGTACGTAC: ACGT twice, CGTA (and its reverse complement TACG) three times, GTAC twice. The first two
	// have the smaller codes and are at least half of all.
	rare := func(x string) float64 {
		seen, n := 0.0, 0.0
		for i := 0; i+4 <= len(x); i++ {
			if strings.Contains(x[i:i+4], "N") {
				continue
			}
			if n++; x[i:i+4] == "CGTA" || x[i:i+4] == "TACG" || x[i:i+4] == "ACGT" {
				seen++
			}
		}
		return (n - seen) / max(1, n)
	}
	s := p.NewSample()
	for _, x := range []string{"ACGTAC", "acgtac", "GTACGTAA", "ACGNTTN", "CCCCCCC", ""} {
		upper := strings.ToUpper(x)
		inside := 0.0
		for _, c := range "ACGT" {
			inside += float64(strings.Count(upper, string(c)))
		}
		share := func(letters string) float64 {
			n := 0.0
			for _, c := range letters {
				n += float64(strings.Count(upper, string(c)))
			}
			return n / max(1, inside)
		}
		want := []float64{float64(len(x)), (float64(len(x)) - inside) / max(1, float64(len(x))), share("GC"), share("AG"),
			share("AC"), rare(upper)}
		got := s.reader.read([]byte(x))
		for f, v := range got {
			if scale := []float64{1, unit, unit, unit, unit, unit}[f]; math.Abs(float64(v)/scale-want[f]) > 2e-9 {
				t.Errorf("%q: %s %v, want %v", x, s.reader.name(f), float64(v)/scale, want[f])
			}
		}
	}
}

// TestSample: at most 384 records are kept, in order, one of each run of 2^halved.
func TestSample(t *testing.T) {
	var b stringkernel.CorpusBuilder
	b.Add("", []byte("ACGTACGTAC"))
	s := New(b.Corpus(), stringkernel.DNA).NewSample()
	for i := range 10_000 {
		s.Add(make([]byte, i))
		run := 1 << s.spaced.halved
		for k, v := range s.values {
			if int(v[0])/run != k {
				t.Fatalf("after %d records: record %d is kept of run %d of %d", i+1, v[0], k, run)
			}
		}
		n := len(s.values)
		if n < (i+1)/run || n > mostSampled || i >= mostSampled && n < mostSampled/2 {
			t.Fatalf("after %d records: %d kept", i+1, n)
		}
	}
}
