package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/must"
)

// zeros says of which numbers 0 is a value, or is refused once more is known.
var zeros = map[string]string{
	"threads": "all", "seed": "a seed", "bias": "no bias", "epsilon": "no error is free", "similarity": "no search",
	"min-score": "a score", "offset": "no letters before", "upstream": "no letters before", "tracks": "none",
	"downstream": "no letters after", "distance": "no distance", "gc-tolerance": "equal shares",
	"bootstrap": "none, in a report", "changes": "the record itself",
	"C": "refused", "tol": "refused", "ratio": "refused", "fdr": "refused",
	"lambda": "no decay, in learn", "suppress": "no window is dropped",
}

// A number whose 0 would mean that it is not given is refused if it is 0.
func TestZeroIsNotIgnored(t *testing.T) {
	t.Chdir(t.TempDir()) // --output=x is a file
	option := regexp.MustCompile(`(?m)^   --([\w-]+)(?:, -\w)? [A-Z]`)
	refused := map[string]bool{}
	for _, command := range newApp().Commands {
		if command.Name == "about bench" { // it needs no file, and measures for seconds
			continue
		}
		for _, match := range option.FindAllStringSubmatch(mustTool(t, command.Name, "--help"), -1) {
			name := match[1]
			if zeros[name] != "" {
				continue
			}
			words := tool(t, "", command.Name, "--"+name+"=x").err
			if !strings.Contains(words, "want a number") && !strings.Contains(words, "want a whole number") {
				continue // of a number, nothing but numbers are read
			}
			r := tool(t, "", command.Name, "--"+name+"=0")
			refused[name] = true
			if r.code != cli.ExitUsage || !strings.HasPrefix(r.err, "seqsvm: --"+name+" 0, want ") {
				t.Errorf("%s --%s=0: exit %d, %s", command.Name, name, r.code, r.err)
			}
		}
	}
	for _, name := range strings.Fields("nu prior mkl confidence window top digits") {
		if !refused[name] {
			t.Errorf("no command refuses --%s 0", name)
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

// The help of the tool has its version, and with that of its groups a line per command.
func TestHelpOfTool(t *testing.T) {
	help := mustTool(t, "--help")
	if !strings.Contains(help, "\nVERSION:\n   "+seqsvm.Version+"\n") {
		t.Errorf("no version in %s", help)
	}
	for _, command := range newApp().Commands {
		list, word := help, command.Name
		if group, name, in := strings.Cut(word, " "); in {
			list, word = mustTool(t, group), name
			if !regexp.MustCompile(`(?ms)^   ` + group + ` .*\b` + name + `\b`).MatchString(help) {
				t.Errorf("the line of %s does not name %s", group, name)
			}
		}
		usage := strings.ReplaceAll(regexp.QuoteMeta(command.Usage), " ", `\s+`)
		if !regexp.MustCompile(`(?m)^   ` + word + ` +` + usage + `$`).MatchString(list) {
			t.Errorf("no line of %s", command.Name)
		}
	}
}

// The help of a command says what it does, and describes each of its options in a section, in a short phrase: what it
// does or what its value is, with the choices and the default, but no sentence.
func TestHelp(t *testing.T) {
	t.Chdir(t.TempDir())
	_, general, _ := strings.Cut(mustTool(t, "--help"), " OPTIONS:\n")
	for _, command := range newApp().Commands {
		help := mustTool(t, command.Name, "--help")
		if !strings.Contains(strings.Join(strings.Fields(help), " "), command.Usage) {
			t.Errorf("help of %s does not say what it does", command.Name)
		}
		if strings.Contains(help, "--seed") != command.Random {
			t.Errorf("help of %s has --seed: %t, want %t", command.Name, !command.Random, command.Random)
		}
		checkDefaults(t, command.Name, help)
		checkSections(t, command.Name, help)
		_, options, _ := strings.Cut(help, " OPTIONS:\n")
		options += general
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
			if n := utf8.RuneCountInString(line); n > 101 { // with the line end
				t.Errorf("help of %s has a line of %d characters: %s", command.Name, n, line)
			}
		}
	}
}

// Every option that the documentation gives a command is one that the command has.
func TestDocumentedOptions(t *testing.T) {
	general := mustTool(t, "--help")
	for _, name := range []string{"README.md", "docs/scan.md", "docs/splice-sites.md", "docs/promoters.md",
		"docs/regression.md", "docs/novelty.md", "docs/ranking.md", "docs/logistic.md", "docs/serve.md", "docs/unlabelled.md"} {
		text := must.Get(os.ReadFile(filepath.Join("..", "..", name)))(t)
		command := regexp.MustCompile(`(?m)seqsvm ((?:genome |model |matrix |text |about )?\w+) ([^\n|>` + "`" + `]*)`)
		for _, m := range command.FindAllStringSubmatch(continued(text), -1) {
			help := tool(t, "", m[1], "--help")
			if help.code != cli.ExitOK {
				continue // a sentence about the tool
			}
			for _, option := range regexp.MustCompile(`(?:^| )(--?[A-Za-z][-a-zA-Z]*)`).FindAllStringSubmatch(m[2],
				-1) {
				if option[1] == "--C" {
					option[1] = "-C"
				}
				if !regexp.MustCompile(`(?m)^   (-\w|--[-\w]+, )?` + option[1] + `\b`).MatchString(help.out + general) {
					t.Errorf("%s: seqsvm %s has no option %s", name, m[1], option[1])
				}
			}
		}
	}
}

// checkDefaults checks that help shows no default value for an option without one.
func checkDefaults(t *testing.T, command, help string) {
	t.Helper()
	for _, found := range regexp.MustCompile(`\(default: ?(0|none|false|""|)\)`).FindAllString(help, -1) {
		if found != "(default: none)" || !strings.Contains(help, "none, or balanced") { // of --class-weight
			t.Errorf("help of %s has %s", command, found)
		}
	}
}

// checkSections checks the order of the groups of options: those of one command are between those of several.
func checkSections(t *testing.T, command, help string) {
	t.Helper()
	order := map[string]int{"INPUT": 1, "KERNEL": 2, "LEARNING": 3, "OUTPUT": 5, "GENERAL": 6}
	last := 0
	for _, section := range regexp.MustCompile(`(?m)^(\w*) OPTIONS:$`).FindAllStringSubmatch(help, -1) {
		rank, shared := order[section[1]]
		if !shared {
			rank = 4
		}
		if rank < last || shared && rank == last || section[1] == "" {
			t.Errorf("help of %s: options of %q come too late", command, section[1])
		}
		last = rank
	}
	if last != order["GENERAL"] {
		t.Errorf("help of %s does not end with general options", command)
	}
}

// The help of an option with a list of values has each of them: the message about another value lists them, too.
func TestHelpListsValues(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, command := range newApp().Commands {
		_, help, _ := strings.Cut(mustTool(t, command.Name, "--help"), " OPTIONS:\n")
		help = " " + strings.Join(strings.Fields(help), " ")
		for _, option := range regexp.MustCompile(` (--?[A-Za-z][-a-z]*) [A-Z]+ `).FindAllStringSubmatch(help, -1) {
			r := tool(t, "", command.Name, option[1], "no-such-value", "x")
			_, list, found := strings.Cut(strings.TrimSuffix(r.err, "\n"), "want one of: ")
			if !found || !strings.Contains(r.err, option[1]) {
				continue
			}
			_, entry, _ := strings.Cut(help, " "+option[1]+" ")
			entry, _, _ = strings.Cut(entry, " --")
			for value := range strings.SplitSeq(list, ", ") {
				if !strings.Contains(entry, value) {
					t.Errorf("help of %s %s does not list %s: %s", command.Name, option[1], value, entry)
				}
			}
		}
	}
}

// -h has at most forty lines of eighty columns, of options that there are.
func TestBriefHelp(t *testing.T) {
	for _, c := range newApp().Commands {
		brief, all := mustTool(t, c.Name, "-h"), mustTool(t, c.Name, "--help")
		if lines := strings.Count(brief, "\n"); lines > 40 {
			t.Errorf("%s -h has %d lines", c.Name, lines)
		}
		_, options, _ := strings.Cut(brief, "\nOPTIONS")
		for line := range strings.Lines(options) {
			if utf8.RuneCountInString(line) > 81 {
				t.Errorf("%s -h has the line %q", c.Name, line)
			}
		}
		all += mustTool(t, "--help")
		for _, name := range c.Common {
			if want := regexp.MustCompile(`(?m)^   --?` + name + `[ ,]`); !want.MatchString(all) {
				t.Errorf("%s has no option %s", c.Name, name)
			}
		}
	}
}
