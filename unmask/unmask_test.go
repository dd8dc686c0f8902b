package unmask

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
)

// author draws words by Zipf's law over a vocabulary; habits change the frequency of every word by a separate factor.
type author struct {
	cumulative []float64
	random     *rand.Rand
}

func newAuthor(habits, seed uint64, strength float64) *author {
	r, a, sum := rand.New(rand.NewPCG(habits, 1)), &author{random: rand.New(rand.NewPCG(seed, 2))}, 0.0
	for rank := 1; rank <= 800; rank++ {
		sum += math.Exp(strength*r.NormFloat64()) / float64(rank)
		a.cumulative = append(a.cumulative, sum)
	}
	return a
}

// write returns a text of n words, of which a share is of a topic.
func (a *author) write(n int, topic string) (words []string) {
	for range n {
		if a.random.Float64() < 0.03 {
			words = append(words, fmt.Sprintf("%s%d", topic, a.random.IntN(4)))
			continue
		}
		at, _ := slices.BinarySearch(a.cumulative, a.random.Float64()*a.cumulative[len(a.cumulative)-1])
		words = append(words, fmt.Sprintf("w%d", at))
	}
	return words
}

// Two works of one author are distinguished by their topics, and no longer once these are gone; those of two authors
// still are.
func TestSameAndOtherAuthors(t *testing.T) {
	opt := Options{Chunk: 300, Words: 120, Runs: 2, Seed: 1}
	work := newAuthor(1, 10, 0.5).write(9000, "love")
	same := must.Get(Compare(t.Context(), work, newAuthor(1, 11, 0.5).write(12000, "war"), opt))(t)
	other := must.Get(Compare(t.Context(), work, newAuthor(2, 12, 0.5).write(12000, "war"), opt))(t)
	last := len(same.Points) - 1
	if same.Points[0].Accuracy < 0.95 || other.Points[0].Accuracy < 0.95 {
		t.Errorf("accuracies %v and %v with all words, want both high", same.Points[0], other.Points[0])
	}
	if same.Points[last].Accuracy > 0.7 || same.Drop() < 0.3 {
		t.Errorf("one author: %+v, want a fall to chance", same.Points)
	}
	if other.Points[last].Accuracy < 0.85 || other.Drop() > 0.15 {
		t.Errorf("two authors: %+v, want no fall", other.Points)
	}
	for i, w := range same.First {
		if topic := []string{"love", "war"}[i/3]; !strings.HasPrefix(w, topic) {
			t.Errorf("first out: %q, want words of the topics", same.First)
		}
	}
	if same.Chunks != [2]int{30, 40} || same.Taken != 30 || same.Points[last].Words != 120-60 {
		t.Errorf("%v chunks, %d taken, %d words left", same.Chunks, same.Taken, same.Points[last].Words)
	}
}

// The number of processors changes no bit.
func TestRepeatable(t *testing.T) {
	a, b := newAuthor(1, 1, 1).write(3000, "x"), newAuthor(2, 2, 1).write(3500, "y")
	opt := Options{Chunk: 100, Words: 50, Rounds: 3, Runs: 2}
	first := must.Get(Compare(t.Context(), a, b, opt))(t)
	processors := runtime.GOMAXPROCS(1)
	again, err := Compare(t.Context(), a, b, opt)
	runtime.GOMAXPROCS(processors)
	if err != nil || !reflect.DeepEqual(first, again) {
		t.Errorf("%v, then %v (%v)", first, again, err)
	}
}

