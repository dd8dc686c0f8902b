package main_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// badCase is a command line that must fail: with this exit code, nothing on standard output, no new file and one line
// on standard error that begins "seqsvm: " and holds all of want, in this order.
type badCase struct {
	name  string
	files map[string]string // besides those of goodFiles
	stdin string
	args  string // separated by spaces
	code  int
	want  []string
}

// goodFiles are in every case's folder, and a model m.seqsvm trained on two.fa.
var goodFiles = map[string]string{
	"two.fa":   ">a1 A\nAAAAC\n>a2 A\nAACAA\n>a3 A\nACAAA\n>t1 T\nTTTTG\n>t2 T\nTTGTT\n>t3 T\nTGTTT\n",
	"three.fa": ">a1 A\nAAAAC\n>a2 A\nAACAA\n>g1 G\nGGGGC\n>g2 G\nGGCGG\n>t1 T\nTTTTG\n>t2 T\nTTGTT\n",
	"prot.fa":  ">p1 A\nMKWVTFIS\n>p2 A\nMKWVLLLL\n>q1 B\nGGPEEFRW\n>q2 B\nGGPEEFHH\n",
	"up.fa":    ">u1\nAAAAC\n>u2\nAACAA\n>u3\nACAAA\n",
	"down.fa":  ">d1\nTTTTG\n>d2\nTTGTT\n>d3\nTGTTT\n",
}

