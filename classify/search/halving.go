package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Halving is a search among kernels, contenders, within an allowance of work, by successive halving (Jamieson &
// Talwalkar 2016, Non-stochastic best arm identification and hyperparameter optimization): all are tried on a few
// records, the best third on more, and so on. Where not all records are taken, the middle candidate of each stands for
// all: the C that is best for few records is often too great for many.
//
// Work is what trainings cost by [Cost], in any unit, nanoseconds say; nothing is timed, so that the course depends on
// nothing but data and options. What is left at the end is spent on means of the best kernels: to the best is added
// the kernel, itself included, with which cross-validation gets best, and again, until nothing is gained (Caruana,
// Niculescu-Mizil, Crew & Ksikes 2004, Ensemble selection from libraries of models, doi:10.1145/1015330.1015432). A
// kernel that was added twice has twice the weight.
//
// A search ends early where the best is so good that nothing can be better by more than a standard error, and means of
// kernels are lengthened only as long as that gains by more than one. Of fewer than 400 records folds are drawn three
// times, and the first contender, the plain kernel of its kind, is taken unless the best is better by more than a
// standard error.
//
// Memory: what kernels learned from the records of a rung, in every fold, is held until the next takes others, as means
// of these kernels have it in common.
type Halving struct {
	Contenders []Contender // the plain one first
	// returns the number of the contender that is the mean of others, which may be a new one; nil: no means are tried
	Mean   func(of []int) (int, error)
	Metric string // as of Search
	// nil, or what chooses the Threshold of results
	Threshold threshold.Criterion
	Pick      Pick    // as of Search, at the end: rungs keep the best
	Budget    float64 // of Run: rungs, means, and one training of the winner on all records
	Folds     int     // of records that are few enough to be all taken, and of the last rung
	Seed      uint64  // of samples and their folds
	Progress  func(share float64, rung int)
	// of groups: whether the winner is measured on folds that divide them, too, beyond the budget
	Ungrouped bool
}

// Contender is a kernel with the candidates that have it, which differ in C or other options of learning.
type Contender struct {
	Candidates []classify.Trainer
	Cost       Cost
	Mean       bool // of others: tried where Halving.Mean returns it, not from the beginning
	Known      bool // known to be best on many records: goes on from a sample that it is in the better half on
}

// Cost is the work that one training of two classes takes, with testing the fold that was left out. One of more
// classes counts as several: see [Machines].
type Cost struct {
	Fixed  float64 // of tables of all words, from manyLetters on; of fewer letters, which fill them in part, less
	Letter float64 // per letter of the records
	Pair   float64 // per pair of records, of kernels that are evaluated for each
	// per pair of records and letter of one
	PairLetter float64
}

// Of returns the work of training on some records with letters in all.
func (c Cost) Of(records, letters int) float64 {
	n := float64(records)
	return float64(c.Fixed*math.Sqrt(min(1, float64(letters)/manyLetters))) + float64(c.Letter*float64(letters)) +
		float64(c.Pair*float64(n*n)) +
		float64(float64(c.PairLetter*n)*float64(letters))
}

// Allowance returns the nanoseconds of work that a search on so many letters is worth by default: the
// errors of what it measures fall with the root of that, and so does what more work can gain.
func Allowance(letters int) float64 { return min(60e9, max(3e9, 15e6*math.Sqrt(float64(letters)))) }

// Machines returns as how many trainings of two classes one of so many counts: (k + 3)/4 for k > 2, as its machines
// share an index.
func Machines(classes int) float64 {
	if classes > 2 {
		return float64(3+classes) / 4
	}
	return 1
}

// Entrant is a candidate of a contender, both by their numbers from 0.
type Entrant struct{ Contender, Candidate int }

// Rung is a cross-validation of some contenders on some records.
type Rung struct {
	Records, Letters int
	Folds            int
	Entrants         []Entrant
	Table            *Table // a result per entrant
	Work             float64
	Kept             []int // contenders that go on, the best first
	Mean             bool  // this rung tried means of the best contender so far with others
}

// Course is how a search went.
type Course struct {
	Rungs    []Rung
	Costly   []int     // contenders that were not tried, since they take too much of the budget
	Work     float64   // of all rungs, and of one training of the winner on all records
	Entrants []Entrant // of the last records that were taken, singly and in means
	Table    *Table    // a result per entrant
	// of the winner, on folds of the last records that divide groups; nil if it was not asked for, or takes too much
	Ungrouped *Result
}

// Winner returns the entrant that was picked.
func (c *Course) Winner(p Pick) Entrant { return c.Entrants[c.Table.Picked(p)] }

// BudgetError says that a budget is too small for the records.
type BudgetError struct {
	Budget, Least float64 // what was given, and what would do
}

// Error states both numbers, in the unit of the costs.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("search: a budget of %.3g is too little for these records, want at least %.3g", e.Budget, e.Least)
}

