package lsgkm_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/kmers"
	"github.com/seqsvm/seqsvm/model/lsgkm"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// oracles is a folder of values of other programs beside $SEQSVM_DATA.
func oracles(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("SEQSVM_DATA")
	folder := filepath.Join(root, "..", "oracles", name)
	if _, err := os.Stat(folder); root == "" || err != nil {
		t.Skipf("no folder oracles/%s beside $SEQSVM_DATA: the values of other programs are not compared", name)
	}
	return folder
}

// classifierOf makes a foreign model ready.
func classifierOf(t *testing.T, f lsgkm.Foreign, o model.Options) (*decide.Classifier, *model.Model) {
	t.Helper()
	m := must.Get(f.Model(t.Context(), o))(t)
	return must.Get(m.Classifier(t.Context()))(t), m
}

// TestModelsOfLSGKM compares decisions with those of gkmpredict, to 12 digits, for all its kernels, one strand and
// both, classes and numbers; and the file that is written of the model with the one that was read.
func TestModelsOfLSGKM(t *testing.T) {
	models, explained := oracles(t, "gkm-models"), oracles(t, "gkmexplain")
	for _, c := range []struct{ models, queries, scores string }{
		{explained + "/t*", explained + "/queries.fa", ""},
		{models + "/lsgkm-0.1.2/norc*", models + "/lsgkm-0.1.2/norc.queries.fa", ""},
		{models + "/lsgkm-0.1.2/svr*", models + "/lsgkm-0.1.2/svr.queries.fa", ""},
		{models + "/selex/*", models + "/queries.fa", models + "/scores.tsv"},
		{models + "/gata4/*", models + "/queries.fa", models + "/scores.tsv"},
	} {
		paths := must.Get(filepath.Glob(c.models + ".model.txt.gz"))(t)
		queries := must.Get(seqio.ReadFile(c.queries, seqio.Options{}))(t).Corpus
		for _, path := range paths {
			f := must.Get(lsgkm.Read(nil, path))(t)
			scorer, m := classifierOf(t, f, model.Options{KeepSequences: true})
			name := strings.TrimSuffix(path, ".model.txt.gz")
			scores := readColumn(t, c.scores, filepath.Base(name))
			if c.scores == "" {
				scores = readColumn(t, name+".scores.txt", "")
			}
			if len(scores) != queries.Len() {
				t.Fatalf("%s: %d scores of %d records", name, len(scores), queries.Len())
			}
			for i, want := range scores {
				got := scorer.Decide(asLSGKM(queries.Seq(i))).Scores[0]
				if math.Abs(got-want) > 1e-11*max(1, math.Abs(want)) {
					t.Errorf("%s, %s: %.12g, LS-GKM has %.12g", name, queries.Name(i), got, want)
				}
			}
			var b bytes.Buffer
			must.Succeed(t, must.Get(lsgkm.Of(m))(t).Write(&b))
			back := must.Get(lsgkm.Read(&b, path))(t)
			if back.Replaced = f.Replaced; !reflect.DeepEqual(back, f) {
				t.Errorf("%s: written and read it is another file", name)
			}
		}
		if len(paths) == 0 {
			t.Errorf("no models %s", c.models)
		}
	}
}

// asLSGKM reads letters other than A, C, G and T as A.
func asLSGKM(x []byte) []byte {
	return bytes.Map(func(letter rune) rune {
		if strings.ContainsRune("ACGT", letter) {
			return letter
		}
		return 'A'
	}, x)
}

// readColumn reads a column of numbers of a table whose header line has names, the one that a file's name begins with,
// GATA4_ before it or not, or the second one of a table without header if name is empty.
func readColumn(t *testing.T, path, name string) (column []float64) {
	t.Helper()
	if path == "" {
		return nil
	}
	at := 1
	for n, line := range strings.Split(strings.TrimSpace(string(must.Get(os.ReadFile(path))(t))), "\n") {
		cells := strings.Split(line, "\t")
		if n == 0 && name != "" {
			for at = 1; at < len(cells) && !strings.Contains("GATA4_"+name, cells[at]); at++ {
			}
			continue
		}
		column = append(column, parseFloat(t, cells[at]))
	}
	return column
}

