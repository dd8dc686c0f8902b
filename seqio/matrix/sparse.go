package matrix

import (
	"archive/zip"
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/ends"
)

// Sparse is a matrix of which only the entries other than zero are held, row by row: SciPy's CSR.
type Sparse struct {
	Columns int
	Ends    []int    // end of each row in the lists of entries
	Indices []uint32 // columns, 0-based, ascending in a row
	Values  []float64
}

// Row returns the columns and values of the entries of row i, 0-based.
func (s *Sparse) Row(i int) (indices []uint32, values []float64) {
	lo, hi := ends.Bounds(s.Ends, i)
	return s.Indices[lo:hi], s.Values[lo:hi]
}

// WriteNPZ writes the archive of scipy.sparse.save_npz, which scipy.sparse.load_npz reads as a csr_matrix. The same
// matrix gives the same bytes.
func (s *Sparse) WriteNPZ(w io.Writer) error {
	archive := zip.NewWriter(w)
	entries := len(s.Values)
	for _, array := range []struct {
		name, kind string
		shape      []int
		fill       func(out *bufio.Writer)
	}{
		{"indices", "<i4", []int{entries}, func(out *bufio.Writer) { writeEach(out, s.Indices, 4, u32) }},
		{"indptr", "<i8", []int{len(s.Ends) + 1}, func(out *bufio.Writer) {
			writeEach(out, slices.Concat([]int{0}, s.Ends), 8, func(n int) uint64 { return uint64(n) })
		}},
		{"format", "|S3", nil, func(out *bufio.Writer) { out.WriteString("csr") }},
		{"shape", "<i8", []int{2}, func(out *bufio.Writer) {
			writeEach(out, []int{len(s.Ends), s.Columns}, 8, func(n int) uint64 { return uint64(n) })
		}},
		{"data", "<f8", []int{entries}, func(out *bufio.Writer) { writeEach(out, s.Values, 8, math.Float64bits) }},
	} {
		file, err := archive.CreateHeader(&zip.FileHeader{Name: array.name + ".npy", Method: zip.Deflate})
		if err != nil {
			return err
		}
		out := bufio.NewWriterSize(file, 64<<10) // errors of its methods come with Flush
		out.WriteString(NPYHeader(array.kind, array.shape...))
		array.fill(out)
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return archive.Close()
}

func u32(n uint32) uint64 { return uint64(n) }

// writeEach writes the low bytes of the bits of each element, the least significant first.
func writeEach[T any](out *bufio.Writer, list []T, width int, bits func(T) uint64) {
	var word [8]byte
	for _, x := range list {
		binary.LittleEndian.PutUint64(word[:], bits(x))
		out.Write(word[:width])
	}
}

// WriteMarket writes the matrix in Matrix Market's coordinate format, which scipy.io.mmread and R's Matrix::readMM
// read: a header, then a line “row column value” for each entry, numbered from 1.
func (s *Sparse) WriteMarket(w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	fmt.Fprintf(out, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", len(s.Ends), s.Columns, len(s.Values))
	var line []byte
	for i := range s.Ends {
		indices, values := s.Row(i)
		for e, j := range indices {
			line = append(strconv.AppendInt(line[:0], int64(i+1), 10), ' ')
			line = append(strconv.AppendUint(line, uint64(j)+1, 10), ' ')
			line = append(strconv.AppendFloat(line, values[e], 'g', -1, 64), '\n')
			out.Write(line)
		}
	}
	return out.Flush()
}

// WriteLIBSVM writes the matrix as LIBSVM and LIBLINEAR read features: a line “label column:value …” for each row,
// columns numbered from 1. There is a label for each row, a number; "" is written as 0, see [ClassNumbers].
func (s *Sparse) WriteLIBSVM(w io.Writer, labels []string) error {
	if err := checkNumbers(labels); err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	var line []byte
	for i, label := range labels {
		line = append(line[:0], cmp.Or(label, "0")...)
		indices, values := s.Row(i)
		for e, j := range indices {
			line = append(strconv.AppendUint(append(line, ' '), uint64(j)+1, 10), ':')
			line = strconv.AppendFloat(line, values[e], 'g', -1, 64)
		}
		out.Write(append(line, '\n'))
	}
	return out.Flush()
}

// ArrayName is the name under which numpy.savez stores an array that has none, and under which programs look for it.
const ArrayName = "arr_0"

// WriteNPZ writes an array of float32 or float64 as NumPy's .npz, an archive of one .npy file, not compressed:
// numpy.load(FILE)["arr_0"] is the array. values, one part after the other, are in C order, the last index running
// fastest; there are as many as the shape says. The same array gives the same bytes.
func WriteNPZ[T float32 | float64](w io.Writer, shape []int, values ...[]T) error {
	size := 1
	for _, n := range shape {
		size *= n
	}
	n := 0
	for _, part := range values {
		n += len(part)
	}
	if size != n {
		return fmt.Errorf("matrix: %d values for an array of shape %v", n, shape)
	}
	archive := zip.NewWriter(w)
	file, err := archive.CreateHeader(&zip.FileHeader{Name: ArrayName + ".npy", Method: zip.Store})
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 64<<10)
	if _, err := out.WriteString(NPYHeader("<f"+strconv.Itoa(binary.Size(T(0))), shape...)); err != nil {
		return err
	}
	var bytes []byte
	for _, part := range values {
		bytes, _ = binary.Append(bytes[:0], binary.LittleEndian, part) // floats are of a fixed size: no error
		if _, err := out.Write(bytes); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return archive.Close()
}

// NPYHeader is what precedes the values in NumPy's .npy format, version 1.0: values of a type in NumPy's notation, in C
// order; no shape is one value.
func NPYHeader(kind string, shape ...int) string {
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
