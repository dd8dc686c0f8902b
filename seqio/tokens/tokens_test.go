package tokens_test

import (
	"bytes"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/tokens"
)

func TestReadColumns(t *testing.T) {
	const text = "-DOCSTART- -X- O\n\nEU NNP B-ORG\nrejects VBZ O\n\n\nPeter NNP B-PER\r\n-DOCSTART- -X- O\n\nBonn NNP B-LOC"
	c := must.Get(tokens.ReadColumns(strings.NewReader(text), "a.txt", 0))(t)
	if want := []int{1, 3, 5, 6}; !reflect.DeepEqual(c.Ends, want) {
		t.Errorf("sequences end at %v, want %v", c.Ends, want)
	}
	if want := []int{0, 0, 0, 0}; !reflect.DeepEqual(c.Documents, want) { // -DOCSTART- begins no sentence there
		t.Errorf("documents %v, want %v", c.Documents, want)
	}
	if got := c.Sequence(1)[0]; got.Tag != "B-ORG" || !reflect.DeepEqual(got.Fields, []string{"EU", "NNP", "B-ORG"}) {
		t.Errorf("token %+v", got)
	}
	if err := c.Errorf(4, "wrong"); err == nil || err.Error() != "a.txt:8: wrong" {
		t.Errorf("the error of a token is %v", err)
	}
	var out bytes.Buffer
	must.Succeed(t, c.WriteLines(&out, func(int) []string { return []string{"Y"} }))
	want := strings.ReplaceAll(strings.ReplaceAll(text, "\r", ""), " ", "\t")
	want = regexp.MustCompile(`(?m)\S$`).ReplaceAllString(want, "$0\tY") + "\n"
	if out.String() != want {
		t.Errorf("written %q, want %q", out.String(), want)
	}
}

func TestDocuments(t *testing.T) {
	for text, want := range map[string][]int{
		"-DOCSTART-\tO\n\na\tO\n\n-DOCSTART-\tO\n\nb\tO\n\nc\tO\n": {0, 0, 1, 1, 1},
		"a\tO\n\nb\tO\n\nc\tO\n":                                   {0, 1, 2},
		"# comment\na\tO\n\n# another\nb\tO\n":                     {0, 1},
	} {
		c, err := tokens.ReadColumns(strings.NewReader(text), "a", 0)
		if err != nil || !reflect.DeepEqual(c.Documents, want) {
			t.Errorf("documents of %q: %v, %v, want %v", text, c.Documents, err, want)
		}
	}
}

func TestJoinAndSelect(t *testing.T) {
	a, _ := tokens.ReadColumns(strings.NewReader("a O\n\nb O\nc O\n"), "a", 0)
	b, _ := tokens.ReadColumns(strings.NewReader("\n\nd O\n"), "b", 0)
	all, err := tokens.Join([]*tokens.Corpus{a, b})
	if err != nil || !reflect.DeepEqual(all.Ends, []int{1, 3, 4}) || !reflect.DeepEqual(all.Documents, []int{0, 1, 2}) {
		t.Fatalf("%+v, %v", all, err)
	}
	if got := all.Errorf(3, "x").Error(); got != "b:3: x" {
		t.Errorf("the error of the last token is %s", got)
	}
	some := all.Select(func(q int) bool { return q != 1 })
	if !reflect.DeepEqual(some.Ends, []int{1, 2}) || some.Tokens[1].Fields[0] != "d" {
		t.Errorf("selected %+v", some)
	}
	var out bytes.Buffer // as cat writes them, with a blank line between files
	if err := all.WriteLines(&out, func(int) []string { return nil }); err != nil || out.String() !=
		"a\tO\n\nb\tO\nc\tO\n\n\nd\tO\n" {
		t.Errorf("written %q, %v", out.String(), err)
	}
	c, _ := tokens.ReadColumns(strings.NewReader("d X O\n"), "c", 0)
	if _, err := tokens.Join([]*tokens.Corpus{a, c}); err == nil {
		t.Error("no error of files with different columns")
	}
}

func TestColumnErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                "a.txt: the file is empty",
		"\n\n":            "a.txt: the file is empty",
		"word\n":          "a.txt:1: one column, want a token and its tag, separated by a tab or a blank",
		"a X O\nb\n":      "a.txt:2: 1 column, want the 3 of the first line; sentences are separated by blank lines",
		"# a = b\n":       "a.txt: the file is empty",
		"a O\nb X O\n":    "a.txt:2: 3 columns, want the 2 of the first line; sentences are separated by blank lines",
		"a O\n\n\xff O\n": "a.txt:3: the line is not UTF-8; convert the file",
	} {
		if _, err := tokens.ReadColumns(strings.NewReader(text), "a.txt", 0); err == nil || err.Error() != want {
			t.Errorf("the error of %q is %v, want %s", text, err, want)
		}
	}
	if _, err := tokens.ReadColumns(strings.NewReader("a O\n"), "a.txt", 3); err == nil ||
		err.Error() != "a.txt:1: 2 columns, want at least the 3 of --tag" {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"Token\tNER\nAnna\tO\n": "a.txt:1: a header (Token, NER), want a token; remove the line",
		"#word\ttag\nAnna\tO\n": "a.txt:1: a header (#word, tag), want a token; remove the line",
		">p\nMKV\n":             "a.txt:1: one column, want a token and its tag, or --states for the letters of FASTA records",
		"#\n\n# x\nb\n":         "a.txt:4: one column, want a token and its tag, separated by a tab or a blank",
		">p q\nMKV\n":           "a.txt:2: FASTA records, want a token per line and a blank line after each sentence",
		"a O\n# b c d\n":        "a.txt:2: 4 columns, want the 2 of the first line; sentences are separated by blank lines",
	} {
		if _, err := tokens.ReadColumns(strings.NewReader(text), "a.txt", 0); err == nil || err.Error() != want {
			t.Errorf("the error of %q is %v, want %s", text, err, want)
		}
	}
	if _, err := tokens.ReadColumns(strings.NewReader("a\tO\tx\nb\t\tx\n"), "a.txt", 2); err == nil ||
		err.Error() != "a.txt:2: column 2 of 3 is empty, want a tag" {
		t.Error(err)
	}
	if _, err := tokens.ReadColumns(strings.NewReader(">p\nMKV\n"), "a.txt", -1); err == nil ||
		err.Error() != "a.txt:1: FASTA records, want a token per line and a blank line after each sentence" {
		t.Error(err)
	}
	long := strings.Repeat("x", 600<<10) + " O\n"
	if _, err := tokens.ReadColumns(strings.NewReader(long), "a.txt", 0); err == nil || !strings.Contains(err.Error(), "KiB") {
		t.Error(err)
	}
}

// TestOtherLines has lines that are no tokens: tokens are those of want, and all lines are written where they were.
func TestOtherLines(t *testing.T) {
	for text, want := range map[string]string{
		"\n\n# sent\nAnna O\n\n\n# a b c\nwent O\n\n":                 "# Anna went", // of as many columns as tokens
		"# one two\n\n# sent_id = 1\nAnna\tO\n":                       "Anna",
		"# newdoc\nAnna\tO\n":                                         "Anna", // other lines have tabs
		"#\tO\n\nAnna\tO\n":                                           "# Anna",
		"Anna\tO\n#\tO\nwent\tO\n":                                    "Anna # went",
		"Anna\tX\tO\n\n#\thttp://x [2010]\nwent\tX\tO\n":              "Anna went", // as in GermEval
		"# text = a\nAnna\tX\t=\tO\n":                                 "Anna",      // of as many columns as tokens
		"Anna a b O\n\n# id = 1\n# text =\n# NN b O\nis a b O\n":      "Anna # is",
		"Anna X\tO\n\n# text = a\tb\n#\tO\n":                          "Anna X #",
		"# newdoc id = a\n# x =\n#1 O\n":                              "#1",
		"Anna a b c O\n\n# newpar id = a\nis a b c O\n":               "Anna is",
		"#Ulm O\n#Bonn O\n":                                           "#Ulm #Bonn",
		"#Ulm O\nis O\n":                                              "#Ulm is",
		"#\nAnna O\n\n#\nBert O\n":                                    "Anna Bert",
		"#comment\nAnna O\n":                                          "Anna",
		"# c\n1-2\tdu\tO\n1\tde\tO\n2\tle\tO\n2.1\tx\tO\n\n1\ta\tO\n": "1 2 1",
		"2-1\tO\nwon\tO\n":                                            "2-1 won",
		"1\tO\n2-1\tO\n":                                              "1 2-1", // a score
	} {
		c, err := tokens.ReadColumns(strings.NewReader(text), "a", 0)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var words []string
		rows := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		for i, token := range c.Tokens {
			words = append(words, token.Fields[0])
			if row := rows[token.Line-1]; !strings.HasPrefix(row, token.Fields[0]) {
				t.Errorf("%q: token %d is said to be in line %d", text, i, token.Line)
			}
		}
		if strings.Join(words, " ") != want {
			t.Errorf("%q has the tokens %v, want %s", text, words, want)
		}
		var out bytes.Buffer
		if err := c.WriteLines(&out, func(int) []string { return nil }); err != nil ||
			strings.ReplaceAll(out.String(), "\t", " ") != strings.ReplaceAll(text, "\t", " ") {
			t.Errorf("%q is written as %q, %v", text, out.String(), err)
		}
	}
}

func TestOneColumn(t *testing.T) {
	for text, want := range map[string]int{"# a comment\nAnna\n": 1, "#\nAnna\n": 2, "#Ulm\nAnna\n": 2} {
		if c, err := tokens.ReadColumns(strings.NewReader(text), "a", -1); err != nil || len(c.Tokens) != want {
			t.Errorf("%q: %+v, %v, want %d tokens", text, c, err, want)
		}
	}
}

