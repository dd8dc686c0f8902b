package matrix

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// ArrayName is the name under which numpy.savez stores an array that has none, and under which programs look for it.
const ArrayName = "arr_0"

// WriteNPZ writes an array of float32 or float64 as NumPy's .npz, an archive of one .npy file, compressed:
// numpy.load(FILE)["arr_0"] is the array. values are in C order, the last index running fastest; there are as many as
// the shape says. The same array gives the same bytes.
func WriteNPZ[T float32 | float64](w io.Writer, shape []int, values []T) error {
	size := 1
	for _, n := range shape {
		size *= n
	}
	if size != len(values) {
		return fmt.Errorf("matrix: %d values for an array of shape %v", len(values), shape)
	}
	archive := zip.NewWriter(w)
	file, err := archive.CreateHeader(&zip.FileHeader{Name: ArrayName + ".npy", Method: zip.Deflate})
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 64<<10)
	if _, err := out.WriteString(npyHeader("<f"+strconv.Itoa(binary.Size(T(0))), shape...)); err != nil {
		return err
	}
	for part := range slices.Chunk(values, 1<<13) {
		if err := binary.Write(out, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return archive.Close()
}

// npyHeader is what precedes the values in NumPy's .npy format, version 1.0: values of a type in NumPy's notation, in C
// order; no shape is one value.
func npyHeader(kind string, shape ...int) string {
	const magic = "\x93NUMPY\x01\x00"
	var sizes strings.Builder
	for i, n := range shape {
		if i > 0 {
			sizes.WriteString(", ")
		}
		fmt.Fprint(&sizes, n)
	}
	if len(shape) == 1 {
		sizes.WriteString(",")
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, &sizes)
	// Magic, two bytes of length, header, spaces and a line end fill a multiple of 64 bytes.
	unpadded := len(magic) + 2 + len(header) + 1
	header += strings.Repeat(" ", (64-unpadded%64)%64) + "\n"
	return magic + string(binary.LittleEndian.AppendUint16(nil, uint16(len(header)))) + header
}
