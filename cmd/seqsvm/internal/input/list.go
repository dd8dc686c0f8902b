package input

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// takeList appends the files of --files to the operands, once.
func (o *Reading) takeList(c *cli.Call) error {
	if o.files == "" {
		return nil
	}
	paths, err := cli.Read(c, o.files, readList, func(path string) ([]string, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, plain(err)
		}
		defer f.Close() // it was only read
		return readList(f, path)
	})
	if err != nil {
		return err
	}
	c.Args, o.files = append(c.Args, paths...), ""
	return nil
}

// readList reads a name in each line; blank lines are skipped.
func readList(r io.Reader, name string) (paths []string, err error) {
	in := bufio.NewScanner(r)
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
