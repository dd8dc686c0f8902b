package windows

import (
	"fmt"
	"strings"
)

// Reason says why a site or a decoy has no window in the result.
type Reason int

// The reasons.
const (
	OverEnd     Reason = iota // the window reaches over an end of the sequence
	NoConsensus               // the site does not carry the consensus
	Open5                     // the 5' end of the transcript or coding part is not known
	Ambiguous                 // a letter of the window is not A, C, G or T
	Near                      // the decoy is too near a site
	Border                    // the window reaches from the training into the test part
	Duplicate                 // another window of the same class and part has the same letters
	InTest                    // a window of the same class has the same letters, and is for testing
	OtherClass                // a window of the other class has the same letters
	NotDrawn                  // more decoys are there than were asked for
	Reasons                   // their number
)

// String names a reason as in “3 over an end of the sequence”.
func (r Reason) String() string {
	return [...]string{
		"over an end of the sequence", "without the consensus", "with 5′ end not known",
		"with letters but A, C, G and T", "too near a site", "across the border of the parts",
		"identical to another of the class", "identical to one of the class in the test part",
		"identical to one of the other class", "not drawn",
	}[r]
}

// Tally is what became of some places.
type Tally struct {
	Written int
	Dropped [Reasons]int // by reason
	Asked   int          // decoys: how many were asked for; 0 if all
}

// Counts is what became of the places of a class: every one is written or dropped for one reason.
type Counts struct {
	Found       int
	Unassigned  Tally // places that were dropped before their part was known
	Train, Test Tally
}

// of returns the tally of a part.
func (c *Counts) of(p part) *Tally {
	if p == testPart {
		return &c.Test
	}
	return &c.Train
}

// drop counts a place whose part is not known.
func (c *Counts) drop(r Reason) {
	c.Found++
	c.Unassigned.Dropped[r]++
}

// Dropped returns how many places of all parts were dropped for a reason.
func (c *Counts) Dropped(r Reason) int {
	return c.Unassigned.Dropped[r] + c.Train.Dropped[r] + c.Test.Dropped[r]
}

// Explain lists the reasons and how often each was met: “3 over an end of the sequence, 1 not drawn”, or “” if nothing
// was dropped.
func (c *Counts) Explain() string {
	var list []string
	for r := range Reasons {
		if n := c.Dropped(r); n > 0 {
			list = append(list, fmt.Sprintf("%d %s", n, r))
		}
	}
	return strings.Join(list, ", ")
}
