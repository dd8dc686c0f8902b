package seqio_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
)

// What separates the columns of a table is found by its header or its rows, whatever its name, and said unless it is a
// comma in CSV or a tab in TSV.
func TestDelimiter(t *testing.T) {
	for _, c := range []struct {
		name, text string
		columns    seqio.Columns
		as         string
		want       []string
	}{
		{"a.csv", "label;text\na;hello, world\nb;\"x;y\"\n", seqio.Columns{}, "CSV with semicolons", []string{"a=hello, world", "b=x;y"}},
		{"a.csv", "label\ttext\na\thello\n", seqio.Columns{}, "CSV with tabs", []string{"a=hello"}},
		{"a.csv", "\"label\"|\"text\"\r\na|hello\r\n", seqio.Columns{}, "CSV with bars", []string{"a=hello"}},
		{"a.csv", "label,text\na;b,hello\n", seqio.Columns{}, "CSV", []string{"a;b=hello"}},
		{"a.csv", "text\na;b\nc;d\n", seqio.Columns{}, "CSV", []string{"=a;b", "=c;d"}},
		{"a.csv", "label;body;text,x\na;b;c\n", seqio.Columns{Text: "body"}, "CSV with semicolons", []string{"a=b"}},
		{"a.csv", "label,text;x\na,b\n", seqio.Columns{Text: "text;x"}, "CSV", []string{"a=b"}},
		{"a.csv", "label;x,y\na;1,2\nb;3,4\n", seqio.Columns{Text: "2"}, "CSV with semicolons", []string{"a=1,2", "b=3,4"}},
		{"a.csv", "\xef\xbb\xbfsep=;\r\nlabel;text\r\na;hello\r\n", seqio.Columns{}, "CSV with semicolons", []string{"a=hello"}},
		{"a.csv", "sep=|\na|b;c\nd|e\n", seqio.Columns{Header: seqio.HeaderNo}, "CSV with bars", []string{"a=b;c", "d=e"}},
		{"a.csv", "sep=,\nlabel,text\na,b\n", seqio.Columns{}, "CSV", []string{"a=b"}},
		// rows alone
		{"a.csv", "a;one, two\nb;one\n", seqio.Columns{Header: seqio.HeaderNo}, "CSV with semicolons", []string{"a=one, two", "b=one"}},
		{"a.csv", "a,one; two\nb,one\n", seqio.Columns{Header: seqio.HeaderNo}, "CSV", []string{"a=one; two", "b=one"}},
		{"a.csv", "one; two\n", seqio.Columns{Header: seqio.HeaderNo}, "CSV", []string{"=one; two"}},
		{"a.csv", "1;2,5\n", seqio.Columns{Header: seqio.HeaderNo, Delimiter: "semicolon"}, "CSV with semicolons", []string{"1=2,5"}},
		{"a.csv", "1;2\n", seqio.Columns{Header: seqio.HeaderNo, Delimiter: "comma"}, "CSV", []string{"=1;2"}},
		// TSV
		{"a.tsv", "label,text\na,\"hello, world\"\n", seqio.Columns{}, "CSV", []string{"a=hello, world"}},
		{"a.tsv", "label;text\na;hello\n", seqio.Columns{}, "CSV with semicolons", []string{"a=hello"}},
		{"a.tsv", "label\ttext,x\na\thello\n", seqio.Columns{Text: "text,x"}, "TSV", []string{"a=hello"}},
		{"a.tsv", "some, text\n\"other\n", seqio.Columns{}, "TSV", []string{"=some, text", "=\"other"}},
		{"a.tsv", "text, that is all\n", seqio.Columns{Header: seqio.HeaderNo}, "TSV", []string{"=text, that is all"}},
		{"a.tsv", "label,text\n", seqio.Columns{Delimiter: "tab"}, "TSV", []string{"=label,text"}},
		{"a.tsv", "a,b\n", seqio.Columns{Delimiter: "comma", Header: seqio.HeaderNo}, "CSV", []string{"a=b"}},
		// TSV with quotes
		{"a.tsv", "\"label\"\t\"text\"\r\n\"p\"\t\"a \"\"b\"\"\tc\"\r\n", seqio.Columns{}, "CSV with tabs",
			[]string{"p=a \"b\"\tc"}},
		{"a.tsv", "id\t\"text\"\n1\t\"a\"\n", seqio.Columns{}, "CSV with tabs", []string{"=a"}},
		{"a.tsv", "\"text\"\n\"a\"\n", seqio.Columns{}, "CSV with tabs", []string{"=a"}},
		{"a.tsv", "\"p\"\t\"a\"\n\"q\"\t\"b\"\n", seqio.Columns{}, "CSV with tabs", []string{"p=a", "q=b"}},
		{"a.tsv", "\"x\"\t\"y\"\n\"a\"\t\"p\"\n", seqio.Columns{Text: "x", Label: "y", Delimiter: "tab"}, "CSV with tabs",
			[]string{"p=a"}},
		{"a.tsv", "p\t\"a\" he said\nq\t\"b\"\n", seqio.Columns{}, "TSV", []string{"p=\"a\" he said", "q=\"b\""}},
		{"a.tsv", "label\ttext\np\t\"a\"\n", seqio.Columns{}, "TSV", []string{"p=\"a\""}},
	} {
		s, err := seqio.Read(strings.NewReader(c.text), c.name, seqio.Options{Columns: c.columns})
		if err != nil {
			t.Error(err)
			continue
		}
		var got []string
		for _, r := range recordsOf(s) {
			got = append(got, r.label+"="+r.sequence)
		}
		if !slices.Equal(got, c.want) || s.FormatName() != c.as {
			t.Errorf("%q: %s %q, want %s %q", c.text, s.FormatName(), got, c.as, c.want)
		}
	}
}

func TestDelimiterErrors(t *testing.T) {
	for text, want := range map[string]string{
		"text;text,text\na;b,c\n": "a.csv:1: the first line has columns between commas and between semicolons; say which " +
			"separates the columns",
		"a;0,5\nb;1,5\n": "a.csv:1: the first line has columns between commas and between semicolons; say which separates " +
			"the columns",
	} {
		_, err := seqio.Read(strings.NewReader(text), "a.csv", seqio.Options{Columns: seqio.Columns{Header: seqio.HeaderNo}})
		if err == nil || err.Error() != want || !errors.Is(err, seqio.ErrDelimiter) {
			t.Errorf("%q:\ngot  %v\nwant %s", text, err, want)
		}
	}
	if _, err := seqio.Read(strings.NewReader("a"), "a.csv", seqio.Options{Columns: seqio.Columns{Delimiter: "x"}}); err == nil ||
		err.Error() != `seqio: delimiter = "x", want auto, comma, semicolon, tab, bar` {
		t.Error(err)
	}
}
