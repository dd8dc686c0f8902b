package documents

import (
	"bytes"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// checkText returns an error if a text that begins at the beginning of a line holds NUL or what is not in the encoding.
func (p *Parser) checkText(text []byte, line int) error {
	if at := bytes.IndexByte(text, 0); at >= 0 {
		return p.badText(text, at, line, "NUL byte; is this a text?")
	}
	switch p.encoding {
	case encodingBytes:
	case encodingUTF8:
		if !utf8.Valid(text) {
			at := invalidUTF8(text)
			return p.badText(text, at, line,
				lines.ByteName(text[at])+" is not UTF-8; name the encoding, as encoding=latin1, or convert the file")
		}
	default:
		if at := bytes.Index(text, []byte(string(utf8.RuneError))); at >= 0 {
			return p.badText(text, at, line, "not "+p.encoding+", or a replacement character")
		}
	}
	return nil
}

// badText reports the byte at an offset of a text by line and column, which is counted in bytes.
func (p *Parser) badText(text []byte, at, line int, what string) error {
	before := text[:at]
	column := at - bytes.LastIndexByte(before, '\n')
	return p.Errorf(line+bytes.Count(before, []byte{'\n'}), "column %d: %s", column, what)
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8; there is one.
func invalidUTF8(text []byte) int {
	at := 0
	for {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// checkLine is checkText of a line, which holds no CR.
func (p *Parser) checkLine(line []byte, number int) error {
	if bytes.IndexByte(line, '\r') >= 0 {
		return p.Errorf(number, "%w", lines.ErrLoneCR)
	}
	return p.checkText(line, number)
}
