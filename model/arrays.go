package model

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"reflect"

	"github.com/seqsvm/seqsvm/internal/strictjson"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// arrayEntry locates one array. Offsets count from the first aligned byte after the header.
type arrayEntry struct {
	Name   string `json:"name"`
	Type   string `json:"type"` // uint8, int32, uint64 or float64
	Count  int64  `json:"count"`
	Offset int64  `json:"offset"`
	CRC    uint32 `json:"crc32c"`
}

// types are those of arrays, by the name of their values.
var types = map[string]reflect.Type{
	"uint8": reflect.TypeFor[[]uint8](), "int32": reflect.TypeFor[[]int32](),
	"uint64": reflect.TypeFor[[]uint64](), "float64": reflect.TypeFor[[]float64](),
}

// width returns the number of bytes of a value of a type, 0 for an unknown type.
func width(kind string) int64 {
	if t, known := types[kind]; known {
		return int64(t.Elem().Size())
	}
	return 0
}

// measure returns the type and number of the values of an array.
func measure(data any) (kind string, count int64, err error) {
	for kind, t := range types {
		if reflect.TypeOf(data) == t {
			return kind, int64(reflect.ValueOf(data).Len()), nil
		}
	}
	return "", 0, fmt.Errorf("a %T cannot be stored", data)
}

// blockSize is how many bytes of an array are read or written at a time.
const blockSize = 64 << 10

// eachBlock calls visit with parts of an array whose values have width bytes, in order, and a block for their bytes.
func eachBlock(array reflect.Value, width int64, visit func(part any, block []byte) error) error {
	n, values := array.Len(), int(blockSize/width)
	block := make([]byte, min(n*int(width), blockSize))
	for lo := 0; lo < n; lo += values {
		hi := min(lo+values, n)
		if err := visit(array.Slice(lo, hi).Interface(), block[:(hi-lo)*int(width)]); err != nil {
			return err
		}
	}
	return nil
}

// writeValues writes an array, which measure knows, as little-endian bytes.
func writeValues(w io.Writer, data any, width int64) error {
	return eachBlock(reflect.ValueOf(data), width, func(part any, block []byte) error {
		if _, err := binary.Encode(block, binary.LittleEndian, part); err != nil {
			return err
		}
		_, err := w.Write(block)
		return err
	})
}

// layOut places the arrays one after another and computes their checksums.
func layOut(arrays []stringkernel.Array) ([]arrayEntry, error) {
	entries := make([]arrayEntry, len(arrays))
	named := make(map[string]bool, len(arrays))
	offset := int64(0)
	for i, a := range arrays {
		kind, count, err := measure(a.Data)
		if err != nil {
			return nil, fmt.Errorf("array %.80q: %w", a.Name, err)
		}
		if named[a.Name] {
			return nil, fmt.Errorf("duplicate array %.80q", a.Name)
		}
		named[a.Name] = true
		sum := crc32.New(castagnoli)
		if err := writeValues(sum, a.Data, width(kind)); err != nil {
			return nil, fmt.Errorf("array %.80q: %w", a.Name, err)
		}
		entries[i] = arrayEntry{Name: a.Name, Type: kind, Count: count, Offset: offset, CRC: sum.Sum32()}
		size := count * width(kind)
		offset += size + padding(size)
	}
	return entries, nil
}

// readArrays decodes the arrays in the order of the file. They must follow each other without overlap or gap, with
// zeros for padding, and end with the file: so together they take no more memory than the file, and every byte of it is
// accounted for.
func readArrays(list json.RawMessage, in *source) ([]stringkernel.Array, error) {
	var arrays []stringkernel.Array
	named := map[string]bool{}
	end := int64(0) // of the previous array
	err := strictjson.List(list, "model header: array", func(_ int, e arrayEntry) error {
		if e.Name == "" || named[e.Name] {
			return fmt.Errorf("model header: array %.80q has no name or is a duplicate", e.Name)
		}
		named[e.Name] = true
		pad := padding(end)
		if err := e.check(end+pad, in.left-pad); err != nil {
			return err
		}
		if err := in.skipZeros(pad, fmt.Sprintf("before array %.80q", e.Name)); err != nil {
			return err
		}
		data, err := e.read(in)
		if err != nil {
			return err
		}
		end += pad + e.Count*width(e.Type)
		arrays = append(arrays, stringkernel.Array{Name: e.Name, Data: data})
		return nil
	})
	if err != nil {
		return nil, err
	}
	if in.left > 0 {
		return nil, fmt.Errorf("damaged model: %d bytes after the last array", in.left)
	}
	return arrays, nil
}

// check compares an array with its place, start, and with the bytes left from there.
func (e *arrayEntry) check(start, left int64) error {
	size := width(e.Type)
	if size == 0 {
		return fmt.Errorf("model header: array %.80q: unknown type %q, want uint8, int32, uint64 or float64",
			e.Name, e.Type)
	}
	if e.Offset != start || e.Count < 0 {
		return fmt.Errorf("model header: array %.80q: %d values at offset %d, want 0 or more at offset %d",
			e.Name, e.Count, e.Offset, start)
	}
	if left < 0 || e.Count > left/size {
		return fmt.Errorf("truncated model: array %.80q has %d values of %s, %d bytes are left",
			e.Name, e.Count, e.Type, max(left, 0))
	}
	return nil
}

// read decodes the values of an array, the inverse of writeValues, and compares their checksum.
func (e *arrayEntry) read(in *source) (any, error) {
	sum := crc32.New(castagnoli)
	array := reflect.MakeSlice(types[e.Type], int(e.Count), int(e.Count))
	err := eachBlock(array, width(e.Type), func(part any, block []byte) error {
		if err := in.fill(block); err != nil {
			return err
		}
		sum.Write(block)
		_, err := binary.Decode(block, binary.LittleEndian, part)
		return err
	})
	if err == nil && sum.Sum32() != e.CRC {
		err = fmt.Errorf("damaged model: array %.80q does not match its checksum", e.Name)
	}
	return array.Interface(), err
}
