package bow

import (
	"reflect"
	"testing"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The longest entry wins, a whole word before the same letters as a prefix; what no entry begins is unknown.
func TestDictionary(t *testing.T) {
	k := Kernel{Dict: []string{"immun*", "immune", "heart attack", "heart", "attack on heart", "Heart Fail*"}}
	text := "Immune immunology IMMUNE heart attack on heart; heart failures, hearts. attack"
	want := []string{"immune ", "immun", "immune ", "heart attack ", "", "heart ", "heart fail", "", ""}
	f := must.Get(k.Fit(t.Context(), stringkernel.View([]byte("immune immunity heart attack heart heart failure attack on heart"))))(t)
	v := f.(Kernel).fitted.vocabulary
	r := v.newReader()
	r.read([]byte(text))
	var got []string
	for _, id := range r.ids {
		name := ""
		if id != intern.None {
			name = string(v.terms.At(int(id)))
		}
		got = append(got, name)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
