package dataset_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
)

// TestPositiveOf wants the positive one of two names, whichever comes first in sorted order, in any case.
func TestPositiveOf(t *testing.T) {
	for _, c := range [][2]string{ // positive, negative
		{"active", "inactive"}, {"Active", "INACTIVE"}, {"case", "control"}, {"yes", "no"}, {"true", "false"},
		{"1", "0"}, {"+1", "-1"}, {"1", "-1"}, {"+", "-"}, {"+ve", "-ve"}, {"CD4+", "CD4-"}, {"CD4+", "CD4−"},
		{"bound", "unbound"}, {"bound", "background"}, {"binding", "nonbinding"}, {"binding", "non-binding"},
		{"binding", "Non_Binding"}, {"Binding", "not binding"}, {"stable", "unstable"}, {"soluble", "insoluble"},
		{"direct", "in-direct"}, {"connected", "disconnected"}, {"disease", "healthy"}, {"AD", "healthy control"},
		{"ALS", "normal"}, {"mutant", "wild type"}, {"A53T", "wild-type"}, {"A53T", "WT"}, {"abnormal", "normal"},
		{"not normal", "normal"}, {"unhealthy", "healthy"}, {"disease", "no disease"}, {"disease", "disease-free"},
		{"with tumour", "without tumour"}, {"CTCF bound", "CTCF unbound"}, {"CTCF associated", "CTCF unassociated"},
		{"positive", "unlabelled"}, {"enhancer", "other"}, {"class 1", "class 0"}, {"pos", "neg"}, {"high", "low"},
		{"hemolytic", "control_non_hemolytic"}, {"1 (AMP)", "0 (non-AMP)"}, {"1:toxic", "0:not toxic"},
		{"motif", "no motif (control)"}, {"spliced", "wildtype, not spliced"}, {"allergen", "negative without allergen"},
		{"infected", "free of infection"}, {"not a control", "control"}, {"resistant", "susceptible"},
		{"drug-resistant", "drug-sensitive"}, {"expressed", "silent"}, {"disordered", "ordered"},
		{"sensitive", "insensitive"}, {"insulin", "glucagon"}, {"peak", "random"}, {"a", "no"}, {"1", "rest"},
		// what says nothing: the second
		{"b", "a"}, {"2", "1"}, {"10", "9"}, {"class 2", "class 1"}, {"ncRNA", "mRNA"}, {"latin", "lat"},
		{"protein", "prote"}, {"intron", "exon"}, {"yes 2", "yes 1"},
	} {
		classes := dataset.SortedClasses(c[:])
		if got := classes[dataset.PositiveOf(classes)]; got != c[0] {
			t.Errorf("positive one of %q: %q, want %q", classes, got, c[0])
		}
	}
	if got := dataset.PositiveOf([]string{"active", "control", "x"}); got != 1 {
		t.Errorf("positive one of three: %d, want 1", got)
	}
}
