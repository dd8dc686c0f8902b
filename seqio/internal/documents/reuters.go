package documents

import (
	"bytes"
	"errors"
	"io"

	"golang.org/x/net/html"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Reuters reads the SGML of Reuters-21578. The tokenizer of HTML is used: tags, attributes and references are the
// same.
func (p *Parser) Reuters(r io.Reader) error {
	x := &reuters{Parser: p, z: html.NewTokenizer(&checkedLines{in: p.wholeLines(r)}), line: 1}
	x.z.SetMaxBuf(x.mostToken())
	for {
		kind := x.z.Next()
		if kind == html.ErrorToken {
			return x.finish(x.z.Err())
		}
		line := x.line
		x.line += bytes.Count(x.z.Raw(), []byte{'\n'})
		var err error
		switch kind {
		case html.TextToken:
			err = x.text(x.z.Text())
		case html.StartTagToken:
			err = x.open(line)
		case html.EndTagToken:
			name, _ := x.z.TagName()
			err = x.close(string(name))
		}
		if err != nil {
			return err
		}
	}
}

// reuters is the state of parsing a file.
type reuters struct {
	*Parser
	z      *html.Tokenizer
	line   int    // of the next token
	inside string // the element that text belongs to, "" if to none that matters

	document *Document // nil between documents
	topic    []byte
	body     []byte
}

// open handles a start tag.
func (p *reuters) open(line int) error {
	name, more := p.z.TagName()
	switch element := string(name); element {
	case "reuters":
		if p.document != nil {
			return p.Errorf(line, "a document inside the one of line %d", p.document.Line)
		}
		p.begin(line, more)
		if p.document.ID == nil {
			return p.Errorf(line, "a document without the attribute NEWID")
		}
	case "topics", "text", "title", "body", "d", "dateline", "author":
		ofTopic := element != "d" || p.inside == "topics" // not of a place or a person
		if p.document != nil && ofTopic {
			p.inside = element
		}
	}
	return nil
}

// begin begins a document with the attributes of its tag.
func (p *reuters) begin(line int, more bool) {
	p.document, p.body, p.topic, p.inside = &Document{Line: line}, p.body[:0], p.topic[:0], ""
	for more {
		var key, value []byte
		key, value, more = p.z.TagAttr()
		if string(key) == "newid" {
			p.document.ID = append([]byte{}, value...)
		}
	}
}

// mostToken is how long a tag, or a text between two, may be; the tokenizer holds it twice or more.
func (p *reuters) mostToken() int {
	return max(int(min(int64(p.Limit), memory.Limit()/4)), lines.BufferSize)
}

// text takes what is between tags; control characters are of the wire, not of the text.
func (p *reuters) text(text []byte) error {
	const topic = 32 // in a list that is copied as it grows
	held := 3 * (len(p.body) + len(p.topic) + len(text))
	if p.document != nil {
		held += topic * len(p.document.Labels)
	}
	if err := p.Fits(held, p.line); err != nil {
		return err
	}
	switch p.inside {
	case "d":
		p.topic = append(p.topic, text...)
	case "text", "title", "body":
		for _, b := range text {
			if b >= ' ' && b != 0x7f || b == '\n' || b == '\t' {
				p.body = append(p.body, b)
			}
		}
	}
	return nil
}

// close handles an end tag. Those outside of documents are ignored.
func (p *reuters) close(element string) error {
	if p.document == nil {
		return nil
	}
	switch element {
	case "reuters":
		return p.end()
	case "d":
		if p.inside == "d" {
			p.document.Labels = append(p.document.Labels, p.Intern(bytes.TrimSpace(p.topic)))
			p.topic, p.inside = p.topic[:0], "topics"
		}
	case "title", "body", "dateline", "author":
		p.inside = "text"
		p.body = append(p.body, '\n')
	case "topics", "text":
		p.inside = ""
	}
	return nil
}

// end hands the document over.
func (p *reuters) end() error {
	d := p.document
	p.document, p.inside = nil, ""
	if len(d.Labels) > 0 {
		d.Label = []byte(d.Labels[0])
	}
	d.Text = bytes.TrimSpace(p.body)
	return p.Document(*d)
}

// finish looks at what the tokenizer ended with.
func (p *reuters) finish(err error) error {
	switch {
	case errors.Is(err, html.ErrBufferExceeded):
		return p.Errorf(p.line, "a text of more than %d bytes; split it", p.mostToken())
	case err != io.EOF:
		return err
	case p.document != nil:
		return p.Errorf(p.document.Line, "the document is not closed by </REUTERS>")
	}
	return nil
}

// checkedLines gives the bytes of lines that are text.
type checkedLines struct {
	in   *wholeLines
	rest []byte
}

// Read implements io.Reader.
func (l *checkedLines) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		line, err := l.in.next()
		if err != nil {
			return 0, err
		}
		if err := l.in.p.checkLine(line, l.in.Line); err != nil {
			return 0, err
		}
		l.rest = append(append(l.rest[:0], line...), '\n')
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}
