package seqio_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// malformed inputs and the whole text of the error each gives.
var malformed = []struct {
	name, text string
	opt        seqio.Options
	want       string
}{
	{"e.fa", "", seqio.Options{}, "e.fa: the file is empty"},
	{"e.fa", "\xef\xbb\xbf", seqio.Options{}, "e.fa: the file is empty"},
	{"e.fa", "\n \n", seqio.Options{}, "e.fa: no records"},
	{"e.fa", ";only\n", seqio.Options{}, "e.fa: no records"},
	{"-", "\n\n", seqio.Options{}, "-: no records"},
	{"-", strings.Repeat("\n", 5000) + ">a\nA\n", seqio.Options{}, "-:1: " + seqio.ErrUnknownFormat.Error()},
	{"e.fq", "\n\n", seqio.Options{}, "e.fq: no records"},
	{"e.txt", "", seqio.Options{}, "e.txt: the file is empty"},
	{"e", "ACGT\n", seqio.Options{}, "e:1: neither FASTA ('>') nor FASTQ ('@'), and the name does not imply the format; " +
		"choose fasta, fastq, text, tsv, csv, jsonl, reuters, documents, fasttext, kelp, dot-bracket, parquet or bed"},
	{"e.txt", "\xff\xfea\x00", seqio.Options{},
		"e.txt: UTF-16 text; convert it to UTF-8, or name the encoding, as encoding=utf-16"},
	{"e.txt", "\xff\xfe\x00\x00a\x00\x00\x00", seqio.Options{}, "e.txt: UTF-32 text; convert it to UTF-8"},
	{"e.txt", "\x00\x00\xfe\xff\x00\x00\x00a", seqio.Options{}, "e.txt: UTF-32 text; convert it to UTF-8"},
	{"e.txt", "\xff\xfe\x00\x00a\x00\x00\x00", seqio.Options{Encoding: "utf-16"}, "e.txt: UTF-32 text; convert it to UTF-8"},
	{"e.fa", "PK\x03\x04abc", seqio.Options{}, "e.fa: zip compression is not read; use gzip or zstd"},
	{"e.xlsx", "PK\x03\x04abc", seqio.Options{},
		"e.xlsx: a file of Microsoft Office or LibreOffice, which is not read; save it as CSV or text"},
	{"e.fa", "BZh91AY&SYabc", seqio.Options{}, "e.fa: bzip2 compression is not read; use gzip or zstd"},
	{"e.fa", "\xfd7zXZ\x00abc", seqio.Options{}, "e.fa: xz compression is not read; use gzip or zstd"},

	{"e.fa", "ACGT\n>x\n", seqio.Options{}, "e.fa:1: expected '>', found 'A'"},
	{"e", "\n\n ACGT\n", seqio.Options{Format: seqio.FASTA}, "e:3: expected '>', found white space"},
	{"e", "@x\nA\n", seqio.Options{Format: seqio.FASTA}, "e:1: expected '>', found '@'"},
	{"e.fa", ">\nA\n", seqio.Options{}, "e.fa:1: header without an id"},
	{"e.fa", ">x\nA\n> \nA\n", seqio.Options{}, "e.fa:3: header without an id"},
	{"e.fa", ">x\nA\n>y\n>x a\n", seqio.Options{}, `e.fa:4: record "x": duplicate id, first used on line 1`},
	{"e.fa", ">x\rACGT\r>y\rA\r", seqio.Options{}, "e.fa:1: line ends are lone CR (old Mac); convert them to LF"},
	{"e.fa", ">x\nAC\rGT\n", seqio.Options{}, `e.fa:2: record "x": line ends are lone CR (old Mac); convert them to LF`},
	{"e.fa", ">x\nA\n;c\n", seqio.Options{}, `e.fa:3: record "x": ';' comment line inside a record`},
	{"e.fa", ">x\nAC GT\n", seqio.Options{}, `e.fa:2: record "x": white space inside the sequence, column 3`},
	{"e.fa", ">x\nACGTACGT\n\tA\n", seqio.Options{}, `e.fa:3: record "x": white space inside the sequence, column 1`},
	{"e.fa", ">x\nACGTACGTA1C\n", seqio.Options{},
		`e.fa:2: record "x": digit '1' in the sequence, column 10; want letters, '*', '-' or '.'`},
	{"e.fa", ">x\nAC\x00\n", seqio.Options{}, `e.fa:2: record "x": NUL byte in the sequence, column 3; want letters, '*', ` +
		`'-' or '.'`},
	{"e.fa", ">x\nAC\x7f\n", seqio.Options{}, `e.fa:2: record "x": control byte 0x7f in the sequence, column 3; want ` +
		`letters, '*', '-' or '.'`},
	{"e.fa", ">x\nACGT>y\n", seqio.Options{}, `e.fa:2: record "x": '>' in the sequence, column 5; want letters, '*', ` +
		`'-' or '.'`},
	{"e.fa", ">x\nA\xc3\xa9\n", seqio.Options{Case: seqio.CaseKept},
		`e.fa:2: record "x": byte 0xc3 in the sequence, column 2; want letters, '*', '-' or '.'`},
	{"e.fa", ">x\x00y\nA\n", seqio.Options{}, `e.fa:1: NUL byte in the id "x\x00y"`},
	{"e.fa", ">x y\x00\nA\n", seqio.Options{}, `e.fa:1: NUL byte in the header of "x"`},
	{"e.fa", ">x\ny\n\x00", seqio.Options{}, `e.fa:3: record "x": NUL byte in the sequence, column 1; want letters, '*', ` +
		`'-' or '.'`},
	{"e.fa", ">" + strings.Repeat("x", 100) + "\n1\n", seqio.Options{},
		`e.fa:2: record "` + strings.Repeat("x", 77) +
			`...": digit '1' in the sequence, column 1; want letters, '*', '-' or '.'`},
	{"e.fa", ">x " + strings.Repeat("x", lines.BufferSize) + "\n", seqio.Options{},
		"e.fa:1: header line of 524288 bytes or more"},
	{"e.fa", ">x\r" + strings.Repeat("A", lines.BufferSize) + "\r", seqio.Options{},
		"e.fa:1: line ends are lone CR (old Mac); convert them to LF"},

	{"e.fa", ">x\nACG\n>y\nTT\n", seqio.Options{MaxLetters: 4}, `e.fa:4: record "y": more than 4 letters; split the input`},
	{"e.fa", ">x\n>y\n>z\n", seqio.Options{MaxLetters: 2}, `e.fa:3: more than 2 records; split the input`},
	{"e.txt", "abc\nde\n", seqio.Options{MaxLetters: 4}, `e.txt:2: more than 4 letters; split the input`},
	{"e.txt", "\n\n\n", seqio.Options{MaxLetters: 2}, `e.txt:3: more than 2 records; split the input`},

	{"e.fq", "x\n", seqio.Options{}, "e.fq:1: expected '@', found 'x'"},
	{"e.fq", "@\nA\n+\nI\n", seqio.Options{}, "e.fq:1: header without an id"},
	{"e.fq", "@x\nA\n+\nI\nC\n", seqio.Options{}, "e.fq:5: expected '@', found 'C'"},
	{"e.fq", "@x\nA\n+\nI\n@x\nC\n+\nI\n", seqio.Options{}, `e.fq:5: record "x": duplicate id, first used on line 1`},
	{"e.fq", "@x\nA1\n+\nII\n", seqio.Options{},
		`e.fq:2: record "x": digit '1' in the sequence, column 2; want letters, '*', '-' or '.'`},
	{"e.fq", "@x\nA\n@y\nC\n+\nI\n", seqio.Options{},
		`e.fq:3: record "x": '@' in the sequence, column 1; want letters, '*', '-' or '.'`},
	{"e.fq", "@x a\nA\n+x b\nI\n", seqio.Options{}, `e.fq:3: record "x": what follows '+' differs from the header`},
	{"e.fq", "@x\nACGT\n+\nIII\n@y\n", seqio.Options{}, `e.fq:4: record "x": 3 qualities for 4 letters`},
	{"e.fq", "@x\nACGT\n+\nIIIII\n@y\n", seqio.Options{}, `e.fq:4: record "x": 5 qualities for 4 letters`},
	{"e.fq", "@x\nACGT\n+\n\n@y\n", seqio.Options{}, `e.fq:4: record "x": 0 qualities for 4 letters`},
	{"e.fq", "@x\nAC\nGT\n+\nII\n\n", seqio.Options{}, `e.fq:6: record "x": 2 qualities for 4 letters`},
	{"e.fq", "@x\nAC\nGT\n+\nII\n@y z\n", seqio.Options{},
		`e.fq:6: record "x": white space in the quality; want bytes '!' to '~'`},
	{"e.fq", "@x\nACGT\n+\nII\x00I\n", seqio.Options{}, `e.fq:4: record "x": NUL byte in the quality; want bytes '!' to '~'`},
	{"e.fq", "@x\nA\n+\nI\rI\n", seqio.Options{}, `e.fq:4: record "x": line ends are lone CR (old Mac); convert them to LF`},
	{"e.fq", "@x\rA\r+\rI\r", seqio.Options{}, `e.fq:1: line ends are lone CR (old Mac); convert them to LF`},
	{"e.fq", "@x\n", seqio.Options{}, `e.fq:1: record "x": the record is cut off: no '+' line`},
	{"e.fq", "@x\nACGT\n", seqio.Options{}, `e.fq:2: record "x": the record is cut off: no '+' line`},
	{"e.fq", "@x\nACGT\n+", seqio.Options{}, `e.fq:3: record "x": the record is cut off: 0 qualities for 4 letters`},
	{"e.fq", "@x\nACGT\n+\nII", seqio.Options{}, `e.fq:4: record "x": 2 qualities for 4 letters`},
	{"e.fq", "@x\nAC\nGT\n+\nII", seqio.Options{}, `e.fq:5: record "x": the record is cut off: 2 qualities for 4 letters`},
	{"e.fq", "@x " + strings.Repeat("x", lines.BufferSize) + "\n", seqio.Options{},
		"e.fq:1: header line of 524288 bytes or more"},

	{"e.txt", "a\nb\x00\n", seqio.Options{}, "e.txt:2: column 2: NUL byte; is this a text?"},
	{"e.txt", "a\rb\r", seqio.Options{}, "e.txt:1: line ends are lone CR (old Mac); convert them to LF"},
	{"e.txt", "a\n\rb\n", seqio.Options{}, "e.txt:2: line ends are lone CR (old Mac); convert them to LF"},

	{"train.fa.gz", ">chr1\nACGT\nACGTACEGT\n", seqio.Options{Ambiguous: seqio.AmbiguousError, Alphabet: stringkernel.DNA},
		`train.fa.gz:3: record "chr1": letter 'E' is not DNA`},
	{"e.fa", ">x\nACGT\n\nACGT\nAC\n>y\nA\nCN\n", seqio.Options{Ambiguous: seqio.AmbiguousError},
		`e.fa:8: record "y": letter 'N' is not DNA`},
	{"e.fa", ">x\nACGU\nACEU\n", seqio.Options{Ambiguous: seqio.AmbiguousError, Alphabet: stringkernel.RNA},
		`e.fa:3: record "x": letter 'E' is not RNA`},
	{"e.fa", ">x\nMKX\n", seqio.Options{Ambiguous: seqio.AmbiguousError},
		`e.fa:2: record "x": letter 'X' is not one of the 20 amino acids`},
	{"e.fa", ">x\nMK*\n", seqio.Options{Ambiguous: seqio.AmbiguousError, Alphabet: stringkernel.Protein},
		`e.fa:2: record "x": letter '*' is not one of the 20 amino acids`},
	{"e.txt", "acgt\nac gt\n", seqio.Options{Ambiguous: seqio.AmbiguousError, Alphabet: stringkernel.DNA},
		`e.txt:2: white space is not DNA`},

	{"e.fa", ">x\n", seqio.Options{Format: "gff"},
		`seqio: format "gff" is unknown, want auto, fasta, fastq, text, tsv, csv, jsonl, reuters, documents, fasttext, kelp, ` +
			`dot-bracket, parquet or bed`},
	{"e.fa", ">x\n", seqio.Options{Ambiguous: "skip"}, `seqio: ambiguous = "skip", want break or error`},
	{"e.fa", ">x\n", seqio.Options{Alphabet: "xna"}, `seqio: alphabet "xna" is unknown, want dna, rna, protein, bytes, dayhoff6, hsdm17, murphy10, murphy15, murphy4, murphy8, sdm12`},
	{"e.fa", ">x\n", seqio.Options{MaxLetters: -1}, `seqio: MaxLetters = -1, want ≥ 0`},
}

