package seqsvm_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// TestLinks: every file that README.md, ARCHITECTURE.md and the pages of docs and benchmarks link to exists, and every
// heading in it that a link names.
func TestLinks(t *testing.T) {
	pages := must.Get(filepath.Glob("docs/*.md"))(t)
	more := must.Get(filepath.Glob("docs/decisions/*.md"))(t)
	pages = append(append(pages, more...), "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "benchmarks/README.md")
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code := regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	for _, page := range pages {
		text := must.Get(os.ReadFile(page))(t)
		for _, match := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), "x"), -1) {
			target, heading, _ := strings.Cut(match[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			file := page
			if target != "" {
				file = filepath.Join(filepath.Dir(page), target)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s: %v", page, match[1], err)
			} else if heading != "" && !hasHeading(t, file, heading) {
				t.Errorf("%s links to %s, which has no such heading", page, match[1])
			}
		}
	}
}

// hasHeading reports whether a page has a heading with the name that GitHub gives it in links.
func hasHeading(t *testing.T, file, name string) bool {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	dropped := regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	for line := range strings.Lines(string(text)) {
		if title := strings.TrimLeft(line, "#"); title != line {
			title = dropped.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			if strings.ReplaceAll(title, " ", "-") == name {
				return true
			}
		}
	}
	return false
}
