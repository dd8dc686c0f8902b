package genome_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

func TestGenomeErrors(t *testing.T) {
	const fasta = ">one x\nACGTA\nCGT\n>two\nTTTTT\n"
	const index = "one\t8\t7\t5\t6\ntwo\t5\t22\t5\t6\n"
	for _, c := range []struct {
		why, fasta, index string
		want              string // in the error of opening, or of the first letters of two
	}{
		{"empty", "", "", "g.fa: the file is empty"},
		{"no header", "ACGT\n", "", "g.fa:1: expected '>'"},
		{"no id", ">\nACGT\n", "", "g.fa:1: header without an id"},
		{"twice", ">a\nA\n>a\nC\n", "", `record "a": records 1 and 2 have the same name`},
		{"lone CR", ">a\rACGT\r", "", "lone CR"},
		{"a digit", ">two\nAC9T\n", "", `g.fa: record "two": digit '9' in the sequence, letter 3`},
		{"no such record", ">one\nACGT\n", "", `there is no record "two"`},
		{"too short a record", ">two\nACG\n", "", `record "two": letters 1 to 4, want a range within its 3`},
		{"too few columns", fasta, "one\t8\t7\t5\n", "g.fa.fai:1: 4 columns, want 5"},
		{"no number", fasta, "one\t8\t7\t5\tx\n", `g.fa.fai:1: column 5 is "x"`},
		{"a negative number", fasta, "one\t8\t-7\t5\t6\n", "want numbers ≥ 0"},
		{"no name", fasta, "\t8\t7\t5\t6\n", "g.fa.fai:1: empty name"},
		{"no letters per line", fasta, "one\t8\t7\t0\t6\n", "0 letters per line"},
		{"no line end", fasta, "one\t8\t7\t5\t5\n", "5 letters per line of 5 bytes"},
		{"too long", fasta, "one\t8\t7\t5\t6\ntwo\t50\t22\t5\t6\n",
			"g.fa.fai:2: 50 letters at byte 22 do not fit a file of 28 bytes"},
		{"huge numbers", fasta, "one\t9223372036854775807\t7\t1\t9223372036854775807\n", "do not fit"},
		{"too long for a sum", fasta, fmt.Sprintf("one\t%d\t7\t%[1]d\t%[1]d\n", math.MaxInt64),
			"g.fa.fai:1: 9223372036854775807 letters at byte 7 do not fit a file of 28 bytes"},
		{"twice in the index", fasta, index + "one\t8\t7\t5\t6\n", `g.fa.fai:3: record "one": records 1 and 3`},
		{"another name", fasta, "one\t8\t7\t5\t6\ntwo\t8\t7\t5\t6\n", "g.fa.fai:2: record \"two\": does not fit"},
		{"shorter by a letter", fasta, "two\t4\t22\t5\t6\n", "does not fit"},
		{"shorter by a line", ">two\nTTTTT\nTT\n", "two\t5\t5\t5\t6\n", "does not fit"},
		{"no record in the index", fasta, "\n", "g.fa.fai: no records; rebuild the index"},
		{"another place", fasta, "two\t5\t21\t5\t6\n", "does not fit"},
		{"another width", fasta, "two\t5\t22\t3\t4\n", "does not fit"},
	} {
		files := map[string]string{"g.fa": c.fasta}
		if c.index != "" {
			files["g.fa.fai"] = c.index
		}
		g, err := genome.Open(genome.WriteGenome(t, files), seqio.CaseUpper)
		if err == nil {
			_, err = g.AppendSlice(nil, "two", 0, 4)
			g.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.why, err, c.want)
		}
	}
	if _, err := genome.Open(filepath.Join(t.TempDir(), "none.fa"), seqio.CaseUpper); err == nil ||
		!strings.Contains(err.Error(), "none.fa: no such file") {
		t.Errorf("a missing file: %v", err)
	}
}

// TestGenomeLongHeader: a header longer than the first look back at it.
func TestGenomeLongHeader(t *testing.T) {
	header := ">one " + strings.Repeat("x", 10000) + "\n"
	path := genome.WriteGenome(t, map[string]string{"g.fa": ">zero\nA\n" + header + "ACGT\n",
		"g.fa.fai": fmt.Sprintf("one\t4\t%d\t4\t5\n", 8+len(header))})
	g, err := genome.Open(path, seqio.CaseUpper)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if got, err := g.AppendSlice(nil, "one", 1, 3); err != nil || string(got) != "CG" {
		t.Errorf("%q, %v", got, err)
	}
}
