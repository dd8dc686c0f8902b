package bow

import "github.com/seqsvm/seqsvm/internal/wordbreak"

// EachWord calls visit for every word of x, in order: x[lo:hi], 0-based byte offsets. Words are the segments between
// the word boundaries of UAX #29 that hold a letter, a digit or another number, or a pictograph (category So);
// everything else (spaces, punctuation, invalid UTF-8) is skipped. O(len(x)), without allocating.
func EachWord(x []byte, visit func(lo, hi int)) { wordbreak.Each(x, visit) }
