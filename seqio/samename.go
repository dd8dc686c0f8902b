package seqio

import (
	"golang.org/x/text/unicode/norm"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// SameName returns the first two of some names that mean the same, and what: a number in two decimal spellings, such as
// 1 and 1.0, or a text in two spellings that Unicode takes for one, such as é and e with a combining accent. what is ""
// if there are none.
func SameName(names []string) (first, second, what string) {
	known := make(map[string]string, len(names))
	for _, name := range names {
		key, what := norm.NFC.String(name), "text (canonically equivalent)"
		if number, ok := lines.CanonicalNumber(name); ok {
			key, what = number, "number"
		}
		if first, found := known[key]; found {
			return first, name, what
		}
		known[key] = name
	}
	return "", "", ""
}
