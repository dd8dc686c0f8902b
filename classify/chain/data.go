package chain

import "fmt"

// Data are sequences of tokens with their right states.
type Data struct {
	Rows  Rows
	Ends  []int   // sequence q has the tokens Ends[q−1] … Ends[q] − 1
	Tags  []uint8 // the right state of each token, or Unknown
	Links Links
}

// Unknown is the tag of a token whose state is not known: it divides its sequence in two, and nothing is learned of it.
const Unknown = 255

// Windows returns the data with every token a sequence of its own, for machines that look at one token at a time. What
// Links say is not heeded.
func (d *Data) Windows() *Data {
	out := &Data{Rows: d.Rows, Ends: make([]int, len(d.Tags)), Tags: d.Tags, Links: Links{States: d.Links.States}}
	for t := range out.Ends {
		out.Ends[t] = t + 1
	}
	return out
}

// Check returns an error if the lengths do not agree, or the right states are forbidden, which names the token.
func (d *Data) Check() error {
	if err := d.Links.Check(); err != nil {
		return err
	}
	n := d.Rows.Len()
	if len(d.Tags) != n || len(d.Ends) == 0 || d.Ends[len(d.Ends)-1] != n {
		return fmt.Errorf("chain: %d tokens, %d tags, %d sequences, want as many tags, and sequences to the last token",
			n, len(d.Tags), len(d.Ends))
	}
	known := false
	for _, q := range d.pieces() {
		before := Start
		for t := q.lo; t < q.hi; t++ {
			s := int(d.Tags[t])
			if s >= d.Links.States {
				return fmt.Errorf("chain: state %d of token %d, want one below %d", s, t, d.Links.States)
			}
			if (t > q.lo || q.whole) && !d.Links.allows(before, s) {
				return fmt.Errorf("chain: state %d of token %d is forbidden after state %d", s, t, before)
			}
			before, known = s, true
		}
	}
	if !known {
		return fmt.Errorf("chain: no token has a state to learn from")
	}
	return nil
}

// piece is a run of tokens whose states are known. One that does not begin its sequence may begin with any state.
type piece struct {
	lo, hi int
	whole  bool
}

func (d *Data) pieces() (list []piece) {
	lo := 0
	for _, end := range d.Ends {
		begin := lo
		for t := lo; t <= end; t++ {
			if t == end || d.Tags[t] == Unknown {
				if t > lo {
					list = append(list, piece{lo, t, lo == begin})
				}
				lo = t + 1
			}
		}
		lo = end
	}
	return list
}
