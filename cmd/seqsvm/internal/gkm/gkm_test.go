package gkm_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/gkm"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
)

// Records with and without TGACTCA, and two to score.
const (
	positives = ">p1\nGCTAAAGACAATTACATATGACTCACGTCA\n>p2\nGCACTGACTCAGTTGGCCCAGTGTGAATCG\n" +
		">p3\nTTAAGGGTGACTCAAGTGTGATGCATACGC\n>p4\nTTTACTTGCTGTGTCCACCTGACTCAACTG\n" +
		">p5\nGCATTTTTTGACTCATCAGAAACAGAACTC\n>p6\nGGTAATTTGACTCAGTCACGCAGAGGCGCG\n>p7\nCCTTGACTCATGCGTGGACACTCGCTATGA\n"
	negatives = ">n1\nTCTCTGATTTACCCACTCTGCCAAACTCCA\n>n2\nCGCGGTCAGTTCCATCACCCTAAGTAACCG\n" +
		">n3\nATAATGCGTTCGCTCTATTGACTACGACGC\n>n4\nCTCATTCCCTTGTCGGAGAGTTATGGAACA\n" +
		">n5\nGGACGCTGTCTGAGACTAGAAGACAGATAG\n>n6\nTGCACACGACCGGCGTCGGAGAAACTCTAT\n"
	queries = ">q1\nATGACTNAG\n>q2 x\nCGCGGCG\n"
)

// inFolder makes a folder with these files the current one: pos.fa, neg.fa, test.fa, and numbers of the positives.
func inFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	var numbers strings.Builder
	for i, record := range strings.Split(positives, ">")[1:] {
		fmt.Fprintf(&numbers, "%s\t%.6g\n", strings.Fields(record)[1], float64(i+1)/7)
	}
	for name, text := range map[string]string{
		"pos.fa": positives, "neg.fa": negatives, "test.fa": queries, "data.tsv": numbers.String(),
	} {
		must.Succeed(t, os.WriteFile(name, []byte(text), 0o666))
	}
}

// run runs a command line, and returns its exit code and what it says on standard error.
func run(t *testing.T, line string) (code int, said string) {
	t.Helper()
	words := strings.Fields(line)
	var out, err bytes.Buffer
	streams := cli.Streams{In: strings.NewReader(""), Out: &out, Err: &err}
	code = gkm.App(words[0]).Run(t.Context(), gkm.Arguments(words[1:]), streams)
	return code, err.String() + out.String()
}

// mustRun runs command lines that succeed, and returns what the last one says.
func mustRun(t *testing.T, lines ...string) (said string) {
	t.Helper()
	for _, line := range lines {
		code := 0
		if code, said = run(t, line); code != cli.ExitOK {
			t.Fatalf("%s: exit %d, %s", line, code, said)
		}
	}
	return said
}

// checkFile compares a file with numbers of LS-GKM: the same words, numbers within a bound.
func checkFile(t *testing.T, path, want string, bound float64) {
	t.Helper()
	checkText(t, path, string(must.Get(os.ReadFile(path))(t)), want, bound)
}

func checkText(t *testing.T, name, got, want string, bound float64) {
	t.Helper()
	cells := func(text string) []string {
		return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\t\n ,;", r) })
	}
	g, w := cells(got), cells(want)
	if shape(got) != shape(want) || len(g) != len(w) {
		t.Fatalf("%s is %.300q, want %.300q", name, got, want)
	}
	for i := range g {
		x, err := strconv.ParseFloat(g[i], 64)
		y, err2 := strconv.ParseFloat(w[i], 64)
		if number := err == nil && err2 == nil; g[i] != w[i] && !(number && math.Abs(x-y) <= bound) {
			t.Errorf("%s has %s, want %s (cell %d)", name, g[i], w[i], i)
		}
	}
}

// shape is what stands between the cells of a file.
func shape(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("\t\n ,;", r) {
			return r
		}
		return -1
	}, text)
}

