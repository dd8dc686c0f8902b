package parquet

import (
	"encoding/binary"
	"maps"
	"slices"
)

// fields is a struct of Thrift's compact protocol: its values by their numbers, which are bool, int32, int64, string,
// list and fields.
type fields map[int]any

type list []any

// Types of the compact protocol.
const (
	stop, isTrue, isFalse, int8Type, int16Type, int32Type, int64Type = 0, 1, 2, 3, 4, 5, 6
	doubleType, binaryType, listType, setType, structType            = 7, 8, 9, 10, 12
)

func typeOf(value any) byte {
	switch v := value.(type) {
	case bool:
		if v {
			return isTrue
		}
		return isFalse
	case int32:
		return int32Type
	case int64:
		return int64Type
	case string:
		return binaryType
	case list:
		return listType
	}
	return structType
}

// appendThrift appends a value as Thrift's compact protocol has it.
func appendThrift(dst []byte, value any) []byte {
	switch v := value.(type) {
	case int32:
		return binary.AppendVarint(dst, int64(v))
	case int64:
		return binary.AppendVarint(dst, v)
	case string:
		return append(binary.AppendUvarint(dst, uint64(len(v))), v...)
	case list:
		element := byte(structType)
		if len(v) > 0 {
			element = typeOf(v[0])
		}
		dst = append(dst, 0xf0|element)
		dst = binary.AppendUvarint(dst, uint64(len(v)))
		for _, element := range v {
			dst = appendThrift(dst, element)
		}
	case fields:
		last := 0
		for _, number := range slices.Sorted(maps.Keys(v)) { // at most 15 apart
			dst = append(dst, byte(number-last)<<4|typeOf(v[number]))
			dst, last = appendThrift(dst, v[number]), number
		}
		return append(dst, stop)
	}
	return dst
}

// cursor reads bytes. What is missing or wrong ends the reading by a panic with a fault.
type cursor struct{ data []byte }

type fault string

func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.data) {
		panic(fault("it ends in the middle of a value"))
	}
	taken := c.data[:n]
	c.data = c.data[n:]
	return taken
}

func (c *cursor) uvarint() uint64 {
	value, n := binary.Uvarint(c.data)
	if n <= 0 {
		panic(fault("a number is cut off or too long"))
	}
	c.data = c.data[n:]
	return value
}

func (c *cursor) varint() int64 {
	u := c.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

func (c *cursor) size() int { return int(min(c.uvarint(), 1<<62)) }

// deepest bounds values within values.
const deepest = 24

func (c *cursor) fields(depth int) fields {
	s, number := fields{}, 0
	for {
		head := c.take(1)[0]
		switch {
		case head == stop:
			return s
		case head>>4 == 0:
			number = int(int16(c.varint()))
		default:
			number += int(head >> 4)
		}
		if kind := head & 15; kind == isTrue || kind == isFalse {
			s[number] = kind == isTrue
		} else {
			s[number] = c.value(kind, depth+1)
		}
	}
}

func (c *cursor) value(kind byte, depth int) any {
	if depth > deepest {
		panic(fault("its metadata is nested too deeply"))
	}
	switch kind {
	case isTrue, isFalse: // in a list
		return c.take(1)[0] == isTrue
	case int8Type:
		return int32(int8(c.take(1)[0]))
	case int16Type, int32Type:
		return int32(c.varint())
	case int64Type:
		return c.varint()
	case doubleType:
		return string(c.take(8))
	case binaryType:
		return string(c.take(c.size()))
	case listType, setType:
		head := c.take(1)[0]
		n := int(head >> 4)
		if n == 15 {
			n = c.size()
		}
		if n > len(c.data) {
			panic(fault("a list is longer than the file"))
		}
		values := make(list, 0, n)
		for range n {
			values = append(values, c.value(head&15, depth+1))
		}
		return values
	case structType:
		return c.fields(depth)
	}
	panic(fault("a value of the metadata has an unknown type"))
}

// at returns a member of a struct, the zero value of its type where it has none of that type.
func at[T any](s fields, number int) T {
	value, _ := s[number].(T)
	return value
}

func (l list) structs() []fields {
	all := make([]fields, len(l))
	for i, element := range l {
		all[i], _ = element.(fields)
	}
	return all
}
