package main_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	main "github.com/seqsvm/seqsvm/cmd/seqsvm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/must"
)

// An interrupt writes the state, long before a minute is over, of every class, and says where it is. The same command
// goes on from there to the model of a training that was not interrupted, whatever the batches in which records are
// read; one of other options does not.
func TestCheckpoint(t *testing.T) {
	splice := realData(t)["fifth.fa"]
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"splice.fa": string(splice)})
	set(t, main.StreamBatch, 4<<10)
	train := func(ctx context.Context, output string, options ...string) (code int, messages string) {
		args := append(strings.Fields("train --stream --scratch . --kernel spectrum:k=4 --C 10 --tol 1e-7"), options...)
		var out, err bytes.Buffer
		code = newApp().Run(ctx, append(args, "-o", output, "splice.fa"), cli.Streams{Out: &out, Err: &err})
		return code, err.String()
	}
	for wait := time.Millisecond; ; wait *= 2 { // until it is long enough for a pass
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		code, messages := train(ctx, "none", "--checkpoint", "state")
		if cancel(); code != cli.ExitInterrupted {
			t.Fatalf("exit code %d after %v, want that of an interrupt: %s", code, wait, messages)
		}
		if _, err := os.Stat("state"); err == nil {
			if !strings.Contains(messages, "seqsvm: the state is in state: the same command goes on from there\n") {
				t.Errorf("messages: %s", messages)
			}
			break
		}
	}
	code, messages := train(t.Context(), "none", "--checkpoint", "state", "--class-weight", "balanced")
	if code != cli.ExitFailed ||
		!strings.Contains(messages, ": the checkpoint does not fit: it is of other records, labels or options: repeat") {
		t.Errorf("other weights: exit code %d, %s", code, messages)
	}
	for output, options := range map[string][]string{"resumed": {"--checkpoint", "state"}, "whole": nil} {
		if code, messages := train(t.Context(), output, options...); code != cli.ExitOK {
			t.Fatalf("%s: exit code %d, %s", output, code, messages)
		}
	}
	if mustRead(t, "resumed") != mustRead(t, "whole") {
		t.Error("the model after an interrupt is another one")
	}
	left, err := filepath.Glob("*")
	if slices.Sort(left); err != nil || !slices.Equal(left, []string{"resumed", "splice.fa", "whole"}) {
		t.Errorf("%v are left, %v", left, err)
	}
}

// A cross-validation that is interrupted goes on from the states of its machines to the same bytes, and removes them.
func TestCheckpointOfFolds(t *testing.T) {
	promoters := must.Get(filepath.Abs("../../testdata/fasta/promoters.fa"))(t)
	t.Chdir(t.TempDir())
	set(t, main.CheckpointEvery, time.Nanosecond)
	validate := func(ctx context.Context, options ...string) (code int, table, messages string) {
		args := strings.Fields("cv -q --stream --scratch . --folds 3 --kernel spectrum:k=6 --C 10 --tol 1e-9")
		var out, err bytes.Buffer
		code = newApp().Run(ctx, append(append(args, options...), promoters), cli.Streams{Out: &out, Err: &err})
		return code, out.String(), err.String()
	}
	ctx, interrupt := context.WithCancel(t.Context())
	go func() {
		defer interrupt()
		for range 10_000 {
			if _, err := os.Stat("state.3"); err == nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if code, _, messages := validate(ctx, "--checkpoint", "state"); code != cli.ExitInterrupted {
		t.Fatalf("exit code %d, want that of an interrupt: %s", code, messages)
	}
	// Other folds are refused, and leave no state of their own, of a machine that had none.
	must.Succeed(t, os.RemoveAll("state"))
	before, _ := filepath.Glob("*")
	if code, _, messages := validate(t.Context(), "--checkpoint", "state", "--seed", "2"); code != cli.ExitFailed ||
		!strings.Contains(messages, ": the checkpoint does not fit: it is of other records, labels or options") {
		t.Errorf("other folds: exit code %d, %s", code, messages)
	}
	if after, _ := filepath.Glob("*"); !slices.Equal(before, after) {
		t.Errorf("other folds: %v are left of %v", after, before)
	}
	code, resumed, messages := validate(t.Context(), "--checkpoint", "state")
	if code != cli.ExitOK {
		t.Fatalf("exit code %d, %s", code, messages)
	}
	if _, whole, _ := validate(t.Context()); resumed != whole {
		t.Errorf("after an interrupt\n%s, want\n%s", resumed, whole)
	}
	if left, err := filepath.Glob("*"); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}
