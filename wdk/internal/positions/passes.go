package positions

// Slots is the number of slots.
func (t *tree[High]) Slots() int { return t.inner() + lanes*len(t.fans) }

// inner is the number of nodes and pairs.
func (t *tree[High]) inner() int { return 1 + len(t.nodes.numbers) + len(t.pairs.numbers) }

func (t *tree[High]) spread(c, v []float64) {
	clear(c)
	t.scatter(c, v)
	first := t.inner()
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

// scatter adds v of each document to its slots.
func (t *tree[High]) scatter(c, v []float64) {
	low, high := t.low[:t.places*len(v)], t.high
	switch {
	case t.places == 1 && high == nil:
		for i, slot := range low {
			c[slot] += v[i]
		}
	case t.places == 1:
		high = high[:len(low)]
		for i, slot := range low {
			c[int(slot)|int(high[i])<<16] += v[i]
		}
	case high == nil:
		for i, x := range v {
			c[low[2*i]] += x
			c[low[2*i+1]] += x
		}
	default:
		for i, x := range v {
			c[t.slot(2*i)] += x
			c[t.slot(2*i+1)] += x
		}
	}
}

func (t *tree[High]) gather(dst, c []float64) {
	low, high := t.low[:t.places*len(dst)], t.high
	switch {
	case t.places == 1 && high == nil:
		for i, slot := range low {
			dst[i] += c[slot]
		}
	case t.places == 1:
		high = high[:len(low)]
		for i, slot := range low {
			dst[i] += c[int(slot)|int(high[i])<<16]
		}
	case high == nil:
		for i := range dst {
			dst[i] = dst[i] + c[low[2*i]] + c[low[2*i+1]]
		}
	default:
		for i := range dst {
			dst[i] = dst[i] + c[t.slot(2*i)] + c[t.slot(2*i+1)]
		}
	}
}

// up adds pairs, then nodes to their parents.
func (t *tree[High]) up(c []float64) {
	nodes := len(t.nodes.numbers) + 1
	common, list, parent := t.common, t.pairs.rare, int32(0)
	for i, number := range t.pairs.numbers {
		if number == rare {
			parent += list[0].delta
			list = list[1:]
		} else {
			parent += common[number].delta
		}
		c[parent] += c[nodes+i]
	}
	list, parent = t.nodes.rare, t.nodes.last
	for i := nodes - 1; i > 0; i-- {
		c[parent] += c[i]
		if number := t.nodes.numbers[i-1]; number == rare {
			parent -= list[len(list)-1].delta
			list = list[:len(list)-1]
		} else {
			parent -= common[number].delta
		}
	}
}

// down turns sums into values.
func (t *tree[High]) down(c []float64) {
	nodes := len(t.nodes.numbers) + 1
	t.nodes.down(t.common, c[1:nodes], c)
	t.pairs.down(t.common, c[nodes:], c)
}

// down replaces entries of consecutive nodes by those of their parents and the weighted ones.
func (e *edges) down(common []edge, dst, c []float64) {
	list, parent := e.rare, int32(0)
	dst = dst[:len(e.numbers)]
	for i, number := range e.numbers {
		if number == rare {
			parent += list[0].delta
			dst[i] = c[parent] + float64(list[0].omega*dst[i])
			list = list[1:]
			continue
		}
		has := &common[number]
		parent += has.delta
		dst[i] = c[parent] + float64(has.omega*dst[i])
	}
}
