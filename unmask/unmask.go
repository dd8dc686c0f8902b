package unmask

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/subset"
)

// Options say how texts are compared. The zero value is that of the paper.
type Options struct {
	Chunk  int     // words of a chunk; zero: 500
	Words  int     // most frequent words that are features; zero: 250
	Remove int     // words left out in a round for each text; zero: 3
	Rounds int     // zero: 10
	Folds  int     // zero: 10
	Runs   int     // with other folds and, of the longer text, other chunks; zero: 5
	C      float64 // of the machines; zero: 1
	Seed   uint64
}

// filled returns the options with the defaults.
func (o Options) filled() Options {
	o.Chunk, o.Words, o.Remove = cmp.Or(o.Chunk, 500), cmp.Or(o.Words, 250), cmp.Or(o.Remove, 3)
	o.Rounds, o.Folds, o.Runs = cmp.Or(o.Rounds, 10), cmp.Or(o.Folds, 10), cmp.Or(o.Runs, 5)
	o.C = cmp.Or(o.C, 1)
	return o
}

const (
	mostRuns = 10_000        // each has a list of chunks
	mostOf   = 1_000_000_000 // of every other option that counts, so that products of two do not overflow
)

// Check returns an error that names the first option out of range.
func (o Options) Check() error {
	f := o.filled()
	for _, p := range []struct {
		name               string
		value, least, most int
	}{
		{"Chunk", f.Chunk, 1, mostOf}, {"Words", f.Words, 1, mostOf}, {"Remove", f.Remove, 1, mostOf},
		{"Rounds", f.Rounds, 1, mostOf}, {"Folds", f.Folds, 2, mostOf}, {"Runs", f.Runs, 1, mostRuns},
	} {
		if p.value < p.least || p.value > p.most {
			return fmt.Errorf("unmask: %s = %d, want %d to %d", p.name, p.value, p.least, p.most)
		}
	}
	if !(f.C > 0) || math.IsInf(f.C, 0) {
		return fmt.Errorf("unmask: C = %v, want a number > 0", f.C)
	}
	if rounds := (f.Words - 1) / (2 * f.Remove); f.Rounds > rounds {
		return fmt.Errorf("unmask: %d rounds that drop %d words each leave none of %d; use at most %d rounds", f.Rounds,
			2*f.Remove, f.Words, rounds)
	}
	return nil
}

// Point is the curve after some rounds.
type Point struct {
	Words    int     // features left
	Accuracy float64 // mean over the runs, each of all chunks taken
	SD       float64 // standard deviation over the runs; NaN of one
}

// Curve is the comparison of two texts.
type Curve struct {
	Chunks [2]int // of each text
	Taken  int    // of each, in a run
	// the words left out in the first round by most folds, those of either text: Remove each, the first text's first
	First  []string
	Points []Point // by number of rounds, from 0
}

// Drop returns by how much the accuracy has fallen after all rounds.
func (c *Curve) Drop() float64 { return c.Points[0].Accuracy - c.Points[len(c.Points)-1].Accuracy }

// ShortError says that a text has too few words.
type ShortError struct {
	Text          int // 0 or 1
	Words, Chunks int // that it has
	Want          int // chunks
	Chunk         int // words of a chunk
}

// Error says how many chunks the words make and how many are wanted.
func (e *ShortError) Error() string {
	return fmt.Sprintf("%d words make %d chunks of %d, want at least %d chunks: a longer text, or shorter chunks",
		e.Words, e.Chunks, e.Chunk, e.Want)
}

// Terms returns the words of a text in lower case, as package bow cuts it.
func Terms(text []byte) []string { return bow.Tokenizer{}.Terms(text) }

