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
// not. An id that is not a region, a region outside the genome and other letters, as of another assembly, are an error
// that names the record.
func Locate(set *seqio.Set, g *genome.Genome) ([]genome.Interval, error) {
	list := make([]genome.Interval, set.Len())
	var letters []byte
	for i := range list {
		x := set.Corpus.Seq(i)
		region, ok := genome.ParseRegion(set.Corpus.Name(i))
		if !ok {
			return nil, set.Errorf(i, "the id has no position, want SEQ:START-END")
		}
		start, end, ok := region.Bounds(len(x))
		if !ok {
			return nil, set.Errorf(i, "%d letters, but positions %d to %d in the id", len(x), region.First,
				region.Last)
		}
		var err error
		if letters, err = g.AppendSlice(letters[:0], region.Seq, start, end); err != nil {
			return nil, set.Errorf(i, "%w", err)
		}
		strand, ok := strandOf(x, letters, region.Strand)
		if !ok {
			return nil, set.Errorf(i, "its letters differ from those of the genome on both strands; "+
				"is this another assembly?")
		}
		list[i] = genome.Interval{Seq: region.Seq, Span: genome.Span{Start: start, End: end}, Name: set.Corpus.Name(i),
			Score: math.NaN(), Strand: strand}
		if set.Lines != nil {
			list[i].Line = set.Lines[i]
		}
	}
	return list, nil
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
