package main_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// TestTuneEqualsCV compares every candidate with cv under the options for train that tune prints.
func TestTuneEqualsCV(t *testing.T) {
	for _, args := range []string{
		"--kernel spectrum:k=3..4 --kernel substring:weight=decay,lambda=0.5/0.8,alphabet=dna --C 0.1,10 " +
			"--class-weight none,balanced ../../testdata/fasta/promoters.fa",
		"--kernel words:ngram=1-2,-/tfidf+substring:weight=tfidf,k=3 --kernel words:sublinear --C 0.1,10 " +
			"--multiclass ovr,ovo --input tsv --text text --label label testdata/tune/fruit.tsv",
		"--kernel words:ngram=1-2,-/tfidf --C 0.1,1,10 --multiclass ovr,auto --input tsv --text text --label label " +
			"testdata/tune/fruit.tsv",
		"--kernel words:ngram=1-2,-/tfidf --C 0.1,1,10 --multiclass ovr --loss hinge,squared-hinge --input tsv " +
			"--text text --label label testdata/tune/fruit.tsv",
	} {
		fields := append(strings.Fields(args), "--folds", "3", "--tol", "1e-6", "--quiet", "--format", "json")
		var table struct {
			Candidates []struct {
				Options  string `json:"options"`
				Mean, SD json.RawMessage
			}
		}
		if err := json.Unmarshal([]byte(mustTool(t, append([]string{"tune"}, fields...)...)), &table); err != nil {
			t.Fatal(err)
		}
		if len(table.Candidates) < 12 {
			t.Fatalf("%s: %d candidates", args, len(table.Candidates))
		}
		files := fields[len(strings.Fields(args))-1 : len(strings.Fields(args))]
		for _, c := range table.Candidates {
			line := append(append([]string{"cv", "--folds", "3", "--quiet", "--format", "json"},
				strings.Fields(c.Options)...), files...)
			var want struct{ Mean, SD json.RawMessage }
			if err := json.Unmarshal([]byte(mustTool(t, line...)), &want); err != nil {
				t.Fatal(err)
			}
			sameMetrics(t, c.Options+": mean", c.Mean, want.Mean)
			sameMetrics(t, c.Options+": sd", c.SD, want.SD)
		}
	}
}

