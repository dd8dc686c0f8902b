package main_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/long"
)

// origin is a way in which a model is made: a command line, and the kind of records that the model is for.
type origin struct {
	name, kind string
	args       string
}

// origins are all tasks, schemes, solvers and commands that make a model.
var origins = []origin{
	{"two", "dna", "train -k spectrum:k=3 two.fa -o two"},
	{"no-sketch", "dna", "train --no-sketch -k spectrum:k=3 two.fa -o no-sketch"},
	{"stream", "dna", "train --stream -k spectrum:k=3 two.fa -o stream"},
	{"stream-three", "dna", "train --stream --no-sketch -k spectrum:k=3 three.fa -o stream-three"},
	{"learned", "dna", "learn -k spectrum:k=3 two.fa -o learned"},
	{"learned-numbers", "dna", "learn --task regress -k spectrum:k=3 numbers.fa -o learned-numbers"},
	{"learned-novelty", "dna", "learn --task novelty -k spectrum:k=3 two.fa -o learned-novelty"},
	{"components", "dna", "matrix embed -k spectrum:k=3 --components 2 two.fa --save components"},
	{"components-u", "dna", "matrix embed -k spectrum:k=3 --components 2 query.fa --save components-u"},
	{"tuned", "dna", "tune -k spectrum:k=2..3 --folds 2 two.fa -o tuned"},
	{"converted", "dna", "model convert lsgkm.txt -o converted"},
	{"converted-kept", "dna", "model convert --keep-sequences lsgkm.txt -o converted-kept"},
	{"gapped", "dna", "train -k gapped:l=4,k=3,rc two.fa -o gapped"},
	{"wd", "dna", "train -k wd:d=3 two.fa -o wd"},
	{"kept", "dna", "train --keep-sequences -k spectrum:k=3 two.fa -o kept"},
	{"substring", "dna", "train --no-sketch -k substring:weight=decay,lambda=0.5 two.fa -o substring"},
	{"gaussian", "dna", "train -k spectrum:k=3,rbf=1 two.fa -o gaussian"},
	{"low-rank", "dna", "train -k spectrum:k=3,rank=8 two.fa -o low-rank"},
	{"fourier", "dna", "train -k spectrum:k=3,rbf=1,fourier=16 two.fa -o fourier"},
	{"sum", "dna", "train -k spectrum:k=2 -k wd:d=2 two.fa -o sum"},
	{"markov", "dna", "train -k markov:order=1 two.fa -o markov"},
	{"mkl", "dna", "train --mkl 2 -k spectrum:k=2 -k spectrum:k=3 two.fa -o mkl"},
	{"three", "dna", "train -k spectrum:k=3 three.fa -o three"},
	{"ovo", "dna", "train --multiclass ovo -k spectrum:k=3 three.fa -o ovo"},
	{"crammer-singer", "dna", "train --multiclass crammer-singer -k spectrum:k=3 three.fa -o crammer-singer"},
	{"multinomial", "dna", "train --task logistic --multiclass multinomial -k spectrum:k=3 three.fa -o multinomial"},
	{"smo", "dna", "train --solver smo --no-sketch -k spectrum:k=3 two.fa -o smo"},
	{"planes", "dna", "train --solver cutting-plane -k spectrum:k=3 two.fa -o planes"},
	{"descent", "dna", "train --solver dual-coordinate -k spectrum:k=3 two.fa -o descent"},
	{"probability", "dna", "train --probability -k spectrum:k=3 two.fa -o probability"},
	{"conformal", "dna", "train --conformal --threshold f1 -k spectrum:k=3 two.fa -o conformal"},
	{"logistic", "dna", "train --task logistic --no-sketch -k spectrum:k=3 two.fa -o logistic"},
	{"landmarks", "dna", "train --task logistic --landmarks 6 -k spectrum:k=3 two.fa -o landmarks"},
	{"prior", "dna", "train --prior 0.2 -k spectrum:k=3 two.fa -o prior"},
	{"l1", "dna", "train --penalty l1 --loss squared-hinge -k spectrum:k=3 two.fa -o l1"},
	{"regress", "dna", "train --task regress -k spectrum:k=3 numbers.fa -o regress"},
	{"ridge", "dna", "train --task regress --lambda 1 --no-sketch -k spectrum:k=3 numbers.fa -o ridge"},
	{"quantile", "dna", "train --task quantile=0.9 -k spectrum:k=3 numbers.fa -o quantile"},
	{"process", "dna", "train --task gaussian-process -k spectrum:k=3 numbers.fa -o process"},
	{"novelty", "dna", "train --task novelty -k spectrum:k=3 query.fa -o novelty"},
	{"rank", "dna", "train --task rank --no-sketch -k spectrum:k=3 numbers.fa -o rank"},
	{"ordinal", "dna", "train --task ordinal -k spectrum:k=3 levels.fa -o ordinal"},
	{"words", "text", "train -k words two.tsv -o words"},
	{"multilabel", "text", "train --no-sketch --multilabel , -k words lists.tsv -o multilabel"},
	{"hierarchy", "text", "train --hierarchy / -k words paths.tsv -o hierarchy"},
	{"learned-words", "text", "learn -k words two.tsv -o learned-words"},
	{"trees", "trees", "train -k ptk:size=3,lambda=1 trees.tsv -o trees"},
	{"tags", "tags", "train --task tag tags.tsv -o tags"},
	{"letter-tags", "letters", "train --task tag --features letters:width=2 --states states.fa two.fa -o letter-tags"},
}

