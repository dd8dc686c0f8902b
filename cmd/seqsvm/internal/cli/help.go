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
	fmt.Fprintf(&b, "NAME:\n   %s - %s\n\nUSAGE:\n   %[1]s COMMAND [options] [FILE…]\n\nVERSION:\n   %s\n\nCOMMANDS:\n",
		a.Name, a.Usage, a.Version)
	for _, c := range a.Commands {
		writeEntry(&b, c.Name, c.Usage, 12)
	}
	fmt.Fprintf(&b, "\n%s COMMAND --help shows the options of a command.\n", a.Name)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeCommandHelp writes the help of a command, its options by section.
func (a *App) writeCommandHelp(w io.Writer, c *Command, f *Flags) error {
	var b strings.Builder
	fmt.Fprintf(&b, "NAME:\n   %s %s - %s\n\nUSAGE:\n   %s\n",
		a.Name, c.Name, c.Usage, strings.TrimRight(fmt.Sprintf("%s %s [options] %s", a.Name, c.Name, c.Operands), " "))
	if c.Description != "" {
		b.WriteString("\nDESCRIPTION:\n")
		for line := range strings.SplitSeq(c.Description, "\n") {
			b.WriteString(strings.TrimRight("   "+line, " ") + "\n")
		}
	}
	var sections []string
	for _, o := range f.options {
		if !slices.Contains(sections, o.section) {
			sections = append(sections, o.section)
		}
	}
	for _, section := range sections {
		fmt.Fprintf(&b, "\n%s OPTIONS:\n", strings.ToUpper(section))
		for _, o := range f.options {
			if o.hidden || o.section != section {
				continue
			}
			usage := o.usage
			if o.fallback != "" {
				usage += " (default: " + o.fallback + ")"
			}
			writeEntry(&b, o.synopsis(), usage, 28)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
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
	for word := range strings.FieldsSeq(usage) {
		n := utf8.RuneCountInString(word)
		if at+1+n > helpWidth {
			b.WriteString("\n" + strings.Repeat(" ", column-1))
			at = column - 1
		}
		b.WriteString(" " + word)
		at += 1 + n
	}
	b.WriteString("\n")
}