// Compare unmasks two texts, lists of words. It returns a [*ShortError] if one has fewer chunks than folds, and an
// error if they have fewer different words than Options.Words, or if there is no memory for the frequencies of
// that many words in all chunks. The curve is the same to the bit whatever the number of processors.
func Compare(ctx context.Context, a, b []string, opt Options) (*Curve, error) {
	if err := opt.Check(); err != nil {
		return nil, err
	}
	opt = opt.filled()
	c := &Curve{}
	for t, words := range [][]string{a, b} {
		if c.Chunks[t] = len(words) / opt.Chunk; c.Chunks[t] < opt.Folds {
			return nil, &ShortError{t, len(words), c.Chunks[t], opt.Folds, opt.Chunk}
		}
	}
	c.Taken = min(c.Chunks[0], c.Chunks[1])
	features := frequentWords(a, b, opt.Words)
	if len(features) < opt.Words {
		return nil, fmt.Errorf("unmask: %d different words, want at least %d", len(features), opt.Words)
	}
	all := c.Chunks[0] + c.Chunks[1]
	if err := memory.Check(8 * float64(opt.Words) * float64(all)); err != nil {
		return nil, fmt.Errorf("unmask: frequencies of %d words in %d chunks need %w", opt.Words, all, err)
	}
	chunks := [2][][]float64{frequencies(a, features, opt.Chunk), frequencies(b, features, opt.Chunk)}
	runs := make([]*run, opt.Runs)
	for r := range runs {
		runs[r] = newRun(chunks, c.Taken, opt, uint64(r))
	}
	traces := make([]trace, opt.Runs*opt.Folds)
	err := parallel.Do(ctx, len(traces), func(i int) error {
		var err error
		traces[i], err = runs[i/opt.Folds].fold(ctx, i%opt.Folds)
		return err
	})
	if err != nil {
		return nil, err
	}
	c.collect(traces, features, opt)
	return c, nil
}

// frequentWords returns the n words of the greatest mean of relative frequencies in two texts, those of equal ones in
// alphabetical order.
func frequentWords(a, b []string, n int) []string {
	mean := map[string]float64{}
	for _, words := range [][]string{a, b} {
		counts := map[string]int{}
		for _, w := range words {
			counts[w]++
		}
		for w, count := range counts {
			mean[w] += float64(count) / float64(len(words))
		}
	}
	all := make([]string, 0, len(mean))
	for w := range mean {
		all = append(all, w)
	}
	slices.SortFunc(all, func(v, w string) int { return cmp.Or(cmp.Compare(mean[w], mean[v]), cmp.Compare(v, w)) })
	return all[:min(n, len(all))]
}

// frequencies returns the relative frequencies of features in each chunk.
func frequencies(words, features []string, chunk int) [][]float64 {
	place := map[string]int{}
	for i, f := range features {
		place[f] = i
	}
	rows := scratch.Vectors(len(words)/chunk, len(features))
	for r := range rows {
		for _, w := range words[r*chunk : (r+1)*chunk] {
			if at, known := place[w]; known {
				rows[r][at] += 1 / float64(chunk)
			}
		}
	}
	return rows
}

// run is chunks of both texts, as many of each, and their folds.
type run struct {
	options Options
	rows    [][]float64
	y       []float64 // +1 for the first text
	folds   []int
}

func newRun(chunks [2][][]float64, taken int, opt Options, number uint64) *run {
	r := &run{options: opt}
	random := rand.New(rand.NewPCG(opt.Seed, number))
	for t, sign := range []float64{1, -1} {
		for i, at := range random.Perm(len(chunks[t]))[:taken] {
			r.rows, r.y, r.folds = append(r.rows, chunks[t][at]), append(r.y, sign), append(r.folds, i%opt.Folds)
		}
	}
	return r
}

// trace is what a fold has seen, by round.
type trace struct {
	right []int
	first [2][]int // words left out in the first round, of either text
}

// fold trains, tests and leaves words out, round after round.
func (r *run) fold(ctx context.Context, fold int) (trace, error) {
	var train, test [][]float64
	var y, truth []float64
	for i, f := range r.folds {
		row := slices.Clone(r.rows[i])
		if f == fold {
			test, truth = append(test, row), append(truth, r.y[i])
		} else {
			train, y = append(train, row), append(y, r.y[i])
		}
	}
	all := slices.Concat(train, test)
	scale(all, len(train))
	var seen trace
	gone := make([]bool, len(train[0]))
	for round := 0; ; round++ {
		w, rho, err := r.solve(ctx, train, y)
		if err != nil {
			return trace{}, err
		}
		seen.right = append(seen.right, decidedRight(w, rho, test, truth))
		if round == r.options.Rounds {
			return seen, nil
		}
		most := strongest(w, gone, r.options.Remove)
		if round == 0 {
			seen.first = most
		}
		for _, j := range slices.Concat(most[0], most[1]) {
			gone[j] = true
			for _, row := range all {
				row[j] = 0
			}
		}
	}
}

