package seqio_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/seqsvm/seqsvm/seqio"
)

// idsAndLabels reads records and joins id and label of each.
func idsAndLabels(t *testing.T, name, text string, opt seqio.Options) []string {
	t.Helper()
	var found []string
	for _, r := range recordsOf(mustRead(t, text, name, opt)) {
		found = append(found, r.id+"="+r.label)
	}
	return found
}

// Labels are where they are asked for in the header, or were in training, and without either where they are by default.
func TestLabelsInHeaders(t *testing.T) {
	parts := ">P0|0|training\nAC\n>P1|1|training\nCA\n"
	second := "regex:\\|([^|]*)"
	for _, c := range []struct {
		name, text     string
		label, trained string
		want           []string
	}{
		{"a.fa", parts, second, "", []string{"P0|0|training=0", "P1|1|training=1"}},
		{"a.fa", parts, "", second, []string{"P0|0|training=0", "P1|1|training=1"}},
		{"a.fa", ">x y\nA\n>z|w\nA\n", "", second, []string{"x=y", "z|w=w"}},
		{"a.fq", "@P0|0\nA\n+\nI\n@P1|1\nA\n+\nI\n", second, "", []string{"P0|0=0", "P1|1=1"}},
		{"a.dbn", ">P0|0\nA\n.\n>P1|1|w\nA\n.\n", second, "", []string{"P0|0=0", "P1|1|w=1"}},
		{"a.fa", ">x some [big words]\nA\n>y no [others]\nA\n", "regex:\\[(.*)\\]", "", []string{"x=big words", "y=others"}},
		{"a.fa", ">x a class=p\nA\n>y label=z class=q\nA\n", "class", "", []string{"x=p", "y=q"}},
		{"a.fa", ">x a class=p\nA\n>y label=z\nA\n", "", "class", []string{"x=p", "y=z"}},
		{"a.fa", ">x a\nA\n>y b\nA\n>x c\nA\n", "id", "", []string{"1=x", "2=y", "3=x"}},
		{"a.fa", ">x\nA\n>y b\nA\n", "", "regex:^\\S+$", []string{"1=x", "y=b"}},
		{"a.dbn", ">x a\nA\n.\n", "id", "", []string{"x=x"}},
		// ids of few classes are labels, unless there is anything else
		{"a.fa", ">0\nA\n>1\nA\n>0\nC\n>1\nC\n", "", "", []string{"1=0", "2=1", "3=0", "4=1"}},
		{"a.fq", "@0\nA\n+\nI\n@0\nA\n+\nI\n@0\nA\n+\nI\n", "", "", []string{"1=0", "2=0", "3=0"}},
		{"a.fa", ">0\nA\n>1\nA\n>0\nC\n>1 x\nC\n", "", "", []string{"0=", "1=", "0=", "1=x"}},
		{"a.fa", ">a\nA\n>b\nA\n>c\nC\n>a\nC\n>b\nC\n>c\nC\n", "", "", []string{"a=", "b=", "c=", "a=", "b=", "c="}},
		{"a.fa", ">a\nA\n>a\nA\n>b\nC\n", "", "", []string{"a=", "a=", "b="}},
		// a label alone, without an id
		{"a.fa", ">label=p\nA\n> label=q\nA\n>label=p of me\nA\n>y label=p\nA\n>label=\nA\n", "", "",
			[]string{"1=p", "2=q", "3=p", "y=p", "label=="}},
		{"a.fq", "@label=p\nA\n+label=p\nI\n@class=q\nA\n+\nI\n", "", "class", []string{"1=p", "2=q"}},
		{"a.fa", ">label=p\nA\n>label=q\nA\n", "label", "", []string{"1=p", "2=q"}},
		{"a.fa", ">label=p\nA\n>y\nA\n", "", `regex:^\S+$`, []string{"1=p", "2=y"}},
		{"a.fa", ">label=p class=q\nA\n>class=q\nA\n", "class", "", []string{"label=p=q", "2=q"}},
		{"a.fa", ">label=p\nA\n", `regex:=(.*)`, "", []string{"label=p=p"}},
		{"a.dbn", ">label=p\nA\n.\n", "", "", []string{"label=p=p"}},
		// blanks after the sign
		{"a.fa", "> x pos\nA\n>\t y \tneg\nA\n", "", "", []string{"x=pos", "y=neg"}},
		{"a.fq", "@ x pos\nA\n+ x pos\nI\n@\ty neg\nA\n+y\nI\n", "", "", []string{"x=pos", "y=neg"}},
		{"a.dbn", "> x pos\nA\n.\n", "", "", []string{"x=pos"}},
		// no id
		{"a.fa", ">\nA\n>1\nA\n>0\nA\n>1\nA\n>0\nA\n", "", "", []string{"1=", "1=", "0=", "1=", "0="}},
		{"a.fa", ">a\nA\n>\nA\n> \nC\n>b\nC\n", "", "", []string{"a=", "2=", "3=", "b="}},
	} {
		opt := seqio.Options{RepeatedIDs: true, Columns: seqio.Columns{Label: c.label}, Trained: seqio.Columns{Label: c.trained}}
		if got := idsAndLabels(t, c.name, c.text, opt); !slices.Equal(got, c.want) {
			t.Errorf("%q, label %q or %q: %v, want %v", c.text, c.label, c.trained, got, c.want)
		}
	}
}

