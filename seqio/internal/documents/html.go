package documents

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// StripHTML appends the text of an HTML document to dst: what is between tags, references such as &amp; replaced,
// without comments and without what a browser runs or shows elsewhere (script, style, template, iframe). Every run of
// white space becomes one blank; a tag counts as white space unless it is one of those inside a word, such as b or
// span. Any text is HTML, so there are no errors. The time is linear.
func StripHTML(dst, text []byte) []byte {
	s := stripper{out: dst, start: len(dst)}
	z := html.NewTokenizer(bytes.NewReader(text))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return s.out
		case html.TextToken:
			if s.hidden == 0 {
				s.text(z.Text())
			}
		case html.StartTagToken:
			s.tag(z, 1)
		case html.EndTagToken:
			s.tag(z, -1)
		case html.SelfClosingTagToken:
			s.tag(z, 0)
		}
	}
}

// stripper collects text.
type stripper struct {
	out    []byte
	start  int  // where the document begins in out
	blank  bool // white space is due before the next letter
	hidden int  // open tags whose content is not text
}

// tag handles a tag: step is 1 where it opens, −1 where it closes.
func (s *stripper) tag(z *html.Tokenizer, step int) {
	name, _ := z.TagName()
	switch atom.Lookup(name) {
	case atom.Script, atom.Style, atom.Template, atom.Iframe:
		s.hidden = max(0, s.hidden+step)
		s.blank = true
	case atom.A, atom.Abbr, atom.Acronym, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Code, atom.Data,
		atom.Del, atom.Dfn, atom.Em, atom.Font, atom.I, atom.Ins, atom.Kbd, atom.Label, atom.Mark, atom.Q, atom.S,
		atom.Samp, atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U,
		atom.Var, atom.Wbr:
	default:
		s.blank = true
	}
}

// text adds text with normalised white space. Bytes that are not UTF-8 are kept.
func (s *stripper) text(p []byte) {
	for len(p) > 0 {
		r, size := utf8.DecodeRune(p)
		if unicode.IsSpace(r) {
			s.blank = true
		} else {
			if s.blank && len(s.out) > s.start {
				s.out = append(s.out, ' ')
			}
			s.blank = false
			s.out = append(s.out, p[:size]...)
		}
		p = p[size:]
	}
}
