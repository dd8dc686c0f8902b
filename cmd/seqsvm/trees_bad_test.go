package main_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/model"
)

// treeUsageCases are wrong options for trees.
var treeUsageCases = []badCase{
	{name: "unknown syntax", args: "cv -k spectrum --tree lisp two.fa",
		want: []string{`--tree lisp: syntax "lisp" is unknown, want penn, newick`}},
	{name: "empty syntax", args: "cv -k spectrum --tree= two.fa", want: []string{"--tree is given without a value"}},
	{name: "labels of another syntax", args: "cv -k spectrum --tree penn --tree-labels names,attributes two.fa",
		want: []string{`--tree penn: labels = "names,attributes", want none, or some of names, text`}},
	{name: "text and words", args: "cv -k spectrum --tree xml --tree-labels text,words two.fa",
		want: []string{"want text or words, not both"}},
	{name: "labels without a syntax", args: "cv -k spectrum --tree-labels names two.fa",
		want: []string{"--tree-labels without --tree"}},
	{name: "depth without a syntax", args: "predict -m m.seqsvm --tree-depth 3 two.fa",
		want: []string{"--tree-depth without --tree"}},
	{name: "nodes of none", args: "cv -k spectrum --tree none --tree-nodes 3 two.fa",
		want: []string{"--tree-nodes without --tree"}},
	{name: "negative depth", args: "cv -k spectrum --tree xml --tree-depth -1 two.fa",
		want: []string{"--tree-depth -1, want 1 or more"}},
	{name: "negative nodes", args: "cv -k spectrum --tree xml --tree-nodes -1 two.fa",
		want: []string{"--tree-nodes -1, want 1 or more"}},
	{name: "cut without a limit", args: "cv -k spectrum --tree xml --tree-cut two.fa",
		want: []string{"--tree-cut needs --tree-depth or --tree-nodes"}},
	{name: "stripped trees", args: "cv -k spectrum --tree html --html two.fa",
		want: []string{"--html cannot be used with --tree html"}},
	{name: "trees with line ends", args: "cv -k spectrum --input text --tree penn --keep-newline two.fa",
		want: []string{"--keep-newline cannot be used with --tree penn"}},
	{name: "trees of FASTA", args: "cv -k spectrum --input fasta --tree penn two.fa",
		want: []string{"--tree cannot be used with --input fasta"}},
	{name: "another syntax in dot-bracket", args: "cv -k spectrum --input dot-bracket --tree penn two.fa",
		want: []string{"--tree penn cannot be used with --input dot-bracket"}},
	{name: "column of dot-bracket", args: "cv -k spectrum --input dot-bracket --text 2 two.fa",
		want: []string{"--text cannot be used with --input dot-bracket"}},
	{name: "id of KeLP", args: "cv -k spectrum --input kelp --id 2 two.fa",
		want: []string{"--id cannot be used with --input kelp"}},
}

func TestTreeUsageErrors(t *testing.T) { checkBadCases(t, treeUsageCases, cli.ExitUsage) }

// one is a single file.
func one(name, text string) map[string]string { return map[string]string{name: text} }

