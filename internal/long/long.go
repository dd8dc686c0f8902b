//go:build long

// Package long says whether tests are built with the tag long: in full size, which takes many seconds.
package long

// Tests is whether they are.
const Tests = true

// Or returns the first number with the tag long, else the second.
func Or(whole, _ int) int { return whole }
