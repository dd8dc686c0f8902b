// Package assistant lets assistants use commands of the tool, as tools of the Model Context Protocol over two streams
// (https://modelcontextprotocol.io). It knows no command but the names below: what a tool takes is what the options of
// its command say, and what it answers is what the command prints as JSON.
package assistant

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// tool is a command as a tool.
type tool struct {
	name, command string
	summary       bool // --format is that of a summary, whatever --output holds
}

var tools = []tool{
	{"train", "train", true}, {"tune", "tune", true}, {"cv", "cv", false}, {"evaluate", "evaluate", false},
	{"predict", "predict", false}, {"explain", "explain", false}, {"variants", "variants", false},
	{"scan", "scan", false}, {"motifs", "model motifs", false}, {"report", "report", false}, {"info", "model info", false},
	{"kernels", "about kernels", false},
}

// mostShown bounds the bytes of an answer: more are left out, and said to be.
const mostShown = 100_000

// Options are those of the command mcp.
type Options struct {
	App   func() *cli.App
	Alone func(ctx context.Context, args []string, std cli.Streams) int // runs a command line
}

// Flags binds no options.
func (*Options) Flags(*cli.Flags) {}

// Run answers calls on standard input until it ends. The operands are the folders whose files tools may read and write.
func (o *Options) Run(c *cli.Call) error {
	folders := c.Args
	if len(folders) == 0 {
		folders = []string{"."}
	}
	s := &server{options: o, app: o.App()}
	for _, folder := range folders {
		real, err := filepath.EvalSymlinks(folder)
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err != nil {
			return err
		}
		s.folders = append(s.folders, real)
	}
	in, stop := c.StandardInput()
	defer stop()
	c.Stage("waiting for calls")
	return s.serve(c.Context, answered{&mcp.IOTransport{Reader: io.NopCloser(in), Writer: nopCloser{c.Out}}})
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// server answers the calls of one assistant.
type server struct {
	options *Options
	app     *cli.App
	folders []string   // with no links in their paths
	alone   sync.Mutex // a command has the processors and the memory of this process
}

// instructions is what an assistant is told first.
const instructions = "Support vector machines on DNA, RNA, proteins, texts and trees. Without a kernel, train and cv take " +
	"the usual one for the records and say which; tune compares several. Give training data as files (labels in FASTA " +
	"headers, or a column), or as pos and neg. Measure with cv or on held-out files, never on training data. Further " +
	"options of a tool: tool help."

func (s *server) serve(ctx context.Context, over mcp.Transport) error {
	m := mcp.NewServer(&mcp.Implementation{Name: s.app.Name, Version: s.app.Version},
		&mcp.ServerOptions{Instructions: instructions})
	for _, t := range tools {
		m.AddTool(&mcp.Tool{Name: t.name, Description: s.description(t), InputSchema: s.schema(t)},
			func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return s.call(ctx, t, r)
			})
	}
	type command struct {
		Tool string `json:"tool" jsonschema:"name of a tool"`
	}
	mcp.AddTool(m, &mcp.Tool{Name: "help", Description: "All options of a tool, with examples."},
		func(ctx context.Context, _ *mcp.CallToolRequest, in command) (*mcp.CallToolResult, any, error) {
			i := slices.IndexFunc(tools, func(t tool) bool { return t.name == in.Tool })
			if i < 0 {
				return nil, nil, fmt.Errorf("no tool %.80q", in.Tool)
			}
			var text bytes.Buffer
			s.options.Alone(ctx, append(strings.Fields(tools[i].command), "--help"), cli.Streams{Out: &text, Err: &text})
			return &mcp.CallToolResult{Content: texts(text.String())}, nil, nil
		})
	return m.Run(ctx, over)
}

// description is the usage of a command, what its operands are, and the first paragraph on it.
func (s *server) description(t tool) string {
	c := s.app.Command(t.command)
	first, _, _ := strings.Cut(c.Description, "\n\n")
	return fmt.Sprintf("%s. Operands (files): %s. %s", c.Usage, c.Operands, first)
}

// schema is the JSON schema of the arguments of a tool: its operands, its common options, and all others by name.
func (s *server) schema(t tool) map[string]any {
	properties := map[string]any{
		"files": map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "description": "operands: " +
			s.app.Command(t.command).Operands},
		"more": map[string]any{"type": "object", "description": "further options by name, as tool help lists them, " +
			`such as {"bootstrap": 1000}`},
	}
	list, _ := s.app.Parameters(t.command)
	for _, p := range list {
		if !p.Common {
			continue
		}
		of := map[string]any{"description": p.Usage, "type": []string{"string", "number"}}
		switch {
		case p.Value == "":
			of["type"] = "boolean"
		case p.Repeats:
			of["type"], of["items"] = []string{"array", "string", "number"}, map[string]any{"type": []string{"string", "number"}}
		case p.Choices != nil:
			of["type"], of["enum"] = "string", p.Choices
		}
		properties[p.Name] = of
	}
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
}

