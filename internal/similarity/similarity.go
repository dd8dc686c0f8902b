// Package similarity holds how much the letters of an alphabet resemble each other: positive semidefinite matrices with
// ones on the diagonal, of which kernels multiply one entry per position.
//
//	blosum62     2^(β·(s(a, b) − s(a, a)/2 − s(b, b)/2)/2) of the scores s of BLOSUM62, which are in half bits: the
//	             odds of a substitution, divided by the roots of those of both letters staying (Henikoff & Henikoff
//	             1992). Least eigenvalue 0.25 for β = 1.
//	grantham     exp(−β·d/50) of Grantham's distance d, which is Euclidean in the composition, polarity and volume of
//	             side chains, and 100 on average (Grantham 1974). Positive definite for every β (Schoenberg 1938).
//	transitions  2^−β for A and G, and for C and T (or U); other nucleotides do not resemble each other.
//
// The odds of BLOSUM62 are positive definite for every β above 0, since the scores are conditionally so: the matrix
// Σ c_a c_b s(a, b) is positive for all c with Σ c_a = 0, as a test shows.
//
// # References
//
// S. Henikoff, J. G. Henikoff, Amino acid substitution matrices from protein blocks, Proceedings of the National
// Academy of Sciences 89 (1992) 10915–10919. R. Grantham, Amino acid difference formula to help explain protein
// evolution, Science 185 (1974) 862–864. I. J. Schoenberg, Metric spaces and positive definite functions, Transactions
// of the American Mathematical Society 44 (1938) 522–536.
package similarity

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Names of the matrices that need no file.
const (
	BLOSUM62    = "blosum62"
	Grantham    = "grantham"
	Transitions = "transitions"
)

// Alphabet returns the alphabet of a kernel with weights of letters: that of the amino acids, where it is open and the
// weights are theirs.
func Alphabet(subst []string, a stringkernel.Alphabet) stringkernel.Alphabet {
	if a == "" && len(subst) == 1 && (subst[0] == BLOSUM62 || subst[0] == Grantham) {
		return stringkernel.Protein
	}
	return a
}

// MostBeta bounds the exponent.
const MostBeta = 100

// Matrix is the weights of pairs of letters: 1 for a letter and itself.
type Matrix struct {
	Size   int       // σ
	Values []float64 // row by row, in the order of the codes of letters
}

// At returns the weight of two letters.
func (m *Matrix) At(a, b int) float64 { return m.Values[a*m.Size+b] }

// New returns the matrix of one name, or of the lines of a table: the letters, and then for each of them the letter
// and its weights. Letters outside the alphabet are left out. Weights of a table are divided by the roots of those on
// the diagonal. beta is the exponent of a named matrix, 0 for 1.
//
// The error says what is missing in a table, where it is not symmetric, or its least eigenvalue if that is negative.
func New(subst []string, beta float64, a stringkernel.Alphabet) (*Matrix, error) {
	if !(beta >= 0 && beta <= MostBeta) {
		return nil, fmt.Errorf("beta = %v, want above 0 and at most %d", beta, MostBeta)
	}
	if len(subst) != 1 {
		if beta != 0 {
			return nil, errors.New("beta is for the matrices with names: raise the weights of the file to a power")
		}
		return parse(subst, a)
	}
	beta = cmp.Or(beta, 1)
	var weight func(a, b int) float64
	proteins := a == stringkernel.Protein
	switch name := subst[0]; {
	case name == BLOSUM62 && proteins:
		weight = func(a, b int) float64 {
			score := 2*blosum62(a, b) - blosum62(a, a) - blosum62(b, b)
			return elementary.Exp2(float64(beta*float64(score)) / 4)
		}
	case name == Grantham && proteins:
		weight = func(a, b int) float64 { return elementary.Exp(-float64(beta*distance(a, b)) / 50) }
	case name == Transitions && a.Complementary():
		weight = func(a, b int) float64 {
			switch {
			case a == b:
				return 1
			case a+2 == b || b+2 == a: // A and G, C and T, in alphabetical order
				return elementary.Exp2(-beta)
			default:
				return 0
			}
		}
	case name == BLOSUM62 || name == Grantham:
		return nil, fmt.Errorf("subst=%s has weights of amino acids, not of letters of the alphabet %s", name, a)
	case name == Transitions:
		return nil, fmt.Errorf("subst=%s has weights of dna and rna, not of letters of the alphabet %s", name, a)
	default:
		return nil, fmt.Errorf("subst = %.40q, want %s, %s, %s or @FILE", name, BLOSUM62, Grantham, Transitions)
	}
	m := &Matrix{Size: a.Size(), Values: make([]float64, a.Size()*a.Size())}
	for i := range m.Values {
		m.Values[i] = weight(i/m.Size, i%m.Size)
	}
	return m, nil
}

