package risk

import (
	"cmp"
	"slices"

	"github.com/seqsvm/seqsvm/internal/fenwick"
)

// Ranking is the risk of ordering records by grades y (Herbrich et al. 2000; Joachims 2006,
// doi:10.1145/1150402.1150429),
//
//	R(f) = C n/P Σ over pairs y_i > y_j of  max(0, 1 − (f_i − f_j)),
//
// over all P pairs of records of one group with different grades. Two grades make it a bound of 1 − AUROC. Pairs are
// not listed: a plane takes O(n log n).
type Ranking struct {
	n      int
	cost   float64 // C n/P
	groups []group
	counts fenwick.Tree // of the grades
}

// group is the records of a group in the order of their scores when last seen, which is nearly that of the next time.
type group struct {
	records []int32
	level   []int32 // of the record, 0-based number of its grade among those of the group; indexed by record
	levels  int
}

// NewRanking returns the risk of the grades y at the cost c. Records of different groups are not compared; nil: all
// are in one. Without a pair there is nothing to learn: ok is false.
func NewRanking(y []float64, groups []string, c float64) (r *Ranking, ok bool) {
	r = &Ranking{n: len(y)}
	members := map[string][]int32{}
	var names []string
	for i := range y {
		name := ""
		if groups != nil {
			name = groups[i]
		}
		if members[name] == nil {
			names = append(names, name)
		}
		members[name] = append(members[name], int32(i))
	}
	level, pairs, most := make([]int32, len(y)), 0.0, 0
	for _, name := range names {
		g := group{records: members[name], level: level}
		pairs += g.grade(y)
		most = max(most, g.levels)
		if g.levels > 1 {
			r.groups = append(r.groups, g)
		}
	}
	r.cost, r.counts = c*float64(len(y))/pairs, make(fenwick.Tree, most+1)
	return r, pairs > 0
}

// grade numbers the grades of a group, and returns the number of pairs of different grades.
func (g *group) grade(y []float64) (pairs float64) {
	slices.SortStableFunc(g.records, func(i, j int32) int { return cmp.Compare(y[i], y[j]) })
	same := 0
	for k, i := range g.records {
		if k == 0 || y[i] != y[g.records[k-1]] {
			g.levels++
			same = 0
		}
		g.level[i] = int32(g.levels - 1)
		pairs += float64(k - same)
		same++
	}
	return pairs
}

// Len returns the number of records.
func (r *Ranking) Len() int { return r.n }

// Nonnegative reports that R ≥ 0.
func (r *Ranking) Nonnegative() bool { return true }

// Scalars returns nothing: pairs know no bias.
func (r *Ranking) Scalars([]float64) []float64 { return nil }

// Plane implements [Risk] by one sort of the scores and two sweeps. A record counts 1 for each record of a lower grade
// that is less than 1 below it, and −1 for each of a higher grade that is less than 1 above it.
func (r *Ranking) Plane(a, f []float64) (value, offset float64) {
	clear(a)
	for i := range r.groups {
		g := &r.groups[i]
		slices.SortFunc(g.records, func(i, j int32) int {
			return cmp.Or(cmp.Compare(f[i], f[j]), cmp.Compare(i, j))
		})
		losing := g.sweep(a, f, r.counts[:g.levels+1])
		offset += losing
		middle := f[g.records[len(g.records)/2]] // Σ a = 0: scores may be measured from anywhere, best from among them
		for _, i := range g.records {
			value -= float64(a[i] * (f[i] - middle))
		}
		value += losing
	}
	for i := range a {
		a[i] *= r.cost
	}
	return r.cost * value, r.cost * offset
}

// sweep counts in a, and returns the number of pairs that lose.
func (g *group) sweep(a, f []float64, tree fenwick.Tree) (losing float64) {
	clear(tree)
	n, next := len(g.records), 0
	for _, i := range g.records { // the records less than 1 above, of higher grades
		for ; next < n && f[g.records[next]]-f[i] < 1; next++ {
			tree.Add(int(g.level[g.records[next]]))
		}
		higher := float64(next - tree.Below(int(g.level[i])+1))
		a[i] -= higher
		losing += higher
	}
	clear(tree)
	next = n - 1
	for k := n - 1; k >= 0; k-- { // the records less than 1 below, of lower grades
		i := g.records[k]
		for ; next >= 0 && f[i]-f[g.records[next]] < 1; next-- {
			tree.Add(int(g.level[g.records[next]]))
		}
		a[i] += float64(tree.Below(int(g.level[i])))
	}
	return losing
}