// readers are the ways to read a model, a column each: MODEL is its name, LABELLED and QUERY are records of its kind.
var readers = []string{
	"model info MODEL",
	"model info --format json MODEL",
	"predict -m MODEL QUERY",
	"predict -m MODEL --raw --format json QUERY",
	"predict -m MODEL LABELLED",
	"evaluate -m MODEL LABELLED",
	"evaluate -m MODEL --format json --bootstrap 100 LABELLED",
	"evaluate -m MODEL QUERY",
	"compare --bootstrap 100 MODEL MODEL LABELLED",
	"report -m MODEL --bootstrap 100 LABELLED",
	"explain -m MODEL QUERY",
	"explain -m MODEL LABELLED",
	"explain -m MODEL",
	"explain -m MODEL --top 3 --format json QUERY",
	"explain -m MODEL --hypothetical QUERY",
	"explain -m MODEL --mutagenesis QUERY",
	"explain -m MODEL --plot plot.svg QUERY",
	"explain -m MODEL --format bedgraph PLACES",
	"scan -m MODEL --window 30 genome.fa",
	"scan -m MODEL --window 30 --fdr 0.5 --shuffles 3 genome.fa",
	"model poim -m MODEL --kmer 2",
	"model kmers -m MODEL",
	"model kmers -m MODEL query.fa",
	"model motifs -m MODEL",
	"model motifs -m MODEL query.fa",
	"variants -m MODEL --genome genome.fa variants.vcf",
	"matrix embed -m MODEL QUERY",
	"serve -m MODEL --listen localhost:0",
	"model convert MODEL -o converted-again",
}

// works says which readers work on models, each of which the rest of the table is like.
var works = map[string]string{
	"two":        "+++++++-++++++++++++-+++++-+-", // a sum over k-mers: all but poim, embed and convert
	"three":      "+++++++-++++++++++---------+-", // no class is chosen
	"low-rank":   "+++++++-++++++++++++---++--+-", // no scores of k-mers
	"wd":         "+++++++-++++--+++++++------+-", // positions: no list of features, but poim
	"sum":        "+++++++-++++--++++++-------+-",
	"gaussian":   "+++++++-++-----+--++-------+-", // no contributions
	"novelty":    "++++++++++++++++++++-+++++-+-", // labels are not needed
	"components": "++--------++++++++--------+--",
	"words":      "+++++++-++++++--+----------+-",
	"multilabel": "++++++++++++++--+----------+-", // a record may have no label
	"trees":      "+++++++-++++++--+----------+-",
	"tags":       "+++-++----++++---+-----------",
}

