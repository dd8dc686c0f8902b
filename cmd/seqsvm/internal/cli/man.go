package cli

import (
	"fmt"
	"slices"
	"strings"
)

// Pages returns the manual pages for section 1 by file name: one of the tool, and one of each command.
func (a *App) Pages() map[string]string {
	pages := map[string]string{a.Name + ".1": a.page()}
	for _, c := range a.Commands {
		pages[a.Name+"-"+c.Name+".1"] = a.commandPage(c)
	}
	return pages
}

// page is the manual page of the tool.
func (a *App) page() string {
	p := newPage(a.Name, a)
	p.heading("NAME")
	p.text(a.Name + " - " + a.Usage)
	p.heading("SYNOPSIS")
	p.text(a.Name + " COMMAND [options] [FILE…]")
	p.heading("COMMANDS")
	for _, c := range a.Commands {
		p.entry(a.Name+"-"+c.Name+"(1)", c.Usage)
	}
	p.heading("EXIT STATUS")
	for _, code := range [][2]string{
		{"0", "success"}, {"1", "wrong data, or a file that cannot be read or written"}, {"2", "a wrong command line"},
		{"130", "interrupted"},
	} {
		p.entry(code[0], code[1])
	}
	return p.String()
}

// commandPage is the manual page of a command: its help.
func (a *App) commandPage(c *Command) string {
	p := newPage(a.Name+"-"+c.Name, a)
	p.heading("NAME")
	p.text(a.Name + "-" + c.Name + " - " + c.Usage)
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