// Files are those of LS-GKM 0.1.2 and of gkmexplain, trained with -e 1e-8.
func TestFiles(t *testing.T) {
	inFolder(t)
	const options = " -v0 -t 2 -l 6 -k 4 -d 2 -e 1e-4 "
	mustRun(t, "gkmtrain"+options+"pos.fa neg.fa m", "gkmpredict test.fa m.model.txt scores.txt",
		"gkmtrain"+options+"-x 3 -r 7 pos.fa neg.fa m", "gkmtrain"+options+"-x 3 -i2 -r 7 pos.fa neg.fa m",
		"gkmmatrix -v0 -l 6 -k 4 -d 2 pos.fa neg.fa matrix.txt", "gkmmatrix -L -t 4 -l 6 -k 4 -d 2 pos.fa neg.fa row.txt",
		"gkmtrain -z -v1 -t5 -l6 -k4 -d2 -M20 -H5 -g2 -c10 -w3 -R pos.fa neg.fa m5",
		"gkmpredict test.fa m5.model.txt.gz scores5.txt",
		"gkmtrain-svr"+options+"-c 1 -x 3 -r 2 data.tsv svr")
	checkFile(t, "scores.txt", "q1\t0.160743\nq2\t-0.266127\n", 2e-6)
	checkFile(t, "scores5.txt", "q1\t0.0734777\nq2\t-0.0401591\n", 2e-6)
	checkFile(t, "m.cvpred.txt", "p1\t0.43623\t1\t3\np2\t0.296205\t1\t3\np3\t0.409421\t1\t2\np4\t0.508369\t1\t3\n"+
		"p5\t0.191262\t1\t1\np6\t0.561774\t1\t1\np7\t0.48405\t1\t2\nn1\t-0.0546718\t-1\t1\nn2\t0.0720955\t-1\t1\n"+
		"n3\t0.0515468\t-1\t3\nn4\t-0.199422\t-1\t2\nn5\t-0.0319167\t-1\t3\nn6\t-0.259806\t-1\t2\n", 2e-6)
	checkFile(t, "m.cvpred.2.txt",
		"p3\t0.409421\t1\t2\np7\t0.48405\t1\t2\nn4\t-0.199422\t-1\t2\nn6\t-0.259806\t-1\t2\n", 2e-6)
	checkFile(t, "svr.cvpred.txt", "GCTAAAGACAATTACATATGACTCACGTCA\t0.713183\t0.142857\t3\n"+
		"GCACTGACTCAGTTGGCCCAGTGTGAATCG\t0.706762\t0.285714\t3\nTTAAGGGTGACTCAAGTGTGATGCATACGC\t0.560627\t0.428571\t1\n"+
		"TTTACTTGCTGTGTCCACCTGACTCAACTG\t0.749104\t0.571429\t3\nGCATTTTTTGACTCATCAGAAACAGAACTC\t0.574183\t0.714286\t1\n"+
		"GGTAATTTGACTCAGTCACGCAGAGGCGCG\t0.408684\t0.857143\t2\nCCTTGACTCATGCGTGGACACTCGCTATGA\t0.434412\t1\t2\n", 2e-6)
	checkFile(t, "row.txt", "1 0.195912 0.28882 0.233581 0.227159 0.315216 0.227769 0.114379 0.132482 0.137998 0.144995 "+
		"0.180797 0.0828146 \n", 0)
	matrix := string(must.Get(os.ReadFile("matrix.txt"))(t))
	const begin, end = "1 \n0.201177 1 \n0.284668 0.313237 1 \n", "0.247296 0.168104 1 \n"
	if !strings.HasPrefix(matrix, begin) || !strings.HasSuffix(matrix, end) || strings.Count(matrix, "\n") != 13 {
		t.Errorf("matrix.txt is %s", matrix)
	}

	for mode, want := range map[string]string{
		"-m 0 ": "q2\t-0.266127\t0,-0.0014423,0,0;0,0,-0.0101019,0;0,-0.0272052,0,0;0,0,-0.0169431,0;0,0,-0.0114507,0;" +
			"0,-0.0109852,0,0;0,0,-0.0147402,0\n",
		"": "q2\t-0.266127\t0,-0.0014423,0,0;0,0,-0.0101019,0;0,-0.0272052,0,0;0,0,-0.0169431,0;0,0,-0.0114507,0;" +
			"0,-0.0109852,0,0;0,0,-0.0147402,0\n",
		"-m1 ": "q2\t-0.266127\t-0.00562265,-0.0014423,-0.00382365,0;-0.0192076,-0.0188617,-0.0101019,-0.0014737;" +
			"0.0066836,-0.0272052,0.00942306,0.00908796;-0.0010798,-0.012376,-0.0169431,-0.0010798;" +
			"-0.00999038,0.0134081,-0.0114507,-0.0329575;-0.00180879,-0.0109852,0.000882892,-0.0297586;" +
			"0,-0.0129474,-0.0147402,0.00438142\n",
		"-m 5 ": "q2\t-0.266127\t0.0749215,0,0,0.0749215\n",
	} {
		said := mustRun(t, "gkmexplain "+mode+"test.fa m.model.txt explained.txt")
		if !strings.Contains(said, "letters other than A, C, G and T were read as A, as LS-GKM does: 1\n") {
			t.Errorf("of the N it says %q", said)
		}
		_, second, _ := strings.Cut(string(must.Get(os.ReadFile("explained.txt"))(t)), "\n")
		checkText(t, "explained.txt by "+mode, second, want, 2e-6)
	}
}

