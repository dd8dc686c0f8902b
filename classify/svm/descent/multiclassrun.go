package descent

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// multiclassRun is the state of one call of CrammerSinger.Solve.
type multiclassRun struct {
	svm.MulticlassProblem
	descent   // its dual is −½ Σ_m ‖w_m‖² − Σ_im e_im α_im
	features  stringkernel.FeatureRows
	width     int       // classes, rounded up to a multiple of simd.RowWidth
	table     []float64 // Σ_i α_im φ(x_i), the classes of a feature side by side, width numbers
	alpha     []float64 // the classes of a record side by side
	diag, own []float64 // K_ii, and the part of it that is not in the rows

	visited *scored     // the record that is visited
	base    []float64   // of one record: B_m less that of a class other than y
	by      []float64   // width numbers of one record
	moved   []shift     // of one record
	spare   sync.Pool   // of *scored, records that are certified
	parts   []terms     // of all records
	best    [][]float64 // the coefficients kept, class by class
}

// scored is a record with its row and its scores.
type scored struct {
	record int
	ids    []uint32
	values []float64
	sums   []float64 // width numbers
	scores []float64 // ⟨w_m, φ(x)⟩: the first of sums
}

// terms are what a record adds to a certificate.
type terms struct {
	loss, square, gap float64
}

// shift is a change of the coefficient of a class.
type shift struct {
	class int
	by    float64
}

func (r *multiclassRun) pass(ctx context.Context) error { return r.descent.pass(ctx, r.move) }

// move moves the coefficients of one record to the maximum of the dual and reports whether the record may be left out.
func (r *multiclassRun) move(i int) (shrunk bool) {
	alpha, now := r.alphaOf(i), r.visited
	r.read(now, i)
	r.score(now)
	r.met += r.gapOf(i, now.scores).gap
	free, violation, margin := r.judge(i, now.scores)
	if violation <= 0 {
		return free == 1 && r.leaves(i, margin)
	}
	r.moves(violation)
	r.solveRecord(i, alpha, now.scores)
	for _, s := range r.moved {
		gradient := now.scores[s.class]
		if s.class != r.Y[i] {
			gradient++
		}
		r.dual -= float64(s.by * (gradient + float64(s.by*r.diag[i]/2)))
	}
	r.scatter(now, r.moved)
	return false
}

// borrow takes space for a record.
func (r *multiclassRun) borrow() *scored {
	if s, found := r.spare.Get().(*scored); found {
		return s
	}
	sums := make([]float64, r.width)
	return &scored{sums: sums, scores: sums[:r.Classes]}
}

// alphaOf returns the coefficients of record i.
func (r *multiclassRun) alphaOf(i int) []float64 { return r.alpha[i*r.Classes:][:r.Classes] }

// read reads the row of record i.
func (r *multiclassRun) read(s *scored, i int) {
	s.record = i
	s.ids, s.values = r.features.AppendRow(s.ids[:0], s.values[:0], i)
}

// score computes the scores of the record that was read.
func (r *multiclassRun) score(s *scored) {
	simd.GatherRows(s.sums, r.table, s.ids, s.values)
	if own := r.own[s.record]; own != 0 {
		for m, a := range r.alphaOf(s.record) {
			s.scores[m] += float64(own * a)
		}
	}
}

// gapOf returns the loss of a record with some scores, its part of Σ_m ‖w_m‖², and its part of the gap, C max_m v_m +
// Σ_{m ≠ y} α_m v_m with v_m = e_m + s_m − s_y, which is no less than 0.
func (r *multiclassRun) gapOf(i int, scores []float64) (c terms) {
	y, alpha := r.Y[i], r.alphaOf(i)
	greatest, weighted := 0.0, 0.0
	for m, s := range scores {
		c.square += float64(alpha[m] * s)
		if m == y {
			continue
		}
		v := 1 + s - scores[y]
		greatest = max(greatest, v)
		weighted += float64(alpha[m] * v)
	}
	c.loss = float64(r.Cost(i) * greatest)
	c.gap = max(0, c.loss+weighted)
	return c
}

// judge looks at the gradients G_m = s_m + e_m: at the optimum those of the free coefficients, below their bounds, are
// equal and no other is greater. It returns how many are free, by how much that is violated, and, if one is free and it
// is not violated, by how much its gradient exceeds the others.
func (r *multiclassRun) judge(i int, scores []float64) (free int, violation, margin float64) {
	y, alpha := r.Y[i], r.alphaOf(i)
	greatest, second, least := math.Inf(-1), math.Inf(-1), math.Inf(1)
	for m, s := range scores {
		bound := 0.0
		if m == y {
			bound = r.Cost(i)
		} else {
			s++
		}
		if alpha[m] < bound {
			free++
			least = min(least, s)
		}
		if s > greatest {
			greatest, second = s, greatest
		} else {
			second = max(second, s)
		}
	}
	return free, greatest - least, greatest - second
}