// usageCases are wrong command lines: exit code 2.
var usageCases = []badCase{
	{name: "unknown command", args: "frain two.fa", want: []string{`unknown command "frain"`, "train"}},
	{name: "positives are the negatives", args: "train --kernel spectrum:k=2 --pos up.fa --neg ./up.fa -o x.seqsvm",
		want: []string{"--pos and --neg are the same file, ./up.fa, want two"}},
	{name: "a table named as an array", args: "kernel --kernel spectrum:k=2 two.fa -o gram.npy",
		want: []string{"--output gram.npy: the name promises npy, and --format is tsv; want --format npy or another name"}},
	{name: "an array named as a table", args: "kernel --kernel spectrum:k=2 --format npy two.fa -o gram.TSV.gz",
		want: []string{"gram.TSV.gz", "promises tsv", "--format tsv"}},
	{name: "windows named as a track", args: "scan -m m.seqsvm --window 3 two.fa -o x.bw",
		want: []string{"--output x.bw", "promises bigwig, and --format is bed", "--format bigwig"}},
	{name: "motifs named for MEME", args: "motifs -m m.seqsvm -o m.meme", want: []string{"m.meme", "--format meme"}},
	{name: "predictions named as a format that predict lacks", args: "predict -m m.seqsvm -o p.csv two.fa",
		want: []string{"--output p.csv: the name promises csv, and the file would be tsv; want another name"}},
	{name: "a model named as its data", args: "train -k spectrum:k=2 two.fa -o new.fa",
		want: []string{"--output new.fa", "promises fasta, and the file would be model"}},
	{name: "a table of folds named as JSON", args: "cv -k spectrum:k=2 --predictions p.jsonl two.fa",
		want: []string{"--predictions p.jsonl", "promises json, and the file would be tsv"}},
	{name: "unknown command after an option", args: "--quiet train", want: []string{"quiet"}},
	{name: "unknown option", args: "predict --modle m.seqsvm two.fa", want: []string{"modle", "seqsvm predict --help"}},
	{name: "unknown short option", args: "predict -z -m m.seqsvm two.fa", want: []string{"-z"}},
	{name: "option without value", args: "predict two.fa -m", want: []string{"-m", "value"}},
	{name: "long option without value", args: "train two.fa -o x.seqsvm --kernel", want: []string{"--kernel", "value"}},
	{name: "flag with a wrong value", args: "predict --quiet=perhaps -m m.seqsvm two.fa",
		want: []string{"quiet", "perhaps"}},
	{name: "no operands to train", args: "train --kernel spectrum -o x.seqsvm", want: []string{"no input file"}},
	{name: "no operands to predict", args: "predict -m m.seqsvm", want: []string{"no input file"}},
	{name: "no operands to evaluate", args: "evaluate -m m.seqsvm", want: []string{"no input file"}},
	{name: "no operands to cv", args: "cv --kernel spectrum", want: []string{"no input file"}},
	{name: "no operands to kernel", args: "kernel --kernel spectrum", want: []string{"0 input files", "one"}},
	{name: "kernel of three files", args: "kernel --kernel spectrum two.fa up.fa down.fa",
		want: []string{"3 input files"}},
	{name: "no model", args: "predict two.fa", want: []string{"--model"}},
	{name: "no model to describe", args: "info", want: []string{"0 model files"}},
	{name: "two models to describe", args: "info m.seqsvm m.seqsvm", want: []string{"2 model files", "one"}},
	{name: "mistyped command", args: "trian two.fa", want: []string{`"trian"`, `did you mean "train"?`}},
	{name: "mistyped option", args: "train --kernle spectrum two.fa",
		want: []string{"--kernle", "did you mean --kernel?"}},
	{name: "mistyped parameter", args: "cv --kernel gapped:fliter=full two.fa",
		want: []string{`did you mean "filter"?`}},
	{name: "mistyped metric", args: "tune --kernel spectrum --metric acuracy two.fa",
		want: []string{`"acuracy"`, `did you mean "accuracy"?`}},
	{name: "mistyped solver", args: "train --kernel spectrum --solver cutting_plane two.fa",
		want: []string{`did you mean "cutting-plane"?`}},
	{name: "unknown kernel to describe", args: "kernels gaped", want: []string{`"gaped"`, `did you mean "gapped"?`}},
	{name: "no shell", args: "completion", want: []string{"bash"}},
	{name: "unknown shell", args: "completion tcsh", want: []string{`"tcsh"`, "bash"}},
	{name: "no model to write", args: "train --kernel spectrum two.fa", want: []string{"--output"}},
	{name: "no kernel", args: "train -o x.seqsvm two.fa", want: []string{"--kernel is required", "spectrum"}},
	{name: "unknown kernel", args: "cv --kernel spektrum:k=3 two.fa",
		want: []string{`"spektrum:k=3"`, "spectrum, substring"}},
	{name: "empty kernel", args: "cv --kernel= two.fa", want: []string{"--kernel is given without a value"}},
	{name: "unknown parameter", args: "cv --kernel spectrum:q=3 two.fa",
		want: []string{`"spectrum:q=3"`, `unknown parameter "q"`, "k, bounded, count, tfidf, alphabet, subst, beta, rc"}},
	{name: "parameter twice", args: "cv --kernel spectrum:k=3,k=4 two.fa", want: []string{`"k" is given twice`}},
	{name: "parameter without value", args: "cv --kernel spectrum:k two.fa", want: []string{`"k" has no value`}},
	{name: "empty parameter", args: "cv --kernel spectrum:k=3,,rc two.fa",
		want: []string{"a parameter is missing", "k=3,,rc"}},
	{name: "colon and nothing", args: "cv --kernel spectrum: two.fa", want: []string{`"spectrum:"`}},
	{name: "degree zero", args: "cv --kernel wd:d=0 two.fa", want: []string{"wd: d = 0, want 1…10000"}},
	{name: "shift negative", args: "cv --kernel wd:d=3,shift=-1 two.fa",
		want: []string{"wd: shift = -1, want 0…10000"}},
	{name: "ramp without shift", args: "cv --kernel wd:d=3,ramp=1 two.fa", want: []string{"wd: ramp needs shift"}},
	{name: "weight of a position negative", args: "cv --kernel wd:d=3,weights=1:-1 two.fa",
		want: []string{"wd: weight -1 of position 1"}},
	{name: "k zero", args: "cv --kernel spectrum:k=0 two.fa", want: []string{"k = 0, want 1"}},
	{name: "substring k zero", args: "cv --kernel substring:weight=fixed,k=0 two.fa",
		want: []string{"k = 0, want a number above 0"}},
	{name: "k missing", args: "cv --kernel substring:weight=bounded two.fa", want: []string{"k is missing or 0, want ≥ 1"}},
	{name: "k negative", args: "cv --kernel spectrum:k=-1 two.fa", want: []string{"k = -1, want 1"}},
	{name: "k no number", args: "cv --kernel spectrum:k=six two.fa", want: []string{`k = "six"`, "integer"}},
	{name: "k no integer", args: "cv --kernel spectrum:k=2.5 two.fa", want: []string{`k = "2.5"`, "integer"}},
	{name: "k too large for any alphabet", args: "cv --kernel spectrum:k=33 two.fa",
		want: []string{"k = 33, want 1…32"}},
	{name: "k beyond an integer", args: "cv --kernel spectrum:k=99999999999999999999 two.fa",
		want: []string{"k = ", "integer"}},
	{name: "flag of a kernel with a number", args: "cv --kernel spectrum:k=3,rc=2 two.fa", want: []string{`rc = "2"`}},
	{name: "lambda zero", args: "cv --kernel substring:weight=decay,lambda=0 two.fa",
		want: []string{`kernel "substring:weight=decay,lambda=0": lambda = 0, want a number above 0`}},
	{name: "a term of a formula as typed", args: "cv --kernel 2*spectrum:k=3+spectrum:rc,subst=x two.fa",
		want: []string{`kernel "spectrum:rc,subst=x": spectrum with subst is mismatch: subst = "x"`}},
	{name: "lambda missing", args: "cv --kernel substring:weight=decay two.fa",
		want: []string{"lambda is missing or 0, want > 0 with weight=decay, such as lambda=0.5"}},
	{name: "lambda negative", args: "cv --kernel substring:weight=decay,lambda=-0.5 two.fa",
		want: []string{"lambda = -0.5, want > 0"}},
	{name: "lambda one", args: "cv --kernel substring:weight=decay,lambda=1 two.fa",
		want: []string{"lambda = 1, want < 1"}},
	{name: "lambda NaN", args: "cv --kernel substring:weight=decay,lambda=NaN two.fa",
		want: []string{`lambda = "NaN"`, "number"}},
	{name: "lambda where it is not used", args: "cv --kernel substring:weight=constant,lambda=0.5 two.fa",
		want: []string{"lambda is not used"}},
	{name: "unknown weighting", args: "cv --kernel substring:weight=heavy two.fa",
		want: []string{`"heavy"`, "fixed, bounded"}},
	{name: "length without weights", args: "cv --kernel substring:weight=length two.fa",
		want: []string{"0 weights", "want 1"}},
	{name: "weights negative", args: "cv --kernel substring:weight=length,weights=1:-1 two.fa",
		want: []string{"weight -1 of length 2"}},
	{name: "weights of nothing", args: "cv --kernel substring:weight=length,weights=0:0 two.fa",
		want: []string{"sum to 0"}},
	{name: "weights no numbers", args: "cv --kernel substring:weight=length,weights=1:x two.fa",
		want: []string{`number 2 is "x"`}},
	{name: "unknown alphabet", args: "cv --kernel spectrum --alphabet xna two.fa",
		want: []string{`--alphabet "xna"`, "dna"}},
	{name: "unknown alphabet of a kernel", args: "cv --kernel spectrum:alphabet=xna two.fa",
		want: []string{`"xna"`, "dna"}},
	{name: "format xml", args: "cv --kernel spectrum --format xml two.fa",
		want: []string{`--format "xml"`, "tsv, json"}},
	{name: "format of a matrix", args: "kernel --kernel spectrum --format numpy two.fa",
		want: []string{`--format "numpy"`, "tsv, json, npy, libsvm", `did you mean "npy"?`}},
	{name: "unknown solver", args: "cv --kernel spectrum --solver foo two.fa",
		want: []string{`--solver "foo"`, "auto, smo, cutting-plane"}},
	{name: "weight of an unknown class", args: "cv --kernel spectrum --class-weight +2=3 two.fa",
		want: []string{`--class-weight "+2=3"`, `want classes of the data, `, `"+2" is not one of them`}},
	{name: "tune with the weight of an unknown class", args: "tune --kernel spectrum --class-weight none,+2=3 two.fa",
		want: []string{`--class-weight "+2=3"`, `"+2" is not one of them`}},
	{name: "weight of a class without a number", args: "tune --kernel spectrum --class-weight none,a=x two.fa",
		want: []string{`--class-weight "a=x"`, "numbers from"}},
	{name: "unknown class weight", args: "cv --kernel spectrum --class-weight heavy two.fa",
		want: []string{`--class-weight "heavy"`, "none, balanced"}},
	{name: "unknown multiclass", args: "cv --kernel spectrum --multiclass all two.fa",
		want: []string{`--multiclass "all"`, "ovr, ovo"}},
	{name: "unknown input", args: "cv --kernel spectrum --input gff two.fa", want: []string{`--input "gff"`, "fasta"}},
	{name: "unknown ambiguous", args: "cv --kernel spectrum --ambiguous skip two.fa",
		want: []string{`--ambiguous "skip"`, "break, error"}},
	{name: "unknown soft mask", args: "cv --kernel spectrum --soft-mask drop two.fa",
		want: []string{`--soft-mask "drop"`, "upper, break"}},
	{name: "C zero", args: "cv --kernel spectrum --C 0 two.fa", want: []string{"--C 0, want > 0"}},
	{name: "C negative", args: "cv --kernel spectrum --C -1 two.fa", want: []string{"--C -1, want > 0"}},
	{name: "C NaN", args: "cv --kernel spectrum --C NaN two.fa", want: []string{"--C NaN, want"}},
	{name: "C infinite", args: "cv --kernel spectrum --C Inf two.fa", want: []string{"--C +Inf, want"}},
	{name: "C no number", args: "cv --kernel spectrum --C much two.fa", want: []string{"C", `"much"`}},
	{name: "tol zero", args: "cv --kernel spectrum --tol 0 two.fa", want: []string{"--tol 0, want"}},
	{name: "tol two", args: "cv --kernel spectrum --tol 2 two.fa", want: []string{"--tol 2, want"}},
	{name: "tol NaN", args: "cv --kernel spectrum --tol NaN two.fa", want: []string{"--tol NaN, want"}},
	{name: "cache zero", args: "cv --kernel spectrum --cache 0 two.fa", want: []string{"--cache 0, want 1"}},
	{name: "threads negative", args: "cv --kernel spectrum --threads -1 two.fa",
		want: []string{"--threads -1, want 0"}},
	{name: "seed no number", args: "cv --kernel spectrum --seed x two.fa", want: []string{"seed", `"x"`}},
	{name: "seed negative", args: "cv --kernel spectrum --seed -1 two.fa", want: []string{"seed", `"-1"`}},
	{name: "folds one", args: "cv --kernel spectrum --folds 1 two.fa", want: []string{"--folds 1, want 2"}},
	{name: "folds negative", args: "cv --kernel spectrum --folds -3 two.fa", want: []string{"--folds -3, want 2"}},
	{name: "unreadable pattern of groups", args: "cv --kernel spectrum --group regex:( two.fa",
		want: []string{"--group: ", "missing closing )"}},
	{name: "group column without a name", args: "cv --kernel spectrum --group column: two.fa",
		want: []string{"--group column: without a name"}},
	{name: "empty pattern of groups", args: "cv --kernel spectrum --group regex: two.fa",
		want: []string{"--group regex: without a pattern"}},
	{name: "similarity above one", args: "cv --kernel spectrum --similarity 80 two.fa",
		want: []string{"--similarity 80, want 0 to 1"}},
	{name: "similarity NaN", args: "cv --kernel spectrum --similarity NaN two.fa",
		want: []string{"--similarity NaN, want 0 to 1"}},
	{name: "groups of near-duplicates that are not looked for",
		args: "cv --kernel spectrum --similarity 0 --group near-duplicates two.fa",
		want: []string{"--group near-duplicates", "--similarity 0"}},
	{name: "file of near-duplicates that are not looked for",
		args: "cv --kernel spectrum --similarity 0 --near-duplicates x.tsv two.fa",
		want: []string{"--near-duplicates", "--similarity 0"}},
	{name: "near-duplicates replace an input", args: "cv --kernel spectrum --near-duplicates two.fa two.fa",
		want: []string{"--near-duplicates two.fa would replace an input"}},
	{name: "near-duplicates into the groups",
		args: "cv --kernel spectrum --group g.tsv --near-duplicates g.tsv two.fa",
		want: []string{"--near-duplicates g.tsv would replace an input"}},
	{name: "pos without neg", args: "train --kernel spectrum -o x.seqsvm --pos up.fa",
		want: []string{"--pos and --neg must be given together"}},
	{name: "neg without pos", args: "train --kernel spectrum -o x.seqsvm --neg down.fa",
		want: []string{"--pos and --neg must be given together"}},
	{name: "pos and operands", args: "train --kernel spectrum -o x.seqsvm --pos up.fa --neg down.fa two.fa",
		want: []string{`"two.fa"`, "--pos"}},
	{name: "pos and labels", args: "train --kernel spectrum -o x.seqsvm --pos up.fa --neg down.fa --labels l.tsv",
		want: []string{"--labels", "--pos"}},
	{name: "positive of three", args: "train --kernel spectrum -o x.seqsvm --positive A three.fa",
		want: []string{"--positive", "found 3"}},
	{name: "unknown positive", args: "train --kernel spectrum -o x.seqsvm --positive G two.fa",
		want: []string{`"G"`, `"A" "T"`}},
	{name: "one file for model and predictions", args: "train --kernel spectrum -o x --predictions ./x two.fa",
		want: []string{"--predictions and --output", "same file"}},
	{name: "one file for table and predictions", args: "cv --kernel spectrum --folds 3 -o x --predictions x two.fa",
		want: []string{"--predictions and --output", "same file"}},
	{name: "standard output twice", args: "cv --kernel spectrum --folds 3 --predictions - two.fa",
		want: []string{"--predictions", "standard output"}},
	{name: "output replaces an input", args: "predict -m m.seqsvm -o ./two.fa two.fa",
		want: []string{"--output ./two.fa would replace an input"}},
	{name: "features replace the dictionary", files: map[string]string{"d.txt": "a\nb\n",
		"t.tsv": "x\ta b\ny\tb c\n"}, args: "rfe --kernel words:binary,dict=@d.txt --features d.txt t.tsv",
		want: []string{"--features d.txt would replace an input"}},
	{name: "output replaces the model", args: "predict -m m.seqsvm -o m.seqsvm two.fa",
		want: []string{"--output m.seqsvm would replace an input"}},
	{name: "predictions replace the labels", args: "train --kernel spectrum -o x --labels l.tsv --predictions l.tsv " +
		"up.fa", want: []string{"--predictions l.tsv would replace an input"}},
	{name: "help of an unknown command", args: "help frain", want: []string{`unknown command "frain"`}},
	{name: "output without a name", args: "predict -m m.seqsvm --output= two.fa",
		want: []string{"--output is given without a value"}},
	{name: "labels without a name", args: "train --kernel spectrum -o x.seqsvm --labels= two.fa",
		want: []string{"--labels is given without a value"}},
	{name: "pos without a name", args: "train --kernel spectrum -o x.seqsvm --pos= --neg down.fa",
		want: []string{"--pos is given without a value"}},
	{name: "C beyond products", args: "cv --kernel spectrum --C 1e101 two.fa",
		want: []string{"--C 1e+101, want", "to 1e+100"}},
	{name: "C below products", args: "cv --kernel spectrum --C 1e-101 two.fa",
		want: []string{"--C 1e-101, want", "from 1e-100"}},
	{name: "two alphabets", args: "cv --kernel spectrum:alphabet=dna --alphabet rna two.fa",
		want: []string{`"spectrum:alphabet=dna"`, "--alphabet rna"}},
	{name: "k too large for the alphabet chosen", args: "cv --kernel spectrum:k=13 --alphabet protein two.fa",
		want: []string{"k = 13, want 1…12"}},
	{name: "standard input as model and data", args: "predict -m - -", want: []string{"standard input", "twice"}},
	{name: "standard input twice", args: "train --kernel spectrum -o x.seqsvm --pos - --neg -",
		want: []string{"standard input", "twice"}},
}