// Command lines of public pipelines, shortened to l-mers of 6 letters where they need not be tables of 4¹¹.
func TestPipelines(t *testing.T) {
	inFolder(t)
	for _, c := range []struct{ line, file string }{
		{"gkmtrain -t 4 -l 6 -k 5 -d 1 -M 50 -H 50 -c 1 -e 0.001 -T 16 pos.fa neg.fa a", "a.model.txt"},
		{"gkmtrain -t 4 -l 7 -k 6 -d 1 -c .3 -w 2.5 -M 50 -H 50 -m 10000 -s -T 4 pos.fa neg.fa b", "b.model.txt"},
		{"gkmtrain -t 3 -c 10 -g 2 -l 6 -k 5 -d 1 -w 3 pos.fa neg.fa c", "c.model.txt"},
		{"gkmtrain -T 16 -m 4000 -v 2 -x 5 -r 1 -i 1 -t 2 -l 6 -k 4 -d 2 pos.fa neg.fa d", "d.cvpred.1.txt"},
		{"gkmtrain -x 5 -m 96000 -T 16 -l 8 -k 5 pos.fa neg.fa e", "e.cvpred.txt"},
		{"gkmtrain pos.fa neg.fa f -l 6 -k 4 -d 2 -t 0", "f.model.txt"}, // operands first
		{"gkmtrain -T4 -sRl6 -k4 -d2 -t1 pos.fa neg.fa g", "g.model.txt"},
		{"gkmtrain -T 4 -m 6000 -t 6 -l 6 -k 4 -d 2 pos.fa neg.fa h", "h.model.txt"},
		{"gkmpredict -T 1 test.fa c.model.txt c.pred.txt", "c.pred.txt"},
		{"gkmpredict -v 0 -T 16 test.fa a.model.txt a.pred.txt", "a.pred.txt"},
		{"gkmexplain test.fa c.model.txt c.imp.txt", "c.imp.txt"},
		{"gkmexplain -m 1 test.fa a.model.txt a.hyp.txt", "a.hyp.txt"},
		{"gkmexplain -v 1 -m 5 test.fa h.model.txt h.mid.txt", "h.mid.txt"},
		{"gkmmatrix -l 8 -k 5 -d 3 -t 2 -T 4 pos.fa neg.fa m.txt", "m.txt"},
		{"gkmtrain-svr -t 2 -l 6 -k 4 -d 2 -c 0.1 -p 0.1 -e 0.001 -T 4 data.tsv s", "s.model.txt"},
	} {
		mustRun(t, c.line)
		if info, err := os.Stat(c.file); err != nil || info.Size() == 0 {
			t.Errorf("%s wrote no %s", c.line, c.file)
		}
	}
	said := mustRun(t, "gkmtrain -m 100 -l 6 -k 4 -d 2 pos.fa neg.fa f")
	if !strings.Contains(said, "gkmtrain: -t 2, the default") || !strings.Contains(said, "-m and -s have no effect") {
		t.Errorf("of -t and -m it says %q", said)
	}
	if said := mustRun(t, "gkmtrain -v 0 -l 6 -k 4 -d 2 -m 100 pos.fa neg.fa f"); said != "" {
		t.Errorf("with -v 0 it says %q", said)
	}
}

