package main_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/must"
)

// An interrupted command exits with 130, says so in one line, and leaves no file.
func TestCancelled(t *testing.T) {
	inGoodFolder(t)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range []string{
		"train --kernel spectrum -o x.seqsvm --predictions p.tsv two.fa",
		"predict -m m.seqsvm -o p.tsv two.fa",
		"evaluate -m m.seqsvm -o e.tsv --predictions p.tsv two.fa",
		"cv --kernel spectrum --folds 3 -o c.tsv --predictions p.tsv two.fa",
		"matrix gram --kernel spectrum -o k.tsv two.fa",
		"scan -m m.seqsvm --window 3 -o s.bed two.fa",
	} {
		before := len(listing(t, "."))
		r := toolContext(t, cancelled, "", strings.Fields(args)...)
		if r.code != cli.ExitInterrupted || r.out != "" || r.err != "seqsvm: interrupted\n" {
			t.Errorf("%s: exit code %d, %q, %q", args, r.code, r.out, r.err)
		}
		if after := len(listing(t, ".")); after != before {
			t.Errorf("%s: %d files before, %d after", args, before, after)
		}
	}
}

// An interrupt while the tool waits for more input ends it, and so do a request to end and a terminal that closes.
// No file is left, not even by a process that is killed.
func TestInterruptWhileReading(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no interrupts between processes here")
	}
	inGoodFolder(t)
	for _, c := range []struct {
		args   string
		signal os.Signal
	}{
		{"predict -m m.seqsvm -o p.tsv -", os.Interrupt},
		{"train --kernel spectrum -o x.seqsvm -", os.Interrupt},
		{"train --kernel spectrum -o x.seqsvm -", syscall.SIGTERM},
		{"train --kernel spectrum -o x.seqsvm -", syscall.SIGHUP},
		{"train --kernel spectrum -o x.seqsvm -", os.Kill},
		{"scan -m m.seqsvm --window 100 --min-score 100 -o s.bed -", os.Interrupt},
	} {
		args := c.args
		if c.signal == syscall.SIGHUP && signal.Ignored(syscall.SIGHUP) {
			continue // as under nohup
		}
		before := len(listing(t, "."))
		command := exec.Command("seqsvm", strings.Fields(args)...)
		var out, message bytes.Buffer
		command.Stdout, command.Stderr = &out, &message
		input, err := command.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		must.Succeed(t, command.Start())
		// A pipe's buffer is smaller: when this is written, the tool is reading.
		must.Get(input.Write([]byte(">a A\n" + strings.Repeat("ACGT", 1<<18))))(t)
		must.Succeed(t, command.Process.Signal(c.signal))
		stuck := time.AfterFunc(time.Minute, func() { command.Process.Kill() })
		err = command.Wait()
		stuck.Stop()
		var exit *exec.ExitError
		code, said := cli.ExitInterrupted, "seqsvm: interrupted\n"
		if c.signal == os.Kill {
			code, said = -1, ""
		}
		if !errors.As(err, &exit) || exit.ExitCode() != code || out.Len() > 0 || message.String() != said {
			t.Errorf("%s, %v: %v, %q, %q", args, c.signal, err, out.String(), message.String())
		}
		if after := len(listing(t, ".")); after != before {
			t.Errorf("%s: %d files before, %d after", args, before, after)
		}
	}
}
