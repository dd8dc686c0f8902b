package substring

import "sync"

// Unit names the symbols of a [Kernel]: what it counts strings of.
type Unit string

// The units of this package. Package bow has words; [Kernel.Over] takes any others.
const (
	ByteUnit Unit = "byte" // letters of the alphabet; the zero value means them too
	RuneUnit Unit = "rune" // code points of UTF-8: a byte that belongs to none is a break
)

// Units are symbols other than letters: code points, words, tags. They are safe for concurrent use.
type Units struct {
	open    func() UnitReader
	perByte int       // most units per byte of a sequence; 0 is 1
	norms   sync.Pool // of *selfText
}

// NewUnits returns the units of the readers that open makes, each for one goroutine and with an empty vocabulary.
func NewUnits(open func() UnitReader) *Units { return &Units{open: open} }

// Dense says that a sequence may have more units than bytes, at most perByte times as many. It is called before the
// units are used, and returns them.
func (u *Units) Dense(perByte int) *Units {
	u.perByte = perByte
	return u
}

// UnitReader cuts sequences into units and numbers these. It is for one goroutine.
type UnitReader interface {
	// Read returns the number of each unit of x, in order. The vocabulary's numbers are 1, 2, … in the order in which
	// units were first met; 0 is a break, across which nothing matches, and −1 a unit that is not in a closed
	// vocabulary. The result is valid until the next call.
	Read(x []byte) []int32
	// Places returns the positions of the units of the last x, which must not have changed. It is valid until the next
	// call of Read.
	Places() []Span
	// Len returns the number of units in the vocabulary.
	Len() int
	// Closed returns a reader of the present vocabulary, which no longer grows. Several may be made for several
	// goroutines.
	Closed() UnitReader
}

// UnitSpeller is a UnitReader that can write its units. Correct without it; with it, features can be listed.
type UnitSpeller interface {
	UnitReader
	// AppendUnit appends the text of the unit with a number above 0 to the units before it in dst, with the
	// separator between them.
	AppendUnit(dst []byte, number int32) []byte
}

// Span is the bytes Lo … Hi−1 of a sequence, 0-based.
type Span struct{ Lo, Hi int }

// Over returns the kernel on other units than letters or code points, whatever k.Unit is.
func (k Kernel) Over(u *Units) Kernel {
	k.units = u
	return k
}

// symbols returns the units of the kernel, nil if they are letters.
func (k Kernel) symbols() *Units {
	if k.units == nil && k.Unit == RuneUnit {
		return runeUnits
	}
	return k.units
}

// ReadsText reports whether units are code points, words or others of text rather than letters of an alphabet, which
// need not be inferred from the data then.
func (k Kernel) ReadsText() bool { return k.units != nil || k.Unit != "" && k.Unit != ByteUnit }

// The marks of records with Ends. No unit has their symbols: those of units follow.
const (
	beginMark = 1
	endMark   = 2
	marks     = 2 // how many there are
)

// marks returns the number of symbols that are marks.
func (k Kernel) marks() int32 {
	if k.Ends {
		return marks
	}
	return 0
}
