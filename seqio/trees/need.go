package trees

import "bytes"

// Needs returns an upper estimate of the memory to convert a text, in bytes, from the number of nodes and attributes
// that it may hold: a text of commas alone is many nodes of Newick.
func (c *Converter) Needs(text []byte) int {
	const (
		newickNode = 72 // 24 in lists that are copied as they grow, and 4 of the record
		pennNode   = 48 // 16
		element    = 60 // 16 where it is open, and 4 of the record
		attribute  = 180
		container  = 48 // an open object or list, in lists that are copied as they grow
	)
	switch c.syntax {
	case Newick:
		return 2*len(text) + newickNode*count(text, "(,;")
	case Penn:
		return 4*len(text) + pennNode*count(text, "( \t\n\v\f\r")
	case DotBracket:
		return 24 * len(text) // every byte is a base
	case Graph:
		return 2 * len(text) // the record
	case JSON:
		return 4*len(text) + container*count(text, "[{")
	default:
		return 2*len(text) + element*count(text, "<") + attribute*count(text, "= \t\n\f\r/'\"")/2
	}
}

// count returns how many bytes of a text are some.
func count(text []byte, some string) (n int) {
	for i := range len(some) {
		n += bytes.Count(text, []byte{some[i]})
	}
	return n
}
