package main_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
)

// Every command has an example in its help, which works where it stands, after those of the commands before it: it
// ends well, and prints or writes something.
func TestExamples(t *testing.T) {
	promoters := must.Get(os.ReadFile(filepath.Join("..", "..", "testdata", "fasta", "promoters.fa")))(t)
	t.Chdir(t.TempDir())
	writeExampleFiles(t, string(promoters))
	short := strings.Fields("kernels input completion links man version worker") // of about, which take no time
	for _, command := range newApp().Commands {
		_, rest, found := strings.Cut(mustTool(t, command.Name, "--help"), "\nEXAMPLE:\n")
		example, _, _ := strings.Cut(rest, "\n\n")
		if !found || !strings.Contains(example, "seqsvm "+command.Name+" ") {
			t.Errorf("the help of %s has no example of it", command.Name)
			continue
		}
		for line := range strings.SplitSeq(example, "\n") {
			before := len(must.Get(os.ReadDir("."))(t))
			args := strings.Fields(strings.Replace(line, "--budget 2s", "--budget 200ms", 1))
			r := runExample(t, append(args[1:], "--verbose"))
			if stages := regexp.MustCompile(`(?m)^seqsvm: [a-z -]+: [0-9.]+ s, `); !stages.MatchString(r.err) &&
				!slices.Contains(short, strings.TrimPrefix(command.Name, "about ")) {
				t.Errorf("%s: no stage of which progress could be shown: %s", line, r.err)
			}
			if r.code != cli.ExitOK || r.out == "" && len(must.Get(os.ReadDir("."))(t)) == before && command.Name != "mcp" {
				t.Errorf("%s: exit %d, %d bytes on standard output: %s", line, r.code, len(r.out), r.err)
			}
		}
	}
}

// runExample runs an example; a service until it has said where it is.
func runExample(t *testing.T, args []string) result {
	t.Helper()
	if args[0] != "serve" {
		return tool(t, "", args...)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, err := firstWrite{stop: cancel}, new(bytes.Buffer)
	code := newApp().Run(ctx, args, cli.Streams{Out: &out, Err: err})
	return result{code, out.String(), err.String()}
}

// writeExampleFiles makes the files of the examples in the current folder: the promoters, others like them, a small
// genome with a gene and variants, a model of LS-GKM, and texts.
func writeExampleFiles(t *testing.T, promoters string) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	letters := drawn.Text(random, "ACGT", 4000)
	copy(letters[1000:], "GT") // an intron
	copy(letters[1398:], "AG")
	exon := func(start, end int) string {
		return fmt.Sprintf("chr1\tx\texon\t%d\t%d\t.\t+\t.\tParent=t\n", start, end)
	}
	text := func(words string) string {
		var b strings.Builder
		list := strings.Fields(words)
		for range 600 {
			b.WriteString(list[random.IntN(len(list))] + " ")
		}
		return b.String()
	}
	const common = "the a of and to in is it that was for on as with his be at by this had not are but from or have "
	writeFiles(t, map[string]string{
		"testdata/fasta/promoters.fa": promoters, "new.fa": promoters[:2000], "held-out.fa": promoters[:2000],
		"genome.fa": ">chr1\n" + string(letters) + "\n",
		"genes.gff3": "##gff-version 3\nchr1\tx\tmRNA\t801\t1600\t.\t+\t.\tID=t\n" + exon(801, 1000) +
			exon(1401, 1600),
		"variants.vcf": fmt.Sprintf("#CHROM\tPOS\tID\tREF\tALT\nchr1\t200\tv1\t%c\tAC\n", letters[199]),
		"disputed.txt": text(common + "whale sea ship captain"),
		"author-a.txt": text(common + "whale sea boat harbour"),
		"author-b.txt": text(common + "ball dance letter sister"),
		"gkmsvm.model.txt": "svm_type c_svc\nkernel_type gkm_esttrunc\nL 5\nk 3\nd 2\nnorc 0\nnr_class 2\n" +
			"total_sv 2\nrho 0.4\nlabel 1 -1\nnr_sv 1 1\nSV\n0.6 TTGACGTCATCAGT\n-0.6 GCGCTTAAGCCATT\n",
	})
}
