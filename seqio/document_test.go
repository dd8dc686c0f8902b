package seqio_test

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// documents of every format, with what the rules of the package comment say they contain: id, label, text and line.
var validDocuments = []struct {
	what, name, text string
	opt              seqio.Options
	want             []record
}{
	{"tsv, label and text", "a.tsv", "ham\tOk lar...\nspam\tFree \"entry\", now\n", seqio.Options{},
		docs("1|ham|Ok lar...|1", "2|spam|Free \"entry\", now|2")},
	{"tsv, no line end, CRLF", "a.tsv", "a\tx\r\nb\ty", seqio.Options{}, docs("1|a|x|1", "2|b|y|2")},
	{"tsv, text alone", "a.tsv", "x y\nz\n", seqio.Options{}, docs("1||x y|1", "2||z|2")},
	{"tsv, blank lines", "a.tab", "\n\na\tx\n\nb\ty\n\n", seqio.Options{}, docs("3|a|x|3", "5|b|y|5")},
	{"tsv, byte order mark", "a.tsv.gz", "\xef\xbb\xbfa\tx\n", seqio.Options{}, docs("1|a|x|1")},
	{"tsv, header", "a.tsv", "id\tlabel\ttext\nd1\tA\tx y\nd2\tB\t\n", seqio.Options{}, docs("d1|A|x y|2", "d2|B||3")},
	{"tsv, header inferred from the label", "a.tsv", "class\tbody\nA\tx\n",
		seqio.Options{Columns: seqio.Columns{Label: "class", Text: "body"}}, docs("2|A|x|2")},
	{"tsv, header without label", "a.tsv", "text\tother\nx\t1\n", seqio.Options{}, docs("2||x|2")},
	{"tsv, numbers, no header", "a.tsv", "7\tx\tA\n", seqio.Options{Columns: seqio.Columns{ID: "1", Text: "2", Label: "3"}},
		docs("7|A|x|1")},
	{"tsv, numbers under a header", "a.tsv", "k\tt\nA\tx\n",
		seqio.Options{Columns: seqio.Columns{Label: "1", Text: "2", Header: seqio.HeaderYes}}, docs("2|A|x|2")},
	{"tsv, named text in a record", "a.tsv", "label\ttext\n", seqio.Options{Columns: seqio.Columns{Header: seqio.HeaderNo}},
		docs("1|label|text|1")},
	{"tsv, a name before a number", "a.tsv", "2\ttext\nA\tx\n", seqio.Options{Columns: seqio.Columns{Label: "2"}}, docs("2|A|x|2")},
	{"tsv, first byte >", "a.tsv", ">a\tx\n", seqio.Options{}, docs("1|>a|x|1")},
	{"tsv, blanks around a label", "a.tsv", " a b \t x \n", seqio.Options{}, docs("1|a b| x |1")},
	{"tsv by option", "-", "a\tx\n", seqio.Options{Format: seqio.TSV}, docs("1|a|x|1")},
	{"tsv, latin1", "a.tsv", "a\tcaf\xe9\n", seqio.Options{Encoding: "latin1"}, docs("1|a|café|1")},
	{"tsv, bytes", "a.tsv", "a\tcaf\xe9\n", seqio.Options{Encoding: "bytes"}, docs("1|a|caf\xe9|1")},
	{"tsv, utf-16 little endian", "a.tsv", "\xff\xfea\x00\t\x00\xe9\x00\n\x00", seqio.Options{Encoding: "utf-16"},
		docs("1|a|é|1")},
	{"tsv, utf-16 big endian", "a.tsv", "\xfe\xff\x00a\x00\t\x00\xe9\x00\n", seqio.Options{Encoding: "UTF-16"},
		docs("1|a|é|1")},
	{"tsv, mark before option", "a.tsv", "\xef\xbb\xbfa\té\n", seqio.Options{Encoding: "latin1"}, docs("1|a|é|1")},
	{"tsv, shift_jis", "a.tsv", "a\t\x93\xfa\x96\x7b\n", seqio.Options{Encoding: "shift_jis"}, docs("1|a|日本|1")},
	{"tsv, html", "a.tsv", "a\t<p>x &amp; <b>y</b>z</p>\n", seqio.Options{HTML: true}, docs("1|a|x & yz|1")},

	{"csv", "a.csv", "label,text\nA,x y\nB,\"one, \"\"two\"\"\"\n", seqio.Options{}, docs("2|A|x y|2", "3|B|one, \"two\"|3")},
	{"csv, CRLF and line ends in quotes", "a.CSV", "id,text,label\r\nd1,\"x\r\ny\",A\r\nd2,z,B", seqio.Options{},
		docs("d1|A|x\ny|2", "d2|B|z|4")},
	{"csv, numbers, no header", "a.csv", "3,\"t\",\"x\"\n",
		seqio.Options{Columns: seqio.Columns{Text: "3", Label: "1", Header: seqio.HeaderNo}}, docs("1|3|x|1")},
	{"csv, names of others", "a.csv", "v1,v2,,\nham,x,,\n", seqio.Options{Columns: seqio.Columns{Text: "v2", Label: "v1"}},
		docs("2|ham|x|2")},
	{"csv, first byte @", "a.csv", "@,text\nA,x\n", seqio.Options{}, docs("2||x|2")},
	{"csv, blank lines", "a.csv", "\ntext\n\nx\n", seqio.Options{}, docs("4||x|4")},

	{"jsonl", "a.jsonl", "{\"text\":\"x\",\"label\":\"A\",\"id\":\"d1\"}\n\n {\"text\":\"\\u00e9\\n\\\"\", " +
		"\"other\": [1,{\"text\":2}]} \r\n", seqio.Options{}, docs("d1|A|x|1", "3||é\n\"|3")},
	{"jsonl by the first byte", "a", "{\"text\":\"x\"}", seqio.Options{}, docs("1||x|1")},
	{"jsonl, scalars", "a.ndjson", "{\"text\":\"\",\"label\":1e3,\"id\":17}\n" +
		"{\"text\":\"y\",\"label\":true,\"id\":null}\n", seqio.Options{}, docs("17|1000||1", "2|true|y|2")},
	{"jsonl, nested", "a.jsonl", "{\"a\":{\"text\":{\"b\":\"x\"}},\"c\":[],\"m\":{\"k\":\"A\"}}\n",
		seqio.Options{Columns: seqio.Columns{Text: "a.text.b", Label: "m.k"}}, docs("1|A|x|1")},
	{"jsonl, dots in a name", "a.jsonl", "{\"a.b\":\"x\",\"a\":{\"b\":\"y\"}}\n",
		seqio.Options{Columns: seqio.Columns{Text: "a.b"}}, docs("1||x|1")},
	{"jsonl, a name twice that is not read", "a.jsonl", "{\"text\":\"x\",\"x\":1,\"x\":2}\n", seqio.Options{}, docs("1||x|1")},
	{"jsonl, html", "a.jsonl", "{\"text\":\"<i>x</i>\\n<br>y\"}\n", seqio.Options{HTML: true}, docs("1||x y|1")},

	{"text, html", "a.txt", "<b>x</b>y\n<!-- z --> &lt;\n\n", seqio.Options{HTML: true}, docs("1||xy|1", "2||<|2", "3|||3")},
	{"documents", "d.html", "x\r\ny\n", seqio.Options{Format: seqio.Documents}, docs("d.html||x\r\ny\n|1")},
	{"documents, html", "d.html", "<title>T</title>\n<script>x</script><p>y", seqio.Options{Format: seqio.Documents, HTML: true},
		docs("d.html||T y|1")},
	{"documents, empty", "d", "", seqio.Options{Format: seqio.Documents}, docs("d|||1")},
}

