package main_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// bgzfEnd is the empty block that ends a BGZF file (SAM specification, section 4.1.2).
const bgzfEnd = "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\x06\x00\x42\x43\x02\x00\x1b\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// bgzfBlock is a block of BGZF.
func bgzfBlock(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Extra = []byte("BC\x02\x00\x00\x00")
	w.Write([]byte(text))
	w.Close()
	b.Bytes()[16] = byte(b.Len() - 1)
	return b.String()
}

// Every input in BGZF without its end is warned of, wherever it is read, and no other one.
func TestBGZFEnd(t *testing.T) {
	t.Chdir(t.TempDir())
	records := bgzfBlock(">a x\nACGTACGTAC\n>b y\nTTGACCAGGT\n") + bgzfBlock(">c x\nACGTACGTAA\n>d y\nTTGACCAGGA\n")
	var plain bytes.Buffer
	w := gzip.NewWriter(&plain)
	w.Write([]byte(">e x\nACGTAA\n"))
	w.Close()
	for name, content := range map[string]string{
		"cut.fa.gz": records, "whole.fa.gz": records + bgzfEnd, "folder/cut.fa.gz": records, "list": "cut.fa.gz\n",
		"two.fa.gz":    bgzfBlock(">f x\nACGTAA\n") + bgzfEnd + bgzfBlock(">g y\nTTGACA\n") + bgzfEnd,
		"no-end.fa.gz": bgzfBlock(">f x\nACGTAA\n") + bgzfEnd + bgzfBlock(">g y\nTTGACA\n"),
		"gzip.fa.gz":   plain.String(), "then-gzip.fa.gz": records + plain.String(),
		"cut.bed.gz": bgzfBlock("a\t0\t4\nb\t0\t4\n"), "a.bed": "a\t0\t4\nb\t0\t4\n",
	} {
		must.Succeed(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must.Succeed(t, os.WriteFile(name, []byte(content), 0o644))
	}
	const kernel = "matrix gram --kernel spectrum:k=2 "
	for _, c := range []struct{ args, stdin, want string }{
		{kernel + "cut.fa.gz", "", "cut.fa.gz"},
		{kernel + "--quiet no-end.fa.gz", "", "no-end.fa.gz"},
		{kernel + "folder", "", filepath.Join("folder", "cut.fa.gz")},
		{kernel + "-", records, "standard input"},
		{kernel + "--input genome=cut.fa.gz a.bed", "", "cut.fa.gz"},
		{kernel + "--input genome=whole.fa.gz cut.bed.gz", "", "cut.bed.gz"},
		{"train --kernel spectrum:k=2 -o m cut.fa.gz", "", "cut.fa.gz"},
		{"predict -m m --files list", "", "cut.fa.gz"},
		{kernel + "--files list", "", "cut.fa.gz"},
		{"scan -m m --window 6 cut.fa.gz", "", "cut.fa.gz"},
		{kernel + "whole.fa.gz", "", ""},
		{kernel + "-", records + bgzfEnd, ""},
		{kernel + "two.fa.gz", "", ""},
		{kernel + "gzip.fa.gz", "", ""},
		{kernel + "then-gzip.fa.gz", "", ""},
	} {
		r := tool(t, c.stdin, strings.Fields(c.args)...)
		const text = ": the empty block that ends a BGZF file is missing; the file may be cut off\n"
		want := "seqsvm: warning: " + c.want + text
		if r.code != 0 || c.want != "" && !strings.Contains(r.err, want) || c.want == "" && strings.Contains(r.err, text) {
			t.Errorf("%s: exit code %d, %s want %s", c.args, r.code, r.err, want)
		}
	}
}
