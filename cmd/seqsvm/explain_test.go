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

// Contributions of positions, of words and of all features sum with the bias to the decision that predict prints, of
// the class that it predicts, under every scheme.
func TestContributionsSumToDecisions(t *testing.T) {
	fasta := must.Get(os.ReadFile("../../testdata/fasta/promoters.fa"))(t)
	inGoodFolder(t)
	writeFiles(t, map[string]string{
		"p.fa": string(fasta),
		"t.tsv": "label\ttext\na/b\tone two three, one\na/b\tone two\na/c\tone four five six\na/c\tsix, four\n" +
			"d/e\tseven eight nine ten\nd/e\tten seven\nd/f\teight two\nd/f\ttwo eight six\n",
		"q.tsv": "label\ttext\na\t\na\t... !\nb\tzero\nc\tten\xffsix — one two\n",
	})
	for _, c := range []struct{ train, records, more string }{
		{"--kernel spectrum:k=4,rc p.fa", "p.fa", ""},
		{"--kernel spectrum:k=4 --probability p.fa", "p.fa", ""},
		{"--kernel spectrum:k=4 --positive -1 p.fa", "p.fa", ""},
		{"--kernel gapped:l=5,k=3,d=2 --no-normalize p.fa", "p.fa", ""},
		{"--kernel substring:weight=decay,lambda=0.5,rc --kernel spectrum:k=3 p.fa", "p.fa", ""},
		{"--kernel spectrum:k=2 three.fa", "three.fa", ""},
		{"--kernel words:ngram=1-2,tfidf t.tsv", "t.tsv", ""},
		{"--kernel words:ngram=1-2,tfidf t.tsv", "q.tsv", "--input encoding=bytes"},
		{"--kernel words:dict=one_two:ten:fo* t.tsv", "t.tsv", ""},
		{"--kernel words:ngram=1 --multiclass ovr --probability t.tsv", "t.tsv", ""},
		{"--kernel words:ngram=1 --multiclass ovo t.tsv", "t.tsv", ""},
		{"--kernel words:ngram=1 --multiclass ovo --probability t.tsv", "t.tsv", ""},
		{"--kernel words:ngram=1 --hierarchy / t.tsv", "t.tsv", ""},
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
		several := strings.Contains(c.train, "ovo") || strings.HasSuffix(c.train, "/ t.tsv") // machines are summed
		for _, top := range []string{"", "--top 100000"} {
			list := explainedRecords(t, mustTool(t, append(append([]string{"explain", "--format", "json"},
				strings.Fields(top)...), apply...)...))
			if len(list) != len(decisions) {
				t.Fatalf("%s: %d records, want %d", c.train, len(list), len(decisions))
			}
			for i, r := range list {
				if r.Class != classes[i] {
					t.Errorf("%s: record %s: class %s, predict has %s", c.train, r.ID, r.Class, classes[i])
				}
				sum := r.Bias
				for _, v := range r.Contributions {
					sum += v
				}
				for _, f := range r.Features {
					sum += *f.Contribution
				}
				if math.Abs(sum-r.Decision) > 1e-9 || r.Decision != decisions[i] && !several {
					t.Errorf("%s: record %s: contributions sum to %v, decision %v, predict has %v", c.train, r.ID,
						sum, r.Decision, decisions[i])
				}
			}
		}
	}
}
