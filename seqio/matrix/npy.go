package matrix

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// ReadNPY returns the rows of a matrix of float32 or float64 in NumPy's .npy format, version 1.0, little-endian, in C
// order, one after another, and their width.
func ReadNPY(r io.Reader) (rows []float64, width int, err error) {
	start := make([]byte, 10) // the magic, the version and the length of the header
	_, err = io.ReadFull(r, start)
	header := make([]byte, binary.LittleEndian.Uint16(start[8:]))
	if err == nil {
		_, err = io.ReadFull(r, header)
	}
	var size, height int
	n, _ := fmt.Sscanf(string(header), "{'descr': '<f%d', 'fortran_order': False, 'shape': (%d, %d)", &size, &height, &width)
	if err != nil || n < 3 || size != 4 && size != 8 || height < 1 || width < 1 {
		return nil, 0, fmt.Errorf("the header %.120q, want that of NumPy's format, of a matrix of float32 or float64 in C "+
			"order (numpy.ascontiguousarray(x, 'f4'))", header)
	}
	if err = memory.Check(12 * float64(height) * float64(width)); err != nil {
		return nil, 0, fmt.Errorf("a matrix of %d × %d needs %w", height, width, err)
	}
	rows = make([]float64, height*width)
	if size == 8 {
		err = binary.Read(r, binary.LittleEndian, rows)
	} else {
		few := make([]float32, len(rows))
		err = binary.Read(r, binary.LittleEndian, few)
		for i, x := range few {
			rows[i] = float64(x)
		}
	}
	if err != nil {
		err = fmt.Errorf("a matrix of %d × %d: %w", height, width, err)
	}
	return rows, width, err
}
