package main_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
)

// TestReadmeCommands runs the commands of README.md in order, on data of the kinds that it names. None warns, but of
// the promoters that overlap.
func TestReadmeCommands(t *testing.T) {
	if _, err := exec.LookPath("awk"); err != nil {
		t.Skip("no awk, which README.md divides a set with")
	}
	readme := must.Get(os.ReadFile("../../README.md"))(t)
	commands := regexp.MustCompile(`(?m)^    ((?:awk|(?:go run \./cmd/)?seqsvm) .*)$`).FindAllString(continued(readme), -1)
	if len(commands) < 30 {
		t.Fatalf("%d commands in README.md, want at least 30", len(commands))
	}
	dir := t.TempDir()
	must.Succeed(t, writeReadmeFiles(dir))
	must.Succeed(t, os.CopyFS(filepath.Join(dir, "testdata"), os.DirFS("../../testdata")))
	t.Chdir(dir)
	if splice := "testdata/fasta/splice.fa"; !long.Tests {
		must.Succeed(t, os.WriteFile(splice, everyFifth(must.Get(os.ReadFile(splice))(t)), 0o666))
	}
	for _, line := range commands {
		if strings.HasPrefix(line, "    awk") {
			if out, err := exec.Command("sh", "-c", line).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v, %s", line, err, out)
			}
			continue
		}
		_, words, _ := strings.Cut(line, "seqsvm ")
		words, _, _ = strings.Cut(words, " | ")
		words, _, _ = strings.Cut(words, "  #")
		if !long.Tests { // a report has 1000 samples, which take most of the time
			words = strings.Replace(words, "report ", "report --bootstrap 100 ", 1)
		}
		if strings.HasPrefix(words, "serve ") || // it runs until it is stopped: TestServedAsPredicted
			strings.HasPrefix(words, "tune ") && !strings.Contains(words, "--kernel ") && !long.Tests { // script tune_portfolio
			continue
		}
		r := tool(t, "", strings.Fields(strings.ReplaceAll(words, "'", ""))...)
		warned := strings.Contains(r.err, "warning") &&
			!strings.Contains(r.err, "--group near-duplicates keeps them together")
		if r.code != cli.ExitOK || warned {
			t.Errorf("seqsvm %s: exit status %d\n%s", words, r.code, r.err)
		}
	}
}

// continued is a page with each command on a line.
func continued(page []byte) string {
	return regexp.MustCompile(`\s*\\\n\s*`).ReplaceAllString(string(page), " ")
}

// readmeData makes data of the kinds that README.md names.
type readmeData struct {
	*rand.Rand
	files map[string]string
}

