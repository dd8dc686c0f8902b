package documents

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

// The encodings that need no decoding.
const encodingUTF8, encodingBytes = "utf-8", "bytes"

// encodingName returns the name of an encoding in lower case.
func encodingName(name string) string {
	if name = strings.ToLower(strings.TrimSpace(name)); name == "" || name == "utf8" {
		return encodingUTF8
	}
	return name
}

// decoderOf returns what turns an encoding into UTF-8, nil if there is nothing to do.
func decoderOf(name string) (encoding.Encoding, error) {
	switch known := encodingName(name); known {
	case encodingUTF8, encodingBytes:
		return nil, nil
	case "utf-16", "utf16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), nil
	default:
		e, err := htmlindex.Get(known)
		if err != nil || e == encoding.Replacement {
			return nil, fmt.Errorf("seqio: encoding %s is unknown, want utf-8, bytes, utf-16, latin1, windows-1252, "+
				"shift_jis or another of the WHATWG standard", lines.Quote(name))
		}
		return e, nil
	}
}

// CheckEncoding returns an error unless an encoding of that name is known.
func CheckEncoding(name string) error {
	_, err := decoderOf(name)
	return err
}

// Decode turns an input into UTF-8. A byte order mark takes precedence over the name of the encoding.
func Decode(in *lines.Input, name string) error {
	e, err := decoderOf(name)
	if err != nil || e == nil {
		return err
	}
	if err := in.RefuseUTF32(); err != nil {
		return err
	}
	decoder := unicode.BOMOverride(e.NewDecoder())
	in.Buffer = bufio.NewReaderSize(transform.NewReader(in.Buffer, decoder), lines.PeekSize)
	return nil
}