// docs reads “id|label|text|line”.
func docs(rows ...string) []record {
	var out []record
	for _, row := range rows {
		cells := strings.Split(row, "|")
		line := 0
		for _, digit := range cells[3] {
			line = 10*line + int(digit-'0')
		}
		out = append(out, record{id: cells[0], label: cells[1], sequence: cells[2], line: line})
	}
	return out
}

// malformedDocuments and the whole text of the error each gives.
var malformedDocuments = []struct {
	name, text string
	opt        seqio.Options
	want       string
}{
	{"e.tsv", "a\tx\nb\n", seqio.Options{}, "e.tsv:2: 1 column, want 2 as in the first line"},
	{"e.tsv", "a\tx\nb\ty\tz\n", seqio.Options{}, "e.tsv:2: 3 columns, want 2 as in the first line"},
	{"e.tsv", "a\tx\tz\n", seqio.Options{}, `e.tsv:1: 3 columns and no header that names "text"; say which column ` +
		`or field is the text`},
	{"e.tsv", "label\tbody\n", seqio.Options{}, `e.tsv:1: no column "text" in the header, which has: "label", "body"; say which column or field is the text`},
	{"e.tsv", "a\tx\n", seqio.Options{Columns: seqio.Columns{Text: "body"}},
		`e.tsv:1: no column "body": the first line is not taken as a header; say that it is one, or give the number of the column`},
	{"e.tsv", "a\tx\n", seqio.Options{Columns: seqio.Columns{Text: "3"}}, `e.tsv:1: there is no column "3" of 2`},
	{"e.tsv", "a;x\n", seqio.Options{Columns: seqio.Columns{Text: "2", Label: "1"}},
		`e.tsv:1: there is no column "2" of 1; say which separates the columns`},
	{"e.tsv", "a\tx\n", seqio.Options{Columns: seqio.Columns{Label: "0"}}, `e.tsv:1: there is no column "0" of 2`},
	{"e.tsv", "text\ttext\nx\ty\n", seqio.Options{}, `e.tsv:1: duplicate column "text" in the header`},
	{"e.tsv", "label\ttext\n", seqio.Options{}, "e.tsv: no records"},
	{"e.tsv", "\n\n", seqio.Options{}, "e.tsv: no records"},
	{"e.tsv", "", seqio.Options{}, "e.tsv: the file is empty"},
	{"e.tsv", "a\tx\nb\tcaf\xe9\n", seqio.Options{},
		"e.tsv:2: column 6: byte 0xe9 is not UTF-8; name the encoding, as encoding=latin1, or convert the file"},
	{"e.tsv", "a\tx\n\xffb\ty\n", seqio.Options{},
		"e.tsv:2: column 1: byte 0xff is not UTF-8; name the encoding, as encoding=latin1, or convert the file"},
	{"e.tsv", "a\tx\xed\xa0\x80\n", seqio.Options{},
		"e.tsv:1: column 4: byte 0xed is not UTF-8; name the encoding, as encoding=latin1, or convert the file"},
	{"e.tsv", "a\tx\nb\t\x93\n", seqio.Options{Encoding: "shift_jis"},
		"e.tsv:2: column 3: not shift_jis, or a replacement character"},
	{"e.tsv", "a\tx\x00\n", seqio.Options{}, "e.tsv:1: column 4: NUL byte; is this a text?"},
	{"e.tsv", "a\tx\rb\ty\r", seqio.Options{}, "e.tsv:1: line ends are lone CR (old Mac); convert them to LF"},
	{"e.tsv", "id\ttext\nd\tx\nd\ty\n", seqio.Options{}, `e.tsv:3: record "d": duplicate id, first used on line 2`},
	{"e.tsv", "id\ttext\n\tx\n", seqio.Options{}, "e.tsv:2: the id is empty"},
	{"e.tsv", "id\ttext\na\x01\tx\n", seqio.Options{}, `e.tsv:2: control byte 0x01 in the id "a\x01"`},
	{"e.tsv", "a\x7f\tx\n", seqio.Options{}, `e.tsv:1: control byte 0x7f in the label "a\x7f"`},
	{"e.tsv", "a\tx\n", seqio.Options{MaxLetters: 1, Columns: seqio.Columns{Header: "perhaps"}},
		`seqio: header = "perhaps", want auto, yes or no`},
	{"e.tsv", "a\tx\nb\ty\n", seqio.Options{MaxLetters: 1}, "e.tsv:2: more than 1 records; split the input"},
	{"e.tsv", "a\txyz\n", seqio.Options{MaxLetters: 2}, "e.tsv:1: more than 2 letters; split the input"},
	{"e.tsv", "a\tx\n", seqio.Options{Encoding: "latin"},
		`seqio: encoding "latin" is unknown, want utf-8, bytes, utf-16, latin1, windows-1252, shift_jis or another ` +
			`of the WHATWG standard`},
	{"e.tsv", "a\tacgt\nb\tac gt\n", seqio.Options{Ambiguous: seqio.AmbiguousError, Alphabet: stringkernel.DNA},
		"e.tsv:2: white space is not DNA"},

	{"e.csv", "label,text\nA,\"x\ny\nB,z\n", seqio.Options{},
		"e.csv:2: a quote that is opened in this record is not closed properly, up to line 4"},
	{"e.csv", "label,text\nA,\"x", seqio.Options{}, "e.csv:2: column 5: unclosed quote, or text after it"},
	{"e.csv", "label,text\nA,\"x\"y\n", seqio.Options{}, "e.csv:2: column 5: unclosed quote, or text after it"},
	{"e.csv", "label,text\nA,x\"y\"\n", seqio.Options{},
		"e.csv:2: column 4: a quote inside a field that does not begin with one"},
	{"e.csv", "label,text\nA,x,y\n", seqio.Options{}, "e.csv:2: 3 columns, want 2 as in the first line"},
	{"e.csv", "label,text\nA,\"x\ny\"\nB\n", seqio.Options{}, "e.csv:4: 1 column, want 2 as in the first line"},
	{"e.csv", "v1,v2\nham,x\n", seqio.Options{}, `e.csv:1: no column "text" in the header, which has: "v1", "v2" (or header=no, if this is a record); say which column or field is the text`},
	{"e.csv", "text,label\n\"x\ny\xff\",A\n", seqio.Options{},
		"e.csv:3: column 2: byte 0xff is not UTF-8; name the encoding, as encoding=latin1, or convert the file"},
	{"e.csv", "text,label\nx,\"A\nB\"\n", seqio.Options{}, `e.csv:2: control byte 0x0a in the label "A\nB"`},
	{"e.csv", "text,label\rx,A\r", seqio.Options{}, "e.csv:1: line ends are lone CR (old Mac); convert them to LF"},
	{"e.csv", "text\n", seqio.Options{}, "e.csv: no records"},
	{"e.csv", "text,id\nx,\n", seqio.Options{}, "e.csv:2: the id is empty"},

	{"e.jsonl", "{\"text\":\"x\"}\n{\"text\":\n", seqio.Options{},
		"e.jsonl:2: column 8: invalid JSON: unexpected end of JSON input"},
	{"e.jsonl", "  {\"text\":\n", seqio.Options{}, "e.jsonl:1: column 10: invalid JSON: unexpected end of JSON input"},
	{"e.jsonl", "\t {\"text\":\"\xff\"}\n", seqio.Options{},
		"e.jsonl:1: column 12: byte 0xff is not UTF-8; name the encoding, as encoding=latin1, or convert the file"},
	{"e.klp", "  a\xff |BT| (a) |ET|\n", seqio.Options{},
		"e.klp:1: column 4: byte 0xff is not UTF-8; name the encoding, as encoding=latin1, or convert the file"},
	{"e.jsonl", "{\"text\":\"x\"}{}\n", seqio.Options{},
		"e.jsonl:1: column 13: invalid JSON: invalid character '{' after top-level value"},
	{"e.jsonl", "[\"x\"]\n", seqio.Options{}, "e.jsonl:1: found '[', want a JSON object {…} on every line"},
	{"e.jsonl", "{\"text\":\"x\"}\n{\"body\":\"x\"}\n", seqio.Options{}, `e.jsonl:2: field "text" is missing; say which column or field is the text`},
	{"e.jsonl", "{\"text\":\"x\",\"te\\u0078t\":\"y\"}\n", seqio.Options{},
		`e.jsonl:1: field "text" occurs twice in an object, want it once`},
	{"e.jsonl", "{\"text\":\"x\",\"label\":\"A\",\"label\":null}\n", seqio.Options{},
		`e.jsonl:1: field "label" occurs twice in an object, want it once`},
	{"e.jsonl", "{\"text\":\"x\",\"m\":{\"k\":1,\"k\":2}}\n", seqio.Options{Columns: seqio.Columns{ID: "m.k"}},
		`e.jsonl:1: field "k" occurs twice in an object, want it once`},
	{"e.jsonl", "{\"text\":null}\n", seqio.Options{}, `e.jsonl:1: field "text" is missing; say which column or field is the text`},
	{"e.jsonl", "{\"text\":1}\n", seqio.Options{}, `e.jsonl:1: field "text" is a number, want a string`},
	{"e.jsonl", "{\"text\":[\"x\"]}\n", seqio.Options{}, `e.jsonl:1: field "text" is a list, want a string`},
	{"e.jsonl", "{\"text\":\"x\",\"label\":[\"a\",\"b\"]}\n", seqio.Options{},
		`e.jsonl:1: field "label" is a list, want one label; several are for multi-label learning`},
	{"e.jsonl", "{\"text\":\"x\",\"id\":{}}\n", seqio.Options{},
		`e.jsonl:1: field "id" is an object, want a string or a number`},
	{"e.jsonl", "{\"text\":\"x\"}\n", seqio.Options{Columns: seqio.Columns{Label: "topic"}}, `e.jsonl:1: field "topic" is missing`},
	{"e.jsonl", "{\"a\":{\"c\":\"x\"}}\n", seqio.Options{Columns: seqio.Columns{Text: "a.b"}}, `e.jsonl:1: field "a.b" is missing`},
	{"e.jsonl", "{\"a\":\"x\"}\n", seqio.Options{Columns: seqio.Columns{Text: "a.b"}}, `e.jsonl:1: field "a.b" is missing`},
	{"e.jsonl", "{\"text\":\"x\",\"id\":\"2\"}\n{\"text\":\"y\"}\n", seqio.Options{},
		"e.jsonl:2: the line number, which is used as the id, is the id of an earlier record"},
	{"e.jsonl", "{\"text\":\"x\",\"id\":\"\"}\n", seqio.Options{}, "e.jsonl:1: the id is empty"},
	{"e.jsonl", "{\"text\":\"\xff\"}\n", seqio.Options{},
		"e.jsonl:1: column 10: byte 0xff is not UTF-8; name the encoding, as encoding=latin1, or convert the file"},
	{"e.jsonl", "{\"text\":\"\xff\"}\n", seqio.Options{Encoding: "bytes"}, "e.jsonl:1: not UTF-8, which JSON requires"},

	{"e.txt", "x\ncaf\xe9\n", seqio.Options{}, "e.txt:2: column 4: byte 0xe9 is not UTF-8; name the encoding, as " +
		"encoding=latin1, or convert the file"},
	{"d", "x\ny\n\xe9", seqio.Options{Format: seqio.Documents},
		"d:3: column 1: byte 0xe9 is not UTF-8; name the encoding, as encoding=latin1, or convert the file"},
	{"d", "x\ny", seqio.Options{Format: seqio.Documents, MaxLetters: 2}, "d:1: more than 2 letters; split the input"},

	{"e.sgm", "", seqio.Options{}, "e.sgm: the file is empty"},
	{"e.sgm", "x\n", seqio.Options{}, "e.sgm: no records"},
	{"e.sgm", "\n<REUTERS>\n</REUTERS>", seqio.Options{}, "e.sgm:2: a document without the attribute NEWID"},
	{"e.sgm", openReuters + openReuters, seqio.Options{}, "e.sgm:2: a document inside the one of line 1"},
	{"e.sgm", openReuters + "<TEXT>", seqio.Options{}, "e.sgm:1: the document is not closed by </REUTERS>"},
	{"e.sgm", openReuters + "</REUTERS>\n" + openReuters + "</REUTERS>", seqio.Options{},
		`e.sgm:3: record "1": duplicate id, first used on line 1`},
	{"e.sgm", openReuters + "\nab\xe9", seqio.Options{},
		"e.sgm:3: column 3: byte 0xe9 is not UTF-8; name the encoding, as encoding=latin1, or convert the file"},
	{"e.sgm", openReuters + "<TOPICS><D>a&#1;b</D></TOPICS></REUTERS>", seqio.Options{},
		`e.sgm:1: control byte 0x01 in the label "a\x01b"`},

	{"a.json", "[]", seqio.Options{}, "a.json: no records"},
	{"a.json", `[{"text":"a"}`, seqio.Options{}, "a.json:1: the list is cut off after object 1, want ']'"},
	{"a.json", `[{"text":"a"},`, seqio.Options{}, "a.json:1: the list is cut off after object 1, want ']'"},
	{"a.json", "[{\n\"text\":\"a\"\n", seqio.Options{}, "a.json:1: object 1 of the list is cut off"},
	{"a.json", `[{"text":"a"},]`, seqio.Options{}, "a.json:1: column 15: found ']', want a JSON object {…}"},
	{"a.json", `[{"text":"a"},3]`, seqio.Options{}, "a.json:1: column 15: found digit '3', want a JSON object {…}"},
	{"a.json", `[{"text":"a"} {"text":"a"}]`, seqio.Options{}, "a.json:1: column 15: found '{', want ',' or ']'"},
	{"a.json", "[{\"text\":\"a\"}]\n[]", seqio.Options{}, "a.json:2: column 1: found '[', want nothing after the list"},
	{"a.json", "[\n{\"text\":\"a\"},{\"x\" 1}]", seqio.Options{},
		"a.json:2: column 19: invalid JSON: invalid character '1' after object key"},
	{"a.json", "[{\n\"text\":\"a\"]}", seqio.Options{},
		"a.json:2: column 11: invalid JSON: invalid character ']' after object key:value pair"},
	{"a.json", `[{"text":"a"},{"x":1}]`, seqio.Options{},
		`a.json:1: object 2 of the list: field "text" is missing; say which column or field ` +
			"is the text"},
	{"a.json", `[{"text":"a"},{"text":"b","id":"1"}]`, seqio.Options{},
		`a.json:1: record "1": duplicate id, first used on line 1`},
	{"a.json", `[{"text":"b","id":"2"},{"text":"a"}]`, seqio.Options{},
		"a.json:1: the number of the object, which is used as the id, is the id of " +
			"an earlier record"},
	// what a newcomer takes for a list
	{"a.json", `[["a","b"]]`, seqio.Options{},
		"a.json:1: column 2: a JSON list of lists, want a list of JSON objects [{…}, …]"},
	{"a.json", "[\n\"a\"]", seqio.Options{},
		"a.json:2: column 1: a JSON list of strings, want a list of JSON objects [{…}, …]"},
	{"a.json", "[1, 2]", seqio.Options{}, "a.json:1: column 2: found digit '1', want a list of JSON objects [{…}, …]"},
	{"a.json", `[,{}]`, seqio.Options{}, "a.json:1: column 2: found ',', want a list of JSON objects [{…}, …]"},
	{"a.json", `{"data":[{"text":"a"}]}`, seqio.Options{},
		`a.json:1: field "text" is missing; if the list "data" has the records, jq -c ` +
			`'.["data"][]' puts each on a line; say which column or field is the text`},
	{"a.json", `{"text":{"0":"a"}}`, seqio.Options{},
		`a.json:1: field "text" is an object, want a string in an object for each record, as pandas ` +
			`writes with orient="records"`},
	{"a.json", "{\n\"text\":\"a\"\n}", seqio.Options{},
		"a.json:1: column 1: invalid JSON: unexpected end of JSON input; want an object on every line, " +
			"or one list of them; jq -c . puts each on a line"},

	{"a.fa", ">x w=1\nA\n>y\nA\n", fieldW, `a.fa:3: record "y": no w=… in the header`},
	{"a.fa", ">x w=\nA\n", fieldW, `a.fa:1: record "x": w is empty`},
	{"a.fa", ">x ww=1 xw=2\nA\n", fieldW, `a.fa:1: record "x": no w=… in the header, which has "ww=1 xw=2"`},
	{"a.dbn", ">x\nA\n.\n", fieldW, `a.dbn:1: record "x": no w=… in the header`},
	{"a.tsv", "text\tlabel\nA\tb\n", fieldW, `a.tsv:1: no column "w" in the header, which has: "text", "label"`},
	{"a.tsv", "text\tw\nA\t \n", fieldW, `a.tsv:2: w is empty`},
	{"a.jsonl", `{"text":"A"}`, fieldW, `a.jsonl:1: field "w" is missing`},
	{"a.jsonl", `{"text":"A","w":[1]}`, fieldW, `a.jsonl:1: field "w" is a list, want a string or a number`},
	{"a.txt", "A\n", fieldW, "a.txt:1: no w: the format, text lines, has neither columns nor headers"},

	{"a.fa", ">x|0\nA\n>y\nA\n", seqio.Options{Columns: seqio.Columns{Label: "regex:\\|(.)"}},
		`a.fa:3: record "y": no label: the header does not match "\\|(.)"`},
	{"a.fa", ">x a=1\nA\n>y b=1\nA\n", seqio.Options{Columns: seqio.Columns{Label: "a"}},
		`a.fa:3: record "y": no label: no a=… in the header, which has "b=1"`},
	{"a.fa", ">x\nA\n", seqio.Options{Columns: seqio.Columns{Label: "regex:("}},
		"seqio: label: regex: error parsing regexp: missing closing ): `(`"},
	{"a.fa", ">x\nA\n", seqio.Options{Columns: seqio.Columns{Label: "regex:"}}, "seqio: label: regex: without a pattern"},
	{"a.fa", ">label=p\nA\n", seqio.Options{}, `a.fa:1: header without an id, whose first word is a label: "label=p"`},
	{"a.fa", ">\nA\n", seqio.Options{RepeatedIDs: true, Columns: seqio.Columns{Label: "id"}},
		"a.fa:1: header without an id"},
	{"a.fa", ">0\nA\n>0\nA\n", seqio.Options{Columns: seqio.Columns{Label: "id"}},
		`a.fa:3: record "0": duplicate id, first used on line 1`},
}

const openReuters = `<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" NEWID="1">` + "\n"

var fieldW = seqio.Options{Fields: []string{"w"}}

// An error about a record that was read names it by file, line and id, as far as the id is not the line.
func TestDocumentErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        seqio.Options
		want       string
	}{
		{"a.tsv", "a\tx\nb\ty\n", seqio.Options{}, "a.tsv:1: odd"},
		{"a.csv", "id,text\nd1,x\n", seqio.Options{}, `a.csv:2: record "d1": odd`},
		{"a", "@y z\nC\n+\nI\n", seqio.Options{}, `a:1: record "y": odd`},
		{"a.txt", "one\ntwo\n", seqio.Options{}, "a.txt:1: odd"},
		{"a.jsonl", `{"text":"x","id":7}`, seqio.Options{}, `a.jsonl:1: record "7": odd`},
		{"a", "x", seqio.Options{Format: seqio.Documents}, "a: odd"},
	} {
		s := mustRead(t, c.text, c.name, c.opt)
		if got := s.Errorf(0, "odd").Error(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
