package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// messages is what a run says on standard error besides its error, one line each: remarks and cautions about options,
// which --quiet silences, and warnings about the data, which nothing silences because they say that the results may not
// be what the user takes them for.
type messages struct {
	to       io.Writer
	name     string // of the tool
	quiet    bool
	warnings []string
	progress *Progress // nil with --quiet
}

// Say prints a remark at once: what was done, chosen or found. --quiet silences it.
func (m *messages) Say(format string, args ...any) {
	if !m.quiet {
		m.print(format, args...)
	}
}

func (m *messages) print(format string, args ...any) {
	m.progress.print(m.to, oneLine(fmt.Sprintf(format, args...))+"\n")
}

// Warn keeps a warning about the data or the results, to be printed when the command has succeeded: one that fails
// prints its error alone. --quiet does not silence it.
func (m *messages) Warn(format string, args ...any) {
	m.warnings = append(m.warnings, fmt.Sprintf(format, args...))
}

// Caution keeps a warning about an option that the user may have chosen knowingly, as Warn does. --quiet silences it.
func (m *messages) Caution(format string, args ...any) {
	if !m.quiet {
		m.Warn(format, args...)
	}
}

// flush prints the warnings.
func (m *messages) flush() {
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

// oneLine makes a message one line without control characters, whatever names it quotes.
func oneLine(message string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(message, "\n", "; ") {
		if unicode.IsControl(r) { // beyond ASCII too: U+009B starts an escape sequence
			fmt.Fprintf(&b, "\\x%02x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
