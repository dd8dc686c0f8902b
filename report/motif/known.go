package motif

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Known is a motif of a collection, such as JASPAR.
type Known struct {
	Name   string
	Matrix [][]float64 // as in Motif
}

// ReadMEME reads motifs of an alphabet in the format of MEME, in which collections of motifs are published: names after
// MOTIF, a matrix of probabilities below each. What else the format has is ignored. RNA is compared with DNA.
func ReadMEME(r io.Reader, a stringkernel.Alphabet) (list []Known, err error) {
	in, n, open := bufio.NewScanner(r), 0, false // open: rows of a matrix may follow
	fail := func(format string, args ...any) ([]Known, error) {
		return nil, fmt.Errorf("line %d: %w", n, fmt.Errorf(format, args...))
	}
	for in.Scan() {
		n++
		fields := strings.Fields(in.Text())
		switch {
		case len(fields) == 0:
		case strings.HasPrefix(fields[0], "ALPHABET="):
			of := strings.TrimPrefix(strings.Join(fields, ""), "ALPHABET=")
			if want := a.Letters(); strings.ReplaceAll(of, "U", "T") != strings.ReplaceAll(want, "U", "T") {
				return fail("motifs of the alphabet %.40s, and the model is of %s, want %s", of, a, want)
			}
		case fields[0] == "MOTIF" && len(fields) > 1:
			list, open = append(list, Known{Name: strings.Join(fields[1:min(3, len(fields))], " ")}), false
		case fields[0] == "letter-probability":
			if len(list) == 0 {
				return fail("a matrix before the first MOTIF")
			}
			open = true
		case open:
			row, ok := probabilities(fields)
			if open = ok; ok && len(row) != a.Size() {
				return fail("%d probabilities, want one for each of %s", len(row), a.Letters())
			}
			if m := &list[len(list)-1]; ok {
				m.Matrix = append(m.Matrix, row)
			}
		}
	}
	if err := in.Err(); err != nil {
		return fail("%w", err)
	}
	list = slices.DeleteFunc(list, func(k Known) bool { return k.Matrix == nil })
	if len(list) == 0 {
		return fail("no motif, want the format of MEME: MOTIF NAME, letter-probability matrix, rows of probabilities")
	}
	return list, nil
}

// probabilities reads the row of a matrix, and reports whether it is one.
func probabilities(fields []string) (row []float64, ok bool) {
	for _, field := range fields {
		p, err := strconv.ParseFloat(field, 64)
		if err != nil || !(p >= 0 && p <= 1) {
			return nil, false
		}
		row = append(row, p)
	}
	return row, true
}

// Match is the known motif that a motif is most like, and how they lie to each other.
type Match struct {
	Known       Known   // its matrix as it lies, the reverse complement if that matches
	Reverse     bool    // it is the reverse complement
	Offset      int     // of its first column from that of the motif; below zero: before it
	Correlation float64 // of all probabilities that face each other
	P, Q        float64 // see Set.Matches
}

const (
	leastOverlap = 5  // columns that face each other, fewer if a motif is narrower
	halfBins     = 50 // the correlation of two columns in whole numbers from 0 to 2·halfBins
)

// Matches returns the best match of each motif in a collection, as Tomtom finds it (S. Gupta et al., Quantifying
// similarity between motifs, Genome Biology 8 (2007), doi:10.1186/gb-2007-8-2-r24). Two motifs are laid beside each
// other at every offset with at least five columns in common, of DNA on both strands. The score is the sum of
// Pearson's correlations of the columns that face each other. Its P is the probability that as many columns, drawn
// at random from all columns of the collection, score as much, exactly but for the rounding of correlations to 1/50;
// the least P of all ways to lie, times their number, is that of the known motif. Q is the least false discovery rate
// (Benjamini, Hochberg 1995) at which the match is among those of the collection. Time for a motif of w columns and a
// collection of n: O(w²·n + w⁴).
func (s *Set) Matches(known []Known) []Match {
	var strands [][2][][]float64
	var columns [][]float64
	for _, k := range known {
		both := [2][][]float64{k.Matrix, nil}
		if s.Alphabet == stringkernel.DNA {
			both[1] = flipped(k.Matrix)
		}
		strands, columns = append(strands, both), append(append(columns, both[0]...), both[1]...)
	}
	list := make([]Match, len(s.Motifs))
	for i, m := range s.Motifs {
		n := newNull(m.Matrix, columns)
		p := make([]float64, len(known))
		for k, both := range strands {
			match := n.best(both)
			if p[k] = match.P; k == 0 || match.P < list[i].P {
				match.Known.Name = known[k].Name
				list[i] = match
			}
		}
		slices.Sort(p)
		list[i].Q = 1
		for rank, value := range p {
			list[i].Q = min(list[i].Q, value*float64(len(p))/float64(rank+1))
		}
	}
	return list
}

