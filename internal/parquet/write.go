package parquet

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/klauspost/compress/zstd"
)

// A row group ends when it has that many cells, or bytes of text.
const groupCells, groupText = 1 << 20, 16 << 20

// Writer writes a table of named columns: row by row, a call of [Writer.Text], [Writer.Integer], [Writer.Number] or
// [Writer.Missing] for each cell and [Writer.EndRow]. The type of a column is that of the first rows, a million cells:
// text if they have some, else numbers, else integers; integers and numbers in a column of text are written as text.
// Cells of other types in later rows are an error. The bytes depend on the cells alone. It holds these rows, with 9
// bytes for each cell, and their text.
type Writer struct {
	w       io.Writer
	at      int64
	columns []column
	next    int // the column of the next cell
	rows    int // of the group
	text    int // bytes of it
	all     int64
	groups  list
	z       *zstd.Encoder
	err     error
}

// column is the cells of a column in the group.
type column struct {
	name  string
	kind  kind // of the column, once a group is written
	kinds []kind
	bits  []uint64 // of numbers; of text, where it ends
	text  []byte
}

// kind is the type of a cell: that of a column is the greatest.
type kind byte

const (
	missing kind = iota
	integer
	number
	text
)

// NewWriter begins a file of columns of these names, with a number added to a name that another has.
func NewWriter(w io.Writer, names []string) *Writer {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		panic(err) // there is no option that could be wrong
	}
	p, taken := &Writer{w: w, z: z, columns: make([]column, len(names))}, make(map[string]bool, len(names))
	for j, name := range names {
		for again := 2; taken[name]; again++ {
			name = names[j] + "_" + strconv.Itoa(again)
		}
		p.columns[j].name, taken[name] = name, true
	}
	p.write([]byte(magic))
	return p
}

// Text adds a cell.
func (p *Writer) Text(s string) {
	if c := p.cell(); c != nil {
		c.text = append(c.text, s...)
		c.add(text, uint64(len(c.text)))
		p.text += len(s)
	}
}

// Integer adds a cell.
func (p *Writer) Integer(n int) { p.add(integer, uint64(n)) }

// Number adds a cell; NaN is missing.
func (p *Writer) Number(x float64) {
	if math.IsNaN(x) {
		p.Missing()
		return
	}
	p.add(number, math.Float64bits(x))
}

// Missing adds a cell without a value.
func (p *Writer) Missing() { p.add(missing, 0) }

func (p *Writer) add(k kind, bits uint64) {
	if c := p.cell(); c != nil {
		c.add(k, bits)
	}
}

func (c *column) add(k kind, bits uint64) { c.kinds, c.bits = append(c.kinds, k), append(c.bits, bits) }

// cell returns the column of the next cell, nil if there is none.
func (p *Writer) cell() *column {
	if p.next++; p.next > len(p.columns) {
		return nil
	}
	return &p.columns[p.next-1]
}

// EndRow ends a row. It returns an error of the underlying writer, if the row has more or fewer cells than there are
// columns, or if a cell does not have the type of its column.
func (p *Writer) EndRow() error {
	if p.next != len(p.columns) {
		p.fail(fmt.Errorf("row %d has %d cells, want %d", p.all+int64(p.rows)+1, p.next, len(p.columns)))
	}
	p.next = 0
	if p.rows++; p.rows*len(p.columns) >= groupCells || p.text >= groupText {
		p.endGroup()
	}
	return p.err
}

// Close ends the file. It does not close the underlying writer.
func (p *Writer) Close() error {
	if p.rows > 0 {
		p.endGroup()
	}
	schema := list{fields{4: "schema", 5: int32(len(p.columns))}}
	for _, c := range p.columns {
		element := fields{1: physical[c.kind], 3: int32(optional), 4: c.name}
		if c.kind == text {
			element[6], element[10] = int32(convertedUTF8), fields{logicalString: fields{}}
		}
		schema = append(schema, element)
	}
	meta := appendThrift(nil, fields{1: int32(1), 2: schema, 3: p.all, 4: p.groups, 6: "seqsvm"})
	p.write(append(binary.LittleEndian.AppendUint32(meta, uint32(len(meta))), magic...))
	return p.err
}

