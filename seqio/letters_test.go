package seqio_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// What the letters of a column look like decides, not the container: the alphabet, their case, white space at the ends.
func TestLettersOfText(t *testing.T) {
	for _, c := range []struct {
		what, name, text string
		opt              seqio.Options
		alphabet         stringkernel.Alphabet
		letters          string // of all records, with blanks between
		mode             seqio.Case
		foreign          int
	}{
		{"DNA in TSV", "a.tsv", "a\tacgtN\nb\tGGcA\n", seqio.Options{}, stringkernel.DNA, "ACGTN GGCA", seqio.CaseUpper, 0},
		{"DNA in CSV, blanks", "a.csv", "label,text\na, ACGT\nb,\"ggca \"\n", seqio.Options{}, stringkernel.DNA, "ACGT GGCA",
			seqio.CaseUpper, 0},
		{"DNA in JSONL", "a.jsonl", "{\"text\":\"acgt\"}\n", seqio.Options{}, stringkernel.DNA, "ACGT", seqio.CaseUpper, 0},
		{"DNA by lines", "a.txt", "acgt\n\nGGA\n", seqio.Options{}, stringkernel.DNA, "ACGT  GGA", seqio.CaseUpper, 0},
		{"a document of DNA", "a", "acgt\r\nggaa\n\n", seqio.Options{Format: seqio.Documents}, stringkernel.DNA, "ACGTGGAA",
			seqio.CaseUpper, 0},
		{"RNA in TSV, some T", "a.tsv", "a\tacguu\nb\tGGUt\n", seqio.Options{}, stringkernel.RNA, "ACGUU GGUU", seqio.CaseUpper, 1},
		{"DNA, some U", "a.fa", ">a\nACGTu\n>b\nUTTT\n", seqio.Options{}, stringkernel.DNA, "ACGTT TTTT", seqio.CaseUpper, 2},
		{"soft-masked DNA", "a.tsv", "a\tacgtUu\nb\tGTCA\n", seqio.Options{Case: seqio.CaseKept}, stringkernel.DNA, "acgtTt GTCA",
			seqio.CaseKept, 2},
		{"DNA of a model of bytes", "a.tsv", "a\tacgu\n", seqio.Options{Alphabet: stringkernel.Bytes}, stringkernel.RNA,
			"ACGU",
			seqio.CaseUpper, 0},
		{"protein", "a.tsv", "a\tMKVLU\nb\tACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWY\n", seqio.Options{},
			stringkernel.Protein, "MKVLU ACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWY", seqio.CaseUpper, 0},
		{"selenocysteine", "a.fa", ">a\nMKVLuE\n", seqio.Options{}, stringkernel.Protein, "MKVLUE", seqio.CaseUpper, 0},
		{"words in lower case", "a.tsv", "a\tmelting\nb\tcat\n", seqio.Options{}, stringkernel.Bytes, "melting cat",
			seqio.CaseKept, 0},
		{"words in capitals", "a.tsv", "a\tJOHN\nb\tMARY\n", seqio.Options{}, stringkernel.Bytes, "JOHN MARY", seqio.CaseKept, 0},
		{"k-mers between blanks", "a.tsv", "a\tACG CGT\n", seqio.Options{}, stringkernel.Bytes, "ACG CGT", seqio.CaseKept, 0},
		{"one base", "a.tsv", "a\ta\nb\taa\n", seqio.Options{}, stringkernel.Bytes, "a aa", seqio.CaseKept, 0},
		{"text of a model of DNA", "a.tsv", "a\tx\nb\tacgU \n", seqio.Options{Alphabet: stringkernel.DNA}, stringkernel.Bytes,
			"X ACGT", seqio.CaseUpper, 1},
		{"sequences as written", "a.fa", ">a\nword\n", seqio.Options{Alphabet: stringkernel.Bytes, Case: seqio.CaseKept}, "",
			"word",
			seqio.CaseKept, 0},
		{"sites", "a.fa", ">a\nacgGGUact\n>b\nGGTtc\n", seqio.Options{Case: seqio.CaseSites}, stringkernel.DNA, "acgGGTact GGTtc",
			seqio.CaseKept, 1},
		{"two stretches", "a.fa", ">a\nacGGacGG\n>b\nGGc\n", seqio.Options{Case: seqio.CaseSites}, stringkernel.DNA,
			"ACGGACGG GGC", seqio.CaseUpper, 0},
		{"sites of proteins", "a.fa", ">a\nmkvLHRwe\n>b\nKLHRed\n", seqio.Options{Case: seqio.CaseSites}, stringkernel.Protein,
			"MKVLHRWE KLHRED", seqio.CaseUpper, 0},
		{"no sites", "a.fa", ">a\nacgg\n>b\nGGC\n", seqio.Options{Case: seqio.CaseSites}, stringkernel.DNA, "ACGG GGC",
			seqio.CaseUpper, 0},
		{"sites in text", "a.tsv", "a\tcat\nb\tthe CAT sat\n", seqio.Options{Case: seqio.CaseSites}, stringkernel.Bytes,
			"cat the CAT sat", seqio.CaseKept, 0},
		{"groups of amino acids", "a.fa", ">a\nLIVMX\n>b\nstAr\n", seqio.Options{Alphabet: stringkernel.Murphy10}, "",
			"IIIIX SSAK", seqio.CaseUpper, 0},
		{"soft-masked groups", "a.fa", ">a\nLivM\n", seqio.Options{Alphabet: stringkernel.Murphy10, Case: seqio.CaseKept}, "", "IiiI",
			seqio.CaseKept, 0},
		{"groups in TSV", "a.tsv", "a\tLRST\n", seqio.Options{Alphabet: stringkernel.SDM12}, stringkernel.Protein, "IEQQ",
			seqio.CaseUpper, 0},
		{"HTML", "a.tsv", "a\tacgt\n", seqio.Options{HTML: true}, stringkernel.Bytes, "acgt", seqio.CaseKept, 0},
	} {
		t.Run(c.what, func(t *testing.T) {
			all := must.Get(seqio.ReadAll(context.Background(), []seqio.Input{{Path: c.name, Reader: strings.NewReader(c.text)}}, c.opt))(t)
			if got := strings.Join(textsOf(all.Sets[0]), " "); got != c.letters {
				t.Errorf("letters %q, want %q", got, c.letters)
			}
			if c.alphabet != "" && (all.DetectAlphabet() != c.alphabet || all.Sets[0].DetectAlphabet() != c.alphabet) {
				t.Errorf("alphabet %s, want %s", all.DetectAlphabet(), c.alphabet)
			}
			if all.Case != c.mode || all.Foreign != c.foreign {
				t.Errorf("case %q, %d foreign letters, want %q, %d", all.Case, all.Foreign, c.mode, c.foreign)
			}
		})
	}
}

