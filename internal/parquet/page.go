package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// chunk reads the values of a column in a row group.
type chunk struct {
	leaf       *leaf
	pages      cursor
	codec      int32
	held       *int64 // bytes of pages of all columns
	size       int64  // of the page that is held
	dictionary [][]byte

	left     int // values in the page
	lists    *runs
	defined  *runs
	next     func() []byte
	looked   bool // whether there is a next value is known, and whether
	repeated bool // it is one more of a list
}

// chunk begins to read a column.
func (f *File) chunk(group fields, l *leaf, held *int64) *chunk {
	columns := at[list](group, 1).structs()
	if l.place >= len(columns) {
		panic(fault("a row group lacks columns"))
	}
	meta := at[fields](columns[l.place], 3)
	offset := at[int64](meta, 9)
	if first, is := meta[11].(int64); is && first > 0 {
		offset = min(offset, first)
	}
	size := at[int64](meta, 7)
	if offset < 0 || size < 0 || offset > int64(len(f.content)) || size > int64(len(f.content))-offset {
		panic(fault("column " + l.name + " lies outside the file"))
	}
	return &chunk{leaf: l, pages: cursor{f.content[offset:][:size]}, codec: at[int32](meta, 4), held: held}
}

// row calls visit for the values of a row, nil for one that is missing.
func (c *chunk) row(visit func(value []byte)) {
	for count := 0; ; count++ {
		if !c.looked && !c.look(count > 0) || c.leaf.list > 0 && count > 0 && !c.repeated {
			return
		}
		if count > longest {
			panic(fault("column " + c.leaf.name + " has a list of more than 65,536 elements"))
		}
		c.looked = false
		c.left--
		level := c.leaf.def
		if c.defined != nil {
			level = c.defined.next()
		}
		if level == c.leaf.def {
			visit(c.next())
		} else if level >= c.leaf.list { // else the list is empty or missing
			visit(nil)
		}
		if c.leaf.list == 0 {
			return
		}
	}
}

// look finds the next value, and whether it is one more of a list. There may be none if the list may end.
func (c *chunk) look(mayEnd bool) bool {
	for c.left == 0 {
		if mayEnd && len(c.pages.data) == 0 {
			return false
		}
		c.page()
	}
	if c.looked = true; c.lists != nil {
		c.repeated = c.lists.next() > 0
	}
	return true
}

// hold counts bytes that are held.
func (c *chunk) hold(bytes int64) {
	*c.held += bytes
	if err := memory.Check(float64(*c.held)); err != nil {
		panic(fault(fmt.Sprintf("pages of %d bytes: %v", *c.held, err)))
	}
}

// entry is the memory of an entry of a dictionary.
const entry = 24

// page reads the next page.
func (c *chunk) page() {
	head := c.pages.fields(0)
	body, size := c.pages.take(int(at[int32](head, 3))), int(at[int32](head, 2))
	kind := at[int32](head, 1)
	if kind == pageDictionary {
		count := at[int32](at[fields](head, 7), 1)
		if size < 0 || count < 0 || int(count) > 8*size || c.leaf.kind == typeBoolean {
			panic(fault("a dictionary of column " + c.leaf.name + " is damaged"))
		}
		c.hold(int64(size) + entry*int64(count))
		read := c.plain(&cursor{c.unpacked(body, size, true)})
		c.dictionary = make([][]byte, count)
		for i := range c.dictionary {
			c.dictionary[i] = read()
		}
		return
	}
	c.hold(int64(size) - c.size)
	c.size = int64(size)
	var data *cursor
	var lists, defined []byte
	var encoding int32
	switch kind {
	case pageV1:
		head := at[fields](head, 5)
		data = &cursor{c.unpacked(body, size, true)}
		levels := func(is bool) []byte {
			if !is {
				return nil
			}
			return data.take(int(binary.LittleEndian.Uint32(data.take(4))))
		}
		lists, defined = levels(c.leaf.list > 0), levels(c.leaf.def > 0)
		c.left, encoding = int(at[int32](head, 1)), at[int32](head, 2)
	case pageV2:
		head := at[fields](head, 8)
		data = &cursor{body}
		lists, defined = data.take(int(at[int32](head, 6))), data.take(int(at[int32](head, 5)))
		packed, said := head[7].(bool)
		data.data = c.unpacked(data.data, size-len(lists)-len(defined), packed || !said)
		c.left, encoding = int(at[int32](head, 1)), at[int32](head, 4)
	default: // an index
		return
	}
	if c.left < 0 {
		panic(fault("a page has a negative size"))
	}
	c.lists, c.defined = nil, nil
	if c.leaf.list > 0 {
		c.lists = newRuns(lists, 1)
	}
	if c.leaf.def > 0 {
		c.defined = newRuns(defined, bits.Len64(c.leaf.def))
	}
	c.values(encoding, data)
}

// mostValues bounds the texts of a page.
const mostValues = 1 << 24