// Numbers of a course.
const (
	keep         = 3      // one of so many contenders goes on
	finalists    = 4      // at least so many go on, and are in means
	leastSample  = 300    // records of a rung, if there are so many
	leastLetters = 300000 // a rung may have fewer records, of more letters than these,
	leastLong    = 60     // but not fewer than so many
	sampleFolds  = 3      // of a rung that does not take all records
	mostTerms    = 5      // kernels of a mean
	meanOptions  = 2      // candidates of a mean: those that were best for the longest mean so far
	grain        = 4096   // samples are multiples of this share of the records
	fewRecords   = 400    // of fewer, folds are drawn more than once
	fewDraws     = 3      // so often
	manyRecords  = 5000   // are what known contenders are known for
	manyLetters  = 50000  // touch most of a table of words
)

// certain is how far from the best value of a metric a search ends, if that is no more than a standard error.
const certain = 0.005

// As how many letters, and pairs, each counts where numbers are learned: their solvers take more steps.
const regressionLetter, regressionPair = 6, 2

// Run searches; fold numbers the fold of each record for rungs that take all of them, as Search.Run has it.
func (h *Halving) Run(ctx context.Context, d *dataset.Dataset, fold []int) (*Course, error) {
	return h.run(ctx, d, fold, h.Ungrouped)
}

func (h *Halving) run(ctx context.Context, d *dataset.Dataset, fold []int, ungrouped bool) (*Course, error) {
	r := &race{Halving: h, data: d, fold: fold, course: new(Course), machines: Machines(len(d.Classes)), draws: 1}
	if d.Len() < fewRecords {
		r.draws = fewDraws
	}
	alive, err := r.affordable()
	if err != nil {
		return nil, err
	}
	for more := rungs(len(alive)); more > 0 && !r.complete() && !r.certain(); more-- {
		if alive, err = r.rung(ctx, alive, more); err != nil {
			return nil, err
		}
		alive = r.keepKnown(alive)
	}
	if err := r.means(ctx); err != nil {
		return nil, err
	}
	if r.draws > 1 {
		r.course.preferPlain()
	}
	winner := r.course.Winner(h.Pick)
	r.course.Work += r.training(winner.Contender)
	if !ungrouped {
		return r.course, nil
	}
	return r.course, r.ungrouped(ctx, winner)
}

// ungrouped measures the winner on folds that divide groups, if that takes no more than an eighth of the budget.
func (r *race) ungrouped(ctx context.Context, winner Entrant) error {
	d := *r.sample
	if cost := r.cost([]Entrant{winner}, &d, r.divisions()); d.Groups == nil || cost > r.Budget/8 {
		return nil
	}
	d.Groups = nil
	fold, err := d.Folds(r.divisions(), r.Seed)
	if err != nil {
		return err
	}
	s := Search{Candidates: r.trainers([]Entrant{winner}), Metric: r.Metric, indexes: r.indexes}
	table, err := s.Run(ctx, &d, fold)
	if err == nil {
		r.course.Ungrouped = &table.Results[0]
	}
	return err
}

// race is a course that is under way.
type race struct {
	*Halving
	data     *dataset.Dataset
	fold     []int
	machines float64 // as many trainings of two classes take as much as one of all
	draws    int     // how often records are divided into folds
	course   *Course
	sample   *dataset.Dataset      // of the last rung, with its folds
	folds    [][]int               // one per draw
	indexes  *stringkernel.Indexes // of the sample
}

// training returns the work of a contender on all records.
func (r *race) training(contender int) float64 {
	return r.work(contender, r.data)
}

func (r *race) work(contender int, d *dataset.Dataset) float64 {
	cost := r.Contenders[contender].Cost
	if d.Task == dataset.Regression {
		cost.Letter, cost.Pair = regressionLetter*cost.Letter, regressionPair*cost.Pair
	}
	return float64(r.machines * cost.Of(d.Len(), d.Corpus.Letters()))
}

