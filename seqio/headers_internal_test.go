package seqio

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// idsAndLabels reads records and joins id and label of each.
func idsAndLabels(t *testing.T, name, text string, opt Options) []string {
	t.Helper()
	var found []string
	for _, r := range recordsOf(mustRead(t, text, name, opt)) {
		found = append(found, r.id+"="+r.label)
	}
	return found
}

// Numbers of records and labels in headers are the same in blocks and, all in one set, in batches.
func TestHeadersInParts(t *testing.T) {
	var empty, parts, words strings.Builder
	for i := range 300 {
		fmt.Fprintf(&empty, ">%.*s\nACGT\n", i%3, "xyz")
		fmt.Fprintf(&parts, ">P%d|%d|x\nAC\nGT\n", i, i%2)
		fmt.Fprintf(&words, ">%d\nACGT\n", i%2)
	}
	for _, c := range []input{
		{"empty", empty.String(), Options{}},
		{"parts", parts.String(), Options{Columns: Columns{Label: `regex:\|(.)`}}},
		{"words", words.String(), Options{}},
		{"labels", strings.ReplaceAll(words.String(), ">", ">label="), Options{}},
		{"ids", words.String(), Options{Columns: Columns{Label: "id"}}},
	} {
		c.opt.Format, c.opt.RepeatedIDs = FASTA, true
		var want, blocks, batches []string
		lineByLine(func() { want = idsAndLabels(t, c.name, c.text, c.opt) })
		inBlocks(64, func() { blocks = idsAndLabels(t, c.name, c.text, c.opt) })
		in := []Input{{Path: c.name, Reader: strings.NewReader(c.text)}}
		err := AllBatches(context.Background(), in, c.opt, 2000, func(all *Collection) error {
			for _, s := range all.Sets {
				for _, r := range recordsOf(s) {
					batches = append(batches, r.id+"="+r.label)
				}
			}
			return nil
		})
		if err != nil || !slices.Equal(blocks, want) || !slices.Equal(batches, want) {
			t.Errorf("%s: %v\nblocks  %v\nbatches %v\nwant    %v", c.name, err, blocks, batches, want)
		}
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
		opt := Options{RepeatedIDs: true, Columns: Columns{Label: label}}
		if opt.check() != nil || strings.ContainsFunc(label, unicode.IsControl) {
			return
		}
		s := fuzzRead(t, data, FASTA, opt)
		if s == nil || isCompressed(data) {
			return
		}
		pattern, isPattern := strings.CutPrefix(label, "regex:")
		record := 0
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
			case s.byIDs:
			default:
				return
			}
			if s.Label(record) != want || s.byIDs && s.Corpus.Name(record) != strconv.Itoa(record+1) {
				t.Fatalf("%q, label %q: %q is %q, want %q", data, label, header, s.Label(record), want)
			}
			record++
		}
		if record != s.Len() {
			t.Fatalf("%q: %d records of %d", data, s.Len(), record)
		}
	})
}
