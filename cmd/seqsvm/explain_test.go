package main_test

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/must"
)

// recordExplanation is a line of explain, with or without --top.
type recordExplanation struct {
	answer.ExplainedUnits
	Features []struct{ Contribution *float64 } `json:"features"`
}

// explainedRecords reads explain --format json.
func explainedRecords(t *testing.T, text string) []recordExplanation {
	t.Helper()
	var all []recordExplanation
	for line := range strings.Lines(text) {
		var r recordExplanation
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %.200s", err, line)
		}
		all = append(all, r)
	}
	return all
}

// decisionsOf reads the third column of predict.
func decisionsOf(t *testing.T, table string) (classes []string, decisions []float64) {
	t.Helper()
	for line := range strings.Lines(table) {
		if cells := strings.Fields(line); cells[0] != "id" {
			value := must.Get(strconv.ParseFloat(cells[2], 64))(t)
			classes, decisions = append(classes, cells[1]), append(decisions, value)
		}
	}
	return classes, decisions
}

// Contributions of positions, of words and of all features sum with the bias to the decision that predict prints.
func TestContributionsSumToDecisions(t *testing.T) {
	fasta := must.Get(os.ReadFile("../../testdata/fasta/promoters.fa"))(t)
	inGoodFolder(t)
	writeFiles(t, map[string]string{
		"p.fa": string(fasta),
		"t.tsv": "label\ttext\na\tone two three, one\na\tone two\nb\tfour five six\nb\tsix, four\nc\tseven eight " +
			"nine ten\nc\tten seven\n",
		"q.tsv":  "label\ttext\na\t\na\t... !\nb\tzero\nc\tten\xffsix — one two\n",
		"no.tsv": "label\ttext\na\ttwo one\n",
	})
	for _, c := range []struct{ train, records, more string }{
		{"--kernel spectrum:k=4,rc p.fa", "p.fa", ""},
		{"--kernel gapped:l=5,k=3,d=2 --no-normalize p.fa", "p.fa", ""},
		{"--kernel substring:weight=decay,lambda=0.5,rc --kernel spectrum:k=3 p.fa", "p.fa", ""},
		{"--kernel spectrum:k=2 three.fa", "three.fa", ""},
		{"--kernel words:ngram=1-2,tfidf t.tsv", "t.tsv", ""},
		{"--kernel words:ngram=1-2,tfidf t.tsv", "q.tsv", "--input encoding=bytes"},
		{"--kernel words:dict=one_two:ten:fo* t.tsv", "t.tsv", ""},
		{"--kernel substring:weight=constant t.tsv", "t.tsv", ""},
		{"--kernel spectrum:k=2 --hierarchy / two.fa", "two.fa", ""}, // neither of two classes is the positive one
	} {
		train := strings.Fields(c.train)
		for i := range train {
			train[i] = strings.ReplaceAll(train[i], "_", " ")
		}
		mustTool(t, append([]string{"train", "-q", "-o", "x.seqsvm"}, train...)...)
		apply := append(strings.Fields(c.more), "-m", "x.seqsvm", c.records)
		classes, decisions := decisionsOf(t, mustTool(t, append([]string{"predict", "--digits", "17"}, apply...)...))
		distinct := map[string]bool{}
		for _, top := range []string{"", "--top 100000"} {
			list := explainedRecords(t, mustTool(t, append(append([]string{"explain", "--format", "json"},
				strings.Fields(top)...), apply...)...))
			if len(list) != len(decisions) {
				t.Fatalf("%s: %d records, want %d", c.train, len(list), len(decisions))
			}
			for i, r := range list {
				if distinct[classes[i]] = true; len(distinct) > 2 && r.Class != classes[i] {
					t.Errorf("%s: record %s: class %s, predict has %s", c.train, r.ID, r.Class, classes[i])
				}
				sum := r.Bias
				for _, v := range r.Contributions {
					sum += v
				}
				for _, f := range r.Features {
					sum += *f.Contribution
				}
				if math.Abs(sum-r.Decision) > 1e-9 || r.Decision != decisions[i] {
					t.Errorf("%s: record %s: contributions sum to %v, decision %v, predict has %v", c.train, r.ID,
						sum, r.Decision, decisions[i])
				}
			}
		}
	}
}

// One-vs-one explains the sum of a class's pairs.
func TestExplainPairs(t *testing.T) {
	inGoodFolder(t)
	mustTool(t, "train", "-q", "--kernel", "spectrum:k=2", "--multiclass", "ovo", "-o", "x.seqsvm", "three.fa")
	for _, class := range []string{"A", "G", "T"} {
		for _, r := range explainedRecords(t, mustTool(t, "explain", "--format", "json", "--class", class, "-m",
			"x.seqsvm", "three.fa")) {
			sum := r.Bias
			for _, v := range r.Contributions {
				sum += v
			}
			if r.Class != class || math.Abs(sum-r.Decision) > 1e-9 ||
				(r.Decision > 0) != (strings.ToUpper(r.ID[:1]) == class) {
				t.Errorf("class %s, record %s: class %s, sum %v, decision %v", class, r.ID, r.Class, sum, r.Decision)
			}
		}
	}
}

// TestExplainedClassIsThePredictedOne: without --class, under every scheme.
func TestExplainedClassIsThePredictedOne(t *testing.T) {
	fasta := must.Get(os.ReadFile("../../testdata/fasta/promoters.fa"))(t)
	inGoodFolder(t)
	writeFiles(t, map[string]string{
		"p.fa": string(fasta),
		"t.tsv": "label\ttext\na/b\tone two three one\na/b\tone two\na/c\tone four five six\na/c\tsix four\nd/e\tseven " +
			"eight nine ten\nd/e\tten seven\nd/f\teight two\nd/f\ttwo eight six\n",
	})
	for _, c := range []struct{ options, records string }{
		{"--kernel spectrum:k=4", "p.fa"},
		{"--kernel spectrum:k=4 --probability", "p.fa"},
		{"--kernel spectrum:k=4 --positive -1", "p.fa"},
		{"--kernel words:ngram=1", "t.tsv"},
		{"--kernel words:ngram=1 --multiclass ovo", "t.tsv"},
		{"--kernel words:ngram=1 --multiclass ovo --probability", "t.tsv"},
		{"--kernel words:ngram=1 --multiclass ovr --probability", "t.tsv"},
		{"--kernel words:ngram=1 --hierarchy /", "t.tsv"},
	} {
		mustTool(t, append(strings.Fields("train -q "+c.options+" -o m.seqsvm"), c.records)...)
		classes, _ := decisionsOf(t, mustTool(t, "predict", "-m", "m.seqsvm", c.records))
		seen := map[string]bool{}
		for i, r := range explainedRecords(t, mustTool(t, "explain", "-m", "m.seqsvm", "--format", "json", c.records)) {
			if seen[r.Class] = true; r.Class != classes[i] {
				t.Errorf("%s: record %d: explain says %s, predict %s", c.options, i+1, r.Class, classes[i])
			}
		}
		if len(seen) < 2 {
			t.Errorf("%s: all records are of one class: %v", c.options, seen)
		}
	}
}
