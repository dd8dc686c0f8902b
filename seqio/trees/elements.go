package trees

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"

	"github.com/seqsvm/seqsvm/internal/plural"
)

// elementReader writes elements of XML and HTML.
type elementReader struct {
	b          *builder
	pending    []byte // text since the last tag
	attributes []attribute
	arena      []byte // names, each after an @, and values of attributes
}

// xmlReader reads XML.
type xmlReader struct {
	elementReader
	names []byte // of open elements, one after the other
	open  []openElement
}

// openElement is an element of XML that is not closed yet.
type openElement struct {
	name   int // where it begins in names
	offset int // of the tag
}

// attribute is one of the tag being read: its name is arena[from:middle], its value arena[middle:to].
type attribute struct{ from, middle, to int }

func (r *xmlReader) read(text []byte, b *builder) error {
	r.b, r.pending, r.names, r.open = b, r.pending[:0], r.names[:0], r.open[:0]
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // decoded already
	for {
		offset := int(d.InputOffset())
		token, err := d.RawToken()
		var syntax *xml.SyntaxError
		switch {
		case err == io.EOF:
			return r.endText()
		case errors.As(err, &syntax):
			return errorAt(int(d.InputOffset()), "%s", syntax.Msg)
		case err != nil:
			return at(offset, err)
		}
		if err := r.token(token, offset); err != nil {
			return err
		}
	}
}

func (r *xmlReader) token(token xml.Token, offset int) error {
	switch t := token.(type) {
	case xml.StartElement:
		return r.start(t, offset)
	case xml.EndElement:
		return r.end(t, offset)
	case xml.CharData:
		if len(r.open) == 0 && len(bytes.TrimSpace(t)) > 0 {
			return errorAt(offset, "text %s outside elements, want a tag", plural.Beginning(bytes.TrimSpace(t)))
		}
		r.pending = append(r.pending, t...)
	}
	return nil
}

// flush writes the text that a tag ends.
func (r *elementReader) flush() {
	r.b.text(r.pending)
	r.pending = r.pending[:0]
}

// begin writes the text before a tag, and opens its element.
func (r *elementReader) begin(name []byte) {
	r.flush()
	r.attributes, r.arena = r.attributes[:0], r.arena[:0]
	r.b.name(name)
}

func (r *xmlReader) start(t xml.StartElement, offset int) error {
	name := len(r.names)
	r.open = append(r.open, openElement{name, offset})
	r.names = appendName(r.names, t.Name)
	if r.begin(r.names[name:]); !r.b.count.attributes {
		return nil
	}
	for _, a := range t.Attr {
		if a.Name.Space == "xmlns" || a.Name.Space == "" && a.Name.Local == "xmlns" {
			continue
		}
		from := len(r.arena)
		r.arena = appendName(append(r.arena, '@'), a.Name)
		addAttribute(&r.elementReader, from, a.Value)
	}
	return r.writeAttributes(offset, true)
}

// addAttribute adds an attribute whose name begins at an offset of the arena.
func addAttribute[T string | []byte](r *elementReader, from int, value T) {
	middle := len(r.arena)
	r.arena = append(r.arena, value...)
	r.attributes = append(r.attributes, attribute{from, middle, len(r.arena)})
}

// appendName appends a name as it was written.
func appendName(dst []byte, name xml.Name) []byte {
	if name.Space != "" {
		dst = append(append(dst, name.Space...), ':')
	}
	return append(dst, name.Local...)
}

// writeAttributes writes attributes by name. Of equal ones the first counts, unless they have to be distinct.
func (r *elementReader) writeAttributes(offset int, distinct bool) error {
	name := func(a attribute) []byte { return r.arena[a.from:a.middle] }
	slices.SortStableFunc(r.attributes, func(a, b attribute) int { return bytes.Compare(name(a), name(b)) })
	for i, a := range r.attributes {
		if i > 0 && bytes.Equal(name(a), name(r.attributes[i-1])) {
			if distinct {
				return errorAt(offset, "duplicate attribute %s in a tag", plural.Beginning(name(a)[1:]))
			}
			continue
		}
		r.b.w.Open(name(a))
		if r.b.count.values {
			r.b.value(r.arena[a.middle:a.to])
		}
		r.b.w.Close()
	}
	return nil
}

func (r *xmlReader) end(t xml.EndElement, offset int) error {
	r.flush()
	name := appendName(nil, t.Name)
	if len(r.open) == 0 {
		return errorAt(offset, "</%s> without its start tag", short(name))
	}
	top := r.open[len(r.open)-1]
	if wanted := r.names[top.name:]; !bytes.Equal(name, wanted) {
		return errorAt(offset, "</%s>, want </%s>", short(name), short(wanted))
	}
	r.names = r.names[:top.name]
	r.open = r.open[:len(r.open)-1]
	r.b.w.Close()
	return nil
}

// endText checks that a text does not end inside an element.
func (r *xmlReader) endText() error {
	if len(r.open) == 0 {
		return nil
	}
	top := r.open[len(r.open)-1]
	return errorAt(top.offset, "<%[1]s> is not closed, want </%[1]s> before the end", short(r.names[top.name:]))
}

// short cuts a name for a message.
func short(name []byte) []byte {
	const most = 40
	if len(name) > most {
		return append(name[:most:most], "…"...)
	}
	return name
}
