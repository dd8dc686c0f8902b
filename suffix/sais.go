package suffix

// Suffix array construction by induced sorting:
//
//	G. Nong, S. Zhang & W. H. Chan, "Two efficient algorithms for linear time
//	suffix array construction", IEEE Transactions on Computers 60 (2011)
//	1471–1484, doi:10.1109/TC.2010.188 (first as "Linear suffix array
//	construction by almost pure induced-sorting", DCC 2009).
//
// A suffix is S-type if it is smaller than the suffix one symbol to its right,
// else L-type; the virtual end of the text is smaller than every symbol, so the
// last suffix is L-type. An S-type suffix that follows an L-type one is LMS
// ("leftmost S"). Two facts carry the method. L-type suffixes are put in order
// by one scan from left to right that, at each suffix already in place, appends
// its left neighbour to the front part of its bucket; S-type suffixes likewise
// from right to left. And at most every second suffix is LMS, so ordering those
// is a problem of half the size.
//
// The scans over arrays of the text's length, at each level of the recursion
// (+ rightwards, - leftwards):
//
//	countSymbols   text +
//	placeLMS       text -, random buckets
//	induceL, sub   sa +,   random text, random buckets      (A)
//	induceSubS     sa -,   random text, random buckets      (B)
//	measureLMS     text -
//	nameLMS        sa + (LMS part), random text             (C)
//	packNames      sa - (first half)
//	  sais         recursion on at most n/2 symbols
//	restoreLMS     text -, sa + (LMS part)
//	spreadLMS      sa - (LMS part), random text
//	induceL        sa +,   random text, random buckets      (D)
//	induceS        sa -,   random text, random buckets      (E)
//
// Time goes to the random reads of the text in A, B, C, D and E, two thirds of
// it on DNA of 10⁷ letters. Those loops therefore have no branch that depends on
// what is read from the text: the test "which type is my left neighbour?" becomes
// the sign of the stored position by arithmetic, so that a processor can run ahead
// and have many reads in flight.
//
// Signs. In an induction scan a positive entry j is a suffix whose left neighbour
// j-1 still has to be placed by this scan; a negative one is left to the other
// scan. Zero is an empty slot and also position 0, which has no left neighbour:
// both are skipped for the same reason.
//
// No memory of size O(n) is taken beside the result: the reduced text, the names
// and (when they fit) the recursion's buckets all live in parts of it.

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// MaxLen is the greatest length of a text: positions are stored in int32 and the
// signs of the positions are in use.
const MaxLen = math.MaxInt32 - 1

// Array computes the suffix array of text: sa[r] is the 0-based start of the
// r-th smallest suffix, the end of the text counting as smaller than any symbol.
// The symbols must lie in [0, sigma).
//
// It takes O(n + sigma) time and, beside the 4n bytes of the result, 8·sigma bytes
// (for texts with many distinct symbols, up to 4n bytes more during the
// recursion). The order is that of the symbols' values; 0 has no special role
// here, except that a text of documents each closed by 0 gets its equal truncated
// suffixes side by side. Errors: a text longer than MaxLen, sigma out of range,
// a symbol out of range, ctx done.
func Array[S Symbol](ctx context.Context, text []S, sigma int) (sa []int32, err error) {
	defer cancel.Catch(&err)
	if len(text) > MaxLen {
		return nil, fmt.Errorf("suffix: text of %d symbols, want ≤ %d", len(text), MaxLen)
	}
	if sigma < 1 || sigma > math.MaxInt32 {
		return nil, fmt.Errorf("suffix: sigma = %d, want 1 … %d", sigma, math.MaxInt32)
	}
	if err := checkSymbols(text, sigma); err != nil {
		return nil, err
	}
	order := make([]int32, len(text))
	work := make([]int32, 2*sigma)
	sais(ctx, text, order, work[:sigma], work[sigma:])
	return order, nil
}

// checkSymbols returns an error naming the first symbol outside [0, sigma).
func checkSymbols[S Symbol](text []S, sigma int) error {
	for i, c := range text {
		if uint(c) >= uint(sigma) {
			return fmt.Errorf("suffix: symbol %d at position %d, want 0 … %d", c, i, sigma-1)
		}
	}
	return nil
}