// physical is the type in the file of each kind.
var physical = map[kind]int32{missing: typeDouble, integer: typeInt64, number: typeDouble, text: typeBytes}

func (p *Writer) endGroup() {
	var chunks list
	size := int64(0)
	for j := range p.columns {
		chunk, bytes := p.writeColumn(&p.columns[j])
		chunks, size = append(chunks, chunk), size+bytes
	}
	p.groups = append(p.groups, fields{1: chunks, 2: size, 3: int64(p.rows)})
	p.all += int64(p.rows)
	p.rows, p.text = 0, 0
}

// writeColumn writes the cells of a column as one page, and returns what the footer says of it and its size.
func (p *Writer) writeColumn(c *column) (chunk fields, size int64) {
	if len(p.groups) == 0 {
		for _, k := range c.kinds {
			c.kind = max(c.kind, k)
		}
		if c.kind == missing {
			c.kind = number
		}
	}
	page := c.levels(make([]byte, 4))
	binary.LittleEndian.PutUint32(page, uint32(len(page)-4))
	begin := 0 // of the text of a cell
	for i, k := range c.kinds {
		if k > c.kind {
			p.fail(fmt.Errorf("column %s: row %d is of another type than the rows before", c.name, p.all+int64(i)+1))
			return nil, 0
		}
		page = c.appendValue(page, k, c.bits[i], &begin)
	}
	packed := p.z.EncodeAll(page, nil)
	head := appendThrift(nil, fields{1: int32(pageV1), 2: int32(len(page)), 3: int32(len(packed)),
		5: fields{1: int32(len(c.kinds)), 2: int32(plain), 3: int32(rle), 4: int32(rle)}})
	size = int64(len(head) + len(page))
	chunk = fields{2: int64(0), 3: fields{1: physical[c.kind], 2: list{int32(plain), int32(rle)}, 3: list{c.name},
		4: int32(codecZstd), 5: int64(len(c.kinds)), 6: size, 7: int64(len(head) + len(packed)), 9: p.at}}
	p.write(append(head, packed...))
	c.kinds, c.bits, c.text = c.kinds[:0], c.bits[:0], c.text[:0]
	return chunk, size
}

// levels appends whether there is a value in each cell, as runs: twice the length, and 1 or 0.
func (c *column) levels(dst []byte) []byte {
	for i := 0; i < len(c.kinds); {
		begin, is := i, c.kinds[i] != missing
		for i < len(c.kinds) && (c.kinds[i] != missing) == is {
			i++
		}
		dst = binary.AppendUvarint(dst, uint64(2*(i-begin)))
		dst = append(dst, map[bool]byte{true: 1}[is])
	}
	return dst
}

// appendValue appends a cell of a kind to those of a column; begin is where its text begins, and then that of the next.
func (c *column) appendValue(dst []byte, k kind, bits uint64, begin *int) []byte {
	switch {
	case k == missing:
		return dst
	case c.kind == number && k == integer:
		bits = math.Float64bits(float64(int(bits)))
	case c.kind == text:
		value := c.text[*begin:]
		switch k {
		case text:
			value, *begin = value[:int(bits)-*begin], int(bits)
		case integer:
			value = strconv.AppendInt(nil, int64(bits), 10)
		default:
			value = strconv.AppendFloat(nil, math.Float64frombits(bits), 'g', -1, 64)
		}
		return append(binary.LittleEndian.AppendUint32(dst, uint32(len(value))), value...)
	}
	return binary.LittleEndian.AppendUint64(dst, bits)
}

func (p *Writer) write(data []byte) {
	if p.err == nil {
		_, p.err = p.w.Write(data)
		p.at += int64(len(data))
	}
}

func (p *Writer) fail(err error) { p.err = cmp.Or(p.err, fmt.Errorf("parquet: %w", err)) }
