package spectrum

import "github.com/seqsvm/seqsvm/internal/vectors"

// ladder lays out one array per k-mer length 1…depth, each indexed by the code, one after the other in a single array:
// the entry of a k-mer of l letters with code c is base(l) + c. Each entry may be a row of several values.
type ladder struct {
	bits  uint
	depth int
	bases []int // bases[l] is where length l begins, Σ_{j<l} 2^(bits·j), up to l = depth + 1
}

func newLadder(bits uint, depth int) *ladder {
	l := &ladder{bits: bits, depth: depth, bases: make([]int, depth+2)}
	for j := 1; j <= depth; j++ {
		l.bases[j+1] = l.bases[j] + 1<<(bits*uint(j))
	}
	return l
}

// base returns where a length begins, 1 ≤ length ≤ depth + 1.
func (l *ladder) base(length int) int { return l.bases[length] }

// size returns the number of entries.
func (l *ladder) size() int { return l.base(l.depth + 1) }

// index returns the entry of the k-mer of the given length.
func (l *ladder) index(code uint64, length int) int { return l.base(length) + int(code) }

// foldCounts turns counts of longest k-mers per position into counts of all k-mers: from the longest length down, each
// k-mer's count is added to that of its prefix one letter shorter. O(size).
func foldCounts[T uint32 | float64](l *ladder, t []T) {
	fan := 1 << l.bits
	for length := l.depth; length > 1; length-- {
		upper, lower := t[l.base(length):l.base(length+1)], t[l.base(length-1):l.base(length)]
		if fan == 4 {
			for p := range lower {
				u := upper[4*p : 4*p+4 : 4*p+4]
				lower[p] += (u[0] + u[1]) + (u[2] + u[3])
			}
			continue
		}
		for p := range lower {
			var sum T
			for _, c := range upper[p*fan : (p+1)*fan] {
				sum += c
			}
			lower[p] += sum
		}
	}
}

// foldValues turns the value of each k-mer into the sum over its prefixes and itself, from the shortest length up, so
// that one look-up of the longest k-mer serves all lengths. Entries are rows of width values. O(size · width).
func (l *ladder) foldValues(t []float64, width int) {
	fan := width << l.bits
	for length := 2; length <= l.depth; length++ {
		lower := t[l.base(length-1)*width : l.base(length)*width]
		upper := t[l.base(length)*width : l.base(length+1)*width]
		for p := 0; p*width < len(lower); p++ {
			values := lower[p*width : (p+1)*width]
			row := upper[p*fan : (p+1)*fan]
			for at := 0; at < len(row); at += width {
				vectors.Add(row[at:], values)
			}
		}
	}
}
