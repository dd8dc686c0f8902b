package reading_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/reading"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// A specification is read as it says, and written as it is read.
func TestParse(t *testing.T) {
	for text, want := range map[string]reading.Spec{
		"auto": {},
		"csv":  {Format: seqio.CSV},
		"text": {Format: seqio.Lines},
		"csv:text=title+body,label=topic,delimiter=semicolon": {Format: seqio.CSV,
			Columns: seqio.Columns{Text: "title+body", Label: "topic", Delimiter: "semicolon"}},
		"text=a":                              {Columns: seqio.Columns{Text: "a"}},
		"html":                                {HTML: true},
		`fasta:label="regex:^(a|b){1,2}:"`:    {Format: seqio.FASTA, Columns: seqio.Columns{Label: "regex:^(a|b){1,2}:"}},
		"bed:genome=g.fa,width=200,at=summit": {Format: seqio.BED, Genome: "g.fa", Width: 200, At: genome.Summit},
		"tree=xml,tree-labels=names+words":    {Tree: trees.XML, TreeLabels: "names+words"},
		"alphabet=protein,soft-mask=break":    {Alphabet: "protein", SoftMask: reading.MaskBreak},
	} {
		got := must.Get(reading.Parse(text))(t)
		if got != want {
			t.Errorf("%s is read as %+v, want %+v", text, got, want)
		}
		if got.String() != text {
			t.Errorf("%s is written as %s", text, got)
		}
	}
	for text, same := range map[string]string{"auto:html": "html", "csv:header=auto": "csv", "csv:html=false": "csv"} {
		if got := must.Get(reading.Parse(text))(t); got.String() != same {
			t.Errorf("%s is read as %s, want %s", text, got, same)
		}
	}
}

// Errors say what was found and what is known.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "neither a format nor KEY=VALUE",
		"cvs":                     `did you mean "csv"?`,
		"csv:txt=a":               `unknown key "txt"`,
		"csv:":                    `unknown key ""`,
		"csv,text=a":              "want csv:…",
		"csv:text=a,text=b":       "text is given twice",
		"csv:text=":               "text has no value, want text=COLUMN",
		"csv:text":                "text has no value",
		"csv:html=perhaps":        "true or false",
		"bed:width=0":             "1 or more",
		"bed:width=2x":            "whole number",
		"soft-mask=drop":          "want one of: upper, break",
		"fasta:text=a":            "text cannot be used with fasta",
		"encoding=klingon":        "encoding:",
		"label=regex:(":           "label: regex:",
		"xml:text=a":              `"xml" is neither`,
		"jsonl:delimiter=comma":   "delimiter cannot be used with jsonl",
		"fasta:genome=g.fa":       "genome cannot be used with fasta",
		"dot-bracket:header=no":   "header cannot be used",
		"alphabet=dna,alphabet=a": "given twice",
	} {
		if _, err := reading.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Items drawn at random are read back as they are written.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		format := reading.Formats()[rng.IntN(len(reading.Formats()))]
		text := format
		for _, item := range reading.Items() {
			if !item.Of(seqio.Format(format)) || rng.IntN(3) > 0 {
				continue
			}
			value := item.Key
			switch {
			case item.Choices != nil:
				value += "=" + item.Choices[rng.IntN(len(item.Choices))]
			case item.Key == "width":
				value += "=20"
			case item.Key == "encoding":
				value += "=latin1"
			case item.Value != "":
				value += `="a b,c=d:""e"`
			}
			text += map[bool]string{true: ":", false: ","}[text == format] + value
		}
		spec := must.Get(reading.Parse(text))(t)
		if again := must.Get(reading.Parse(spec.String()))(t); again != spec {
			t.Fatalf("%s is written as %s, which is %+v, want %+v", text, spec, again, spec)
		}
	}
}

// What a model remembers of options is read back, for inputs of its own: columns where they have them.
func TestTrained(t *testing.T) {
	read := seqio.Options{Format: seqio.CSV, Case: seqio.CaseUpper, HTML: true, Encoding: "latin1",
		Columns: seqio.Columns{Text: "seq", Label: "class", ID: "name", Header: seqio.HeaderYes}}
	text := must.Get(json.Marshal(reading.Of(read)))(t)
	var spec reading.Spec
	must.Succeed(t, json.Unmarshal(text, &spec))
	want := seqio.Options{Case: seqio.CaseUpper, HTML: true, Encoding: "latin1", TrainedFormat: seqio.CSV,
		Columns: seqio.Columns{Header: seqio.HeaderYes}, Trained: read.Columns}
	if got := spec.Trained(); !reflect.DeepEqual(got, want) {
		t.Errorf("%s is read back as %+v, want %+v", text, got, want)
	}
	if got := reading.Of(seqio.Options{Intervals: &summits{}}).String(); got != "genome=g.fa,width=20,at=summit" {
		t.Errorf("windows around summits are remembered as %s", got)
	}
	kelp := reading.Of(seqio.Options{KeLPText: "grct"}).Trained()
	if kelp.KeLPText != "grct" || kelp.Trained.Text != "" {
		t.Errorf("a representation is read back as %+v", kelp)
	}
}

// summits are windows of a genome.
type summits struct{ genome.Cutter }

// Windows implements reading.Windows.
func (*summits) Windows() (string, int, genome.Point) { return "g.fa", 20, genome.Summit }

// Items that are not given are those of training, and none may contradict them.
func TestWith(t *testing.T) {
	trained := must.Get(reading.Parse("csv:text=title,delimiter=tab,alphabet=dna,soft-mask=break"))(t)
	peaks := must.Get(reading.Parse("bed:genome=g.fa,width=20,at=summit,alphabet=dna"))(t)
	tree := must.Get(reading.Parse("tree=xml,tree-labels=names,alphabet=bytes"))(t)
	for _, c := range []struct {
		given      string
		trained    reading.Spec
		structures bool
		want       string
	}{
		{"auto", trained, false, "delimiter=tab,alphabet=dna,soft-mask=break"},
		{"csv:delimiter=comma", trained, false, "csv:delimiter=comma,alphabet=dna,soft-mask=break"},
		{"auto", peaks, false, "alphabet=dna,genome=g.fa,width=20,at=summit"},
		{"genome=other.fa", peaks, false, "alphabet=dna,genome=other.fa,width=20,at=summit"},
		{"genome=other.fa,width=30", peaks, false, "alphabet=dna,genome=other.fa,width=30,at=summit"},
		{"auto", tree, false, "tree=xml,tree-labels=names,alphabet=bytes"},
		{"tree=none", tree, false, "alphabet=bytes"},
		{"tree=penn", trained, true, "delimiter=tab,tree=penn,alphabet=dna,soft-mask=break"},
		{"alphabet=protein", trained, false, "alphabet=protein, but the model was trained with dna"},
		{"soft-mask=upper", trained, false, "soft-mask=upper, but the model was trained with break"},
		{"html", trained, false, "html=true, but the model was trained with false"},
		{"tree=penn", trained, false, "tree=penn, but the model was trained with the default"},
		{"tree-labels=text", tree, false, "tree-labels=text, but the model was trained with names"},
	} {
		given := must.Get(reading.Parse(c.given))(t)
		got, err := given.With(c.trained, c.structures)
		text := got.String()
		if err != nil {
			text = err.Error()
		}
		if !strings.HasPrefix(text, c.want) {
			t.Errorf("%s after %s: %s, want %s", c.given, c.trained, text, c.want)
		}
	}
}
