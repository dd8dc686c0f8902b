package main_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
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
		{"--kernel spectrum:k=2 --soft-mask break two.fa", "T", "decision"},
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
			value, err := strconv.ParseFloat(cells[6], 64)
			if err != nil {
				t.Fatal(err)
			}
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
		value, err := strconv.ParseFloat(cells[at], 64)
		if err != nil {
			t.Fatal(err)
		}
		if negative {
			value = -value
		}
		values = append(values, value)
	}
	return values
}

// TestScanThreads: on records of several chunks the number of processors changes no byte, and neither do line lengths
// or compression.
func TestScanThreads(t *testing.T) {
	inGoodFolder(t)
	text := string(random(40_000)) // two chunks of windows a record
	text += ">sites\n" + strings.Repeat(strings.Repeat("ACGAGCACTCAG", 8)+strings.Repeat("T", 40), 15) + "\n"
	var wrapped strings.Builder
	for line := range strings.Lines(text) {
		for ; len(line) > 71 && line[0] != '>'; line = line[70:] {
			wrapped.WriteString(line[:70] + "\r\n")
		}
		wrapped.WriteString(line)
	}
	writeFiles(t, map[string]string{"g.fa": text, "wrapped.fa": wrapped.String(),
		"g.fa.gz":      string(gzipped([]byte(text))),
		"negatives.fa": ">n A\n" + strings.Repeat("ACGAGCACTCAG", 5000) + "\n"})
	mustTool(t, "train", "-q", "--kernel", "gapped:l=4,k=2,d=2", "-o", "x.seqsvm", "two.fa")
	for _, options := range []string{"--step 7", "--min-score 0.2", "--top 50", "--top 50 --suppress 30",
		"--min-score 0.3 --merge", "--anchor CTRAY --offset 20", "--format bedgraph --step 10",
		"--min-score 0.3 --format gff3", "-q --fdr 0.5", "-q --fdr 0.5 --calibrate negatives.fa --suppress 20"} {
		want := ""
		for _, file := range []string{"--threads 1 g.fa", "--threads 2 g.fa", "--threads 5 wrapped.fa",
			"--threads 3 g.fa.gz"} {
			out := mustTool(t, strings.Fields("scan -m x.seqsvm --window 40 "+options+" "+file)...)
			if want == "" {
				want = out
			}
			if out != want || len(out) < 100 {
				t.Errorf("%s %s: %d bytes, with one processor %d, and not the same", options, file, len(out), len(want))
			}
		}
	}
}

// fa is a genome of one record.
func fa(text string) map[string]string { return map[string]string{"g.fa": text} }

