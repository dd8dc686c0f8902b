package input

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/seqio"
)

// takeList appends the files of --files to the operands.
func (o *Reading) takeList(c *cli.Call) error {
	if o.files == "" {
		return nil
	}
	read := func(r io.Reader, name string) ([]string, error) { return readList(c, r, name) }
	paths, err := cli.Read(c, o.files, read)
	if err != nil {
		return err
	}
	c.Args, o.files = append(c.Args, paths...), ""
	return nil
}

// readList reads a name in each line of r or, if that is nil, of a file. Blanks after a name are no part of it, blank
// lines are skipped. The files must exist.
func readList(c *cli.Call, r io.Reader, name string) (paths []string, err error) {
	text, err := seqio.OpenText(r, name)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	in, line := bufio.NewScanner(text), 1
	for ; in.Scan(); line++ {
		path := strings.TrimRight(in.Text(), " \t\r")
		if path == "" {
			continue
		}
		if err := findListed(c, path); err != nil {
			return nil, &seqio.Error{File: name, Line: line, Err: err}
		}
		paths = append(paths, path)
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, &seqio.Error{File: name, Line: line, Err: errors.New("more than 64 KiB, want the name of an input")}
	case err != nil:
		return nil, cli.InFile(name, err)
	case len(paths) == 0:
		return nil, fmt.Errorf("%s: no names, want that of an input in each line", name)
	}
	return paths, nil
}

// findListed returns an error unless an input of a list can be opened.
func findListed(c *cli.Call, path string) error {
	if _, held := c.Files.Content(path); held || path == "-" {
		return nil
	}
	if strings.ContainsRune(path, 0) {
		return errors.New("NUL byte in a name, as in UTF-16: convert the list to UTF-8")
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("%.200q: %w", path, errors.Unwrap(err))
	}
	return nil
}
