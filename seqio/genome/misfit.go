package genome

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Misfit is the cause of an error about a line that is well formed and does not fit a genome.
type Misfit struct {
	Kind MisfitKind
	Err  error // what was found
}

// MisfitKind is a way in which a line does not fit a genome.
type MisfitKind int

// The kinds.
const (
	UnknownSequence MisfitKind = iota // its sequence is not in the genome
	BeyondEnd                         // it reaches beyond the end of its sequence
	WithoutLetters                    // it is an interval of no letters
	OtherReference                    // its letters, of a variant those of REF, are not what the genome has
	misfitKinds
)

// String names a kind as in “3 beyond the end of the sequence”.
func (k MisfitKind) String() string {
	return [...]string{"on a sequence that the genome lacks", "beyond the end of the sequence", "without letters",
		"with other letters than the genome"}[k]
}

// Misfitf returns a Misfit. The format may use %w.
func Misfitf(kind MisfitKind, format string, args ...any) *Misfit {
	return &Misfit{kind, fmt.Errorf(format, args...)}
}

// Error returns what was found.
func (m *Misfit) Error() string { return m.Err.Error() }

// Unwrap returns what was found.
func (m *Misfit) Unwrap() error { return m.Err }

// Misfits counts the lines of an input that fit a genome and those that do not, which are left out. The zero value has
// counted none.
type Misfits struct {
	Lines  int              // all that were counted
	Counts [misfitKinds]int // of misfits, by kind
	First  error            // names the line of the first misfit
}

// Take counts a line: err is nil if it fits, and wraps a [Misfit] if it does not. Any other error is returned.
func (m *Misfits) Take(err error) error {
	var misfit *Misfit
	if err != nil && !errors.As(err, &misfit) {
		return err
	}
	m.Lines++
	if misfit != nil {
		m.First = cmp.Or(m.First, err)
		m.Counts[misfit.Kind]++
	}
	return nil
}

// Fitting returns what passes a check, in the order of a list, and counts what does not, for which the check returns an
// error that wraps a [Misfit]. Any other error ends it. If nothing is left, that is an error, too. What names the
// entries, in the plural.
func Fitting[T any](list []T, what string, check func(*T) error) (fit []T, misfits Misfits, err error) {
	for i := range list {
		err := check(&list[i])
		if err == nil {
			fit = append(fit, list[i])
		}
		if err := misfits.Take(err); err != nil {
			return nil, misfits, err
		}
	}
	return fit, misfits, misfits.Check(what)
}

// Add adds the counts of another input, which follows.
func (m *Misfits) Add(other Misfits) {
	m.Lines += other.Lines
	vectors.Add(m.Counts[:], other.Counts[:])
	m.First = cmp.Or(m.First, other.First)
}

// LeftOut returns the number of misfits.
func (m *Misfits) LeftOut() int { return vectors.Sum(m.Counts[:]) }

// Check returns an error if lines were counted and none of them fits; what names the lines, in the plural.
func (m *Misfits) Check(what string) error {
	switch n := m.LeftOut(); {
	case n == 0 || n < m.Lines:
		return nil
	case n == 1:
		return fmt.Errorf("%w%s", m.First, m.question())
	default:
		return fmt.Errorf("%w; none of %d %s fits the genome%s", m.First, n, what, m.question())
	}
}

// question asks for the usual cause of many misfits, but for intervals without letters, which fit no genome.
func (m *Misfits) question() string {
	switch {
	case m.Counts[UnknownSequence] > 0:
		return "; is it another assembly, or does it use other names (1 for chr1)?"
	case m.Counts[WithoutLetters] == m.LeftOut():
		return ""
	}
	return "; is it another assembly?"
}

// Text says how many lines were left out, why, and which is the first; it asks for the assembly if these are more than
// a tenth. What names the lines, in the plural.
func (m *Misfits) Text(what, genome string) string {
	var kinds []string
	for k, n := range m.Counts {
		if n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, MisfitKind(k)))
		}
	}
	n, question := m.LeftOut(), ""
	if n > m.Lines/10 {
		question = m.question()
	}
	return fmt.Sprintf("left out %d of %d %s, which do not fit %s (%s); the first: %v%s", n, m.Lines, what, genome,
		strings.Join(kinds, ", "), m.First, question)
}
