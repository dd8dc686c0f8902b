// Package fenwick counts numbers in a tree of partial sums (Fenwick 1994, doi:10.1002/spe.4380240306).
package fenwick

// Tree counts numbers from 0 up to below len − 1. One of zeros has counted none.
type Tree []int32

// Add counts number i. O(log).
func (t Tree) Add(i int) {
	for i++; i < len(t); i += i & -i {
		t[i]++
	}
}

// Below returns how many numbers less than i were counted. O(log).
func (t Tree) Below(i int) (n int) {
	for ; i > 0; i -= i & -i {
		n += int(t[i])
	}
	return n
}
