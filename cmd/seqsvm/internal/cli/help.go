package cli

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/seqsvm/seqsvm/internal/suggest"
)

const (
	usualWidth  = 80 // columns of help where nothing says how wide a terminal is, and the least
	entryColumn = 28 // where the descriptions of options begin
	wordSlack   = 8  // columns that the end of a line may leave empty
)

// helpText is help in lines of a width.
type helpText struct {
	strings.Builder
	width int
}

// newHelpText returns help as wide as the terminal that it is for.
func newHelpText(w io.Writer) *helpText {
	b := &helpText{width: usualWidth}
	if file, is := w.(*os.File); is {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			b.width = max(usualWidth, columns)
		}
	}
	return b
}

// Describe gives the commands their texts, and the groups their usage. A text begins with the line “== NAME: USAGE”.
// Lines “operands: OPERANDS”, “common: OPTIONS” and “example: COMMAND LINE” may follow, then the description. -h shows
// the common options, all if none are named. A text “== +NAME” is inserted for +NAME in all texts below it.
func (a *App) Describe(texts string) {
	var shared []string // names and their texts
	for _, section := range strings.Split("\n"+texts, "\n== ")[1:] {
		head, body, _ := strings.Cut(section, "\n")
		body = strings.TrimRight(body, "\n")
		for pair := range slices.Chunk(shared, 2) {
			body = strings.ReplaceAll(body, pair[0], pair[1])
		}
		name, usage, ofCommand := strings.Cut(head, ": ")
		if !ofCommand {
			shared = append(shared, name, body)
			continue
		}
		c := cmp.Or(a.command(name), &Command{Name: name})
		if c.Options == nil {
			a.groups = append(a.groups, c)
		}
		c.Usage = usage
		head, c.Description, _ = strings.Cut(body, "\n\n")
		for line := range strings.SplitSeq(head, "\n") {
			if example, is := strings.CutPrefix(line, "example: "); is {
				c.Example = strings.TrimPrefix(c.Example+"\n"+example, "\n")
			} else if common, is := strings.CutPrefix(line, "common: "); is {
				c.Common = strings.Fields(common)
			} else {
				c.Operands = strings.TrimPrefix(line, "operands: ")
			}
		}
	}
}

