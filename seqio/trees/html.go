package trees

import (
	"bytes"
	"io"

	"golang.org/x/net/html"
)

// htmlReader reads HTML, in which nothing is an error but what the limits forbid.
type htmlReader struct {
	elementReader
	soup soup
}

func (r *htmlReader) read(text []byte, b *builder) error {
	r.b, r.pending = b, r.pending[:0]
	r.soup.reset()
	z := html.NewTokenizer(bytes.NewReader(text))
	for offset := 0; ; offset += len(z.Raw()) {
		kind := z.Next()
		if kind == html.ErrorToken {
			if err := z.Err(); err != io.EOF {
				return at(offset, err)
			}
			r.closeTo(0)
			return nil
		}
		if err := r.token(z, kind, offset); err != nil {
			return err
		}
	}
}

func (r *htmlReader) token(z *html.Tokenizer, kind html.TokenType, offset int) error {
	switch kind {
	case html.TextToken:
		if r.soup.hidesText() {
			return nil
		}
		raw := z.Raw()
		if r.soup.inHead() && len(bytes.TrimSpace(raw)) > 0 {
			r.closeTo(r.soup.top(headID))
		}
		r.pending = append(r.pending, z.Text()...)
	case html.StartTagToken, html.SelfClosingTagToken:
		name, more := z.TagName()
		return r.start(z, name, more, kind == html.SelfClosingTagToken, offset)
	case html.EndTagToken:
		name, _ := z.TagName()
		r.end(name)
	}
	return nil
}

// end closes what an end tag closes. Of those that match nothing, p and br are empty elements, as in the
// standard.
func (r *htmlReader) end(name []byte) {
	if to := r.soup.ended(name); to >= 0 {
		r.closeTo(to)
		return
	}
	if string(name) != "p" && string(name) != "br" {
		return
	}
	r.begin(name)
	r.b.w.Close()
}

// start opens an element after closing those that it implies the end of.
func (r *htmlReader) start(z *html.Tokenizer, name []byte, more, selfClosing bool, offset int) error {
	id := r.soup.id(name)
	if r.soup.ignored(id) {
		return nil
	}
	if to := r.soup.implied(id); to >= 0 {
		r.closeTo(to)
	}
	r.begin(name)
	if r.b.count.attributes {
		for more {
			var key, value []byte
			key, value, more = z.TagAttr()
			from := len(r.arena)
			r.arena = append(append(r.arena, '@'), key...)
			addAttribute(&r.elementReader, from, value)
		}
		if err := r.writeAttributes(offset, false); err != nil {
			return err
		}
	}
	if in(voids, id) || selfClosing && r.soup.inside(foreigners) >= 0 {
		r.b.w.Close()
		return nil
	}
	r.soup.push(id)
	return nil
}

// closeTo closes the innermost elements until that many are open.
func (r *htmlReader) closeTo(open int) {
	r.flush()
	for len(r.soup.open) > open {
		r.soup.pop()
		r.b.w.Close()
	}
}
