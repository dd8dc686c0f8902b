package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Check returns an error that names the first key of a JSON text, as in machines[3].rho, that is null or that its
// object has twice: encoding/json leaves a field that is null as it was, and takes the last of several. Keys that
// differ only in case are the same, as to encoding/json. The text must be one that [Decode] takes. O(len(text)).
func Check(text []byte) error { return (&checker{text: text, folded: math.MaxInt}).check() }

// Unique is [Check] for a text with objects of any keys: nulls are allowed, and only keys of the outermost object may
// not differ in case alone.
func Unique(text []byte) error { return (&checker{text: text, folded: 1, nulls: true}).check() }

func (c *checker) check() error {
	text := c.text
	for at := 0; at < len(text); at++ {
		var err error
		switch text[at] {
		case '{', '[':
			c.open = append(c.open, level{object: text[at] == '{', wantsKey: text[at] == '{', first: len(c.keys)})
		case '}', ']':
			last := len(c.open) - 1
			c.keys, c.open = c.keys[:c.open[last].first], c.open[:last]
		case ',':
			l := &c.open[len(c.open)-1]
			l.wantsKey = l.object
			l.index++
		case '"':
			end := endOfString(text, at)
			err = c.string(text[at : end+1])
			at = end
		case 'n': // of null: no number, true or false has this letter
			if !c.nulls {
				err = errors.New("is null")
			}
		}
		if err != nil {
			return fmt.Errorf("%s %w", c.path(), err)
		}
	}
	return nil
}

// endOfString returns the index of the quote that closes the string at a quote.
func endOfString(text []byte, at int) int {
	for at++; text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return at
}

// checker is where a check has come to.
type checker struct {
	text   []byte
	folded int  // depth down to which keys that differ only in case are the same
	nulls  bool // are allowed
	open   []level
	keys   []string // those met in the objects that are open, in lower case where they are folded
}

// level is an object or a list that has begun.
type level struct {
	object, wantsKey bool
	first            int             // of its keys
	index            int             // of the current element
	met              map[string]bool // the keys, if there are many
}

// fewKeys is how many keys of an object are compared one by one.
const fewKeys = 32

// string takes a quoted string, which may be a key.
func (c *checker) string(quoted []byte) error {
	if len(c.open) == 0 || !c.open[len(c.open)-1].wantsKey {
		return nil
	}
	l := &c.open[len(c.open)-1]
	l.wantsKey = false
	key := string(quoted[1 : len(quoted)-1])
	if bytes.IndexByte(quoted, '\\') >= 0 {
		if err := json.Unmarshal(quoted, &key); err != nil {
			return err
		}
	}
	folded := key
	if len(c.open) <= c.folded {
		folded = strings.ToLower(strings.ToUpper(key)) // ſ is an s, as to encoding/json
	}
	twice := l.met[folded]
	if l.met == nil {
		for _, other := range c.keys[l.first:] {
			twice = twice || other == folded
		}
	}
	c.keys = append(c.keys, folded)
	if twice {
		c.keys[len(c.keys)-1] = key
		return errors.New("occurs twice")
	}
	if l.met == nil && len(c.keys)-l.first > fewKeys {
		l.met = map[string]bool{}
		for _, other := range c.keys[l.first:] {
			l.met[other] = true
		}
	} else if l.met != nil {
		l.met[folded] = true
	}
	return nil
}

// path writes where the check has come to.
func (c *checker) path() string {
	var b strings.Builder
	for i, l := range c.open {
		if !l.object {
			b.WriteString("[" + strconv.Itoa(l.index) + "]")
			continue
		}
		last := len(c.keys)
		if i+1 < len(c.open) {
			last = c.open[i+1].first
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(c.keys[last-1])
	}
	if b.Len() == 0 {
		return "the text"
	}
	return strconv.Quote(b.String())
}