// scanUsageCases are wrong command lines of scan.
var scanUsageCases = []badCase{
	{name: "scan without a model", args: "scan --window 4 two.fa", want: []string{"--model is required"}},
	{name: "scan of nothing", args: "scan -m m.seqsvm --window 4", want: []string{"no input file"}},
	{name: "window of nothing", args: "scan -m m.seqsvm --window 0 two.fa", want: []string{"--window 0, want 1"}},
	{name: "window negative", args: "scan -m m.seqsvm --window -4 two.fa", want: []string{"--window -4, want 1"}},
	{name: "window beyond memory", args: "scan -m m.seqsvm --window 999999999 two.fa",
		want: []string{"--window 999999999, want 1 to "}},
	{name: "window no number", args: "scan -m m.seqsvm --window long two.fa", want: []string{"window", `"long"`}},
	{name: "step zero", args: "scan -m m.seqsvm --window 4 --step 0 two.fa", want: []string{"--step 0, want 1"}},
	{name: "unknown strand", args: "scan -m m.seqsvm --window 4 --strand plus two.fa",
		want: []string{`--strand "plus"`, "both, +, -"}},
	{name: "unknown scan format", args: "scan -m m.seqsvm --window 4 --format wig two.fa",
		want: []string{`--format "wig"`, "bed, bedgraph, gff3"}},
	{name: "anchor of no codes", args: "scan -m m.seqsvm --window 4 --anchor AX two.fa",
		want: []string{`--anchor: motif "AX": letter 'X'`, "dna"}},
	{name: "anchor beyond the window", args: "scan -m m.seqsvm --window 4 --anchor AG --offset 3 two.fa",
		want: []string{"anchor of 2 letters at offset 3", "0…3"}},
	{name: "anchor beyond all integers", args: "scan -m m.seqsvm --window 4 --anchor AG --offset " +
		"9223372036854775807 two.fa", want: []string{"anchor of 2 letters at offset 9223372036854775807", "0…3"}},
	{name: "offset negative", args: "scan -m m.seqsvm --window 4 --anchor AG --offset -1 two.fa",
		want: []string{"--offset -1, want 0"}},
	{name: "offset of nothing", args: "scan -m m.seqsvm --window 4 --offset 1 two.fa",
		want: []string{"--offset needs --anchor"}},
	{name: "unknown scan class", args: "scan -m m.seqsvm --window 4 --class C two.fa",
		want: []string{`--class "C"`, "A, T"}},
	{name: "top zero", args: "scan -m m.seqsvm --window 4 --top 0 two.fa", want: []string{"--top 0, want 1"}},
	{name: "least score NaN", args: "scan -m m.seqsvm --window 4 --min-score NaN two.fa",
		want: []string{"--min-score NaN"}},
	{name: "rate one", args: "scan -m m.seqsvm --window 4 --fdr 1 --calibrate three.fa two.fa",
		want: []string{"--fdr 1, want above 0 and below 1"}},
	{name: "data without a rate", args: "scan -m m.seqsvm --window 4 --calibrate three.fa two.fa",
		want: []string{"--calibrate without --fdr"}},
	{name: "shuffles without a rate", args: "scan -m m.seqsvm --window 4 --shuffles 2 two.fa",
		want: []string{"--shuffles without --fdr"}},
	{name: "no shuffle", args: "scan -m m.seqsvm --window 4 --fdr 0.1 --shuffles 0 two.fa",
		want: []string{"--shuffles 0, want 1"}},
	{name: "shuffles and data", args: "scan -m m.seqsvm --window 4 --fdr 0.1 --shuffles 9 --calibrate three.fa two.fa",
		want: []string{"--shuffles cannot be used with --calibrate"}},
	{name: "force without data", args: "scan -m m.seqsvm --window 4 --fdr 0.1 --force two.fa",
		want: []string{"--force without --calibrate"}},
	{name: "rate of merged windows", args: "scan -m m.seqsvm --window 4 --fdr 0.1 --merge two.fa",
		want: []string{"--merge cannot be used with --fdr"}},
	{name: "rate and score", args: "scan -m m.seqsvm --window 4 --min-score 1 --fdr 0.1 --calibrate three.fa two.fa",
		want: []string{"--min-score cannot be used with --"}},
	{name: "rate on standard input", args: "scan -m m.seqsvm --window 4 --fdr 0.1 --calibrate three.fa -",
		want: []string{"--fdr reads", "several times"}},
	{name: "merged and suppressed", args: "scan -m m.seqsvm --window 4 --merge --suppress 4 two.fa",
		want: []string{"--merge cannot be used with --suppress"}},
	{name: "suppression of nothing", args: "scan -m m.seqsvm --window 4 --suppress 0 two.fa",
		want: []string{"--suppress 0, want 1"}},
	{name: "scan into the genome", args: "scan -m m.seqsvm --window 4 -o two.fa two.fa",
		want: []string{"--output two.fa would replace an input"}},
	{name: "scan into the calibration", args: "scan -m m.seqsvm --window 4 --fdr 0.1 --calibrate three.fa -o " +
		"three.fa two.fa", want: []string{"--output three.fa would replace an input"}},
}

func TestScanUsageErrors(t *testing.T) { checkBadCases(t, scanUsageCases, cli.ExitUsage) }

// scanDataCases are wrong files of scan.
var scanDataCases = []badCase{
	{name: "scan with no model file", args: "scan -m two.fa --window 4 two.fa",
		want: []string{"two.fa: not a seqsvm model"}},
	{name: "scan with a missing model", args: "scan -m none.seqsvm --window 4 two.fa",
		want: []string{"none.seqsvm: no such file"}},
	{name: "missing genome to scan", args: "scan -m m.seqsvm --window 4 none.fa",
		want: []string{"none.fa: no such file"}},
	{name: "second genome missing", args: "scan -m m.seqsvm --window 4 -o x.bed two.fa none.fa",
		want: []string{"none.fa: no such file"}},
	{name: "folder to scan", args: "scan -m m.seqsvm --window 4 .", want: []string{".: is a directory"}},
	{name: "empty genome", files: fa(""), args: "scan -m m.seqsvm --window 4 g.fa",
		want: []string{"g.fa: the file is empty"}},
	{name: "genome of blanks", files: fa("\n\n"), args: "scan -m m.seqsvm --window 4 g.fa",
		want: []string{"g.fa: no records"}},
	{name: "genome without a header", files: fa("ACGT\n"), args: "scan -m m.seqsvm --window 4 g.fa",
		want: []string{"g.fa:1: expected '>'"}},
	{name: "broken reads to scan", files: fa("@a\nACGT\n+\nIII\n"), args: "scan -m m.seqsvm --window 4 g.fa",
		want: []string{`g.fa:4: record "a": 3 qualities for 4 letters`}},
	{name: "digits in a genome", files: fa(">a\nACGT\nAC6T\n"), args: "scan -m m.seqsvm --window 4 g.fa",
		want: []string{`g.fa:3: record "a": digit '6'`, "column 3"}},
	{name: "record twice", files: fa(">a\nACGT\n>a\nACGT\n"), args: "scan -m m.seqsvm --window 4 g.fa",
		want: []string{"g.fa:3", "duplicate id", "line 1"}},
	{name: "record in two files", files: fa(">x\nACGT\n>a1\nACGT\n"), args: "scan -m m.seqsvm --window 4 two.fa g.fa",
		want: []string{`g.fa: record "a1": the id is in two.fa too`}},
	{name: "calibration missing", args: "scan -m m.seqsvm --window 4 --fdr 0.1 --calibrate none.fa two.fa",
		want: []string{"none.fa: no such file"}},
	{name: "calibration without labels", args: "scan -m m.seqsvm --window 4 --fdr 0.1 --calibrate up.fa two.fa",
		want: []string{`up.fa:1: record "u1": no label`}},
	{name: "calibration of another class", args: "scan -m m.seqsvm --window 4 --fdr 0.1 --calibrate three.fa two.fa",
		want: []string{`three.fa:5: record "g1": label "G" is not a class`}},
	{name: "calibration of one class", files: map[string]string{"t.fa": ">t T\nTTTT\n"},
		args: "scan -m m.seqsvm --window 4 --fdr 0.1 --calibrate t.fa two.fa",
		want: []string{`t.fa: every record is of class "T"`}},
	{name: "scan into no folder", args: "scan -m m.seqsvm --window 4 -o none/x.bed two.fa",
		want: []string{"none/x.bed: cannot write"}},
}

