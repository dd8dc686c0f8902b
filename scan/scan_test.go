package scan_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
	"github.com/seqsvm/seqsvm/wdk"
	"github.com/seqsvm/seqsvm/wdk/oligo"
)

// classifierOf returns a classifier with random coefficients.
func classifierOf(t testing.TB, k stringkernel.Kernel, scheme string, classes int) *decide.Classifier {
	t.Helper()
	r := rand.New(rand.NewPCG(5, uint64(classes)))
	d := decide.Rule{Scheme: scheme}
	for c := range classes {
		d.Classes = append(d.Classes, fmt.Sprintf("class %d", c))
	}
	rest := func(c int) decide.Binary {
		return decide.Binary{Positive: c, Negative: decide.Rest, Rho: r.NormFloat64() / 4}
	}
	switch scheme {
	case decide.TwoClass:
		d.Positive = 1
		d.Machines = []decide.Binary{{Positive: 1, Negative: 0, Rho: 0.125}}
	case decide.OneVsRest, decide.MultiLabel, decide.CrammerSinger:
		for c := range classes {
			d.Machines = append(d.Machines, rest(c))
		}
	// a machine between both sides, one between the two on the left, and one for each of the three on the right
	case decide.Hierarchy:
		d.Separator, d.Classes = "/", []string{"left/a", "left/b", "right/a", "right/b", "right/c"}
		d.Machines = []decide.Binary{{Positive: 2, Negative: 0, Rho: -0.25}, {Positive: 1, Negative: 0, Rho: 0.25},
			rest(2), rest(3), rest(4)}
	case decide.OneVsOne:
		for a := range classes {
			for b := a + 1; b < classes; b++ {
				d.Machines = append(d.Machines, decide.Binary{Positive: a, Negative: b, Rho: r.NormFloat64() / 4})
			}
		}
	}
	var sv stringkernel.CorpusBuilder
	coef := make([][]float64, len(d.Machines))
	for i := range 30 {
		sv.Add(fmt.Sprint(i), drawn.Text(r, "ACGT", 40))
		for m := range coef {
			coef[m] = append(coef[m], r.NormFloat64())
		}
	}
	s := must.Get(stringkernel.Merge(t.Context(), k, sv.Corpus(), coef...))(t)
	return must.Get(decide.NewClassifier(d, s))(t)
}

var (
	dna       = stringkernel.DNA
	plainWord = spectrum.Kernel{K: 3, Alphabet: dna}
	kernels   = []stringkernel.Kernel{
		plainWord,
		compose.Normalized(plainWord),
		compose.Normalized(spectrum.Kernel{K: 4, Bounded: true, Alphabet: dna}),
		compose.Normalized(gapped.Kernel{L: 5, K: 3, D: 2, Filter: gapped.Truncated,
			Alphabet: dna}.BothStrands()),
		compose.Normalized(substring.Kernel{Weight: substring.Constant, Alphabet: dna}), // tracks nothing
		// windows of one length
		wdk.Kernel{D: 3, Shift: 1, Alphabet: dna},
		compose.Normalized(wdk.Kernel{D: 20, Alphabet: dna}),
		compose.Normalized(compose.BothStrands(wdk.Kernel{D: 4, Alphabet: dna}, dna)),
		compose.Normalized(oligo.Kernel{K: 2, Sigma: 1.5, Alphabet: dna}),
	}
)

// naive is the definition: each window of each record, cut out, turned round on the minus strand, and predicted.
func naive(o scan.Options, records [][]byte, least float64) []scan.Region {
	var hits []scan.Region
	for index, x := range records {
		for p := 0; p+o.Window <= len(x); p += max(1, o.Step) {
			var here []scan.Region
			for _, strand := range []genome.Strand{genome.Plus, genome.Minus} {
				if strand == genome.Plus && !o.Plus || strand == genome.Minus && !o.Minus {
					continue
				}
				w := slices.Clone(x[p : p+o.Window])
				if strand == genome.Minus {
					w = dna.ReverseComplementTo(nil, w)
				}
				if o.SkipAmbiguous && bytes.ContainsFunc(w,
					func(b rune) bool { return b != 'A' && b != 'C' && b != 'G' && b != 'T' }) {
					continue
				}
				if o.Anchor.Len() > 0 && !o.Anchor.Matches(w[o.Offset:]) {
					continue
				}
				score := scoreOf(o, w)
				if score >= least {
					if o.Strandless {
						strand = genome.NoStrand
					}
					here = append(here, scan.Region{fmt.Sprint("r", index), index, p, p + o.Window, score, strand})
				}
			}
			if o.BetterStrand && len(here) == 2 {
				if here[0].Score >= here[1].Score {
					here = here[:1]
				} else {
					here = here[1:]
				}
			}
			hits = append(hits, here...)
		}
	}
	return hits
}

// scoreOf is the score of a sequence as the classifier defines it.
func scoreOf(o scan.Options, w []byte) float64 {
	c := o.Classifier
	if !o.Raw {
		p := c.Decide(w)
		switch {
		case c.Scheme != decide.TwoClass:
			return p.Scores[o.Class]
		case o.Class == c.Positive:
			return p.Scores[0]
		}
		return -p.Scores[0]
	}
	f := make([]float64, len(c.Machines))
	compose.Raw(c.Scorer).ScoreTo(f, w)
	if c.Scheme == decide.Hierarchy {
		return [...]float64{-f[0] - f[1], -f[0] + f[1], f[0] + f[2], f[0] + f[3], f[0] + f[4]}[o.Class]
	}
	sum := 0.0
	for m, machine := range c.Machines {
		switch o.Class {
		case machine.Positive:
			sum += f[m]
		case machine.Negative:
			sum -= f[m]
		}
	}
	return sum
}

