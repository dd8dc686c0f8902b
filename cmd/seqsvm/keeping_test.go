package main_test

import (
	"path/filepath"
	"strings"
	"testing"

	main "github.com/seqsvm/seqsvm/cmd/seqsvm"
	"github.com/seqsvm/seqsvm/internal/must"
)

// Records of two classes are packed in memory where there are many letters for each feature: the model and the folds are
// those of --stream. Where another way is faster, or the kernel or an option asks for one, they are kept as they are.
func TestPackedInMemory(t *testing.T) {
	promoters := must.Get(filepath.Abs("../../testdata/fasta/promoters.fa"))(t)
	t.Chdir(t.TempDir())
	set(t, main.LeastPacked, 1000)
	record := func(name, label, letters string) string {
		return ">" + name + " label=" + label + "\n" + strings.Repeat(letters, 300) + "\n"
	}
	writeFiles(t, map[string]string{
		"three.fa":   record("a", "x", "ACGT") + record("b", "y", "ACCT") + record("c", "z", "AGGT"),
		"protein.fa": record("a", "x", "MKWV") + record("b", "y", "MKLF"),
	})
	const packed = " are packed in "
	for args, want := range map[string]bool{
		"train --kernel spectrum:k=2 -o m " + promoters:                           true,
		"train --kernel spectrum:k=2,rc --C 3 -o m " + promoters:                  true,
		"train --kernel gapped:l=2,k=1,clip -o m " + promoters:                    true,
		"train --kernel gapped:l=2,k=1,filter=full -o m " + promoters:             true,
		"train --kernel gapped:l=2,k=1 -o m " + promoters:                         false, // indefinite
		"cv --folds 3 --similarity 0 --kernel spectrum:k=2 " + promoters:          true,
		"cv --folds 3 --kernel spectrum:k=2 " + promoters:                         false, // looks for near-duplicates
		"train --kernel spectrum:k=4 -o m " + promoters:                           false, // 256 features
		"train --kernel gapped:l=3,k=2 -o m " + promoters:                         false, // fewer records than 128 features
		"train --kernel spectrum:k=2 --solver dual-coordinate -o m " + promoters:  false,
		"train --kernel spectrum:k=2 --keep-sequences -o m " + promoters:          false,
		"train --kernel wd:d=2 -o m " + promoters:                                 false,
		"train --kernel spectrum:k=2 -o m three.fa":                               false,
		"train --kernel spectrum:k=2 -o m protein.fa":                             false, // 400 features
		"train --kernel spectrum:k=1 --alphabet protein --stream -o m protein.fa": false, // in a file
	} {
		r := tool(t, "", strings.Fields(args)...)
		if r.code != 0 || strings.Contains(r.err, packed) != want || strings.Count(r.err, "seqsvm: reading ") != 1 {
			t.Errorf("%s: exit %d, packed should be %t: %s", args, r.code, want, r.err)
		}
	}
	for _, args := range []string{
		"train --tol 1e-6 --kernel spectrum:k=2 -o MODEL " + promoters,
		"cv --folds 3 --similarity 0 --tol 1e-6 --kernel spectrum:k=2 " + promoters,
	} {
		in, out := tool(t, "", strings.Fields(strings.Replace(args, "MODEL", "memory", 1))...),
			tool(t, "", strings.Fields(strings.Replace(args, "MODEL", "file", 1)+" --stream")...)
		if strings.HasPrefix(args, "train") {
			in, out = tool(t, "", "predict", "-m", "memory", promoters), tool(t, "", "predict", "-m", "file", promoters)
		}
		if in.code != 0 || in.out != out.out {
			t.Errorf("%s: other output than with --stream: %s", args, in.err)
		}
	}
}
