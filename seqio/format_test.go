package seqio

import (
	"os"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// The table of docs/input.md has every name that implies a format.
func TestNamesAreDocumented(t *testing.T) {
	text := must.Get(os.ReadFile("../docs/input.md"))(t)
	for _, names := range []map[string]Format{suffixes, treeSuffixes} {
		for suffix, format := range names {
			if !strings.Contains(string(text), "`"+suffix+"`") {
				t.Errorf("docs/input.md lacks %s, which is %s", suffix, format)
			}
		}
	}
}

// The rows of the table, in its order.
func TestRecognize(t *testing.T) {
	for _, c := range []struct {
		name, first string
		want        Format
	}{
		{"a.tsv.gz", ">x", TSV}, {"a.tab", "", TSV}, {"a.csv", "@", CSV}, {"a.ndjson", ">", JSONL},
		{"a.klp", ">", KeLP},
		{"a.dbn", ">x", DotBracket}, {"a.txt", ">x\nAC\n", FASTA}, {"a", "@x", FASTQ}, {"a.fa", "ACGT", FASTA},
		{"a.fq.zst", "ACGT", FASTQ}, {"a.txt", "{}", Lines}, {"a.sgm", "{}", Reuters}, {"a", "{}", JSONL},
		{"a", "<!DOCTYPE lewis>", Reuters}, {"a", "x |BT:a| b |ET|", KeLP}, {"a", "x", Auto}, {"a.md", "", Auto},
		{"a.txt", "#c\ntrack x\nchr1\t0\t6", BED}, {"a", "1\t0\t6\tx\n", BED}, {"a.txt", "a b\t0\t6\n", Lines},
	} {
		if got := recognize(c.name, c.first); got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.name, c.first, got, c.want)
		}
	}
}
