package drift_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// dataSets are files of $SEQSVM_DATA whose records are divided at random.
var dataSets = []struct {
	file     string
	alphabet stringkernel.Alphabet
}{
	{"promoter-human-tata/all.fa.gz", stringkernel.DNA},
	{"promoter-bsubtilis/all.fa.gz", stringkernel.DNA},
	{"enhancer-layer1/train.fa.gz", stringkernel.DNA},
	{"tfbs-fastsk-a/CTCF.train.fa.gz", stringkernel.DNA},
	{"tfbs-kebabs-enhancer/all.fa.gz", stringkernel.DNA},
	{"rna-families/train.fa.gz", stringkernel.RNA},
	{"regression-sirna/train.fa.gz", stringkernel.RNA},
	{"protein-multiloc/all.fa.gz", stringkernel.Protein},
	{"protein-cpp/all.fa.gz", stringkernel.Protein},
	{"protein-scop-a/2.1.train.fa.gz", stringkernel.Protein},
	{"text-sms-spam/all.tsv.gz", stringkernel.Bytes},
	{"text-names/all.tsv.gz", stringkernel.Bytes},
	{"text-udhr-langid/all.tsv.gz", stringkernel.Bytes},
}

// genomes are files of $SEQSVM_DATA that are divided by blocks.
var genomes = []string{
	"scan-celegans-chrI-1Mb/genome.fa.gz", "scan-yeast-chr1-2/genome.fa.gz", "genome-ecoli-k12/genome.fa.gz",
}

// corpusOf reads a file of $SEQSVM_DATA.
func corpusOf(t *testing.T, file string) *stringkernel.Corpus {
	t.Helper()
	folder := os.Getenv("SEQSVM_DATA")
	if folder == "" {
		t.Skip("SEQSVM_DATA is not set: the folder with " + file)
	}
	set, err := seqio.ReadAll(t.Context(), []seqio.Input{{Path: filepath.Join(folder, file)}},
		seqio.Options{RepeatedIDs: true})
	if err != nil {
		t.Skip(err)
	}
	return set.Corpus
}

// TestFalseAlarmsOfData: of test parts drawn at random, in the order of the file or any other, at most one in twenty is
// said to differ.
func TestFalseAlarmsOfData(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	alarms, all := 0, 0
	for _, set := range dataSets {
		c, mine := corpusOf(t, set.file), 0
		for i := range 12 {
			order := rng.Perm(c.Len())
			size := min([]int{10, 50, 200, 1000}[i%4], c.Len()/3)
			if i%2 == 0 {
				slices.Sort(order[:size])
				slices.Sort(order[size:])
			}
			if len(shiftsOf(drift.New(c.Subset(order[size:]), set.alphabet), c.Subset(order[:size]))) > 0 {
				mine++
			}
			all++
		}
		t.Logf("%s: %d of 12", set.file, mine)
		alarms += mine
	}
	if 20*alarms > all {
		t.Errorf("%d alarms of %d", alarms, all)
	}
}

// TestFalseAlarmsOfGenomes: windows are cut from genomes, and those of blocks drawn at random, a fifth, are the test
// part: at most one in ten is said to differ.
func TestFalseAlarmsOfGenomes(t *testing.T) {
	const window, mostLetters = 141, 1_000_000
	rng := rand.New(rand.NewPCG(3, 4))
	alarms, all := 0, 0
	for _, file := range genomes {
		x, mine := corpusOf(t, file).Seq(0), 0
		x = x[:min(len(x), mostLetters)]
		for i := range 30 {
			var parts [2]stringkernel.CorpusBuilder
			block := []int{10_000, 30_000, 50_000}[i%3]
			for start := 0; start < len(x); start += block {
				part := &parts[0]
				if rng.IntN(5) == 0 {
					part = &parts[1]
				}
				for at := start + rng.IntN(600); at+window < min(start+block, len(x)); at += rng.IntN(600) {
					part.Add("", x[at:at+window])
				}
			}
			if len(shiftsOf(drift.New(parts[0].Corpus(), stringkernel.DNA), parts[1].Corpus())) > 0 {
				mine++
			}
			all++
		}
		t.Logf("%s: %d of 30", file, mine)
		alarms += mine
	}
	if 10*alarms > all {
		t.Errorf("%d alarms of %d", alarms, all)
	}
}