// scale gives every column mean 0 and deviation 1 over the first rows, those for training, divided by the root of the
// number of columns. A column that is constant there becomes 0.
func scale(rows [][]float64, training int) {
	column, root := make([]float64, training), math.Sqrt(float64(len(rows[0])))
	for j := range rows[0] {
		for i, row := range rows[:training] {
			column[i] = row[j]
		}
		mean, sd := stat.MeanStdDev(column, nil)
		for _, row := range rows {
			if row[j] -= mean; sd > 0 {
				row[j] /= sd * root
			} else {
				row[j] = 0
			}
		}
	}
}

// solve returns the weights and the threshold of a linear machine.
func (r *run) solve(ctx context.Context, train [][]float64, y []float64) (w []float64, rho float64, err error) {
	return machine(ctx, train, y, svm.Costs{Positive: r.options.C, Negative: r.options.C}, r.options.Seed)
}

// machine returns the weights and the threshold of a linear machine.
func machine(ctx context.Context, train [][]float64, y []float64, costs svm.Costs, seed uint64) (
	w []float64, rho float64, err error) {
	p, err := svm.Classify(y, costs)
	if err != nil {
		return nil, 0, err
	}
	s, err := descent.Solver{Seed: seed}.Solve(ctx, gramOf(ctx, train), p)
	if err != nil {
		return nil, 0, err
	}
	w = make([]float64, len(train[0]))
	for i, a := range s.Coef {
		for j, value := range train[i] {
			w[j] += float64(a * value)
		}
	}
	return w, s.Rho, nil
}

// gramOf returns the matrix of the inner products of vectors.
func gramOf(ctx context.Context, of [][]float64) *rows.Gram {
	s := rows.New(len(of), 0, len(of[0]))
	for _, row := range of {
		for j, value := range row {
			if value != 0 {
				s.Add(int32(j), value)
			}
		}
		s.End()
	}
	return rows.NewGram(ctx, s)
}

func decidedRight(w []float64, rho float64, test [][]float64, truth []float64) (right int) {
	for i, row := range test {
		score := -rho
		for j, value := range row {
			score += float64(w[j] * value)
		}
		if (score > 0) == (truth[i] > 0) {
			right++
		}
	}
	return right
}

// strongest returns the n words that speak most for the first text and the n that speak most for the second, of those
// not gone.
func strongest(w []float64, gone []bool, n int) (most [2][]int) {
	var left []int
	for j := range w {
		if !gone[j] {
			left = append(left, j)
		}
	}
	slices.SortStableFunc(left, func(i, j int) int { return cmp.Compare(w[j], w[i]) })
	most[0], most[1] = left[:n], slices.Clone(left[len(left)-n:])
	slices.Reverse(most[1])
	return most
}

// collect makes the curve of what the folds have seen, run by run.
func (c *Curve) collect(traces []trace, features []string, opt Options) {
	for round := range opt.Rounds + 1 {
		accuracies := make([]float64, opt.Runs)
		for i, t := range traces {
			accuracies[i/opt.Folds] += float64(t.right[round]) / float64(2*c.Taken)
		}
		mean, sd := stat.MeanStdDev(accuracies, nil)
		c.Points = append(c.Points, Point{Words: opt.Words - 2*opt.Remove*round, Accuracy: mean, SD: sd})
	}
	for side := range 2 {
		votes := make([]int, len(features))
		for _, t := range traces {
			for _, j := range t.first[side] {
				votes[j]++
			}
		}
		order := subset.Whole(len(features))
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(votes[j], votes[i]) })
		for _, j := range order[:opt.Remove] {
			c.First = append(c.First, features[j])
		}
	}
}
