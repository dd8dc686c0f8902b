package cli

import (
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/internal/must"
)

// A message is one line that can be seen, of at most 500 characters.
func TestOneLine(t *testing.T) {
	if got, want := oneLine("a\x1b[31m\nb\tc\x7f\u009b\ufeff\u202e: é"),
		`a\x1b[31m; b\x09c\x7f\x9b\ufeff\u202e: é`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	whole := strings.Repeat("é", 500)
	if got := oneLine(whole); got != whole {
		t.Errorf("500 characters became %q", got)
	}
	got := oneLine("file:1: " + strings.Repeat("x", 1e6) + ", want letters")
	if n := utf8.RuneCountInString(got); n != 500 || !strings.HasPrefix(got, "file:1: x") ||
		!strings.Contains(got, "x…x") || !strings.HasSuffix(got, "x, want letters") {
		t.Errorf("a million characters became %d: %q", n, got)
	}
}

// TestWithoutPackages: an error names no package of the library, but files and kernels of the same name.
func TestWithoutPackages(t *testing.T) {
	for _, c := range [][3]string{
		{"train h.tsv", `h.tsv: classify: class "p" has 1 record`, `h.tsv: class "p" has 1 record`},
		{"train h.tsv", "classify: svm: C = 0", "C = 0"},
		{"scan -m model x.fa", "model: no such file or directory", "model: no such file or directory"},
		{"scan -m m x.fa", "scan: no window", "no window"},
		{"cv t.tsv", `t.tsv:3: label "classify: x": spectrum: k = 0`, `t.tsv:3: label "classify: x": spectrum: k = 0`},
	} {
		if got := withoutPackages(c[1], strings.Fields(c[0])); got != c[2] {
			t.Errorf("%s: %q, want %q", c[0], got, c[2])
		}
	}
	kernels := map[string]bool{}
	for _, entry := range catalog.Default() {
		kernels[entry.Name] = true
	}
	begins := regexp.MustCompile(`(?:Errorf|errors\.New|Sprintf)\("([a-z]+): `)
	root := filepath.Join("..", "..", "..", "..")
	for _, folder := range []string{"bow", "catalog", "classify", "internal", "model", "report", "scan", "seqio", "spectrum",
		"stringkernel", "suffix", "tagging", "treekernel", "unmask", "wdk"} {
		must.Succeed(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			for _, found := range begins.FindAllSubmatch(source, -1) {
				name := string(found[1])
				if name == filepath.Base(filepath.Dir(path)) && !kernels[name] && !slices.Contains(packages, name) {
					t.Errorf("%s: errors begin with %q, a package that packages does not have", path, name)
				}
			}
			return err
		}))
	}
}

// Names from data are listed in part if they are many or long.
func TestListNames(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"a", "b c"}, "a, b c"},
		{strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12 13 14"), "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, … (14 in all)"},
		{[]string{strings.Repeat("é", 100)}, strings.Repeat("é", 60)},
	} {
		if got := ListNames(c.names); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A table writes its header with the first row, lists as cells, and nothing after an error.
func TestTable(t *testing.T) {
	var b strings.Builder
	table := NewTable(&b)
	table.Header("id", Columns{Name: "x", Of: []string{"p", "q"}}, "n", "r", "c")
	table.Row("a\tb\n", []float64{0.1, 1e300}, 7, []any{true, "c"})
	table.Row("b", Metrics(0.25, math.NaN()), nil, 1.0/3)
	table.Err = io.ErrShortWrite
	table.Row("never")
	table.Object("never")
	if got, want := b.String(), "id\tx:p\tx:q\tn\tr\tc\na b \t0.1\t1e+300\t7\ttrue\tc\n"+
		"b\t0.2500\tNA\tNA\t0.333333333\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// parse has urfave/cli parse a command line, and returns the operands.
func parse(f *Flags, args []string) (operands []string, err error) {
	if args, err = f.optionsFirst(args); err != nil {
		return nil, err
	}
	app := &cli.App{
		Flags: f.parsed(), HideHelp: true, Writer: io.Discard,
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return err },
		Action:       func(x *cli.Context) error { operands = x.Args().Slice(); return nil },
	}
	return operands, app.Run(append([]string{"tool"}, args...))
}

// Options and operands may be in any order, values may follow = or be the next argument, and -- ends the options.
func TestParse(t *testing.T) {
	var f Flags
	var name string
	var n int
	var quiet bool
	var all []string
	f.String(&name, "name,n", "none", "")
	f.Int(&n, "count,c", 3, "")
	f.Bool(&quiet, "quiet", "")
	f.Strings(&all, "all", "")
	operands := must.Get(parse(&f, strings.Fields("x -n --count y --quiet - --c=-4 --count -4 --all a,b --all=c -- --quiet=false")))(t)
	if got := strings.Join(operands, " "); got != "x y - --quiet=false" {
		t.Errorf("operands %q", got)
	}
	if name != "--count" || n != -4 || !quiet || strings.Join(all, " ") != "a,b c" {
		t.Errorf("name %q, count %d, quiet %v, all %q", name, n, quiet, all)
	}
	if got := strings.Join(f.Text("all", "count", "name", "quiet", "other"),
		" "); got != "--all a,b --all c --count -4 --name --count --quiet" {
		t.Errorf("as text: %s", got)
	}
	for _, wrong := range []string{"--count", "--count x", "--count=", "--nmae x", "--quiet=perhaps", "--=x",
		"--name a -n b", "--quiet --quiet=false"} {
		if _, err := parse(&f, strings.Fields(wrong)); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}

// An option that takes a list has its values checked one by one.
func TestList(t *testing.T) {
	var f Flags
	var loss string
	f.Choice(&loss, "loss", "", "hinge", "squared")
	f.List("loss", "")
	if got := f.Values("loss"); len(got) != 1 || got[0] != "hinge" {
		t.Errorf("values %q without the option", got)
	}
	for _, wrong := range []string{"hinge,hinge", "hinge,"} {
		if _, err := parse(&f, []string{"--loss", wrong}); err == nil {
			t.Errorf("list %q is taken", wrong)
		}
	}
	must.Get(parse(&f, []string{"--loss", "squared,cubed"}))(t)
	values := f.Values("loss")
	if err := f.Assign("loss", values[0]); err != nil || loss != "squared" {
		t.Errorf("%q, %v", loss, err)
	}
	if err := f.Assign("loss", values[1]); err == nil {
		t.Errorf("%s is taken", values[1])
	}
}