// Where no labels are wanted ids are as in the input, whatever labels they are.
func TestOptionalLabels(t *testing.T) {
	words := ">x\nA\n>y\nA\n>x\nC\n>y\nC\n"
	for _, c := range []struct {
		name, text, label, trained string
		want                       []string
	}{
		{"a.fa", words, "", "", []string{"x=", "y=", "x=", "y="}},
		{"a.fa", words, "id", "", []string{"x=x", "y=y", "x=x", "y=y"}},
		{"a.fa", words, "", `regex:^\S+$`, []string{"x=x", "y=y", "x=x", "y=y"}},
		{"a.txt", "__label__p __label__q a\n", "", "", []string{"1=p"}},
		{"a.jsonl", `{"text":"a","label":["p","q"]}`, "", "", []string{"1=p"}},
	} {
		opt := seqio.Options{RepeatedIDs: true, OptionalLabels: true, Columns: seqio.Columns{Label: c.label},
			Trained: seqio.Columns{Label: c.trained}}
		if got := idsAndLabels(t, c.name, c.text, opt); !slices.Equal(got, c.want) {
			t.Errorf("%q, label %q or %q: %v, want %v", c.text, c.label, c.trained, got, c.want)
		}
	}
}

// Numbers of records and labels in headers are the same all in one set and in batches.
func TestHeadersInBatches(t *testing.T) {
	var empty, parts, words strings.Builder
	for i := range 300 {
		fmt.Fprintf(&empty, ">%.*s\nACGT\n", i%3, "xyz")
		fmt.Fprintf(&parts, ">P%d|%d|x\nAC\nGT\n", i, i%2)
		fmt.Fprintf(&words, ">%d\nACGT\n", i%2)
	}
	for text, label := range map[string]string{
		empty.String(): "", parts.String(): `regex:\|(.)`, words.String(): "", words.String()[3:]: "id",
		strings.ReplaceAll(words.String(), ">", ">label="): "",
	} {
		opt := seqio.Options{Format: seqio.FASTA, RepeatedIDs: true, Columns: seqio.Columns{Label: label}}
		checkBatches(t, []byte(text), opt, 2000)
	}
}

// Labels in headers are those that package regexp and strings.Fields find.
func FuzzHeaders(f *testing.F) {
	for _, text := range []string{">P0|0\nA\n>P1|1 x\nA\n", "> x a class=b\r\nA\n>\ty\nA\n", ">class=b\nA\n", ">\nA\n>\nA\n",
		">0\nA\n>1\nA\n>0\nA\n>1\nA\n"} {
		for _, label := range []string{"", "id", "class", `regex:\|(.)`, `regex:\w+`} {
			f.Add([]byte(text), label)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, label string) {
		opt := seqio.Options{RepeatedIDs: true, Columns: seqio.Columns{Label: label}}
		_, err := seqio.Read(strings.NewReader(">a\nA\n"), "a.fa", opt)
		if err != nil && !strings.HasPrefix(err.Error(), "a.fa") || strings.ContainsFunc(label, unicode.IsControl) {
			return // options that no input could have
		}
		s := fuzzRead(t, data, seqio.FASTA, opt)
		if s == nil || isCompressed(data) {
			return
		}
		pattern, isPattern := strings.CutPrefix(label, "regex:")
		record, byIDs := 0, s.LabelSource() == "the only word of the header"
		for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
			if line[0] != '>' {
				continue
			}
			header := strings.Trim(string(line[1:]), " \t\r\n")
			id, description, _ := strings.Cut(strings.ReplaceAll(header, "\t", " "), " ")
			want := id
			switch {
			case isPattern:
				match := regexp.MustCompile(pattern).FindStringSubmatch(s.Header(record))
				want = strings.TrimSpace(match[min(1, len(match)-1)])
			case label == "id":
			case label != "":
				want = ""
				if strings.HasPrefix(id, label+"=") && len(id) > len(label)+1 {
					description = header
				}
				for _, token := range strings.FieldsFunc(description, unicode.IsSpace) {
					if value, is := strings.CutPrefix(token, label+"="); is && !strings.Contains(label, "=") {
						want = value
						break
					}
				}
			case byIDs:
			default:
				return
			}
			if s.Label(record) != want || byIDs && s.Corpus.Name(record) != strconv.Itoa(record+1) {
				t.Fatalf("%q, label %q: %q is %q, want %q", data, label, header, s.Label(record), want)
			}
			record++
		}
		if record != s.Len() {
			t.Fatalf("%q: %d records of %d", data, s.Len(), record)
		}
	})
}