// The features are the words of the greatest mean frequency, and a chunk's values their shares.
func TestFrequencies(t *testing.T) {
	a, b := strings.Fields("a a b c"), strings.Fields("b b b d d a a e")
	// 2/4 + 2/8, 1/4 + 3/8, then c and d with 1/4 each
	if got, want := frequentWords(a, b, 3), []string{"a", "b", "c"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	rows := frequencies(strings.Fields("a b a x y b b b"), []string{"b", "a"}, 3)
	if want := [][]float64{{1. / 3, 2. / 3}, {1. / 3, 0}}; !reflect.DeepEqual(rows, want) {
		t.Errorf("%v, want %v", rows, want)
	}
	train, test := [][]float64{{1, 5}, {3, 5}}, [][]float64{{4, 7}}
	scale(slices.Concat(train, test), len(train))
	if want := 2 / math.Sqrt2 / math.Sqrt2; math.Abs(test[0][0]-want) > 1e-12 || test[0][1] != 0 ||
		math.Abs(train[0][0]+train[1][0]) > 1e-12 {
		t.Errorf("scaled: %v, %v", train, test)
	}
	got, want := strongest([]float64{3, -1, 2, -5, 9, 0}, []bool{4: true, 5: false}, 2), [2][]int{{0, 2}, {3, 1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A word that all training chunks have equally often carries no information, whatever the rounding of its mean.
func TestConstantColumns(t *testing.T) {
	for n := 2; n <= 40; n++ {
		for _, count := range []int{1, 3, 7, 15} {
			text := strings.Repeat("a ", count) + strings.Repeat("b ", 500-count)
			rows := frequencies(strings.Fields(strings.Repeat(text, n)), []string{"a", "b"}, 500)
			test := [][]float64{{0.5, 0.5}}
			scale(slices.Concat(rows, test), len(rows))
			for i, row := range append(rows, test...) {
				if row[0] != 0 || row[1] != 0 {
					t.Fatalf("%d chunks with %d of 500 words: row %d is %v", n, count, i, row)
				}
			}
		}
	}
}

// A run draws as many chunks of either text, no one twice, spreads each text's over the folds, and other runs draw
// others.
func TestRunsAreBalanced(t *testing.T) {
	chunks := [2][][]float64{}
	for i := range 23 {
		chunks[0] = append(chunks[0], []float64{float64(i)})
		if i < 17 {
			chunks[1] = append(chunks[1], []float64{float64(100 + i)})
		}
	}
	first := newRun(chunks, 17, Options{Folds: 5, Seed: 3}, 0)
	seen, perFold := map[float64]bool{}, map[[2]int]int{}
	for i, row := range first.rows {
		side := 0
		if row[0] >= 100 {
			side = 1
		}
		if seen[row[0]] || (first.y[i] > 0) != (side == 0) {
			t.Errorf("chunk %v is of side %v, or drawn twice", row[0], first.y[i])
		}
		seen[row[0]] = true
		perFold[[2]int{side, first.folds[i]}]++
	}
	if len(seen) != 34 || len(perFold) != 10 {
		t.Errorf("%d chunks in %d folds of a side", len(seen), len(perFold))
	}
	for f, n := range perFold {
		if n < 3 || n > 4 {
			t.Errorf("%d chunks of a text in fold %v, want 3 or 4 of 17", n, f)
		}
	}
	if other := newRun(chunks, 17, Options{Folds: 5, Seed: 3}, 1); reflect.DeepEqual(first.rows, other.rows) {
		t.Error("two runs draw the same chunks in the same order")
	}
}

// naiveFold is step 3 and 4 of the package comment on maps, with the solution of SMO on the full matrix.
func naiveFold(t *testing.T, r *run, fold int) (right []int) {
	t.Helper()
	gone := map[int]bool{}
	for range r.options.Rounds + 1 {
		value := func(i, j int) float64 { // of record i, word j, scaled by the training records
			var mean, square, n float64
			for k, row := range r.rows {
				if r.folds[k] != fold {
					mean, n = mean+row[j], n+1
				}
			}
			mean /= n
			for k, row := range r.rows {
				if r.folds[k] != fold {
					square += (row[j] - mean) * (row[j] - mean)
				}
			}
			if square < 1e-20 || gone[j] {
				return 0
			}
			return (r.rows[i][j] - mean) / math.Sqrt(square/(n-1)) / math.Sqrt(float64(len(r.rows[0])))
		}
		scaled := make([][]float64, len(r.rows))
		var train []int
		var y []float64
		for i := range r.rows {
			for j := range r.rows[0] {
				scaled[i] = append(scaled[i], value(i, j))
			}
			if r.folds[i] != fold {
				train, y = append(train, i), append(y, r.y[i])
			}
		}
		matrix := make([][]float64, len(train))
		for a, i := range train {
			for _, k := range train {
				sum := 0.0
				for j := range scaled[i] {
					sum += scaled[i][j] * scaled[k][j]
				}
				matrix[a] = append(matrix[a], sum)
			}
		}
		g := must.Get(svm.NewPrecomputed(matrix))(t)
		p := must.Get(svm.Classify(y, svm.Costs{}))(t)
		p.Tol = 1e-8
		s := must.Get(smo.Solver{}.Solve(t.Context(), g, p))(t)
		w := make([]float64, len(r.rows[0]))
		for a, i := range train {
			for j, x := range scaled[i] {
				w[j] += s.Coef[a] * x
			}
		}
		count := 0
		for i, row := range scaled {
			score := -s.Rho
			for j, x := range row {
				score += w[j] * x
			}
			if r.folds[i] == fold && (score > 0) == (r.y[i] > 0) {
				count++
			}
		}
		right = append(right, count)
		for _, sign := range []float64{1, -1} {
			for range r.options.Remove {
				most := -1
				for j := range w {
					if !gone[j] && (most < 0 || sign*w[j] > sign*w[most]) {
						most = j
					}
				}
				gone[most] = true
			}
		}
	}
	return right
}

// The curve is that of its definition: the share of all chunks decided rightly, fold by fold, in every round. The
// solvers' tolerances leave room for a chunk in a hundred.
func TestCurveByDefinition(t *testing.T) {
	a, b := newAuthor(3, 20, 0.4).write(2400, "x"), newAuthor(4, 21, 0.4).write(3000, "y")
	opt := Options{Chunk: 100, Words: 40, Rounds: 4, Remove: 2, Folds: 4, Runs: 2, Seed: 5}
	curve := must.Get(Compare(t.Context(), a, b, opt))(t)
	features := frequentWords(a, b, opt.Words)
	chunks := [2][][]float64{frequencies(a, features, opt.Chunk), frequencies(b, features, opt.Chunk)}
	rights := make([]int, opt.Rounds+1)
	for number := range uint64(opt.Runs) {
		r := newRun(chunks, 24, opt.filled(), number)
		for fold := range opt.Folds {
			for round, right := range naiveFold(t, r, fold) {
				rights[round] += right
			}
		}
	}
	for round, right := range rights {
		want := float64(right) / float64(opt.Runs*48)
		if got := curve.Points[round].Accuracy; math.Abs(got-want) > 0.0105 {
			t.Errorf("round %d: accuracy %v, want %v", round, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	words := newAuthor(1, 1, 1).write(1000, "x")
	for want, opt := range map[string]Options{
		"Chunk = -1":         {Chunk: -1},
		"Folds = 1":          {Folds: 1},
		"Runs = 1000000000":  {Runs: 1_000_000_000_000},
		"Remove = 922":       {Words: 70, Remove: math.MaxInt},
		"C = -2":             {C: -2},
		"at most 3 rounds":   {Words: 20, Rounds: 4},
		"different words":    {Chunk: 10, Words: 5000},
		"want at least 10 c": {Chunk: 200, Words: 70},
	} {
		if _, err := Compare(t.Context(), words, words, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compare(ctx, words, words, Options{Chunk: 50, Words: 70}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it is cancelled", err)
	}
}

// A chunk per word or two would take the square of the text.
func TestTooManyChunks(t *testing.T) {
	heaptest.Limit(t, 1<<20)
	words := newAuthor(1, 1, 1).write(2000, "x")
	_, err := Compare(t.Context(), words, words, Options{Chunk: 1, Words: 70})
	var large *memory.Error
	if !errors.As(err, &large) || !strings.Contains(err.Error(), "70 words in 4000 chunks") {
		t.Errorf("%v, want that there is no memory for 4000 chunks of 70 words", err)
	}
}