// writeHelp writes the commands of a group, or with "" those of none, and the groups.
func (a *App) writeHelp(w io.Writer, group string) error {
	name := strings.TrimSpace(a.Name + " " + group)
	about := cmp.Or(a.command(strings.TrimSpace(group)), &Command{Usage: a.Usage})
	b := newHelpText(w)
	fmt.Fprintf(b, "NAME:\n   %s - %s\n\nUSAGE:\n   %[1]s COMMAND [options] [FILE…]\n\nVERSION:\n   "+
		"%[3]s\n\nCOMMANDS:\n",
		name, about.Usage, a.Version)
	for _, word := range a.words(group) {
		b.entry(word, a.command(group+word).Usage, 16)
	}
	if group == "" {
		call := &Call{Flags: new(Flags)}
		call.bindGeneral()
		b.WriteString("\nGENERAL OPTIONS:\n")
		for _, o := range call.options {
			b.entry(o.synopsis(), o.described(), entryColumn)
		}
	}
	fmt.Fprintf(b, "\n%s COMMAND -h shows the usual options of a command, --help all.\n", name)
	if a.Cite != "" && group == "" {
		fmt.Fprintf(b, "To cite: %s\n", a.Cite)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeCommandHelp writes the help of a command, its options by section; in brief what most users need.
func (a *App) writeCommandHelp(w io.Writer, c *Command, f *Flags, brief bool) error {
	b := newHelpText(w)
	b.WriteString("NAME:\n")
	b.text(fmt.Sprintf("%s %s - %s", a.Name, c.Name, c.Usage))
	b.WriteString("\nUSAGE:\n")
	b.text(fmt.Sprintf("%s %s [options] %s", a.Name, c.Name, c.Operands))
	if c.Description != "" && !brief {
		b.WriteString("\nDESCRIPTION:\n")
		b.text(c.Description)
	}
	if c.Example != "" {
		b.WriteString("\nEXAMPLE:\n")
		for line := range strings.SplitSeq(c.Example, "\n") {
			b.WriteString("   " + line + "\n")
		}
	}
	if brief {
		b.briefOptions(c, f)
	} else {
		b.optionsBySection(f)
		if cite, _, _ := strings.Cut(a.Cite, ", "); cite != "" {
			fmt.Fprintf(b, "\nTo cite: %s\n", cite)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (b *helpText) optionsBySection(f *Flags) {
	for _, section := range sections(f.options) {
		fmt.Fprintf(b, "\n%s OPTIONS:\n", strings.ToUpper(section))
		var general []string
		for _, o := range f.options {
			switch {
			case o.hidden || o.section != section:
			case o.general:
				general = append(general, o.spellings()[len(o.names)-1])
			default:
				b.entry(o.synopsis(), o.described(), entryColumn)
			}
		}
		if general != nil {
			b.text("and " + strings.Join(general, ", ") + " (seqsvm --help)")
		}
	}
}

// briefOptions writes the common options, two lines of each at most.
func (b *helpText) briefOptions(c *Command, f *Flags) {
	fmt.Fprintf(b, "\nOPTIONS (--help describes all %d):\n", len(f.options))
	for _, section := range sections(f.options) {
		for _, o := range f.options {
			if o.hidden || o.section != section || c.Common != nil && !slices.Contains(c.Common, o.names[0]) {
				continue
			}
			usage, _, _ := strings.Cut(o.usage, "; ")
			if strings.Count(usage, "(") > strings.Count(usage, ")") {
				usage = o.usage
			}
			most := 2 * (b.width - entryColumn - wordSlack)
			if letters := []rune(usage); len(letters) > most {
				usage = string(letters[:most])
				usage = strings.TrimRight(usage[:strings.LastIndexByte(usage, ' ')], ",:(") + " …"
			} else if bounds := o.bounds(); len(letters)+utf8.RuneCountInString(bounds) <= most {
				usage += bounds
			}
			b.entry(o.synopsis(), usage, entryColumn)
		}
	}
}

// described is the usage, with the range and the default.
func (o *Option) described() string { return o.usage + o.bounds() }

// bounds are the range and the default, where there are any, in parentheses.
func (o *Option) bounds() string {
	said := o.span
	if o.fallback != "" {
		said = strings.TrimPrefix(said+"; default: "+o.fallback, "; ")
	}
	if said == "" {
		return ""
	}
	return " (" + said + ")"
}

// rank orders the sections.
func rank(section string) int {
	order := []string{OfInput, OfKernel, OfLearning, "", OfOutput, OfGeneral}
	if at := slices.Index(order, section); at >= 0 {
		return at
	}
	return slices.Index(order, "") // a command's own
}

// text writes paragraphs. Lines that begin with a blank stay as they are.
func (b *helpText) text(text string) {
	var paragraph []string
	end := func() {
		if paragraph != nil {
			b.WriteString("  ")
			b.words(strings.Join(paragraph, " "), 2, 2)
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

// words writes words from a column on, each after a blank, in lines that are indented.
func (b *helpText) words(text string, at, indent int) {
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		if at+1+n > b.width {
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

// entry writes a name and, starting at a column, its description.
func (b *helpText) entry(name, usage string, column int) {
	at := 3 + utf8.RuneCountInString(name)
	b.WriteString("   " + name)
	if at+2 > column {
		at = b.width // on separate lines
	} else {
		b.WriteString(strings.Repeat(" ", column-at-1))
		at = column - 1
	}
	b.words(usage, at, column-1)
}

// Pages returns the manual pages for section 1 by file name: one of the tool, and one of each command.
func (a *App) Pages() map[string]string {
	pages := map[string]string{a.Name + ".1": a.page()}
	for _, c := range a.Commands {
		pages[a.pageName(c)+".1"] = a.commandPage(c)
	}
	return pages
}

// pageName is the title of the manual page of a command.
func (a *App) pageName(c *Command) string { return strings.ReplaceAll(a.Name+" "+c.Name, " ", "-") }

// page is the manual page of the tool.
func (a *App) page() string {
	p := newPage(a.Name, a)
	p.heading("NAME")
	p.text(a.Name + " - " + a.Usage)
	p.heading("SYNOPSIS")
	p.text(a.Name + " COMMAND [options] [FILE…]")
	p.heading("COMMANDS")
	for _, c := range a.Commands {
		p.entry(a.pageName(c)+"(1)", c.Usage)
	}
	p.heading("EXIT STATUS")
	p.entry("0", "success")
	p.entry("1", "wrong data, or a file that cannot be read or written")
	p.entry("2", "a wrong command line")
	p.entry("130", "interrupted")
	return p.String()
}

// commandPage is the manual page of a command: its help.
func (a *App) commandPage(c *Command) string {
	p := newPage(a.pageName(c), a)
	p.heading("NAME")
	p.text(a.pageName(c) + " - " + c.Usage)
	p.heading("SYNOPSIS")
	p.text(strings.TrimSpace(fmt.Sprintf("%s %s [options] %s", a.Name, c.Name, c.Operands)))
	if c.Description != "" {
		p.heading("DESCRIPTION")
		p.text(c.Description)
	}
	options := c.options()
	for _, section := range sections(options) {
		p.heading(strings.ToUpper(strings.TrimSpace(section + " options")))
		for _, o := range options {
			if o.section == section {
				p.entry(o.synopsis(), o.described())
			}
		}
	}
	if c.Example != "" {
		p.heading("EXAMPLES")
		p.literal(strings.Split(c.Example, "\n"))
	}
	p.heading("SEE ALSO")
	p.text(a.Name + "(1)")
	return p.String()
}

// manPage is a page in the macros man(7).
type manPage struct{ strings.Builder }

func newPage(title string, a *App) *manPage {
	p := new(manPage)
	fmt.Fprintf(p, ".TH %q 1 \"\" %q\n", strings.ToUpper(title), a.Name+" "+a.Version)
	return p
}

func (p *manPage) heading(title string) { fmt.Fprintf(p, ".SH %s\n", title) }

// text writes paragraphs; lines that begin with a blank stay as they are.
func (p *manPage) text(text string) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case line == "":
			p.WriteString(".PP\n")
		case line[0] != ' ':
			p.line(line)
		case i == 0 || lines[i-1] == "" || lines[i-1][0] != ' ':
			end := i + 1
			for end < len(lines) && strings.HasPrefix(lines[end], " ") {
				end++
			}
			p.literal(lines[i:end])
		}
	}
}

func (p *manPage) literal(lines []string) {
	p.WriteString(".nf\n")
	for _, line := range lines {
		p.line(line)
	}
	p.WriteString(".fi\n")
}

func (p *manPage) entry(name, usage string) {
	p.WriteString(".TP\n.B ")
	p.line(name)
	p.line(usage)
}

// line writes a line of text, no character of which is a request or an escape.
func (p *manPage) line(text string) {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	p.WriteString(text + "\n")
}

// sections lists the sections of options in the order of help.
func sections(options []*Option) (list []string) {
	for _, o := range options {
		if !slices.Contains(list, o.section) {
			list = append(list, o.section)
		}
	}
	slices.SortStableFunc(list, func(x, y string) int { return rank(x) - rank(y) })
	return list
}

var (
	//go:embed completion.bash
	bashScript string
	//go:embed completion.fish
	fishScript string
)

// Completion returns a completion script for bash, zsh or fish: of commands, options, values of options and files.
func (a *App) Completion(shell string) (string, error) {
	scripts := map[string]func() string{"bash": a.bashCompletion, "zsh": a.zshCompletion, "fish": a.fishCompletion}
	if scripts[shell] == nil {
		return "", Usagef("unknown shell %q, want one of: bash, zsh, fish%s", shell,
			suggest.Hint(shell, []string{"bash", "zsh", "fish"}))
	}
	return scripts[shell](), nil
}

// options lists the options of a command that are in its help.
func (c *Command) options() []*Option {
	call := &Call{Flags: new(Flags)}
	call.bind(c)
	return slices.DeleteFunc(call.Flags.options, func(o *Option) bool { return o.hidden })
}

// operandChoices lists the operands of a command if they are alternatives, as in a|b.
func (c *Command) operandChoices() []string {
	if !strings.Contains(c.Operands, "|") {
		return nil
	}
	return strings.Split(c.Operands, "|")
}

// bashCompletion fills in completion.bash: the words after a command, and after each option of it that has a list.
// Options of the same values share a line.
func (a *App) bashCompletion() string {
	var names, values strings.Builder
	var groups []string
	for _, g := range a.groups {
		groups = append(groups, g.Name)
		fmt.Fprintf(&values, "    %q*) words=\"%s\" ;;\n", g.Name+"  ", strings.Join(a.words(g.Name+" "), " "))
	}
	lists := map[string][]string{} // patterns by values
	var order []string
	for _, command := range a.Commands {
		var spelled []string
		for _, o := range command.options() {
			spelled = append(spelled, o.spellings()...)
			if o.choices == nil {
				continue
			}
			list := strings.Join(o.choices(), " ")
			if lists[list] == nil {
				order = append(order, list)
			}
			for _, name := range o.spellings() {
				lists[list] = append(lists[list], fmt.Sprintf("%q", command.Name+" "+name))
			}
		}
		fmt.Fprintf(&names, "      %q) words=\"%s\" ;;\n", command.Name, strings.Join(spelled, " "))
		if list := command.operandChoices(); list != nil {
			fmt.Fprintf(&values, "    %q) words=\"%s\" ;;\n", command.Name+" "+command.word(), strings.Join(list, " "))
		}
	}
	for _, list := range order {
		fmt.Fprintf(&values, "    %s) words=\"%s\" ;;\n", strings.Join(lists[list], "|"), list)
	}
	return strings.NewReplacer("{{name}}", a.Name, "{{commands}}", strings.Join(a.words(""), " "),
		"{{groups}}", strings.Join(groups, "|"), "{{options}}", names.String(), "{{values}}", values.String()).
		Replace(bashScript)
}

// zshCompletion makes bash's function work in zsh: sourced, or as a file of $fpath, which is run at the first use.
func (a *App) zshCompletion() string {
	return fmt.Sprintf("#compdef %s\n(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"+
		"autoload -U +X bashcompinit && bashcompinit\n"+
		"%s"+
		"[[ \"$funcstack[1]\" != _%[1]s ]] || _bash_complete -o default -o bashdefault -F _%[1]s\n",
		a.Name, a.bashCompletion())
}

// fishCompletion offers the same, with the usage of each.
func (a *App) fishCompletion() string {
	quote := func(text string) string { return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'" }
	b := new(strings.Builder)
	b.WriteString(strings.ReplaceAll(fishScript, "{{name}}", a.Name))
	for _, command := range slices.Concat(a.groups, a.Commands) {
		group := strings.TrimSpace(strings.TrimSuffix(command.Name, command.word()))
		fmt.Fprintf(b, "complete -c %s -n '__%[1]s_after \"%s\"' -f -a %s -d %s\n", a.Name, group, command.word(),
			quote(command.Usage))
		if command.Options == nil {
			continue
		}
		after := fmt.Sprintf("complete -c %s -n '__%[1]s_after \"%s*\"'", a.Name, command.Name)
		if list := command.operandChoices(); list != nil {
			fmt.Fprintf(b, "%s -f -a %s\n", after, quote(strings.Join(list, " ")))
		}
		for _, o := range command.options() {
			b.WriteString(after)
			for _, name := range o.names {
				if len(name) == 1 {
					b.WriteString(" -s " + name)
				} else {
					b.WriteString(" -l " + name)
				}
			}
			switch {
			case o.choices != nil:
				fmt.Fprintf(b, " -x -a \"(__%s_values %s)\"", a.Name, strings.Join(o.choices(), " "))
			case !o.isBool:
				b.WriteString(" -r")
			}
			fmt.Fprintf(b, " -d %s\n", quote(o.usage))
		}
	}
	return b.String()
}