// Errors are the same whether an input is read whole or in batches.
func TestReadMalformed(t *testing.T) {
	for _, c := range slices.Concat(malformed, malformedDocuments, malformedTrees) {
		s, err := seqio.Read(strings.NewReader(c.text), c.name, c.opt)
		if err == nil {
			t.Errorf("%.60q: %d records, want error %s", c.text, s.Len(), c.want)
			continue
		}
		if err.Error() != c.want {
			t.Errorf("%.60q:\ngot  %s\nwant %s", c.text, err, c.want)
		}
		var e *seqio.Error
		if !strings.HasPrefix(c.want, "seqio: ") && !errors.As(err, &e) {
			t.Errorf("%.60q: error is a %T", c.text, err)
		}
		if strings.ContainsAny(err.Error(), "\n\r\x00") {
			t.Errorf("%.60q: error is not one line: %q", c.text, err)
		}
		err = readBatches(strings.NewReader(c.text), c.name, c.opt, 1, func(*seqio.Set) error { return nil })
		if (c.opt.Ambiguous == "" || c.opt.Alphabet != "") && c.opt.MaxLetters == 0 && (err == nil || err.Error() != c.want) {
			t.Errorf("%.60q in batches:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// Every byte at every place of a line of letters or qualities is either kept or refused with its line.
func TestEveryByteOfALine(t *testing.T) {
	const width = 41 // covers the wide steps, the eight-byte steps and the rest
	for b := range 256 {
		for at := range width {
			if (b+at)%3 > 0 && !long.Tests { // like its neighbours in both
				continue
			}
			line := strings.Repeat("g", width)
			line = line[:at] + string([]byte{byte(b)}) + line[at+1:]
			letter := b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '*' || b == '-' || b == '.'
			for _, keep := range []seqio.Case{seqio.CaseUpper, seqio.CaseKept} {
				s, err := seqio.Read(strings.NewReader(">x\n"+line+"\n"), "e.fa",
					seqio.Options{Case: keep, Alphabet: stringkernel.Bytes})
				want := line
				if keep == seqio.CaseUpper {
					want = strings.ToUpper(line)
				}
				switch {
				case letter:
					if err != nil || string(s.Corpus.Seq(0)) != want {
						t.Fatalf("byte %#x at %d: %v", b, at, err)
					}
				case b == '\n', strings.ContainsRune(" \t\r", rune(b)) && at == width-1:
					if err != nil || s.Corpus.Letters() != width-1 {
						t.Fatalf("byte %#x at %d: %v", b, at, err)
					}
				case b == '>' && at == 0, b == ';' && at == 0: // a header and a comment
				case err == nil || !strings.HasPrefix(err.Error(), `e.fa:2: record "x": `):
					t.Fatalf("byte %#x at %d: %v", b, at, err)
				}
			}
			_, err := seqio.Read(strings.NewReader("@x\n"+strings.Repeat("A", width)+"\n+\n"+line+"\n"), "e.fq",
				seqio.Options{})
			if quality := b >= '!' && b <= '~'; quality != (err == nil) ||
				err != nil && !strings.HasPrefix(err.Error(), `e.fq:4: record "x": `) {
				t.Fatalf("byte %#x at %d of the qualities: %v", b, at, err)
			}
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
