package seqio

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

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
			all, err := ReadAll(context.Background(), []Input{{Path: root}}, Options{RepeatedIDs: true})
			if err != nil {
				t.Fatal(err)
			}
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
