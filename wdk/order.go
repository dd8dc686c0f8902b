package wdk

// order is the sorted list of the k-mers that begin at one position of n sequences, with the longest common prefixes of
// neighbours: the positional Burrows–Wheeler transform of Durbin (2014), from right to left. A step to the left sorts
// by one more letter in front, by a stable counting sort: a new common prefix is one more than the smallest passed
// since the last sequence with the same letter. These minima are read off a stack of at most d + 1 entries.
type order struct {
	most    int32   // common prefixes are counted up to here
	letters int     // codes are below; outside is the code of letters that match nothing
	ranks   []int32 // sequences in order
	lcp     []int32 // lcp[r] of ranks r − 1 and r; 0 at the first of a letter

	nextRanks, nextLCP []int32
	starts             []int32 // per code
	last               []int32 // per code: rank of the last sequence seen, −1 if none
	low                []low
}

// low is a rank whose common prefix is less than all later ones.
type low struct {
	rank, lcp int32
}

// newOrder returns the order of n empty k-mers.
func newOrder(n, letters int, most int) *order {
	o := &order{
		most: int32(most), letters: letters,
		ranks: make([]int32, n), lcp: make([]int32, n), nextRanks: make([]int32, n), nextLCP: make([]int32, n),
		starts: make([]int32, letters+2), last: make([]int32, letters+1),
	}
	for i := range o.ranks {
		o.ranks[i] = int32(i)
	}
	return o
}

// outside is the code of letters that match nothing.
func (o *order) outside() uint16 { return uint16(o.letters) }

// prepend puts letter[i] before the k-mer of each sequence i.
func (o *order) prepend(letter []uint16) {
	clear(o.starts)
	for _, c := range letter {
		o.starts[c+1]++
	}
	for c := range o.letters {
		o.starts[c+1] += o.starts[c]
		o.last[c] = -1
	}
	o.last[o.letters] = -1
	o.low = o.low[:0]
	for r, i := range o.ranks {
		rank, lcp := int32(r), o.lcp[r]
		for len(o.low) > 0 && o.low[len(o.low)-1].lcp >= lcp {
			o.low = o.low[:len(o.low)-1]
		}
		o.low = append(o.low, low{rank, lcp})
		c := letter[i]
		at := o.starts[c]
		o.starts[c]++
		o.nextRanks[at] = i
		o.nextLCP[at] = o.common(o.last[c], c)
		o.last[c] = rank
	}
	o.ranks, o.nextRanks = o.nextRanks, o.ranks
	o.lcp, o.nextLCP = o.nextLCP, o.lcp
}

// common returns the common prefix, including a letter c in front, of the k-mers at the last rank with c and at the
// current one.
func (o *order) common(last int32, c uint16) int32 {
	if last < 0 || int(c) == o.letters {
		return 0
	}
	at := len(o.low) - 1
	for at > 0 && o.low[at-1].rank > last {
		at--
	}
	return min(o.most, o.low[at].lcp+1)
}
