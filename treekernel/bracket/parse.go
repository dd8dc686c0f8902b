package bracket

import (
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/plural"
)

// SyntaxError describes where a record violates the notation.
type SyntaxError struct {
	// Offset is the 0-based position of the byte in the record; the record's length if it ends too early.
	Offset int
	// Problem says what was found there and what was expected.
	Problem string
}

// Error says what is wrong, at a 1-based byte.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("bracket: byte %d: %s", e.Offset+1, e.Problem)
}

// Classes of bytes; a byte in no other class is part of a word.
const (
	inWord = iota
	space
	opening
	closing
	backslash
)

var classes = [256]uint8{
	' ': space, '\t': space, '\n': space, '\v': space, '\f': space, '\r': space,
	'(': opening, ')': closing, '\\': backslash,
}

// Parse reads a record of any number of trees, in O(len(record)) time and without recursion. It keeps the record
// without copying it, and reuses the arrays of the forest. The error is a *[SyntaxError], unless the record has more
// than 2³¹−1 bytes; the forest is then empty.
func (f *Forest) Parse(record []byte) error {
	f.reset(record)
	if len(record) > math.MaxInt32 {
		f.reset(nil)
		return fmt.Errorf("bracket: a record of %d bytes, want at most %d", len(record), math.MaxInt32)
	}
	if err := f.parse(record); err != nil {
		f.reset(nil)
		return err
	}
	return nil
}

func (f *Forest) reset(record []byte) {
	f.Record = record
	f.Start, f.Stop, f.End, f.Parent = f.Start[:0], f.Stop[:0], f.End[:0], f.Parent[:0]
}

func (f *Forest) parse(record []byte) error {
	node := -1 // the innermost open node
	for i := 0; i < len(record); {
		switch classes[record[i]] {
		case space:
			i++
		case opening:
			start := skipSpace(record, i+1)
			stop, err := wordEnd(record, start)
			if err != nil {
				return err
			}
			f.add(node, start, stop)
			node = len(f.End) - 1
			i = stop
		case closing:
			if node < 0 {
				return &SyntaxError{i, ") without its (, want ( or the end"}
			}
			f.End[node] = int32(len(f.End))
			node = int(f.Parent[node])
			i++
		default:
			stop, err := wordEnd(record, i)
			if err != nil {
				return err
			}
			if node < 0 {
				return &SyntaxError{i, fmt.Sprintf("%s outside brackets, want ( of a tree", plural.Beginning(record[i:stop]))}
			}
			f.add(node, i, stop)
			f.End[len(f.End)-1] = int32(len(f.End))
			i = stop
		}
	}
	if node >= 0 {
		return &SyntaxError{len(record), fmt.Sprintf("unexpected end inside the node %s, want )",
			plural.Beginning(f.Label(node)))}
	}
	return nil
}

func (f *Forest) add(parent, start, stop int) {
	f.Start = append(f.Start, int32(start))
	f.Stop = append(f.Stop, int32(stop))
	f.Parent = append(f.Parent, int32(parent))
	f.End = append(f.End, 0)
}

func skipSpace(record []byte, i int) int {
	for i < len(record) && classes[record[i]] == space {
		i++
	}
	return i
}

// wordEnd returns the end of the word that begins at i, or i if none does.
func wordEnd(record []byte, i int) (int, error) {
	for i < len(record) {
		switch classes[record[i]] {
		case inWord:
			i++
		case backslash:
			if i+1 >= len(record) || escaped[record[i+1]] == 0 {
				return 0, &SyntaxError{i, `\ that escapes nothing, want \\ or one of \( \) \s \t \n \v \f \r`}
			}
			i += 2
		default:
			return i, nil
		}
	}
	return i, nil
}
