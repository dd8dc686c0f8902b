package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// File is a file that is read.
type File struct {
	content []byte
	groups  []fields
	leaves  []leaf
}

// leaf is a column of the file.
type leaf struct {
	name    string // those of the structs that it is in before it, with dots between
	place   int    // among the columns of a row group
	kind    int32
	natural bool   // a number without a sign
	def     uint64 // the level of a value
	list    uint64 // the level from which on there is an element, 0 if it is no list
	cells   int    // of a row: 1, of a list its elements in the first row
}

// footerMemory is the memory of a byte of the footer, at most.
const footerMemory = 256

// Open reads the footer of a file. Columns of other types than text, bytes, numbers, truth values and lists of these
// are left out: times, decimals, maps and lists of lists or structs.
func Open(content []byte) (f *File, err error) {
	defer recovered(&err)
	f = &File{content: content}
	end := len(content) - len(magic)
	if end < 2*len(magic) || string(content[:len(magic)]) != magic || string(content[end:]) != magic {
		return nil, errors.New("no file of Parquet, or one that is cut off: want PAR1 at both ends")
	}
	size := int(binary.LittleEndian.Uint32(content[end-4:]))
	if size > end-8 {
		return nil, errors.New("the footer is longer than the file")
	}
	if err := memory.Check(footerMemory * float64(size)); err != nil {
		return nil, fmt.Errorf("a footer of %d bytes: %w", size, err)
	}
	footer := (&cursor{content[end-4-size : end-4]}).fields(0)
	f.groups = at[list](footer, 4).structs()
	schema := at[list](footer, 2).structs()
	if len(schema) == 0 {
		return nil, errors.New("the footer has no columns")
	}
	s := schemaReader{elements: schema[1:], f: f}
	for range at[int32](schema[0], 5) {
		s.read(nil, leaf{}, false)
	}
	if len(f.leaves) == 0 {
		return nil, errors.New("no column of text or numbers")
	}
	cells := 0
	for i := range f.leaves {
		f.measure(&f.leaves[i])
		if cells += f.leaves[i].cells; cells > mostCells {
			return nil, fmt.Errorf("rows of more than %d values", mostCells)
		}
	}
	return f, nil
}

// recovered makes an error of a fault.
func recovered(err *error) {
	switch r := recover().(type) {
	case nil:
	case fault:
		*err = errors.New(string(r))
	default:
		panic(r)
	}
}

// schemaReader finds the leaves among the elements of a schema, which come depth first.
type schemaReader struct {
	elements []fields
	f        *File
	places   int
}

// read reads an element and what is in it. above has the levels of what it is in, left says whether that is left out.
func (s *schemaReader) read(path []string, above leaf, left bool) {
	if len(s.elements) == 0 || len(path) > deepest {
		panic(fault("the schema has fewer columns than it says, or is nested too deeply"))
	}
	e := s.elements[0]
	s.elements = s.elements[1:]
	path, l := append(path[:len(path):len(path)], at[string](e, 4)), above
	if repetition := at[int32](e, 3); repetition != required {
		if l.def++; repetition == repeated {
			left = left || l.list > 0
			l.list = l.def
		}
	}
	if children := int(at[int32](e, 5)); children > 0 {
		for range children {
			s.read(path, l, left || l.list > 0 && children > 1)
		}
		return
	}
	kind, known := e[1].(int32)
	if !known {
		panic(fault("a column has no type"))
	}
	l.name, l.place, l.kind, l.cells = strings.Join(path, "."), s.places, kind, 1
	s.places++
	if l.list > 0 {
		l.name = path[0]
		left = left || kind == typeBytes
	}
	logical := at[fields](e, 10)
	is, converted := e[6].(int32)
	l.natural = converted && is >= convertedUint8 && is <= convertedUint64
	for _, other := range []int{logicalDecimal, logicalDate, logicalTime, logicalTimestamp} {
		_, found := logical[other]
		left = left || found
	}
	if left || width(kind) < 0 || converted && is >= convertedDecimal && is < convertedUint8 || is == convertedInterval {
		return
	}
	s.f.leaves = append(s.f.leaves, l)
}

