//go:build !linux

package memory

// ForgetProgram does nothing: other systems are not asked.
func ForgetProgram() {}
