package metrics

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

// Bootstrap says how much metrics vary from one set of records to another: they are measured again on samples of the
// records, drawn with replacement (Efron & Tibshirani 1993, doi:10.1201/9780429246593). What is
// drawn are groups of records or, without groups, records. Draws are stratified: a sample has as many groups of each
// stratum as there are. The model is given, so that its own variation, from one training set to another, is not in
// the figures. [Replicates.Interval] makes intervals of them.
type Bootstrap struct {
	Replicates int    // samples to draw; zero: DefaultReplicates
	Seed       uint64 // of the draws
	// nil, or the stratum of each record, any number. Groups with records of several strata are a stratum of their own.
	Strata []int
	Groups []string // nil, or the group of each record
}

// DefaultReplicates is the usual number of samples of a [Bootstrap].
const DefaultReplicates = 1000

// Resample is what a replicate has drawn.
type Resample struct {
	Records []int // ascending; a record that was drawn k times is there k times
	// for each of Records the number of the draw, from 0, that it came with: copies of a group are kept apart by it
	Draws []int
}

// Replicates are the metrics of the samples of a [Bootstrap].
type Replicates struct {
	Values  [][]Float // [r][m] is metric m of sample r, NaN where undefined
	Units   int       // groups or records that were drawn from
	Freedom int       // their number less that of the strata
}

// Run draws samples of n records and measures each. measure is called by several goroutines at once and returns as many
// metrics each time. The same seed gives the same samples, whatever the number of processors. O(replicates · (n +
// measure)).
func (b Bootstrap) Run(ctx context.Context, n int, measure func(Resample) ([]Float, error)) (*Replicates, error) {
	if b.Strata != nil && len(b.Strata) != n || b.Groups != nil && len(b.Groups) != n {
		return nil, fmt.Errorf("metrics: bootstrap: %d strata and %d groups for %d records, want one per record, or "+
			"none", len(b.Strata), len(b.Groups), n)
	}
	replicates := cmp.Or(b.Replicates, DefaultReplicates)
	if replicates < 1 || n < 1 {
		return nil, fmt.Errorf("metrics: bootstrap: %d replicates of %d records, want at least 1 of each", replicates,
			n)
	}
	urn := b.fill(n)
	out := &Replicates{
		Values: make([][]Float, replicates), Units: urn.units, Freedom: urn.units - len(urn.strata),
	}
	err := parallel.Do(ctx, replicates, func(r int) (err error) {
		out.Values[r], err = measure(urn.draw(rand.New(rand.NewPCG(b.Seed, 0xb0075+uint64(r)))))
		return err
	})
	return out, err
}

// urn is what a bootstrap draws from.
type urn struct {
	unit   []int   // the unit, a group or a record, of each record
	units  int     // their number
	strata [][]int // units by stratum
}

// mixed is the stratum of the groups whose records are of several.
const mixed = math.MaxInt

// fill numbers units and strata in the order of their first records.
func (b Bootstrap) fill(n int) *urn {
	u := &urn{unit: make([]int, n)}
	var stratum []int // of each unit
	known := map[string]int{}
	for i := range n {
		of := 0
		if b.Strata != nil {
			of = b.Strata[i]
		}
		at, again := len(stratum), false
		if b.Groups != nil {
			if at, again = known[b.Groups[i]]; !again {
				at = len(stratum)
				known[b.Groups[i]] = at
			}
		}
		switch {
		case !again:
			stratum = append(stratum, of)
		case stratum[at] != of:
			stratum[at] = mixed
		}
		u.unit[i] = at
	}
	u.units = len(stratum)
	number := map[int]int{}
	for at, of := range stratum {
		s, again := number[of]
		if !again {
			s = len(u.strata)
			number[of], u.strata = s, append(u.strata, nil)
		}
		u.strata[s] = append(u.strata[s], at)
	}
	return u
}

// draw draws a sample.
func (u *urn) draw(rng *rand.Rand) Resample {
	count := make([]int, u.units)
	for _, units := range u.strata {
		for range units {
			count[units[rng.IntN(len(units))]]++
		}
	}
	first := make([]int, u.units) // number of the first draw of each unit
	next := 0
	for at, times := range count {
		first[at] = next
		next += times
	}
	s := Resample{make([]int, 0, len(u.unit)), make([]int, 0, len(u.unit))}
	for i, at := range u.unit {
		for k := range count[at] {
			s.Records, s.Draws = append(s.Records, i), append(s.Draws, first[at]+k)
		}
	}
	return s
}
