//go:build linux && long && !race

package main_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A record beyond what a limit on addresses leaves ends every reader with one line, and nothing of Go's runtime. The race
// detector maps more than any such limit.
func TestAddressLimit(t *testing.T) {
	program := filepath.Join(t.TempDir(), "seqsvm") // without cgo, as it is released: with cgo it maps more
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Chdir(t.TempDir())
	train := func(gibibytes int, format string, in io.Reader) (code int, message string) {
		const script = "ulimit -v %d && exec %s train -q --kernel spectrum:k=3 --input %s -o m -"
		c := exec.Command("sh", "-c", fmt.Sprintf(script, gibibytes<<20, program, format))
		var out bytes.Buffer
		c.Stdin, c.Stderr = in, &out
		if err := c.Run(); err != nil && c.ProcessState == nil {
			t.Fatal(err)
		}
		return c.ProcessState.ExitCode(), out.String()
	}
	for _, c := range []struct {
		gibibytes            int
		format, packer, head string
	}{
		{1, "fasta", "", ">a label=A\n"}, {1, "fasta", "gzip", ">a label=A\n"}, {2, "fasta", "zstd", ">a label=A\n"},
		{1, "fastq", "zstd", "@a label=A\n"}, {1, "text", "gzip", ""}, {1, "tsv", "", "A\t"},
		{1, "csv", "gzip", "label,text\nA,"}, {1, "jsonl", "zstd", `{"label":"A","text":"`},
	} {
		// the same piece again and again: compressed files may be put together
		pack := map[string]func([]byte) []byte{"": bytes.Clone, "gzip": gzipped, "zstd": zstded}[c.packer]
		in, piece := []io.Reader{bytes.NewReader(pack([]byte(c.head)))}, pack(bytes.Repeat([]byte("A"), 1<<20))
		for range 800 {
			in = append(in, bytes.NewReader(piece))
		}
		code, message := train(c.gibibytes, c.format, io.MultiReader(in...))
		if code != 1 || strings.Count(message, "\n") != 1 || !strings.Contains(message, "--max-memory allows") {
			t.Errorf("%+v: exit code %d, %.400s", c, code, message)
		}
	}
	small := strings.NewReader(">a A\nAAAA\n>b C\nCCCC\n>c A\nAAAA\n>d C\nCCCC\n")
	if code, message := train(1, "fasta", small); code != 0 {
		t.Errorf("a small input: exit code %d, %s", code, message)
	}
}