// Lines of errors stay right after white space is removed.
func TestAmbiguousAfterText(t *testing.T) {
	inputs := []seqio.Input{{Path: "a.tsv", Reader: strings.NewReader("a\tACGT \n")},
		{Path: "b.fa", Reader: strings.NewReader(">x\nACGT\nAC\nAE\n")}}
	_, err := seqio.ReadAll(context.Background(), inputs, seqio.Options{Ambiguous: seqio.AmbiguousError, Alphabet: stringkernel.DNA})
	if err == nil || err.Error() != `b.fa:4: record "x": letter 'E' is not DNA` {
		t.Error(err)
	}
}

// Files of different kinds in a folder are an error that names one of each; a text that begins with '>' is a document.
func TestFolderOfKinds(t *testing.T) {
	root := seqio.MakeFolder(t, map[string]string{"a/1.fa": ">x\nAC\n", "b/notes.txt": "words\n"})
	_, err := seqio.ReadFile(root, seqio.Options{})
	if !errors.Is(err, seqio.ErrMixedFolder) || !strings.Contains(err.Error(), "a/1.fa (FASTA) and b/notes.txt (documents)") {
		t.Error(err)
	}
	if s, err := seqio.ReadFile(root, seqio.Options{Format: seqio.Documents}); err != nil || s.Len() != 2 {
		t.Error(s, err)
	}
	beside := seqio.MakeFolder(t, map[string]string{"a/1.fa": ">x\nAC\n", "2.fa": ">y\nAC\n", "README": "no"})
	if _, err := seqio.ReadFile(beside, seqio.Options{}); err == nil ||
		!strings.HasSuffix(err.Error(),
			"2.fa: the file is beside folders, whose names are the labels; move it into one") {
		t.Error(err)
	}
	empty := seqio.MakeFolder(t, map[string]string{"1.fa": ">x\nAC\n", "2.fa": ""})
	if _, err := seqio.ReadFile(empty, seqio.Options{}); err == nil || !strings.HasSuffix(err.Error(), "2.fa: the file is empty") {
		t.Error(err)
	}
	mail := seqio.MakeFolder(t, map[string]string{"a/1": ">In article 17 Ann writes:\n> no\nHello\n",
		"b/2": "@home\nis where\n+\n"})
	if s, err := seqio.ReadFile(mail, seqio.Options{}); err != nil || s.Format != seqio.Documents || s.Len() != 2 {
		t.Error(s, err)
	}
}

