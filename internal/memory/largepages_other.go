//go:build !linux

package memory

// advise does nothing: other systems take no such advice.
func advise([]byte) {}
