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
func Check(text []byte) error { return check(text, math.MaxInt, false) }

// Unique is [Check] for a text with objects of any keys: nulls are allowed, and only keys of the outermost object may
// not differ in case alone.
func Unique(text []byte) error { return check(text, 1, true) }

func check(text []byte, folded int, nulls bool) error {
	c := checker{json.NewDecoder(bytes.NewReader(text)), folded, nulls}
	c.tokens.UseNumber()
	path, problem := c.value(1)
	switch {
	case problem == "":
		return nil
	case path == "":
		return errors.New("the text " + problem)
	}
	return fmt.Errorf("%q %s", path, problem)
}

// checker walks over the tokens of a text.
type checker struct {
	tokens *json.Decoder
	folded int  // depth down to which keys that differ only in case are the same
	nulls  bool // are allowed
}

// value checks the next value, at a depth from 1. It returns what is wrong, "" if nothing is, and where in the value.
func (c *checker) value(depth int) (path, problem string) {
	token, err := c.tokens.Token()
	switch {
	case err != nil:
		return "", "is no JSON: " + err.Error()
	case token == nil && !c.nulls:
		return "", "is null"
	case token == json.Delim('{'):
		return c.members(depth)
	case token == json.Delim('['):
		for i := 0; c.tokens.More(); i++ {
			if path, problem := c.value(depth + 1); problem != "" {
				return join("["+strconv.Itoa(i)+"]", path), problem
			}
		}
		c.tokens.Token() // ]
	}
	return "", ""
}

// members checks the members of an object that has begun.
func (c *checker) members(depth int) (path, problem string) {
	met := map[string]bool{}
	for c.tokens.More() {
		token, _ := c.tokens.Token()
		key, _ := token.(string)
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
	c.tokens.Token() // }
	return "", ""
}

// join joins a step to the path that follows it.
func join(step, path string) string {
	if path == "" || path[0] == '[' {
		return step + path
	}
	return step + "." + path
}