// width is the bytes of a value, 0 if it has its own length or is a bit, −1 of types that are not read.
func width(kind int32) int {
	switch kind {
	case typeInt32, typeFloat:
		return 4
	case typeInt64, typeDouble:
		return 8
	case typeBytes, typeBoolean:
		return 0
	}
	return -1
}

// mostCells bounds the cells of a row, longest the elements of a list.
const mostCells, longest = 1 << 22, 1 << 16

// measure finds how many cells a list has, in the first row.
func (f *File) measure(l *leaf) {
	if l.list == 0 {
		return
	}
	l.cells = 0
	for _, g := range f.groups {
		if at[int64](g, 3) > 0 {
			f.chunk(g, l, new(int64)).row(func([]byte) { l.cells++ })
			return
		}
	}
}

// Names are those of the cells of a row: of a list NAME_1, NAME_2 and so on, as many as its first row has elements.
func (f *File) Names() (names []string) {
	for _, l := range f.leaves {
		if l.list == 0 {
			names = append(names, l.name)
			continue
		}
		for k := range l.cells {
			names = append(names, l.name+"_"+strconv.Itoa(k+1))
		}
	}
	return names
}

// Each calls visit for each row, 1-based, with its cells as text, valid until it returns: numbers as the shortest
// decimals that read back as the same float64. A missing value is empty; so are all cells of a list of another length
// than in the first row. It holds a page of each column.
func (f *File) Each(visit func(row int, cells [][]byte) error) (err error) {
	row := 0
	defer func() {
		if err != nil && row > 0 {
			err = fmt.Errorf("row %d: %w", row, err)
		}
	}()
	defer recovered(&err)
	var text []byte
	var ends []int
	var cells [][]byte
	for _, g := range f.groups {
		chunks, held := make([]*chunk, len(f.leaves)), new(int64)
		for j := range f.leaves {
			chunks[j] = f.chunk(g, &f.leaves[j], held)
		}
		for range at[int64](g, 3) {
			row++
			text, ends, cells = text[:0], ends[:0], cells[:0]
			for j, c := range chunks {
				first, want, begin := len(ends), f.leaves[j].cells, len(text)
				c.row(func(value []byte) {
					if len(ends)-first < want {
						text = f.leaves[j].appendText(text, value)
					}
					ends = append(ends, len(text))
				})
				if got := len(ends) - first; f.leaves[j].list > 0 && got != want {
					text, ends = text[:begin], ends[:first]
					for range want {
						ends = append(ends, begin)
					}
				}
			}
			begin := 0
			for _, end := range ends {
				cells = append(cells, text[begin:end:end])
				begin = end
			}
			if err := visit(row, cells); err != nil {
				row = 0 // which the error names
				return err
			}
		}
	}
	return nil
}

// appendText appends a value; nil is missing.
func (l *leaf) appendText(dst, value []byte) []byte {
	if value == nil {
		return dst
	}
	switch l.kind {
	case typeBoolean:
		return strconv.AppendBool(dst, value[0] == 1)
	case typeInt32:
		bits := binary.LittleEndian.Uint32(value)
		if l.natural {
			return strconv.AppendUint(dst, uint64(bits), 10)
		}
		return strconv.AppendInt(dst, int64(int32(bits)), 10)
	case typeInt64:
		bits := binary.LittleEndian.Uint64(value)
		if l.natural {
			return strconv.AppendUint(dst, bits, 10)
		}
		return strconv.AppendInt(dst, int64(bits), 10)
	case typeFloat:
		return strconv.AppendFloat(dst, float64(math.Float32frombits(binary.LittleEndian.Uint32(value))), 'g', -1, 64)
	case typeDouble:
		return strconv.AppendFloat(dst, math.Float64frombits(binary.LittleEndian.Uint64(value)), 'g', -1, 64)
	}
	return append(dst, value...)
}