// affordable lists the contenders of which a training on all records takes at most a quarter of the budget, and trying
// their middle candidate on the smallest sample at most an eighth or, of the plain one and if that leaves none, a
// quarter; without the costliest, those that are known and the plain one last, if the first rung would be too much for
// all.
func (r *race) affordable() (alive []int, err error) {
	smallest, folds := r.data.Subset(r.part(r.leastPart())), min(r.Folds, sampleFolds)
	least, trying := math.Inf(1), make([]float64, len(r.Contenders)) // in work
	for _, parts := range []float64{8, 4} {
		for c, contender := range r.Contenders {
			if contender.Mean {
				continue
			}
			trying[c] = r.cost(r.middles([]int{c}), smallest, folds)
			trials := parts
			if c == 0 {
				trials = 4
			}
			budget := max(float64(4*r.training(c)), float64(trials*trying[c]))
			least = min(least, budget)
			if budget <= r.Budget {
				alive = append(alive, c)
			}
		}
		if len(alive) > 0 {
			break
		}
	}
	if math.IsInf(least, 1) {
		return nil, fmt.Errorf("search: no candidates, want at least one")
	}
	if len(alive) == 0 {
		return nil, &BudgetError{r.Budget, least}
	}
	for r.cost(r.middles(alive), smallest, folds) > share(r.left(alive), rungs(len(alive))) {
		costliest := slices.MaxFunc(alive, func(a, b int) int {
			return cmp.Or(cmp.Compare(r.dispensable(a), r.dispensable(b)), cmp.Compare(trying[a], trying[b]))
		})
		alive = slices.DeleteFunc(alive, func(c int) bool { return c == costliest })
	}
	for c, contender := range r.Contenders {
		if !contender.Mean && !slices.Contains(alive, c) {
			r.course.Costly = append(r.course.Costly, c)
		}
	}
	return alive, nil
}

// dispensable returns how soon a contender may be dropped for what it takes: the plain one last, of many records those
// that are known before it.
func (r *race) dispensable(contender int) int {
	switch {
	case contender == 0:
		return 0
	case r.Contenders[contender].Known && r.data.Len() >= manyRecords:
		return 1
	}
	return 2
}

// left returns the work that rungs may still take if any of some contenders, or of those in the table, may be the
// winner.
func (r *race) left(alive []int) float64 {
	reserve := 0.0
	for _, c := range slices.Concat(alive, contenders(r.course.Entrants)) {
		reserve = max(reserve, r.training(c))
	}
	return r.Budget - r.course.Work - reserve
}

// entrants lists all candidates of contenders.
func (r *race) entrants(alive []int) (list []Entrant) {
	for _, contender := range alive {
		for i := range r.Contenders[contender].Candidates {
			list = append(list, Entrant{contender, i})
		}
	}
	return list
}

// middles lists the middle candidate of each contender.
func (r *race) middles(alive []int) (list []Entrant) {
	for _, contender := range alive {
		list = append(list, Entrant{contender, len(r.Contenders[contender].Candidates) / 2})
	}
	return list
}

// best lists the candidates of a contender that were best in the last rung, in their order.
func (r *race) best(contender, most int) (candidates []int) {
	order := subset.Whole(len(r.course.Entrants))
	slices.SortStableFunc(order, r.course.Table.Compare)
	for _, i := range order {
		if e := r.course.Entrants[i]; e.Contender == contender && len(candidates) < most {
			candidates = append(candidates, e.Candidate)
		}
	}
	slices.Sort(candidates)
	return candidates
}

// cost returns the work of cross-validating entrants on records.
func (r *race) cost(entrants []Entrant, d *dataset.Dataset, folds int) (work float64) {
	for _, e := range entrants {
		work += float64(float64(folds*r.draws) * r.work(e.Contender, d))
	}
	return work
}

// rungs returns how many it takes until no more are left than finalists, and one for these.
func rungs(contenders int) int {
	n := 1
	for ; contenders > finalists; n++ {
		contenders = (contenders + keep - 1) / keep
	}
	return n
}

// share returns the work of a rung, of what is left for some rungs, itself included, and the means after them: each has
// twice as much as the one before.
func share(left float64, more int) float64 { return math.Ldexp(left, -more) }

// rung tries contenders, with some rungs to come, itself included, and returns those that go on.
func (r *race) rung(ctx context.Context, alive []int, more int) (kept []int, err error) {
	entrants, err := r.take(alive, more)
	if err != nil {
		return nil, err
	}
	if r.tried(entrants) {
		return alive, nil
	}
	table, err := r.try(ctx, entrants, false)
	if err != nil {
		return nil, err
	}
	r.course.Entrants, r.course.Table = entrants, table
	kept = ranking(entrants, table)
	most := finalists
	if more > 1 && !r.complete() {
		most = max(most, (len(alive)+keep-1)/keep)
	}
	plain := slices.Contains(kept, 0)
	kept = kept[:min(len(kept), most)]
	if plain && r.draws > 1 && !slices.Contains(kept, 0) {
		kept = append(kept, 0)
	}
	r.course.Rungs[len(r.course.Rungs)-1].Kept = kept
	return kept, nil
}

