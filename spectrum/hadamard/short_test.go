//go:build !long

package hadamard

const long = false
