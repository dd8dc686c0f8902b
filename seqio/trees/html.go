package trees

import (
	"bytes"
	"io"

	"golang.org/x/net/html"
)

// readHTML reads HTML, in which nothing is an error but what the limits forbid.
func (r *elementReader) readHTML(text []byte, b *builder) error {
	r.begin(b)
	r.soup.reset()
	z := html.NewTokenizer(bytes.NewReader(text))
	for offset := 0; ; offset += len(z.Raw()) {
		kind := z.Next()
		if kind == html.ErrorToken {
			if err := z.Err(); err != io.EOF {
				return at(offset, err)
			}
			return r.closeTo(0)
		}
		if err := r.htmlToken(z, kind, offset); err != nil {
			return err
		}
	}
}

func (r *elementReader) htmlToken(z *html.Tokenizer, kind html.TokenType, offset int) error {
	switch kind {
	case html.TextToken:
		if r.soup.hidesText() {
			return nil
		}
		raw := z.Raw()
		if r.soup.inHead() && len(bytes.TrimSpace(raw)) > 0 {
			if err := r.closeTo(r.soup.top(headID)); err != nil {
				return err
			}
		}
		r.collect(z.Text(), offset)
	case html.StartTagToken, html.SelfClosingTagToken:
		name, more := z.TagName()
		return r.htmlStart(z, name, more, kind == html.SelfClosingTagToken, offset)
	case html.EndTagToken:
		name, _ := z.TagName()
		return r.htmlEnd(name, offset)
	}
	return nil
}

// htmlEnd closes what an end tag closes. Of those that fit nothing, p and br stand for an empty element, as the
// standard has it.
func (r *elementReader) htmlEnd(name []byte, offset int) error {
	if to := r.soup.ended(name); to >= 0 {
		return r.closeTo(to)
	}
	if string(name) != "p" && string(name) != "br" {
		return nil
	}
	if err := r.flush(); err != nil {
		return err
	}
	if err := r.b.name(name); err != nil {
		return at(offset, err)
	}
	r.b.close()
	return nil
}

// htmlStart opens an element after closing those that it implies the end of.
func (r *elementReader) htmlStart(z *html.Tokenizer, name []byte, more, selfClosing bool, offset int) error {
	id := r.soup.id(name)
	if r.soup.ignored(id) {
		return nil
	}
	if to := r.soup.implied(id); to >= 0 {
		if err := r.closeTo(to); err != nil {
			return err
		}
	}
	if err := r.flush(); err != nil {
		return err
	}
	if err := r.b.name(name); err != nil {
		return at(offset, err)
	}
	if r.b.count.attributes {
		r.htmlAttributes(z, more)
		if err := r.writeAttributes(offset, false); err != nil {
			return err
		}
	}
	if isVoid(id) || selfClosing && r.soup.foreign() {
		r.b.close()
		return nil
	}
	r.soup.push(id)
	return nil
}

// htmlAttributes collects the attributes of a tag, if there are more than its name.
func (r *elementReader) htmlAttributes(z *html.Tokenizer, more bool) {
	r.attributes, r.arena = r.attributes[:0], r.arena[:0]
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		from := len(r.arena)
		r.arena = append(append(r.arena, '@'), key...)
		middle := len(r.arena)
		r.arena = append(r.arena, value...)
		r.attributes = append(r.attributes, attribute{from, middle, len(r.arena)})
	}
}

// closeTo closes the innermost elements until that many are open.
func (r *elementReader) closeTo(open int) error {
	if err := r.flush(); err != nil {
		return err
	}
	for len(r.soup.open) > open {
		r.soup.pop()
		r.b.close()
	}
	return nil
}
