package planted

const bases = "ACGT"

// background is a Markov chain on the four bases with integer weights.
type background struct {
	order int
	mask  int      // of the context, 2 bits per base
	sums  [][4]int // cumulative weights per context
}

// newBackground draws the weights of a chain.
func newBackground(s source, order, gc int) background {
	contexts := 1 << (2 * order)
	b := background{order, contexts - 1, make([][4]int, contexts)}
	composition := [4]int{100 - gc, gc, gc, 100 - gc}
	for c := range b.sums {
		sum := 0
		for base := range bases {
			weight := composition[base]
			if order > 0 {
				weight *= 1 + s.below(8)
			}
			sum += weight
			b.sums[c][base] = sum
		}
	}
	return b
}

// fill writes one sequence. The chain starts in a random context and runs some
// steps unseen, so that the first bases are distributed as the rest.
func (b background) fill(s source, sequence []byte) {
	context := s.below(b.mask + 1)
	if b.order > 0 {
		for range 8 * b.order {
			_, context = b.step(s, context)
		}
	}
	for i := range sequence {
		var base int
		base, context = b.step(s, context)
		sequence[i] = bases[base]
	}
}

// step draws the base after a context and returns the context after it.
func (b background) step(s source, context int) (base, next int) {
	sums := &b.sums[context]
	draw := s.below(sums[3])
	for draw >= sums[base] {
		base++
	}
	return base, (context<<2 | base) & b.mask
}
