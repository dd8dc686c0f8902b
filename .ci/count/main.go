// Command count measures the weight of the repository and compares it with the limits of .ci/budget: lines "name
// limit", one for each measure of the table below. It prints every measure with its limit, and fails if one is over its
// limit or has none.
//
//	go run ./.ci/count [-write]        in the root of the repository; -write makes what is reached the limit
package main

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const budget = ".ci/budget"

// measures are what is counted, in the order of the file.
var measures = []struct {
	name, unit string
	count      func(r *repository) int
}{
	{"code", "lines of Go outside tests, without comments and blank lines", (*repository).codeLines},
	{"tests", "lines of tests", (*repository).testLines},
	{"files", "files of the fullest package, without tests", (*repository).fullestPackage},
	{"circle", "files of a package that use each other in a circle", (*repository).largestCircle},
	{"exported", "exported names of packages, and exported methods", (*repository).exportedNames},
	{"contract", "exported interfaces of stringkernel and stringkernel/compose", (*repository).contract},
	{"options", "options of all commands, each counted in every command", (*repository).options},
	{"words", "words of Markdown", (*repository).words},
}

func main() {
	write := flag.Bool("write", false, "make what is reached the limit")
	flag.Parse()
	if err := run(*write); err != nil {
		fmt.Fprintln(os.Stderr, "count:", err)
		os.Exit(1)
	}
}

func run(write bool) error {
	r, err := open()
	if err != nil {
		return err
	}
	limits, err := readLimits()
	if err != nil && !write {
		return err
	}
	var over, text []string
	for _, m := range measures {
		got := m.count(r)
		limit, known := limits[m.name]
		fmt.Printf("%-9s %7d of %7d  %s\n", m.name, got, limit, m.unit)
		if !known || got > limit {
			over = append(over, m.name)
		}
		text = append(text, fmt.Sprintf("%s %d", m.name, got))
	}
	if r.err != nil {
		return r.err
	}
	if write {
		return os.WriteFile(budget, []byte(strings.Join(text, "\n")+"\n"), 0o666)
	}
	if over != nil {
		return fmt.Errorf("over the limit of %s: %s; take something out, or raise the limit and say why in the commit",
			budget, strings.Join(over, ", "))
	}
	return nil
}

func readLimits() (map[string]int, error) {
	text, err := os.ReadFile(budget)
	limits := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var name string
		var limit int
		if _, err := fmt.Sscan(line, &name, &limit); err != nil {
			return nil, fmt.Errorf("%s: %q, want a name and a number", budget, strings.TrimSpace(line))
		}
		limits[name] = limit
	}
	return limits, err
}

// repository is the Go and Markdown files, but for what builds leave behind.
type repository struct {
	set      *token.FileSet
	text     map[string][]byte
	packages map[string][]*ast.File // outside tests, by folder
	err      error                  // of the last count that could not be made
}

func open() (*repository, error) {
	r := &repository{set: token.NewFileSet(), text: map[string][]byte{}, packages: map[string][]*ast.File{}}
	return r, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", "bin", "dist", "dist-files"}, path):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".go" && filepath.Ext(path) != ".md":
			return nil
		}
		return r.add(path)
	})
}

func (r *repository) add(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	r.text[path] = text
	if filepath.Ext(path) != ".go" || isTest(path) {
		return nil
	}
	file, err := parser.ParseFile(r.set, path, text, 0)
	folder := filepath.Dir(path)
	r.packages[folder] = append(r.packages[folder], file)
	return err
}

func isTest(path string) bool { return strings.HasSuffix(path, "_test.go") }

func (r *repository) codeLines() (lines int) {
	for path, text := range r.text {
		if !strings.HasSuffix(path, ".go") || isTest(path) {
			continue
		}
		var s scanner.Scanner
		file := token.NewFileSet().AddFile(path, -1, len(text))
		s.Init(file, text, nil, 0)
		last := 0 // the last line that counts
		for pos, tok, literal := s.Scan(); tok != token.EOF; pos, tok, literal = s.Scan() {
			if tok == token.SEMICOLON && literal == "\n" {
				continue
			}
			first := file.Line(pos)
			end := first + strings.Count(literal, "\n") // of a raw string
			lines += end - max(first-1, last)
			last = end
		}
	}
	return lines
}

