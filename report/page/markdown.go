package page

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteMarkdown writes the figures, the notes and some sections of a page, by their IDs, as Markdown without pictures.
func (p *Page) WriteMarkdown(w io.Writer, sections ...string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", marked(p.Title), marked(p.Lead))
	if len(p.Tiles) > 0 {
		b.WriteString("\n| | | |\n| --- | --- | --- |\n")
	}
	for _, t := range p.Tiles {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", marked(t.Name), marked(t.Value), marked(t.Small))
	}
	if len(p.Notes) > 0 {
		b.WriteString("\n## Before you rely on it\n\n")
	}
	for _, note := range p.Notes {
		fmt.Fprintf(&b, "* %s\n", marked(note.Text))
	}
	for _, s := range p.Sections {
		if slices.Contains(sections, s.ID) {
			s.markdown(&b)
		}
	}
	if p.Foot != "" {
		fmt.Fprintf(&b, "\n%s\n", marked(p.Foot))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *Section) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n", marked(s.Title))
	if s.Text != "" {
		fmt.Fprintf(b, "\n%s\n", marked(s.Text))
	}
	for _, block := range s.Blocks {
		if block.Title != "" {
			fmt.Fprintf(b, "\n### %s\n", marked(block.Title))
		}
		if block.Text != "" {
			fmt.Fprintf(b, "\n%s\n", marked(block.Text))
		}
		for i, fact := range block.Facts {
			if i == 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(b, "* %s: %s\n", marked(fact.Name), marked(fact.Value))
		}
		if block.Table != nil {
			block.Table.markdown(b)
		}
	}
}

func (t *Table) markdown(b *strings.Builder) {
	b.WriteString("\n|")
	for _, c := range t.Columns {
		fmt.Fprintf(b, " %s |", marked(c.Name))
	}
	b.WriteString("\n|")
	for _, c := range t.Columns {
		b.WriteString(map[bool]string{false: " --- |", true: " ---: |"}[c.Number])
	}
	for _, row := range t.Rows {
		b.WriteString("\n|")
		for _, cell := range row {
			fmt.Fprintf(b, " %s |", marked(strings.TrimSpace(cell.Text+" "+cell.Note)))
		}
	}
	b.WriteString("\n")
}

// marked is a text on one line in which nothing is mark-up.
func marked(text string) string {
	return strings.NewReplacer("\n", " ", "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`", "[", `\[`, "#", `\#`).
		Replace(text)
}
