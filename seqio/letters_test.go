package seqio

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// What the letters of a column look like decides, not the container: the alphabet, their case, white space at the ends.
func TestLettersOfText(t *testing.T) {
	for _, c := range []struct {
		what, name, text string
		opt              Options
		alphabet         stringkernel.Alphabet
		letters          string // of all records, with blanks between
		mode             Case
		foreign          int
	}{
		{"DNA in TSV", "a.tsv", "a\tacgtN\nb\tGGcA\n", Options{}, stringkernel.DNA, "ACGTN GGCA", CaseUpper, 0},
		{"DNA in CSV, blanks", "a.csv", "label,text\na, ACGT\nb,\"ggca \"\n", Options{}, stringkernel.DNA, "ACGT GGCA",
			CaseUpper, 0},
		{"DNA in JSONL", "a.jsonl", "{\"text\":\"acgt\"}\n", Options{}, stringkernel.DNA, "ACGT", CaseUpper, 0},
		{"DNA by lines", "a.txt", "acgt\n\nGGA\n", Options{}, stringkernel.DNA, "ACGT  GGA", CaseUpper, 0},
		{"a document of DNA", "a", "acgt\r\nggaa\n\n", Options{Format: Documents}, stringkernel.DNA, "ACGTGGAA",
			CaseUpper, 0},
		{"RNA in TSV, some T", "a.tsv", "a\tacguu\nb\tGGUt\n", Options{}, stringkernel.RNA, "ACGUU GGUU", CaseUpper, 1},
		{"DNA, some U", "a.fa", ">a\nACGTu\n>b\nUTTT\n", Options{}, stringkernel.DNA, "ACGTT TTTT", CaseUpper, 2},
		{"soft-masked DNA", "a.tsv", "a\tacgtUu\nb\tGTCA\n", Options{Case: CaseKept}, stringkernel.DNA, "acgtTt GTCA",
			CaseKept, 2},
		{"DNA of a model of bytes", "a.tsv", "a\tacgu\n", Options{Alphabet: stringkernel.Bytes}, stringkernel.RNA,
			"ACGU",
			CaseUpper, 0},
		{"protein", "a.tsv", "a\tMKVLU\nb\tACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWY\n", Options{},
			stringkernel.Protein, "MKVLU ACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWY", CaseUpper, 0},
		{"selenocysteine", "a.fa", ">a\nMKVLuE\n", Options{}, stringkernel.Protein, "MKVLUE", CaseUpper, 0},
		{"words in lower case", "a.tsv", "a\tmelting\nb\tcat\n", Options{}, stringkernel.Bytes, "melting cat",
			CaseKept, 0},
		{"words in capitals", "a.tsv", "a\tJOHN\nb\tMARY\n", Options{}, stringkernel.Bytes, "JOHN MARY", CaseKept, 0},
		{"k-mers between blanks", "a.tsv", "a\tACG CGT\n", Options{}, stringkernel.Bytes, "ACG CGT", CaseKept, 0},
		{"one base", "a.tsv", "a\ta\nb\taa\n", Options{}, stringkernel.Bytes, "a aa", CaseKept, 0},
		{"text of a model of DNA", "a.tsv", "a\tx\nb\tacgU \n", Options{Alphabet: stringkernel.DNA}, stringkernel.Bytes,
			"X ACGT", CaseUpper, 1},
		{"sequences as written", "a.fa", ">a\nword\n", Options{Alphabet: stringkernel.Bytes, Case: CaseKept}, "",
			"word",
			CaseKept, 0},
		{"groups of amino acids", "a.fa", ">a\nLIVMX\n>b\nstAr\n", Options{Alphabet: stringkernel.Murphy10}, "",
			"IIIIX SSAK", CaseUpper, 0},
		{"soft-masked groups", "a.fa", ">a\nLivM\n", Options{Alphabet: stringkernel.Murphy10, Case: CaseKept}, "", "IiiI",
			CaseKept, 0},
		{"groups in TSV", "a.tsv", "a\tLRST\n", Options{Alphabet: stringkernel.SDM12}, stringkernel.Protein, "IEQQ",
			CaseUpper, 0},
		{"HTML", "a.tsv", "a\tacgt\n", Options{HTML: true}, stringkernel.Bytes, "acgt", CaseKept, 0},
		{"lines with their ends", "a.txt", "acgt\n", Options{KeepNewline: true}, stringkernel.Bytes, "acgt\n",
			CaseKept, 0},
	} {
		t.Run(c.what, func(t *testing.T) {
			all, err := ReadAll(context.Background(), []Input{{Path: c.name, Reader: strings.NewReader(c.text)}}, c.opt)
			if err != nil {
				t.Fatal(err)
			}
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
	inputs := []Input{{Path: "a.tsv", Reader: strings.NewReader("a\tACGT \n")},
		{Path: "b.fa", Reader: strings.NewReader(">x\nACGT\nAC\nAE\n")}}
	_, err := ReadAll(context.Background(), inputs, Options{Ambiguous: AmbiguousError, Alphabet: stringkernel.DNA})
	if err == nil || err.Error() != `b.fa:4: record "x": letter 'E' is not DNA` {
		t.Error(err)
	}
}

// A folder of FASTA is FASTA: files or folders per class.
func TestFolderOfFASTA(t *testing.T) {
	const a, b = ">r1 some words\nACGT\n>r2\nGG\n", ">r1 label=x\nTTTT\n"
	for _, c := range []struct {
		what  string
		files map[string]string
		want  string // file, id, label of each record
		by    string
	}{
		{"a folder per class", map[string]string{"p/1.fa": a, "p/q/2.fa": b, "n/x.fq": "@s\nAC\n+\nII\n",
			"README": "no"},
			"n/x.fq s n, p/1.fa r1 p, p/1.fa r2 p, p/q/2.fa r1 x", byFolder},
		{"a file per class", map[string]string{"p.txt": a, "n.v1.fasta": b},
			"n.v1.fasta r1 x, p.txt r1 p, p.txt r2 p", byFile},
		{"one file", map[string]string{"p.fa": a}, "p.fa r1 some, p.fa r2 ", "first word of the header"},
		{"tables", map[string]string{"p.tsv": "x\tAC\n", "n.tsv": "text\nGG\n"}, "n.tsv 2 n, p.tsv 1 x", byFile},
	} {
		t.Run(c.what, func(t *testing.T) {
			root := makeFolder(t, c.files)
			all, err := ReadAll(context.Background(), []Input{{Path: root}}, Options{RepeatedIDs: true})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range all.Sets {
				file, _ := filepath.Rel(root, s.Source)
				for i := range s.Len() {
					got = append(got, fmt.Sprintf("%s %s %s", filepath.ToSlash(file), s.Corpus.Name(i), s.Label(i)))
				}
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), c.want)
			}
			if by := all.Sets[0].LabelSource(); by != c.by {
				t.Errorf("labels by %s, want %s", by, c.by)
			}
			whole := all.Part(0)
			if whole.Len() != len(got) || !slices.Equal(whole.Labels, all.Labels()) {
				t.Errorf("as one set: %v", whole)
			}
		})
	}
}

// Files of different kinds in a folder are an error that names one of each; a text that begins with '>' is a document.
func TestFolderOfKinds(t *testing.T) {
	root := makeFolder(t, map[string]string{"a/1.fa": ">x\nAC\n", "b/notes.txt": "words\n"})
	_, err := ReadFile(root, Options{})
	if !errors.Is(err, ErrMixedFolder) || !strings.Contains(err.Error(), "a/1.fa (FASTA) and b/notes.txt (documents)") {
		t.Error(err)
	}
	if s, err := ReadFile(root, Options{Format: Documents}); err != nil || s.Len() != 2 {
		t.Error(s, err)
	}
	beside := makeFolder(t, map[string]string{"a/1.fa": ">x\nAC\n", "2.fa": ">y\nAC\n", "README": "no"})
	if _, err := ReadFile(beside, Options{}); err == nil ||
		!strings.HasSuffix(err.Error(),
			"2.fa: the file is beside folders, whose names are the labels; move it into one") {
		t.Error(err)
	}
	empty := makeFolder(t, map[string]string{"1.fa": ">x\nAC\n", "2.fa": ""})
	if _, err := ReadFile(empty, Options{}); err == nil || !strings.HasSuffix(err.Error(), "2.fa: the file is empty") {
		t.Error(err)
	}
	mail := makeFolder(t, map[string]string{"a/1": ">In article 17 Ann writes:\n> no\nHello\n",
		"b/2": "@home\nis where\n+\n"})
	if s, err := ReadFile(mail, Options{}); err != nil || s.Format != Documents || s.Len() != 2 {
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
		all, err := ReadAll(context.Background(), []Input{{Path: "a.fa", Reader: strings.NewReader(c.text),
			Label: c.label}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = all.CheckTraining()
		if prose := (*ProseError)(nil); errors.As(err, &prose) != c.refused || !c.refused && err != nil {
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
		opt              Options
		refused, swapped bool
	}{
		{"text first", table(40, textFirst), Options{}, true, true},
		{"few of these", table(4, textFirst), Options{}, true, true},
		{"many of these", table(300, textFirst), Options{}, true, true},
		{"the columns by number", table(40, textFirst), Options{Columns: Columns{Text: "1", Label: "2"}}, false, false},
		{"bases first", table(9, func(i int) string { return strings.Repeat("ACGT", i+1) + fmt.Sprint("\t", i%3) }),
			Options{}, true, true},
		{"each text twice", table(20, func(i int) string { return textFirst(i % 10) }), Options{}, true, true},
		{"bases three times", table(60, func(i int) string { return strings.Repeat("ACGT", i%20+1) + fmt.Sprint("\t", i%2) }),
			Options{}, true, true},
		{"labels of the same texts", table(40, func(i int) string { return fmt.Sprintf("%d\ttext number %d", i%8, i%5) }),
			Options{}, false, false},
		{"labels of long texts", table(40, func(i int) string { return fmt.Sprintf("%d\t%050d", i%8, i%2) }),
			Options{}, false, false},
		{"id first", table(40, idFirst), Options{}, true, false},
		{"the label by number", table(40, idFirst), Options{Columns: Columns{Label: "1"}}, false, false},
		{"label first", table(40, labelFirst), Options{}, false, false},
		{"three examples", table(3, idFirst), Options{}, false, false},
		{"a header", "label\ttext\n" + table(40, idFirst), Options{}, false, false},
		{"CSV", strings.ReplaceAll(table(40, textFirst), "\t", ","), Options{Format: CSV, Columns: Columns{Header: HeaderNo}},
			true, true},
	} {
		all, err := ReadAll(context.Background(), []Input{{Path: "a.tsv", Reader: strings.NewReader(c.text)}}, c.opt)
		if err != nil {
			t.Fatal(c.what, err)
		}
		err = all.CheckTraining()
		prose := new(ProseError)
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
		all, err := ReadAll(context.Background(), []Input{{Path: "a.fa", Reader: strings.NewReader(text)}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := all.CheckTraining(); want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The columns of the training data are used where they are, and contradicted only there.
func TestTrainedColumns(t *testing.T) {
	trained := Columns{Text: "seq", Label: "class", ID: "name"}
	for _, c := range []struct {
		what, name, text string
		columns, trained Columns
		want, err        string
	}{
		{"named", "a.csv", "name,class,seq,text\nx,A,one,two\n", Columns{}, trained, "x A one", ""},
		{"other names", "a.csv", "id,label,text\nx,A,one\n", Columns{}, trained, "x A one", ""},
		{"TSV, header by the trained name", "a.tsv", "seq\tother\none\t1\n", Columns{}, trained, "2  one", ""},
		{"TSV without header", "a.tsv", "one\n", Columns{}, trained, "1  one", ""},
		{"asked for where the trained one is not", "a.csv", "s,t\none,two\n", Columns{Text: "s"}, trained,
			"2  one", ""},
		{"contradiction", "a.csv", "s,seq\none,two\n", Columns{Text: "s"}, trained, "",
			`a.csv:1: text "s" asked for, but the model was trained with text "seq", which is here too`},
		{"the same column by its number", "a.csv", "s,seq\none,two\n", Columns{Text: "2"}, trained, "2  two", ""},
		{"another column by its number", "a.csv", "s,seq\none,two\n", Columns{Text: "1"}, trained, "",
			`a.csv:1: text "1" asked for, but the model was trained with text "seq", which is here too`},
		{"numbers", "a.tsv", "one\tA\n", Columns{}, Columns{Text: "1", Label: "2"}, "1 A one", ""},
		{"too few for the numbers", "a.tsv", "one\n", Columns{}, Columns{Text: "2", Label: "1"}, "1  one", ""},
		{"fields", "a.jsonl", `{"seq":"one","class":"A","name":"x","text":"two"}`, Columns{}, trained, "x A one", ""},
		{"other fields", "a.jsonl", `{"text":"two","label":"A"}`, Columns{}, trained, "1 A two", ""},
		{"contradiction of fields", "a.jsonl", `{"seq":"one","text":"two"}`, Columns{Text: "text"}, trained, "",
			`a.jsonl:1: text "text" asked for, but the model was trained with text "seq", which is here too`},
	} {
		t.Run(c.what, func(t *testing.T) {
			s, err := Read(strings.NewReader(c.text), c.name, Options{Columns: c.columns, Trained: c.trained})
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
