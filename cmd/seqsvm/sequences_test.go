package main_test

import "testing"

// First names (Kantrowitz, by way of NLTK): marks at the ends make suffixes separate features. Without them the
// same kernel is right on 0.83 to 0.84.
func TestNamesWithEnds(t *testing.T) {
	names := realText(t, "text-names/all.tsv.gz")
	t.Chdir(t.TempDir())
	if accuracy := metricOf(t, "accuracy", "cv", "-k", "substring:weight=tfidf,k=4,ends", "--folds", "5",
		names); accuracy < 0.85 {
		t.Errorf("accuracy %v", accuracy)
	}
}
