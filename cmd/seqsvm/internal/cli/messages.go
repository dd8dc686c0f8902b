package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// messages is what a run says on standard error besides its error, one line each: remarks and cautions about options,
// which --quiet silences, and warnings about the data, which nothing silences because they say that the results may not
// be what the user takes them for.
type messages struct {
	to       io.Writer
	name     string // of the tool
	quiet    bool
	notes    notes
	warnings []string
	progress *Progress // nil with --quiet
}

// Say prints a remark at once, after the notes: what was done, chosen or found. --quiet silences it.
func (m *messages) Say(format string, args ...any) {
	if !m.quiet {
		m.flushNotes()
		m.print(format, args...)
	}
}

func (m *messages) print(format string, args ...any) {
	m.progress.print(m.to, oneLine(fmt.Sprintf(format, args...))+"\n")
}

// Note keeps a remark on the data, such as what they were taken for, to be printed with the progress of the run, if it
// takes that long, or when it has succeeded: one that fails prints its error alone. --quiet silences it.
func (m *messages) Note(format string, args ...any) {
	if !m.quiet {
		m.notes.add(m.name + ": " + oneLine(fmt.Sprintf(format, args...)) + "\n")
	}
}

// notes are the lines of remarks that have not been printed.
type notes struct {
	mutex sync.Mutex
	lines string
}

func (n *notes) add(line string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.lines += line
}

// take returns the lines, and forgets them.
func (n *notes) take() string {
	if n == nil {
		return ""
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	lines := n.lines
	n.lines = ""
	return lines
}

// Warn keeps a warning about the data or the results, to be printed when the command has succeeded: one that fails
// prints its error alone. --quiet does not silence it. Equal warnings are one.
func (m *messages) Warn(format string, args ...any) {
	if warning := fmt.Sprintf(format, args...); !slices.Contains(m.warnings, warning) {
		m.warnings = append(m.warnings, warning)
	}
}

// Warnings returns the warnings so far, for results that have a place for them.
func (m *messages) Warnings() []string { return slices.Clone(m.warnings) }

// Caution keeps a warning about an option that the user may have chosen knowingly, as Warn does. --quiet silences it.
func (m *messages) Caution(format string, args ...any) {
	if !m.quiet {
		m.Warn(format, args...)
	}
}

// Quiet reports whether remarks are silenced.
func (m *messages) Quiet() bool { return m.quiet }

func (m *messages) flushNotes() {
	if lines := m.notes.take(); lines != "" {
		m.progress.print(m.to, lines)
	}
}

// flush prints the notes and the warnings.
func (m *messages) flush() {
	m.flushNotes()
	for _, line := range m.warnings {
		m.print("%s: warning: %s", m.name, line)
	}
	m.warnings = nil
}

// remarks is where a summary goes that must not be on standard output: standard error, or nowhere with --quiet.
func (m *messages) remarks() io.Writer {
	if m.quiet {
		return io.Discard
	}
	return m.to
}

// longestLine is the number of characters of a message; of a longer one, the middle is left out.
const longestLine = 500

// oneLine makes a message one line of at most longestLine characters, all of which can be seen, whatever it quotes.
func oneLine(message string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(message, "\n", "; ") {
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xff: // U+009B starts an escape sequence
			fmt.Fprintf(&b, "\\x%02x", r)
		default: // marks of direction and byte order, among others
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	line := []rune(b.String())
	if over := len(line) - longestLine; over > 0 {
		line = slices.Replace(line, longestLine/2, longestLine/2+over+1, '…')
	}
	return string(line)
}
