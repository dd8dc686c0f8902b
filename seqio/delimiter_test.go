package seqio_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
)

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
