package packed

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

const (
	headerBytes  = 16
	blockLetters = 1 << 18 // of a block without its last record
	blockRecords = 1 << 14
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// run is letters of a block that break, numbered from its first.
type run struct{ from, to int }

// packer makes the bytes of blocks of records.
type packer struct {
	codes   *[256]int16
	packed  bool // 2 bits a letter
	records int
	letters int
	runs    []run

	scales, lengths, text []byte
	repeatEnds, repeats   []byte
	header                [headerBytes]byte
	breaks                []byte
}

func newPacker(a stringkernel.Alphabet) packer {
	return packer{codes: a.Codes(), packed: a.Bits() == 2}
}

// add packs a record with its repeats.
func (p *packer) add(x []byte, scale float64, repeats []compose.Repeat) {
	p.scales = binary.LittleEndian.AppendUint64(p.scales, math.Float64bits(scale))
	p.lengths = binary.AppendUvarint(p.lengths, uint64(len(x)))
	if p.packed {
		p.pack(x)
	} else {
		p.text = append(p.text, x...)
	}
	for _, r := range repeats {
		p.repeats = binary.LittleEndian.AppendUint32(p.repeats, r.Entry)
		p.repeats = binary.LittleEndian.AppendUint32(p.repeats, r.Count)
	}
	p.repeatEnds = binary.LittleEndian.AppendUint32(p.repeatEnds, uint32(len(p.repeats)/repeatBytes))
	p.records++
	p.letters += len(x)
}

// repeatBytes is what a repeat takes, and endBytes what the end of those of a record does.
const (
	repeatBytes = 8
	endBytes    = 4
)

// pack appends letters of 2 bits, and notes those that break.
func (p *packer) pack(x []byte) {
	whole := len(x) &^ 3
	for at := 0; at < whole; at += 4 {
		a, b, c, d := p.codes[x[at]], p.codes[x[at+1]], p.codes[x[at+2]], p.codes[x[at+3]]
		if a|b|c|d < 0 {
			p.text = append(p.text, p.quarter(x[at:at+4], p.letters+at))
			continue
		}
		p.text = append(p.text, byte(a<<6|b<<4|c<<2|d))
	}
	if whole < len(x) {
		p.text = append(p.text, p.quarter(x[whole:], p.letters+whole))
	}
}

// quarter packs up to four letters, the first of which has a number in the block.
func (p *packer) quarter(x []byte, number int) (packed byte) {
	for i, letter := range x {
		if code := p.codes[letter]; code >= 0 {
			packed |= byte(code) << (6 - 2*i)
			continue
		}
		if last := len(p.runs) - 1; last >= 0 && p.runs[last].to == number+i && p.runs[last].from >= p.letters {
			p.runs[last].to++
		} else {
			p.runs = append(p.runs, run{number + i, number + i + 1})
		}
	}
	return packed
}

// full reports whether it is time to write the block.
func (p *packer) full() bool { return p.letters >= blockLetters || p.records >= blockRecords }

// block returns the parts of the block in their order, and begins another. They are good until the next record.
func (p *packer) block() [][]byte {
	p.breaks = binary.AppendUvarint(p.breaks[:0], uint64(len(p.runs)))
	end := 0
	for _, r := range p.runs {
		p.breaks = binary.AppendUvarint(p.breaks, uint64(r.from-end))
		p.breaks = binary.AppendUvarint(p.breaks, uint64(r.to-r.from))
		end = r.to
	}
	p.breaks = binary.AppendUvarint(p.breaks, uint64(len(p.repeats)/repeatBytes))
	if len(p.repeats) == 0 {
		p.repeatEnds = p.repeatEnds[:0]
	}
	parts := [][]byte{p.header[:], p.scales, p.lengths, p.breaks, p.repeatEnds, p.repeats, p.text}
	size, sum := 0, uint32(0)
	for _, part := range parts[1:] {
		size += len(part)
		sum = crc32.Update(sum, castagnoli, part)
	}
	binary.LittleEndian.PutUint32(p.header[:], uint32(p.records))
	binary.LittleEndian.PutUint32(p.header[4:], sum)
	binary.LittleEndian.PutUint64(p.header[8:], uint64(size))
	p.records, p.letters, p.runs = 0, 0, p.runs[:0]
	p.scales, p.lengths, p.text = p.scales[:0], p.lengths[:0], p.text[:0]
	p.repeatEnds, p.repeats = p.repeatEnds[:0], p.repeats[:0]
	return parts
}

// errDamaged is the error of a block that is not what was written.
var errDamaged = errors.New("a block is damaged: its checksum differs")

// block is the records of one block, as views of its bytes.
type block struct {
	records               int
	packed                bool
	scales, lengths, text []byte
	repeatEnds, repeats   []byte // of all records; empty if none has any
	runs                  []run
}

// read takes apart the bytes of a block, which it keeps.
func (b *block) read(data []byte) error {
	if len(data) < headerBytes {
		return errDamaged
	}
	body := data[headerBytes:]
	b.records = int(binary.LittleEndian.Uint32(data))
	if binary.LittleEndian.Uint64(data[8:]) != uint64(len(body)) ||
		binary.LittleEndian.Uint32(data[4:]) != crc32.Checksum(body, castagnoli) || len(body) < 8*b.records {
		return errDamaged
	}
	b.scales, body = body[:8*b.records], body[8*b.records:]
	b.lengths = body
	for range b.records {
		_, size := binary.Uvarint(body)
		body = body[max(size, 0):]
	}
	number := func() int {
		n, size := binary.Uvarint(body)
		body = body[max(size, 0):]
		return int(n)
	}
	b.runs = b.runs[:0]
	end := 0
	for range number() {
		from := end + number()
		end = from + number()
		b.runs = append(b.runs, run{from, end})
	}
	b.repeatEnds, b.repeats = nil, nil
	if n := number(); n > 0 {
		b.repeatEnds, body = body[:endBytes*b.records], body[endBytes*b.records:]
		b.repeats, body = body[:repeatBytes*n], body[repeatBytes*n:]
	}
	b.text = body
	return nil
}

// record is one of a block.
type record struct {
	scale   float64
	length  int
	text    []byte // letters, packed or not
	runs    []run  // of letters that break, numbered from the first of the record
	repeats []byte // k-mers that occur more than once, where counts are seen through a function
}

// each calls visit with every record of a block in order, numbered from 0. The runs of a record are good during the
// call.
func (b *block) each(visit func(i int, r *record)) {
	lengths, text, runs, before := b.lengths, b.text, b.runs, 0
	var r record
	for i := range b.records {
		length, size := binary.Uvarint(lengths)
		lengths = lengths[size:]
		r.length, r.runs = int(length), r.runs[:0]
		for ; len(runs) > 0 && runs[0].from < before+r.length; runs = runs[1:] { // none reaches into the next record
			r.runs = append(r.runs, run{runs[0].from - before, runs[0].to - before})
		}
		before += r.length
		bytes := b.bytes(r.length)
		r.text, text = text[:bytes], text[bytes:]
		r.scale, r.repeats = b.scale(i), b.repeatsOf(i)
		visit(i, &r)
	}
}

func (b *block) scale(i int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(b.scales[8*i:]))
}

// repeatsOf returns the repeats of a record.
func (b *block) repeatsOf(i int) []byte {
	if len(b.repeats) == 0 {
		return nil
	}
	from, ends := uint32(0), b.repeatEnds[endBytes*i:]
	if i > 0 {
		from = binary.LittleEndian.Uint32(b.repeatEnds[endBytes*(i-1):])
	}
	return b.repeats[repeatBytes*from : repeatBytes*binary.LittleEndian.Uint32(ends)]
}

// bytes returns how many bytes some letters of a record take.
func (b *block) bytes(letters int) int {
	if b.packed {
		return (letters + 3) / 4
	}
	return letters
}
