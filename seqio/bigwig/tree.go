package bigwig

import (
	"cmp"
	"slices"
)

// Both trees are written from the root down, level by level. All nodes of a level but the last are full, so that the
// place of each is known beforehand.

// levels returns how many nodes each level of a tree of n entries has, the root first.
func levels(n, width int) []int {
	counts := []int{max(1, (n+width-1)/width)}
	for counts[0] > 1 {
		counts = slices.Insert(counts, 0, (counts[0]+width-1)/width)
	}
	return counts
}

// part returns the entries from … to − 1 of node i of a level, of n in all.
func part(i, width, n int) (from, to int) { return i * width, min(n, (i+1)*width) }

// appendNode appends the head of a node.
func appendNode(dst []byte, leaf bool, count int) []byte {
	kind := byte(0)
	if leaf {
		kind = 1
	}
	return le.AppendUint16(append(dst, kind, 0), uint16(count))
}

// appendChromosomes appends the B+ tree from names to numbers and lengths, which begins at len(dst) in the file.
func appendChromosomes(dst []byte, chroms []Chromosome) []byte {
	order, key := make([]int, len(chroms)), 1
	for i, c := range chroms {
		order[i] = i
		key = max(key, len(c.Name))
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(chroms[a].Name, chroms[b].Name) })
	width := max(1, min(fanOut, len(chroms)))
	dst = le.AppendUint32(dst, chromMagic)
	dst = le.AppendUint32(dst, uint32(width))
	dst = le.AppendUint32(dst, uint32(key))
	dst = le.AppendUint32(dst, 8)
	dst = le.AppendUint64(dst, uint64(len(chroms)))
	dst = le.AppendUint64(dst, 0)

	appendKey := func(dst []byte, i int) []byte {
		name := chroms[order[i]].Name
		return append(append(dst, name...), make([]byte, key-len(name))...)
	}
	return appendNodes(dst, 0, len(chroms), width, key+8, key+8,
		func(dst []byte, from, _ int) []byte { return appendKey(dst, from) },
		func(dst []byte, i int) []byte {
			dst = le.AppendUint32(appendKey(dst, i), uint32(order[i]))
			return le.AppendUint32(dst, uint32(chroms[order[i]].Length))
		})
}

// appendNodes appends the nodes of a tree of n entries; dst begins at a place of the file. child appends what a node
// says of a child with the entries from … to − 1, besides its place, and leaf all of an entry; both have their sizes.
func appendNodes(
	dst []byte, at int64, n, width, childSize, leafSize int,
	child func(dst []byte, from, to int) []byte, leaf func(dst []byte, i int) []byte,
) []byte {
	counts := levels(n, width)
	for level, nodes := range counts[:len(counts)-1] {
		children := counts[level+1]
		below := leavesBelow(counts, level+1, width)                      // entries under a full child
		first := at + int64(len(dst)+nodes*nodeHeader+children*childSize) // where the next level begins
		entry := childSize
		if level+2 == len(counts) {
			entry = leafSize
		}
		for i := range nodes {
			from, to := part(i, width, children)
			dst = appendNode(dst, false, to-from)
			for c := from; c < to; c++ {
				lo, hi := part(c, below, n)
				dst = child(dst, lo, hi)
				dst = le.AppendUint64(dst, uint64(first+int64(c*(nodeHeader+width*entry))))
			}
		}
	}
	for i := range counts[len(counts)-1] {
		from, to := part(i, width, n)
		dst = appendNode(dst, true, to-from)
		for ; from < to; from++ {
			dst = leaf(dst, from)
		}
	}
	return dst
}

// leavesBelow returns how many entries of leaves are under a full node of a level.
func leavesBelow(counts []int, level, width int) int {
	n := width
	for range len(counts) - 1 - level {
		n *= width
	}
	return n
}

// appendIndex appends the R-tree of blocks, which are in order, and which begins at a place of the file.
func appendIndex(dst []byte, blocks []block, at int64) []byte {
	dst = le.AppendUint32(dst, indexMagic)
	dst = le.AppendUint32(dst, fanOut)
	dst = le.AppendUint64(dst, uint64(len(blocks)))
	dst = appendSpan(dst, blocks)
	dst = le.AppendUint64(dst, uint64(at)) // the data end here
	dst = le.AppendUint32(dst, 1)          // block of data per entry
	dst = le.AppendUint32(dst, 0)

	return appendNodes(dst, at, len(blocks), fanOut, childEntry, leafEntry,
		func(dst []byte, from, to int) []byte { return appendSpan(dst, blocks[from:to]) },
		func(dst []byte, i int) []byte {
			dst = le.AppendUint64(appendSpan(dst, blocks[i:i+1]), uint64(blocks[i].at))
			return le.AppendUint64(dst, uint64(blocks[i].size))
		})
}

// appendSpan appends where blocks begin and end.
func appendSpan(dst []byte, blocks []block) []byte {
	var from, to extent
	if len(blocks) > 0 {
		from, to = blocks[0].from, blocks[len(blocks)-1].to
	}
	for _, x := range []uint32{from.chrom, from.base, to.chrom, to.base} {
		dst = le.AppendUint32(dst, x)
	}
	return dst
}
