package documents

import (
	"bufio"
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
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

// xmlEncoding finds the encoding that XML declares.
var xmlEncoding = regexp.MustCompile(`^\s*<\?xml\s[^<>]*?\sencoding\s*=\s*["']([^"'<>]*)["']`)

// Declared returns the encoding of a document of XML or HTML: UTF-16 by its mark or first tag, otherwise the one that
// the document declares in its first bytes, "" if it declares none. A name that no encoding has is an error in XML;
// browsers ignore it in HTML.
func Declared(in *lines.Input, isHTML bool) (string, error) {
	head, _ := in.Buffer.Peek(lines.PeekSize)
	switch start := string(head[:min(2, len(head))]); start {
	case "\xff\xfe", "\xfe\xff":
		return "utf-16", nil
	case "<\x00":
		return "utf-16le", nil
	case "\x00<":
		return "utf-16be", nil
	}
	name := ""
	if found := xmlEncoding.FindSubmatch(head); found != nil {
		name = string(found[1])
	} else if isHTML {
		name = metaCharset(head)
	}
	e, err := decoderOf(name)
	switch {
	case err != nil && !isHTML:
		return "", lines.Errorf(in.Name, 1, "the declared encoding %s is unknown; name the encoding or convert the file",
			lines.Quote(name))
	case err != nil || e == nil || strings.HasPrefix(encodingName(name), "utf-16"): // which cannot be read as ASCII
		return "", nil
	}
	return name, nil
}

// metaCharset returns the encoding of <meta charset> or <meta http-equiv="content-type"> in the first bytes of HTML, ""
// if there is none.
func metaCharset(head []byte) string {
	for z := html.NewTokenizer(bytes.NewReader(head)); ; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			if token.DataAtom != atom.Meta {
				continue
			}
			named := map[string]string{}
			for _, a := range token.Attr {
				named[a.Key] = a.Val
			}
			if name := named["charset"]; name != "" {
				return name
			}
			if _, name, found := strings.Cut(strings.ToLower(named["content"]), "charset="); found &&
				strings.EqualFold(named["http-equiv"], "content-type") {
				return strings.Trim(name, " \t\"';")
			}
		}
	}
}

// Decode turns an input into UTF-8. A byte order mark takes precedence over the name of the encoding.
func Decode(in *lines.Input, name string) error {
	in.Encoding = name
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