// worksOn returns which readers work on a model.
func worksOn(o origin) string {
	switch o.name {
	case "stream-three", "ovo", "crammer-singer", "multinomial":
		return works["three"]
	case "substring", "mkl", "process":
		return works["low-rank"]
	case "markov":
		return works["sum"]
	case "fourier":
		return works["gaussian"]
	case "learned-novelty":
		return works["novelty"]
	case "components-u":
		return works["components"]
	case "letter-tags":
		return works["tags"]
	case "hierarchy", "learned-words":
		return works["words"]
	}
	return cmp.Or(works[o.name], works["two"])
}

// recordsOf names the files of a kind of records: labelled, unlabelled, and with places in a genome.
var recordsOf = map[string][3]string{
	"dna":     {"two.fa", "query.fa", "places.fa"},
	"text":    {"two.tsv", "query.txt", "query.txt"},
	"trees":   {"trees.tsv", "trees.txt", "trees.txt"},
	"tags":    {"tags.tsv", "tokens.txt", "tokens.txt"},
	"letters": {"two.fa", "query.fa", "places.fa"},
}

// labelledFor names the labelled records of models that two.fa and two.tsv are not for.
var labelledFor = map[string]string{
	"stream-three": "three.fa", "three": "three.fa", "ovo": "three.fa", "crammer-singer": "three.fa",
	"multinomial": "three.fa", "learned-numbers": "numbers.fa", "regress": "numbers.fa", "ridge": "numbers.fa",
	"quantile": "numbers.fa", "process": "numbers.fa", "rank": "numbers.fa", "ordinal": "levels.fa",
	"multilabel": "lists.tsv", "hierarchy": "paths.tsv", "converted": "signs.fa", "converted-kept": "signs.fa",
	"novelty": "query.fa",
}

// TestEveryModelWithEveryCommand makes a model in every way and reads it with every command: each either works or
// refuses in one line, without output. One that works writes something. Without the tag long, models that are like
// others are read by every other command.
func TestEveryModelWithEveryCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, originFiles())
	for k, o := range origins {
		r := tool(t, "", append(strings.Fields(o.args), "-q")...)
		if r.code != cli.ExitOK {
			t.Errorf("%s: exit %d: %s", o.args, r.code, r.err)
			continue
		}
		files := recordsOf[o.kind]
		if name := labelledFor[o.name]; name != "" {
			files[0] = name
		}
		got, want := "", worksOn(o)
		for i, reader := range readers {
			if works[o.name] == "" && (i+k)%2 == 0 && !long.Tests { // others of the row have these
				got += want[i : i+1]
				continue
			}
			line := strings.NewReplacer("MODEL", o.name, "LABELLED", files[0], "QUERY", files[1], "PLACES", files[2]).
				Replace(reader)
			if o.name == "letter-tags" && strings.HasPrefix(line, "evaluate ") {
				line += " --states states.fa"
			}
			got += readModelBy(t, line)
		}
		if got != want {
			t.Errorf("%s: commands work (+) or refuse (-) as %s, want %s", o.name, got, want)
		}
	}
}

// readModelBy runs a command line, and returns + if it works and - if it refuses.
func readModelBy(t *testing.T, line string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, err := &firstWrite{stop: func() {}}, new(bytes.Buffer)
	if strings.HasPrefix(line, "serve ") {
		out.stop = cancel // it has said where it listens
	}
	code := newApp().Run(ctx, append(strings.Fields(line), "-q"), cli.Streams{In: strings.NewReader(""), Out: out, Err: err})
	said := err.String()
	switch {
	case code == cli.ExitOK || ctx.Err() != nil:
		if out.Len() == 0 && !strings.Contains(said, "warning: ") {
			t.Errorf("%s: neither output nor a warning", line)
		}
		return "+"
	case code != cli.ExitFailed && code != cli.ExitUsage:
		t.Errorf("%s: exit %d: %s", line, code, said)
	case !strings.HasPrefix(said, "seqsvm: ") || strings.Count(said, "\n") != 1 || out.Len() > 0:
		t.Errorf("%s: refused with the output %q and the message %q, want one line", line, out, said)
	}
	return "-"
}

