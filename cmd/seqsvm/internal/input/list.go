package input

import (
	"bufio"
	"fmt"
	"io"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/seqio"
)

// takeList appends the files of --files to the operands, once.
func (o *Reading) takeList(c *cli.Call) error {
	if o.files == "" {
		return nil
	}
	paths, err := cli.Read(c, o.files, readList, func(path string) ([]string, error) { return readList(nil, path) })
	if err != nil {
		return err
	}
	c.Args, o.files = append(c.Args, paths...), ""
	return nil
}

// readList reads a name in each line of r or, if that is nil, of a file; blank lines are skipped.
func readList(r io.Reader, name string) (paths []string, err error) {
	text, err := seqio.OpenText(r, name)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	in := bufio.NewScanner(text)
	for in.Scan() {
		if path := in.Text(); path != "" {
			paths = append(paths, path)
		}
	}
	switch {
	case in.Err() != nil:
		return nil, fmt.Errorf("%s: %w", name, in.Err())
	case len(paths) == 0:
		return nil, fmt.Errorf("%s: no names, want that of an input in each line", name)
	}
	return paths, nil
}
