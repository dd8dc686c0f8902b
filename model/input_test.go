package model

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
)

// What a model remembers of letters and columns is read back.
func TestInputOptions(t *testing.T) {
	read := seqio.Options{Case: seqio.CaseUpper, HTML: true, KeLPText: "grct",
		Columns: seqio.Columns{Text: "seq", Label: "class", ID: "name", Header: seqio.HeaderYes}}
	text := must.Get(json.Marshal(InputOf(read)))(t)
	var in Input
	must.Succeed(t, json.Unmarshal(text, &in))
	want := seqio.Options{Case: seqio.CaseUpper, HTML: true, KeLPText: "grct",
		Trained: seqio.Columns{Text: "seq", Label: "class", ID: "name"}}
	if got := in.Options(); !reflect.DeepEqual(got, want) {
		t.Errorf("%s is read back as %+v, want %+v", text, got, want)
	}
	for c, keeps := range map[seqio.Case]bool{seqio.CaseAuto: false, seqio.CaseUpper: false, seqio.CaseKept: true} {
		if (Input{Case: c}).KeepsCase() != keeps {
			t.Errorf("case %q kept: %v", c, !keeps)
		}
	}
}
