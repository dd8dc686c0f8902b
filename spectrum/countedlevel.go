package spectrum

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// countedLevel is the k-mers of one length.
type countedLevel struct {
	coder  coder
	codes  []uint64  // ascending
	values []float64 // a row for each code

	// What follows is made when first asked for.
	table  []int32 // by code: the number of the k-mer plus 1; nil: found by search
	search *lookup // of the numbers
	total  int
}

// countedRows is the k-mers of a level and their rows, while more are added.
type countedRows struct {
	codes  chunks[uint64]
	values chunks[float64]
}

// weigher sums the weights of k-mers by the coefficients of documents.
type weigher struct {
	values countof.Values
	coef   [][]float64
	row    []float64
}

func newWeigher(f stringkernel.Count, coef [][]float64) *weigher {
	return &weigher{countof.New(f), coef, make([]float64, len(coef))}
}

// add adds the weights of a k-mer.
func (w *weigher) add(rows *countedRows, code uint64, h *holding) {
	clear(w.row)
	for i, doc := range h.docs {
		value := w.values.At(uint32(h.counts[i]))
		for o := range w.row {
			w.row[o] += float64(value * w.coef[o][doc])
		}
	}
	rows.put(code, w.row)
}

// put appends a row of other numbers than 0.
func (r *countedRows) put(code uint64, row []float64) {
	if !isZero(row) {
		r.codes.add(code)
		r.values.keep(copy(r.values.room(len(row)), row))
	}
}

// level returns the level, and throws the rows away.
func (r *countedRows) level(ctx context.Context, coder coder) countedLevel {
	return countedLevel{coder: coder, codes: r.codes.list(ctx), values: r.values.list(ctx)}
}

// arrange numbers the k-mers: in a table indexed by the code where that is small, or not much larger than the weights.
func (l *countedLevel) arrange(ctx context.Context) {
	codes := l.codes
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
	return l.coder.String(l.codes[number])
}
