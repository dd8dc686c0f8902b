package bigwig

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// walk visits the nodes of a tree. What it reads is counted, so that a tree whose nodes point at each other ends.
type walk struct {
	*Reader
	left int64 // bytes that it may still read
}

// errLoop says that a tree refers to more than the file has.
var errLoop = errors.New("a tree refers to more than the file has")

func (r *Reader) newWalk() *walk { return &walk{r, r.size} }

// read reads bytes once.
func (w *walk) read(place, n int64) ([]byte, error) {
	if w.left -= n; n < 0 || w.left < 0 {
		return nil, errLoop
	}
	return w.at(place, n)
}

// eachNode calls visit with the nodes of a tree, a node's children after it and in order: with the entries of a node,
// whose widths are given, and whether it is a leaf. visit returns where the children are.
func (w *walk) eachNode(root int64, leafWidth, childWidth int64,
	visit func(leaf bool, count int, entries []byte) (children []int64, err error)) error {
	for stack := []int64{root}; len(stack) > 0; {
		place := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		head, err := w.read(place, nodeHeader)
		if err != nil {
			return err
		}
		leaf, count, width := head[0] != 0, int64(le.Uint16(head[2:])), childWidth
		if leaf {
			width = leafWidth
		}
		entries, err := w.read(place+nodeHeader, count*width)
		if err != nil {
			return err
		}
		children, err := visit(leaf, int(count), entries)
		if err != nil {
			return err
		}
		slices.Reverse(children)
		stack = append(stack, children...)
	}
	return nil
}

// readChromosomes reads the B+ tree of names.
func (r *Reader) readChromosomes(place int64) error {
	w := r.newWalk()
	head, err := w.read(place, chromHeader)
	if err != nil {
		return err
	}
	key, count := int64(le.Uint32(head[8:])), int64(le.Uint64(head[16:]))
	switch {
	case le.Uint32(head) != chromMagic:
		return errors.New("not a tree of names")
	case le.Uint32(head[12:]) != 8:
		return fmt.Errorf("values of %d bytes, want 8", le.Uint32(head[12:]))
	case count < 0 || count > r.size/(key+8):
		return fmt.Errorf("%d names in a file of %d bytes", count, r.size)
	}
	r.chroms = make([]Chromosome, count)
	return w.eachNode(place+chromHeader, key+8, key+8,
		func(leaf bool, count int, entries []byte) (children []int64, err error) {
			for ; count > 0; count-- {
				name, value := entries[:key], entries[key:key+8]
				entries = entries[key+8:]
				if !leaf {
					children = append(children, int64(le.Uint64(value)))
					continue
				}
				if err := r.addChromosome(strings.TrimRight(string(name), "\x00"), value); err != nil {
					return nil, err
				}
			}
			return children, nil
		})
}

func (r *Reader) addChromosome(name string, value []byte) error {
	number, length := le.Uint32(value), int(le.Uint32(value[4:]))
	_, twice := r.numbers[name]
	switch {
	case int64(number) >= int64(len(r.chroms)):
		return fmt.Errorf("%.80q has number %d of %d", name, number, len(r.chroms))
	case name == "", twice, r.chroms[number].Name != "":
		return fmt.Errorf("the name %.80q or the number %d is there twice or empty", name, number)
	}
	r.chroms[number] = Chromosome{name, length}
	r.numbers[name] = int(number)
	return nil
}

// query calls visit with the number of a chromosome and with the blocks of an index that may overlap positions start …
// end − 1 of it.
func (r *Reader) query(chrom string, start, end int, index int64, visit func(number uint32, data []byte) error) error {
	number, known := r.numbers[chrom]
	if !known {
		return fmt.Errorf("bigwig: no chromosome %.80q", chrom)
	}
	if err := r.queryNumber(uint32(number), start, end, index, visit); err != nil {
		return fmt.Errorf("bigwig: %s: %w", place(chrom, start, end), err)
	}
	return nil
}

func (r *Reader) queryNumber(
	number uint32, start, end int, index int64, visit func(number uint32, data []byte) error,
) error {
	w := r.newWalk()
	head, err := w.read(index, indexHeader)
	if err != nil {
		return err
	}
	if le.Uint32(head) != indexMagic {
		return errors.New("not an index")
	}
	return w.eachNode(index+indexHeader, leafEntry, childEntry,
		func(leaf bool, count int, entries []byte) (children []int64, err error) {
			width := len(entries) / max(1, count)
			for entry := range slices.Chunk(entries, max(1, width)) {
				if !r.overlaps(entry, number, start, end) {
					continue
				}
				child := int64(le.Uint64(entry[16:]))
				if !leaf {
					children = append(children, child)
					continue
				}
				size := int64(le.Uint64(entry[24:]))
				if w.left -= size; size < 0 || w.left < 0 {
					return nil, errLoop
				}
				data, err := r.unpack(child, size)
				if err == nil {
					err = visit(number, data)
				}
				if err != nil {
					return nil, err
				}
			}
			return children, nil
		})
}

// overlaps reports whether an entry of an index overlaps positions start … end − 1 of a chromosome.
func (r *Reader) overlaps(entry []byte, number uint32, start, end int) bool {
	firstChrom, firstBase := le.Uint32(entry), int(le.Uint32(entry[4:]))
	lastChrom, lastBase := le.Uint32(entry[8:]), int(le.Uint32(entry[12:]))
	before := lastChrom < number || lastChrom == number && lastBase <= start
	after := firstChrom > number || firstChrom == number && firstBase >= end
	return !before && !after
}
