package model

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"

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

// width returns the number of bytes of a value of a type, 0 for an unknown type.
func width(kind string) int64 {
	switch kind {
	case "uint8":
		return 1
	case "int32":
		return 4
	case "uint64", "float64":
		return 8
	default:
		return 0
	}
}

// measure returns the type and number of the values of an array.
func measure(data any) (kind string, count int64, err error) {
	switch v := data.(type) {
	case []uint8:
		return "uint8", int64(len(v)), nil
	case []int32:
		return "int32", int64(len(v)), nil
	case []uint64:
		return "uint64", int64(len(v)), nil
	case []float64:
		return "float64", int64(len(v)), nil
	default:
		return "", 0, fmt.Errorf("a %T cannot be stored", data)
	}
}

// blockSize is how many bytes of an array are encoded at a time.
const blockSize = 64 << 10

// writeValues writes an array as little-endian bytes.
func writeValues(w io.Writer, data any) error {
	switch v := data.(type) {
	case []uint8:
		_, err := w.Write(v)
		return err
	case []int32:
		return writeBlocks(w, len(v), 4, func(dst []byte, i int) { binary.LittleEndian.PutUint32(dst, uint32(v[i])) })
	case []uint64:
		return writeBlocks(w, len(v), 8, func(dst []byte, i int) { binary.LittleEndian.PutUint64(dst, v[i]) })
	case []float64:
		return writeBlocks(w, len(v), 8, func(dst []byte, i int) {
			binary.LittleEndian.PutUint64(dst, math.Float64bits(v[i]))
		})
	default:
		return fmt.Errorf("a %T cannot be stored", data)
	}
}

// writeBlocks writes n values of width bytes, which put encodes.
func writeBlocks(w io.Writer, n, width int, put func(dst []byte, i int)) error {
	block := make([]byte, min(n*width, blockSize))
	for i := 0; i < n; {
		used := 0
		for ; i < n && used < len(block); i++ {
			put(block[used:used+width], i)
			used += width
		}
		if _, err := w.Write(block[:used]); err != nil {
			return err
		}
	}
	return nil
}

// layOut places the arrays one after another and computes their checksums.
func layOut(arrays []stringkernel.Array) ([]arrayEntry, error) {
	entries := make([]arrayEntry, len(arrays))
	named := make(map[string]bool, len(arrays))
	offset := int64(0)
	for i, a := range arrays {
		kind, count, err := measure(a.Data)
		if err != nil {
			return nil, fmt.Errorf("array %q: %w", a.Name, err)
		}
		if named[a.Name] {
			return nil, fmt.Errorf("duplicate array %q", a.Name)
		}
		named[a.Name] = true
		sum := crc32.New(castagnoli)
		if err := writeValues(sum, a.Data); err != nil {
			return nil, fmt.Errorf("array %q: %w", a.Name, err)
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
	err := eachElement("model header: arrays", list, func(_ int, next *json.Decoder) error {
		var e arrayEntry
		if err := next.Decode(&e); err != nil {
			return fmt.Errorf("model header: arrays: %w", err)
		}
		if e.Name == "" || named[e.Name] {
			return fmt.Errorf("model header: array %q has no name or is a duplicate", e.Name)
		}
		named[e.Name] = true
		pad := padding(end)
		if err := e.check(end+pad, in.left-pad); err != nil {
			return err
		}
		if err := in.skipZeros(pad, fmt.Sprintf("before array %q", e.Name)); err != nil {
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
		return fmt.Errorf("model header: array %q: unknown type %q, want uint8, int32, uint64 or float64",
			e.Name, e.Type)
	}
	if e.Offset != start || e.Count < 0 {
		return fmt.Errorf("model header: array %q: %d values at offset %d, want 0 or more at offset %d",
			e.Name, e.Count, e.Offset, start)
	}
	if left < 0 || e.Count > left/size {
		return fmt.Errorf("truncated model: array %q has %d values of %s, %d bytes are left",
			e.Name, e.Count, e.Type, max(left, 0))
	}
	return nil
}

// read decodes the values of an array, the inverse of writeValues, and compares their checksum.
func (e *arrayEntry) read(in *source) (data any, err error) {
	sum := crc32.New(castagnoli)
	n := int(e.Count)
	switch e.Type {
	case "int32":
		v := make([]int32, n)
		err = in.eachBlock(n, 4, sum, func(i int, src []byte) { v[i] = int32(binary.LittleEndian.Uint32(src)) })
		data = v
	case "uint64":
		v := make([]uint64, n)
		err = in.eachBlock(n, 8, sum, func(i int, src []byte) { v[i] = binary.LittleEndian.Uint64(src) })
		data = v
	case "float64":
		v := make([]float64, n)
		err = in.eachBlock(n, 8, sum, func(i int, src []byte) {
			v[i] = math.Float64frombits(binary.LittleEndian.Uint64(src))
		})
		data = v
	default:
		v := make([]byte, n)
		err = in.fill(v)
		sum.Write(v)
		data = v
	}
	if err == nil && sum.Sum32() != e.CRC {
		err = fmt.Errorf("damaged model: array %q does not match its checksum", e.Name)
	}
	return data, err
}
