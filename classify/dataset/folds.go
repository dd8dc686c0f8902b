package dataset

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/internal/scratch"
)

// StratifiedFolds assigns every record one of k folds, 0 … k−1, so that the folds' sizes differ by at most one and so
// do the numbers of each class in them. Records are shuffled within their class by a PCG generator of the seed.
//
// A class with fewer records than folds is absent from the test part of some folds; it needs two records, so that
// no training part is without it. O(n).
func (d *Dataset) StratifiedFolds(k int, seed uint64) ([]int, error) {
	if err := d.checkFoldCount(k); err != nil {
		return nil, err
	}
	return Stratify(d.Y, len(d.Classes), k, seed), nil
}

// Stratify deals the shuffled records of one class after the other to the folds in turn.
func Stratify(y []int, classes, k int, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 0x5f01d5))
	members := make([][]int, classes)
	for i, c := range y {
		members[c] = append(members[c], i)
	}
	fold := make([]int, len(y))
	next := 0
	for _, m := range members {
		rng.Shuffle(len(m), func(i, j int) { m[i], m[j] = m[j], m[i] })
		for _, i := range m {
			fold[i] = next % k
			next++
		}
	}
	return fold
}

// GroupedFolds assigns every record one of k folds so that no group is in two folds, the classes being spread as evenly
// as the groups allow: groups are placed one by one, the largest first (ties in an order shuffled by the seed), each in
// the fold where the squared deviations of the class counts from an even spread grow least. It needs Groups, at least k
// of them, and every class in at least two groups. Where few groups hold several classes that may not suffice: all
// groups of a class in one fold are an error, which another seed or number of folds may avoid. O(groups · k · classes).
func (d *Dataset) GroupedFolds(k int, seed uint64) ([]int, error) {
	if err := d.checkFoldCount(k); err != nil {
		return nil, err
	}
	if d.Groups == nil {
		return nil, fmt.Errorf("classify: the data set has no groups")
	}
	fold, groups := foldGroups(d.Y, d.Groups, len(d.Classes), k, seed)
	if groups < k {
		return nil, fmt.Errorf("classify: %s, but %d folds: every fold needs a group", plural.Of(groups, "group"), k)
	}
	if err := d.CheckFolds(fold); err != nil {
		return nil, err
	}
	return fold, nil
}

// foldGroups returns the fold per record and the number of groups.
func foldGroups(y []int, names []string, classes, k int, seed uint64) (fold []int, groups int) {
	counted := countGroups(y, names, classes, seed)
	placed := placeGroups(counted, k, classes)
	for _, g := range names {
		fold = append(fold, placed[g])
	}
	return fold, len(counted)
}

// group is a group's name with its records per class.
type group struct {
	name   string
	size   int
	counts []int
}

// countGroups returns the groups, the largest first.
func countGroups(y []int, names []string, classes int, seed uint64) []group {
	number := map[string]int{}
	var groups []group
	for i, name := range names {
		g, known := number[name]
		if !known {
			g = len(groups)
			number[name] = g
			groups = append(groups, group{name: name, counts: make([]int, classes)})
		}
		groups[g].size++
		groups[g].counts[y[i]]++
	}
	rng := rand.New(rand.NewPCG(seed, 0x6f01d5))
	rng.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(b.size, a.size) })
	return groups
}

// placeGroups returns the fold of each group. Classes weigh by the inverse of their frequency. As long as there are no
// more groups left than empty folds, an empty fold is taken.
func placeGroups(groups []group, k, classes int) map[string]int {
	total := make([]float64, classes)
	for _, g := range groups {
		for c, m := range g.counts {
			total[c] += float64(m)
		}
	}
	have, size := scratch.Vectors(k, classes), make([]int, k)
	empty := k
	placed := make(map[string]int, len(groups))
	for at, g := range groups {
		best, bestGrowth := -1, 0.0
		for f := range k {
			if len(groups)-at <= empty && size[f] > 0 {
				continue
			}
			// Σ_c ((have + m)² − have²)/total² is the growth of the sum of squares, whose minimum is the even spread.
			growth := 0.0
			for c, m := range g.counts {
				if m > 0 {
					growth += float64(m) * (2*have[f][c] + float64(m)) / (total[c] * total[c])
				}
			}
			if best < 0 || growth < bestGrowth || growth == bestGrowth && size[f] < size[best] {
				best, bestGrowth = f, growth
			}
		}
		if size[best] == 0 {
			empty--
		}
		placed[g.name] = best
		size[best] += g.size
		for c, m := range g.counts {
			have[best][c] += float64(m)
		}
	}
	return placed
}

// Folds returns GroupedFolds if there are groups, else StratifiedFolds. With Others it returns at most k folds, of
// blocks of both kinds of groups.
func (d *Dataset) Folds(k int, seed uint64) ([]int, error) {
	if d.Others != nil {
		return d.blockedFolds(k, seed)
	}
	if d.Groups != nil {
		return d.GroupedFolds(k, seed)
	}
	return d.StratifiedFolds(k, seed)
}

func (d *Dataset) checkFoldCount(k int) error {
	if err := d.checkLabels(); err != nil {
		return err
	}
	if k < 2 || k > d.Len() {
		return fmt.Errorf("classify: %s of %s, want at least 2 folds and a record in each", plural.Of(k, "fold"),
			plural.Of(d.Len(), "record"))
	}
	for c, m := range d.Counts() {
		if m < 2 && !d.MayLack(c) {
			return fmt.Errorf("classify: class %.80q has %s, want at least 2 for cross-validation",
				d.Classes[c], plural.Of(m, "record"))
		}
	}
	return nil
}

// CheckFolds returns an error unless a fold assignment leaves every fold something to test and every class something to
// train on.
func (d *Dataset) CheckFolds(fold []int) error {
	if len(fold) != d.Len() {
		return fmt.Errorf("classify: %d fold numbers for %d records, want one per record", len(fold), d.Len())
	}
	k := 0
	for i, f := range fold {
		if f < 0 || f >= len(fold) {
			return fmt.Errorf("classify: record %s is in fold %d, want 0 to %d",
				recordName(d.Corpus, i), f, len(fold)-1)
		}
		k = max(k, f+1)
	}
	if k < 2 {
		return fmt.Errorf("classify: all records are in one fold, want at least two folds")
	}
	filled := make([]bool, k)
	for _, f := range fold {
		filled[f] = true
	}
	if f := slices.Index(filled, false); f >= 0 {
		return fmt.Errorf("classify: fold %d of 0 to %d has no records", f, k-1)
	}
	if c := inOneFold(d.Y, len(d.Classes), fold); c >= 0 && !d.MayLack(c) {
		return fmt.Errorf("classify: all %d records of class %.80q are in fold %d, want every class in at least "+
			"two folds",
			d.Counts()[c], d.Classes[c], fold[slices.Index(d.Y, c)])
	}
	return nil
}

// inOneFold returns the first class with all of its records in one fold, −1 if there is none.
func inOneFold(y []int, classes int, fold []int) int {
	const none, several = -1, -2
	of := slices.Repeat([]int{none}, classes)
	for i, c := range y {
		if of[c] == none {
			of[c] = fold[i]
		} else if of[c] != fold[i] {
			of[c] = several
		}
	}
	return slices.IndexFunc(of, func(f int) bool { return f >= 0 })
}
