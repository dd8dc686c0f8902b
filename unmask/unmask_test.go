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
)

// author draws words by Zipf's law over a vocabulary; habits change the frequency of every word by a factor of its own.
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

// Two works of one author are told apart by their topics, and no longer once these are gone; those of two authors still are.
func TestSameAndOtherAuthors(t *testing.T) {
	opt := Options{Chunk: 300, Words: 120, Runs: 2, Seed: 1}
	work := newAuthor(1, 10, 0.5).write(9000, "love")
	same, err := Compare(t.Context(), work, newAuthor(1, 11, 0.5).write(12000, "war"), opt)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Compare(t.Context(), work, newAuthor(2, 12, 0.5).write(12000, "war"), opt)
	if err != nil {
		t.Fatal(err)
	}
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
	first, err := Compare(t.Context(), a, b, opt)
	if err != nil {
		t.Fatal(err)
	}
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
	if got, want := frequentWords(a, b, 3), []string{"a", "b", "c"}; !slices.Equal(got, want) { // 2/4 + 2/8, 1/4 + 3/8, then c and d with 1/4 each
		t.Errorf("%q, want %q", got, want)
	}
	rows := frequencies(strings.Fields("a b a x y b b b"), []string{"b", "a"}, 3)
	if want := [][]float64{{1. / 3, 2. / 3}, {1. / 3, 0}}; !reflect.DeepEqual(rows, want) {
		t.Errorf("%v, want %v", rows, want)
	}
	train, test := [][]float64{{1, 5}, {3, 5}}, [][]float64{{4, 7}}
	scale(train, test)
	if want := 2 / math.Sqrt2 / math.Sqrt2; math.Abs(test[0][0]-want) > 1e-12 || test[0][1] != 0 || math.Abs(train[0][0]+train[1][0]) > 1e-12 {
		t.Errorf("scaled: %v, %v", train, test)
	}
	if got, want := strongest([]float64{3, -1, 2, -5, 9, 0}, []bool{4: true, 5: false}, 2), [2][]int{{0, 2}, {3, 1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A word that all training chunks have equally often tells nothing, whatever rounding makes of its mean.
func TestConstantColumns(t *testing.T) {
	for n := 2; n <= 40; n++ {
		for _, count := range []int{1, 3, 7, 15} {
			text := strings.Repeat("a ", count) + strings.Repeat("b ", 500-count)
			rows := frequencies(strings.Fields(strings.Repeat(text, n)), []string{"a", "b"}, 500)
			test := [][]float64{{0.5, 0.5}}
			scale(rows, test)
			for i, row := range append(rows, test...) {
				if row[0] != 0 || row[1] != 0 {
					t.Fatalf("%d chunks with %d of 500 words: row %d is %v", n, count, i, row)
				}
			}
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

func BenchmarkCompare(b *testing.B) {
	x, y := newAuthor(1, 1, 0.5).write(25000, "x"), newAuthor(2, 2, 0.5).write(25000, "y")
	for b.Loop() {
		if _, err := Compare(b.Context(), x, y, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
