package seqio

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biogo/biogo/alphabet"
	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The tables hold the letters the kernels count, in both cases, and nothing else, as do biogo's alphabets; that of
// proteins has gap, stop and ambiguous letters too.
func TestMembersAreTheKernelsLetters(t *testing.T) {
	biogoOf := map[stringkernel.Alphabet]alphabet.Alphabet{stringkernel.DNA: alphabet.DNA,
		stringkernel.RNA: alphabet.RNA, stringkernel.Protein: alphabet.Protein}
	for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.RNA, stringkernel.Protein,
		stringkernel.Bytes} {
		inside, codes := members(a), a.Codes()
		for b := range 256 {
			want := codes[b] != stringkernel.Outside
			if b >= 'a' && b <= 'z' {
				want = codes[b-'a'+'A'] != stringkernel.Outside
			}
			if inside[b] != want {
				t.Errorf("%s: byte %#x is inside: %t, want %t", a, b, inside[b], want)
			}
			switch theirs := biogoOf[a]; {
			case theirs != nil && inside[b] && !theirs.IsValid(alphabet.Letter(b)):
				t.Errorf("%s: byte %#x is inside, and not in biogo's alphabet", a, b)
			case theirs != nil && a != stringkernel.Protein && !inside[b] && theirs.IsValid(alphabet.Letter(b)):
				t.Errorf("%s: byte %#x is in biogo's alphabet, and not inside", a, b)
			}
		}
	}
}

// makeFolder makes files in a new folder; a name that ends in a slash is an empty folder.
func makeFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		folder := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			folder = path
		}
		must.Succeed(t, os.MkdirAll(folder, 0o700))
		if folder != path {
			must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
		}
	}
	return root
}

// A folder of FASTA is FASTA: files or folders per class.
func TestFolderOfFASTA(t *testing.T) {
	const a, b = ">r1 some words\nACGT\n>r2\nGG\n", ">r1 label=x\nTTTT\n"
	for _, c := range []struct {
		what  string
		files map[string]string
		want  string // file, id, label of each record
		by    string
	}{
		{"a folder per class", map[string]string{"p/1.fa": a, "p/q/2.fa": b, "n/x.fq": "@s\nAC\n+\nII\n",
			"README": "no"},
			"n/x.fq s n, p/1.fa r1 p, p/1.fa r2 p, p/q/2.fa r1 x", byFolder},
		{"a file per class", map[string]string{"p.txt": a, "n.v1.fasta": b},
			"n.v1.fasta r1 x, p.txt r1 p, p.txt r2 p", byFile},
		{"one file", map[string]string{"p.fa": a}, "p.fa r1 some, p.fa r2 ", "first word of the header"},
		{"tables", map[string]string{"p.tsv": "x\tAC\n", "n.tsv": "text\nGG\n"}, "n.tsv 2 n, p.tsv 1 x", byFile},
	} {
		t.Run(c.what, func(t *testing.T) {
			root := makeFolder(t, c.files)
			all := must.Get(ReadAll(context.Background(), []Input{{Path: root}}, Options{RepeatedIDs: true}))(t)
			var got []string
			for _, s := range all.Sets {
				file, _ := filepath.Rel(root, s.Source)
				for i := range s.Len() {
					got = append(got, fmt.Sprintf("%s %s %s", filepath.ToSlash(file), s.Corpus.Name(i), s.Label(i)))
				}
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), c.want)
			}
			if by := all.Sets[0].LabelSource(); by != c.by {
				t.Errorf("labels by %s, want %s", by, c.by)
			}
			whole := all.Part(0)
			if whole.Len() != len(got) || !slices.Equal(whole.Labels, all.Labels()) {
				t.Errorf("as one set: %v", whole)
			}
		})
	}
}

// A record of more letters than kernels index is refused by line, in one piece or in several, where all records
// together may have more.
func TestLongRecord(t *testing.T) {
	read := func(text string) error {
		c := newCollector(Options{})
		c.start(Input{Path: "a.fa"}, FASTA)
		c.longest = 8
		return c.fasta(strings.NewReader(text))
	}
	if err := read(">x\nACGT\nACGT\n>y\nACGTACGT\n"); err != nil {
		t.Error(err)
	}
	for _, text := range []string{">x\nA\n>y\nACGT\nACGTA\n", ">x\nA\n>y\n\nACGTACGTA\n"} {
		if err := read(text); err == nil || err.Error() != `a.fa:5: record "y": more than 8 letters; split the record` {
			t.Error(err)
		}
	}
}

// Letters that are copied to a larger place, which doubles while there is memory for both, never take more than the
// limit.
func TestArenaGrowsWithinLimit(t *testing.T) {
	const limit = 10 << 20
	heaptest.Limit(t, limit)
	read := func(letters int) (largest int, err error) {
		c := newCollector(Options{})
		c.start(Input{Path: "a.fa"}, FASTA)
		err = c.fasta(strings.NewReader(">x\n" + strings.Repeat("A", letters) + "\n"))
		return cap(c.builder.Letters()), err
	}
	const before = 4 << 20 // letters, when the last copy but one is full
	if largest, err := read(before + 1<<19); err != nil || before+largest > limit {
		t.Errorf("%d bytes and a copy of %d, want at most %d in all: %v", before, largest, limit, err)
	}
	if _, err := read(limit/2 + 1); err == nil || !strings.Contains(err.Error(), "--max-memory allows") {
		t.Errorf("more letters than can be copied: %v", err)
	}
}

// Of a long stream the ids of the first records alone are kept and compared, and no limit is met.
func TestStreamOfManyRecords(t *testing.T) {
	defer func(n int) { comparedIDs = n }(comparedIDs)
	comparedIDs = 3
	opt := StreamOptions{Size: 4}
	const many = 100_000
	text := ">a\nA\n>b\nA\n>c\nA\n" + strings.Repeat(">a\nACGTA\n", many)
	records := 0
	err := Stream(strings.NewReader(text), "x.fa", opt, func(c Chunk) error {
		if c.Last {
			records++
		}
		return nil
	})
	if err != nil || records != many+3 {
		t.Errorf("%d records, %v", records, err)
	}
	err = Stream(strings.NewReader(">a\nA\n>b\nA\n>a\nA\n"), "x.fa", opt, func(Chunk) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "duplicate id") {
		t.Errorf("%v, want a duplicate id", err)
	}
}
