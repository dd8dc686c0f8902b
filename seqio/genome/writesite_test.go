package genome_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/seqio/genome"
)

// TestGFF3Names: what is written in the first column reads back as the name of the record.
func TestGFF3Names(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := genome.Site{Record: rapid.StringMatching(`[!-~é€]{1,9}`).Draw(rt, "name"), End: 1, Strand: '+', Q: math.NaN()}
		text := genome.GFF3Header + string(genome.AppendGFF3(nil, &s, "seqsvm", "exon"))
		got, err := readGFF(strings.NewReader(text))
		if err != nil || len(got) != 1 || got[0].Seq != s.Record {
			rt.Fatalf("%q: %+v, %v", text, got, err)
		}
	})
}

// Lines by the formats' definitions: BED is 0-based and half-open, GFF3 1-based and closed, with escapes.
func TestSites(t *testing.T) {
	s := genome.Site{Record: "chr1", Start: 0, End: 10, Strand: '-', Name: "pos", Level: 731, Value: -0.5, Q: math.NaN()}
	odd := genome.Site{Record: ">a|b=1;c", Start: 99, End: 100, Strand: '.', Name: "AG, 5%=x;\ty", Level: 1000, Value: 1e-20,
		Q: 0.25}
	unnamed := genome.Site{Record: "r", Start: 1, End: 2, Strand: '+', Q: math.NaN()}
	for _, c := range []struct{ got, want string }{
		{string(genome.AppendBED(nil, &s)), "chr1\t0\t10\tpos\t731\t-\t-0.5\n"},
		{string(genome.AppendBED(nil, &odd)), ">a|b=1;c\t99\t100\tAG,_5%=x;_y\t1000\t.\t1e-20\t0.25\n"},
		{string(genome.AppendBED(nil, &unnamed)), "r\t1\t2\t.\t0\t+\t0\n"},
		{string(genome.AppendBedGraph([]byte("before\n"), &s)), "before\nchr1\t0\t10\t-0.5\n"},
		{string(genome.AppendGFF3(nil, &s, "tool", "exon")), "chr1\ttool\texon\t1\t10\t-0.5\t-\t.\tName=pos\n"},
		{string(genome.AppendGFF3(nil, &odd, "tool", "exon")),
			"%3Ea|b%3D1%3Bc\ttool\texon\t100\t100\t1e-20\t.\t.\tName=AG%2C 5%25%3Dx%3B%09y;qvalue=0.25\n"},
		{string(genome.AppendGFF3Place(nil, "sp|P1/2 é", "a\tb", "turn 100%", genome.Span{0, 9})),
			"sp|P1%2F2%20%C3%A9\ta%09b\tturn 100%25\t1\t9\t"},
	} {
		if c.got != c.want {
			t.Errorf("got  %q\nwant %q", c.got, c.want)
		}
	}
}
