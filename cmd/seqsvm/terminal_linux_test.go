package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/must"
)

// onTerminal returns what a command shows on a terminal with that many columns.
func onTerminal(t *testing.T, columns uint16, args ...string) string {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals: ", err)
	}
	defer master.Close()
	must.Succeed(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number := must.Get(unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN))(t)
	terminal := must.Get(os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR, 0))(t)
	size := unix.Winsize{Row: 40, Col: columns}
	must.Succeed(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &size))
	shown := make(chan string)
	go func() {
		var all strings.Builder
		b := make([]byte, 1<<12)
		for {
			n, err := master.Read(b)
			all.Write(b[:n])
			if err != nil { // the terminal was closed
				shown <- strings.ReplaceAll(all.String(), "\r", "")
				return
			}
		}
	}()
	var errors strings.Builder
	if code := newApp().Run(t.Context(), args, cli.Streams{Out: terminal, Err: &errors}); code != cli.ExitOK {
		t.Errorf("%v: exit %d, %s", args, code, errors.String())
	}
	terminal.Close()
	return <-shown
}

// On a terminal help is as wide as that, tables are aligned, and the best ten candidates of a search are shown.
func TestTerminal(t *testing.T) {
	promoters := must.Get(filepath.Abs("../../testdata/fasta/promoters.fa"))(t)
	wide := onTerminal(t, 200, "train", "--help")
	if !strings.Contains(wide, "\n   --pos FILE               FILE of positive sequences, instead of labels in headers\n") {
		t.Errorf("help for 200 columns: %s", wide)
	}
	t.Setenv("NO_COLOR", "1")
	table := onTerminal(t, 120, "cv", "-q", "-k", "spectrum:k=4", promoters)
	if strings.Contains(table, "\t") || !strings.HasPrefix(table, "fold  n    accuracy  balanced_accuracy  auroc") {
		t.Errorf("not aligned: %s", table)
	}
	for _, args := range []string{"about kernels", "about kernels gapped", "about input",
		"cv -q -k spectrum:k=4 " + promoters} {
		for line := range strings.Lines(onTerminal(t, 80, strings.Fields(args)...)) {
			if n := utf8.RuneCountInString(line); n > 81 {
				t.Errorf("%s: %d columns: %s", args, n, line)
			}
		}
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	search := onTerminal(t, 80, "tune", "-q", "-k", "spectrum:k=2..4", "-C", "0.1,0.3,1,3", promoters)
	if !strings.HasPrefix(search, "\x1b[1mrank") {
		t.Errorf("the header is not bold: %q", search)
	}
	if lines := strings.Count(search, "\n"); lines != 11 {
		t.Errorf("%d lines of a search: %s", lines, search)
	}
}
