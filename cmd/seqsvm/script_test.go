package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// scriptCommands are the commands scripts have besides those of testscript.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"addup":      addUpCommand,
	"cell":       cellCommand,
	"column":     columnCommand,
	"cut1":       cut1Command,
	"fields":     fieldsCommand,
	"haplotypes": haplotypesCommand,
	"jsonkeys":   jsonKeysCommand,
	"lines":      linesCommand,
	"pack":       packCommand,
	"schema":     schemaCommand,
	"seqsvm":     seqsvmCommand,
	"unpack":     unpackCommand,
	"shorten":    shortenCommand,
	"together":   togetherCommand,
}

// seqsvm ARGUMENTS… [<FILE] runs the tool in this process, which takes a third of the time of another one.
func seqsvmCommand(ts *testscript.TestScript, neg bool, args []string) {
	stdin := ""
	if last := len(args) - 1; last >= 0 && strings.HasPrefix(args[last], "<") {
		stdin, args = ts.ReadFile(args[last][1:]), args[:last]
	}
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(before)
	streams := cli.Streams{In: strings.NewReader(stdin), Out: ts.Stdout(), Err: ts.Stderr()}
	if code := run(context.Background(), streams, args...); neg == (code == cli.ExitOK) {
		ts.Fatalf("exit code %d", code)
	}
}

// cell FILE ROW COLUMN OP VALUE compares a cell of a tab-separated table with a header line. ROW is the first cell of
// the row. OP is == for text or near, >=, <= for numbers; near is within 1e-12.
func cellCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 5 {
		ts.Fatalf("usage: cell FILE ROW COLUMN OP VALUE")
	}
	table := readTable(ts, args[0])
	column := slices.Index(table[0], args[2])
	row := slices.IndexFunc(table, func(cells []string) bool { return cells[0] == args[1] })
	if column < 0 || row < 1 || column >= len(table[row]) {
		ts.Fatalf("%s has no cell in row %s, column %s", args[0], args[1], args[2])
	}
	if got := table[row][column]; !compare(ts, got, args[3], args[4]) {
		ts.Fatalf("%s, row %s, column %s: %s, want %s %s", args[0], args[1], args[2], got, args[3], args[4])
	}
}

func compare(ts *testscript.TestScript, got, op, want string) bool {
	if op == "==" {
		return got == want
	}
	x, err := strconv.ParseFloat(got, 64)
	ts.Check(err)
	y, err := strconv.ParseFloat(want, 64)
	ts.Check(err)
	switch op {
	case "near":
		return math.Abs(x-y) <= 1e-12
	case ">=":
		return x >= y
	case "<=":
		return x <= y
	}
	ts.Fatalf("unknown comparison %q", op)
	return false
}

// column FILE NAME… > OUT writes columns of a table with a header line, without that line, to a new file.
func columnCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 || args[len(args)-2] != ">" {
		ts.Fatalf("usage: column FILE NAME… > OUT")
	}
	names, out := args[1:len(args)-2], args[len(args)-1]
	table := readTable(ts, args[0])
	var text strings.Builder
	for _, cells := range table[1:] {
		for _, name := range names {
			at := slices.Index(table[0], name)
			if at < 0 || at >= len(cells) {
				ts.Fatalf("%s has no column %s in row %s", args[0], name, cells[0])
			}
			text.WriteString(cells[at] + "\n")
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(out), []byte(text.String()), 0o666))
}

// readTable splits a file at line ends and tabs; every row must be as wide as the header.
func readTable(ts *testscript.TestScript, file string) [][]string {
	var table [][]string
	for line := range strings.Lines(ts.ReadFile(file)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(table) > 0 && len(cells) != len(table[0]) {
			ts.Fatalf("%s: row %s has %d cells, the header %d", file, cells[0], len(cells), len(table[0]))
		}
		table = append(table, cells)
	}
	if len(table) == 0 {
		ts.Fatalf("%s is empty", file)
	}
	return table
}

// lines FILE N checks the number of lines, the last one ended.
func linesCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines FILE N")
	}
	text := ts.ReadFile(args[0])
	if n := strings.Count(text, "\n"); strconv.Itoa(n) != args[1] || !strings.HasSuffix(text, "\n") {
		ts.Fatalf("%s has %d lines, want %s", args[0], n, args[1])
	}
}

// together FILE COLUMN GROUPS checks that records of one group, lines id<TAB>group in GROUPS, agree in a column of a
// table, and that the groups do not all have the same value there.
func togetherCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: together FILE COLUMN GROUPS")
	}
	table := readTable(ts, args[0])
	column := slices.Index(table[0], args[1])
	if column < 0 {
		ts.Fatalf("%s has no column %s", args[0], args[1])
	}
	group := map[string]string{}
	for line := range strings.Lines(ts.ReadFile(args[2])) {
		id, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		group[id] = name
	}
	values, distinct := map[string]string{}, map[string]bool{}
	for _, cells := range table[1:] {
		name, value := group[cells[0]], cells[column]
		if old, seen := values[name]; seen && old != value {
			ts.Fatalf("group %s has %s %s and %s", name, args[1], old, value)
		}
		values[name], distinct[value] = value, true
	}
	if len(distinct) < 2 {
		ts.Fatalf("column %s of %s has %d values, want several", args[1], args[0], len(distinct))
	}
}

// jsonkeys FILE PATH KEY… checks that the object at PATH (names and list indices with dots between; . is the whole)
// has exactly the keys, in that order. Each line of a file of several objects has to.
func jsonKeysCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: jsonkeys FILE PATH KEY…")
	}
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	for n := 0; n == 0 || d.More(); n++ {
		var value json.RawMessage
		ts.Check(d.Decode(&value))
		for step := range strings.SplitSeq(args[1], ".") {
			if step != "" {
				value = child(ts, value, step)
			}
		}
		if keys := objectKeys(ts, value); !slices.Equal(keys, args[2:]) {
			ts.Fatalf("%s: keys at %s are %q, want %q", args[0], args[1], keys, args[2:])
		}
	}
}

// child is a member of an object or an entry of a list.
func child(ts *testscript.TestScript, value json.RawMessage, step string) json.RawMessage {
	if at, err := strconv.Atoi(step); err == nil {
		var list []json.RawMessage
		ts.Check(json.Unmarshal(value, &list))
		if at >= len(list) {
			ts.Fatalf("list of %d has no entry %d", len(list), at)
		}
		return list[at]
	}
	var object map[string]json.RawMessage
	ts.Check(json.Unmarshal(value, &object))
	member, ok := object[step]
	if !ok {
		ts.Fatalf("no key %q in %s", step, value)
	}
	return member
}

// objectKeys returns the keys of an object in the order of the text.
func objectKeys(ts *testscript.TestScript, value json.RawMessage) []string {
	d := json.NewDecoder(bytes.NewReader(value))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		ts.Fatalf("not an object: %s", value)
	}
	var keys []string
	for d.More() {
		key, err := d.Token()
		ts.Check(err)
		var skipped json.RawMessage
		ts.Check(d.Decode(&skipped))
		keys = append(keys, key.(string))
	}
	return keys
}
