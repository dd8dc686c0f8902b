//go:build !long

package kerneltest

const long = false