// sais sorts the suffixes of text into sa, which has the same length and is zero.
// count and bucket are scratch of one entry per symbol.
func sais[S Symbol](ctx context.Context, text []S, sa, count, bucket []int32) {
	n := len(text)
	if n == 0 {
		return
	}
	countSymbols(ctx, text, count)
	if lms := placeLMS(ctx, text, sa, count, bucket); lms > 1 {
		induceL(ctx, text, sa, count, bucket, true)
		induceSubS(ctx, text, sa, count, bucket)
		measureLMS(ctx, text, sa)
		if names := nameLMS(ctx, text, sa, lms); names < lms {
			packNames(ctx, sa)
			recurse(ctx, sa, lms, names)
			restoreLMS(ctx, text, sa, lms)
		} else {
			copy(sa[:lms], sa[n-lms:])
		}
		spreadLMS(ctx, text, sa, lms, count, bucket)
	}
	induceL(ctx, text, sa, count, bucket, false)
	induceS(ctx, text, sa, count, bucket)
}

// countSymbols stores in count how often each symbol occurs.
func countSymbols[S Symbol](ctx context.Context, text []S, count []int32) {
	clear(count)
	for _, c := range cancel.All(ctx, text) {
		count[c]++
	}
}

// bucketStarts stores in bucket the index of the first slot of each symbol.
func bucketStarts(count, bucket []int32) {
	sum := int32(0)
	for c, k := range count {
		bucket[c] = sum
		sum += k
	}
}

// bucketEnds stores in bucket the index one past the last slot of each symbol.
func bucketEnds(count, bucket []int32) {
	sum := int32(0)
	for c, k := range count {
		sum += k
		bucket[c] = sum
	}
}

// leftmost yields the positions of the LMS suffixes from right to left.
func leftmost[S Symbol](ctx context.Context, text []S) iter.Seq[int] {
	return func(yield func(int) bool) {
		sType, right := false, text[len(text)-1]
		for i := range cancel.Down(ctx, 0, len(text)-1) {
			c := text[i]
			if c < right {
				sType = true
			} else if c > right && sType {
				sType = false
				if !yield(i + 1) {
					return
				}
			}
			right = c
		}
	}
}

// placeLMS puts the LMS suffixes, unsorted, at the ends of their buckets and
// returns their number.
func placeLMS[S Symbol](ctx context.Context, text []S, sa, count, bucket []int32) (lms int) {
	bucketEnds(count, bucket)
	for p := range leftmost(ctx, text) {
		c := text[p]
		b := bucket[c] - 1
		bucket[c] = b
		sa[b] = int32(p)
		lms++
	}
	return lms
}

// negateIf returns -k if a < b, else k, without a branch.
func negateIf(a, b int64, k int32) int32 {
	sign := int32((a - b) >> 63)
	return (k ^ sign) - sign
}

// induceL places L-type suffixes. Without sub it places all, from the sorted LMS suffixes; afterwards the positive
// entries are those whose left neighbour is S-type. With sub it places suffixes by what follows them up to the next LMS
// position, and the rest of sa becomes zero.
func induceL[S Symbol](ctx context.Context, text []S, sa, count, bucket []int32, sub bool) {
	bucketStarts(count, bucket)
	placeLast(text, sa, bucket)
	for i := range cancel.Steps(ctx, 0, len(sa)) {
		j := sa[i]
		sa[i] = -j
		if j <= 0 {
			continue
		}
		if sub {
			sa[i] = 0
		}
		k := j - 1
		c := text[k]
		b := bucket[c]
		bucket[c] = b + 1
		if k > 0 {
			k = negateIf(int64(text[k-1]), int64(c), k)
		}
		sa[b] = k
	}
}

// placeLast begins a scan for L-type suffixes with the last suffix, which the
// virtual end of the text induces.
func placeLast[S Symbol](text []S, sa, bucket []int32) {
	k := int32(len(text) - 1)
	c := text[k]
	b := bucket[c]
	bucket[c] = b + 1
	if k > 0 && text[k-1] < c {
		k = -k
	}
	sa[b] = k
}