// call runs the command of a tool. An error of the command is a result that says so, which the assistant can mend.
func (s *server) call(ctx context.Context, t tool, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	args, err := s.arguments(t, r.Params.Arguments)
	if err != nil {
		return failed(err.Error()), nil
	}
	s.alone.Lock()
	defer s.alone.Unlock()
	var out, messages bytes.Buffer
	std := cli.Streams{In: strings.NewReader(""), Out: &out, Err: &messages, Confine: s.confine}
	if token := r.Params.GetProgressToken(); token != nil {
		told := 0.0
		std.Progress = func(share float64, text string) {
			told++
			// an assistant that does not listen is no reason to stop
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: told,
				Message: text})
		}
	}
	if code := s.options.Alone(ctx, args, std); code != cli.ExitOK {
		return failed(messages.String()), nil
	}
	result := &mcp.CallToolResult{Content: texts(shown(out.String()), messages.String())}
	var structured map[string]any
	if json.Unmarshal(out.Bytes(), &structured) == nil && out.Len() <= mostShown {
		result.StructuredContent = structured
	}
	return result, nil
}

func failed(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: texts(text), IsError: true}
}

// texts are the contents of an answer but for empty ones.
func texts(list ...string) (contents []mcp.Content) {
	for _, text := range list {
		if text != "" {
			contents = append(contents, &mcp.TextContent{Text: text})
		}
	}
	return contents
}

// shown is the beginning of a text, in whole lines, that says how much is left out.
func shown(text string) string {
	if len(text) <= mostShown {
		return text
	}
	head := text[:strings.LastIndexByte(text[:mostShown], '\n')+1]
	return fmt.Sprintf("%s… %d of %d lines: give output a file for all\n", head, strings.Count(head, "\n"),
		strings.Count(text, "\n"))
}

// arguments makes a command line of the arguments of a call.
func (s *server) arguments(t tool, raw json.RawMessage) ([]string, error) {
	var given map[string]any
	if err := json.Unmarshal(raw, &given); err != nil && len(raw) > 0 {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	more, _ := given["more"].(map[string]any)
	delete(given, "more")
	files, _ := given["files"].([]any)
	delete(given, "files")
	options := maps.Clone(given)
	if options == nil {
		options = map[string]any{}
	}
	maps.Copy(options, more)
	list, _ := s.app.Parameters(t.command)
	known := func(name string) int {
		return slices.IndexFunc(list, func(p cli.Parameter) bool { return p.Name == name })
	}
	args := strings.Fields(t.command)
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if known(name) < 0 {
			return nil, fmt.Errorf("%s has no option %.80q: tool help lists them", t.name, name)
		}
		values, several := options[name].([]any)
		if !several {
			values = []any{options[name]}
		}
		for _, value := range values {
			if x, number := value.(float64); number {
				value = json.Number(fmt.Sprint(x))
			}
			args = append(args, fmt.Sprintf("--%s=%v", name, value))
		}
	}
	_, format := options["format"]
	_, output := options["output"]
	if i := known("format"); i >= 0 && !format && (t.summary || !output) && slices.Contains(list[i].Choices, cli.JSON) {
		args = append(args, "--format=json")
	}
	args = append(args, "--")
	for _, file := range files {
		args = append(args, fmt.Sprint(file))
	}
	return args, nil
}

// confine returns why a file is none of an assistant's: it is in none of the folders, whatever links lead to it.
func (s *server) confine(path string) error {
	if path == "-" {
		return cli.Usagef("standard input is not for files: give a path")
	}
	if slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "..") { // behind a link it leads elsewhere
		return cli.Usagef("%s has .. in it: give a path without", path)
	}
	whole, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	for there := whole; ; there = filepath.Dir(there) { // a file that is to be written is not there, nor perhaps its folder
		if _, err := os.Lstat(there); err != nil {
			if there != filepath.Dir(there) {
				continue
			}
			return err
		}
		real, err := filepath.EvalSymlinks(there)
		if err != nil {
			return err
		}
		for _, folder := range s.folders {
			if rest, err := filepath.Rel(folder, real); err == nil && filepath.IsLocal(rest) {
				return nil
			}
		}
		return cli.Usagef("%s is outside the folders that mcp was started with: %s", path, strings.Join(s.folders, ", "))
	}
}