func TestScanDataErrors(t *testing.T) { checkBadCases(t, scanDataCases, cli.ExitFailed) }

// TestScanModels are models that need options, or do not have them.
func TestScanModels(t *testing.T) {
	inGoodFolder(t)
	mustTool(t, "train", "-q", "-o", "x.seqsvm", "--kernel", "spectrum:k=2", "three.fa")
	checkBad(t, badCase{args: "scan -m x.seqsvm --window 4 two.fa", code: cli.ExitUsage,
		want: []string{"--class is required", "A, G, T"}})
	for _, scheme := range []string{"--multilabel", "--hierarchy"} { // none of two classes is the positive one
		mustTool(t, "train", "-q", "-o", "x.seqsvm", "--kernel", "spectrum:k=2", scheme, "/", "two.fa")
		checkBad(t, badCase{args: "scan -m x.seqsvm --window 4 two.fa", code: cli.ExitUsage,
			want: []string{"--class is required", "A, T"}})
	}
	writeFiles(t, fa(">a label=A\nAAA\n>t label=T\nTTTT\n"))
	mustTool(t, "train", "-q", "-o", "x.seqsvm", "--kernel", "spectrum:k=2", "g.fa")
	checkBad(t, badCase{args: "scan -m x.seqsvm two.fa", code: cli.ExitUsage,
		want: []string{"--window is required", "not trained on sequences of one length"}})
	mustTool(t, "train", "-q", "-o", "x.seqsvm", "--kernel", "spectrum:k=2", "prot.fa")
	checkBad(t, badCase{args: "scan -m x.seqsvm --window 4 --strand - prot.fa", code: cli.ExitUsage,
		want: []string{"--strand -", "protein sequences have a single strand"}})
	if out := mustTool(t, "scan", "-m", "x.seqsvm", "--window", "8", "--anchor", "MX", "prot.fa"); strings.Count(out,
		"\t.\t") != 2 || strings.Count(out, "\n") != 2 {
		t.Errorf("windows of protein: %q", out)
	}
	writeFiles(t, map[string]string{"trees.tsv": "text\tlabel\n(S (N a))\ta\n(S (V b))\tb\n"})
	for _, kernel := range []string{"subtree", "words:leaves"} {
		mustTool(t, "train", "-q", "-o", "x.seqsvm", "--kernel", kernel, "trees.tsv")
		checkBad(t, badCase{args: "scan -m x.seqsvm --window 4 two.fa", code: cli.ExitFailed,
			want: []string{"x.seqsvm: scan needs a sequence kernel; this model reads trees or graphs with"}})
	}
	writeFiles(t, map[string]string{"texts.tsv": "text\tlabel\nthe cat sat\ta\na dog ran\tb\n"})
	for _, kernel := range []string{"words", "spectrum:k=2", "substring:unit=word,weight=constant"} {
		mustTool(t, "train", "-q", "-o", "x.seqsvm", "--kernel", kernel, "texts.tsv")
		checkBad(t, badCase{args: "scan -m x.seqsvm --window 4 two.fa", code: cli.ExitFailed,
			want: []string{"x.seqsvm: scan needs a kernel on dna, rna or protein; this model reads text with"}})
	}
}

// A warning names its input, also standard input.
func TestScanWarnsOfStandardInput(t *testing.T) {
	inGoodFolder(t)
	r := tool(t, ">a\nACGEEEEEEE\n", "scan", "-m", "m.seqsvm", "--window", "5", "-")
	if r.code != cli.ExitOK || !strings.Contains(r.err, "letters of standard input are outside") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
}
