// Package bigwigtest reads whole bigWig files in tests. It trusts the sizes in a file: a damaged one panics.
package bigwigtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/klauspost/compress/zlib"

	"github.com/seqsvm/seqsvm/seqio/bigwig"
)

// File is what a bigWig file holds.
type File struct {
	Chromosomes []bigwig.Chromosome // by their numbers in the file
	Intervals   []Record            // in the order of the index
	Summary     bigwig.Summary      // of all values
	Zooms       []Zoom              // the finest level first
}

// Record is an interval, or a summary in a zoom level.
type Record struct {
	Chromosome string
	Start, End int // 0-based, End exclusive
	Value      float32
	Summary    bigwig.Summary
}

// Zoom is a zoom level.
type Zoom struct {
	Reduction int // most positions of a summary
	Records   []Record
}

var le = binary.LittleEndian

// Read reads a file. The error names the first entry of an index that spans other positions than the data below it.
func Read(data []byte) (*File, error) {
	f := &File{}
	at := func(i int) int { return int(le.Uint64(data[i:])) }
	names := at(8)
	f.Chromosomes = make([]bigwig.Chromosome, at(names+16))
	f.readNames(data, names+32, int(le.Uint32(data[names+8:])))
	summary := at(44)
	number := func(i int) float64 { return math.Float64frombits(le.Uint64(data[summary+i:])) }
	f.Summary = bigwig.Summary{Covered: at(summary), Min: number(8), Max: number(16), Sum: number(24),
		SumSquares: number(32)}
	_, err := readIndex(data, at(24)+48, func(block []byte) span { return f.readSection(block) })
	for z := 64; err == nil && len(f.Zooms) < int(le.Uint16(data[6:])); z += 24 {
		zoom := Zoom{Reduction: int(le.Uint32(data[z:]))}
		_, err = readIndex(data, at(z+16)+48, func(block []byte) span { return f.readZoom(&zoom, block) })
		f.Zooms = append(f.Zooms, zoom)
	}
	return f, err
}

// readNames reads a node of the B+ tree of names and all below it.
func (f *File) readNames(data []byte, node, key int) {
	for i := range int(le.Uint16(data[node+2:])) {
		name, value := data[node+4+i*(key+8):][:key], data[node+4+i*(key+8)+key:]
		if data[node] == 0 {
			f.readNames(data, int(le.Uint64(value)), key)
			continue
		}
		f.Chromosomes[le.Uint32(value)] = bigwig.Chromosome{
			Name: strings.TrimRight(string(name), "\x00"), Length: int(le.Uint32(value[4:]))}
	}
}

// span is the first and the last chromosome and position.
type span [4]uint32

func spanAt(p []byte) (s span) {
	for i := range s {
		s[i] = le.Uint32(p[4*i:])
	}
	return s
}

// readIndex visits the blocks below a node of an index, and returns what they span.
func readIndex(data []byte, node int, visit func(block []byte) span) (all span, err error) {
	width := 24
	if data[node] != 0 {
		width = 32
	}
	for i := range int(le.Uint16(data[node+2:])) {
		entry, below := data[node+4+i*width:], span{}
		child := int(le.Uint64(entry[16:]))
		if data[node] == 0 {
			below, err = readIndex(data, child, visit)
		} else {
			below = visit(unpack(data[child:][:le.Uint64(entry[24:])]))
		}
		if err == nil && below != spanAt(entry) {
			err = fmt.Errorf("an entry at %d spans %v, and the data below %v", node, spanAt(entry), below)
		}
		if err != nil {
			return all, err
		}
		if i == 0 {
			all = below
		}
		all[2], all[3] = below[2], below[3]
	}
	return all, nil
}

func unpack(packed []byte) []byte {
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err)
	}
	block, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	return block
}

// readSection reads a section of one of the three types.
func (f *File) readSection(p []byte) span {
	chrom, kind := le.Uint32(p), p[20]
	start, step, length := int(le.Uint32(p[4:])), int(le.Uint32(p[12:])), int(le.Uint32(p[16:]))
	first, width := len(f.Intervals), map[byte]int{1: 12, 2: 8, 3: 4}[kind]
	count := int(le.Uint16(p[22:]))
	for p = p[24:]; count > 0; count-- {
		r := Record{Chromosome: f.Chromosomes[chrom].Name, Start: start}
		if kind != 3 {
			r.Start = int(le.Uint32(p))
		}
		r.End, start = r.Start+length, start+step
		if kind == 1 {
			r.End = int(le.Uint32(p[4:]))
		}
		r.Value = math.Float32frombits(le.Uint32(p[width-4:]))
		f.Intervals = append(f.Intervals, r)
		p = p[width:]
	}
	from, to := f.Intervals[first], f.Intervals[len(f.Intervals)-1]
	return span{chrom, uint32(from.Start), chrom, uint32(to.End)}
}

// readZoom reads a block of summaries.
func (f *File) readZoom(z *Zoom, p []byte) span {
	s := span{le.Uint32(p), le.Uint32(p[4:])}
	for ; len(p) > 0; p = p[32:] {
		number := func(i int) float64 { return float64(math.Float32frombits(le.Uint32(p[i:]))) }
		z.Records = append(z.Records, Record{Chromosome: f.Chromosomes[le.Uint32(p)].Name,
			Start: int(le.Uint32(p[4:])), End: int(le.Uint32(p[8:])),
			Summary: bigwig.Summary{Covered: int(le.Uint32(p[12:])), Min: number(16), Max: number(20),
				Sum: number(24), SumSquares: number(28)}})
		s[2], s[3] = le.Uint32(p), le.Uint32(p[8:])
	}
	return s
}
