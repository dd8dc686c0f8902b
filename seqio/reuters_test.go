package seqio_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
)

// reutersSample has the form of the collection's files as its README describes it, with texts made up for the test.
const reutersSample = `<!DOCTYPE lewis SYSTEM "lewis.dtd">
<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="5544" NEWID="1">
<DATE>26-FEB-1987 15:01:01.79</DATE>
<TOPICS><D>cocoa</D><D>trade</D></TOPICS>
<PLACES><D>somewhere</D></PLACES>
<UNKNOWN> 
&#5;&#5;C T
&#22;f0704&#31;reute</UNKNOWN>
<TEXT>&#2;
<TITLE>COCOA &lt;CO&gt; UP</TITLE>
<DATELINE>    SOMEWHERE, Feb 26 - </DATELINE><BODY>Prices rose &amp; fell
by 5 pct.
 Reuter
&#3;</BODY></TEXT>
</REUTERS>
<REUTERS TOPICS="YES" LEWISSPLIT="TEST" NEWID="2">
<TOPICS><D>earn</D></TOPICS>
<TEXT TYPE="UNPROC">&#2;
QTR NET
&#3;</TEXT>
</REUTERS>
<REUTERS TOPICS="NO" LEWISSPLIT="TRAIN" NEWID="3">
<TOPICS></TOPICS>
<TEXT TYPE="BRIEF"><TITLE>NOTHING</TITLE></TEXT>
</REUTERS>
<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" NEWID="4">
<TOPICS></TOPICS><TEXT><BODY>No topic.</BODY></TEXT>
</REUTERS>
<REUTERS TOPICS="BYPASS" LEWISSPLIT="NOT-USED" NEWID="5">
<TOPICS><D>ship</D></TOPICS><TEXT><AUTHOR> by someone </AUTHOR><BODY>Ships.</BODY></TEXT>
</REUTERS>
`

var (
	reutersFirst = record{id: "1", label: "cocoa",
		sequence: "COCOA <CO> UP\n\n\nPrices rose & fell\nby 5 pct.\n Reuter", line: 2}
	reutersTwo   = record{id: "2", label: "earn", sequence: "QTR NET", line: 16}
	reutersThree = record{id: "3", sequence: "NOTHING", line: 22}
	reutersFour  = record{id: "4", sequence: "No topic.", line: 26}
	reutersFive  = record{id: "5", label: "ship", sequence: "Ships.", line: 29}
)

func TestReuters(t *testing.T) {
	want := []record{reutersFirst, reutersTwo, reutersThree, reutersFour, reutersFive}
	topics := [][]string{{"cocoa", "trade"}, {"earn"}, nil, nil, {"ship"}}
	for _, text := range []string{reutersSample, strings.ReplaceAll(reutersSample, "\n", "\r\n")} {
		s := mustRead(t, text, "reut2-000.sgm.gz", seqio.Options{})
		if got := recordsOf(s); !slices.Equal(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		if !slices.EqualFunc(s.LabelSets, topics, slices.Equal[[]string]) {
			t.Errorf("topics %q, want %q", s.LabelSets, topics)
		}
		checkBatches(t, []byte(text), seqio.Options{Format: seqio.Reuters}, 100)
	}
	if s := mustRead(t, strings.Replace(reutersSample, "rose", "ros\xe9", 1), "-",
		seqio.Options{Encoding: "latin1"}); !bytes.Contains(s.Corpus.Seq(0), []byte("rosé")) {
		t.Errorf("%q", s.Corpus.Seq(0))
	}
}

func FuzzReuters(f *testing.F) {
	f.Add([]byte(reutersSample))
	f.Add([]byte(`<REUTERS NEWID=1><D>x<TOPICS><D>y</TOPICS></D><TITLE></REUTERS></TITLE>` +
		`<TEXT><BODY>x</REUTERS></BODY></D>`))
	f.Add([]byte(`</D></TOPICS></REUTERS><TOPICS><D>x</D></TOPICS><REUTERS NEWID=1 NEWID=2></D>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := fuzzRead(t, data, seqio.Reuters, seqio.Options{})
		if s != nil && len(s.LabelSets) != s.Len() {
			t.Fatalf("%d topics of %d records", len(s.LabelSets), s.Len())
		}
	})
}
