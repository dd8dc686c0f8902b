// Package strictjson decodes JSON that may come from anyone: without unknown fields, nulls and duplicate keys, and long
// lists element by element.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Check returns an error that names the first key of a JSON text, as in machines[3].rho, that is null or that its
// object has twice: encoding/json leaves a field that is null as it was, and takes the last of several. Keys that
// differ only in case are the same, as to encoding/json. O(len(text)).
func Check(text []byte) error { return check(text, math.MaxInt, false) }

// Unique is [Check] for a text with objects of any keys: nulls are allowed, and only keys of the outermost object may
// not differ in case alone.
func Unique(text []byte) error { return check(text, 1, true) }

func check(text []byte, folded int, nulls bool) error {
	if !json.Valid(text) {
		return errors.New("the text is no JSON")
	}
	c := checker{text, folded, nulls}
	path, problem := c.value(1)
	switch {
	case problem == "":
		return nil
	case path == "":
		return errors.New("the text " + problem)
	}
	return fmt.Errorf("%q %s", path, problem)
}

// checker walks over a valid text without copying values, of which a hostile one has many.
type checker struct {
	rest   []byte
	folded int  // depth down to which keys that differ only in case are the same
	nulls  bool // are allowed
}

// next returns the first byte of what follows, after blanks and separators; 0 at the end.
func (c *checker) next() byte {
	if c.rest = bytes.TrimLeft(c.rest, " \t\r\n,:"); len(c.rest) == 0 {
		return 0
	}
	return c.rest[0]
}

// take returns the next n bytes.
func (c *checker) take(n int) (taken []byte) {
	taken, c.rest = c.rest[:n], c.rest[n:]
	return taken
}

// more reports whether a list or object goes on, and takes its end if not.
func (c *checker) more(end byte) bool {
	if c.next() != end {
		return true
	}
	c.take(1)
	return false
}

// quoted takes a string with its quotes.
func (c *checker) quoted() []byte {
	end := 1
	for ; c.rest[end] != '"'; end++ {
		if c.rest[end] == '\\' {
			end++
		}
	}
	return c.take(end + 1)
}

// value checks the next value, at a depth from 1. It returns what is wrong, "" if nothing is, and where in the value.
func (c *checker) value(depth int) (path, problem string) {
	switch c.next() {
	case '{':
		c.take(1)
		return c.members(depth)
	case '[':
		c.take(1)
		for i := 0; c.more(']'); i++ {
			if path, problem := c.value(depth + 1); problem != "" {
				return join("["+strconv.Itoa(i)+"]", path), problem
			}
		}
	case '"':
		c.quoted()
	case 'n':
		if !c.nulls {
			return "", "is null"
		}
		c.take(len("null"))
	default: // a number, true or false
		end := bytes.IndexAny(c.rest, " \t\r\n,]}")
		if end < 0 {
			end = len(c.rest)
		}
		c.take(end)
	}
	return "", ""
}

// members checks the members of an object that has begun.
func (c *checker) members(depth int) (path, problem string) {
	met := map[string]bool{}
	for c.more('}') {
		quoted := c.quoted()
		key := string(quoted[1 : len(quoted)-1])
		if strings.Contains(key, `\`) {
			_ = json.Unmarshal(quoted, &key) // the text is valid
		}
		folded := key
		if depth <= c.folded {
			folded = strings.ToLower(strings.ToUpper(key)) // ſ is an s, as to encoding/json
		}
		if met[folded] {
			return key, "occurs twice"
		}
		met[folded] = true
		if path, problem := c.value(depth + 1); problem != "" {
			return join(key, path), problem
		}
	}
	return "", ""
}

// join joins a step to the path that follows it.
func join(step, path string) string {
	if path == "" || path[0] == '[' {
		return step + path
	}
	return step + "." + path
}

// Decode decodes one JSON value with nothing after it.
func Decode(text []byte, into any) error {
	d := newDecoder(text)
	if err := d.Decode(into); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return errors.New("JSON ends too early")
		}
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	return nil
}

// DecodeChecked is [Decode] of a text that passes [Check].
func DecodeChecked(text []byte, into any) error {
	if err := Decode(text, into); err != nil {
		return err
	}
	return Check(text)
}

// List decodes the elements of a JSON list one by one, so that one that is too long or has an element that visit
// rejects takes no memory for the rest. Errors of decoding begin with its name. The text must be valid JSON.
func List[T any](text []byte, name string, visit func(i int, element T) error) error {
	d := newDecoder(text)
	if token, err := d.Token(); err != nil || token != json.Delim('[') {
		return fmt.Errorf("%s: missing, want a list", name)
	}
	for i := 0; d.More(); i++ {
		var element T
		if err := d.Decode(&element); err != nil {
			return fmt.Errorf("%s %d: %w", name, i, err)
		}
		if err := visit(i, element); err != nil {
			return err
		}
	}
	return nil
}

func newDecoder(text []byte) *json.Decoder {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d
}
