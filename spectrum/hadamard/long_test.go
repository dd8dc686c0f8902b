//go:build long

package hadamard

// long has larger tables convolved.
const long = true