// keepKnown adds to the contenders that go on from the last rung those that are known and in the better half of it.
func (r *race) keepKnown(kept []int) []int {
	rung := &r.course.Rungs[len(r.course.Rungs)-1]
	order := ranking(rung.Entrants, rung.Table)
	for _, c := range order[:len(order)/2] {
		if r.Contenders[c].Known && !slices.Contains(kept, c) && !r.complete() {
			kept = append(kept, c)
		}
	}
	rung.Kept = kept
	return kept
}

// tried reports whether the last rung had these entrants and records.
func (r *race) tried(entrants []Entrant) bool {
	rungs := r.course.Rungs
	return len(rungs) > 0 && rungs[len(rungs)-1].Records == r.sample.Len() && !slices.ContainsFunc(entrants,
		func(e Entrant) bool { return !slices.Contains(r.course.Entrants, e) })
}

// take chooses the records of a rung, and what is tried on them. Their indexes are held for the rung and the means
// after it, since contenders have terms in common.
func (r *race) take(alive []int, more int) (entrants []Entrant, err error) {
	r.indexes = nil
	if entrants, err = r.choose(alive, more); err != nil {
		return nil, err
	}
	r.indexes = &stringkernel.Indexes{Corpus: r.sample.Corpus, Matrices: true}
	return entrants, nil
}

// choose takes all records and all candidates if that takes no more than half of the work that is left; else as many
// records as the share of the rung is enough for, and on the last rung all candidates if that are three in four
// records and within the budget, otherwise the middle ones.
func (r *race) choose(alive []int, more int) (entrants []Entrant, err error) {
	entrants, left := r.entrants(alive), r.left(alive)
	if r.cost(entrants, r.data, r.Folds) <= left/2 {
		r.sample = r.data
		return entrants, r.divide(r.Folds)
	}
	folds := min(r.Folds, sampleFolds)
	r.sample = r.draw(entrants, folds, share(left, more))
	if more > 1 || 4*r.sample.Len() < 3*r.data.Len() || r.cost(entrants, r.sample, folds) > left {
		entrants = r.middles(alive)
		r.sample = r.draw(entrants, folds, share(left, more))
	}
	if err := r.divide(folds); err != nil {
		return nil, fmt.Errorf("search: %d of %d records: %w; a larger budget takes more", r.sample.Len(), r.data.Len(), err)
	}
	return entrants, nil
}

// divide divides the sample into folds, more than once if there are few records. All records have those they came with.
func (r *race) divide(folds int) error {
	r.folds = nil
	for draw := range r.draws {
		fold := r.fold
		if draw > 0 || !r.complete() {
			var err error
			if fold, err = r.sample.Folds(folds, r.Seed+uint64(draw)); err != nil {
				return err
			}
		}
		r.folds = append(r.folds, fold)
	}
	return nil
}

// certain reports whether nothing can be better than the best so far by more than a standard error, and by much.
func (r *race) certain() bool {
	t := r.course.Table
	if t == nil {
		return false
	}
	mean, _ := t.Value(t.Best)
	lacks := 1 - mean
	if metrics.IsLoss(t.Metric) {
		lacks = mean
	}
	return t.Undefined(t.Best) == 0 && lacks <= min(certain, t.StandardError(t.Best))
}

// preferPlain takes the best candidate of the first contender unless another is better by more than a standard error.
func (c *Course) preferPlain() {
	t := c.Table
	for _, i := range bestOfEach(c.Entrants, t) {
		if c.Entrants[i].Contender == 0 && t.within(i) {
			t.Best = i
		}
	}
}

// complete reports whether the last rung was on all records.
func (r *race) complete() bool { return r.sample == r.data }

// ranking lists the contenders of a table, the one with the best candidate first.
func ranking(entrants []Entrant, t *Table) (order []int) {
	for _, i := range bestOfEach(entrants, t) {
		order = append(order, entrants[i].Contender)
	}
	return order
}

// Best lists the best entrant of each contender of a rung, the best of all first, by their numbers in Entrants.
func (r *Rung) Best() []int { return bestOfEach(r.Entrants, r.Table) }

func bestOfEach(entrants []Entrant, t *Table) (best []int) {
	order := subset.Whole(len(entrants))
	slices.SortStableFunc(order, t.Compare)
	seen := map[int]bool{}
	for _, i := range order {
		if c := entrants[i].Contender; !seen[c] {
			seen[c] = true
			best = append(best, i)
		}
	}
	return best
}

