package seqsvm_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
)

// versions returns the modules and versions that a pattern finds in a file.
func versions(t *testing.T, file, pattern string) map[string]string {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	found := map[string]string{}
	for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(text, -1) {
		found[string(m[1])] = string(m[2])
	}
	return found
}

// The list of dependencies and their licences is that of go.mod.
func TestDependenciesAreListed(t *testing.T) {
	required := versions(t, "go.mod", `(?m)^\t(\S+) (v\S+)`)
	listed := versions(t, "docs/dependencies.md", `(?m)^\| (\S+\.\S+/\S+) \| (v\S+) \| \S`)
	if len(required) == 0 || !maps.Equal(required, listed) {
		t.Errorf("go.mod has %v, docs/dependencies.md lists %v", required, listed)
	}
}

// The notices that releases carry have a licence of each module in the tool.
func TestNotices(t *testing.T) {
	if !long.Tests {
		t.Skip("the licences of all modules are read with the tag long alone")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	file := filepath.Join(t.TempDir(), "notices")
	if out, err := exec.Command("packaging/notices", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program := versions(t, file, `(?m)^==== (\S+) (v\S+): LICENSE`)
	out := must.Get(exec.Command("go", "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "./cmd/seqsvm").Output())(t)
	modules := strings.Fields(string(out))
	for _, module := range modules {
		if program[module] == "" {
			t.Errorf("no licence of %s", module)
		}
	}
	if len(modules) == 0 {
		t.Error("the tool has no modules")
	}
}

// The HTML parser is free of CVE-2025-47911 and CVE-2025-58190, which v0.45.0 mended.
func TestParserOfHTML(t *testing.T) {
	version := versions(t, "go.mod", `(?m)^\t(golang\.org/x/net) v0\.(\d+)\.`)["golang.org/x/net"]
	if minor, err := strconv.Atoi(version); err != nil || minor < 45 {
		t.Errorf("golang.org/x/net v0.%s, want v0.45 or newer", version)
	}
}

// The tool starts fast because packages whose variables take long to set, or much memory, are not linked: Go sets those
// of every linked package before main. Pictures use the canvas and the fonts of gonum.org/v1/plot alone.
func TestNothingHeavyIsLinked(t *testing.T) {
	out := must.Get(exec.Command("go", "list", "-deps", "./cmd/seqsvm").Output())(t)
	for _, heavy := range []string{
		"gonum.org/v1/plot", "gonum.org/v1/plot/font/liberation", "codeberg.org/go-pdf/fpdf",
		"github.com/prometheus/client_golang/prometheus", "google.golang.org/protobuf/proto", "expvar",
		"database/sql/driver", "net/http/pprof",
	} {
		if slices.Contains(strings.Fields(string(out)), heavy) {
			t.Errorf("the tool imports %s", heavy)
		}
	}
}
