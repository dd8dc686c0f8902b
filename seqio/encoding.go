package seqio

import (
	"bufio"
	"fmt"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// The encodings that nothing is decoded for.
const encodingUTF8, encodingBytes = "utf-8", "bytes"

// encoding returns the name of the encoding in lower case.
func (o Options) encoding() string {
	switch name := strings.ToLower(strings.TrimSpace(o.Encoding)); name {
	case "", "utf8":
		return encodingUTF8
	default:
		return name
	}
}

// decoderOf returns what turns an encoding into UTF-8, nil if there is nothing to do.
func (o Options) decoderOf() (encoding.Encoding, error) {
	switch name := o.encoding(); name {
	case encodingUTF8, encodingBytes:
		return nil, nil
	case "utf-16", "utf16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), nil
	default:
		e, err := htmlindex.Get(name)
		if err != nil || e == encoding.Replacement {
			return nil, fmt.Errorf("seqio: encoding %s is unknown, want utf-8, bytes, utf-16, latin1, windows-1252, shift_jis or another of the WHATWG standard", lines.Quote(o.Encoding))
		}
		return e, nil
	}
}

// CheckEncoding returns an error unless [Options].Encoding may have that value.
func CheckEncoding(name string) error {
	_, err := Options{Encoding: name}.decoderOf()
	return err
}

// decode makes an input UTF-8. A byte order mark is believed before the option.
func (o Options) decode(in *lines.Input) error {
	e, err := o.decoderOf()
	if err != nil || e == nil {
		return err
	}
	in.Reader = bufio.NewReaderSize(transform.NewReader(in.Reader, unicode.BOMOverride(e.NewDecoder())), lines.PeekSize)
	return nil
}