// TestModelsOfClassic compares with the scores that gkmSVM's classification prints, six decimals, whose norm of a
// record counts all mismatches: exactly for l 6, where none beyond d count, and for l 10 with that norm.
func TestModelsOfClassic(t *testing.T) {
	folder := oracles(t, "gkm-models") + "/classic/"
	queries := must.Get(seqio.ReadFile(oracles(t, "gkmexplain")+"/queries.fa", seqio.Options{}))(t).Corpus
	for _, c := range []struct {
		name, kernel, norm string
		most               float64
	}{
		{"l6_k4_d2", "gapped:l=6,k=4,d=2,rc", "gapped:l=6,k=4,d=6,rc", 1e-9},
		{"l10_k6_d3", "gapped:l=10,k=6,d=3,rc", "gapped:l=10,k=6,d=10,rc", 0.01},
	} {
		spec := must.Get(catalog.Parse(c.kernel))(t)
		f := must.Get(lsgkm.ReadClassic(nil, nil, folder+c.name+"_svseq.fa", folder+c.name+"_svalpha.out", spec))(t)
		if said := len(f.Notes()) > 0; said != (c.most > 1e-9) {
			t.Errorf("%s: %q", c.name, f.Notes())
		}
		scorer, _ := classifierOf(t, f, model.Options{})
		for i, want := range readColumn(t, folder+c.name+".scores.txt", "") {
			x := bytes.Map(func(letter rune) rune {
				if strings.ContainsRune("ACGT", letter) {
					return letter
				}
				return -1
			}, queries.Seq(i))
			got := scorer.Decide(x).Scores[0]
			if math.Abs(got-want) > 0.6e-6+c.most*math.Abs(want) {
				t.Errorf("%s, %s: %.7g, gkmSVM has %v", c.name, queries.Name(i), got, want)
			}
			got *= math.Sqrt(selfEval(t, c.kernel, x) / selfEval(t, c.norm, x))
			if math.Abs(got-want) > 0.6e-6 {
				t.Errorf("%s, %s: %.7g with gkmSVM's norm, which has %v", c.name, queries.Name(i), got, want)
			}
		}
	}
}

// selfEval returns k(x, x), not normalised.
func selfEval(t *testing.T, kernel string, x []byte) float64 {
	t.Helper()
	spec := must.Get(catalog.Parse(kernel))(t)
	spec.Normalize = false
	return must.Get(spec.Compile(stringkernel.DNA))(t).SelfEval(x)
}

// TestWeightsOfDeltaSVM compares sums over k-mers with those of deltasvm.pl, six decimals.
func TestWeightsOfDeltaSVM(t *testing.T) {
	folder := oracles(t, "gkm-models") + "/deltasvm/"
	ref := must.Get(seqio.ReadFile(folder+"ref.fa", seqio.Options{}))(t).Corpus
	alt := must.Get(seqio.ReadFile(folder+"alt.fa", seqio.Options{}))(t).Corpus
	f := must.Get(lsgkm.Open(nil, folder+"EGR3.weights.txt.gz"))(t)
	w, isWeights := f.(*lsgkm.Weights)
	if !isWeights || w.Length != 8 || len(w.Scores) != 32_896 || !w.Header {
		t.Fatalf("%T %+.100v", f, f)
	}
	scorer, m := classifierOf(t, f, model.Options{})
	table := must.Get(kmers.NewScorer(t.Context(), m))(t)
	for i, want := range readColumn(t, folder+"EGR3.delta.tsv", "") {
		x, y := ref.Seq(i), alt.Seq(i)
		change := scorer.Decide(y).Scores[0] - scorer.Decide(x).Scores[0]
		for _, got := range []float64{change, table.Sum(y) - table.Sum(x)} {
			if math.Abs(got-want) > 0.5000001e-6 {
				t.Errorf("%s: %.7f, deltasvm.pl has %v", ref.Name(i), got, want)
			}
		}
	}
}