// treeDataCases are inputs without valid trees.
var treeDataCases = []badCase{
	{name: "trees in FASTA", args: "cv -k spectrum --tree penn two.fa",
		want: []string{"two.fa:1: fasta holds sequences, want trees; choose text"}},
	{name: "unclosed bracket", files: one("t.tsv", "X\t(a)\nY\t(a (b)\n"), args: "cv -k spectrum --tree penn t.tsv",
		want: []string{`t.tsv:2: byte 7 of the tree: unexpected end inside the node "a", want )`}},
	{name: "bracket too many", files: one("t.tsv", "X\t(a))\n"), args: "cv -k spectrum --tree penn t.tsv",
		want: []string{"t.tsv:1: byte 4 of the tree: ) without its ("}},
	{name: "text for trees", files: one("t.tsv", "X\tplain\n"), args: "cv -k spectrum --tree penn t.tsv",
		want: []string{`t.tsv:1: byte 1 of the tree: "plain" outside brackets`}},
	{name: "Newick without semicolon", files: one("t.tsv", "X\t(a,b)\n"), args: "cv -k spectrum --tree newick t.tsv",
		want: []string{"t.tsv:1: byte 6 of the tree: unexpected end inside a tree, want ;"}},
	{name: "Newick with a wrong length", files: one("t.nwk", "(a:x);\n"), args: "cv -k spectrum --tree newick t.nwk",
		want: []string{`t.nwk:1: byte 4 of the tree: branch length "x", want a number`}},
	{name: "unclosed tag", files: one("d/x/a.xml", "<a>\n<b>\n"), args: "cv -k spectrum --tree xml d",
		want: []string{"d/x/a.xml:2: column 1: <b> is not closed, want </b>"}},
	{name: "crossing tags", files: one("d/x/a.xml", "<a>\n <b></a>\n"), args: "cv -k spectrum --tree xml d",
		want: []string{"d/x/a.xml:2: column 5: </a>, want </b>"}},
	{name: "entity bomb", files: one("d/x/a.xml", "<!DOCTYPE a [<!ENTITY b 'c'><!ENTITY d '&b;&b;'>]>\n<a>&d;</a>\n"),
		args: "cv -k spectrum --tree xml d", want: []string{"d/x/a.xml:2: column 7: invalid character entity &d;"}},
	{name: "wrong JSON", files: one("t.jsonl", `{"label":"x","text":"[1,]"}`),
		args: "cv -k spectrum --tree json t.jsonl", want: []string{`t.jsonl:1: byte 4 of the tree: "]", want a value`}},
	{name: "number for a tree", files: one("t.jsonl", `{"label":"x","text":1}`),
		args: "cv -k spectrum --tree json t.jsonl",
		want: []string{`t.jsonl:1: field "text" is a number, want a string`}},
	{name: "object for a text", files: one("t.jsonl", `{"label":"x","text":{}}`),
		args: "cv -k spectrum --tree xml t.jsonl",
		want: []string{`t.jsonl:1: field "text" is an object, want a string`}},
	{name: "pseudoknot", files: one("t.dbn", ">r X\nACGU\n([)]\n"), args: "cv -k spectrum t.dbn",
		want: []string{`t.dbn:3: record "r": column 3: ) crosses the pair that [ opens`}},
	{name: "structure too short", files: one("t.dbn", ">r X\nACGU\n(.)\n"), args: "cv -k spectrum t.dbn",
		want: []string{`t.dbn:3: record "r": column 1: a structure of 3 positions for a sequence of 4 letters`}},
	{name: "unknown representation", files: one("t.klp", "X |BT:a| (b) |ET|\n"),
		args: "cv -k spectrum --text c t.klp", want: []string{`t.klp:1: no representation "c" among "a"`}},
	{name: "unclosed representation", files: one("t.klp", "X |BT:a| (b)\n"), args: "cv -k spectrum t.klp",
		want: []string{`t.klp:1: the representation "T:a" is not closed`}},
	{name: "KeLP without label", files: one("t.klp", "|BT:a| (b) |ET|\n"), args: "cv -k spectrum t.klp",
		want: []string{"t.klp:1: no label: want one before the first representation"}},
	{name: "too deep", files: one("t.tsv", "X\t(a)\nY\t(a (b (c)))\n"),
		args: "cv -k spectrum --tree penn --tree-depth 2 t.tsv",
		want: []string{"t.tsv:2: byte 8 of the tree: a tree of more than 2 levels"}},
	{name: "too many nodes", files: one("t.tsv", "X\t"+strings.Repeat("(a)", 9)+"\n"),
		args: "cv -k spectrum --tree penn --tree-nodes 8 t.tsv",
		want: []string{"t.tsv:1: byte 26 of the tree: more than 8 nodes"}},
}

func TestTreeDataErrors(t *testing.T) { checkBadCases(t, treeDataCases, cli.ExitFailed) }

// TestUnknownTreesInModel: a model that was made by hand or by a later version names a syntax that is not known here.
func TestUnknownTreesInModel(t *testing.T) {
	inGoodFolder(t)
	m, err := model.ReadFile("m.seqsvm")
	if err != nil {
		t.Fatal(err)
	}
	m.Input.Tree.Syntax = "lisp"
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("lisp.seqsvm", file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	checkBad(t, badCase{args: "predict -m lisp.seqsvm two.fa", code: cli.ExitFailed,
		want: []string{`lisp.seqsvm: syntax "lisp" is unknown`}})
}