// parse reads the lines of a table.
func parse(lines []string, a stringkernel.Alphabet) (*Matrix, error) {
	if a == stringkernel.Bytes || a == "" {
		return nil, errors.New("subst: a table is of the letters of dna, rna or protein, not of bytes")
	}
	m := &Matrix{Size: a.Size(), Values: slices.Repeat([]float64{math.NaN()}, a.Size()*a.Size())}
	columns := []int16{}
	code := func(letter string) (int16, error) {
		if len(letter) != 1 {
			return 0, fmt.Errorf("%.20q, want a letter", letter)
		}
		return a.Codes()[letter[0]], nil
	}
	for _, letter := range strings.Fields(slices.Concat(lines, []string{""})[0]) {
		c, err := code(letter)
		if err != nil {
			return nil, fmt.Errorf("subst: the first line has %w", err)
		}
		columns = append(columns, c)
	}
	for n, line := range lines[min(1, len(lines)):] {
		fields := strings.Fields(line)
		if len(fields) != len(columns)+1 {
			return nil, fmt.Errorf("subst: line %d has %d fields, want a letter and %d weights", n+2, len(fields),
				len(columns))
		}
		row, err := code(fields[0])
		if err != nil {
			return nil, fmt.Errorf("subst: line %d begins with %w", n+2, err)
		}
		for i, text := range fields[1:] {
			weight, err := strconv.ParseFloat(text, 64)
			if err != nil || math.Abs(weight) > 1e100 || math.IsNaN(weight) {
				return nil, fmt.Errorf("subst: weight %d of line %d is %.40q, want a number", i+1, n+2, text)
			}
			if row >= 0 && columns[i] >= 0 {
				m.Values[int(row)*m.Size+int(columns[i])] = weight
			}
		}
	}
	return m, m.normalize(a)
}

// normalize checks a table and makes the diagonal 1.
func (m *Matrix) normalize(a stringkernel.Alphabet) error {
	letters := a.Letters()
	roots := make([]float64, m.Size)
	for i := range roots {
		for j := range roots {
			switch v := m.At(i, j); {
			case math.IsNaN(v + m.At(j, i)):
				return fmt.Errorf("subst: no weight of %c and %c", letters[i], letters[j])
			case v != m.At(j, i):
				return fmt.Errorf("subst: the weight of %c and %c is %v, of %c and %c %v, want a symmetric table",
					letters[i], letters[j], v, letters[j], letters[i], m.At(j, i))
			}
		}
		if roots[i] = math.Sqrt(m.At(i, i)); !(roots[i] > 0) {
			return fmt.Errorf("subst: the weight of %c and itself is %v, want a number above 0", letters[i], m.At(i, i))
		}
	}
	for i := range m.Values {
		m.Values[i] /= float64(roots[i/m.Size] * roots[i%m.Size])
	}
	for i := range roots {
		m.Values[i*m.Size+i] = 1
	}
	if least := m.leastEigenvalue(); !(least >= -1e-9) {
		return fmt.Errorf("subst: the table has the eigenvalue %.4g once its diagonal is 1, want none below 0: scores "+
			"such as those of BLOSUM are no weights, take 2^(score/2)", least)
	}
	return nil
}

// Complementary returns an error unless complements of nucleotides resemble each other as the nucleotides do, so that
// both strands of a sequence are alike.
func (m *Matrix) Complementary(a stringkernel.Alphabet) error {
	letters := a.Letters()
	for i := range m.Size {
		for j := range m.Size {
			k, l := m.Size-1-i, m.Size-1-j
			if m.At(i, j) != m.At(k, l) {
				return fmt.Errorf("rc: subst has the weight %v of %c and %c, %v of their complements %c and %c, want the same",
					m.At(i, j), letters[i], letters[j], m.At(k, l), letters[k], letters[l])
			}
		}
	}
	return nil
}

// leastEigenvalue returns the least eigenvalue, NaN if it is not found.
func (m *Matrix) leastEigenvalue() float64 {
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(m.Size, slices.Clone(m.Values)), false) {
		return math.NaN()
	}
	return eigen.Values(nil)[0]
}

// distance returns Grantham's distance of two amino acids.
func distance(a, b int) float64 {
	x, y := sideChains[a], sideChains[b]
	square := func(z float64) float64 { return float64(z * z) }
	sum := float64(1.833*square(x.composition-y.composition)) + float64(0.1018*square(x.polarity-y.polarity)) +
		float64(0.000399*square(x.volume-y.volume))
	return 50.723 * math.Sqrt(sum)
}
