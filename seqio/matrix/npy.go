package matrix

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// NPYMagic begins a file of NumPy's .npy format.
const NPYMagic = "\x93NUMPY"

// npyHeader is the header of a matrix.
var npyHeader = regexp.MustCompile(
	`^\{'descr': '([<|=][fiu][1248])', 'fortran_order': False, 'shape': \((\d+), (\d+)\), *\}\s*$`)

// ReadNPY returns the rows of a matrix of numbers in NumPy's .npy format, one after another, and their width: float32,
// float64 and integers, little-endian, C order.
func ReadNPY(content []byte) (rows []float64, width int, err error) {
	const fixed = len(NPYMagic) + 4 // the magic, version 1.0 and the length of the header
	var start int
	if len(content) >= fixed {
		start = fixed + int(binary.LittleEndian.Uint16(content[fixed-2:]))
	}
	if start < fixed || len(content) < start {
		return nil, 0, errors.New("NumPy's format without its header; is the file complete?")
	}
	found := npyHeader.FindSubmatch(content[fixed:start])
	if found == nil {
		return nil, 0, fmt.Errorf("an array with the header %.120q, want a matrix of float32, float64 or integers in C order "+
			"(numpy.ascontiguousarray(x, numpy.float32))", content[fixed:start])
	}
	kind, size := found[1][1], int(found[1][2]-'0')
	height, _ := strconv.Atoi(string(found[2]))
	width, _ = strconv.Atoi(string(found[3]))
	content = content[start:]
	if kind == 'f' && size < 4 || width < 1 || height < 1 || len(content)/size/width != height ||
		len(content)%(size*width) != 0 {
		return nil, 0, fmt.Errorf("%d bytes of %d × %d values of type %s; is the file complete?", len(content), height, width,
			found[1])
	}
	if err := memory.Check(8 * float64(height) * float64(width)); err != nil {
		return nil, 0, fmt.Errorf("a matrix of %d × %d needs %w", height, width, err)
	}
	rows = make([]float64, height*width)
	for i := range rows {
		bits := uint64(0)
		for b := size - 1; b >= 0; b-- {
			bits = bits<<8 | uint64(content[i*size+b])
		}
		switch unused := 64 - 8*size; {
		case kind == 'f' && size == 4:
			rows[i] = float64(math.Float32frombits(uint32(bits)))
		case kind == 'f':
			rows[i] = math.Float64frombits(bits)
		case kind == 'i':
			rows[i] = float64(int64(bits<<unused) >> unused)
		default:
			rows[i] = float64(bits)
		}
	}
	return rows, width, nil
}
