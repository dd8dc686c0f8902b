package main_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seqsvm/seqsvm/internal/must"
)

// schemas reads the schemas of docs/json.schema.json by command.
var schemas = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.schema.json"))
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema", document); err != nil {
		return nil, err
	}
	compiled := map[string]*jsonschema.Schema{}
	for name := range document.(map[string]any)["$defs"].(map[string]any) {
		if compiled[name], err = c.Compile("schema#/$defs/" + name); err != nil {
			return nil, err
		}
	}
	return compiled, nil
})

// Every command has a schema but completion, which prints a script, links, which prints names, man and report, which
// write pages, and worker, which writes messages.
func TestSchemas(t *testing.T) {
	all := must.Get(schemas())(t)
	without := []string{"completion", "links", "man", "mcp", "report", "worker"}
	for _, command := range newApp().Commands {
		name := command.Name[strings.Index(command.Name, " ")+1:]
		if all[name] == nil && !slices.Contains(without, name) {
			t.Errorf("%s has no schema in docs/json.schema.json", command.Name)
		}
	}
	if err := all["kmers"].Validate(map[string]any{"kmer": "AC"}); err == nil {
		t.Error("an object without a required field is taken")
	}
}

// schema COMMAND FILE checks that a file is one object, or an object per line, of the command's schema.
func schemaCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: schema COMMAND FILE")
	}
	all, err := schemas()
	ts.Check(err)
	if all[args[0]] == nil {
		ts.Fatalf("docs/json.schema.json has no schema of %s", args[0])
	}
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(args[1])))
	d.UseNumber()
	n := 0
	for ; d.More(); n++ {
		var value any
		ts.Check(d.Decode(&value))
		ts.Check(all[args[0]].Validate(value))
	}
	if n == 0 {
		ts.Fatalf("%s is empty", args[1])
	}
}

// fields [-rows] TABLE FILE checks that every column of a table, or the first cell of each row, is a field of the
// objects in a file, at any depth: by its name or, of a list, the plural of that. Rows that begin with a number do not
// count.
func fieldsCommand(ts *testscript.TestScript, neg bool, args []string) {
	rows := len(args) == 3 && args[0] == "-rows"
	if rows {
		args = args[1:]
	}
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fields [-rows] TABLE FILE")
	}
	known := map[string]bool{}
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(args[1])))
	for d.More() {
		var value any
		ts.Check(d.Decode(&value))
		collectKeys(value, known)
	}
	header, _, _ := strings.Cut(ts.ReadFile(args[0]), "\n")
	columns := strings.Split(header, "\t")
	if rows {
		columns = nil
		for line := range strings.Lines(ts.ReadFile(args[0])) {
			if name, _, _ := strings.Cut(line, "\t"); strings.Trim(name, "0123456789") != "" {
				columns = append(columns, name)
			}
		}
	}
	for _, column := range columns {
		if name, _, _ := strings.Cut(column, ":"); !known[name] && !known[name+"s"] {
			ts.Fatalf("column %q of %s is not a field of %s", column, args[0], args[1])
		}
	}
}

func collectKeys(value any, keys map[string]bool) {
	switch v := value.(type) {
	case map[string]any:
		for key, member := range v {
			keys[key] = true
			collectKeys(member, keys)
		}
	case []any:
		for _, member := range v {
			collectKeys(member, keys)
		}
	}
}

// unpack FILE OUT decompresses a file by its name.
func unpackCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unpack FILE OUT")
	}
	file, err := os.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer file.Close()
	var in io.Reader
	if strings.HasSuffix(args[0], ".gz") {
		in, err = gzip.NewReader(file)
	} else {
		in, err = zstd.NewReader(file)
	}
	ts.Check(err)
	data, err := io.ReadAll(in)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o666))
}