// Options are divided as getopt does.
func TestArguments(t *testing.T) {
	for line, want := range map[string]string{
		"":                      " --help",
		"-t4 -l 11 a b c":       " -t=4 -l=11 a b c",
		"a -sRT16 b -c -1":      " a -s -R --threads=16 b -c=-1",
		"-v 0 -v1 -v 2 -v3 -":   " --quiet --quiet --quiet=false --verbose -",
		"-q --threads 3 -zx 5":  " -q --threads 3 -z -x=5",
		"-c":                    " -c=",
		"-v 7 --help -h -e1e-4": " -v=7 --help -h -e=1e-4",
	} {
		if got := strings.Join(gkm.Arguments(strings.Fields(line)), " "); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
}

// A record without an l-mer has nan, which is said; one of more than 2,047 letters is cut; ids are words, as they are.
func TestOddRecords(t *testing.T) {
	inFolder(t)
	whole := strings.Repeat("GATTACATGACTCAG", 137)[:2047]
	must.Succeed(t, os.WriteFile("odd.fa", []byte(">a label=3\nACGTA\n>a\r\nACGTAC\r\n>long\n"+whole+"CCCCCCC\n>cut\n"+
		strings.ToLower(whole)+"\n>U\nACGUACGT\n>A\nACGA\nACGT\n"), 0o666))
	mustRun(t, "gkmtrain -v 0 -l 6 -k 4 -d 2 pos.fa neg.fa m")
	said := mustRun(t, "gkmpredict odd.fa m.model.txt odd.txt")
	for _, want := range []string{"shorter than an l-mer, which have nan in place of numbers: 1\n",
		"longer than 2,047 letters, which were cut, as LS-GKM does: 1\n", "read as A, as LS-GKM does: 1\n"} {
		if !strings.Contains(said, want) {
			t.Errorf("gkmpredict says %q, want %q", said, want)
		}
	}
	lines := strings.Fields(string(must.Get(os.ReadFile("odd.txt"))(t)))
	if len(lines) != 12 || lines[0] != "a" || lines[1] != "nan" || lines[2] != "a" || lines[5] != lines[7] ||
		lines[9] != lines[11] {
		t.Errorf("scores are %q", lines)
	}
	must.Succeed(t, os.WriteFile("short.fa", []byte(">s\nACG\n"), 0o666))
	mustRun(t, "gkmexplain -m 5 short.fa m.model.txt short.txt", "gkmmatrix -l 6 -k 4 -d 2 short.fa odd.fa odd.txt")
	checkFile(t, "short.txt", "s\tnan\tnan,nan,nan,nan\n", 0)
	if text := string(must.Get(os.ReadFile("odd.txt"))(t)); !strings.HasPrefix(text, "nan \nnan nan \nnan nan 1 \n") {
		t.Errorf("the matrix begins with %.40q", text)
	}
}

// Errors name what is wrong, and leave no file.
func TestErrors(t *testing.T) {
	inFolder(t)
	mustRun(t, "gkmtrain -v 0 -l 6 -k 4 -d 2 pos.fa neg.fa m")
	must.Succeed(t, os.WriteFile("even.fa", []byte(">e\nACGTACGT\n"), 0o666))
	must.Succeed(t, os.WriteFile("none.fa", nil, 0o666))
	must.Succeed(t, os.WriteFile("bad.tsv", []byte("ACGTACGT\t1\nACGTACGG\tx\n"), 0o666))
	for line, want := range map[string]string{
		"gkmtrain pos.fa neg.fa":                     "gkmtrain: 2 operands given, want posfile negfile outprefix",
		"gkmtrain -l 6 -k 5 -d 2 pos.fa neg.fa x":    "-l 6 -k 5 -d 2, want l − k or less for d",
		"gkmtrain -t 7 pos.fa neg.fa x":              "--t 7, want 0 to 6",
		"gkmtrain -x 2 -i 3 pos.fa neg.fa x":         "-i 3, want 2 or less",
		"gkmtrain -Q pos.fa neg.fa x":                "unknown option -Q=pos.fa",
		"gkmpredict test.fa m.model.txt test.fa":     "test.fa would replace an input",
		"gkmpredict -c 1 test.fa m.model.txt x":      "gkmpredict --help lists the options",
		"gkmtrain -v 0 pos.fa none.fa x":             "none.fa: the file is empty",
		"gkmtrain-svr -v 0 -l 6 -k 4 -d 2 bad.tsv x": `bad.tsv:2: record "ACGTACGG": label "x"`,
		"gkmexplain -m 5 even.fa m.model.txt x":      `even.fa:1: record "e": 8 letters, want an odd number`,
		"gkmpredict test.fa pos.fa x":                "pos.fa:1: not an LS-GKM model",
		"gkmpredict test.fa m.model.txt no/folder":   "the folder no does not exist",
		"gkmtrain -l 6 -k 4 -d 2 pos.fa lost.fa x":   "lost.fa: no such file",
		"gkmmatrix -M 3 -l 6 -k 4 pos.fa neg.fa x ":  "unknown option -M=3",
	} {
		code, said := run(t, line)
		if code != cli.ExitFailed && code != cli.ExitUsage || !strings.Contains(said, want) {
			t.Errorf("%s: exit %d, %q, want %q", line, code, said, want)
		}
	}
	if files := must.Get(filepath.Glob("x*"))(t); files != nil {
		t.Errorf("there are %v", files)
	}
}

// Help names the operands and every option of the usage of LS-GKM 0.1.2 and gkmexplain.
func TestHelp(t *testing.T) {
	for name, letters := range map[string]string{
		"gkmtrain": "tlkdgMHRcewmsxirz", "gkmtrain-svr": "tlkdgMHRcpemsxirz", "gkmpredict": "", "gkmexplain": "m",
		"gkmmatrix": "tlkdgL",
	} {
		help := mustRun(t, name)
		for _, letter := range letters {
			if !strings.Contains(help, fmt.Sprintf("\n   -%c ", letter)) {
				t.Errorf("the help of %s has no -%c: %s", name, letter, help)
			}
		}
		if !strings.Contains(help, name+" [options] ") || !strings.Contains(help, "-T N is --threads N") {
			t.Errorf("the help of %s: %s", name, help)
		}
	}
	if gkm.App("seqsvm") != nil {
		t.Error("seqsvm is no program of LS-GKM")
	}
}

// oracles is a folder of values of other programs beside $SEQSVM_DATA.
func oracles(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("SEQSVM_DATA")
	folder := must.Get(filepath.Abs(filepath.Join(root, "..", "oracles", name)))(t)
	if _, err := os.Stat(folder); root == "" || err != nil {
		t.Skipf("no folder oracles/%s beside $SEQSVM_DATA: the values of other programs are not compared", name)
	}
	return folder
}

// table reads tab-separated lines, compressed or not.
func table(t *testing.T, path string) (rows [][]string) {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	if strings.HasSuffix(path, ".gz") {
		var text bytes.Buffer
		must.Get(text.ReadFrom(must.Get(gzip.NewReader(bytes.NewReader(data)))(t)))(t)
		data = text.Bytes()
	}
	for line := range strings.Lines(string(data)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

// numbersOf reads the numbers of a cell.
func numbersOf(t *testing.T, cell string) (x []float64) {
	t.Helper()
	for _, text := range strings.FieldsFunc(cell, func(r rune) bool { return r == ',' || r == ';' }) {
		x = append(x, must.Get(strconv.ParseFloat(text, 64))(t))
	}
	return x
}

// Decisions of models that gkmtrain learns here are those of LS-GKM's models within 1e-3, its precision, and gkmpredict
// prints its scores to all 6 digits.
func TestModelsOfLSGKM(t *testing.T) {
	folder := oracles(t, "gkmexplain")
	t.Chdir(t.TempDir())
	for _, path := range must.Get(filepath.Glob(folder + "/t*.model.txt.gz"))(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".model.txt.gz")
		options := "-" + strings.NewReplacer("_l", " -l", "_k", " -k", "_d", " -d").Replace(name)
		if strings.ContainsRune("356", rune(name[1])) {
			options += " -c 10 -g 2"
		}
		mustRun(t, "gkmtrain "+options+" "+folder+"/train.pos.fa "+folder+"/train.neg.fa m",
			"gkmpredict "+folder+"/queries.fa m.model.txt own.txt", "gkmpredict "+folder+"/queries.fa "+path+" scores.txt")
		want, own, scores := table(t, folder+"/"+name+".scores.txt"), table(t, "own.txt"), table(t, "scores.txt")
		if len(own) != len(want) || len(scores) != len(want) {
			t.Fatalf("%s: %d and %d scores, want %d", name, len(own), len(scores), len(want))
		}
		for i, w := range want {
			exact := numbersOf(t, w[1])[0]
			if got := numbersOf(t, own[i][1])[0]; own[i][0] != w[0] || math.Abs(got-exact) > 1e-3 {
				t.Errorf("%s, trained here: %v, LS-GKM has %v", name, own[i], w)
			}
			if digits := strconv.FormatFloat(exact, 'g', 6, 64); scores[i][1] != digits {
				t.Errorf("%s: %v, LS-GKM has %s", name, scores[i], digits)
			}
		}
	}
}

// Explanations are those of gkmexplain to 6 digits, but for numbers that cancel: all modes of all models, of
// 11-mers one, with the tag long all: their Gaussians make tables of 4¹¹ numbers for each record.
func TestExplanationsOfGkmexplain(t *testing.T) {
	folder := oracles(t, "gkmexplain")
	t.Chdir(t.TempDir())
	records := strings.SplitAfter(string(must.Get(os.ReadFile(folder+"/queries.fa"))(t)), "\n>")
	for _, path := range must.Get(filepath.Glob(folder + "/t*.m?.txt.gz"))(t) {
		name, mode, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".txt.gz"), ".m")
		want := table(t, path)
		if strings.Contains(name, "_l11_") && name[:2] != "t2" && !long.Tests {
			continue
		}
		var chosen strings.Builder
		for _, record := range records {
			record = ">" + strings.Trim(record, ">\n") + "\n"
			id := strings.Fields(record[1:])[0]
			if slices.ContainsFunc(want, func(row []string) bool { return row[0] == id }) {
				chosen.WriteString(record)
			}
		}
		must.Succeed(t, os.WriteFile("test.fa", []byte(chosen.String()), 0o666))
		mustRun(t, "gkmexplain -m "+mode+" test.fa "+folder+"/"+name+".model.txt.gz out.txt")
		got, least := table(t, "out.txt"), 1e-9
		if mode == "1" {
			least = 1e-7 // its tables have seven digits
		}
		if len(got) != len(want) {
			t.Fatalf("%s, mode %s: %d records, want %d", name, mode, len(got), len(want))
		}
		for i, w := range want {
			a, b := numbersOf(t, got[i][2]), numbersOf(t, w[2])
			if got[i][0] != w[0] || shape(got[i][2]) != shape(w[2]) {
				t.Fatalf("%s, mode %s: %s with %d numbers, want %s with %d", name, mode, got[i][0], len(a), w[0], len(b))
			}
			largest := 0.0
			for _, x := range b {
				largest = max(largest, math.Abs(x))
			}
			for j, x := range b {
				if !(math.Abs(a[j]-x) <= 5.0001e-6*math.Abs(x)+least*largest) { // half a unit of the sixth digit
					t.Errorf("%s, mode %s, %s: %v at %d, gkmexplain has %v", name, mode, w[0], a[j], j, x)
				}
			}
		}
	}
}
