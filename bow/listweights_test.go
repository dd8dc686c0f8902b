package bow

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/sparse"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// rareTexts are texts of many words, of which a few are common, and coefficients for few of many outputs.
func rareTexts(t *testing.T, outputs int) (*stringkernel.Corpus, *stringkernel.Coefficients) {
	t.Helper()
	r := rand.New(rand.NewPCG(16, 12))
	var texts []string
	coef := make([][]float64, outputs)
	for m := range coef {
		coef[m] = make([]float64, 80)
	}
	for i := range 80 {
		var words []string
		for range 100 {
			words = append(words, fmt.Sprintf("w%d", int(r.ExpFloat64()*r.ExpFloat64()*200)))
		}
		texts = append(texts, strings.Join(words, " "))
		for range outputs / 20 {
			coef[r.IntN(outputs)][i] = r.NormFloat64()
		}
	}
	c := corpusOf(texts)
	return c, stringkernel.NewCoefficients(c.Len(), coef)
}

// Lists of rare words give the bits that a table gives, before and after they are stored.
func TestListWeights(t *testing.T) {
	c, coef := rareTexts(t, 400)
	for _, k := range []Kernel{
		{NGram: "1-2", TFIDF: true, Sublinear: true}, {NGram: "1-2", L1: true}, {NGram: "1-2", Open: true},
		{NGram: "1-2", Count: stringkernel.CountMin}, {NGram: "1-2", Count: stringkernel.CountChi2, Open: true},
	} {
		fitted, err := stringkernel.Fit(t.Context(), k, c)
		if err != nil {
			t.Fatal(err)
		}
		k = fitted.(Kernel)
		merged, err := k.Merge(t.Context(), c, coef)
		if err != nil {
			t.Fatal(err)
		}
		lists := merged.(*scorer)
		w, ok := lists.weights.(*listWeights)
		if !ok || len(w.rows) == 0 || 2*len(w.rows) > lists.vocabulary.nodes()*lists.outputs {
			t.Fatalf("%+v: weights of %T", k, lists.weights)
		}
		restored, err := k.Restore(k.Arrays(lists))
		if err != nil {
			t.Fatal(err)
		}
		table := newTableWeights(lists.factors(), lists.outputs)
		row := lists.vocabulary.rowOf(t.Context(), c, k.fitted)
		if lists.occurrences != nil {
			row = lists.occurrences.Row(row)
		}
		sparse.Merge(coef, row, func(id uint32) []float64 { return table.row(int32(id)) })
		want := &scorer{vocabulary: lists.vocabulary, outputs: lists.outputs, weights: table, closed: lists.closed,
			occurrences: lists.occurrences}
		mix := make([]float64, lists.outputs)
		mix[3], mix[7] = 1, -1
		for name, got := range map[string]*scorer{"merged": lists, "restored": restored.(*scorer)} {
			if !reflect.DeepEqual(got.TopFeatures(mix, 20), want.TopFeatures(mix, 20)) {
				t.Fatalf("%s: other features of the model", name)
			}
			a, b := make([]float64, lists.outputs), make([]float64, lists.outputs)
			for i := range c.Len() {
				x := append([]byte("new w1 w2 w3 "), c.Seq(i)...)
				got.ScoreTo(a, x)
				want.ScoreTo(b, x)
				if !reflect.DeepEqual(a, b) {
					t.Fatalf("%s: other scores of text %d", name, i)
				}
				if !reflect.DeepEqual(got.FeaturesOf(mix, x, 9), want.FeaturesOf(mix, x, 9)) {
					t.Fatalf("%s: other features of text %d", name, i)
				}
				parts, wanted := make([]float64, len(x)), make([]float64, len(x))
				got.ExplainTo(parts, 7, x)
				want.ExplainTo(wanted, 7, x)
				if !reflect.DeepEqual(parts, wanted) {
					t.Fatalf("%s: other contributions to text %d", name, i)
				}
			}
		}
	}
}

// What a file says of lists is an error or a scorer that works.
func TestRestoreListsRefuses(t *testing.T) {
	good := map[string]any{
		"outputs": []int32{3}, "sparse.rows": []uint8{1, 0, 2, 0, 2}, "sparse.values": []float64{1, -1, 2},
		"terms": []uint8("abc"), "ends": []uint64{1, 2, 3}, "pairs": []uint64{1},
		"factors": []float64{1, 2, 0.5, 3}, "rows": []float64{4, 5, 6},
		"lists": []uint8{0, 1, 3, 0, 0, 1, 1, 2, 1, 0}, "values": []float64{7},
	}
	restore := func(name string, data any) (stringkernel.Scorer, error) {
		var arrays []stringkernel.Array
		for n, d := range good {
			if n == name {
				d = data
			}
			arrays = append(arrays, stringkernel.Array{Name: n, Data: d})
		}
		return Kernel{NGram: "1-2"}.Restore(arrays)
	}
	s, err := restore("", nil)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 3) // a: 4, 5, 6; b: none; c: half of 1, 0, 0 and 7 of −1, 0, 2; a b: 3 of −1, 0, 2
	if s.ScoreTo(got, []byte("a b c")); !reflect.DeepEqual(got, []float64{4 + 0.5*(0.5-7) - 3*3, 5, 6 + 0.5*14 + 3*6}) {
		t.Errorf("scores %v", got)
	}
	for _, c := range []struct {
		name string
		data any
		want string
	}{
		{"factors", []float64{1, 2, 3}, "3 numbers, want 4 rows of 1"},
		{"rows", []float64{4, 5}, "2 numbers, want 1 rows of 3"},
		{"values", []float64{}, "the value of node 2 is not there"},
		{"values", []float64{7, 8}, "0 bytes and 1 values are left"},
		{"lists", []uint8{0, 1, 3, 0, 0, 2, 1, 2, 1, 0}, "node 2 is in support vector 2 of 2"},
		{"lists", []uint8{0, 1, 3, 0, 0, 1}, "the value of node 3 is not there"},
		{"lists", []uint8{0, 1, 3, 0, 0, 1, 1, 2, 1, 0, 9}, "1 bytes and 0 values are left"},
		{"lists", []uint8{}, "3 numbers, want 0 rows of 3"},
		{"sparse.rows", []uint8{1, 0, 2, 0, 3}, "want 1 to 2"},
		{"lists", nil, "missing"},
	} {
		if _, err := restore(c.name, c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v, want %q", c.name, c.data, err, c.want)
		}
	}
}
