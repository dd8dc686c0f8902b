package search

import (
	"context"
	"slices"
)

// means adds kernels to the best as long as that gains more than a standard error and there is work left.
func (r *race) means(ctx context.Context) error {
	if r.Mean == nil || r.certain() {
		return nil
	}
	c := r.course
	with := ranking(c.Entrants, c.Table)
	with = with[:min(len(with), finalists)]
	terms := with[:1]
	for longest := terms[0]; len(terms) < mostTerms; {
		longer, err := r.longer(terms, with)
		if err != nil {
			return err
		}
		entrants := r.affordableMeans(longer, r.best(longest, meanOptions))
		if len(entrants) == 0 {
			return nil
		}
		before := c.Table.Best
		if err := r.tryMeans(ctx, entrants); err != nil {
			return err
		}
		if c.Table.Compare(c.Table.Best, before) >= 0 {
			return nil
		}
		gains := c.Table.ahead(c.Table.Best, before)
		longest = c.Entrants[c.Table.Best].Contender
		c.Rungs[len(c.Rungs)-1].Kept = []int{longest}
		terms = append(slices.Clone(terms), with[slices.Index(longer, longest)])
		if !gains || r.certain() {
			return nil
		}
	}
	return nil
}

// longer returns the means of terms and one more, for each that this may be.
func (r *race) longer(terms, with []int) (means []int, err error) {
	for _, one := range with {
		mean := one // the mean of a kernel and itself, which is in the table already
		if len(terms) > 1 || one != terms[0] {
			if mean, err = r.Mean(append(slices.Clone(terms), one)); err != nil {
				return nil, err
			}
		}
		means = append(means, mean)
	}
	return means, nil
}

// affordableMeans lists the means that are not in the table with some of their candidates, as many as there is work
// for.
func (r *race) affordableMeans(means, candidates []int) (entrants []Entrant) {
	for _, mean := range means {
		if slices.ContainsFunc(r.course.Entrants, func(e Entrant) bool { return e.Contender == mean }) {
			continue
		}
		with := entrants
		for _, candidate := range candidates {
			with = append(with, Entrant{mean, candidate})
		}
		if r.cost(with, r.sample, r.divisions()) <= r.left(contenders(with)) {
			entrants = with
		}
	}
	return entrants
}

// tryMeans cross-validates entrants on the records of the last rung, and adds them to its table.
func (r *race) tryMeans(ctx context.Context, entrants []Entrant) error {
	table, err := r.try(ctx, entrants, true)
	if err != nil {
		return err
	}
	c := r.course
	c.Entrants = slices.Concat(c.Entrants, entrants)
	c.Table = &Table{Metric: c.Table.Metric, Results: slices.Concat(c.Table.Results, table.Results), draws: table.draws}
	return c.Table.choose(r.trainers(c.Entrants))
}
