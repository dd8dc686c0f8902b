// Package strands makes one record of both strands of nucleotides, for what is counted on both before a function sees
// the counts.
package strands

import "github.com/seqsvm/seqsvm/stringkernel"

// Record returns x, or if both strands count x and its reverse complement with a break between, 2|x| + 1 bytes.
func Record(a stringkernel.Alphabet, both bool, x []byte) []byte {
	if !both {
		return x
	}
	record := make([]byte, 2*len(x)+1) // 0 is no nucleotide
	copy(record, x)
	a.ReverseComplementTo(record[len(x)+1:len(x)+1], x)
	return record
}

// Records returns a corpus of the records of another, with their names.
func Records(a stringkernel.Alphabet, both bool, c *stringkernel.Corpus) *stringkernel.Corpus {
	if !both {
		return c
	}
	var b stringkernel.CorpusBuilder
	b.Grow(c.Len(), 2*c.Letters()+c.Len())
	for i := range c.Len() {
		b.Add(c.Name(i), Record(a, both, c.Seq(i)))
	}
	return b.Corpus()
}
