package motif_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/report/motif"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// drawnMatrix is random columns, some near one letter.
func drawnMatrix(r *rand.Rand, columns int) [][]float64 {
	matrix := make([][]float64, columns)
	for j := range matrix {
		row, sum := make([]float64, 4), 0.0
		for c := range row {
			row[c] = math.Exp(3 * r.NormFloat64())
			sum += row[c]
		}
		for c := range row {
			row[c] /= sum
		}
		matrix[j] = row
	}
	return matrix
}

// turned is the reverse complement of a matrix.
func turned(matrix [][]float64) (other [][]float64) {
	for _, row := range slices.Backward(matrix) {
		other = append(other, []float64{row[3], row[2], row[1], row[0]})
	}
	return other
}

// correlation is Pearson's by its definition.
func correlation(x, y []float64) float64 {
	mean := func(of func(i int) float64) (sum float64) {
		for i := range x {
			sum += of(i) / float64(len(x))
		}
		return sum
	}
	mx, my := mean(func(i int) float64 { return x[i] }), mean(func(i int) float64 { return y[i] })
	cov := mean(func(i int) float64 { return (x[i] - mx) * (y[i] - my) })
	vx, vy := mean(func(i int) float64 { return (x[i] - mx) * (x[i] - mx) }), mean(func(i int) float64 { return (y[i] - my) * (y[i] - my) })
	return cov / math.Sqrt(vx*vy)
}

// The best match is that of trying all known motifs, strands and offsets, where P is counted over all tuples of columns.
func TestMatchesByForce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 8 {
		query := drawnMatrix(r, 3+r.IntN(2))
		known := []motif.Known{{Name: "a", Matrix: drawnMatrix(r, 2)}, {Name: "b", Matrix: drawnMatrix(r, 5)}}
		var columns [][]float64
		for _, k := range known {
			columns = slices.Concat(columns, k.Matrix, turned(k.Matrix))
		}
		score := func(x, y []float64) int { return int(math.Round(50 * (1 + correlation(x, y)))) }
		// chance counts the tuples of columns that score at least as much beside some of the query
		var chance func(own [][]float64, least int) float64
		chance = func(own [][]float64, least int) (share float64) {
			if len(own) == 0 {
				return map[bool]float64{true: 1}[least <= 0]
			}
			for _, other := range columns {
				share += chance(own[1:], least-score(own[0], other)) / float64(len(columns))
			}
			return share
		}
		best, all := motif.Match{P: 2}, []float64{}
		for _, k := range known {
			of, ways := motif.Match{P: 2}, 0.0
			for strand, other := range [][][]float64{k.Matrix, turned(k.Matrix)} {
				for offset := -len(other); offset <= len(query); offset++ {
					lo, hi := max(0, offset), min(len(query), offset+len(other))
					if hi-lo < min(5, len(query), len(other)) {
						continue
					}
					sum := 0
					for j := lo; j < hi; j++ {
						sum += score(query[j], other[j-offset])
					}
					if ways++; chance(query[lo:hi], sum) < of.P {
						facing := slices.Concat(other[lo-offset : hi-offset]...)
						of = motif.Match{motif.Known{k.Name, other}, strand == 1, offset,
							correlation(slices.Concat(query[lo:hi]...), facing), chance(query[lo:hi], sum), 0}
					}
				}
			}
			if of.P = min(1, of.P*ways); of.P < best.P {
				best = of
			}
			all = append(all, of.P)
		}
		best.Q = min(2*min(all[0], all[1]), max(all[0], all[1]))
		got := (&motif.Set{Alphabet: stringkernel.DNA, Motifs: []motif.Motif{{Matrix: query}}}).Matches(known)[0]
		if got.Known.Name != best.Known.Name || got.Offset != best.Offset || got.Reverse != best.Reverse ||
			math.Abs(got.Correlation-best.Correlation) > 1e-12 || math.Abs(got.P/best.P-1) > 1e-9 || math.Abs(got.Q/best.Q-1) > 1e-9 {
			t.Errorf("got %+v, want %+v", got, best)
		}
	}
}

// Motifs written in the format of MEME are read back, of each alphabet; what is no motif is an error with its line.
func TestReadMEME(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.RNA} {
		set := motif.Set{Alphabet: a, Background: []float64{.25, .25, .25, .25}, Motifs: []motif.Motif{
			{Matrix: drawnMatrix(r, 7)}, {Matrix: drawnMatrix(r, 1)},
		}}
		var text bytes.Buffer
		must.Succeed(t, set.WriteMEME(&text))
		list := must.Get(motif.ReadMEME(&text, a))(t)
		for i, k := range list {
			if !strings.HasPrefix(k.Name, set.Name(i)) || len(list) != 2 {
				t.Errorf("motif %d of %d is %q", i+1, len(list), k.Name)
			}
			for j, row := range set.Motifs[i].Matrix {
				for c, p := range row {
					if math.Abs(k.Matrix[j][c]-p) > 1e-6 {
						t.Fatalf("%s: %v, want %v", k.Name, k.Matrix[j], row)
					}
				}
			}
		}
	}
	for text, want := range map[string]string{
		"":                           "no motif",
		"\nALPHABET= ACDEFGHIKLMN\n": "line 2: motifs of the alphabet ACDEFGHIKLMN, and the model is of dna, want ACGT",
		"letter-probability matrix:": "before the first MOTIF",
		"MOTIF a\nletter-probability matrix:\n1 0 0\n": "line 3: 3 probabilities",
	} {
		if _, err := motif.ReadMEME(strings.NewReader(text), stringkernel.DNA); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