// dataCases are errors in data and other errors at run time: exit code 1.
var dataCases = []badCase{
	{name: "missing file", args: "cv --kernel spectrum none.fa", want: []string{"none.fa: no such file"}},
	{name: "windows of two lengths", files: map[string]string{"uneven.fa": ">a A\nAAAAC\n>b T\nTTTTG\n>c " +
		"A\nAAAA\n>d T\nTTTT\n"}, args: "cv --kernel wd:d=3 --folds 2 uneven.fa",
		want: []string{`uneven.fa:5: record "c": 4 letters, but the first record has 5`}},
	{name: "windows of two lengths to train on", files: map[string]string{"uneven.fa": ">a A\nAAAAC\n>b " +
		"T\nTTTTG\n>c A\nAAAA\n"}, args: "train --kernel wd:d=3 -o x.seqsvm uneven.fa",
		want: []string{`uneven.fa:5: record "c": 4 letters, but the first record has 5`}},
	{name: "windows of two lengths to compare", files: map[string]string{"long.fa": ">l\nACGTACGT\n"},
		args: "kernel --kernel wd:d=3 two.fa long.fa",
		want: []string{`long.fa:1: record "l": 8 letters, but the first record has 5`}},
	{name: "too few weights of positions", args: "cv --kernel wd:d=3,weights=1:1 --folds 3 two.fa",
		want: []string{"wd: 2 weights of positions for windows of 5 letters"}},
	{name: "missing second file", args: "cv --kernel spectrum two.fa none.fa", want: []string{"none.fa: no such file"}},
	{name: "missing pos file", args: "cv --kernel spectrum --pos none.fa --neg down.fa",
		want: []string{"none.fa: no such file"}},
	{name: "folder of another format", files: map[string]string{"f/x.txt": "words\n"},
		args: "cv --kernel spectrum --input fasta f", want: []string{"f/x.txt:1: expected '>'"}},
	{name: "directory as model", args: "predict -m . two.fa", want: []string{".: is a directory"}},
	{name: "directory to describe", args: "info .", want: []string{".: is a directory"}},
	{name: "missing model", args: "predict -m none.seqsvm two.fa", want: []string{"none.seqsvm: no such file"}},
	{name: "missing label file", args: "cv --kernel spectrum --labels none.tsv up.fa",
		want: []string{"none.tsv: no such file"}},
	{name: "directory as label file", args: "cv --kernel spectrum --labels . up.fa",
		want: []string{".: is a directory"}},
	{name: "missing group file", args: "cv --kernel spectrum --group none.tsv two.fa",
		want: []string{"none.tsv: no such file"}},
	{name: "missing weights file", args: "cv --kernel substring:weight=length,weights=@none.txt two.fa",
		want: []string{"none.txt", "no such file"}},
	{name: "weights file of other things", files: map[string]string{"w.txt": strings.Repeat("x", 9999)},
		args: "cv --kernel substring:weight=length,weights=@w.txt two.fa",
		code: cli.ExitUsage, want: []string{"number 1 is", "want a number"}},
	{name: "empty weights file", files: map[string]string{"w.txt": " \n"},
		args: "cv --kernel substring:weight=length,weights=@w.txt two.fa", code: cli.ExitUsage,
		want: []string{"0 weights"}},

	{name: "empty file", files: map[string]string{"e.fa": ""}, args: "cv --kernel spectrum e.fa",
		want: []string{"e.fa: the file is empty"}},
	{name: "empty standard input", args: "cv --kernel spectrum -", want: []string{"standard input: the file is empty"}},
	{name: "blank file", files: map[string]string{"e.fa": "\n\n"}, args: "cv --kernel spectrum e.fa",
		want: []string{"e.fa: no records"}},
	{name: "no header", files: map[string]string{"e.fa": "ACGT\n"}, args: "cv --kernel spectrum e.fa",
		want: []string{"e.fa:1: expected '>'"}},
	{name: "no header, no suffix", stdin: "ACGT\n", args: "cv --kernel spectrum -",
		want: []string{"standard input:1: neither FASTA", "--input"}},
	{name: "header without id", files: map[string]string{"e.fa": ">a A\nACGT\n>\nACGT\n"},
		args: "cv --kernel spectrum e.fa", want: []string{`e.fa:3: record "2": no label`}},
	{name: "header without id where ids are looked up", files: map[string]string{"e.fa": ">a A\nACGT\n>\nACGT\n"},
		args: "cv --kernel spectrum --group groups.tsv e.fa", want: []string{"e.fa:3: header without an id"}},
	{name: "duplicate id", files: map[string]string{"e.fa": ">a A\nACGT\n>b B\nACGT\n>a A\nACC\n"},
		args: "cv --kernel spectrum --group groups.tsv e.fa",
		want: []string{`e.fa:5: record "a": duplicate id`, "line 1"}},
	{name: "list in UTF-16", files: map[string]string{"list": "t\x00w\x00o\x00.\x00f\x00a\x00\n\x00"},
		args: "cv --kernel spectrum --files list", want: []string{"list:1: NUL byte in a name, as in UTF-16"}},
	{name: "NUL bytes", files: map[string]string{"e.fa": ">a A\nAC\x00GT\n"}, args: "cv --kernel spectrum e.fa",
		want: []string{`e.fa:2: record "a": NUL byte`, "column 3"}},
	{name: "CR alone", files: map[string]string{"e.fa": ">a A\rACGT\r>b B\rAC\r"}, args: "cv --kernel spectrum e.fa",
		want: []string{"e.fa:1: line ends are lone CR"}},
	{name: "digit", files: map[string]string{"e.fa": ">a A\nACGT\n>b B\nAC1GT\n"}, args: "cv --kernel spectrum e.fa",
		want: []string{`e.fa:4: record "b": digit '1'`, "column 3"}},
	{name: "header inside a line", files: map[string]string{"e.fa": ">a A\nACGT>b B\nACGT\n"},
		args: "cv --kernel spectrum e.fa", want: []string{`e.fa:2: record "a": '>' in the sequence`}},
	{name: "UTF-16", files: map[string]string{"e.fa": "\xff\xfe>\x00a\x00"}, args: "cv --kernel spectrum e.fa",
		want: []string{"e.fa: UTF-16"}},
	{name: "zip", files: map[string]string{"e.fa": "PK\x03\x04 and so on"}, args: "cv --kernel spectrum e.fa",
		want: []string{"e.fa: zip compression is not read"}},
	{name: "short quality", files: map[string]string{"e.fq": "@a A\nACGT\n+\nIII\n@b B\nA\n+\nI\n"},
		args: "cv --kernel spectrum e.fq", want: []string{`e.fq:4: record "a": 3 qualities for 4 letters`}},
	{name: "FASTQ cut off", files: map[string]string{"e.fq": "@a A\nACGT\n"}, args: "cv --kernel spectrum e.fq",
		want: []string{`e.fq:2: record "a": the record is cut off`}},
	{name: "protein letter in DNA", files: map[string]string{"e.fa": ">a A\nACGT\n>b B\nACGT\nACEGT\n"},
		args: "cv --kernel spectrum --alphabet dna --ambiguous error e.fa",
		want: []string{`e.fa:5: record "b": letter 'E' is not DNA`}},
	{name: "protein letter for a DNA model", args: "predict -m m.seqsvm --ambiguous error prot.fa",
		want: []string{`prot.fa:2: record "p1": letter 'M' is not DNA`}},
	{name: "rc of protein", args: "cv --kernel spectrum:k=2,rc --folds 2 prot.fa", want: []string{"protein", "rc"}},
	{name: "k too large for protein", args: "cv --kernel spectrum:k=13 --folds 2 prot.fa",
		want: []string{"k = 13, want 1…12"}},

	{name: "letters outside the alphabet of the kernel",
		args: "train --kernel spectrum:k=2,alphabet=dna --ambiguous error -o x.seqsvm prot.fa",
		want: []string{`prot.fa:2: record "p1": letter 'M' is not DNA`}},

	{name: "label not in UTF-8", files: map[string]string{"e.fa": ">a A\nACGT\n>b \xff\nACC\n"},
		args: "train --kernel spectrum -o x.seqsvm e.fa",
		want: []string{`e.fa:3: record "b": label "\xff" is not UTF-8`}},
	{name: "one class", files: map[string]string{"e.fa": ">a A\nACGT\n>b A\nACC\n"},
		args: "train --kernel spectrum -o x.seqsvm e.fa", want: []string{`e.fa: `, `label "A"`, "two classes"}},
	{name: "no label", files: map[string]string{"e.fa": ">a A\nACGT\n>b\nACC\n"},
		args: "train --kernel spectrum -o x.seqsvm e.fa", want: []string{`e.fa:3: record "b": no label`}},
	{name: "no label in text", files: map[string]string{"e.txt": "one\ntwo\n"},
		args: "train --kernel spectrum -o x.seqsvm e.txt", want: []string{`e.txt:1: no label`}},
	{name: "no label to evaluate", args: "evaluate -m m.seqsvm up.fa",
		want: []string{`up.fa:1: record "u1": no label`}},
	{name: "label the model has not", files: map[string]string{"e.fa": ">a A\nACGT\n>b B\nACC\n"},
		args: "evaluate -m m.seqsvm e.fa", want: []string{`e.fa:3: record "b": label "B"`, "A, T"}},
	{name: "pos and neg for a model of other classes", args: "evaluate -m m.seqsvm --pos up.fa --neg down.fa",
		want: []string{`up.fa:1: record "u1": label "pos"`, "A, T"}},
	{name: "label file misses an id", files: map[string]string{"l.tsv": "u1\tA\nu3\tB\n"},
		args: "cv --kernel spectrum --labels l.tsv up.fa", want: []string{`up.fa:3: record "u2"`, "l.tsv"}},
	{name: "label file has other ids", files: map[string]string{"l.tsv": "u1\tA\nu2\tA\nu3\tB\nu4\tB\nu5\tB\nu6\tA\n"},
		args: "cv --kernel spectrum --labels l.tsv up.fa", want: []string{`l.tsv:4: record "u4"`, "up.fa"}},
	{name: "label file has an id twice", files: map[string]string{"l.tsv": "u1\tA\nu2\tA\nu1\tB\nu3\tB\n"},
		args: "cv --kernel spectrum --labels l.tsv up.fa",
		want: []string{`l.tsv:3: record "u1": duplicate id`, "line 1"}},
	{name: "label file of spaces", files: map[string]string{"l.tsv": "u1 A\n"},
		args: "cv --kernel spectrum --labels l.tsv up.fa", want: []string{"l.tsv:1: 1 column, want 2"}},
	{name: "label file of three columns", files: map[string]string{"l.tsv": "u1\tA\tx\n"},
		args: "cv --kernel spectrum --labels l.tsv up.fa", want: []string{"l.tsv:1: 3 columns, want 2"}},
	{name: "label file with an empty label", files: map[string]string{"l.tsv": "u1\tA\nu2\t\n"},
		args: "cv --kernel spectrum --labels l.tsv up.fa", want: []string{`l.tsv:2: `, `"u2"`, "empty label"}},
	{name: "empty label file", files: map[string]string{"l.tsv": ""},
		args: "cv --kernel spectrum --labels l.tsv up.fa", want: []string{"l.tsv: the file is empty"}},
	{name: "label file for an id in two files", files: map[string]string{"l.tsv": "u1\tA\nu2\tA\nu3\tB\n",
		"again.fa": ">u1\nACGT\n"},
		args: "cv --kernel spectrum --labels l.tsv up.fa again.fa", want: []string{`again.fa:1: record "u1"`, "up.fa"}},
	{name: "group file misses an id", files: map[string]string{"g.tsv": "a1\tx\n"},
		args: "cv --kernel spectrum --group g.tsv two.fa",
		want: []string{`two.fa:3: record "a2": there is no group for it in g.tsv`}},
	{name: "group file without groups", files: map[string]string{"g.tsv": "a1\n"},
		args: "cv --kernel spectrum --group g.tsv two.fa", want: []string{"g.tsv:1: 1 column, want 2: id, tab, group"}},
	{name: "no chromosome in the id", args: "cv --kernel spectrum --group chrom two.fa",
		want: []string{`two.fa:1: record "a1": no group`, "SEQ:START-END"}},
	{name: "group column that headers lack", args: "cv --kernel spectrum --group column:gene two.fa",
		want: []string{`two.fa:1: record "a1": no gene=… in the header`}},
	{name: "no match in the header", args: "cv --kernel spectrum --group regex:^a(.) two.fa",
		want: []string{`two.fa:7: record "t1": no group`, "^a(.)"}},
	{name: "empty match in the header", args: "cv --kernel spectrum --group regex:1(x*) two.fa",
		want: []string{`two.fa:1: record "a1": no group`, "empty"}},
	{name: "no header in text", files: map[string]string{"e.txt": "one\ntwo\n", "l.tsv": "1\tA\n2\tB\n"},
		args: "cv --kernel spectrum --labels l.tsv --group chrom e.txt", want: []string{"e.txt:1: no group"}},
	{name: "fewer chromosomes than folds", files: map[string]string{"e.fa": ">c1:0-4 A\nACGT\n>c1:4-8 " +
		"B\nACCA\n>c2:0-4 A\nGGGG\n>c2:4-8 B\nTTTT\n"}, args: "cv --kernel spectrum --folds 3 --group chrom e.fa",
		want: []string{"e.fa: ", "2 groups, but 3 folds"}},
	{name: "fewer groups of near-duplicates than folds",
		args:  "cv --kernel spectrum --folds 3 --group near-duplicates same.fa",
		files: map[string]string{"same.fa": ">a A\nACGT\n>b B\nACGT\n>c A\nACCT\n>d B\nACCT\n"},
		want:  []string{"same.fa: ", "2 groups, but 3 folds"}},
	{name: "near-duplicates into no folder", args: "cv --kernel spectrum --folds 3 --near-duplicates no/x.tsv two.fa",
		want: []string{"no/x.tsv: cannot write"}},
	{name: "fewer groups than folds", files: map[string]string{"g.tsv": "a1\tx\na2\tx\na3\ty\nt1\tx\nt2\ty\nt3\ty\n"},
		args: "cv --kernel spectrum --folds 3 --group g.tsv two.fa",
		want: []string{"two.fa: ", "2 groups, but 3 folds", "; --folds takes at most 2 with these, or give more groups"}},
	{name: "a class in one group", files: map[string]string{"g.tsv": "a1\tx\na2\tx\na3\tx\nt1\ty\nt2\ty\nt3\ty\n"},
		args: "cv --kernel spectrum --folds 2 --group g.tsv two.fa", want: []string{"two.fa: ", "class", "fold"}},
	{name: "more folds than records, by default", args: "cv --kernel spectrum two.fa",
		want: []string{"two.fa: ", "10 folds of 6 records, want at least 2 folds and a record in each",
			"; --folds takes at most 6 with these, or give more records"}},
	{name: "more folds of rfe than records", args: "rfe --kernel spectrum:k=2 two.fa",
		want: []string{"two.fa: ", "10 folds of 6 records", "; --folds takes at most 6"}},
	{name: "more outer folds than records", args: "tune --kernel spectrum:k=2 --folds 2 --nested 7 two.fa",
		want: []string{"two.fa: ", "7 folds of 6 records", "; --nested takes at most 6"}},
	{name: "more folds than records", args: "cv --kernel spectrum --folds 7 two.fa",
		want: []string{"two.fa: ", "7 folds of 6 records"}},
	{name: "a class of one record", files: map[string]string{"e.fa": ">a A\nACGT\n>b A\nACC\n>c B\nGGG\n"},
		args: "cv --kernel spectrum --folds 2 e.fa", want: []string{"e.fa: ", `class "B" has 1 record`, "at least 2"}},

	{name: "not a model", args: "predict -m two.fa two.fa", want: []string{"two.fa: not a seqsvm model"}},
	{name: "empty model", files: map[string]string{"e.seqsvm": ""}, args: "predict -m e.seqsvm two.fa",
		want: []string{"e.seqsvm: not a seqsvm model"}},
	{name: "standard input is no model", stdin: ">a\nACGT\n", args: "info -",
		want: []string{"standard input: not a seqsvm model"}},
	{name: "empty standard input as model", args: "predict -m - two.fa",
		want: []string{"standard input: not a seqsvm model"}},
	{name: "no words on standard input", stdin: ">a\nA\n", args: "kmers -m m.seqsvm -",
		want: []string{"standard input: no k-mer of"}},
	{name: "labels of another file from standard input", stdin: "v1\tA\n",
		args: "cv --kernel spectrum --labels - up.fa", want: []string{`standard input:1: record "v1"`, "up.fa"}},
	{name: "not a model to describe", args: "info two.fa", want: []string{"two.fa: not a seqsvm model"}},

	{name: "kernel of two files, the second empty", files: map[string]string{"e.fa": ""},
		args: "kernel --kernel spectrum -o k.tsv two.fa e.fa", want: []string{"e.fa: the file is empty"}},
	{name: "output in no folder", args: "train --kernel spectrum -o no/x.seqsvm two.fa",
		want: []string{"no/x.seqsvm: cannot write", "no does not exist"}},
	{name: "output is a folder", args: "train --kernel spectrum -o . two.fa",
		want: []string{".: cannot write: is a directory"}},
	{name: "output below a file", args: "train --kernel spectrum -o two.fa/x.seqsvm two.fa",
		want: []string{"two.fa/x.seqsvm: cannot write: not a directory"}},
	{name: "predictions of train in no folder", args: "train --kernel spectrum --predictions no/p.tsv -o x.seqsvm " +
		"two.fa", want: []string{"no/p.tsv: cannot write"}},
	{name: "model in no folder, predictions in one", args: "train --kernel spectrum --predictions p.tsv -o " +
		"no/x.seqsvm two.fa", want: []string{"no/x.seqsvm: cannot write"}},
	{name: "output of predict in no folder", args: "predict -m m.seqsvm -o no/p.tsv two.fa",
		want: []string{"no/p.tsv: cannot write"}},
	{name: "output of evaluate in no folder", args: "evaluate -m m.seqsvm --predictions p.tsv -o no/e.tsv two.fa",
		want: []string{"no/e.tsv: cannot write"}},
	{name: "output of cv in no folder", args: "cv --kernel spectrum --folds 3 --predictions p.tsv -o no/c.tsv two.fa",
		want: []string{"no/c.tsv: cannot write"}},
	{name: "output of kernel in no folder", args: "kernel --kernel spectrum -o no/k.tsv two.fa",
		want: []string{"no/k.tsv: cannot write"}},
	{name: "output of info is a folder", args: "info -o . m.seqsvm", want: []string{".: cannot write"}},
}

