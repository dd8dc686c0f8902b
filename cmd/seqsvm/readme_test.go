package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
)

// TestPageCommands runs the commands of README.md and, with the tag long, of each page of docs, in order, in a folder
// with the shipped data. None warns in README.md, but of pictures of training data.
func TestPageCommands(t *testing.T) {
	pages := []string{"../../README.md"}
	if long.Tests {
		pages = append(pages, must.Get(filepath.Glob("../../docs/*.md"))(t)...)
	}
	shipped, here := must.Get(filepath.Abs("../../testdata"))(t), must.Get(os.Getwd())(t)
	for _, page := range pages {
		commands := commandsOf(must.Get(os.ReadFile(filepath.Join(here, page)))(t))
		if page == pages[0] && len(commands) < 20 {
			t.Fatalf("%d commands in README.md, want at least 20", len(commands))
		}
		dir := t.TempDir()
		must.Succeed(t, os.Symlink(shipped, filepath.Join(dir, "testdata")))
		t.Chdir(dir)
		ran := map[string]bool{}
		for _, command := range commands {
			if !ran[command] {
				runOfPage(t, page, command)
			}
			ran[command] = true
		}
	}
}

// runOfPage runs a command of a page: with the standard input that echo gives it, without what follows in a pipe.
func runOfPage(t *testing.T, page, command string) {
	if strings.HasPrefix(command, "awk ") {
		if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
			t.Errorf("%s: %s: %v, %s", filepath.Base(page), command, err, out)
		}
		return
	}
	stdin, words, _ := strings.Cut(command, "seqsvm ")
	stdin = strings.Trim(strings.TrimSuffix(strings.TrimPrefix(stdin, "echo "), " | "), `"`)
	words, _, _ = strings.Cut(words, " | ")
	words, _, _ = strings.Cut(words, "  #")
	if !long.Tests { // a report of ten folds with intervals takes a second, and so do all features of tokens
		words = strings.NewReplacer("report ", "report --folds 2 --bootstrap 0 --tracks 5 ", "--task tag ",
			"--task tag --features words:width=1,prefix=0,suffix=2,grams=0,pairs=0 ").Replace(words)
	}
	if strings.HasPrefix(words, "serve ") || // it runs until it is stopped: TestServedAsPredicted
		strings.HasPrefix(words, "tune ") && !strings.Contains(words, "--kernel ") && !long.Tests { // script tune_portfolio
		return
	}
	r := tool(t, stdin, shellWords(words)...)
	expected := regexp.MustCompile("warning: (320 of 320 records .* training data|the picture has the first)")
	unexpected := strings.Contains(expected.ReplaceAllString(r.err, ""), "warning")
	if r.code != cli.ExitOK || strings.Contains(page, "README") && unexpected {
		t.Errorf("%s: seqsvm %s: exit status %d\n%s", filepath.Base(page), words, r.code, r.err)
	}
}

// shellWords divides a command at spaces outside quotation marks, which it removes.
func shellWords(command string) (words []string) {
	for _, word := range regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^ '"]+)+`).FindAllString(command, -1) {
		words = append(words, strings.NewReplacer("'", "", `"`, "").Replace(word))
	}
	return words
}

// commandsOf lists the commands of a page: lines of four spaces, with those that a backslash continues, and cells of tables
// before one with a link.
func commandsOf(page []byte) (commands []string) {
	pattern := regexp.MustCompile("(?m)^    ((?:echo .* \\| |go run \\./cmd/)?seqsvm .*|awk .*)$|" +
		"^\\| [^|]+ \\| `(seqsvm [^`]*)` \\| \\[")
	for _, match := range pattern.FindAllStringSubmatch(continued(page), -1) {
		commands = append(commands, strings.TrimPrefix(match[1]+match[2], "go run ./cmd/"))
	}
	return commands
}

// continued is a page with each command on a line.
func continued(page []byte) string {
	return regexp.MustCompile(`\s*\\\n\s*`).ReplaceAllString(string(page), " ")
}
