//go:build !long

package long

// Tests is whether they are.
const Tests = false

// Or returns the first number with the tag long, else the second.
func Or(_, short int) int { return short }
