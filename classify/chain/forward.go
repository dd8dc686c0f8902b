package chain

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/elementary"
)

// forward computes sums over all paths. It is scratch memory, not for concurrent use.
type forward struct {
	links  []float64 // exp of the scores less their greatest
	top    float64   // the greatest score of a link
	tokens []float64 // exp of the scores of a token less their greatest
	alpha  []float64 // per token and state, each token's scaled to the sum 1
	scale  []float64 // per token
	beta   []float64 // of the token after, and of this one
	pairs  []float64
}

// leastExponent bounds what is added up from below, relative to the greatest of a token or link, so that no allowed
// path vanishes for want of digits.
const leastExponent = -200

// prepare takes the scores of links, which hold for all sequences that follow.
func (f *forward) prepare(l Links, links []float64) {
	f.top = math.Inf(-1)
	for _, u := range links {
		f.top = max(f.top, u)
	}
	f.links = make([]float64, len(links))
	for i, u := range links {
		if !math.IsInf(u, -1) {
			f.links[i] = elementary.Exp(max(u-f.top, leastExponent))
		}
	}
	f.beta, f.pairs = make([]float64, 2*l.States), make([]float64, len(links))
}

// sum returns log Σ_y exp F(x, y) over all paths of a sequence. Then marginals may follow.
func (f *forward) sum(l Links, tokens []float64) (logSum float64) {
	s := l.States
	n := len(tokens) / s
	if len(f.alpha) < len(tokens) {
		f.alpha, f.tokens, f.scale = make([]float64, len(tokens)), make([]float64, len(tokens)), make([]float64, n)
	}
	before := []float64(nil)
	for t := range n {
		scores, exps, alpha := tokens[t*s:(t+1)*s], f.tokens[t*s:(t+1)*s], f.alpha[t*s:(t+1)*s]
		top := math.Inf(-1)
		for _, v := range scores {
			top = max(top, v)
		}
		total := 0.0
		for b, v := range scores {
			exps[b] = elementary.Exp(max(v-top, leastExponent))
			reach := f.links[s*s+b] // from the start
			if t > 0 {
				reach = 0
				for a, p := range before {
					reach += float64(p * f.links[a*s+b])
				}
			}
			alpha[b] = float64(reach * exps[b])
			total += alpha[b]
		}
		f.scale[t] = 1 / total
		for b := range alpha {
			alpha[b] *= f.scale[t]
		}
		logSum += top + f.top + elementary.Log(total)
		before = alpha
	}
	return logSum
}

// marginals writes the probability of each state of each token of the sequence of the last sum into p, and adds those
// of pairs of neighbours to links, unless that is nil.
func (f *forward) marginals(l Links, p, links []float64) {
	s := l.States
	n := len(p) / s
	if n == 0 {
		return
	}
	copy(p[(n-1)*s:], f.alpha[(n-1)*s:n*s])
	after, beta := f.beta[:s], f.beta[s:2*s] // Σ over what follows, scaled so that Σ α β = 1
	for b := range after {
		after[b] = 1
	}
	for t := n - 1; t > 0; t-- {
		exps, alpha := f.tokens[t*s:(t+1)*s], f.alpha[(t-1)*s:t*s]
		for b := range after {
			after[b] *= float64(exps[b] * f.scale[t])
		}
		for a := range beta {
			sum := 0.0
			for b, v := range after {
				term := float64(f.links[a*s+b] * v)
				sum += term
				if links != nil {
					links[a*s+b] += float64(alpha[a] * term)
				}
			}
			beta[a] = sum
			p[(t-1)*s+a] = float64(alpha[a] * sum)
		}
		after, beta = beta, after
	}
	if links != nil {
		for b := range s {
			links[s*s+b] += p[b]
		}
	}
}
