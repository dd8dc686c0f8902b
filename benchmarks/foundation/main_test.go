package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// windows returns records of two classes, of which one has a motif, as rows label, sequence.
func windows(rng *rand.Rand, n int) (rows [][2]string) {
	for i := range n {
		x := make([]byte, 60)
		for j := range x {
			x[j] = "ACGT"[rng.IntN(4)]
		}
		if i%2 == 1 {
			copy(x[rng.IntN(40):], "TGACGTCATTGG")
		}
		rows = append(rows, [2]string{fmt.Sprint(i % 2), string(x)})
	}
	return rows
}

// TestRun: tasks in the three forms of folders are found and learned; copies of training in a test are counted; a
// second run looks at no test; tasks and published figures are found by the ids of GENEB.
func TestRun(t *testing.T) {
	folder, rng := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	*chosen, *logFile = "fixed,probe", filepath.Join(folder, "log.json")
	*picture = filepath.Join(folder, "picture.svg")
	t.Setenv("SEQSVM_DATA", folder)
	write := func(name, head, form string, rows [][2]string) {
		text := head
		for _, r := range rows {
			text += strings.NewReplacer("LABEL", r[0], "SEQUENCE", r[1]).Replace(form)
		}
		path := filepath.Join(folder, "tasks", name)
		must(0, os.MkdirAll(filepath.Dir(path), 0o777))
		must(0, os.WriteFile(path, []byte(text), 0o666))
	}
	train, dev, test := windows(rng, 200), windows(rng, 50), windows(rng, 100)
	copied := append(test[:len(test):len(test)], train[:7]...)
	write("mouse-0.train.fa", "", ">x LABEL\nSEQUENCE\n", train)
	write("mouse-0.dev.fa", "", ">x LABEL\nSEQUENCE\n", dev)
	write("mouse-0.test.fa", "", ">x LABEL\nSEQUENCE\n", copied)
	write("tf/0/train.csv", "sequence,label\n", "SEQUENCE,LABEL\n", train)
	write("tf/0/test.csv", "sequence,label\n", "SEQUENCE,LABEL\n", test)
	write("mine.csv", "text,label,split\n", "SEQUENCE,LABEL,train\n", train)
	old := must(os.ReadFile(filepath.Join(folder, "tasks", "mine.csv")))
	write("mine.csv", string(old), "SEQUENCE,LABEL,test\n", test)
	var first, again bytes.Buffer
	run(&first, []string{filepath.Join(folder, "tasks")})
	var results []result
	log := must(os.ReadFile(*logFile))
	must(0, json.Unmarshal(log, &results))
	if len(results) != 6 {
		t.Fatalf("%d results, want those of 3 tasks by 2 settings", len(results))
	}
	for _, r := range results {
		near, n, trained := 0, 100, 200
		if r.Task == "mouse-0" {
			near, n, trained = 7, 107, 250
		}
		if r.Near != near || r.Test != n || r.Train != trained || r.Bytes == 0 {
			t.Errorf("%+v, want %d near-duplicates of %d, and %d of training", r, near, n, trained)
		}
		if r.MCC < 0.7 || r.AUROC < 0.9 || r.Accuracy < 0.85 {
			t.Errorf("%+v, want an MCC of 0.7", r)
		}
		if r.Near == 0 && r.Apart != r.MCC {
			t.Errorf("%s: MCC %v, %v without no duplicates", r.Task, r.MCC, r.Apart)
		}
	}
	must(0, os.RemoveAll(filepath.Join(folder, "tasks", "tf")))
	run(&again, []string{filepath.Join(folder, "tasks")})
	if now := must(os.ReadFile(*logFile)); !bytes.Equal(now, log) || first.String() != again.String() {
		t.Error("a second run changes the log or what is printed")
	}
	for _, want := range []string{"GUE_mouse_0 |", "**tf_binding**, 1 of 5", "**others**, 1 of 1", "| 0.720 |"} {
		if !strings.Contains(first.String(), want) {
			t.Errorf("no %q in\n%s", want, &first)
		}
	}
	if svg := string(must(os.ReadFile(*picture))); !strings.Contains(svg, "Mean MCC of 2 tasks") {
		t.Error("the picture is not of the two tasks with published figures")
	}
}

// TestTasksOfGENEB: there are 100 in 13 categories, and what is published is about some of them.
func TestTasksOfGENEB(t *testing.T) {
	b, tasks := newBoard(nil), map[string]bool{}
	for _, ids := range b.of {
		for _, id := range ids {
			tasks[id] = true
		}
	}
	if len(tasks) != 100 || len(b.categories) != 14 { // with others
		t.Errorf("%d tasks in %d categories, want 100 in 13 and others", len(tasks), len(b.categories))
	}
	for k := range b.figures {
		if !tasks[k.of] && k.of != parameters && b.of[k.of] == nil && !strings.HasSuffix(k.of, "_mcc") {
			t.Errorf("%s has a figure of %q, which is no task or category", k.model, k.of)
		}
	}
}