// firstWrite is a buffer that calls stop when something is written to it.
type firstWrite struct {
	bytes.Buffer
	stop func()
}

func (w *firstWrite) Write(p []byte) (int, error) {
	w.stop()
	return w.Buffer.Write(p)
}

// originFiles are small sets for every kind of model.
func originFiles() map[string]string {
	files := map[string]string{
		"variants.vcf": "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\nchr1\t41\tv\tA\tG\t.\t.\t.\n",
		"lsgkm.txt": "svm_type c_svc\nkernel_type gkm_esttrunc\nL 5\nk 3\nd 2\nnorc 0\nnr_class 2\ntotal_sv 2\nrho 0.4\n" +
			"label 1 -1\nnr_sv 1 1\nSV\n0.5 TTGACGTCATCAGT\n-0.5 GCGCTTAAGCCATT\n",
		"trees.tsv":  "label\ttext\n" + strings.Repeat("a\t(S (NP dog) (VP runs))\nb\t(S (VP run) (NP cat))\n", 6),
		"trees.txt":  "(S (NP dog) (VP runs))\n(S (VP run) (NP cat))\n",
		"tags.tsv":   strings.Repeat("Ann\tB-PER\nwent\tO\nhome\tO\n\nBerlin\tB-LOC\nis\tO\nbig\tO\n\n", 6),
		"tokens.txt": "Ann\nis\nbig\n",
		"query.txt":  "good film\nbad plot\n",
	}
	rng := rand.New(rand.NewPCG(49, 1))
	var two, three, signs, numbers, levels, query, places, states, words, lists, paths strings.Builder
	letters := func(n int) string { return string(drawn.Text(rng, "ACGT", n)) }
	for i := range 12 {
		x := letters(12) + [3]string{"TTGACA", "CCGCCC", "ATATAT"}[i%3] + letters(12)
		fmt.Fprintf(&two, ">r%d %c\n%s\n", i, "ab"[i%2], letters(12)+[2]string{"TTGACA", "CCGCCC"}[i%2]+letters(12))
		fmt.Fprintf(&three, ">r%d %c\n%s\n", i, "abc"[i%3], x)
		fmt.Fprintf(&signs, ">r%d %s\n%s\n", i, [2]string{"1", "-1"}[i%2], x)
		fmt.Fprintf(&numbers, ">r%d label=%.2f\n%s\n", i, float64(i%3)+rng.Float64(), x)
		fmt.Fprintf(&levels, ">r%d label=%d\n%s\n", i, i%3, x)
		fmt.Fprintf(&query, ">q%d\n%s\n", i, x)
		fmt.Fprintf(&places, ">chr1:%d-%d(+)\n%s\n", 30*i+1, 30*i+30, x)
		fmt.Fprintf(&states, ">r%d\n%s\n", i, strings.Repeat("H", 12)+"EEEEEE"+strings.Repeat("C", 12))
		text := [2]string{"good film with a fine plot", "bad film with a poor cast"}[i%2] + fmt.Sprint(" number ", i)
		fmt.Fprintf(&words, "%c\t%s\n", "ab"[i%2], text)
		fmt.Fprintf(&lists, "%s\t%s\n", [3]string{"a", "b", "a,b"}[i%3], text)
		fmt.Fprintf(&paths, "%s\t%s\n", [3]string{"a/x", "a/y", "b"}[i%3], text)
	}
	for name, text := range map[string]*strings.Builder{
		"two.fa": &two, "three.fa": &three, "signs.fa": &signs, "numbers.fa": &numbers, "levels.fa": &levels,
		"query.fa": &query, "places.fa": &places, "states.fa": &states, "two.tsv": &words, "lists.tsv": &lists,
		"paths.tsv": &paths,
	} {
		files[name] = text.String()
	}
	genome := []byte(letters(400))
	genome[40] = 'A'
	files["genome.fa"] = ">chr1\n" + string(genome) + "\n"
	return files
}
