package seqio_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// record is what a test expects of one record.
type record struct {
	id, description, label, sequence string
	line                             int
}

// recordsOf flattens a set for comparison.
func recordsOf(s *seqio.Set) []record {
	var out []record
	for i := range s.Len() {
		r := record{id: s.Corpus.Name(i), label: s.Label(i), sequence: string(s.Corpus.Seq(i))}
		if s.Descriptions != nil {
			r.description = s.Descriptions[i]
		}
		if s.Lines != nil {
			r.line = s.Lines[i]
		}
		out = append(out, r)
	}
	return out
}

func mustRead(t *testing.T, text, name string, opt seqio.Options) *seqio.Set {
	t.Helper()
	s := must.Get(seqio.Read(strings.NewReader(text), name, opt))(t)
	return s
}

// valid inputs, with what the format rules of the package comment say they contain.
var valid = []struct {
	what, name, text string
	opt              seqio.Options
	want             []record
}{
	{"one record", "a.fa", ">x +1\nACGT\n", seqio.Options{}, []record{{"x", "+1", "+1", "ACGT", 1}}},
	{"no line end", "a.fa", ">x +1\nACGT", seqio.Options{}, []record{{"x", "+1", "+1", "ACGT", 1}}},
	{"several lines", "a.fa", ">x\nAC\nGT\nA\n>y\nTT\n", seqio.Options{},
		[]record{{"x", "", "", "ACGTA", 1}, {"y", "", "", "TT", 5}}},
	{"CRLF", "a.fa", ">x a b\r\nAC\r\nGT\r\n\r\n>y\r\nTT\r\n", seqio.Options{},
		[]record{{"x", "a b", "a", "ACGT", 1}, {"y", "", "", "TT", 5}}},
	{"CR before the end of file", "a.fa", ">x\nAC\r", seqio.Options{}, []record{{"x", "", "", "AC", 1}}},
	{"blank lines", "a.fa", "\n \n>x\nAC\n\nGT\n\t\n\n>y\n\n", seqio.Options{},
		[]record{{"x", "", "", "ACGT", 3}, {"y", "", "", "", 9}}},
	{"space at line ends", "a.fa", ">x \nAC \t\nGT\r \n", seqio.Options{}, []record{{"x", "", "", "ACGT", 1}}},
	{"empty records", "a.fa", ">x\n>y\n>z", seqio.Options{},
		[]record{{"x", "", "", "", 1}, {"y", "", "", "", 2}, {"z", "", "", "", 3}}},
	{"comments at the top", "a.fa", ";one\n; two\n\n>x\nA\n", seqio.Options{}, []record{{"x", "", "", "A", 4}}},
	{"stop and gaps", "a.faa", ">x\nMK-L.*\n", seqio.Options{}, []record{{"x", "", "", "MK-L.*", 1}}},
	{"upper case", "a.fa", ">x\nacgtnACGTNryk*-.zZaA\n", seqio.Options{}, []record{{"x", "", "", "ACGTNACGTNRYK*-.ZZAA", 1}}},
	{"soft mask", "a.fa", ">x\nacgtnACGTNryk*-.zZaA\n", seqio.Options{Case: seqio.CaseKept},
		[]record{{"x", "", "", "acgtnACGTNryk*-.zZaA", 1}}},
	{"label token", "a.fa", ">x first label=EI last label=N\nA\n", seqio.Options{},
		[]record{{"x", "first label=EI last label=N", "EI", "A", 1}}},
	{"no label token", "a.fa", ">x mylabel=EI last\nA\n", seqio.Options{},
		[]record{{"x", "mylabel=EI last", "mylabel=EI", "A", 1}}},
	{"empty label token", "a.fa", ">x label= last\nA\n>y z\nC\n", seqio.Options{},
		[]record{{"x", "label= last", "", "A", 1}, {"y", "z", "z", "C", 3}}},
	{"tab after the id", "a.fa", ">x\t +1\tb \nA\n", seqio.Options{}, []record{{"x", "+1\tb", "+1", "A", 1}}},
	{"'>' in a header", "a.fa", ">x >y\nA\n", seqio.Options{}, []record{{"x", ">y", ">y", "A", 1}}},
	{"UTF-8 in a header", "a.fa", ">é ü\nA\n", seqio.Options{}, []record{{"é", "ü", "ü", "A", 1}}},
	{"control A in a description", "a.fa", ">x a\x01y b\nA\n", seqio.Options{},
		[]record{{"x", "a\x01y b", "a\x01y", "A", 1}}},
	{"byte order mark", "a", "\xef\xbb\xbf>x\nA\n", seqio.Options{}, []record{{"x", "", "", "A", 1}}},
	{"first byte before name", "a.txt", ">x\nA\n", seqio.Options{}, []record{{"x", "", "", "A", 1}}},
	{"option before first byte", "a.fa", ">x\nA\n", seqio.Options{Format: seqio.Lines},
		[]record{{"1", "", "", ">x", 1}, {"2", "", "", "A", 2}}},
	{"comment inferred from the name", "a.FASTA.gz", ";c\n>x\nA\n", seqio.Options{}, []record{{"x", "", "", "A", 2}}},

	{"FASTQ", "a", "@x 1:N\nACgt\n+\n!~II\n", seqio.Options{}, []record{{"x", "1:N", "1:N", "ACGT", 1}}},
	{"FASTQ, header repeated", "a", "@x 1\nAC\n+x 1\nII\n@y 1\nAC\n+y\nII", seqio.Options{},
		[]record{{"x", "1", "1", "AC", 1}, {"y", "1", "1", "AC", 5}}},
	{"FASTQ, header repeated with other blanks", "a", "@ x 1\nAC\n+x 1\nII\n@y 1\nAC\n+ y 1 \nII", seqio.Options{},
		[]record{{"x", "1", "1", "AC", 1}, {"y", "1", "1", "AC", 5}}},
	{"FASTQ, '@' and '+' in qualities", "a", "@x\nACG\n+\n@+@\n@y\nACG\n+\n+@+\n", seqio.Options{},
		[]record{{"x", "", "", "ACG", 1}, {"y", "", "", "ACG", 5}}},
	{"FASTQ, wrapped", "a", "@x\nACG\nT\n+\n@II\n@\n@y\nAC\nG\n+\nI\n+I\n", seqio.Options{},
		[]record{{"x", "", "", "ACGT", 1}, {"y", "", "", "ACG", 7}}},
	{"FASTQ, CRLF", "a", "@x\r\nACG\r\n+\r\nIII\r\n\r\n@y\r\nA\r\n+\r\nI\r\n", seqio.Options{},
		[]record{{"x", "", "", "ACG", 1}, {"y", "", "", "A", 6}}},
	{"FASTQ, empty reads", "a", "@x\n\n+\n\n@y\n+\n@z\nA\n+\nI\n@w\n\n+", seqio.Options{},
		[]record{{"x", "", "", "", 1}, {"y", "", "", "", 5}, {"z", "", "", "A", 7}, {"w", "", "", "", 11}}},
	{"FASTQ, soft mask", "a.fq", "@x\nacGT\n+\nIIII\n", seqio.Options{Case: seqio.CaseKept}, []record{{"x", "", "", "acGT", 1}}},

	{"lines", "a.txt", "one two\n\nthree\n", seqio.Options{},
		[]record{{"1", "", "", "one two", 1}, {"2", "", "", "", 2}, {"3", "", "", "three", 3}}},
	{"lines, no line end", "a.txt", "a\n b ", seqio.Options{}, []record{{"1", "", "", "a", 1}, {"2", "", "", " b ", 2}}},
	{"lines, CRLF", "a.txt", "a\r\nb \r\n", seqio.Options{}, []record{{"1", "", "", "a", 1}, {"2", "", "", "b ", 2}}},
	{"lines, any byte", "a.txt", "\x01\xff\t\x7f\n", seqio.Options{Encoding: "bytes"},
		[]record{{"1", "", "", "\x01\xff\t\x7f", 1}}},
	{"lines, one blank", "-", "\n", seqio.Options{Format: seqio.Lines}, []record{{"1", "", "", "", 1}}},
	{"lines, letters of any kind refused by none", "a.txt", "acgt E\n", seqio.Options{Ambiguous: seqio.AmbiguousError},
		[]record{{"1", "", "", "acgt E", 1}}},

	{"strict DNA", "a.fa", ">x\nACGT\n", seqio.Options{Ambiguous: seqio.AmbiguousError}, []record{{"x", "", "", "ACGT", 1}}},
	{"strict, masked", "a.fa", ">x\nACGTacgt\n",
		seqio.Options{Ambiguous: seqio.AmbiguousError, Case: seqio.CaseKept, Alphabet: stringkernel.DNA},
		[]record{{"x", "", "", "ACGTacgt", 1}}},
	{"strict protein", "a.fa", ">x\nacdefghiklmnpqrstvwy\n", seqio.Options{Ambiguous: seqio.AmbiguousError},
		[]record{{"x", "", "", "ACDEFGHIKLMNPQRSTVWY", 1}}},
	{"exactly the limit", "a.fa", ">x\nACG\n>y\nT\n", seqio.Options{MaxLetters: 4},
		[]record{{"x", "", "", "ACG", 1}, {"y", "", "", "T", 3}}},
}

