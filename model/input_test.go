package model

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
)

// What older files say of letters means what it meant, and what is remembered is read back.
func TestInputOptions(t *testing.T) {
	for text, want := range map[string]seqio.Case{
		`{"soft_mask":false}`:                seqio.CaseAuto, // upper case in sequences, as written in text
		`{"soft_mask":true}`:                 seqio.CaseKept,
		`{"soft_mask":false,"case":"upper"}`: seqio.CaseUpper,
		`{"soft_mask":true,"case":"kept"}`:   seqio.CaseKept,
	} {
		var in Input
		if err := json.Unmarshal([]byte(text), &in); err != nil {
			t.Fatal(err)
		}
		if got := in.Options().Case; got != want || in.KeepsCase() != (want == seqio.CaseKept) {
			t.Errorf("%s: case %q, want %q", text, got, want)
		}
	}
	read := seqio.Options{Case: seqio.CaseUpper, HTML: true, KeLPText: "grct",
		Columns: seqio.Columns{Text: "seq", Label: "class", ID: "name", Header: seqio.HeaderYes}}
	text, err := json.Marshal(InputOf(read))
	if err != nil {
		t.Fatal(err)
	}
	var in Input
	if err := json.Unmarshal(text, &in); err != nil {
		t.Fatal(err)
	}
	want := seqio.Options{Case: seqio.CaseUpper, HTML: true, KeLPText: "grct",
		Trained: seqio.Columns{Text: "seq", Label: "class", ID: "name"}}
	if got := in.Options(); !reflect.DeepEqual(got, want) {
		t.Errorf("%s is read back as %+v, want %+v", text, got, want)
	}
}
