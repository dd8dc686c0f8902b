package suffix

import "encoding/binary"

// narrow is a list of numbers from 0 to 2³¹ − 1 in as few bytes each as the greatest takes: 1 to 4, little-endian.
type narrow struct {
	bytes []byte
	width int // bytes of a number
}

// newNarrow returns room for n numbers of up to most.
func newNarrow(n int, most int32) narrow {
	width := 1
	for most>>(8*width) != 0 && width < 4 {
		width++
	}
	return narrow{make([]byte, n*width), width}
}

// number returns number i of a list of numbers of width bytes.
func number(list []byte, width, i int) int32 {
	switch width {
	case 1:
		return int32(list[i])
	case 2:
		return int32(binary.LittleEndian.Uint16(list[2*i:]))
	case 3:
		return int32(binary.LittleEndian.Uint16(list[3*i:])) | int32(list[3*i+2])<<16
	}
	return int32(binary.LittleEndian.Uint32(list[4*i:]))
}

func (a narrow) set(i int, x int32) {
	for k := range a.width {
		a.bytes[i*a.width+k] = byte(x >> (8 * k))
	}
}