func TestUsageErrors(t *testing.T) { checkBadCases(t, usageCases, cli.ExitUsage) }

// brokenStreams are compressed inputs that hold nothing, are cut off or damaged. Compressing takes milliseconds: a
// variable would cost them in every program that a script starts.
func brokenStreams() []badCase {
	return []badCase{
		{name: "empty gzip", files: map[string]string{"e.fa.gz": string(gzipped(nil))},
			args: "cv --kernel spectrum e.fa.gz", want: []string{"e.fa.gz: the file is empty"}},
		{name: "truncated gzip", files: map[string]string{"e.fa.gz": half(gzipped(random(5000)))},
			args: "cv --kernel spectrum e.fa.gz", want: []string{"e.fa.gz: ", "gzip"}},
		{name: "corrupt gzip", files: map[string]string{"e.fa.gz": flipped(gzipped(random(5000)))},
			args: "cv --kernel spectrum e.fa.gz", want: []string{"e.fa.gz: ", "gzip"}},
		{name: "truncated zstd", files: map[string]string{"e.fa.zst": half(zstded(random(5000)))},
			args: "cv --kernel spectrum e.fa.zst", want: []string{"e.fa.zst: ", "zstd"}},
		{name: "corrupt zstd", files: map[string]string{"e.fa.zst": flipped(zstded(random(5000)))},
			args: "cv --kernel spectrum e.fa.zst", want: []string{"e.fa.zst: ", "zstd"}},
		{name: "positives from a broken stream", files: places(""), stdin: half(gzipped(random(999))),
			args: "negatives --genome g.fa --positives -", want: []string{"standard input: "}},
		{name: "genome cut off", files: map[string]string{"g.fa.gz": half(gzipped(random(5000)))},
			args: "scan -m m.seqsvm --window 4 --top 1 g.fa.gz", want: []string{"g.fa.gz: the gzip stream is cut off"}},
		{name: "truncated annotation", files: map[string]string{"g.fa": intron()["g.fa"],
			"g.gff": half(gzipped([]byte(strings.Repeat(intron()["g.gff"], 99))))}, args: cutArgs,
			want: []string{"g.gff: the gzip stream"}},
		{name: "truncated gzip of LS-GKM", files: map[string]string{"g.gz": half(gzipped([]byte(gkmModel)))},
			args: "convert g.gz -o x.seqsvm", want: []string{"g.gz: the gzip stream"}},
		{name: "variants from a broken stream", files: vcf(""),
			stdin: half(gzipped([]byte(strings.Repeat("chr1\t1\t.\tA\tC\n", 99)))),
			args:  "variants -m m.seqsvm --genome g.fa -", want: []string{"standard input: the gzip stream"}},
	}
}

