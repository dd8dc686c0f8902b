package seqio_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestFields: further values come from columns, fields and headers, whatever the order of these.
func TestFields(t *testing.T) {
	for _, c := range []struct{ name, input, names, want string }{
		{"a.fa", ">x 1.5 weight=2 q=a\nAC\n>y q=b weight=3 label=z\nA\nC\n", "q weight", "x 1.5 a 2;y z b 3"},
		{"a.fq", "@x 1.5 weight=2\nAC\n+\nII\n", "weight", "x 1.5 2"},
		{"a.dbn", ">x p weight=2\nAC\n..\n", "weight", "x p 2"},
		{"a.tsv", "weight\ttext\tlabel\n 2 \tAC\t1\n3\tA\t2\n", "weight", "2 1 2;3 2 3"},
		{"a.tsv", "1\tAC\t2\n2\tA\t3\n", "3", "1 1 2;2 2 3"}, // no header, though the third cell is that of a column
		{"a.tsv", "w\tl\tt\n1\tb\tAC\n", "w", "2 b 1"},       // the name of a field makes it a header
		{"a.csv", "text,weight,label\nAC,\"2\",x\n", "weight", "2 x 2"},
		{"a.jsonl", `{"text":"AC","label":1.5,"meta":{"w":2},"q":"a b"}`, "meta.w q", "1 1.5 2 a b"},
	} {
		opt := seqio.Options{Fields: strings.Fields(c.names)}
		switch c.want {
		case "1 1 2;2 2 3":
			opt.Columns = seqio.Columns{Text: "2", Label: "1"}
		case "2 b 1":
			opt.Columns = seqio.Columns{Text: "3", Label: "2"}
		}
		all, err := seqio.ReadAll(context.Background(), []seqio.Input{{Path: c.name, Reader: strings.NewReader(c.input)}}, opt)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var records []string
		for i, label := range all.Labels() {
			record := []string{all.Corpus.Name(i), label}
			for k := range opt.Fields {
				record = append(record, all.Field(k)[i])
			}
			records = append(records, strings.Join(record, " "))
		}
		if got := strings.Join(records, ";"); got != c.want {
			t.Errorf("%s: records %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPairs: two columns or fields are the sequences of a pair, whose letters are those of sequences.
func TestPairs(t *testing.T) {
	for _, c := range []struct{ name, input, text, want string }{
		{"a.tsv", "left\tlabel\tright\nMKV \t1\thrw\nEKL\t2\tWW\n", "left:right", "bytes MKV|hrw EKL|WW"},
		{"a.tsv", "left\tlabel\tright\nMKV \t1\tHRW\nEKL\t2\tWW\n", "left:right", "protein MKV|HRW EKL|WW"},
		{"a.tsv", "ACGT\tTTGA\n", "2:1", "dna TTGA|ACGT"},
		{"a.csv", "q,title,body\nwhy,a b,c\n", "q:title+body", "bytes why|a b c"},
		{"a.csv", "q:title,body\nwhy,a b\n", "q:title", "bytes why"},
		{"a.jsonl", `{"a":"ACGT","m":{"b":"TTGA"}}`, "a:m.b", "dna ACGT|TTGA"},
	} {
		all := must.Get(seqio.ReadAll(context.Background(), []seqio.Input{{Path: c.name, Reader: strings.NewReader(c.input)}},
			seqio.Options{Columns: seqio.Columns{Text: c.text}, OptionalLabels: true}))(t)
		got := string(all.DetectAlphabet())
		for i := range all.Corpus.Len() {
			got += " " + strings.ReplaceAll(string(all.Corpus.Seq(i)), string(stringkernel.PairBreak), "|")
		}
		if got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.text, c.name, got, c.want)
		}
		if outside := seqio.ShareOutside(all.Corpus, all.DetectAlphabet()); outside != 0 {
			t.Errorf("%s: %v of the letters outside", c.text, outside)
		}
	}
}

// TestFieldsInBatches: batches and inputs together have the values of the whole.
func TestFieldsInBatches(t *testing.T) {
	inputs := func() []seqio.Input {
		return []seqio.Input{
			{Path: "a.fa", Reader: strings.NewReader(">a w=1\nAC\n>b w=2\nAC\n>c w=3\nAC\n")},
			{Path: "b.tsv", Reader: strings.NewReader("text\tw\nAC\t4\nAC\t5\n")},
		}
	}
	var got []string
	opt := seqio.Options{Fields: []string{"w"}}
	err := seqio.AllBatches(context.Background(), inputs(), opt, 1, func(c *seqio.Collection) error {
		got = append(got, c.Field(0)...)
		return nil
	})
	if want := "[1 2 3 4 5]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("batches have %v (%v), want %s", got, err, want)
	}
	all, err := seqio.ReadAll(context.Background(), inputs(), opt)
	if err != nil || fmt.Sprint(all.Field(0)) != fmt.Sprint(got) {
		t.Errorf("all at once have %v (%v), want %v", all.Field(0), err, got)
	}
	if part := all.Part(1); fmt.Sprint(part.Fields) != "[[4 5]]" {
		t.Errorf("the second input has %v", part.Fields)
	}
}

// TestNumbers: numbers of columns and headers come at the end of each record, of all that are read together.
func TestNumbers(t *testing.T) {
	inputs := []seqio.Input{
		{Path: "a.fa", Reader: strings.NewReader(">x n=1 gc=0.5\nACG\nT\n>y gc=-2e3 n=3\nA\n")},
		{Path: "b.tsv", Reader: strings.NewReader("n\ttext\tgc\n4\tACC\t 1 \n")},
		{Path: "c.jsonl", Reader: strings.NewReader(`{"text":"GG","gc":7,"n":2}`)},
	}
	opt := seqio.Options{Numbers: []string{"gc", "n"}, Fields: []string{"n"}}
	all := must.Get(seqio.ReadAll(context.Background(), inputs, opt))(t)
	for i, want := range []struct {
		letters string
		gc, n   float64
	}{{"ACGT", 0.5, 1}, {"A", -2e3, 3}, {"ACC", 1, 4}, {"GG", 7, 2}} {
		record := stringkernel.AppendNumber(stringkernel.AppendNumber([]byte(want.letters), want.gc), want.n)
		if got := string(all.Corpus.Seq(i)); got != string(record) {
			t.Errorf("record %d is %q, want %q", i, got, record)
		}
	}
	if got := all.DetectAlphabet(); got != stringkernel.DNA {
		t.Errorf("alphabet %s", got)
	}
	for input, want := range map[string]string{
		">x n=1\nA\n":         "no gc=… in the header",
		">x gc=two\nA\n":      `gc is "two", want a number`,
		">x gc=NaN\nA\n":      `gc is "NaN", want a number`,
		">x gc=1e31 n=2\nA\n": `gc is "1e31", want a number of at most 1e+30`,
	} {
		_, err := seqio.ReadAll(context.Background(), []seqio.Input{{Path: "a.fa", Reader: strings.NewReader(input)}}, seqio.Options{Numbers: opt.Numbers})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", input, err, want)
		}
	}
	dna, err := seqio.ReadAll(context.Background(), []seqio.Input{{Path: "a.fa", Reader: strings.NewReader(">x gc=1\nAC\n>y gc=2\nGT\n")}},
		seqio.Options{Numbers: []string{"gc"}})
	if err != nil || dna.DetectAlphabet() != stringkernel.DNA {
		t.Errorf("letters of DNA with numbers: %v, %v", dna.DetectAlphabet(), err)
	}
}
