package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// “help COMMAND” is “COMMAND --help”, with and without a command.
func TestHelpCommand(t *testing.T) {
	for _, command := range []string{"", "train", "info"} {
		if got, want := mustTool(t, strings.Fields("help "+command)...),
			mustTool(t, strings.Fields(command+" --help")...); got != want {
			t.Errorf("help %s differs from %s --help", command, command)
		}
	}
}

// A warning is one line without control characters, whatever a file is called.
func TestOneLine(t *testing.T) {
	t.Chdir(t.TempDir())
	const name = "a\x1b[31m\n.fa"
	writeFiles(t, map[string]string{name: ">a label=A\nACGEACGEEE\n>b label=B\nEEEEEEEEEE\n"})
	r := tool(t, "", "train", "-k", "spectrum:k=2,alphabet=dna", "-o", "m", name)
	if r.code != cli.ExitOK || !strings.Contains(r.err, `of a\x1b[31m; .fa are outside`) {
		t.Errorf("a warning of %q: %q", name, r.err)
	}
}

// More threads than processors are possible.
func TestManyThreads(t *testing.T) {
	inGoodFolder(t)
	want := mustTool(t, "predict", "--threads", "1", "-m", "m.seqsvm", "two.fa")
	if got := mustTool(t, "predict", "--threads", "1000000000", "-m", "m.seqsvm", "two.fa"); got != want {
		t.Error("other predictions")
	}
}

// The help of a command says what it does, and describes each of its options in a section, in a short phrase: what it
// does or what its value is, with the choices and the default, but no sentence.
func TestHelp(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, command := range newApp().Commands {
		help := mustTool(t, command.Name, "--help")
		if short := mustTool(t, command.Name, "-h"); short != help {
			t.Errorf("%s -h and --help differ", command.Name)
		}
		if !strings.Contains(help, command.Usage) {
			t.Errorf("help of %s does not say what it does", command.Name)
		}
		if strings.Contains(help, "--seed") != command.Random {
			t.Errorf("help of %s has --seed: %t, want %t", command.Name, !command.Random, command.Random)
		}
		_, options, _ := strings.Cut(help, " OPTIONS:\n")
		if strings.Contains(options, "\n OPTIONS:") {
			t.Errorf("help of %s has options without a section", command.Name)
		}
		entries := regexp.MustCompile(`(?m)^   (-.*)\n((?: {20}.*\n)*)`).FindAllStringSubmatch(options, -1)
		if len(entries) < 4 {
			t.Errorf("help of %s has %d options", command.Name, len(entries))
		}
		for _, entry := range entries {
			usage := strings.Join(strings.Fields(entry[1]+" "+entry[2]), " ")
			usage = regexp.MustCompile(`^(-\S+,? )+([A-Z]+ )?`).ReplaceAllString(usage+" ", "")
			if len(usage) < 8 || strings.HasSuffix(usage, ". ") {
				t.Errorf("help of %s: %s: %q, want a phrase", command.Name, entry[1], usage)
			}
		}
		for line := range strings.Lines(help) {
			if n := utf8.RuneCountInString(line); n > 120 {
				t.Errorf("help of %s has a line of %d characters: %s", command.Name, n, line)
			}
		}
	}
}

// Every option that the documentation gives a command is one that the command has.
func TestDocumentedOptions(t *testing.T) {
	for _, name := range []string{"README.md", "docs/scan.md", "docs/splice-sites.md", "docs/promoters.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		commands := strings.ReplaceAll(string(text), "\\\n", " ")
		for _, m := range regexp.MustCompile(`(?m)seqsvm (\w+) ([^\n|>`+"`"+`]*)`).FindAllStringSubmatch(commands, -1) {
			help := tool(t, "", m[1], "--help")
			if help.code != cli.ExitOK {
				continue // a sentence about the tool
			}
			for _, option := range regexp.MustCompile(`(?:^| )(--?[A-Za-z][-a-zA-Z]*)`).FindAllStringSubmatch(m[2],
				-1) {
				if option[1] == "--C" {
					option[1] = "-C"
				}
				if !regexp.MustCompile(`(?m)^   (-\w|--[-\w]+, )?` + option[1] + `\b`).MatchString(help.out) {
					t.Errorf("%s: seqsvm %s has no option %s", name, m[1], option[1])
				}
			}
		}
	}
}
