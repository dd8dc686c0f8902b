package svm

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// classes are the labels of documents: an index into names per record.
type classes struct {
	names []string
	y     []int
}

// counts returns the number of records of each class.
func (c *classes) counts() []int {
	out := make([]int, len(c.names))
	for _, class := range c.y {
		out[class]++
	}
	return out
}

// signs returns +1 for the records of a class, -1 for the others.
func (c *classes) signs(class int) []float64 {
	out := make([]float64, len(c.y))
	for i, own := range c.y {
		out[i] = -1
		if own == class {
			out[i] = 1
		}
	}
	return out
}

// documents returns the tf-idf Gram matrix of words and pairs of words of the first n (0: all) documents of a labelled
// set.
func documents(t testing.TB, name string, n int) (stringkernel.Gram, *classes) {
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
	d := &classes{names: slices.Compact(slices.Sorted(slices.Values(set.Labels[:n])))}
	for _, label := range set.Labels[:n] {
		class, _ := slices.BinarySearch(d.names, label)
		d.y = append(d.y, class)
	}
	corpus := set.Corpus.Subset(indices(n))
	kernel, err := stringkernel.Fit(t.Context(), compose.Normalized{Kernel: bow.Kernel{NGram: "1-2", TFIDF: true}},
		corpus)
	if err != nil {
		t.Fatal(err)
	}
	g, err := kernel.Gram(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	return g, d
}

// questions returns the tf-idf rows of words of the first n (0: all) training questions of TREC (Li & Roth 2002;
// github.com/nltk/nltk_data, corpora/qc), with the fine class of each: 50 in all, of different sizes.
func questions(t *testing.T, n int) (*svmtest.Gram, *classes) {
	t.Helper()
	matrix, d := documents(t, "text-trec-qc", n)
	rows := stringkernel.FeatureRowsOf(matrix)
	own := make([]float64, len(d.y))
	rows.Own(own)
	g := &svmtest.Gram{Features: rows.Width() + len(d.y)}
	for i := range len(d.y) { // what a record has for itself is a feature, too
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
		g.IDs, g.Values = append(g.IDs, ids), append(g.Values, values[:len(ids)])
	}
	return g, d
}

// TestWordsAgainstLIBLINEAR compares objectives on tf-idf rows of questions, exported in LIBSVM's format.
func TestWordsAgainstLIBLINEAR(t *testing.T) {
	program := liblinear(t)
	g, d := questions(t, 1200)
	joint := mustSolveJoint(t, multiTask{CrammerSinger{}, MulticlassProblem{Tol: 1e-5}}, g, d.y, len(d.names))
	if want := jointLIBLINEAR(t, program, g, d.y, len(d.names), 1); math.Abs(joint.Primal-want) > 1e-4*want {
		t.Errorf("Crammer and Singer: primal %v, LIBLINEAR %v", joint.Primal, want)
	}
	// As LIBLINEAR has no free bias: with every record its opposite, for which the best bias is 0.
	mirrored, y := &svmtest.Gram{Features: g.Features}, []float64(nil)
	counts := d.counts()
	largest := slices.Index(counts, slices.Max(counts))
	for i, c := range d.y {
		opposite := make([]float64, len(g.Values[i]))
		for e, v := range g.Values[i] {
			opposite[e] = -v
		}
		mirrored.IDs, mirrored.Values = append(mirrored.IDs, g.IDs[i], g.IDs[i]), append(mirrored.Values,
			g.Values[i], opposite)
		sign := -1.0
		if c == largest {
			sign = 1
		}
		y = append(y, sign, -sign)
	}
	for _, loss := range []Loss{Hinge, SquaredHinge} {
		want := liblinearObjective(t, program, mirrored, y, Costs{1, 1}, loss)
		if sol := mustSolve(t, task{DualCoordinate{}, Problem{Loss: loss, Tol: 1e-5}}, mirrored,
			y); math.Abs(sol.Primal-want) > 1e-4*want {
			t.Errorf("%s: primal %v, LIBLINEAR %v", loss, sol.Primal, want)
		}
	}
}

// TestDualCoordinateOnWords: what documents have in common competes with the bias, most of all beside a rare class.
// Both losses get there.
func TestDualCoordinateOnWords(t *testing.T) {
	g, d := questions(t, 0)
	for class, count := range d.counts() {
		if count > 10 && count < 400 {
			continue
		}
		for _, loss := range []Loss{Hinge, SquaredHinge} {
			if sol := mustSolve(t, task{DualCoordinate{MaxIterations: autoPasses}, Problem{Loss: loss}}, g,
				d.signs(class)); sol.Gap > 1e-3 {
				t.Errorf("%s, %s: gap %v after %d passes", d.names[class], loss, sol.Gap, sol.Iterations)
			}
		}
	}
}

// BenchmarkScoresOfAllClasses reads every row for all classes: once, from a table with the classes of a feature side by
// side, or once per class, from a table each.
func BenchmarkScoresOfAllClasses(b *testing.B) {
	for _, name := range []string{"text-reuters-r8", "text-trec-qc"} {
		g, d := documents(b, name, 0)
		features, k := stringkernel.FeatureRowsOf(g), len(d.names)
		run, err := CrammerSinger{}.newRun(g, MulticlassProblem{Y: d.y, Classes: k})
		if err != nil {
			b.Fatal(err)
		}
		apart := make([][]float64, k)
		for m := range apart {
			apart[m] = make([]float64, features.Width())
		}
		scores := make([]float64, k)
		perScore := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(d.y)*k), "ns/score")
		}
		b.Run(name+"/side by side", func(b *testing.B) {
			for b.Loop() {
				for i := range len(d.y) {
					run.score(run.read(run.visit, i))
				}
			}
			perScore(b)
		})
		b.Run(name+"/apart", func(b *testing.B) {
			for b.Loop() {
				for m := range k {
					for i := range len(d.y) {
						scores[m] = features.Gather(apart[m], i)
					}
				}
			}
			perScore(b)
		})
	}
}
