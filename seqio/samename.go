package seqio

import "github.com/seqsvm/seqsvm/seqio/internal/lines"

// SameNumber returns the first two of some names that are one decimal number in two spellings, such as 1 and 1.0, and
// false if there are none.
func SameNumber(names []string) (first, second string, found bool) {
	known := make(map[string]string, len(names))
	for _, name := range names {
		number, ok := lines.CanonicalNumber(name)
		if !ok {
			continue
		}
		if first, found := known[number]; found {
			return first, name, true
		}
		known[number] = name
	}
	return "", "", false
}
