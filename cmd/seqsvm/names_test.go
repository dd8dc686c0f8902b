package main_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// nameRow is a row of the table in docs/names.md: an option, and the names in Go, TSV and JSON; "" if it has none.
type nameRow struct{ option, code, tsv, json string }

func readNames(t *testing.T) (rows []nameRow) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "names.md"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 7 || strings.HasPrefix(line, "| option") || strings.HasPrefix(line, "| ---") {
			continue
		}
		var names [4]string
		for i := range names {
			names[i] = strings.Trim(cells[i+1], " `")
		}
		rows = append(rows, nameRow{names[0], names[1], names[2], names[3]})
	}
	if len(rows) < 200 {
		t.Fatalf("docs/names.md has %d rows", len(rows))
	}
	return rows
}

// Every option of a command and every field of docs/json.md is in the table of names, once, and the table has no other.
func TestTableOfNames(t *testing.T) {
	options, fields := map[string]int{}, map[string]int{}
	for _, row := range readNames(t) {
		options[row.option]++
		fields[row.json]++
		if row.tsv != "" && row.json != "" && row.tsv != row.json && row.tsv+"s" != row.json {
			t.Errorf("%s in tables is %s in JSON", row.tsv, row.json)
		}
	}
	checkOnce(t, "option", options, slices.Collect(maps.Keys(helpOptions(t))))
	checkOnce(t, "field", fields, schemaFields(t))
}

func checkOnce(t *testing.T, kind string, listed map[string]int, names []string) {
	t.Helper()
	for _, name := range names {
		if n := listed[name]; n != 1 {
			t.Errorf("%s %s is %d times in docs/names.md, want once", kind, name, n)
		}
	}
	for name := range listed {
		if name != "" && !slices.Contains(names, name) {
			t.Errorf("docs/names.md has the unknown %s %s", kind, name)
		}
	}
}

// helpOptions lists the options in the help of all commands.
func helpOptions(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	for _, command := range newApp().Commands {
		_, options, _ := strings.Cut(mustTool(t, command.Name, "--help"), " OPTIONS:\n")
		for _, found := range regexp.MustCompile(`(?m)^   (--?[A-Za-z][-a-z]*)`).FindAllStringSubmatch(options, -1) {
			known[found[1]] = true
		}
	}
	return known
}

// schemaFields lists the properties of all schemas of docs/json.md.
func schemaFields(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]bool{}
	var collect func(value any)
	collect = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			if properties, ok := v["properties"].(map[string]any); ok {
				for name := range properties {
					fields[name] = true
				}
			}
			for _, member := range v {
				collect(member)
			}
		case []any:
			for _, member := range v {
				collect(member)
			}
		}
	}
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		var schema any
		if err := json.Unmarshal([]byte(block[1]), &schema); err != nil {
			t.Fatal(err)
		}
		collect(schema)
	}
	return slices.Collect(maps.Keys(fields))
}

// Every name of Go in the table is declared: PACKAGE.NAME, or PACKAGE.TYPE.NAME of a field or method.
func TestTableOfNamesInGo(t *testing.T) {
	folders := packageFolders(t)
	declared := map[string]bool{}
	read := map[string]bool{}
	for _, row := range readNames(t) {
		name, _, _ := strings.Cut(row.code, ".")
		if row.code == "" {
			continue
		}
		if !read[name] {
			read[name] = true
			declarations(t, name, folders[name], declared)
		}
		if !declared[row.code] {
			t.Errorf("docs/names.md: %s is not declared in %s", row.code, folders[name])
		}
	}
}

// packageFolders finds the folder of each package of the module by its name.
func packageFolders(t *testing.T) map[string]string {
	t.Helper()
	root := filepath.Join("..", "..")
	folders := map[string]string{"seqsvm": root}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() || path == root {
			return err
		}
		if name := entry.Name(); name == "cmd" || name == "testdata" || name[0] == '.' {
			return filepath.SkipDir
		} else if folders[name] == "" {
			folders[name] = path
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return folders
}

// declarations collects the exported names of a package.
func declarations(t *testing.T, name, folder string, into map[string]bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				into[name+"."+receiver(d)+d.Name.Name] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						into[name+"."+s.Name.Name] = true
						members(s, name+"."+s.Name.Name+".", into)
					}
				}
			}
		}
	}
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	kind := d.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	if generic, ok := kind.(*ast.IndexExpr); ok {
		kind = generic.X
	}
	return kind.(*ast.Ident).Name + "."
}

// members collects the fields of a struct.
func members(s *ast.TypeSpec, prefix string, into map[string]bool) {
	structure, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range structure.Fields.List {
		for _, name := range field.Names {
			into[prefix+name.Name] = true
		}
	}
}
