//go:build !linux

package memory

// adviseBytes does nothing: other systems take no such advice.
func adviseBytes([]byte) {}
