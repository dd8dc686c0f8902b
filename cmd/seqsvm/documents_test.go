package main_test

import (
	"fmt"
	"strings"
	"testing"

	main "github.com/seqsvm/seqsvm/cmd/seqsvm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// Predictions and warnings do not depend on batches.
func TestPredictInBatches(t *testing.T) {
	inGoodFolder(t)
	var fasta, jsonl, tsv strings.Builder
	for i := range 500 {
		fmt.Fprintf(&fasta, ">r%d\n%s\n", i, strings.Repeat("ACGT"[i%4:i%4+1], i%9))
		fmt.Fprintf(&jsonl, "{\"text\":\"%s\",\"id\":%d}\n", strings.Repeat("TTGA", i%5), i)
		fmt.Fprintf(&tsv, "A\tAC%dAA\n", i)
	}
	writeFiles(t, map[string]string{"many.fa": fasta.String(), "many.jsonl": jsonl.String(), "many.tsv": tsv.String()})
	writeFiles(t, map[string]string{"folder/A/x": "AAAC", "folder/A/y": "TTTG"})
	for _, args := range []string{"many.fa", "many.jsonl", "many.tsv", "folder",
		"two.fa many.fa many.jsonl folder up.fa", "--format json many.jsonl two.fa", "--raw many.fa",
		"--raw --format json two.fa many.tsv"} {
		command := strings.Fields("predict -m m.seqsvm " + args)
		want := tool(t, "", command...)
		if want.code != cli.ExitOK {
			t.Fatalf("%s: %s", args, want.err)
		}
		for _, size := range []int{1, 100, 1000, 20000} {
			set(t, main.PredictBatch, size)
			set(t, main.PartScores, size/100)
			got := tool(t, "", command...)
			if got != want {
				t.Errorf("%s in batches of %d: exit code %d, %d bytes, %s; want %d bytes, %s", args, size, got.code,
					len(got.out), got.err, len(want.out), want.err)
			}
		}
	}
}

// Of several errors in a file the first one is reported, after the same rows, though a batch is scored beside others.
func TestPredictFirstError(t *testing.T) {
	inGoodFolder(t)
	good := strings.Repeat(">good\nACCATTGACCA\n", 300)
	writeFiles(t, map[string]string{
		"strict.fa": good + ">short\nA\n" + good + ">bad\nAC!GT\n" + good, "bad.fa": good + good + ">bad\nAC!GT\n" + good,
	})
	for _, size := range []int{1, 1000, 30_000, 1 << 20} {
		set(t, main.PredictBatch, size)
		for _, args := range []string{"--strict strict.fa", "strict.fa", "--raw --strict strict.fa", "bad.fa", "two.fa bad.fa"} {
			command := strings.Fields("predict -m m.seqsvm " + args)
			want := tool(t, "", append(command, "--threads", "1")...)
			got := tool(t, "", append(command, "--threads", "3")...)
			if got != want || want.code != cli.ExitFailed {
				t.Errorf("%s in batches of %d: exit code %d, %d bytes, %s; want %d, %d bytes, %s", args, size, got.code,
					len(got.out), got.err, want.code, len(want.out), want.err)
			}
		}
	}
}

// An error in a later batch names its line, leaves no --output and, on standard output, the rows before it.
func TestPredictErrorInLaterBatch(t *testing.T) {
	inGoodFolder(t)
	set(t, main.PredictBatch, 1000)
	writeFiles(t, map[string]string{"late.tsv": strings.Repeat("A\tACCA\n", 5000) + "A\n"})
	const message = "seqsvm: late.tsv:5001: 1 column, want 2 as in the first line\n"
	before := listing(t, ".")
	r := tool(t, "", "predict", "-m", "m.seqsvm", "-o", "p.tsv", "late.tsv")
	if r.code != cli.ExitFailed || r.err != message || r.out != "" {
		t.Errorf("exit code %d, %q, %q", r.code, r.err, r.out)
	}
	if after := listing(t, "."); len(after) != len(before) {
		t.Errorf("%d files, want %d", len(after), len(before))
	}
	r = tool(t, "", "predict", "-m", "m.seqsvm", "late.tsv")
	if r.code != cli.ExitFailed || r.err != message || !strings.HasPrefix(r.out, "id\tclass\tdecision\n1\t") {
		t.Errorf("exit code %d, %q, %d bytes", r.code, r.err, len(r.out))
	}
}