// solveRecord finds the best coefficients of one record, stores them and lists the shifts.
func (r *multiclassRun) solveRecord(i int, alpha, scores []float64) {
	y, cost, diag := r.Y[i], r.Cost(i), r.diag[i]
	r.moved = r.moved[:0]
	other := (y + 1) % r.Classes
	if diag <= 0 { // the record scores 0 whatever its coefficients: they can only close its gap
		r.shift(alpha, other, -cost)
		r.shift(alpha, y, cost)
		return
	}
	for m, s := range scores { // less that of another class, since a small C K_ii is lost beside 1
		r.base[m] = s - scores[other] - float64(diag*(alpha[m]-alpha[other]))
	}
	r.base[y]--
	beta := betaOf(r.base, y, float64(diag*cost))
	sum := 0.0
	for m := range alpha {
		if m == y {
			continue
		}
		next := min(0, (beta-r.base[m])/diag)
		sum += next
		r.shift(alpha, m, next)
	}
	r.shift(alpha, y, min(cost, -sum))
}

// shift sets a coefficient and lists the change.
func (r *multiclassRun) shift(alpha []float64, m int, next float64) {
	by := next - alpha[m]
	if by == 0 {
		return
	}
	alpha[m] = next
	r.moved = append(r.moved, shift{m, by})
}

// betaOf returns the β with Σ_m min(bound_m, β − base_m) = 0, where the bound is most for class y and 0 for others.
// The sum is concave and rising in β, so that Newton's steps from the left rise to the solution. They begin where class
// y and the greatest of the others alone sum to 0: the rest only subtracts.
func betaOf(base []float64, y int, most float64) float64 {
	greatest := math.Inf(-1)
	for m, b := range base {
		if m != y {
			greatest = max(greatest, b)
		}
	}
	beta := base[y]
	if greatest > beta {
		beta = max((beta+greatest)/2, greatest-most)
	}
	for {
		sum, free := 0.0, 0
		for m, b := range base {
			if m != y && b > beta {
				sum += b
				free++
			}
		}
		if beta-base[y] < most {
			sum += base[y]
			free++
		} else {
			sum -= most
		}
		next := sum / float64(max(1, free))
		if free == 0 || !(next > beta) {
			return beta
		}
		beta = next
	}
}

// certificate recomputes the weights from the coefficients, and objectives and gap over all records.
func (r *multiclassRun) certificate(ctx context.Context) (c svm.Certificate, err error) {
	r.certified++
	clear(r.table)
	for i := range r.Y {
		r.moved = r.moved[:0]
		for m, a := range r.alphaOf(i) {
			if a != 0 {
				r.moved = append(r.moved, shift{m, a})
			}
		}
		if len(r.moved) > 0 {
			r.read(r.visited, i)
			r.scatter(r.visited, r.moved)
		}
	}
	blocks := (len(r.Y) + certifiedBlock - 1) / certifiedBlock
	failed := parallel.Do(ctx, blocks, func(b int) error {
		return r.certify(b*certifiedBlock, min((b+1)*certifiedBlock, len(r.Y)))
	})
	var loss, square, linear, gap float64
	for i, y := range r.Y {
		p := &r.parts[i]
		loss, square, gap = loss+p.loss, square+p.square, gap+p.gap
		for m, a := range r.alphaOf(i) {
			if m != y {
				linear -= a
			}
		}
	}
	c.Primal, c.Dual = float64(square/2)+loss, linear-float64(square/2)
	c.Gap = svm.Relative(gap, c.Primal)
	r.dual = c.Dual
	return c, failed
}

// certifiedBlock is the number of records that are certified one after another. Results do not depend on it.
const certifiedBlock = 64

// certify computes what the records lo … hi−1 add to the certificate.
func (r *multiclassRun) certify(lo, hi int) error {
	s := r.borrow()
	defer r.spare.Put(s)
	for i := lo; i < hi; i++ {
		r.read(s, i)
		r.score(s)
		if m := vectors.FirstNonFinite(s.scores); m >= 0 {
			return fmt.Errorf("svm: score %d of record %d from the feature rows is %v, want finite kernel values",
				m, i, s.scores[m])
		}
		r.parts[i] = r.gapOf(i, s.scores)
	}
	return nil
}

// keep copies the coefficients class by class.
func (r *multiclassRun) keep() {
	if r.best == nil {
		r.best = scratch.Vectors(r.Classes, len(r.Y))
	}
	for m, best := range r.best {
		for i := range best {
			best[i] = r.alpha[i*r.Classes+m]
		}
	}
}

// scatter adds the row of a record, times each shift, to the weights of its class: of all classes at once where that
// reaches no more of the table, as where those of a feature are in one line of the caches.
func (r *multiclassRun) scatter(s *scored, shifts []shift) {
	if len(shifts) > simd.RowWidth || r.width <= 2*simd.RowWidth {
		clear(r.by)
		for _, s := range shifts {
			r.by[s.class] = s.by
		}
		simd.ScatterRows(r.table, s.ids, s.values, r.by)
		return
	}
	for e, id := range s.ids {
		weights, value := r.table[int(id)*r.width:][:r.width], s.values[e]
		for _, s := range shifts {
			weights[s.class] += float64(s.by * value)
		}
	}
}