func TestReadValid(t *testing.T) {
	for _, c := range slices.Concat(valid, validDocuments) {
		t.Run(c.what, func(t *testing.T) {
			s := mustRead(t, c.text, c.name, c.opt)
			if got := recordsOf(s); !slices.Equal(got, c.want) {
				t.Errorf("got  %v\nwant %v", got, c.want)
			}
			if s.Source != c.name || s.Format == seqio.Auto {
				t.Errorf("source %q, format %q", s.Source, s.Format)
			}
		})
	}
}

func TestSetParts(t *testing.T) {
	if s := mustRead(t, ">x\nA\n>y\nC\n", "a.fa", seqio.Options{}); s.Labels != nil || s.Label(1) != "" || s.Format != seqio.FASTA {
		t.Errorf("labels %q, format %q", s.Labels, s.Format)
	}
	s := mustRead(t, "@x\nA\n+\nI\n@y z\nC\n+\nI\n", "a", seqio.Options{})
	if !slices.Equal(s.Labels, []string{"", "z"}) || s.Format != seqio.FASTQ {
		t.Errorf("labels %q, format %q", s.Labels, s.Format)
	}
	if s := mustRead(t, "one\ntwo\n", "a.txt", seqio.Options{}); s.DetectAlphabet() != stringkernel.Bytes {
		t.Error("text lines are not bytes")
	}
}

