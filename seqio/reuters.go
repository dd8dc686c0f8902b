package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// The parts of Reuters-21578 as its ModApte split divides it; see Options.Split.
const splitTrain, splitTest = "train", "test"

// checkSplit returns an error if it is not the value of Options.Split.
func checkSplit(split string) error {
	switch split {
	case "", splitTrain, splitTest:
		return nil
	}
	return fmt.Errorf("seqio: split = %q, want train or test", split)
}

// parseReuters reads the SGML of Reuters-21578 into c. The tokenizer of HTML does for it: its tags, attributes and references are the same.
func parseReuters(in *lines.Reader, c *collector) error {
	p := &reuters{c: c, z: html.NewTokenizer(&checkedLines{lines: wholeLines{in: in, c: c}}), line: 1}
	p.z.SetMaxBuf(p.mostToken())
	for {
		kind := p.z.Next()
		if kind == html.ErrorToken {
			return p.finish(p.z.Err())
		}
		line := p.line
		p.line += bytes.Count(p.z.Raw(), []byte{'\n'})
		var err error
		switch kind {
		case html.TextToken:
			err = p.text(p.z.Text())
		case html.StartTagToken:
			err = p.open(line)
		case html.EndTagToken:
			name, _ := p.z.TagName()
			err = p.close(string(name))
		}
		if err != nil {
			return err
		}
	}
}

// reuters is on its way through a file.
type reuters struct {
	c      *collector
	z      *html.Tokenizer
	line   int    // of the next token
	inside string // the element that text belongs to, "" if to none that matters

	document *document // nil between documents
	chosen   bool      // the document belongs to the split
	topic    []byte
	body     []byte
}

// open obeys a start tag.
func (p *reuters) open(line int) error {
	name, more := p.z.TagName()
	switch element := string(name); element {
	case "reuters":
		if p.document != nil {
			return p.c.errorf(line, "a document within that of line %d", p.document.line)
		}
		p.begin(line, more)
		if p.document.id == nil {
			return p.c.errorf(line, "a document without the attribute NEWID")
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
	p.document, p.body, p.topic, p.inside = &document{line: line}, p.body[:0], p.topic[:0], ""
	split, topics := "", false
	for more {
		var key, value []byte
		key, value, more = p.z.TagAttr()
		switch string(key) {
		case "newid":
			p.document.id = append([]byte{}, value...)
		case "lewissplit":
			split = strings.ToLower(string(value))
		case "topics":
			topics = strings.EqualFold(string(value), "yes")
		}
	}
	p.chosen = p.c.opt.Split == "" || topics && split == p.c.opt.Split
}

// mostToken is how long a tag, or a text between two, may be; the tokenizer holds it twice or more.
func (p *reuters) mostToken() int {
	return max(int(min(int64(p.c.limit), memory.Limit()/4)), lines.BufferSize)
}

// text takes what stands between tags; control characters are of the wire, not of the text.
func (p *reuters) text(text []byte) error {
	const topic = 2 * topicBytes // in a list that is copied as it grows
	held := 3*(len(p.body)+len(p.topic)+len(text)) + topic*p.topics()
	if err := p.c.fits(held, p.line); err != nil {
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

// topics returns the number of topics of the document so far.
func (p *reuters) topics() int {
	if p.document == nil {
		return 0
	}
	return len(p.document.topics)
}

// close obeys an end tag. Outside of documents none means anything.
func (p *reuters) close(element string) error {
	if p.document == nil {
		return nil
	}
	switch element {
	case "reuters":
		return p.end()
	case "d":
		if p.inside == "d" {
			p.document.topics = append(p.document.topics, p.c.intern(bytes.TrimSpace(p.topic)))
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

// end hands the document over. Of a split only documents with a topic are of use.
func (p *reuters) end() error {
	d := p.document
	p.document, p.inside = nil, ""
	if !p.chosen || p.c.opt.Split != "" && len(d.topics) == 0 {
		return nil
	}
	if len(d.topics) > 0 {
		d.label = []byte(d.topics[0])
	}
	d.text = bytes.TrimSpace(p.body)
	return p.c.document(*d)
}

// finish looks at what the tokenizer ended with.
func (p *reuters) finish(err error) error {
	switch {
	case errors.Is(err, html.ErrBufferExceeded):
		return p.c.errorf(p.line, "a text of more than %d bytes; split it", p.mostToken())
	case err != io.EOF:
		return err
	case p.document != nil:
		return p.c.errorf(p.document.line, "the document is not closed by </REUTERS>")
	}
	return nil
}

// checkedLines gives the bytes of lines that are text.
type checkedLines struct {
	lines wholeLines
	rest  []byte
}

// Read implements io.Reader.
func (l *checkedLines) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		line, err := l.lines.next()
		if err != nil {
			return 0, err
		}
		if err := l.lines.c.checkLine(line, l.lines.in.Line); err != nil {
			return 0, err
		}
		l.rest = append(append(l.rest[:0], line...), '\n')
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}