func TestBrokenStreams(t *testing.T) { checkBadCases(t, brokenStreams(), cli.ExitFailed) }

func TestDataErrors(t *testing.T) { checkBadCases(t, dataCases, cli.ExitFailed) }

func checkBadCases(t *testing.T, cases []badCase, code int) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.code == 0 {
				c.code = code
			}
			inGoodFolder(t)
			writeFiles(t, c.files)
			checkBad(t, c)
		})
	}
}

// goodModel is m.seqsvm, once trained.
var goodModel []byte

// inGoodFolder changes to a new folder with the good files and the model.
func inGoodFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	writeFiles(t, goodFiles)
	if goodModel == nil {
		mustTool(t, "train", "--kernel", "spectrum:k=2", "-o", "m.seqsvm", "two.fa")
		var err error
		if goodModel, err = os.ReadFile("m.seqsvm"); err != nil {
			t.Fatal(err)
		}
	}
	writeFiles(t, map[string]string{"m.seqsvm": string(goodModel)})
}

// checkBad runs a case in the current folder, which must be unchanged afterwards.
func checkBad(t *testing.T, c badCase) {
	t.Helper()
	before := listing(t, ".")
	r := tool(t, c.stdin, strings.Fields(c.args)...)
	if r.code != c.code {
		t.Errorf("exit code %d, want %d", r.code, c.code)
	}
	if r.out != "" {
		t.Errorf("standard output: %q", r.out)
	}
	checkMessage(t, r.err, c.want)
	if after := listing(t, "."); !maps.Equal(before, after) {
		t.Errorf("the folder has changed: %d files before, %d after", len(before), len(after))
		for name := range after {
			if before[name] != after[name] {
				t.Errorf("%s is new or different", name)
			}
		}
	}
}

