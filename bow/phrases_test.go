package bow_test

import (
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// Entries of lists that do not match what they say are named; what UAX #29 takes for one word is not.
func TestWarnings(t *testing.T) {
	words := bow.Sequence{Kernel: substring.Kernel{Unit: bow.Word}, Stop: []string{"the", "’tis"}}
	for _, c := range []struct {
		kernel stringkernel.Kernel
		want   []string
	}{
		{bow.Kernel{Dict: []string{"C++", "Java", "#win*", ".NET", "R, S", "(a)"}}, []string{`dict: 5 of 6 entries match without ` +
			`their signs: "C++" as "c", "#win*" as "win", ".NET" as "net" and 2 more; delimiters=white keeps signs`}},
		{bow.Kernel{Dict: []string{"e-mail", "heart attack", "immun*", "don’t", "3.14", "AT&T", "Heart  Attack", "new york *"}}, nil},
		{bow.Kernel{Dict: []string{"C++", "C#", ".NET"}, Delimiters: []string{bow.White}}, nil},
		{bow.Kernel{Dict: []string{"running", "runs"}, Stem: bow.English}, nil},
		{bow.Kernel{Stop: []string{bow.English}, Delimiters: []string{"h"}}, nil},
		{bow.Kernel{Stop: []string{bow.English, "the", "e-mail", "don't", "New York", "\u00e9te\u0301"}}, []string{`stop: 2 of 6 entries ` +
			`are not one word and match none: "e-mail", "New York"; give the words one by one, or change what words are with ` +
			`delimiters`}},
		{bow.Kernel{Stop: []string{"e-mail"}, Delimiters: []string{bow.White}}, nil},
		{words, []string{`stop: 1 of 2 entries are not one word and match none: "’tis"; give the words one by one, or change ` +
			`what words are with delimiters`}},
	} {
		if got := stringkernel.TraitsOf(c.kernel).Warnings(); !slices.Equal(got, c.want) {
			t.Errorf("%+v:\n%q, want\n%q", c.kernel, got, c.want)
		}
		if check, ok := c.kernel.(bow.Kernel); ok && check.Check() != nil {
			t.Error(check.Check())
		}
	}
}

// Marks that Unicode orders may have places that go back.
func TestWarningsOfMarks(t *testing.T) {
	stringkernel.TraitsOf(bow.Kernel{Dict: []string{"q\u0301\u0327\u0323"}, Delimiters: []string{"\u0323"}}).Warnings()
}

// FuzzDict: an entry matches itself, whatever the other one is; between blanks nothing is lost.
func FuzzDict(f *testing.F) {
	f.Add("C++", "C#", false)
	f.Add("e-mail", "e mail*", false)
	f.Add("heart attack", "Heart", true)
	f.Fuzz(func(t *testing.T, a, b string, white bool) {
		k := bow.Kernel{Dict: []string{a, b}}
		if white {
			k.Delimiters = []string{bow.White}
		}
		compiled, err := k.Compile()
		if err != nil {
			return
		}
		k = compiled.(bow.Kernel)
		for _, entry := range k.Dict {
			if k.Eval([]byte(entry), []byte(entry)) == 0 {
				t.Fatalf("%q does not match itself among %q", entry, k.Dict)
			}
		}
		warnings := stringkernel.TraitsOf(k).Warnings()
		if len(warnings) > 1 || white && len(warnings) > 0 {
			t.Fatalf("%q: %q", k.Dict, warnings)
		}
	})
}
