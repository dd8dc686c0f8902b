package genome_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/seqio/genome"
)

// The ids are those that the manuals of bedtools getfasta and samtools faidx show, and others that look like them.
func TestParseRegion(t *testing.T) {
	for id, want := range map[string]genome.Region{
		"chr1:5-10":                {Seq: "chr1", First: 5, Last: 10, Strand: genome.NoStrand},
		"chr1:20-25(-)":            {Seq: "chr1", First: 20, Last: 25, Strand: genome.Minus},
		"chr1:20-25(+)":            {Seq: "chr1", First: 20, Last: 25, Strand: genome.Plus},
		"forward::chr1:20-25(+)":   {Seq: "chr1", First: 20, Last: 25, Strand: genome.Plus},
		"a:b::chr1:20-25(-)":       {Seq: "chr1", First: 20, Last: 25, Strand: genome.Minus},
		"chr1:1-9/rc":              {Seq: "chr1", First: 1, Last: 9, Strand: genome.Minus},
		"chr1:1-9.shuffle3":        {Seq: "chr1", First: 1, Last: 9, Strand: genome.NoStrand},
		"HLA:HLA00001:100-200":     {Seq: "HLA:HLA00001", First: 100, Last: 200, Strand: genome.NoStrand},
		"2L:0-0":                   {Seq: "2L", Strand: genome.NoStrand},
		"chr1:5-10:+":              {Seq: "chr1", First: 5, Last: 10, Strand: genome.NoStrand},
		"NC_000913.3:190-255:thrL": {Seq: "NC_000913.3", First: 190, Last: 255, Strand: genome.NoStrand},
	} {
		if got, ok := genome.ParseRegion(id); got != want || !ok {
			t.Errorf("%s: %+v, %v, want %+v", id, got, ok, want)
		}
	}
	for _, id := range []string{"", ":", "chr1", "chr1:", "chr1:5", "chr1:5-", "chr1:-5", "chr1:a-b", ":5-10",
		"x:::5-10", "chr1:5-99999999999999999999", "chr1-5:10"} {
		if got, ok := genome.ParseRegion(id); ok {
			t.Errorf("%q is a region, %+v", id, got)
		}
	}
}

func TestChromosome(t *testing.T) {
	for id, want := range map[string]string{
		"chr1:5-10": "chr1", "peak7::chr2:1-5(+)": "chr2", "chrX:12345:+": "chrX", "HLA:A:5-10": "HLA:A", "chr1": "",
		"": "", ":5": "",
	} {
		if got := genome.Chromosome(id); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
}

func FuzzParseRegion(f *testing.F) {
	f.Add("a::chr1:20-25(-)", 5)
	f.Add("chr1:0-4", 5)
	f.Fuzz(func(t *testing.T, id string, letters int) {
		r, ok := genome.ParseRegion(id)
		if !ok {
			return
		}
		if r.Seq == "" || r.First < 0 || r.Last < 0 {
			t.Errorf("%q: %+v", id, r)
		}
		if start, end, ok := r.Bounds(letters); ok && (end-start != letters || start < 0) {
			t.Errorf("%q of %d letters: %d to %d", id, letters, start, end)
		}
	})
}