// With IDsOnly sets are the same but for descriptions and labels of headers, and so are errors.
func TestIDsOnly(t *testing.T) {
	check := func(name, text string, opt seqio.Options) {
		want, wantErr := seqio.Read(strings.NewReader(text), name, opt)
		opt.IDsOnly = true
		got, err := seqio.Read(strings.NewReader(text), name, opt)
		if err == nil && wantErr == nil && !want.Format.Text() {
			want.Descriptions, want.Labels = nil, nil
		}
		same := fmt.Sprint(err) == fmt.Sprint(wantErr) && (got == nil) == (want == nil)
		if same && got != nil {
			same = got.Format == want.Format && reflect.DeepEqual(
				[]any{got.Corpus, got.Labels, got.LabelSets, got.Descriptions, got.Fields, got.Lines},
				[]any{want.Corpus, want.Labels, want.LabelSets, want.Descriptions, want.Fields, want.Lines})
		}
		if !same {
			t.Errorf("%.60q: %+v, %v; want %+v, %v", text, got, err, want, wantErr)
		}
	}
	for _, c := range valid {
		check(c.name, c.text, c.opt)
	}
	for _, c := range malformed {
		check(c.name, c.text, c.opt)
	}
}

// With Texts, what says nothing of its format is a table if its first line looks like the header of one, in the words of
// the model or of nobody, and otherwise a text per line.
func TestTexts(t *testing.T) {
	trained := seqio.Columns{Text: "body", Label: "2"}
	for _, c := range []struct {
		content string
		want    seqio.Format
		ids     string
	}{
		{"id,text\na,one two\n", seqio.CSV, "a"},
		{"id;label;text\r\na;x;one\r\n", seqio.CSV, "a"},
		{"id,body\na,one two\nb,three\n", seqio.CSV, "a b"},
		{"a\tone\nb\ttwo\n", seqio.TSV, "1 2"},
		{"one, text\ntwo\n", seqio.Lines, "1 2"},
		{"1,2,3\n4,5,6\n", seqio.Lines, "1 2"},
		{"acgt\nacga\n", seqio.Lines, "1 2"},
		{">a\nacgt\n", seqio.FASTA, "a"},
	} {
		in := seqio.Input{Path: "body", Reader: strings.NewReader(c.content)}
		set, err := seqio.ReadAll(t.Context(), []seqio.Input{in}, seqio.Options{Texts: true, Trained: trained})
		if err != nil {
			t.Errorf("%q: %v", c.content, err)
			continue
		}
		var ids []string
		for i := range set.Corpus.Len() {
			ids = append(ids, set.Corpus.Name(i))
		}
		if got := strings.Join(ids, " "); set.Sets[0].Format != c.want || got != c.ids {
			t.Errorf("%q is read as %s with %s, want %s with %s", c.content, set.Sets[0].Format, got, c.want, c.ids)
		}
	}
}
