package chain

import "math"

// viterbi finds best paths. It is scratch memory, not for concurrent use.
type viterbi struct {
	best, next []float64
	back       []uint8
}

// path writes the states of greatest score, of equal ones those of the lowest numbers from the end, into y.
func (v *viterbi) path(l Links, tokens, links []float64, y []uint8) {
	s := l.States
	if len(y) == 0 {
		return
	}
	if len(v.back) < len(y)*s {
		v.best, v.next, v.back = make([]float64, s), make([]float64, s), make([]uint8, len(y)*s)
	}
	best, next := v.best[:s], v.next[:s]
	for b := range best {
		best[b] = links[l.at(Start, b)] + tokens[b]
	}
	for t := 1; t < len(y); t++ {
		back := v.back[t*s : (t+1)*s]
		for b := range next {
			greatest, from := math.Inf(-1), 0
			for a, score := range best {
				if score += links[a*s+b]; score > greatest {
					greatest, from = score, a
				}
			}
			next[b], back[b] = greatest+tokens[t*s+b], uint8(from)
		}
		best, next = next, best
	}
	last := 0
	for b, score := range best {
		if score > best[last] {
			last = b
		}
	}
	for t := len(y) - 1; ; t-- {
		y[t] = uint8(last)
		if t == 0 {
			return
		}
		last = int(v.back[t*s+last])
	}
}
