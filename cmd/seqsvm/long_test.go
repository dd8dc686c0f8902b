//go:build long

package main_test

// long allows tests that take many seconds.
const long = true
