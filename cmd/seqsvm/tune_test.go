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

	"github.com/seqsvm/seqsvm/internal/must"
)

// TestTuneEqualsCV compares every candidate with cv under the options for train that tune prints.
func TestTuneEqualsCV(t *testing.T) {
	for _, args := range []string{
		"--kernel spectrum:k=3..4 --kernel substring:weight=decay,lambda=0.5/0.8,alphabet=dna --C 0.1,10 " +
			"--class-weight none,balanced ../../testdata/fasta/promoters.fa",
		"--kernel words:ngram=1-2,-/tfidf+substring:weight=tfidf,k=3 --kernel words:sublinear --C 0.1,10 " +
			"--multiclass ovr,ovo --input tsv:text=text,label=label testdata/tune/fruit.tsv",
		"--kernel words:ngram=1-2,-/tfidf --C 0.1,1,10 --multiclass ovr,auto --input tsv:text=text,label=label " +
			"testdata/tune/fruit.tsv",
		"--kernel words:ngram=1-2,-/tfidf --C 0.1,1,10 --multiclass ovr --loss hinge,squared-hinge " +
			"--input tsv:text=text,label=label testdata/tune/fruit.tsv",
	} {
		fields := append(strings.Fields(args), "--folds", "3", "--tol", "1e-6", "--quiet", "--format", "json")
		var table struct {
			Candidates []struct {
				Options  string `json:"options"`
				Mean, SD json.RawMessage
			}
		}
		must.Succeed(t, json.Unmarshal([]byte(mustTool(t, append([]string{"tune"}, fields...)...)), &table))
		if len(table.Candidates) < 12 {
			t.Fatalf("%s: %d candidates", args, len(table.Candidates))
		}
		files := fields[len(strings.Fields(args))-1 : len(strings.Fields(args))]
		for _, c := range table.Candidates {
			line := append(append([]string{"cv", "--folds", "3", "--quiet", "--format", "json"},
				strings.Fields(c.Options)...), files...)
			var want struct{ Mean, SD json.RawMessage }
			must.Succeed(t, json.Unmarshal([]byte(mustTool(t, line...)), &want))
			sameMetrics(t, c.Options+": mean", c.Mean, want.Mean)
			sameMetrics(t, c.Options+": sd", c.SD, want.SD)
		}
	}
}

// TestTuneGroupsOverlappingWindows cuts two windows that overlap from each of many places, whose class is drawn: nothing
// can be learned from one place about another, and the search's own estimate says so.
func TestTuneGroupsOverlappingWindows(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var fasta strings.Builder
	for i := range 200 {
		place := make([]byte, 90)
		for j := range place {
			place[j] = "ACGT"[random.IntN(4)]
		}
		class := random.IntN(2)
		fmt.Fprintf(&fasta, ">%da %d\n%s\n>%db %d\n%s\n", i, class, place[:60], i, class, place[30:])
	}
	file := t.TempDir() + "/windows.fa"
	must.Succeed(t, os.WriteFile(file, []byte(fasta.String()), 0o600))
	args := []string{"tune", "--quiet", "--format", "json", "--budget", "100ms", file}
	var table struct {
		Candidates []struct{ Mean map[string]float64 }
		Search     struct{ Ungrouped map[string]float64 }
	}
	must.Succeed(t, json.Unmarshal([]byte(mustTool(t, args...)), &table))
	if auroc := table.Candidates[0].Mean["auroc"]; math.Abs(auroc-0.5) > 0.1 {
		t.Errorf("auroc %v of what cannot be learned", auroc)
	}
	if auroc := table.Search.Ungrouped["auroc"]; auroc < 0.75 {
		t.Errorf("auroc %v of records whose copies are known", auroc)
	}
	table.Search.Ungrouped = nil
	must.Succeed(t, json.Unmarshal([]byte(mustTool(t, append(args, "--similarity", "0")...)), &table))
	if auroc := table.Candidates[0].Mean["auroc"]; auroc < 0.75 || table.Search.Ungrouped != nil {
		t.Errorf("auroc %v without groups, %v besides", auroc, table.Search.Ungrouped)
	}
}

func sameMetrics(t *testing.T, what string, got, want json.RawMessage) {
	t.Helper()
	var a, b map[string]*float64
	must.Succeed(t, json.Unmarshal(got, &a))
	must.Succeed(t, json.Unmarshal(want, &b))
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

// TestFirstSizeOfRFEIsCV: with all features, and groups kept together, rfe has the metrics of cv.
func TestFirstSizeOfRFEIsCV(t *testing.T) {
	args := strings.Fields("--kernel spectrum:k=3 --folds 4 --seed 2 --tol 1e-8 --group near-duplicates --format " +
		"json --quiet ../../testdata/fasta/promoters.fa")
	var curve struct {
		Sizes []struct{ Mean, SD json.RawMessage }
	}
	if err := json.Unmarshal([]byte(mustTool(t, append([]string{"text", "rfe", "--least", "1000"}, args...)...)),
		&curve); err != nil {
		t.Fatal(err)
	}
	var want struct{ Mean, SD json.RawMessage }
	must.Succeed(t, json.Unmarshal([]byte(mustTool(t, append([]string{"cv"}, args...)...)), &want))
	if len(curve.Sizes) != 1 {
		t.Fatalf("%d sizes", len(curve.Sizes))
	}
	sameMetrics(t, "mean", curve.Sizes[0].Mean, want.Mean)
	sameMetrics(t, "sd", curve.Sizes[0].SD, want.SD)
}
