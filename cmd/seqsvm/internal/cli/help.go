package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// helpWidth is the number of columns of help.
const helpWidth = 100

func (a *App) writeHelp(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "NAME:\n   %s - %s\n\nUSAGE:\n   %[1]s COMMAND [options] [FILE…]\n\nVERSION:\n   "+
		"%[3]s\n\nCOMMANDS:\n",
		a.Name, a.Usage, a.Version)
	for _, c := range a.Commands {
		writeEntry(&b, c.Name, c.Usage, 16)
	}
	fmt.Fprintf(&b, "\n%s COMMAND --help shows the options of a command.\n", a.Name)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeCommandHelp writes the help of a command, its options by section.
func (a *App) writeCommandHelp(w io.Writer, c *Command, f *Flags) error {
	var b strings.Builder
	b.WriteString("NAME:\n")
	writeText(&b, fmt.Sprintf("%s %s - %s", a.Name, c.Name, c.Usage))
	b.WriteString("\nUSAGE:\n")
	writeText(&b, fmt.Sprintf("%s %s [options] %s", a.Name, c.Name, c.Operands))
	if c.Description != "" {
		b.WriteString("\nDESCRIPTION:\n")
		writeText(&b, c.Description)
	}
	if c.Example != "" {
		b.WriteString("\nEXAMPLE:\n")
		for line := range strings.SplitSeq(c.Example, "\n") {
			b.WriteString("   " + line + "\n")
		}
	}
	for _, section := range sections(f.options) {
		fmt.Fprintf(&b, "\n%s OPTIONS:\n", strings.ToUpper(section))
		for _, o := range f.options {
			if !o.hidden && o.section == section {
				writeEntry(&b, o.synopsis(), o.described(), 28)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// described is the usage and the default, if there is one.
func (o *Option) described() string {
	if o.fallback == "" {
		return o.usage
	}
	return o.usage + " (default: " + o.fallback + ")"
}

// rank orders the sections.
func rank(section string) int {
	order := []string{OfInput, OfKernel, OfLearning, "", OfOutput, OfGeneral}
	if at := slices.Index(order, section); at >= 0 {
		return at
	}
	return slices.Index(order, "") // a command's own
}

// writeText writes paragraphs in lines of at most helpWidth. Lines that begin with a blank stay as they are.
func writeText(b *strings.Builder, text string) {
	var paragraph []string
	end := func() {
		if paragraph != nil {
			b.WriteString("  ")
			writeWords(b, strings.Join(paragraph, " "), 2, 2)
			paragraph = nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] == ' ' {
			end()
			b.WriteString(strings.TrimRight("   "+line, " ") + "\n")
		} else {
			paragraph = append(paragraph, line)
		}
	}
	end()
}

// writeWords writes words from a column on, each after a blank, in lines of at most helpWidth that are indented.
func writeWords(b *strings.Builder, text string, at, indent int) {
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		if at+1+n > helpWidth {
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		}
		b.WriteString(" " + word)
		at += 1 + n
	}
	b.WriteString("\n")
}

// synopsis is an option as help shows it: its names and the name of its value.
func (o *Option) synopsis() string {
	return strings.TrimRight(strings.Join(o.spellings(), ", ")+" "+o.value, " ")
}

// spellings are the names with their dashes.
func (o *Option) spellings() []string {
	var words []string
	for _, name := range o.names {
		dashes := "--"
		if len(name) == 1 {
			dashes = "-"
		}
		words = append(words, dashes+name)
	}
	return words
}

// writeEntry writes a name and, starting at a column, its description in lines of at most helpWidth.
func writeEntry(b *strings.Builder, name, usage string, column int) {
	at := 3 + utf8.RuneCountInString(name)
	b.WriteString("   " + name)
	if at+2 > column {
		at = helpWidth // on separate lines
	} else {
		b.WriteString(strings.Repeat(" ", column-at-1))
		at = column - 1
	}
	writeWords(b, usage, at, column-1)
}