func sameMetrics(t *testing.T, what string, got, want json.RawMessage) {
	t.Helper()
	var a, b map[string]*float64
	if err := json.Unmarshal(got, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(want, &b); err != nil {
		t.Fatal(err)
	}
	if len(b) < 7 {
		t.Fatalf("%s: cv has %d metrics", what, len(b))
	}
	for name, x := range b {
		if y := a[name]; (x == nil) != (y == nil) || x != nil && math.Abs(*x-*y) > 1e-9 {
			t.Errorf("%s %s is %s, cv has %s", what, name, got, want)
		}
	}
}

// TestTuneTakesEveryOptionOfLearning finds an option that train has and tune does not.
func TestTuneTakesEveryOptionOfLearning(t *testing.T) {
	help := mustTool(t, "tune", "--help")
	_, learning, _ := strings.Cut(mustTool(t, "train", "--help"), "LEARNING OPTIONS:\n")
	learning, _, _ = strings.Cut(learning, "\n\n")
	names := regexp.MustCompile(`(?m)^   (-\S+)`).FindAllString(learning, -1)
	if len(names) < 12 {
		t.Fatalf("train has %d options of learning", len(names))
	}
	for _, name := range names {
		if !strings.Contains(help, "\n"+name+" ") {
			t.Errorf("tune has no option %s", name)
		}
	}
}

var tuneUsageCases = []badCase{
	{name: "tune of trees without a kernel", args: "tune --tree penn two.fa", want: []string{"--tree penn", "such as sst"}},
	{name: "tune with a budget of nothing", args: "tune --budget 0s two.fa", want: []string{`--budget "0s"`, "such as 60s"}},
	{name: "tune with a budget of time and a kernel", args: "tune --budget 9s --kernel spectrum:k=2 two.fa",
		want: []string{"--budget cannot be used with --kernel"}},
	{name: "tune with a table and no kernel", args: "tune --table t.tsv two.fa",
		want: []string{"--table cannot be used with tune without --kernel"}},
	{name: "tune without files", args: "tune --kernel spectrum:k=2", want: []string{"no input file"}},
	{name: "tune of an unknown kernel", args: "tune --kernel spektrum:k=2..3 two.fa",
		want: []string{`unknown kernel "spektrum"`}},
	{name: "tune of an unknown parameter", args: "tune --kernel spectrum:q=2..3 two.fa",
		want: []string{`unknown parameter "q"`}},
	{name: "tune out of range", args: "tune --kernel spectrum:k=31..33 two.fa",
		want: []string{"spectrum:k=33", "k = 33, want 1…32"}},
	{name: "tune down a range", args: "tune --kernel spectrum:k=5..2 two.fa",
		want: []string{`range "5..2"`, "does not ascend"}},
	{name: "tune of an endless range", args: "tune --kernel spectrum:k=1..999999999999 two.fa",
		want: []string{"more than 100000 values"}},
	{name: "tune of half a range", args: "tune --kernel spectrum:k=2.. two.fa",
		want: []string{`range "2.."`, "integers"}},
	{name: "tune with a missing value", args: "tune --kernel spectrum:k=2/ two.fa",
		want: []string{"alternative is missing"}},
	{name: "tune with a value twice", args: "tune --kernel spectrum:k=2/2 two.fa", want: []string{`duplicate value "2"`}},
	{name: "tune with a sum of nothing", args: "tune --kernel spectrum:k=2+ two.fa", want: []string{`k = "2+"`}},
	{name: "tune with an empty C", args: "tune --kernel spectrum:k=2 --C 1,,2 two.fa",
		want: []string{"--C", "separated by commas"}},
	{name: "tune with C twice", args: "tune --kernel spectrum:k=2 --C 1,2,1 two.fa",
		want: []string{"--C", "lists 1 twice"}},
	{name: "tune with C zero", args: "tune --kernel spectrum:k=2 --C 1,0 two.fa", want: []string{"--C 0, want > 0"}},
	{name: "tune with C no number", args: "tune --kernel spectrum:k=2 --C 1,x two.fa", want: []string{"C", `"x"`}},
	{name: "tune with an unknown weighting of classes",
		args: "tune --kernel spectrum:k=2 --class-weight none,heavy two.fa", want: []string{`--class-weight "heavy"`}},
	{name: "tune with an unknown solver", args: "tune --kernel spectrum:k=2 --solver smo,libsvm two.fa",
		want: []string{`--solver "libsvm"`}},
	{name: "tune for an unknown metric", args: "tune --kernel spectrum:k=2 --metric roc two.fa",
		want: []string{`--metric "roc"`, "auroc"}},
	{name: "tune with one fold", args: "tune --kernel spectrum:k=2 --folds 1 two.fa", want: []string{"--folds 1"}},
	{name: "tune with one outer fold", args: "tune --kernel spectrum:k=2 --nested 1 two.fa",
		want: []string{"--nested 1"}},
	{name: "tune with no outer folds", args: "tune --kernel spectrum:k=2 --nested 0 two.fa",
		want: []string{"--nested 0"}},
	{name: "tune of no candidates", args: "tune --kernel spectrum:k=2 --random 0 two.fa", want: []string{"--random 0"}},
	{name: "tune of too many candidates", args: "tune --kernel wd:d=1..200,shift=0..99 two.fa",
		want: []string{"100000 candidates, want at most 10000", "--random"}},
	{name: "tune with an unknown pick", args: "tune --kernel spectrum:k=2 --pick worst two.fa",
		want: []string{`--pick "worst"`, "1se"}},
	{name: "tune with an unknown format", args: "tune --kernel spectrum:k=2 --format csv two.fa",
		want: []string{`--format "csv"`}},
	{name: "tune with an unknown positive class", args: "tune --kernel spectrum:k=2 --positive X two.fa",
		want: []string{"--positive"}},
	{name: "tune for a metric of several labels without them",
		args: "tune --kernel spectrum:k=2 --metric hamming_loss two.fa",
		want: []string{`--metric "hamming_loss"`, "auroc"}},
	{name: "tune for a metric of one label with several",
		args: "tune --kernel spectrum:k=2 --metric auroc --multilabel , two.fa",
		want: []string{`--metric "auroc"`, "f1_micro"}},
	{name: "tune for a level without a hierarchy", args: "tune --kernel spectrum:k=2 --metric accuracy_level_1 two.fa",
		want: []string{`--metric "accuracy_level_1"`}},
	{name: "tune for a level that is not there", args: "tune --kernel spectrum:k=2 --metric accuracy_level_2 " +
		"--hierarchy / two.fa", want: []string{`--metric "accuracy_level_2"`, "mcc, accuracy_level_1"}},
	{name: "tune of several labels in pairs of classes",
		args: "tune --kernel spectrum:k=2 --multiclass ovr,ovo --multilabel , two.fa",
		want: []string{"--multilabel needs --multiclass ovr"}},
	{name: "tune of a hierarchy in pairs of classes", args: "tune --kernel spectrum:k=2 --multiclass ovo " +
		"--hierarchy / two.fa", want: []string{"--hierarchy needs --multiclass ovr or crammer-singer"}},
	{name: "tune of several labels with probabilities",
		args: "tune --kernel spectrum:k=2 --probability --multilabel , two.fa",
		want: []string{"--probability cannot be used with --multilabel"}},
	{name: "tune of several labels in a hierarchy", args: "tune --kernel spectrum:k=2 --hierarchy / --multilabel , " +
		"two.fa", want: []string{"--multilabel cannot be used with --hierarchy"}},
	{name: "tune into its input", args: "tune --kernel spectrum:k=2 two.fa -o two.fa",
		want: []string{"would replace an input"}},
	{name: "tune with two alphabets", args: "tune --alphabet rna --kernel spectrum:k=2,alphabet=dna two.fa",
		want: []string{"alphabet dna with --alphabet rna"}},
}

func TestTuneUsageErrors(t *testing.T) { checkBadCases(t, tuneUsageCases, cli.ExitUsage) }

var tuneDataCases = []badCase{
	{name: "tune with more folds than records", args: "tune --kernel spectrum:k=2 --folds 7 two.fa",
		want: []string{"two.fa", "7 folds of 6 records"}},
	{name: "tune of a missing file", args: "tune --kernel spectrum:k=2 nowhere.fa", want: []string{"nowhere.fa"}},
	{name: "tune of one class", files: map[string]string{"one.fa": ">a A\nAC\n>b A\nCA\n"},
		args: "tune --kernel spectrum:k=1 one.fa", want: []string{"one.fa", `label "A"`}},
	{name: "tune without records in a fold", args: "tune --kernel spectrum:k=2 --folds 3 --nested 3 --similarity 0 " +
		"three.fa", want: []string{"three.fa: outer fold 1", "want at least 2"}},
	{name: "tune of windows of several lengths", files: map[string]string{"w.fa": ">a A\nACG\n>b A\nCAGT\n>c " +
		"B\nTTT\n>d B\nGGG\n"}, args: "tune --kernel wd:d=1/2 --folds 2 --similarity 0 w.fa",
		want: []string{"w.fa", "letters"}},
	{name: "tune of a kernel without rows for a scheme that needs them",
		args: "tune --kernel spectrum:k=2/3+substring:weight=constant --multiclass crammer-singer --folds 2 " +
			"--similarity 0 three.fa",
		want: []string{"spectrum:k=2+substring:weight=constant", "no explicit feature rows"}},
	{name: "tune of an inner node", files: map[string]string{"n.fa": ">a A\nAC\n>b A/B\nCA\n>c A\nGG\n"},
		args: "tune --kernel spectrum:k=1 --hierarchy / n.fa", want: []string{"n.fa", `"A" is an inner node`}},
	{name: "tune of an empty label", files: map[string]string{"l.tsv": "a,b\tx\na,,c\ty\n"},
		args: "tune --kernel words --multilabel , l.tsv", want: []string{"l.tsv:2", `"a,,c" is empty`}},
	{name: "tune for a metric that is undefined", args: "tune --kernel spectrum:k=2 --folds 6 --similarity 0 two.fa",
		want: []string{"two.fa", "metric auroc is undefined in every fold of every candidate"}},
	{name: "tune into no folder", args: "tune --kernel spectrum:k=2 two.fa -o nowhere/m.seqsvm",
		want: []string{"nowhere"}},
}

func TestTuneDataErrors(t *testing.T) { checkBadCases(t, tuneDataCases, cli.ExitFailed) }

// shorten FILE cuts a file off in its middle, as an interruption does.
func shortenCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: shorten FILE")
	}
	ts.Check(os.Truncate(ts.MkAbs(args[0]), int64(len(ts.ReadFile(args[0]))*6/10)))
}

