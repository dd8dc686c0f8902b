package main

import (
	"strings"
	"testing"
)

// commandOptions are the options of each command as the design has them; every command has those of "" besides.
var commandOptions = map[string]string{
	"":           "--threads --seed --max-memory --quiet -q --help -h",
	"train":      "--kernel -k --no-normalize --output -o --keep-sequences --predictions --format --pos --neg --labels -C --loss --tol --class-weight --solver --cache --multiclass --positive --probability --sparse --input --keep-newline --ambiguous --alphabet --soft-mask --text --label --id --header --split --encoding --html --tree --tree-labels --tree-depth --tree-nodes --tree-cut --multilabel --hierarchy",
	"cv":         "--kernel -k --no-normalize --output -o --folds --group --similarity --near-duplicates --predictions --format --pos --neg --labels -C --loss --tol --class-weight --solver --cache --multiclass --positive --probability --sparse --input --keep-newline --ambiguous --alphabet --soft-mask --text --label --id --header --split --encoding --html --tree --tree-labels --tree-depth --tree-nodes --tree-cut --multilabel --hierarchy --baseline",
	"predict":    "--model -m --raw --output -o --format --input --keep-newline --ambiguous --text --label --id --header --split --encoding --html --tree --tree-labels --tree-depth --tree-nodes --tree-cut",
	"evaluate":   "--model -m --output -o --format --predictions --pos --neg --labels --input --keep-newline --ambiguous --text --label --id --header --split --encoding --html --tree --tree-labels --tree-depth --tree-nodes --tree-cut",
	"kernel":     "--kernel -k --no-normalize --output -o --format --input --keep-newline --ambiguous --alphabet --soft-mask --text --label --id --header --split --encoding --html --tree --tree-labels --tree-depth --tree-nodes --tree-cut",
	"tune":       "--kernel -k --no-normalize --metric --folds --nested --random --pick --output -o --keep-sequences --format --group --similarity --near-duplicates --pos --neg --labels -C --loss --tol --class-weight --solver --cache --multiclass --positive --probability --sparse --input --keep-newline --ambiguous --alphabet --soft-mask --text --label --id --header --split --encoding --html --tree --tree-labels --tree-depth --tree-nodes --tree-cut --multilabel --hierarchy",
	"negatives":  "--shuffle -k --copies --genome --positives --exclude --ratio --gc-tolerance --repeat-tolerance --tries --negatives-bed --positives-fasta --report --output -o --input --keep-newline --ambiguous --alphabet --soft-mask",
	"kmers":      "--model -m --output -o --input --keep-newline --ambiguous",
	"variants":   "--model -m --genome --output -o",
	"windows":    "--genome --annotation --site --exons --min-intron --bed --at --list --unknown --upstream --downstream --window --offset --consensus --decoys --test-decoys --decoys-from --distance --duplicates --split --train --test --report --output -o",
	"scan":       "--model -m --window --step --strand --anchor --offset --skip-ambiguous --class --raw --format --output -o --min-score --top --fdr --calibrate --suppress --merge",
	"explain":    "--model -m --class --top --min-length --unit --format --output -o --input --keep-newline --ambiguous --text --label --id --header --split --encoding --html --tree --tree-labels --tree-depth --tree-nodes --tree-cut",
	"rfe":        "--kernel -k --no-normalize --step --least --folds --metric --features --keep --output -o --format --group --similarity --near-duplicates --pos --neg --labels -C --tol --loss --class-weight --solver --cache --multiclass --positive --sparse --input --keep-newline --ambiguous --alphabet --soft-mask --text --label --id --header --split --encoding --html --tree --tree-labels --tree-depth --tree-nodes --tree-cut --multilabel --hierarchy",
	"unmask":     "--chunk --words --remove --rounds --folds --runs -C --output -o --format --input --keep-newline --ambiguous --text --label --id --header --split --encoding --html",
	"poim":       "--model -m --length --top --maxima --class --background --output -o",
	"convert":    "--output -o --keep-sequences",
	"bench":      "--kernel -k --sequences -n --length --repeats -C --output -o --format",
	"kernels":    "--output -o --format",
	"info":       "--output -o --format",
	"completion": "",
}

// “help COMMAND” is “COMMAND --help”, with and without a command.
func TestHelpCommand(t *testing.T) {
	for _, command := range []string{"", "train", "info"} {
		if got, want := mustTool(t, strings.Fields("help "+command)...), mustTool(t, strings.Fields(command+" --help")...); got != want {
			t.Errorf("help %s differs from %s --help", command, command)
		}
	}
}

// A message is one line without control characters, whatever a file is called, and so is a warning.
func TestOneLine(t *testing.T) {
	if got, want := oneLine("a\x1b[31m\nb\tc\x7f\u009b: é"), `a\x1b[31m; b\x09c\x7f\x9b: é`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	t.Chdir(t.TempDir())
	const name = "a\x1b[31m\n.fa"
	writeFiles(t, map[string]string{name: ">a A\nACGUACGUUU\n>b B\nUUUUUUUUUU\n"})
	r := tool(t, "", "train", "-k", "spectrum:k=2,alphabet=dna", "-o", "m", name)
	if r.code != exitOK || !strings.Contains(r.err, `of a\x1b[31m; .fa are outside`) {
		t.Errorf("a warning of %q: %q", name, r.err)
	}
}

// More processors than there can be are as many as there are.
func TestManyThreads(t *testing.T) {
	inGoodFolder(t)
	want := mustTool(t, "predict", "--threads", "1", "-m", "m.seqsvm", "two.fa")
	if got := mustTool(t, "predict", "--threads", "1000000000", "-m", "m.seqsvm", "two.fa"); got != want {
		t.Error("other predictions")
	}
}

// Names from data are listed in part if they are many or long.
func TestListNames(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"a", "b c"}, "a, b c"},
		{strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12 13 14"), "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, … (14 in all)"},
		{[]string{strings.Repeat("é", 100)}, strings.Repeat("é", 60)},
	} {
		if got := listNames(c.names); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// The help of a command names each of its options, and no option is left out of this test.
func TestHelpNamesEveryOption(t *testing.T) {
	t.Chdir(t.TempDir())
	app := newApp(streams{})
	if len(app.Commands) != len(commandOptions)-1 {
		t.Errorf("%d commands, %d tested", len(app.Commands), len(commandOptions)-1)
	}
	for _, command := range app.Commands {
		want := strings.Fields(commandOptions[command.Name] + " " + commandOptions[""])
		help := mustTool(t, command.Name, "--help")
		words := map[string]bool{}
		for _, word := range strings.FieldsFunc(help, func(r rune) bool { return strings.ContainsRune(" ,\n[]", r) }) {
			words[word] = true
		}
		for _, option := range want {
			if !words[option] {
				t.Errorf("help of %s does not name %s", command.Name, option)
			}
		}
		for _, option := range optionNames(command) {
			if !strings.Contains(" "+strings.Join(want, " ")+" ", " "+option+" ") {
				t.Errorf("%s has an option %s that is not in the design", command.Name, option)
			}
		}
		if short := mustTool(t, command.Name, "-h"); short != help {
			t.Errorf("%s -h and --help differ", command.Name)
		}
		if !strings.Contains(help, command.Usage) {
			t.Errorf("help of %s does not say what it does", command.Name)
		}
	}
}
