//go:build long

package kerneltest

// long makes all draws that a check has.
const long = true
