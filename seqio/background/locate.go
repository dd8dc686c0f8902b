package background

import (
	"bytes"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Locate returns where in a genome the records of a set are, by their ids (see [genome.ParseRegion]) and numbers of
// letters (see [genome.Region.Bounds]). The letters are compared with those of the genome, whatever their case, and
// give the strand: Minus, or what the id says if it is not that, or NoStrand if the id says Minus and the letters do
// not. An id that is not a region is an error that names the record. Records outside the genome and with other letters,
// as of another assembly, are left out and counted; if no record fits, that is an error.
func Locate(set *seqio.Set, g *genome.Genome) (list []genome.Interval, misfits genome.Misfits, err error) {
	for i := range set.Len() {
		x, err := locate(set, i, g)
		if err == nil {
			list = append(list, x)
		}
		if err := misfits.Take(err); err != nil {
			return nil, misfits, err
		}
	}
	return list, misfits, misfits.Check("records")
}

// locate returns the place of a record. The error of one that does not fit wraps a [genome.Misfit].
func locate(set *seqio.Set, i int, g *genome.Genome) (genome.Interval, error) {
	name, letters := set.Corpus.Name(i), set.Corpus.Seq(i)
	x := genome.Interval{Name: name, Score: math.NaN()}
	if set.Lines != nil {
		x.Line = set.Lines[i]
	}
	region, ok := genome.ParseRegion(name)
	if !ok {
		return x, set.Errorf(i, "the id has no position, want SEQ:START-END")
	}
	x.Seq = region.Seq
	if x.Start, x.End, ok = region.Bounds(len(letters)); !ok {
		return x, set.Errorf(i, "%d letters, but positions %d to %d in the id", len(letters), region.First, region.Last)
	}
	if err := CheckPositive(g, x); err != nil {
		return x, set.Errorf(i, "%w", err)
	}
	piece, err := g.AppendSlice(nil, x.Seq, x.Start, x.End)
	if err != nil {
		return x, set.Errorf(i, "%w", err)
	}
	if x.Strand, ok = strandOf(letters, piece, region.Strand); !ok {
		return x, set.Errorf(i, "%w",
			genome.Misfitf(genome.OtherReference, "its letters differ from those of the genome on both strands"))
	}
	return x, nil
}

// strandOf returns the strand of a piece of a genome on which a sequence is, and whether there is one. If it is on
// both, that is the strand of its id.
func strandOf(x, piece []byte, claimed genome.Strand) (genome.Strand, bool) {
	forward := bytes.EqualFold(piece, x)
	if forward && claimed != genome.Minus {
		return claimed, true
	}
	if bytes.EqualFold(stringkernel.DNA.ReverseComplementTo(nil, piece), x) {
		return genome.Minus, true
	}
	return genome.NoStrand, forward
}

// AppendWindow appends the letters of a piece of a genome to dst, reverse complemented if the strand is Minus.
func AppendWindow(dst []byte, g *genome.Genome, seq string, piece genome.Span, strand genome.Strand) ([]byte, error) {
	if strand != genome.Minus {
		return g.AppendSlice(dst, seq, piece.Start, piece.End)
	}
	letters, err := g.AppendSlice(nil, seq, piece.Start, piece.End)
	if err != nil {
		return dst, err
	}
	return append(dst, stringkernel.DNA.ReverseComplementTo(nil, letters)...), nil
}

// RegionName returns the id of a piece of a genome: SEQ:START-END, 1-based and inclusive as samtools faidx and genome
// browsers have it, and the strand in parentheses if there is one.
func RegionName(seq string, piece genome.Span, strand genome.Strand) string {
	name := fmt.Sprintf("%s:%d-%d", seq, piece.Start+1, piece.End)
	if strand == genome.Plus || strand == genome.Minus {
		name += "(" + strand.String() + ")"
	}
	return name
}
