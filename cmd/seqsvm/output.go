package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/seqio/atomicfile"
)

// outputs are the results of a command, one per option that names a file. Whether files can be written is found out before the work begins, so that a
// wrong name costs no time, and get their names when everything is written: a command that fails leaves none of them.
type outputs struct {
	stdout  io.Writer
	options []string // that are wanted, in the order of commit
	files   map[string]*atomicfile.File
}

// openOutputs begins the files of options. Standard output stands for "-", and for --output if it is not given; another option that is not
// given is not wanted.
func openOutputs(c *cli.Context, options ...string) (*outputs, error) {
	o := &outputs{stdout: c.App.Writer, files: map[string]*atomicfile.File{}}
	for _, option := range options {
		if c.String(option) != "" || option == "output" {
			o.options = append(o.options, option)
		}
	}
	if err := o.checkDistinct(c); err != nil {
		return nil, err
	}
	for _, option := range o.options {
		path := c.String(option)
		if path == "" || path == "-" {
			continue
		}
		f, err := atomicfile.Create(path)
		if err != nil {
			o.abort()
			return nil, err
		}
		o.files[option] = f
	}
	return o, nil
}

// checkDistinct returns an error if two outputs, or an output and an input, are the same file.
func (o *outputs) checkDistinct(c *cli.Context) error {
	for i, option := range o.options {
		path := c.String(option)
		for _, other := range o.options[:i] {
			if sameFile(path, c.String(other)) {
				return usagef("--%s and --%s are the same file, %s, want two", other, option, outputName(path))
			}
		}
		for _, input := range inputPaths(c) {
			if !isStandard(path) && sameFile(path, input) {
				return usagef("--%s %s would replace an input, want another file", option, path)
			}
		}
	}
	return nil
}

// wants tells whether there is an output of an option.
func (o *outputs) wants(option string) bool { return slices.Contains(o.options, option) }

// write calls fill with the output of an option that is wanted.
func (o *outputs) write(option string, fill func(w io.Writer) error) error {
	if f := o.files[option]; f != nil {
		return fill(f)
	}
	w := bufio.NewWriter(o.stdout)
	if err := fill(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}

// commit gives the files their names, once all of them are written.
func (o *outputs) commit() error {
	for _, step := range []func(*atomicfile.File) error{(*atomicfile.File).Flush, (*atomicfile.File).Commit} {
		for _, option := range o.options {
			if f := o.files[option]; f != nil {
				if err := step(f); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// abort removes what is not committed.
func (o *outputs) abort() {
	for _, f := range o.files {
		f.Abort() // the error that led here is the one to tell
	}
}

// writeOutput writes the only output of a command that has no work to do before.
func writeOutput(c *cli.Context, fill func(w io.Writer) error) error {
	out, err := openOutputs(c, "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	if err := out.write("output", fill); err != nil {
		return err
	}
	return out.commit()
}

func isStandard(path string) bool { return path == "" || path == "-" }

func outputName(path string) string {
	if isStandard(path) {
		return "standard output"
	}
	return path
}

// sameFile tells whether two paths lead to one file, or would once it exists.
func sameFile(a, b string) bool {
	if isStandard(a) || isStandard(b) {
		return isStandard(a) && isStandard(b)
	}
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(x, y) && x.Mode().IsRegular()
	}
	x, errA = os.Stat(filepath.Dir(a))
	y, errB = os.Stat(filepath.Dir(b))
	return errA == nil && errB == nil && os.SameFile(x, y) && filepath.Base(a) == filepath.Base(b)
}

// writeJSON writes one indented object.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// row writes tab-separated cells. Tabs and line ends inside a cell become spaces.
func row(w io.Writer, cells ...string) error {
	for i, cell := range cells {
		cells[i] = strings.Map(func(r rune) rune {
			if r == '\t' || r == '\n' || r == '\r' {
				return ' '
			}
			return r
		}, cell)
	}
	_, err := fmt.Fprintln(w, strings.Join(cells, "\t"))
	return err
}

// number prints a value with all its digits, the shortest that read back as the same.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// rounded prints a metric with four decimals, and an undefined one as NA.
func rounded(x float64) string {
	if math.IsNaN(x) {
		return "NA"
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}

// listNames joins names that come from data for a message: the first of them, each cut if it is long.
func listNames(names []string) string {
	const most, longest = 12, 60
	var shown []string
	for _, name := range names[:min(most, len(names))] {
		shown = append(shown, fmt.Sprintf("%.*s", longest, name))
	}
	if len(names) > most {
		shown = append(shown, fmt.Sprintf("… (%d in all)", len(names)))
	}
	return list(shown)
}

// list joins choices for a message.
func list(choices []string) string { return strings.Join(choices, ", ") }