// writeReadmeFiles writes the files that README.md names into a folder.
func writeReadmeFiles(folder string) error {
	d := readmeData{rand.New(rand.NewPCG(1, 1)), map[string]string{}}
	d.files["enhancers.fa"] = d.sequences(40, "TGACTCAGG")
	d.files["others.fa"] = d.sequences(40, "")
	d.files["peptides.fa"] = d.peptides()
	d.files["variants.fa"] = d.numbers(30, 4, "ACDEFGHIKLMNPQRSTVWY")
	d.files["guides.fa"] = d.numbers(30, 30, "ACGT")
	d.files["grades.fa"] = d.numbers(30, 4, "ACGT")
	d.files["expression.fa"] = d.numbers(30, 100, "ACGT")
	d.addGenome()
	d.addTexts()
	scripts, err := txtar.ParseFile("testdata/script/convert.txtar")
	if err != nil {
		return err
	}
	model := slices.IndexFunc(scripts.Files, func(f txtar.File) bool { return strings.HasSuffix(f.Name, ".model.txt") })
	d.files["old.model.txt"] = string(scripts.Files[model].Data)
	for name, text := range d.files {
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// letters returns n random letters.
func (d readmeData) letters(n int, of string) []byte {
	x := make([]byte, n)
	for i := range x {
		x[i] = of[d.IntN(len(of))]
	}
	return x
}

// sequences returns DNA with a motif in each record.
func (d readmeData) sequences(n int, motif string) string {
	var b strings.Builder
	for i := range n {
		x := d.letters(100, "ACGT")
		copy(x[30+d.IntN(40):], motif)
		fmt.Fprintf(&b, ">s%d\n%s\n", i, x)
	}
	return b.String()
}

// numbers returns sequences of a length with a number each, their share of the first letter, and one of three
// genes.
func (d readmeData) numbers(n, length int, of string) string {
	var b strings.Builder
	for i := range n {
		x := d.letters(length, of)
		fmt.Fprintf(&b, ">n%d %g gene=g%d\n%s\n", i, float64(bytes.Count(x, []byte(of[:1])))/float64(length), i%3, x)
	}
	return b.String()
}

// addGenome adds twelve chromosomes with peaks of one motif, genes of three exons, and variants.
func (d readmeData) addGenome() {
	var genome, genes, bed, narrow, others, peaks, variants bytes.Buffer
	variants.WriteString("##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\n")
	for c := range 12 {
		name, x := fmt.Sprintf("chr%d", c+1), d.letters(20_000, "ACGT")
		for g := range 5 {
			start := 4000*g + 100 + d.IntN(200)
			for e := range 3 { // exons of 200, introns of 300 letters
				exon := start + 500*e
				fmt.Fprintf(&genes, "%s\t.\texon\t%d\t%d\t.\t+\t.\tParent=t%d.%d\n", name, exon+1, exon+200, c, g)
				if e > 0 {
					copy(x[exon-20:], "TTTCTTTTCCCTTTCTGCAG")
				}
				if e < 2 {
					copy(x[exon+200:], "GTAAGT")
				}
			}
			peak := start + 2000
			copy(x[peak+40:], "TGACTCAGG")
			fmt.Fprintf(&bed, "%s\t%d\t%d\n", name, peak, peak+100)
			fmt.Fprintf(&narrow, "%s\t%d\t%d\tp\t0\t.\t1\t1\t1\t44\n", name, peak, peak+100)
			fmt.Fprintf(&others, "%s\t%d\t%d\n", name, peak+500, peak+600)
			fmt.Fprintf(&peaks, ">%s:%d-%d\n%s\n", name, peak, peak+100, x[peak:peak+100])
		}
		ref := x[10_000]
		fmt.Fprintf(&variants, "%s\t10001\t.\t%c\t%c\n", name, ref, "ACGT"[(strings.IndexByte("ACGT", ref)+1)%4])
		fmt.Fprintf(&genome, ">%s\n%s\n", name, x)
	}
	d.files["genome.fa"] = genome.String()
	d.files["genes.gff3"] = "##gff-version 3\n" + genes.String()
	d.files["peaks.bed"] = bed.String()
	d.files["peaks.narrowPeak"] = narrow.String()
	d.files["others.bed"] = others.String()
	d.files["peaks.fa"] = peaks.String()
	d.files["variants.vcf"] = variants.String()
}

// sentence returns n words, of which about every third belongs to a topic.
func (d readmeData) sentence(n int, topics ...string) string {
	common := strings.Fields("the a of and to in is it was on for with as at by from this that one two")
	var words []string
	for range n {
		word := common[d.IntN(len(common))]
		if len(topics) > 0 && d.IntN(3) == 0 {
			word = fmt.Sprintf("%s%d", topics[d.IntN(len(topics))], d.IntN(1+n/3))
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// addTexts adds labelled texts, trees, and long texts of two authors.
func (d readmeData) addTexts() {
	topics := []string{"sport", "music", "trade"}
	var train, unseen, languages, docs, trees strings.Builder
	for i := range 60 {
		topic := topics[i%3]
		fmt.Fprintf(&train, "%s\t%s\n", topic, d.sentence(20, topic))
		fmt.Fprintf(&unseen, "%s\t%s\n", topic, d.sentence(20, topic))
		fmt.Fprintf(&languages, "%s\t%s\n", topic, d.sentence(8, topic))
		if set := slices.Compact([]string{topic, topics[d.IntN(3)]}); i < 30 {
			fmt.Fprintf(&docs, "%s\t%s\n", strings.Join(set, ","), d.sentence(20, set...))
		}
		fmt.Fprintf(&trees, "%s\t(S (NP %s) (VP v%d))\n", topic, topic[:2+d.IntN(3)], d.IntN(5))
		d.files[fmt.Sprintf("folder/%s/%d.xml", topic, i)] = fmt.Sprintf("<doc><%s/><p>%d</p></doc>", topic, i)
	}
	d.files["train.tsv"] = train.String()
	d.files["new.tsv"] = unseen.String()
	d.files["languages.tsv"] = languages.String()
	d.files["docs.tsv"] = docs.String()
	d.files["trees.tsv"] = trees.String()
	d.addTagged()
	for _, name := range []string{"disputed", "author-a", "author-b"} {
		d.files[name+".txt"] = d.sentence(6000, name[len(name)-1:], "word", "else")
	}
}

// addTagged adds sentences with names, and proteins with their structure.
func (d readmeData) addTagged() {
	const tagged, plain = "Wilms\tB-D\ntumour\tI-D\nis\tO\nrare\tO\n\nhe\tO\nhas\tO\ncancer\tB-D\n\n", "he\nhas\ncancer\n"
	d.files["sentences.tsv"], d.files["new-sentences.tsv"] = strings.Repeat(tagged, 3), plain
	d.files["proteins.fa"] = ">p\nLLLLAAVVVVGG\n>q\nVVVVGGLLLLAA\n"
	d.files["states.fa"] = ">p\nHHHHHHEEEECC\n>q\nEEEECCHHHHHH\n"
}

// peptides returns families of related peptides, half of them with a motif.
func (d readmeData) peptides() string {
	var b strings.Builder
	for family := range 40 {
		x := d.letters(20, "ACDEFGHIKLMNPQRSTVWY")
		label := []string{"no", "yes"}[family%2]
		if label == "yes" {
			copy(x[8:], "KRKR")
		}
		for copies := range 2 {
			fmt.Fprintf(&b, ">p%d.%d %s\n%s\n", family, copies, label, x)
			x[d.IntN(5)] = "ACDE"[d.IntN(4)]
		}
	}
	return b.String()
}