// TestTuneSaysWhatIsUndefined: a mean over some of the folds is not passed off as one over all. Two of the four records
// of class b are like each other, so that folds with these alone have predictions of both classes.
func TestTuneSaysWhatIsUndefined(t *testing.T) {
	inGoodFolder(t)
	rng := rand.New(rand.NewPCG(2, 3))
	var fasta strings.Builder
	for i := range 40 {
		label, letters := "a", make([]byte, 60)
		for j := range letters {
			letters[j] = "ACGT"[rng.IntN(4)]
		}
		if i >= 36 {
			label = "b"
		}
		if i >= 38 {
			copy(letters, strings.Repeat("GATTACAC", 7))
		}
		fmt.Fprintf(&fasta, ">r%d label=%s\n%s\n", i, label, letters)
	}
	writeFiles(t, map[string]string{"few.fa": fasta.String()})
	const options = "--kernel spectrum:k=4 --similarity 0 --folds 4 --C 100 few.fa"
	undefined := 0
	for line := range strings.Lines(mustTool(t, strings.Fields("cv "+options)...)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if _, err := strconv.Atoi(cells[0]); err == nil && cells[len(cells)-1] == "NA" {
			undefined++
		}
	}
	if undefined == 0 || undefined == 4 {
		t.Fatalf("mcc is undefined in %d of 4 folds", undefined)
	}
	r := tool(t, "", strings.Fields("tune --metric mcc "+options)...)
	if want := fmt.Sprintf("warning: mcc is undefined in %d of 4 folds", undefined); !strings.Contains(r.err, want) {
		t.Errorf("exit %d, %s, want %q", r.code, r.err, want)
	}
	if r := tool(t, "", strings.Fields("tune --metric accuracy "+options)...); strings.Contains(r.err, "undefined") {
		t.Errorf("accuracy: %s", r.err)
	}
}