// flipped is the reverse complement of a matrix.
func flipped[T any](matrix [][]T) [][]T {
	other := make([][]T, len(matrix))
	for j, row := range matrix {
		turned := slices.Clone(row)
		slices.Reverse(turned)
		other[len(matrix)-1-j] = turned
	}
	return other
}

// pearson is the correlation of two lists of numbers, 0 if one has no variance.
func pearson(a, b []float64) float64 {
	var ma, mb, ab, aa, bb float64
	for i := range a {
		ma, mb = ma+a[i]/float64(len(a)), mb+b[i]/float64(len(b))
	}
	for i := range a {
		x, y := a[i]-ma, b[i]-mb
		ab, aa, bb = ab+float64(x*y), aa+float64(x*x), bb+float64(y*y)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return max(-1, min(1, ab/math.Sqrt(float64(aa*bb))))
}

// binned is the score of two columns.
func binned(a, b []float64) int { return int(math.Round(halfBins * (1 + pearson(a, b)))) }

// null has the tail probabilities of the scores of random columns beside those of a motif.
type null struct {
	matrix [][]float64
	tails  [][][]float64 // of columns i to j, by score: the probability of that score or more
}

func newNull(matrix, columns [][]float64) *null {
	n := &null{matrix, make([][][]float64, len(matrix))}
	share := make([][]float64, len(matrix)) // of the columns of the collection, by score
	for i, own := range matrix {
		share[i] = make([]float64, 2*halfBins+1)
		for _, other := range columns {
			share[i][binned(own, other)] += 1 / float64(len(columns))
		}
	}
	for i := range matrix {
		sum := []float64{1}
		for _, next := range share[i:] {
			wider := make([]float64, len(sum)+2*halfBins)
			for x, p := range sum {
				for y, q := range next {
					wider[x+y] += float64(p * q)
				}
			}
			sum = wider
			tail := slices.Clone(sum)
			for x := len(tail) - 2; x >= 0; x-- {
				tail[x] += tail[x+1]
			}
			n.tails[i] = append(n.tails[i], tail)
		}
	}
	return n
}

// best is the best way to lie of a known motif, on both strands if there are two.
func (n *null) best(strands [2][][]float64) Match {
	best, ways := Match{P: math.Inf(1)}, 0
	for strand, other := range strands {
		least := min(leastOverlap, len(n.matrix), len(other))
		for offset := least - len(other); other != nil && offset <= len(n.matrix)-least; offset++ {
			ways++
			lo, hi, score := max(0, offset), min(len(n.matrix), offset+len(other)), 0
			for j := lo; j < hi; j++ {
				score += binned(n.matrix[j], other[j-offset])
			}
			if p := n.tails[lo][hi-lo-1][score]; p < best.P {
				facing := slices.Concat(other[lo-offset : hi-offset]...)
				best = Match{
					Known{Matrix: other}, strand == 1, offset, pearson(slices.Concat(n.matrix[lo:hi]...), facing), p, 1,
				}
			}
		}
	}
	best.P = min(1, best.P*float64(ways))
	return best
}

// LogoBeside is motif i as a sequence logo, with its match below it, column by column.
func (s *Set) LogoBeside(i int, m Match) figure.Figure {
	top, below := s.Logo(i), Motif{Matrix: m.Known.Matrix}
	other := figure.Logo{
		Title: m.Known.Name, Note: m.Text(), Alphabet: s.Alphabet, Letters: top.Letters, Matrix: below.Matrix,
		Bits: below.Information(), Shift: max(0, m.Offset),
	}
	top.Shift = max(0, -m.Offset)
	top.Span = max(top.Shift+len(top.Matrix), other.Shift+len(other.Matrix))
	other.Span = top.Span
	return figure.Grid{Columns: 1, Panels: []figure.Figure{top, other}}
}

// Text says how alike the motifs are.
func (m Match) Text() string {
	strand := ""
	if m.Reverse {
		strand = "reverse complement, "
	}
	return fmt.Sprintf("%scorrelation %.3f, q %.2g", strand, m.Correlation, m.Q)
}