func (r *repository) testLines() (lines int) {
	for path, text := range r.text {
		if isTest(path) {
			lines += strings.Count(string(text), "\n")
		}
	}
	return lines
}

func (r *repository) fullestPackage() (most int) {
	for _, files := range r.packages {
		most = max(most, len(files))
	}
	return most
}

// largestCircle is the size of the largest strongly connected component of the files of a package, of which one uses
// another if it has a name that the other declares.
func (r *repository) largestCircle() (most int) {
	for _, files := range r.packages {
		declared := map[string]int{}
		for i, f := range files {
			for name := range f.Scope.Objects {
				declared[name] = i
			}
		}
		uses := make([][]bool, len(files))
		for i, f := range files {
			uses[i] = make([]bool, len(files))
			uses[i][i] = true
			for _, name := range f.Unresolved {
				if j, known := declared[name.Name]; known {
					uses[i][j] = true
				}
			}
		}
		for k := range uses { // the transitive closure
			for i := range uses {
				for j := range uses {
					uses[i][j] = uses[i][j] || uses[i][k] && uses[k][j]
				}
			}
		}
		for i := range uses {
			circle := 0
			for j := range uses {
				if uses[i][j] && uses[j][i] {
					circle++
				}
			}
			most = max(most, circle)
		}
	}
	return most
}

// exportedNames counts those that a program may import.
func (r *repository) exportedNames() (names int) {
	for folder, files := range r.packages {
		if strings.Contains(folder+"/", "internal/") || strings.HasPrefix(folder, ".") && folder != "." {
			continue
		}
		for _, f := range files {
			if f.Name.Name == "main" {
				continue
			}
			for name := range f.Scope.Objects {
				if ast.IsExported(name) {
					names++
				}
			}
			for _, d := range f.Decls {
				if fun, is := d.(*ast.FuncDecl); is && fun.Recv != nil && fun.Name.IsExported() {
					names++
				}
			}
		}
	}
	return names
}

func (r *repository) contract() (interfaces int) {
	for _, folder := range []string{"stringkernel", "stringkernel/compose"} {
		for _, f := range r.packages[folder] {
			for name, object := range f.Scope.Objects {
				spec, is := object.Decl.(*ast.TypeSpec)
				if !is || !ast.IsExported(name) {
					continue
				}
				if _, is := spec.Type.(*ast.InterfaceType); is {
					interfaces++
				}
			}
		}
	}
	return interfaces
}

// options counts those in the help of all commands.
func (r *repository) options() (places int) {
	folder, err := os.MkdirTemp("", "count-")
	if err != nil {
		r.err = err
		return 0
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "seqsvm")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/seqsvm").CombinedOutput(); err != nil {
		r.err = fmt.Errorf("go build ./cmd/seqsvm: %w\n%s", err, out)
		return 0
	}
	option, entry := regexp.MustCompile(`(?m)^   --\w`), regexp.MustCompile(`(?m)^   +(\w+)  `)
	var count func(command ...string)
	count = func(command ...string) {
		help, err := exec.Command(program, append(command, "--help")...).Output()
		r.err = cmp.Or(r.err, err)
		_, options, _ := strings.Cut(string(help), " OPTIONS:\n")
		places += len(option.FindAllString(options, -1))
		_, list, _ := strings.Cut(string(help), "\nCOMMANDS:\n") // of the tool or a group
		for _, match := range entry.FindAllStringSubmatch(list, -1) {
			count(append(command, match[1])...)
		}
	}
	count()
	return places
}

func (r *repository) words() (words int) {
	for path, text := range r.text {
		if strings.HasSuffix(path, ".md") {
			words += len(strings.Fields(string(text)))
		}
	}
	return words
}
