package seqio_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
)

// lineByLine runs a function on one processor.
func lineByLine(read func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	read()
}

// everything of what was read, batch by batch, and the error.
func everything(text, name string, opt seqio.Options, batch int) string {
	var b strings.Builder
	write := func(all *seqio.Collection) {
		for _, s := range all.Sets {
			fmt.Fprintln(&b, s.Format, recordsOf(s), s.Descriptions, s.Labels, s.LabelSets, s.Fields, s.Lines, s.LabelSource())
		}
	}
	inputs := []seqio.Input{{Path: "first.fa", Reader: strings.NewReader(">x\nA\n")},
		{Path: name, Reader: strings.NewReader(text)}}
	if batch == 0 {
		all, err := seqio.ReadAll(context.Background(), inputs, opt)
		if err == nil {
			write(all)
		}
		fmt.Fprintln(&b, err)
		return b.String()
	}
	err := seqio.AllBatches(context.Background(), inputs, opt, batch, func(all *seqio.Collection) error { write(all); return nil })
	fmt.Fprintln(&b, err)
	return b.String()
}

// input is a text to read.
type input struct {
	name, text string
	opt        seqio.Options
}

// tables returns tables of texts, some of them malformed, with quotes and empty lines anywhere.
func tables(rng *rand.Rand) (inputs []input) {
	tsv := []string{"x\tone\n", "y\ttwo two\r\n", "\n", "z\t\n", "x\t\"\n", "7\ta\tb\n", "\xff\n", "q\tlast"}
	csv := []string{"x,one\n", "y,\"two\ntwo\"\r\n", "\n", "z,\"\"\"\n\n\"\n", "\"x\",\n", "a,b,c\n", "x,a\"b\n",
		"y,\"a\"b\n", "z,\"open\n", "q,\"a\nb\"", "x,\xff\n"}
	for k := range 400 {
		pieces, name, header := tsv, "a.tsv", []string{"", "label\ttext\n", "text\tid\n", "\n\n\n"}[k%4]
		if k >= 200 {
			pieces, name = csv, "a.csv"
			header = []string{"label,text\n", "\n\nlabel,text\n", "text,id\n", "\"text\",\"b\nc\"\n"}[k%4]
		}
		good := 4 + rng.IntN(len(pieces)-3)
		text := header
		for range rng.IntN(20) {
			text += pieces[rng.IntN(good)]
		}
		opt := seqio.Options{RepeatedIDs: rng.IntN(2) == 0}
		if rng.IntN(8) == 0 {
			opt.MaxLetters = 1 + rng.IntN(40)
		}
		inputs = append(inputs, input{name, text, opt})
	}
	return inputs
}

// objects returns texts as lines of JSON, some of them malformed, with and without ids, which may recur.
func objects(rng *rand.Rand) (inputs []input) {
	pieces := []string{`{"text":"a b","label":"x"}`, `{"text":"a\n\u00e9\"","label":["x","y"],"id":"%d"}`,
		`{"id":%d,"text":""}`, "", " \t", `{"text":"z","label":[]} ` + "\r",
		`{"t":{"u":[1,{}]},"text":"v","label":7,"id":"7"}`, `{"text":null}`, `{"text":"a","id":"3"`, `{"text":"\x"}`,
		`["text"]`, "\xff", `{"text":"a"}{}`}
	for range 400 {
		good := 3 + rng.IntN(len(pieces)-2)
		ids := rng.IntN(3) // in no record, in all, in some
		var text strings.Builder
		for k := range rng.IntN(20) {
			piece := pieces[rng.IntN(good)]
			if ids < 2 && good < 7 {
				piece = pieces[ids]
			}
			text.WriteString(strings.ReplaceAll(piece, "%d", fmt.Sprint(k*(1+rng.IntN(2)))) + "\n")
		}
		opt := seqio.Options{RepeatedIDs: rng.IntN(2) == 0, LabelLists: rng.IntN(4) > 0}
		if rng.IntN(8) == 0 {
			opt.MaxLetters = 1 + rng.IntN(40)
		}
		if rng.IntN(8) == 0 {
			opt.Fields = []string{"label"}
		}
		inputs = append(inputs, input{"a.jsonl", text.String(), opt})
	}
	return inputs
}

