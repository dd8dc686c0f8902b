// Package bigwig writes bigWig files: a number for each of some places of a genome, with an index and with
// summaries for every scale, so that a browser opens a file of any size at once.
//
// [Writer] takes intervals in order, as a track is computed, and writes them as they come: blocks of 1,024, compressed,
// and in between blocks of up to ten summaries (zoom levels). In memory it keeps 32 bytes for each block. Values are
// float32 in the file. The same intervals give the same bytes.
//
// Positions are 0-based and half-open, as in BED.
//
// W. J. Kent, A. S. Zweig, G. Barber, A. S. Hinrichs and D. Karolchik, BigWig and BigBed: enabling browsing of large
// distributed datasets, Bioinformatics 26 (17), 2204–2207, 2010, doi:10.1093/bioinformatics/btq351, with the layout of
// the file in its supplement.
package bigwig

import (
	"encoding/binary"
	"fmt"
)

// Chromosome is a sequence that positions refer to.
type Chromosome struct {
	Name   string
	Length int
}

// Interval is a stretch of a chromosome, each position of which has the value.
type Interval struct {
	Start, End int // 0-based, End exclusive
	Value      float32
}

// Summary describes the values of some positions.
type Summary struct {
	Covered    int // positions that have a value
	Min, Max   float64
	Sum        float64
	SumSquares float64
}

// add adds n positions with one value.
func (s *Summary) add(value float64, n int) {
	if s.Covered == 0 {
		s.Min, s.Max = value, value
	}
	s.Covered += n
	s.Min, s.Max = min(s.Min, value), max(s.Max, value)
	s.Sum += float64(value * float64(n))
	s.SumSquares += float64(float64(value*value) * float64(n))
}

// merge adds the positions of another summary.
func (s *Summary) merge(other Summary) {
	if s.Covered == 0 {
		*s = other
		return
	}
	s.Covered += other.Covered
	s.Min, s.Max = min(s.Min, other.Min), max(s.Max, other.Max)
	s.Sum += other.Sum
	s.SumSquares += other.SumSquares
}

// le is the order of bytes in a file.
var le = binary.LittleEndian

// The layout of a file: the sizes of its structures in bytes, their first words and what the fields are at.
const (
	fileMagic  = 0x888FFC26
	chromMagic = 0x78CA8C91
	indexMagic = 0x2468ACE0

	version        = 4
	headerSize     = 64
	zoomHeaderSize = 24
	summarySize    = 40
	chromHeader    = 32
	indexHeader    = 48
	sectionHeader  = 24
	nodeHeader     = 4
	leafEntry      = 32 // of an index
	childEntry     = 24
	zoomRecord     = 32

	maxZooms  = 10
	fanOut    = 256  // entries of a node
	blockSize = 1024 // intervals of a section, records of a block of a zoom level
)

// The types of sections.
const (
	bedGraphSection = 1 // start, end, value
	variableStep    = 2 // start, value; one span
	fixedStep       = 3 // value; one span, one step
)

// place names an interval as browsers do, 1-based and inclusive.
func place(chrom string, start, end int) string {
	return fmt.Sprintf("%.80s:%d-%d", chrom, start+1, end)
}