// try cross-validates entrants on the sample.
func (r *race) try(ctx context.Context, entrants []Entrant, mean bool) (*Table, error) {
	rung := Rung{
		Records: r.sample.Len(), Letters: r.sample.Corpus.Letters(), Folds: r.draws * r.divisions(), Entrants: entrants,
		Mean: mean,
	}
	s := Search{Candidates: r.trainers(entrants), Metric: r.Metric, threshold: r.Threshold, indexes: r.indexes}
	rung.Work = r.cost(entrants, r.sample, r.divisions())
	var table *Table
	for draw, fold := range r.folds {
		if r.Progress != nil {
			s.Progress = func(p Progress) {
				done := (float64(draw) + float64(p.Done)/float64(p.Candidates)) / float64(r.draws)
				r.Progress((r.course.Work+float64(rung.Work*done))/r.Budget, len(r.course.Rungs)+1)
			}
		}
		one, err := s.Run(ctx, r.sample, fold)
		if err != nil {
			return nil, r.ofContender(entrants, err)
		}
		if table = one.after(table); draw > 0 {
			if err := table.choose(s.Candidates); err != nil {
				return nil, err
			}
		}
	}
	rung.Table = table
	r.course.Work += rung.Work
	r.course.Rungs = append(r.course.Rungs, rung)
	return table, nil
}

// divisions returns the number of folds of one draw.
func (r *race) divisions() int { return slices.Max(r.folds[0]) + 1 }

// ofContender changes the number of the candidate in an error to that of its contender.
func (r *race) ofContender(entrants []Entrant, err error) error {
	if e, ok := err.(*CandidateError); ok {
		return &CandidateError{entrants[e.Candidate].Contender, e.Err}
	}
	return err
}

// trainers returns the candidates that entrants are.
func (r *race) trainers(entrants []Entrant) []classify.Trainer {
	candidates := make([]classify.Trainer, len(entrants))
	for i, e := range entrants {
		candidates[i] = r.Contenders[e.Contender].Candidates[e.Candidate]
	}
	return candidates
}

func contenders(entrants []Entrant) (list []int) {
	for _, e := range entrants {
		list = append(list, e.Contender)
	}
	return list
}

// draw returns the largest sample on which entrants take no more than some work, or the smallest there is.
func (r *race) draw(entrants []Entrant, folds int, share float64) *dataset.Dataset {
	part := sort.Search(grain-r.leastPart(), func(more int) bool {
		return r.cost(entrants, r.data.Subset(r.part(r.leastPart()+more+1)), folds) > share
	})
	return r.data.Subset(r.part(r.leastPart() + part))
}

// leastPart returns the share of the smallest sample.
func (r *race) leastPart() int {
	n := r.data.Len()
	least := max(leastLong, min(leastSample, leastLetters*n/max(1, r.data.Corpus.Letters())))
	return min(grain, (least*grain+n-1)/n)
}

// part draws a share of the records, in parts of grain: that share of each class, but no less than two records per
// fold if the class has them. A greater share has the records of a smaller one. Groups are not taken whole: folds of
// the sample keep what is taken of them together.
func (r *race) part(share int) (records []int) {
	quota := r.data.Counts()
	for c, m := range quota {
		quota[c] = max((m*share+grain-1)/grain, min(m, 2*r.Folds))
	}
	for _, i := range rand.New(rand.NewPCG(r.Seed, 0x5a3b1e)).Perm(r.data.Len()) {
		if c := r.data.Y[i]; quota[c] > 0 {
			quota[c]--
			records = append(records, i)
		}
	}
	slices.Sort(records)
	return records
}

// Nested estimates a search as [Search.Nested] does: it searches once per outer fold, with the whole budget for each.
// The entrants returned are those that each search has picked.
func (h *Halving) Nested(ctx context.Context, d *dataset.Dataset, outer []int) (*Nested, []Entrant, error) {
	var picked []Entrant
	n, err := nested(ctx, d, outer, cmp.Or(h.Metric, d.DefaultMetric()), func(f int, rest *dataset.Dataset) (
		t classify.Trainer, err error) {
		fold, err := rest.Folds(h.Folds, h.Seed)
		if err != nil {
			return t, err
		}
		course, err := h.run(ctx, rest, fold, false)
		if err != nil {
			return t, err
		}
		winner := course.Winner(h.Pick)
		picked = append(picked, winner)
		return h.Contenders[winner.Contender].Candidates[winner.Candidate], nil
	})
	return n, picked, err
}