// What is read by several processors is what one reads, line by line, with the same error.
func TestBlocks(t *testing.T) {
	var inputs []input
	for _, c := range valid {
		inputs = append(inputs, input{c.name, c.text, c.opt})
	}
	for _, c := range malformed {
		if len(c.text) < 1000 {
			inputs = append(inputs, input{c.name, c.text, c.opt})
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	pieces := []string{">a x\n", ">b n=1 label=z\n", ">c\n", ";no\n", "\n", "ACGT\n", "ac\r\n", "A C\n", "@r 1\n", "+\n",
		"IIII\n", "@@@@\n", "+r 1\n", "A", "\xff\n", "+++@\n", ">a x\n"}
	for range 80 {
		var text strings.Builder
		for k := range rng.IntN(30) {
			switch rng.IntN(3) {
			case 0:
				text.WriteString(pieces[rng.IntN(len(pieces))])
			case 1:
				fmt.Fprintf(&text, ">%d n=%d\nACGT\nGG\n", k, k)
			case 2:
				fmt.Fprintf(&text, "@%d n=%d\nACGT\n+\n@I>%c\n", k, k, "+@I"[rng.IntN(3)])
			}
		}
		name := []string{"a.fa", "a.fq", "a.txt"}[rng.IntN(3)]
		opt := seqio.Options{RepeatedIDs: rng.IntN(2) == 0, IDsOnly: rng.IntN(3) == 0}
		if rng.IntN(8) == 0 {
			opt.MaxLetters = 1 + rng.IntN(40)
		}
		if name != "a.txt" && rng.IntN(4) == 0 {
			opt.Fields = []string{"n"}
		}
		inputs = append(inputs, input{name, text.String(), opt})
	}
	inputs = append(inputs, tables(rng)...)
	inputs = append(inputs, objects(rng)...)
	for _, in := range inputs {
		checkBlocks(t, in, 0, 1, 9, 150)
		in.opt.FirstDecides = true
		checkBlocks(t, in, 150, 1, 40)
	}
}

// FuzzBlocks: any text of a format that is parsed in blocks is what one processor reads, with the same error.
func FuzzBlocks(f *testing.F) {
	names := []string{"a.fa", "a.fq", "a.txt", "a.tsv", "a.csv", "a.jsonl"}
	for _, c := range slices.Concat(validDocuments, valid) {
		f.Add([]byte(c.text), uint8(max(0, slices.Index(names, c.name))), uint8(9), false)
	}
	for _, c := range malformedDocuments {
		f.Add([]byte(c.text), uint8(max(0, slices.Index(names, c.name))), uint8(40), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, name, size uint8, batches bool) {
		in := input{names[int(name)%len(names)], string(data), seqio.Options{FirstDecides: batches, LabelLists: size%2 == 0}}
		batch := 0
		if batches {
			batch = 150
		}
		checkBlocks(t, in, batch, 1+int(size))
	})
}

// checkBlocks compares what is read in blocks with what is read line by line.
func checkBlocks(t *testing.T, in input, batch int, sizes ...int) {
	t.Helper()
	var want, got string
	lineByLine(func() { want = everything(in.text, in.name, in.opt, batch) })
	for _, size := range sizes {
		seqio.InBlocks(size, func() { got = everything(in.text, in.name, in.opt, batch) })
		if got != want {
			t.Fatalf("%s %q, %+v, blocks of %d, batches of %d:\ngot  %s\nwant %s", in.name, in.text, in.opt, size, batch,
				got, want)
		}
	}
}

// An error in FASTA names its record, whatever the input before it was.
func TestErrorAfterTable(t *testing.T) {
	inputs := []seqio.Input{{Path: "a.jsonl", Reader: strings.NewReader(`{"text":"A"}`)},
		{Path: "b.fa", Reader: strings.NewReader(">x\nA!\n")}}
	_, err := seqio.ReadAll(context.Background(), inputs, seqio.Options{})
	if want := `b.fa:2: record "x": `; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s…", err, want)
	}
}

// Records of CSV longer than any block are read with all that follows.
func TestLongQuotesInBlocks(t *testing.T) {
	long := "x,\"" + strings.Repeat("line, \"\"\n", 100_000)
	for _, text := range []string{"label,text\nx,a\n" + long + "\"\ny,b\n", "label,text\n" + long, long + "\"\ny,b\n",
		"label,text\n" + strings.Repeat("x,\"a\nb\"\n", 30_000) + long[:300_000] + "\"z\n"} {
		var want, got string
		lineByLine(func() { want = everything(text, "a.csv", seqio.Options{}, 0) })
		seqio.InBlocks(1<<16, func() { got = everything(text, "a.csv", seqio.Options{}, 0) })
		if got != want {
			t.Errorf("%.40q…: %.300s, want %.300s", text, got, want)
		}
	}
}

// Lines too long for a block are read piece by piece, with all that follows.
func TestLongLinesInBlocks(t *testing.T) {
	long := strings.Repeat("ACGTTGCA", 100_000)
	for _, text := range []string{
		">x\nAC\n>y\n" + long + "\nGG\n>z\nT\n", ">x\nAC\n>y\n" + long, ">x\n" + long + "!\n", long, ">" + long + "\nA\n",
		strings.Repeat(">s\nACGT\n", 10_000) + long[:400_000] + "\n>t\n" + long[:500_000],
	} {
		var want, got *seqio.Set
		var wantErr, gotErr error
		opt := seqio.Options{RepeatedIDs: true}
		lineByLine(func() { want, wantErr = seqio.Read(strings.NewReader(text), "a.fa", opt) })
		seqio.InBlocks(1<<16, func() { got, gotErr = seqio.Read(strings.NewReader(text), "a.fa", opt) })
		if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || wantErr == nil && !got.Corpus.Equal(want.Corpus) {
			t.Errorf("%.40q…: %v, want %v", text, gotErr, wantErr)
		}
	}
}
