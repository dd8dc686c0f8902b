package positions

// Slots is the number of slots.
func (t *tree[Slot, Weight]) Slots() int { return len(t.weights) + lanes*len(t.fans) }

func (t *tree[Slot, Weight]) spread(c, v []float64) {
	clear(c)
	if t.places == 1 {
		for i, slot := range t.leaves[:len(v)] {
			c[slot] += v[i]
		}
	} else {
		for i, x := range v {
			c[t.leaves[2*i]] += x
			c[t.leaves[2*i+1]] += x
		}
	}
	first := len(t.weights)
	for f, node := range t.fans {
		a := (*[lanes]float64)(c[first+lanes*f:])
		c[node] += (a[0] + a[1]) + (a[2] + a[3])
	}
	t.up(c)
	c[0] = 0
	t.down(c)
	for f, node := range t.fans {
		val := c[node]
		*(*[lanes]float64)(c[first+lanes*f:]) = [lanes]float64{val, val, val, val}
	}
}

// up adds pairs, then nodes to their parents.
func (t *tree[Slot, Weight]) up(c []float64) {
	nodes := len(t.nodes.delta) + 1
	at := t.pairs.begin()
	for i, d := range t.pairs.delta {
		c[at.ahead(&t.pairs, d)] += c[nodes+i]
	}
	at = t.nodes.end()
	for i := nodes - 1; i > 0; i-- {
		c[at.parent] += c[i]
		at.back(&t.nodes, t.nodes.delta[i-1])
	}
}

// down turns sums into values.
func (t *tree[Slot, Weight]) down(c []float64) {
	weights, omega := t.weights[:len(c)-lanes*len(t.fans)], t.omega
	at, i := t.nodes.begin(), 1
	for _, p := range []*parents{&t.nodes, &t.pairs} {
		for _, d := range p.delta {
			c[i] = c[at.ahead(p, d)] + float64(omega[weights[i]]*c[i])
			i++
		}
		at = t.pairs.begin()
	}
}

func (t *tree[Slot, Weight]) gather(dst, c []float64) {
	if t.places == 1 {
		for i, slot := range t.leaves[:len(dst)] {
			dst[i] += c[slot]
		}
		return
	}
	for i := range dst {
		dst[i] = dst[i] + c[t.leaves[2*i]] + c[t.leaves[2*i+1]]
	}
}

// cursor walks over parents.
type cursor struct {
	parent int32
	far    int32 // how many are behind
}

func (p *parents) begin() cursor { return cursor{} }
func (p *parents) end() cursor   { return cursor{p.last, int32(len(p.far))} }

// ahead moves to the next parent, and returns it.
func (c *cursor) ahead(p *parents, delta uint8) int32 {
	if delta == far {
		c.parent += p.far[c.far]
		c.far++
	} else {
		c.parent += int32(delta)
	}
	return c.parent
}

// back moves to the parent before.
func (c *cursor) back(p *parents, delta uint8) {
	if delta == far {
		c.far--
		c.parent -= p.far[c.far]
	} else {
		c.parent -= int32(delta)
	}
}