func letters(t testing.TB, fasta string) *tokens.Corpus {
	set := must.Get(seqio.Read(strings.NewReader(fasta), "a.fa", seqio.Options{}))(t)
	return tokens.FromSet(set)
}

func TestStates(t *testing.T) {
	c := letters(t, ">p x\nMKV\nL\n>q\nAA\n")
	must.Succeed(t, c.AddStates(strings.NewReader(">p\nHHE\nC\n\n>q y\nCC\n"), "s.fa"))
	must.Succeed(t, c.ApplyMask(strings.NewReader(">p\n1101\n>q\n01\n"), "m.fa"))
	tags := ""
	for _, token := range c.Tokens {
		tags += token.Fields[0] + token.Tag + " "
	}
	if tags != "MH KH V LC A AC " {
		t.Errorf("tags %q", tags)
	}
	if got := c.Errorf(5, "x").Error(); got != `a.fa:4: record "q": letter 2: x` {
		t.Errorf("the error of a letter is %s", got)
	}
}

func TestStateErrors(t *testing.T) {
	for text, want := range map[string]string{
		">p\nHHE\n>q\nCC\n":       `s.fa:3: record "p" has 3 letters of the states, want the 4 of a.fa`,
		">p\nHHECC\n>q\nCC\n":     `s.fa:2: record "p" has 5 letters of the states, want the 4 of a.fa`,
		">p\nHHEC\n>r\nCC\n":      `s.fa:3: record "r", want "q", as record 2 of a.fa`,
		">p\nHHEC\n":              `s.fa: 1 record, want the 2 of a.fa`,
		">p\nHHEC\n>q\nC\n":       `s.fa: record "q" has 1 letter of the states, want the 2 of a.fa`,
		">p\nHHEC\n>q\nCC\n>z\nC": `s.fa:5: record "z" is one more than the 2 of a.fa`,
		"HHEC\n":                  `s.fa:1: want a FASTA header, >id, before the states`,
		">p\nHH C\n>q\nCC\n":      `s.fa:2: the states have white space, want visible letters`,
	} {
		c := letters(t, ">p x\nMKVL\n>q\nAA\n")
		if err := c.AddStates(strings.NewReader(text), "s.fa"); err == nil || err.Error() != want {
			t.Errorf("the error of %q is %v, want %s", text, err, want)
		}
	}
	c := letters(t, ">p x\nMKVL\n")
	if err := c.ApplyMask(strings.NewReader(">p\n11x1\n"), "m.fa"); err == nil ||
		err.Error() != "m.fa:2: the mask has letter 'x', want 0 or 1" {
		t.Error(err)
	}
}

// FuzzReadColumns reads any text, writes its lines, and reads these.
func FuzzReadColumns(f *testing.F) {
	f.Add("a O\n\n# x\nb\tB-X\n", 0)
	f.Add("-DOCSTART- O\n\na O\n", 2)
	f.Add("# c\n1-2\tx\tO\n1\ta\tO\n2\tb\tO\n\n\n", 0)
	f.Add("#\n#a b\na\n", -1)
	f.Add(" >>\n", -1)
	f.Add("# b\tB\t\n\v#", -1)
	f.Add("#\f\t\f\nX\fO", -1)
	f.Fuzz(func(t *testing.T, text string, tag int) {
		tag = max(-1, tag%5)
		c, err := tokens.ReadColumns(strings.NewReader(text), "a", tag)
		if err != nil {
			return
		}
		if last := c.Ends[len(c.Ends)-1]; last != len(c.Tokens) || len(c.Documents) != len(c.Ends) {
			t.Fatalf("%d tokens, sequences end at %v in documents %v", last, c.Ends, c.Documents)
		}
		for q := range c.Sequences() {
			if len(c.Sequence(q)) == 0 {
				t.Fatalf("sequence %d is empty", q)
			}
			for _, token := range c.Sequence(q) {
				if len(token.Fields) != c.Columns || tag >= 0 && token.Tag == "" {
					t.Fatalf("%+v, want %d columns", token, c.Columns)
				}
			}
		}
		var out bytes.Buffer
		must.Succeed(t, c.WriteLines(&out, func(int) []string { return nil }))
		if got := strings.Count(out.String(), "\n"); got != len(c.Tokens)+len(c.Others) {
			t.Fatalf("%d lines of %d tokens and %d others", got, len(c.Tokens), len(c.Others))
		}
		if last := c.Tokens[len(c.Tokens)-1].Line; last > strings.Count(strings.ReplaceAll(text, "\r", "\n"), "\n")+1 {
			t.Fatalf("the last token is in line %d", last)
		}
		again, err := tokens.ReadColumns(&out, "a", tag)
		if err != nil || !reflect.DeepEqual(again, c) {
			t.Fatalf("%+v, %v; want %+v", again, err, c)
		}
	})
}
