package main

import (
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// tool builds seqsvm.
func tool(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "seqsvm")
	if out, err := exec.Command("go", "build", "-o", path, "../../cmd/seqsvm").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// records returns n records of 60 bases from a seed: every other one has a motif.
func records(n int, seed uint32, row func(sequence string, label int) string) string {
	var text strings.Builder
	for i := range n {
		var s []byte
		for range 60 {
			seed = seed*1664525 + 1013904223
			s = append(s, "ACGT"[seed>>30])
		}
		if i%2 == 1 {
			copy(s[20+i%20:], "TATAAAAGGC")
		}
		text.WriteString(row(string(s), i%2))
	}
	return text.String()
}

func csvRow(sequence string, label int) string { return fmt.Sprintf("%s,%d\n", sequence, label) }

func writeTask(t *testing.T, folder string, known string) {
	t.Helper()
	must.Succeed(t, os.MkdirAll(filepath.Join(folder, "a", "one"), 0o755))
	for part, n := range map[string]int{"train": 160, "dev": 40, "test": 60} {
		rows := records(n, uint32(n), csvRow)
		if part == "test" {
			rows += known
		}
		path := filepath.Join(folder, "a", "one", part+".csv")
		must.Succeed(t, os.WriteFile(path, []byte("sequence,label\n"+rows), 0o600))
	}
}

func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the tool")
	}
	folder, program := t.TempDir(), tool(t)
	copied := strings.SplitAfter(records(160, 160, csvRow), "\n")
	writeTask(t, folder, copied[0]+copied[1])
	for _, setting := range []string{"fixed", "searched"} {
		prefix := filepath.Join(t.TempDir(), "x")
		must.Succeed(t, run(options{setting: setting, output: prefix, program: program, budget: "0.5s"}, []string{folder}))
		table := must.Get(os.ReadFile(prefix + ".tsv"))(t)
		row := strings.Split(strings.Split(string(table), "\n")[1], "\t")
		if row[0] != "a/one" || row[1] != setting || row[3] != "62" || row[4] < "0.8" || row[11] != "2" {
			t.Errorf("%s: %v", setting, row)
		}
		if _, err := os.Stat(prefix + ".svg"); err == nil {
			t.Error("a picture without published figures")
		}
	}
}

func TestPicture(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "x")
	must.Succeed(t, write(prefix, []result{{task: task{name: "tf-0"}, size: 8e6, metrics: metrics{MCC: 0.7}}}))
	svg, err := os.ReadFile(prefix + ".svg")
	if err != nil || !strings.Contains(string(svg), "DNABERT-2") {
		t.Errorf("the picture has no names: %v", err)
	}
	md, _ := os.ReadFile(prefix + ".md")
	if want := "| tf-0 | 0.700 |"; !strings.Contains(string(md), want) || !strings.Contains(string(md), "**0.725**") {
		t.Errorf("%s, want %s", md, want)
	}
}

func TestTaskErrors(t *testing.T) {
	folder := t.TempDir()
	if _, err := tasksIn(folder); err == nil {
		t.Error("no error of an empty folder")
	}
	path := filepath.Join(folder, "tf-0.train.fa.gz")
	f := must.Get(os.Create(path))(t)
	z := gzip.NewWriter(f)
	fmt.Fprint(z, ">a +1\nACGT\n")
	must.Succeed(t, z.Close())
	must.Succeed(t, f.Close())
	if _, err := tasksIn(folder); err == nil || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("other records under the name of a known task: %v", err)
	}
	if err := run(options{setting: "best"}, nil); err == nil {
		t.Error("no error of an unknown setting")
	}
}
