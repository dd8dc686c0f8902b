package classify

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// documents returns the tf-idf Gram matrix of words and pairs of words of the first n (0: all) documents of a labelled set.
func documents(t testing.TB, name string, n int) (stringkernel.Gram, *Dataset) {
	t.Helper()
	path := filepath.Join(os.Getenv("SEQSVM_DATA"), name, "train.tsv.gz")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no %s/train.tsv.gz in the folder that SEQSVM_DATA names", name)
	}
	set, err := seqio.ReadFile(path, seqio.Options{Columns: seqio.Columns{Header: "no"}, Alphabet: stringkernel.Bytes})
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		n = set.Len()
	}
	d, err := NewDataset(set.Corpus.Subset(indices(n)), set.Labels[:n], nil)
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := stringkernel.Fit(stringkernel.Normalized{Kernel: bow.Kernel{NGram: "1-2", TFIDF: true}}, d.Corpus)
	if err != nil {
		t.Fatal(err)
	}
	g, err := kernel.Gram(d.Corpus)
	if err != nil {
		t.Fatal(err)
	}
	return g, d
}

// questions returns the tf-idf rows of words of the first n (0: all) training questions of TREC (Li & Roth 2002; github.com/nltk/nltk_data, corpora/qc), with the fine
// class of each: 50 in all, of unlike sizes.
func questions(t *testing.T, n int) (*featureGram, *Dataset) {
	t.Helper()
	matrix, d := documents(t, "text-trec-qc", n)
	rows := stringkernel.RowsOf(matrix)
	own := make([]float64, d.Len())
	rows.Own(own)
	g := &featureGram{features: rows.Width() + d.Len()}
	for i := range d.Len() { // what a record has for itself is a feature, too
		var numbers []uint32
		var values []float64
		numbers, values = rows.AppendRow(numbers, values, i)
		numbers, values = append(numbers, uint32(rows.Width()+i)), append(values, math.Sqrt(own[i]))
		value := map[int32]float64{}
		for e, id := range numbers {
			value[int32(id)] += values[e]
		}
		ids := slices.Sorted(maps.Keys(value)) // as the format wants them
		for e, id := range ids {
			values[e] = value[id]
		}
		g.ids, g.values = append(g.ids, ids), append(g.values, values[:len(ids)])
	}
	return g, d
}

// TestWordsAgainstLIBLINEAR compares objectives on tf-idf rows of questions, exported in LIBSVM's format.
func TestWordsAgainstLIBLINEAR(t *testing.T) {
	program := liblinear(t)
	g, d := questions(t, 1200)
	joint := mustSolveJoint(t, SequentialDual{Tol: 1e-5}, g, d.Y, len(d.Classes))
	if want := jointLIBLINEAR(t, program, g, d.Y, len(d.Classes), 1); math.Abs(joint.Primal-want) > 1e-4*want {
		t.Errorf("Crammer and Singer: primal %v, LIBLINEAR %v", joint.Primal, want)
	}
	// As LIBLINEAR has no free bias: with every record its opposite, for which the best bias is 0.
	mirrored, y := &featureGram{features: g.features}, []float64(nil)
	largest := greatestIndex(asFloats(d.Counts()))
	for i, c := range d.Y {
		opposite := make([]float64, len(g.values[i]))
		for e, v := range g.values[i] {
			opposite[e] = -v
		}
		mirrored.ids, mirrored.values = append(mirrored.ids, g.ids[i], g.ids[i]), append(mirrored.values, g.values[i], opposite)
		sign := -1.0
		if c == largest {
			sign = 1
		}
		y = append(y, sign, -sign)
	}
	for _, loss := range []string{LossHinge, LossSquaredHinge} {
		want := liblinearObjective(t, program, mirrored, y, Costs{1, 1}, loss)
		if sol := mustSolve(t, DualCoordinate{Loss: loss, Tol: 1e-5}, mirrored, y); math.Abs(sol.Primal-want) > 1e-4*want {
			t.Errorf("%s: primal %v, LIBLINEAR %v", loss, sol.Primal, want)
		}
	}
}

// TestDualCoordinateOnWords: what documents have in common competes with the bias, most of all beside a rare class. Both losses get there.
func TestDualCoordinateOnWords(t *testing.T) {
	g, d := questions(t, 0)
	for class, count := range d.Counts() {
		if count > 10 && count < 400 {
			continue
		}
		for _, loss := range []string{LossHinge, LossSquaredHinge} {
			if sol := mustSolve(t, DualCoordinate{Loss: loss, MaxIterations: autoPasses}, g, signs(d.Y, nil, class)); sol.Gap > 1e-3 {
				t.Errorf("%s, %s: gap %v after %d passes", d.Classes[class], loss, sol.Gap, sol.Iterations)
			}
		}
	}
}

// BenchmarkScoresOfAllClasses reads every row for all classes: once, from a table with the classes of a feature side by side, or once per class, from a table each.
func BenchmarkScoresOfAllClasses(b *testing.B) {
	for _, name := range []string{"text-reuters-r8", "text-trec-qc"} {
		g, d := documents(b, name, 0)
		features, k := stringkernel.RowsOf(g), len(d.Classes)
		rows := copyRows(features, d.Len())
		side := make([]float64, features.Width()*k)
		apart := make([][]float64, k)
		for m := range apart {
			apart[m] = make([]float64, features.Width())
		}
		scores := make([]float64, k)
		perScore := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(d.Len()*k), "ns/score")
		}
		b.Run(name+"/side by side", func(b *testing.B) {
			for b.Loop() {
				for i := range d.Len() {
					clear(scores)
					rows.gather(scores, side, i)
				}
			}
			perScore(b)
		})
		b.Run(name+"/apart", func(b *testing.B) {
			for b.Loop() {
				for m := range k {
					for i := range d.Len() {
						scores[m] = features.Gather(apart[m], i)
					}
				}
			}
			perScore(b)
		})
	}
}
