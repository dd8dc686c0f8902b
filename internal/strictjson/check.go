package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Check returns an error that names the first key of a JSON text, as in machines[3].rho, that is null or that its object
// has twice: encoding/json leaves a field that is null as it was, and takes the last of several. Keys that differ only
// in case are the same, as to encoding/json. The text must be one that [Decode] takes.
func Check(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var open []*level
	for {
		token, err := d.Token()
		if err != nil {
			return nil // the end
		}
		if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
			open = open[:len(open)-1]
			continue
		}
		if len(open) > 0 {
			isKey, err := open[len(open)-1].next(token)
			if err != nil {
				return fmt.Errorf("%s %w", path(open), err)
			}
			if isKey {
				continue
			}
		}
		switch token {
		case nil:
			return fmt.Errorf("%s is null", path(open))
		case json.Delim('{'):
			open = append(open, &level{keys: map[string]bool{}})
		case json.Delim('['):
			open = append(open, &level{index: -1})
		}
	}
}

// level is an object or a list that has begun.
type level struct {
	keys  map[string]bool // those met, in lower case; nil in a list
	key   string          // the last of them
	value bool            // whether the value of the key has come
	index int             // of the last element of a list
}

// next takes a token, and reports whether it is a key and not a value.
func (l *level) next(token json.Token) (isKey bool, err error) {
	if l.keys == nil {
		l.index++
		return false, nil
	}
	if l.value = !l.value; !l.value {
		return false, nil
	}
	l.key = token.(string)
	folded := strings.ToLower(l.key)
	if l.keys[folded] {
		return true, fmt.Errorf("occurs twice")
	}
	l.keys[folded] = true
	return true, nil
}

// path writes where the last token is.
func path(open []*level) string {
	var b strings.Builder
	for i, l := range open {
		switch {
		case l.keys == nil:
			b.WriteString("[" + strconv.Itoa(l.index) + "]")
		case i > 0:
			b.WriteString("." + l.key)
		default:
			b.WriteString(l.key)
		}
	}
	if b.Len() == 0 {
		return "the text"
	}
	return strconv.Quote(b.String())
}
