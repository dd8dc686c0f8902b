package seqio_test

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
)

func TestReutersErrors(t *testing.T) {
	const open = `<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" NEWID="1">` + "\n"
	for _, c := range []struct {
		text, want string
		opt        seqio.Options
	}{
		{"", "e.sgm: the file is empty", seqio.Options{}},
		{"x\n", "e.sgm: no records", seqio.Options{}},
		{seqio.ReutersSample, `seqio: split = "dev", want train or test`, seqio.Options{Split: "dev"}},
		{open + "</REUTERS>", "e.sgm: no records", seqio.Options{Split: "test"}},
		{"\n<REUTERS>\n</REUTERS>", "e.sgm:2: a document without the attribute NEWID", seqio.Options{}},
		{open + open, "e.sgm:2: a document inside the one of line 1", seqio.Options{}},
		{open + "<TEXT>", "e.sgm:1: the document is not closed by </REUTERS>", seqio.Options{}},
		{open + "</REUTERS>\n" + open + "</REUTERS>", `e.sgm:3: record "1": duplicate id, first used on line 1`,
			seqio.Options{}},
		{open + "\nab\xe9", "e.sgm:3: column 3: byte 0xe9 is not UTF-8; name the encoding, such as latin1, or " +
			"convert the file", seqio.Options{}},
		{open + "<TOPICS><D>a&#1;b</D></TOPICS></REUTERS>", `e.sgm:1: control byte 0x01 in the label "a\x01b"`,
			seqio.Options{}},
	} {
		if s, err := seqio.Read(strings.NewReader(c.text), "e.sgm", c.opt); err == nil || err.Error() != c.want {
			t.Errorf("%.40q:\ngot  %v %v\nwant %s", c.text, err, s, c.want)
		}
	}
}

func FuzzReuters(f *testing.F) {
	f.Add([]byte(seqio.ReutersSample))
	f.Add([]byte(`<REUTERS NEWID=1><D>x<TOPICS><D>y</TOPICS></D><TITLE></REUTERS></TITLE>` +
		`<TEXT><BODY>x</REUTERS></BODY></D>`))
	f.Add([]byte(`</D></TOPICS></REUTERS><TOPICS><D>x</D></TOPICS><REUTERS NEWID=1 NEWID=2></D>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := seqio.FuzzRead(t, data, seqio.Reuters, seqio.Options{})
		if s != nil && len(s.LabelSets) != s.Len() {
			t.Fatalf("%d topics of %d records", len(s.LabelSets), s.Len())
		}
	})
}
