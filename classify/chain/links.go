package chain

import (
	"fmt"
	"math"
)

// MostStates is the greatest number of states.
const MostStates = 64

// Links say which states may be neighbours. A state that nothing may follow ends a sequence.
type Links struct {
	States int
	// Forbidden(a, b) reports whether state b may not follow a; a is Start where b would be the first. nil: nothing is
	// forbidden.
	Forbidden func(a, b int) bool
}

// Start is the state before the first.
const Start = -1

// Check returns an error unless there are 1 to MostStates states, of which one may be the first, and each may be
// followed by one.
func (l Links) Check() error {
	if l.States < 1 || l.States > MostStates {
		return fmt.Errorf("chain: %d states, want 1 to %d", l.States, MostStates)
	}
	for a := Start; a < l.States; a++ {
		free := false
		for b := range l.States {
			free = free || l.allows(a, b)
		}
		if !free {
			return fmt.Errorf("chain: no state may follow state %d (%d is the start), want at least one", a, Start)
		}
	}
	return nil
}

func (l Links) allows(a, b int) bool { return l.Forbidden == nil || !l.Forbidden(a, b) }

// size returns the number of links: a row for each state before, and one for the start.
func (l Links) size() int { return (l.States + 1) * l.States }

// at returns the place of a link. That of the start comes last.
func (l Links) at(a, b int) int {
	if a == Start {
		a = l.States
	}
	return a*l.States + b
}

// scores returns the scores of links, −∞ for those that are forbidden.
func (l Links) scores(free []float64) []float64 {
	scores := make([]float64, l.size())
	for a := Start; a < l.States; a++ {
		for b := range l.States {
			at := l.at(a, b)
			scores[at] = math.Inf(-1)
			if l.allows(a, b) {
				scores[at] = free[at]
			}
		}
	}
	return scores
}

// path returns the score of the states y, given those of tokens and links.
func (l Links) path(tokens, links []float64, y []uint8) float64 {
	sum, before := 0.0, Start
	for t, s := range y {
		sum += links[l.at(before, int(s))] + tokens[t*l.States+int(s)]
		before = int(s)
	}
	return sum
}
