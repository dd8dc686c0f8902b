package main_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// scanGenomeText has records that are empty, as long as a window, shorter, in lower case, and with runs of N.
const scanGenomeText = ">one first\nACGTTGCATTTTAAAACCNNNNNNNACCAAATTTGGC\nttgacca\n" +
	">none\n>short\nACGT\n>two\nTTTTAAAA\n>n\nNNNNNNNNNNNN\n"

// TestScanContainers: the same letters in FASTA, FASTQ and 2bit give the same lines, whatever the options.
func TestScanContainers(t *testing.T) {
	inGoodFolder(t)
	twoBit := []byte{0x43, 0x27, 0x41, 0x1a, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, // magic, version, one record
		1, 'c', 22, 0, 0, 0, // its name and place
		10, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // letters, N from 4 on, none in lower case
		0b10_01_11_00, 0b00_10_01_11, 0b00_00_00_00} // ACGT NACG TT, where T is 0, C 1, A 2, G 3
	writeFiles(t, map[string]string{"g.fa": ">c\nACGTNACGTT\n", "g.fq": "@c\nACGTNACGTT\n+\nIIIIIIIIII\n",
		"g.2bit": string(twoBit)})
	mustTool(t, "train", "-q", "--kernel", "spectrum:k=2", "-o", "x.seqsvm", "two.fa")
	for _, options := range []string{"", "--anchor AC --offset 1", "--fdr 0.9 --shuffles 2", "--shard 1/2 -o 1.bed",
		"--format json --top 2"} {
		args := append([]string{"scan", "-q", "-m", "x.seqsvm", "--window", "3"}, strings.Fields(options)...)
		want := mustTool(t, append(args, "g.fa")...)
		for _, name := range []string{"g.fq", "g.2bit"} {
			if got := mustTool(t, append(args, name)...); got != want {
				t.Errorf("%s %s: %q, want %q", options, name, got, want)
			}
		}
	}
}

// TestScanEqualsPredict cuts every window out by hand and asks predict: kernels of all kinds, raw and not, two
// classes and three.
func TestScanEqualsPredict(t *testing.T) {
	inGoodFolder(t)
	genome := map[string]string{"one": "ACGTTGCATTTTAAAACCNNNNNNNACCAAATTTGGCttgacca", "two": "TTTTAAAA",
		"n": "NNNNNNNNNNNN"}
	writeFiles(t, map[string]string{"g.fa": scanGenomeText})
	const window = 8
	var windows strings.Builder
	var order []string
	for _, record := range []string{"one", "two", "n"} {
		for p := range len(genome[record]) - window + 1 {
			w := genome[record][p : p+window]
			for strand, text := range []string{w, string(stringkernel.DNA.ReverseComplementTo(nil, []byte(w)))} {
				id := fmt.Sprintf("%s\t%d\t%d\t%c", record, p, p+window, "+-"[strand])
				order = append(order, id)
				fmt.Fprintf(&windows, ">%s\n%s\n", strings.ReplaceAll(id, "\t", "_"), text)
			}
		}
	}
	writeFiles(t, map[string]string{"w.fa": windows.String()})
	for _, c := range []struct{ train, class, column string }{
		{"--kernel spectrum:k=2 two.fa", "T", "decision"},
		{"--kernel spectrum:k=3,bounded --no-normalize two.fa", "T", "decision"},
		{"--kernel gapped:l=4,k=2,d=1 two.fa", "A", "-decision"},
		{"--kernel gapped:l=3,k=2,d=1,center=9:2 two.fa", "T", "decision"},
		{"--kernel mismatch:k=3,m=1 --kernel spectrum:k=1 two.fa", "T", "decision"},
		{"--kernel substring:weight=constant two.fa", "T", "decision"},
		{"--kernel spectrum:k=2,rbf=0.5 two.fa", "T", "decision"},
		{"--kernel spectrum:k=2 --input soft-mask=break two.fa", "T", "decision"},
		{"--kernel spectrum:k=2 --kernel spectrum:k=1 two.fa", "T", "raw:T"},
		{"--kernel spectrum:k=2 two.fa", "A", "-raw:T"},
		{"--kernel spectrum:k=2 three.fa", "G", "raw:G"},
	} {
		mustTool(t, append([]string{"train", "-q", "-o", "x.seqsvm"}, strings.Fields(c.train)...)...)
		predict, scan := []string{"predict", "--digits", "17", "-m", "x.seqsvm", "w.fa"},
			[]string{"scan", "--digits", "17", "-m", "x.seqsvm", "--window", "8", "--class", c.class, "g.fa"}
		if strings.Contains(c.column, "raw") {
			predict, scan = append(predict, "--raw"), append(scan, "--raw")
		}
		want := columnOf(t, mustTool(t, predict...), c.column)
		lines := strings.Split(strings.TrimSuffix(mustTool(t, scan...), "\n"), "\n")
		if len(lines) != len(order) {
			t.Fatalf("%s: %d lines, want %d", c.train, len(lines), len(order))
		}
		for i, line := range lines {
			cells := strings.Split(line, "\t")
			id := strings.Join([]string{cells[0], cells[1], cells[2], cells[5]}, "\t")
			value := must.Get(strconv.ParseFloat(cells[6], 64))(t)
			level := strconv.Itoa(int(math.Round(1000 / (1 + math.Exp(-value)))))
			if len(cells) != 7 || id != order[i] || cells[3] != c.class || cells[4] != level ||
				math.Abs(value-want[i]) > 1e-12 {
				t.Fatalf("%s: line %d is %q, want %s with %v", c.train, i, line, order[i], want[i])
			}
		}
	}
}

// columnOf returns the numbers of a column of a table with a header, negative if the name begins with '-'.
func columnOf(t *testing.T, table, name string) (values []float64) {
	t.Helper()
	name, negative := strings.CutPrefix(name, "-")
	at := -1
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if at < 0 {
			for i, cell := range cells {
				if cell == name {
					at = i
				}
			}
			if at < 0 {
				t.Fatalf("no column %s in %q", name, line)
			}
			continue
		}
		value := must.Get(strconv.ParseFloat(cells[at], 64))(t)
		if negative {
			value = -value
		}
		values = append(values, value)
	}
	return values
}

// A warning names its input, also standard input.
func TestScanWarnsOfStandardInput(t *testing.T) {
	inGoodFolder(t)
	r := tool(t, ">a\nACGEEEEEEE\n", "scan", "-m", "m.seqsvm", "--window", "5", "-")
	if r.code != cli.ExitOK || !strings.Contains(r.err, "letters of standard input are outside") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
}
