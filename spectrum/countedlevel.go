package spectrum

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// countedLevel is the k-mers of one length.
type countedLevel struct {
	coder  coder
	codes  []uint64  // ascending; of one k-mer as many as it has counts
	counts []int32   // of support vectors, ascending for each k-mer; nil if the function is separable
	values []float64 // a row for each code

	// What follows is made when first asked for.
	firsts []int32 // of each k-mer the number of its first row, and at last that of all; nil: each has one row
	table  []int32 // by code: the number of the k-mer plus 1; nil: found by search
	search *lookup // of the numbers
	total  int
}

// countedRows is the k-mers of a level and their rows, while more are added.
type countedRows struct {
	codes  chunks[uint64]
	counts chunks[int32]
	values chunks[float64]
}

// weigher sums the weights of k-mers by the coefficients of documents.
type weigher struct {
	separable bool
	values    countof.Values // if the function is separable
	coef      [][]float64
	row       []float64
}

func newWeigher(f stringkernel.Count, coef [][]float64) *weigher {
	w := &weigher{separable: f.Separable(), coef: coef, row: make([]float64, len(coef))}
	if w.separable {
		w.values = countof.New(f)
	}
	return w
}

// add adds the weights of a k-mer: one row if the function is separable, else one for each count.
func (w *weigher) add(rows *countedRows, code uint64, h *holding) {
	row := w.row
	if w.separable {
		clear(row)
		for i, doc := range h.docs {
			value := w.values.At(uint32(h.counts[i]))
			for o := range row {
				row[o] += float64(value * w.coef[o][doc])
			}
		}
		rows.put(code, row)
		return
	}
	for _, n := range h.distinct() {
		clear(row)
		for i, doc := range h.docs {
			if h.counts[i] != n {
				continue
			}
			for o := range row {
				row[o] += w.coef[o][doc]
			}
		}
		if rows.put(code, row) {
			rows.counts.add(int32(n))
		}
	}
}

// put appends a row, and reports whether it is one of other numbers than 0.
func (r *countedRows) put(code uint64, row []float64) bool {
	if isZero(row) {
		return false
	}
	r.codes.add(code)
	r.values.keep(copy(r.values.room(len(row)), row))
	return true
}

// level returns the level, and throws the rows away.
func (r *countedRows) level(ctx context.Context, coder coder) countedLevel {
	l := countedLevel{coder: coder, codes: r.codes.list(ctx), values: r.values.list(ctx)}
	if r.counts.len() > 0 {
		l.counts = r.counts.list(ctx)
	}
	return l
}

// arrange numbers the k-mers: in a table indexed by the code where that is small, or not much larger than the weights.
func (l *countedLevel) arrange(ctx context.Context, separable bool) {
	codes := l.codes
	if !separable {
		codes, l.firsts = nil, nil
		for i, code := range cancel.All(ctx, l.codes) {
			if i == 0 || code != l.codes[i-1] {
				codes, l.firsts = append(codes, code), append(l.firsts, int32(i))
			}
		}
		l.firsts = append(l.firsts, int32(len(l.codes)))
	}
	l.total = len(codes)
	width := l.coder.Bits * uint(l.coder.K)
	if width <= 16 || width <= tableBits && 1<<width <= scorerPerKmer*len(codes) {
		l.table = make([]int32, 1<<width)
		for i, code := range codes {
			l.table[code] = int32(i) + 1
		}
		return
	}
	numbers := make([]float64, len(codes))
	for i := range numbers {
		numbers[i] = float64(i)
	}
	l.search = newLookup(ctx, codes, numbers, 1)
}

// number returns that of a k-mer, −1 if it has no weight.
func (l *countedLevel) number(code uint64) int32 {
	if l.table != nil {
		return l.table[code] - 1
	}
	if at := l.search.find(code); at >= 0 {
		return int32(l.search.values[at])
	}
	return -1
}

// spread adds a share to the letters of the k-mer that begins at a place of the record of a sequence with contributions
// dst: on the other strand, behind a break, places are counted from the last letter.
func (l *countedLevel) spread(dst []float64, at int, share float64) {
	for p := at; p < at+l.coder.K; p++ {
		if p < len(dst) {
			dst[p] += share
		} else {
			dst[2*len(dst)-p] += share
		}
	}
}

// text returns a k-mer.
func (l *countedLevel) text(number int32) string {
	if l.firsts != nil {
		number = l.firsts[number]
	}
	return l.coder.String(l.codes[number])
}

// check returns an error unless codes are k-mers of the alphabet and ascend, or their counts do.
func (l *countedLevel) check(counts bool) error {
	if !counts {
		return l.coder.checkCodes(l.codes)
	}
	if len(l.counts) != len(l.codes) {
		return fmt.Errorf("%d counts of %d codes", len(l.counts), len(l.codes))
	}
	for i, code := range l.codes {
		switch {
		case !l.coder.Valid(code):
			return fmt.Errorf("code %d (%#x) is not a k-mer of the alphabet", i, code)
		case l.counts[i] < 1:
			return fmt.Errorf("count %d is %d, want 1 or more", i, l.counts[i])
		case i > 0 && (code < l.codes[i-1] || code == l.codes[i-1] && l.counts[i] <= l.counts[i-1]):
			return fmt.Errorf("code %d, or its count, does not ascend", i)
		}
	}
	return nil
}
