package lines

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// CheckHeld returns an error if what is kept of an input so far, its records or its lines, exceeds the memory limit: a
// few bytes of a compressed file may expand to more than any machine holds.
func CheckHeld(bytes int64, what string) error {
	if err := memory.Check(float64(bytes)); err != nil {
		return fmt.Errorf("the %s up to here need %w; split the input", what, err)
	}
	return nil
}

// List joins names from a file for a message: the first of them, each cut if it is long.
func List(names []string) string {
	const most = 12
	var shown []string
	for _, name := range names[:min(most, len(names))] {
		shown = append(shown, Quote(name))
	}
	if len(names) > most {
		shown = append(shown, fmt.Sprintf("… (%d in all)", len(names)))
	}
	return strings.Join(shown, ", ")
}

// LetterName names a letter of a sequence or a byte of a line: letter 'E', white space, byte 0xc3.
func LetterName(b byte) string {
	if b > ' ' && b < 0x7f {
		return fmt.Sprintf("letter '%c'", b)
	}
	return ByteName(b)
}

var (
	ErrLoneCR    = errors.New("line ends are lone CR (old Mac); convert them to LF")
	ErrEmpty     = errors.New("the file is empty")
	ErrNoRecords = errors.New("no records")
	ErrUTF16     = errors.New("UTF-16 text; convert it to UTF-8")
	errUTF32     = errors.New("UTF-32 text; convert it to UTF-8")
)

// ByteName names a byte in a message.
func ByteName(b byte) string {
	switch {
	case b == 0:
		return "NUL byte"
	case b == ' ' || b == '\t':
		return "white space"
	case b >= '0' && b <= '9':
		return fmt.Sprintf("digit '%c'", b)
	case b > ' ' && b < 0x7f:
		return fmt.Sprintf("'%c'", b)
	case b < 0x80:
		return fmt.Sprintf("control byte 0x%02x", b)
	}
	return fmt.Sprintf("byte 0x%02x", b)
}

// IndexControl returns the index of the first control character of p, or of the first blank or control character, −1 if
// there is none.
func IndexControl(p []byte, blanks bool) int {
	for i, b := range p {
		if b < ' ' || b == 0x7f || blanks && b == ' ' {
			return i
		}
	}
	return -1
}

// OneWord replaces white space and control characters by underscores.
func OneWord(name string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f {
			return '_'
		}
		return r
	}, name)
}

// BareError drops operation and path from an error to which the path will be added.
func BareError(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// Error is an error in an input. Its text is one line: file, line and record as far as they are known, then Err.
type Error struct {
	File   string // name of the input
	Line   int    // 1-based, 0 if the error is about the whole input
	Record string // id of the record, "" if it is not known or not about one
	Err    error  // the cause
}

// Error returns “file:line: record "id": cause”.
func (e *Error) Error() string {
	text := e.File
	if e.Line > 0 {
		text += ":" + strconv.Itoa(e.Line)
	}
	if e.Record != "" {
		text += ": record " + Quote(e.Record)
	}
	return text + ": " + e.Err.Error()
}

// Errorf returns an error about a line of an input, or about the whole input if line is 0. The format may use %w.
func Errorf(file string, line int, format string, args ...any) *Error {
	return &Error{File: file, Line: line, Err: fmt.Errorf(format, args...)}
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Quote quotes s, cutting what is too long for a message, between two characters.
func Quote(s string) string {
	const most = 80
	if utf8.RuneCountInString(s) > most {
		s = fmt.Sprintf("%.*s...", most-3, s)
	}
	return strconv.Quote(s)
}