// fasta writes records r0, r1, …
func fasta(records [][]byte) []byte {
	var text bytes.Buffer
	for i, x := range records {
		fmt.Fprintf(&text, ">r%d\n", i)
		for lo := 0; lo < len(x); lo += 50 {
			fmt.Fprintf(&text, "%s\n", x[lo:min(lo+50, len(x))])
		}
	}
	return text.Bytes()
}

// failer is what helpers need of *testing.T and *rapid.T.
type failer interface {
	Helper()
	Fatal(args ...any)
}

// scanned runs a scanner over FASTA text cut into chunks of a size.
func scanned(t failer, s *scan.Scanner, text []byte, size int, job scan.Job) (hits []scan.Region, batches int) {
	t.Helper()
	job.Emit = func(b *scan.Batch) error {
		batches++
		for _, h := range b.Hits {
			hits = append(hits, s.Region(b, h))
		}
		return nil
	}
	must.Succeed(t, s.Run(context.Background(), func(visit func(seqio.Chunk) error) error {
		return seqio.Stream(bytes.NewReader(text), "x.fa", seqio.StreamOptions{Size: size, Overlap: s.Window - 1},
			visit)
	}, job))
	return hits, batches
}

// TestRunEqualsTheDefinition: all kernels and schemes, strands, steps, anchors, chunks of any size, records that are
// empty, shorter than a window and with runs of N.
func TestRunEqualsTheDefinition(t *testing.T) {
	var classifiers []*decide.Classifier
	for _, k := range kernels {
		classifiers = append(classifiers, classifierOf(t, k, decide.TwoClass, 2),
			classifierOf(t, k, decide.OneVsRest, 3), classifierOf(t, k, decide.OneVsOne, 4),
			classifierOf(t, k, decide.MultiLabel, 2), classifierOf(t, k, decide.CrammerSinger, 3),
			classifierOf(t, k, decide.Hierarchy, 5))
	}
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var records [][]byte
		for range rapid.IntRange(1, 4).Draw(t, "records") {
			x := drawn.Text(r, "ACGT", rapid.SampledFrom([]int{0, 1, 7, 30, 100, 201}).Draw(t, "length"))
			if len(x) > 20 && r.IntN(2) == 0 {
				copy(x[r.IntN(len(x)-12):], "NNNNNNNNNRYN")
			}
			records = append(records, x)
		}
		o := scan.Options{
			Classifier: rapid.SampledFrom(classifiers).Draw(t, "classifier"), Alphabet: dna,
			Raw:    rapid.Bool().Draw(t, "raw"),
			Window: rapid.IntRange(1, 40).Draw(t, "window"), Step: rapid.IntRange(0, 5).Draw(t, "step"),
			Plus: rapid.Bool().Draw(t, "plus"), BetterStrand: rapid.Bool().Draw(t, "better"),
			SkipAmbiguous: rapid.Bool().Draw(t, "skip"),
		}
		o.Window = cmp.Or(stringkernel.WindowLength(o.Classifier.Scorer), o.Window)
		o.Minus = !o.Plus || rapid.Bool().Draw(t, "minus")
		o.Strandless = !o.Minus && rapid.Bool().Draw(t, "strandless")
		o.Class = r.IntN(len(o.Classifier.Classes))
		if o.Window > 3 && rapid.Bool().Draw(t, "anchored") {
			o.Anchor, _ = scan.ParseMotif(rapid.SampledFrom([]string{"A", "AG", "RYN", "NN", "w"}).Draw(t, "anchor"), dna)
			o.Offset = r.IntN(o.Window - o.Anchor.Len() + 1)
		}
		s := must.Get(scan.New(o))(t)
		want := naive(o, records, math.Inf(-1))
		got, _ := scanned(t, s, fasta(records), rapid.IntRange(1, 120).Draw(t, "size"), scan.Job{})
		if len(got) != len(want) {
			t.Fatalf("%d windows, want %d", len(got), len(want))
		}
		for i, w := range want {
			g := got[i]
			same := w
			same.Score, same.Strand = g.Score, g.Strand
			tie := o.BetterStrand && o.Plus && o.Minus // scores of both strands may be the same but for rounding
			if g != same || g.Strand != w.Strand && !tie || math.Abs(g.Score-w.Score) > 1e-9*(1+math.Abs(w.Score)) {
				t.Fatalf("window %d is %v, want %v", i, g, w)
			}
		}
	})
}

// TestThreads: the number of processors changes no bit, and neither does running again; a threshold leaves what is at
// it or above.
func TestThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	records := [][]byte{drawn.Text(r, "ACGT", 5000), nil, drawn.Text(r, "ACGTN", 3000)}
	c := classifierOf(t, kernels[1], decide.TwoClass, 2)
	s := must.Get(scan.New(scan.Options{Classifier: c, Alphabet: dna, Class: 1, Window: 50, Plus: true, Minus: true}))(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first []scan.Region
	for _, threads := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(threads)
		hits, batches := scanned(t, s, fasta(records), 100, scan.Job{})
		if batches < 50 {
			t.Fatalf("%d batches", batches)
		}
		if first == nil {
			first = hits
		}
		if !slices.Equal(hits, first) {
			t.Fatalf("%d processors change the result", threads)
		}
		least := first[100].Score
		some, _ := scanned(t, s, fasta(records), 100, scan.Job{Least: scan.NewThreshold(least)})
		want := slices.DeleteFunc(slices.Clone(first), func(h scan.Region) bool { return h.Score < least })
		if !slices.Equal(some, want) {
			t.Fatalf("%d hits at %v or above, want %d", len(some), least, len(want))
		}
	}
}