// values begins to read the values of a page.
func (c *chunk) values(encoding int32, data *cursor) {
	w := width(c.leaf.kind)
	switch {
	case encoding == plain:
		c.next = c.plain(data)
	case encoding == plainDictionary, encoding == rleDictionary:
		var ids *runs // a page without values has none
		c.next = func() []byte {
			if ids == nil {
				width := int(data.take(1)[0])
				ids = newRuns(data.data, width)
			}
			id := ids.next()
			if id >= uint64(len(c.dictionary)) {
				panic(fault("column " + c.leaf.name + " has a value that its dictionary lacks"))
			}
			return c.dictionary[id]
		}
	case encoding == byteStreams && w > 0:
		all, value, i := data.data, make([]byte, w), -1
		n := len(all) / w
		c.next = func() []byte {
			if i++; i >= n {
				panic(fault("a page has fewer values than it says"))
			}
			for b := range value {
				value[b] = all[b*n+i]
			}
			return value
		}
	case encoding == deltaPacked && w > 0:
		read, _ := deltas(data)
		value := make([]byte, 8)
		c.next = func() []byte {
			binary.LittleEndian.PutUint64(value, uint64(read()))
			return value[:w]
		}
	case encoding == deltaLengths && c.leaf.kind == typeBytes:
		read, count := deltas(data)
		if count > mostValues {
			panic(fault("a page has too many values"))
		}
		lengths := make([]int, count)
		for i := range lengths {
			lengths[i] = int(read())
		}
		c.next = func() []byte {
			if len(lengths) == 0 {
				panic(fault("a page has fewer values than it says"))
			}
			value := data.take(lengths[0])
			lengths = lengths[1:]
			return value
		}
	case encoding == rle && c.leaf.kind == typeBoolean:
		one, values := make([]byte, 1), newRuns(data.data[min(4, len(data.data)):], 1)
		c.next = func() []byte { one[0] = byte(values.next()); return one }
	default:
		panic(fault(fmt.Sprintf("column %s has the encoding %d, which is not read; write it with version 1.0 or plain",
			c.leaf.name, encoding)))
	}
}

// plain returns a function that reads one value after another.
func (c *chunk) plain(data *cursor) func() []byte {
	w := width(c.leaf.kind)
	switch {
	case w > 0:
		return func() []byte { return data.take(w) }
	case c.leaf.kind == typeBytes:
		return func() []byte { return data.take(int(binary.LittleEndian.Uint32(data.take(4)))) }
	}
	one, bit := make([]byte, 1), 8
	var from byte
	return func() []byte {
		if bit == 8 {
			from, bit = data.take(1)[0], 0
		}
		one[0] = from >> bit & 1
		bit++
		return one
	}
}

// leastZstd is memory that zstd may take for any page, since a frame may ask for a window larger than it is.
const leastZstd = 64 << 20

// unpacked decompresses a page of a size.
func (c *chunk) unpacked(body []byte, size int, packed bool) []byte {
	var err error
	var data []byte
	switch {
	case !packed || c.codec == codecNone:
		return body
	case size < 0:
		panic(fault("a page has a negative size"))
	case c.codec == codecSnappy:
		if n, err := snappy.DecodedLen(body); err == nil && n == size {
			data, _ = snappy.Decode(nil, body)
		}
	case c.codec == codecGzip:
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(body)); err == nil {
			data, err = io.ReadAll(io.LimitReader(z, int64(size)+1))
		}
	case c.codec == codecZstd:
		var z *zstd.Decoder
		if z, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxMemory(uint64(max(size, leastZstd)))); err == nil {
			data, err = z.DecodeAll(body, nil)
			z.Close()
		}
	default:
		panic(fault(fmt.Sprintf("column %s is compressed by codec %d, which is not read; write it with snappy, gzip or zstd",
			c.leaf.name, c.codec)))
	}
	if err != nil || len(data) != size {
		panic(fault("a page of column " + c.leaf.name + " is damaged"))
	}
	return data
}

// runs reads numbers of a few bits, in runs of one number and in groups of eight that are packed.
type runs struct {
	data  cursor
	width int
	left  uint64 // of the run
	same  bool
	value uint64
	group []byte // packed
	at    int    // bits of it that were read
}

func newRuns(data []byte, width int) *runs {
	if width > 32 {
		panic(fault("a number of a page has too many bits"))
	}
	return &runs{data: cursor{data}, width: width}
}

func (r *runs) next() uint64 {
	for r.left == 0 {
		head := r.data.uvarint()
		if r.same = head&1 == 0; r.same {
			r.left, r.value = head>>1, 0
			for i, b := range r.data.take((r.width + 7) / 8) {
				r.value |= uint64(b) << (8 * i)
			}
			continue
		}
		groups := min(head>>1, 1<<32)
		r.left, r.at = 8*groups, 0 // the last may be cut off
		r.group = r.data.take(min(int(groups)*r.width, len(r.data.data)))
	}
	r.left--
	if r.same {
		return r.value
	}
	return packed(r.group, &r.at, r.width)
}

// packed reads a number of a few bits that begins at a bit.
func packed(group []byte, at *int, width int) (value uint64) {
	for b := range width {
		if *at/8 >= len(group) {
			panic(fault("a page has fewer values than it says"))
		}
		value |= uint64(group[*at/8]>>(*at%8)&1) << b
		*at++
	}
	return value
}

// deltas reads numbers that are stored as differences: blocks of a least difference and of parts, whose differences
// have the same number of bits. It returns how many there are, too.
func deltas(data *cursor) (next func() int64, count int) {
	block, parts, count := data.size(), data.size(), data.size()
	value, least := data.varint(), int64(0)
	if parts < 1 || block < parts || block > 1<<20 {
		panic(fault("a page of differences is damaged"))
	}
	var widths, group []byte
	at, left, first := 0, 0, true
	return func() int64 {
		if first {
			first = false
			return value
		}
		if left == 0 {
			if len(widths) == 0 {
				least, widths = data.varint(), data.take(parts)
			}
			left, at, group = block/parts, 0, data.take(min(len(data.data), block/parts*int(widths[0])/8))
		}
		value += least + int64(packed(group, &at, int(widths[0])))
		if left--; left == 0 {
			widths = widths[1:]
		}
		return value
	}, count
}
