package main_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// If one output cannot be written, no other gets its name, whichever comes first.
func TestNoOutputWithoutTheOthers(t *testing.T) {
	if info, err := os.Stat("/dev/full"); err != nil || info.Mode()&fs.ModeDevice == 0 {
		t.Skip("no /dev/full on this system")
	}
	inGoodFolder(t)
	for _, options := range [][]string{{"--predictions", "other", "-o", "/dev/full"},
		{"--predictions", "/dev/full", "-o", "other"}} {
		r := tool(t, "", append([]string{"cv", "--kernel", "spectrum:k=2", "--folds", "2", "two.fa"}, options...)...)
		if r.code != cli.ExitFailed || !strings.Contains(r.err, "/dev/full: cannot write: no space left on device") {
			t.Errorf("%v: exit %d, %s", options, r.code, r.err)
		}
		if _, err := os.Stat("other"); err == nil {
			t.Errorf("%v: the other output is there", options)
		}
	}
}