// First words of descriptions are refused as labels if they look like prose; label=X is always accepted.
func TestLabelsFromProse(t *testing.T) {
	header := func(n int, label func(i int) string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ">r%d %s\nAC\n", i, label(i))
		}
		return b.String()
	}
	for _, c := range []struct {
		what    string
		text    string
		label   string // of the input
		refused bool
	}{
		{"two classes", header(10, func(i int) string { return fmt.Sprint(i % 2) }), "", false},
		{"half of the classes have one record", ">a x\nA\n>b y\nA\n>c y\nA\n", "", false},
		{"more than half", ">a x\nA\n>b y\nA\n>c y\nA\n>d z\nA\n", "", true},
		{"101 classes of 10", header(1010, func(i int) string { return fmt.Sprint(i % 101) }), "", false},
		{"101 classes of fewer", header(1009, func(i int) string { return fmt.Sprint(i % 101) }), "", true},
		{"100 classes of 2", header(200, func(i int) string { return fmt.Sprint(i % 100) }), "", false},
		{"label=X", header(10, func(i int) string { return fmt.Sprint("label=", i) }), "", false},
		{"a label for the file", header(10, func(i int) string { return fmt.Sprint(i) }), "pos", false},
	} {
		all, err := seqio.ReadAll(context.Background(), []seqio.Input{{Path: "a.fa", Reader: strings.NewReader(c.text),
			Label: c.label}}, seqio.Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = all.CheckTraining()
		if prose := (*seqio.ProseError)(nil); errors.As(err, &prose) != c.refused || !c.refused && err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// The first of two columns without names is refused as the label where it looks like a text or an id, and it is said
// whether the second has few values; named columns are not doubted.
func TestLabelsFromTheWrongColumn(t *testing.T) {
	table := func(n int, row func(i int) string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintln(&b, row(i))
		}
		return b.String()
	}
	textFirst := func(i int) string { return fmt.Sprintf("text number %d\t%d", i, i%2) }
	idFirst := func(i int) string { return fmt.Sprintf("s%d\ttext number %d", i, i) }
	labelFirst := func(i int) string { return fmt.Sprintf("%d\ttext number %d", i%2, i) }
	for _, c := range []struct {
		what, text       string
		opt              seqio.Options
		refused, swapped bool
	}{
		{"text first", table(40, textFirst), seqio.Options{}, true, true},
		{"few of these", table(4, textFirst), seqio.Options{}, true, true},
		{"many of these", table(300, textFirst), seqio.Options{}, true, true},
		{"the columns by number", table(40, textFirst), seqio.Options{Columns: seqio.Columns{Text: "1", Label: "2"}}, false, false},
		{"bases first", table(9, func(i int) string { return strings.Repeat("ACGT", i+1) + fmt.Sprint("\t", i%3) }),
			seqio.Options{}, true, true},
		{"each text twice", table(20, func(i int) string { return textFirst(i % 10) }), seqio.Options{}, true, true},
		{"bases three times", table(60, func(i int) string { return strings.Repeat("ACGT", i%20+1) + fmt.Sprint("\t", i%2) }),
			seqio.Options{}, true, true},
		{"labels of the same texts", table(40, func(i int) string { return fmt.Sprintf("%d\ttext number %d", i%8, i%5) }),
			seqio.Options{}, false, false},
		{"labels of long texts", table(40, func(i int) string { return fmt.Sprintf("%d\t%050d", i%8, i%2) }),
			seqio.Options{}, false, false},
		{"id first", table(40, idFirst), seqio.Options{}, true, false},
		{"the label by number", table(40, idFirst), seqio.Options{Columns: seqio.Columns{Label: "1"}}, false, false},
		{"label first", table(40, labelFirst), seqio.Options{}, false, false},
		{"three examples", table(3, idFirst), seqio.Options{}, false, false},
		{"a header", "label\ttext\n" + table(40, idFirst), seqio.Options{}, false, false},
		{"CSV", strings.ReplaceAll(table(40, textFirst), "\t", ","), seqio.Options{Format: seqio.CSV, Columns: seqio.Columns{Header: seqio.HeaderNo}},
			true, true},
	} {
		all, err := seqio.ReadAll(context.Background(), []seqio.Input{{Path: "a.tsv", Reader: strings.NewReader(c.text)}}, c.opt)
		if err != nil {
			t.Fatal(c.what, err)
		}
		err = all.CheckTraining()
		prose := new(seqio.ProseError)
		if errors.As(err, &prose) != c.refused || !c.refused && err != nil || prose.Swapped() != c.swapped ||
			(all.CheckColumns() != nil) != c.swapped {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

func TestTrainingOnHeaders(t *testing.T) {
	for text, want := range map[string]string{
		">a label=x\n>b label=y\n": "a.fa: headers without sequences: all records are empty",
		">a label=x\nA\n>b\n":      "",
	} {
		all := must.Get(seqio.ReadAll(context.Background(), []seqio.Input{{Path: "a.fa", Reader: strings.NewReader(text)}}, seqio.Options{}))(t)
		if err := all.CheckTraining(); want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The columns of the training data are used where they are, and contradicted only there.
func TestTrainedColumns(t *testing.T) {
	trained := seqio.Columns{Text: "seq", Label: "class", ID: "name"}
	for _, c := range []struct {
		what, name, text string
		columns, trained seqio.Columns
		want, err        string
	}{
		{"named", "a.csv", "name,class,seq,text\nx,A,one,two\n", seqio.Columns{}, trained, "x A one", ""},
		{"other names", "a.csv", "id,label,text\nx,A,one\n", seqio.Columns{}, trained, "x A one", ""},
		{"TSV, header by the trained name", "a.tsv", "seq\tother\none\t1\n", seqio.Columns{}, trained, "2  one", ""},
		{"TSV without header", "a.tsv", "one\n", seqio.Columns{}, trained, "1  one", ""},
		{"asked for where the trained one is not", "a.csv", "s,t\none,two\n", seqio.Columns{Text: "s"}, trained,
			"2  one", ""},
		{"contradiction", "a.csv", "s,seq\none,two\n", seqio.Columns{Text: "s"}, trained, "",
			`a.csv:1: text "s" asked for, but the model was trained with text "seq", which is here too`},
		{"the same column by its number", "a.csv", "s,seq\none,two\n", seqio.Columns{Text: "2"}, trained, "2  two", ""},
		{"another column by its number", "a.csv", "s,seq\none,two\n", seqio.Columns{Text: "1"}, trained, "",
			`a.csv:1: text "1" asked for, but the model was trained with text "seq", which is here too`},
		{"numbers", "a.tsv", "one\tA\n", seqio.Columns{}, seqio.Columns{Text: "1", Label: "2"}, "1 A one", ""},
		{"too few for the numbers", "a.tsv", "one\n", seqio.Columns{}, seqio.Columns{Text: "2", Label: "1"}, "1  one", ""},
		{"fields", "a.jsonl", `{"seq":"one","class":"A","name":"x","text":"two"}`, seqio.Columns{}, trained, "x A one", ""},
		{"other fields", "a.jsonl", `{"text":"two","label":"A"}`, seqio.Columns{}, trained, "1 A two", ""},
		{"contradiction of fields", "a.jsonl", `{"seq":"one","text":"two"}`, seqio.Columns{Text: "text"}, trained, "",
			`a.jsonl:1: text "text" asked for, but the model was trained with text "seq", which is here too`},
	} {
		t.Run(c.what, func(t *testing.T) {
			s, err := seqio.Read(strings.NewReader(c.text), c.name, seqio.Options{Columns: c.columns, Trained: c.trained})
			if c.err != "" {
				if err == nil || err.Error() != c.err {
					t.Errorf("got  %v\nwant %s", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%s %s %s", s.Corpus.Name(0), s.Label(0), s.Corpus.Seq(0)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