// checkMessage wants one line that holds the parts in order.
func checkMessage(t *testing.T, message string, parts []string) {
	t.Helper()
	rest, ok := strings.CutPrefix(message, "seqsvm: ")
	if !ok || strings.Count(message, "\n") != 1 || !strings.HasSuffix(message, "\n") {
		t.Errorf("not one line that begins with the tool's name: %q", message)
	}
	if strings.ContainsFunc(strings.TrimSuffix(message, "\n"), func(r rune) bool { return r < ' ' || r == 0x7f }) {
		t.Errorf("control characters: %q", message)
	}
	for _, part := range parts {
		var found bool
		if _, rest, found = strings.Cut(rest, part); !found {
			t.Errorf("message: %swant in it, in this order: %q", message, parts)
			return
		}
	}
	if testing.Verbose() {
		t.Logf("%s", message)
	}
}

// half cuts a file in the middle.
func half(data []byte) string { return string(data[:len(data)/2]) }

// flipped turns a bit in the middle of a file.
func flipped(data []byte) string {
	data[len(data)/2] ^= 0x10
	return string(data)
}

// random is a FASTA file of two records with n letters each that hardly compress further than to two bits a letter.
func random(n int) []byte {
	var b strings.Builder
	state := uint32(1)
	for _, header := range []string{">a A\n", ">b B\n"} {
		b.WriteString(header)
		for range n {
			state = state*1664525 + 1013904223
			b.WriteByte("ACGT"[state>>30])
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// The superuser ignores permissions, so this needs an ordinary user.
func TestPermissionErrors(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("permissions do not bind the superuser")
	}
	inGoodFolder(t)
	for _, name := range []string{"closed", "open"} {
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	writeFiles(t, map[string]string{"open/secret.fa": goodFiles["two.fa"], "open/protected.seqsvm": "precious"})
	chmod(t, "open/secret.fa", 0)
	chmod(t, "open/protected.seqsvm", 0o400)
	chmod(t, "closed", 0o500)
	for _, c := range []badCase{
		{args: "cv --kernel spectrum open/secret.fa", want: []string{"open/secret.fa: permission denied"}},
		{args: "predict -m open/secret.fa two.fa", want: []string{"open/secret.fa: permission denied"}},
		{args: "train --kernel spectrum -o closed/x.seqsvm two.fa",
			want: []string{"closed/x.seqsvm: cannot write: permission denied"}},
		{args: "train --kernel spectrum -o open/protected.seqsvm two.fa",
			want: []string{"open/protected.seqsvm: cannot write: permission denied"}},
	} {
		r := tool(t, "", strings.Fields(c.args)...)
		if r.code != cli.ExitFailed || r.out != "" {
			t.Errorf("%s: exit code %d, %q", c.args, r.code, r.out)
		}
		checkMessage(t, r.err, c.want)
	}
	if precious, err := os.ReadFile("open/protected.seqsvm"); string(precious) != "precious" {
		t.Errorf("a protected file was replaced: %v", err)
	}
	chmod(t, "open/secret.fa", 0o600)
	if files := listing(t, "open"); len(files) != 2 {
		t.Errorf("%d files in the folder, want 2", len(files))
	}
	if files := listing(t, "closed"); len(files) != 0 {
		t.Errorf("%d files in the closed folder", len(files))
	}
}

// chmod sets permissions, and opens them again at the end so that the folder can be removed.
func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(path, 0o700) })
}