// induceSubS places S-type suffixes by what follows them up to the next LMS
// position, and collects the LMS suffixes, in that order, at the end of sa. The
// rest of sa becomes zero.
func induceSubS[S Symbol](ctx context.Context, text []S, sa, count, bucket []int32) {
	bucketEnds(count, bucket)
	top := len(sa)
	for i := range cancel.Down(ctx, 0, len(sa)) {
		j := sa[i]
		if j == 0 {
			continue
		}
		sa[i] = 0
		if j < 0 {
			top--
			sa[top] = -j
			continue
		}
		k := j - 1
		c := text[k]
		b := bucket[c] - 1
		bucket[c] = b
		if k > 0 {
			k = negateIf(int64(c), int64(text[k-1]), k)
		}
		sa[b] = k
	}
}

// measureLMS stores at sa[p/2] the length of the LMS substring that begins at p,
// both LMS ends included, and 1 for the last one, which ends at the end of
// the text and equals no other. (LMS positions are at least 2 apart.)
func measureLMS[S Symbol](ctx context.Context, text []S, sa []int32) {
	next := 0
	for p := range leftmost(ctx, text) {
		length := 1
		if next > 0 {
			length = next - p + 1
		}
		next = p
		sa[p>>1] = int32(length)
	}
}

// nameLMS numbers the LMS substrings from 1 in their order, equal ones alike,
// writes the name of the one at p to sa[p/2], and returns the last name.
func nameLMS[S Symbol](ctx context.Context, text []S, sa []int32, lms int) int {
	name := int32(0)
	var last []S
	for _, p := range cancel.All(ctx, sa[len(sa)-lms:]) {
		length := int(sa[p>>1])
		word := text[p : int(p)+length]
		if length == 1 || !slices.Equal(word, last) {
			name++
		}
		last = word
		sa[p>>1] = name
	}
	return int(name)
}

// packNames moves the names from the first half of sa, in text order and less 1,
// to its last lms entries: the reduced text.
func packNames(ctx context.Context, sa []int32) {
	w := len(sa)
	for i := range cancel.Down(ctx, 0, len(sa)/2) {
		if name := sa[i]; name > 0 {
			w--
			sa[w] = name - 1
		}
	}
}

// recurse sorts the suffixes of the reduced text, sa[n-lms:], into sa[:lms].
func recurse(ctx context.Context, sa []int32, lms, names int) {
	n := len(sa)
	scratch := sa[lms : n-lms]
	if len(scratch) < 2*names {
		scratch = make([]int32, 2*names)
	}
	clear(sa[:lms])
	sais(ctx, sa[n-lms:], sa[:lms], scratch[:names], scratch[names:2*names])
}

// restoreLMS replaces the suffixes of the reduced text in sa[:lms] by the text
// positions they represent.
func restoreLMS[S Symbol](ctx context.Context, text []S, sa []int32, lms int) {
	w := len(sa)
	for p := range leftmost(ctx, text) {
		w--
		sa[w] = int32(p)
	}
	positions := sa[len(sa)-lms:]
	for i := range cancel.Steps(ctx, 0, lms) {
		sa[i] = positions[sa[i]]
	}
}

// spreadLMS moves the sorted LMS suffixes from sa[:lms] to the ends of their
// buckets and clears the rest.
func spreadLMS[S Symbol](ctx context.Context, text []S, sa []int32, lms int, count, bucket []int32) {
	bucketEnds(count, bucket)
	clear(sa[lms:])
	for i := range cancel.Down(ctx, 0, lms) {
		j := sa[i]
		sa[i] = 0
		c := text[j]
		b := bucket[c] - 1
		bucket[c] = b
		sa[b] = j
	}
}

// induceS places all S-type suffixes from the sorted L-type ones and clears the
// signs: sa is the suffix array.
func induceS[S Symbol](ctx context.Context, text []S, sa, count, bucket []int32) {
	bucketEnds(count, bucket)
	for i := range cancel.Down(ctx, 0, len(sa)) {
		j := sa[i]
		if j <= 0 {
			sa[i] = -j
			continue
		}
		k := j - 1
		c := text[k]
		b := bucket[c] - 1
		bucket[c] = b
		if k > 0 {
			k = negateIf(int64(c), int64(text[k-1]), k)
		}
		sa[b] = k
	}
}
