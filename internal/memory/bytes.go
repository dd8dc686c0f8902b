package memory

import (
	"encoding/binary"
	"unsafe"
)

// LittleEndian reports whether this processor has the lowest byte of a number first.
var LittleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Bytes returns a piece of memory of some size, that of numbers without pointers, as a view.
func Bytes(begin unsafe.Pointer, size int) []byte { return unsafe.Slice((*byte)(begin), size) }
