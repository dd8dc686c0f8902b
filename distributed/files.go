package distributed

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// withFiles calls use with the file system of a path.
func withFiles(ctx context.Context, path string, use func(filesystem.Interface) error) error {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	return cmp.Or(use(fs), fs.Close())
}

// expand returns the files that patterns match, those of each in the order of their names.
func expand(ctx context.Context, patterns []string) (files []string, err error) {
	for _, pattern := range patterns {
		var found []string
		err := withFiles(ctx, pattern, func(fs filesystem.Interface) (err error) {
			found, err = fs.List(ctx, pattern)
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: no such file", pattern)
		}
		slices.Sort(found)
		files = append(files, found...)
	}
	return files, nil
}

// read calls use with the contents of a file from a byte on, and up to another, unless that is 0.
func read(ctx context.Context, path string, from, to int64, use func(io.Reader) error) error {
	return withFiles(ctx, path, func(fs filesystem.Interface) error {
		file, err := fs.OpenRead(ctx, path)
		if err != nil {
			return err
		}
		defer file.Close()
		if seeker, seeks := file.(io.Seeker); seeks {
			_, err = seeker.Seek(from, io.SeekStart)
		} else {
			_, err = io.CopyN(io.Discard, file, from)
		}
		if err != nil {
			return err
		}
		if to == 0 {
			return use(file)
		}
		return use(io.LimitReader(file, to-from))
	})
}

// seeks reports whether parts of a file can be read without what is before them.
func seeks(ctx context.Context, path string) (yes bool, err error) {
	err = withFiles(ctx, path, func(fs filesystem.Interface) error {
		file, err := fs.OpenRead(ctx, path)
		if err != nil {
			return err
		}
		_, yes = file.(io.Seeker)
		return file.Close()
	})
	return yes, err
}

// create writes a file. An error leaves an incomplete one.
func create(ctx context.Context, path string, write func(io.Writer) error) error {
	return withFiles(ctx, path, func(fs filesystem.Interface) error {
		file, err := fs.OpenWrite(ctx, path)
		if err != nil {
			return err
		}
		out := bufio.NewWriterSize(file, 64<<10)
		return cmp.Or(write(out), out.Flush(), file.Close())
	})
}

// remove removes the files that a pattern matches.
func remove(ctx context.Context, pattern string) error {
	return withFiles(ctx, pattern, func(fs filesystem.Interface) error {
		files, err := fs.List(ctx, pattern)
		if err != nil || len(files) == 0 {
			return err
		}
		remover, can := fs.(filesystem.Remover)
		if !can {
			return fmt.Errorf("%s: the file system removes no files", files[0])
		}
		for _, file := range files {
			if err := remover.Remove(ctx, file); err != nil {
				return err
			}
		}
		return nil
	})
}

// partName is the name of a part of an output.
func partName(output string, part, parts int) string {
	return fmt.Sprintf("%s-%05d-of-%05d", output, part, parts)
}

// temporary is the folder of the parts of an output that is being written.
func temporary(output string) string { return output + ".tmp/" }

// prepare removes what an interrupted run left, and refuses an output that is there in another number of parts.
func prepare(ctx context.Context, output string, parts int) error {
	var others string
	err := withFiles(ctx, output, func(fs filesystem.Interface) error {
		found, err := fs.List(ctx, output+"-*-of-*")
		for _, name := range found {
			if !strings.HasSuffix(name, fmt.Sprintf("-of-%05d", parts)) {
				others = name
			}
		}
		return err
	})
	if err == nil && others != "" {
		err = fmt.Errorf("%s is part of an output of another number of parts: remove it, or choose another --output", others)
	}
	return cmp.Or(err, clean(ctx, output))
}

// clean removes the files that parts travel and wait in, and their folder where there are folders.
func clean(ctx context.Context, output string) error {
	if err := remove(ctx, temporary(output)+"*"); err != nil {
		return err
	}
	return withFiles(ctx, output, func(fs filesystem.Interface) error {
		if remover, can := fs.(filesystem.Remover); can {
			remover.Remove(ctx, strings.TrimSuffix(temporary(output), "/")) // there may be none
		}
		return nil
	})
}

// publish gives the parts of an output their names, the first one last.
func publish(ctx context.Context, output string, parts int) error {
	return withFiles(ctx, output, func(fs filesystem.Interface) error {
		for part := range parts {
			if _, err := fs.Size(ctx, written(output, part)); err != nil {
				return fmt.Errorf("part %d of %d was not written: %w", part, parts, err)
			}
		}
		for part := parts - 1; part >= 0; part-- {
			if err := filesystem.Rename(ctx, fs, written(output, part), partName(output, part, parts)); err != nil {
				return err
			}
		}
		return clean(ctx, output)
	})
}

// written is the name of a part that is complete, before all are.
func written(output string, part int) string {
	return fmt.Sprintf("%spart-%05d", temporary(output), part)
}

// createWhole writes a file that appears when it is complete: what another call has written under that name before has
// the same bytes.
func createWhole(ctx context.Context, path string, write func(io.Writer) error) error {
	hidden := path + "." + rand.Text()
	if err := create(ctx, hidden, write); err != nil {
		return err
	}
	return withFiles(ctx, path, func(fs filesystem.Interface) error { return filesystem.Rename(ctx, fs, hidden, path) })
}

// writeWhole writes the only file of an output, which appears when it is complete, and removes what else there was.
func writeWhole(ctx context.Context, path string, write func(io.Writer) error) error {
	whole := temporary(path) + "whole"
	if err := createWhole(ctx, whole, write); err != nil {
		return err
	}
	err := withFiles(ctx, path, func(fs filesystem.Interface) error { return filesystem.Rename(ctx, fs, whole, path) })
	return cmp.Or(err, clean(ctx, path))
}
