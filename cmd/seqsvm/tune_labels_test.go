package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writeTopics writes records of random words, some of which indicate the topics; label makes the label of a set of
// topics.
func writeTopics(t *testing.T, name string, n int, label func(topics []string) string) string {
	t.Helper()
	all := []string{"art", "law", "sea", "war"}
	rng := rand.New(rand.NewPCG(7, 7))
	var b strings.Builder
	for range n {
		topics := []string{all[rng.IntN(len(all))]}
		if other := all[rng.IntN(len(all))]; rng.IntN(3) == 0 && !slices.Contains(topics, other) {
			topics = append(topics, other)
		}
		var words []string
		for range 12 {
			word := fmt.Sprintf("w%d", rng.IntN(40))
			if rng.IntN(5) == 0 {
				word = fmt.Sprintf("%s%d", topics[rng.IntN(len(topics))], rng.IntN(3))
			}
			words = append(words, word)
		}
		fmt.Fprintf(&b, "%s\t%s\n", label(topics), strings.Join(words, " "))
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTuneOfLabelsEqualsCV: a grid of one candidate has the metrics of cv to the last bit, in every fold, for several
// labels per record and for a hierarchy.
func TestTuneOfLabelsEqualsCV(t *testing.T) {
	labels := writeTopics(t, "labels.tsv", 120, func(topics []string) string { return strings.Join(topics, ",") })
	paths := writeTopics(t, "paths.tsv", 120, func(topics []string) string {
		return map[string]string{"art": "peace/art", "law": "peace/law", "sea": "sea", "war": "strife/war"}[topics[0]]
	})
	for _, options := range []string{
		"--kernel words:ngram=1-2,sublinear,tfidf --multilabel , " + labels,
		"--kernel words:ngram=1 --loss squared-hinge --class-weight balanced --multilabel , " + labels,
		"--kernel substring:weight=decay,lambda=0.5 --C 3 --multilabel , " + labels,
		"--kernel spectrum:k=3 --kernel substring:weight=tfidf,k=4 --solver smo --multilabel , " + labels,
		"--kernel words:ngram=1-2,sublinear,tfidf --hierarchy / " + paths,
		"--kernel words:binary --multiclass ovr --hierarchy / " + paths,
		"--kernel spectrum:k=4,bounded --C 10 --class-weight balanced --hierarchy / " + paths,
	} {
		args := append(strings.Fields(options), "--input", "tsv", "--folds", "4", "--seed", "3", "--similarity", "0",
			"--quiet", "--format", "json")
		var want struct {
			Folds     []map[string]json.RawMessage
			Mean, SD  map[string]json.RawMessage
			Level     []json.RawMessage `json:"accuracy_by_level"`
			LevelMean json.RawMessage   `json:"accuracy_by_level_mean"`
			LevelSD   json.RawMessage   `json:"accuracy_by_level_sd"`
		}
		if err := json.Unmarshal([]byte(mustTool(t, append([]string{"cv"}, args...)...)), &want); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Candidates []struct {
				Mean, SD map[string]json.RawMessage
				Folds    []map[string]json.RawMessage `json:"per_fold"`
			}
		}
		// a sum in tune
		args = strings.Fields(strings.Replace(strings.Join(args, " "), " --kernel substring:weight=tfidf",
			"+substring:weight=tfidf", 1))
		if !slices.Contains(args, "--C") {
			args = append(args, "--C", "1")
		}
		if err := json.Unmarshal([]byte(mustTool(t, append([]string{"tune"}, args...)...)), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Candidates) != 1 {
			t.Fatalf("%s: %d candidates", options, len(got.Candidates))
		}
		c := got.Candidates[0]
		if want.LevelMean != nil {
			want.Mean["accuracy_by_level"], want.SD["accuracy_by_level"] = want.LevelMean, want.LevelSD
		}
		for f := range want.Folds {
			if want.Level != nil {
				want.Folds[f]["accuracy_by_level"] = want.Level[f]
			}
			sameBits(t, fmt.Sprintf("%s: fold %d", options, f+1), c.Folds[f], want.Folds[f])
		}
		sameBits(t, options+": mean", c.Mean, want.Mean)
		sameBits(t, options+": sd", c.SD, want.SD)
	}
}

// sameBits compares every metric of tune with that of cv, whose numbers read back to the same bits.
func sameBits(t *testing.T, what string, got, want map[string]json.RawMessage) {
	t.Helper()
	if len(got) != 8 { // of several labels; of a hierarchy seven and the levels
		t.Errorf("%s: %d metrics, want 8", what, len(got))
	}
	compact := func(m json.RawMessage) string {
		var b bytes.Buffer
		if err := json.Compact(&b, m); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		return b.String()
	}
	for name, value := range got {
		if a, b := compact(value), compact(want[name]); a != b {
			t.Errorf("%s: %s is %s, cv has %s", what, name, a, b)
		}
	}
}

// TestFirstSizeOfRFEIsCV: with all features, and groups kept together, rfe has the metrics of cv.
func TestFirstSizeOfRFEIsCV(t *testing.T) {
	args := strings.Fields("--kernel spectrum:k=3 --folds 4 --seed 2 --tol 1e-8 --group near-duplicates --format " +
		"json --quiet ../../testdata/fasta/promoters.fa")
	var curve struct {
		Sizes []struct{ Mean, SD json.RawMessage }
	}
	if err := json.Unmarshal([]byte(mustTool(t, append([]string{"rfe", "--least", "1000"}, args...)...)),
		&curve); err != nil {
		t.Fatal(err)
	}
	var want struct{ Mean, SD json.RawMessage }
	if err := json.Unmarshal([]byte(mustTool(t, append([]string{"cv"}, args...)...)), &want); err != nil {
		t.Fatal(err)
	}
	if len(curve.Sizes) != 1 {
		t.Fatalf("%d sizes", len(curve.Sizes))
	}
	sameMetrics(t, "mean", curve.Sizes[0].Mean, want.Mean)
	sameMetrics(t, "sd", curve.Sizes[0].SD, want.SD)
}
