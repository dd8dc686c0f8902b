package main_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/drawn"
)

// A model of windows that all have AG at one place is scanned with that anchor, and a contradiction names both values.
func TestScanWithTheAnchorOfTraining(t *testing.T) {
	t.Chdir(t.TempDir())
	rng := rand.New(rand.NewPCG(3, 4))
	draw := func(n int, letters string) string {
		x := drawn.Text(rng, letters, n)
		return string(x)
	}
	var windows, free strings.Builder
	for i := range 40 {
		letters := []string{"AACGT", "ACGTT"}[i%2]
		fmt.Fprintf(&windows, ">w%d label=%d\n%sAG%s\n", i, i%2, draw(4, letters), draw(4, letters))
		fmt.Fprintf(&free, ">f%d label=%d\n%s\n", i, i%2, draw(10, letters))
	}
	writeFiles(t, map[string]string{"w.fa": windows.String(), "f.fa": free.String(),
		"g.fa": ">g\n" + draw(500, "ACGT") + "\n"})
	mustTool(t, "train", "-q", "-k", "wd:d=2", "-o", "w.seqsvm", "w.fa")
	mustTool(t, "train", "-q", "-k", "wd:d=2", "-o", "f.seqsvm", "f.fa")

	r := tool(t, "", "scan", "-m", "w.seqsvm", "g.fa")
	want := "seqsvm: scores above 0 speak for the positive class, 1\n" +
		"seqsvm: scoring windows with AG after 4 letters, as all training windows have; --anchor none scores all\n"
	if r.err != want {
		t.Errorf("%q, want %q", r.err, want)
	}
	asked := mustTool(t, "scan", "-q", "-m", "w.seqsvm", "--anchor", "AG", "--offset", "4", "g.fa")
	all := mustTool(t, "scan", "-q", "-m", "w.seqsvm", "--anchor", "none", "g.fa")
	if r.out != asked || strings.Count(all, "\n") != 2*491 || strings.Count(r.out, "\n") >= 200 {
		t.Errorf("%d lines by default, %d with the anchor, %d with none", strings.Count(r.out, "\n"),
			strings.Count(asked, "\n"), strings.Count(all, "\n"))
	}
	if r := tool(t, "", "scan", "-m", "f.seqsvm", "g.fa"); strings.Contains(r.err, "scoring windows") ||
		strings.Count(r.out, "\n") != 2*491 {
		t.Errorf("windows without an anchor: %q", r.err)
	}
	if out := mustTool(t, "model", "info", "w.seqsvm"); !strings.Contains(out, "anchor\tAG after 4 letters\n") {
		t.Errorf("info: %s", out)
	}
	mustTool(t, "scan", "-q", "-m", "w.seqsvm", "--anchor", "RG", "--offset", "4", "g.fa") // agrees
	for _, wider := range [][2]string{{"RG", "4"}, {"NG", "4"}, {"G", "5"}} {
		if out := mustTool(t, "scan", "-q", "-m", "w.seqsvm", "--anchor", wider[0], "--offset", wider[1], "g.fa"); out != asked {
			t.Errorf("--anchor %s --offset %s: windows that are not like those of the training data", wider[0], wider[1])
		}
	}
	for args, want := range map[string]string{
		"--anchor GT --offset 4": "--anchor GT --offset 4, but the model was trained on windows with AG after 4 letters",
		"--anchor AG --offset 7": "--anchor AG --offset 7, but the model was trained on windows with AG after 4 letters",
		"--window 8":             "--window 8, but the model was trained on windows of 10 letters with AG after 4",
	} {
		checkBad(t, badCase{args: "scan -m w.seqsvm " + args + " g.fa", code: cli.ExitUsage, want: []string{want}})
	}
}
