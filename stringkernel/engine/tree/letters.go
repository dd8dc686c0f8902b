package tree

import "github.com/seqsvm/seqsvm/stringkernel"

// AllBytes reports whether every byte is a letter of an alphabet.
func AllBytes(a stringkernel.Alphabet) bool { return a.Size() == 256 }

// Letters returns the symbol of each byte in a text, and one more than the greatest: letters of the alphabet are
// numbered from first on, in order, and 0 is a break, that of other bytes. If every byte is a letter, only those used
// get a number, so that symbols fit a byte unless all of them do.
func Letters(a stringkernel.Alphabet, used *[256]bool, first int32) (symbols [256]int32, sigma int) {
	if !AllBytes(a) {
		for b, code := range a.Codes() {
			if code != stringkernel.Outside {
				symbols[b] = int32(code) + first
			}
		}
		return symbols, int(first) + a.Size()
	}
	next := first
	for b, is := range used {
		if is {
			symbols[b] = next
			next++
		}
	}
	return symbols, int(next)
}
