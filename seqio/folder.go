package seqio

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/internal/documents"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// parseFolder reads a file per document: those below each sub-folder under its name as label or, without any
// sub-folder, those of the folder itself without labels. Names are in the order of their bytes. Names that begin with a
// dot are left out, as are files beside sub-folders.
func parseFolder(root string, c *collector) error {
	defer func() { c.file = "" }()
	w := folderWalk{c: c, root: root}
	top, err := w.open(".")
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(top.entries, func(e entry) bool { return e.info.IsDir() }) {
		return w.documents(top, "")
	}
	w.above = append(w.above, top.info)
	for _, e := range top.entries {
		if !e.info.IsDir() {
			continue
		}
		if err := w.below(e.name, e.name); err != nil {
			return err
		}
	}
	return nil
}

// folderWalk is on its way through the folders below root.
type folderWalk struct {
	c     *collector
	root  string
	above []os.FileInfo // the folders on the way to where it is
}

// folder is a folder and what it holds, symbolic links followed.
type folder struct {
	name    string // relative to root, with slashes
	info    os.FileInfo
	entries []entry // by name
}

type entry struct {
	name string // relative to root, with slashes
	info os.FileInfo
}

// fail is an error about a file.
func (w *folderWalk) fail(name string, err error) error {
	return &Error{File: filepath.Join(w.root, filepath.FromSlash(name)), Err: lines.BareError(err)}
}

func (w *folderWalk) stat(name string) (os.FileInfo, error) {
	info, err := os.Stat(filepath.Join(w.root, filepath.FromSlash(name)))
	if err != nil {
		return nil, w.fail(name, err)
	}
	return info, nil
}

// open lists a folder.
func (w *folderWalk) open(name string) (*folder, error) {
	info, err := w.stat(name)
	if err != nil {
		return nil, err
	}
	list, err := os.ReadDir(filepath.Join(w.root, filepath.FromSlash(name)))
	if err != nil {
		return nil, w.fail(name, err)
	}
	f := &folder{name: name, info: info}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		inside := path.Join(name, e.Name())
		if info, err = w.stat(inside); err != nil {
			return nil, err
		}
		f.entries = append(f.entries, entry{inside, info})
	}
	return f, nil
}

// below reads all documents below a folder, in the order of names.
func (w *folderWalk) below(name, label string) error {
	f, err := w.open(name)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(w.above, func(other os.FileInfo) bool { return os.SameFile(f.info, other) }) {
		return w.fail(name, errors.New("a link to a folder that it is in"))
	}
	w.above = append(w.above, f.info)
	defer func() { w.above = w.above[:len(w.above)-1] }()
	return w.documents(f, label)
}

// documents reads what a folder holds.
func (w *folderWalk) documents(f *folder, label string) error {
	for _, e := range f.entries {
		var err error
		if e.info.IsDir() {
			err = w.below(e.name, label)
		} else {
			err = w.document(e, label)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// document reads a file, compressed or not.
func (w *folderWalk) document(e entry, label string) error {
	file := filepath.Join(w.root, filepath.FromSlash(e.name))
	if !e.info.Mode().IsRegular() {
		return w.fail(e.name, errors.New("not a regular file"))
	}
	in, err := lines.Open(nil, file)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := documents.Decode(in, w.c.opt.Encoding); err != nil {
		return err
	}
	if _, err := formatOf(in, Documents); err != nil {
		return err
	}
	w.c.file = file
	return documents.NewParser(w.c.opt.documents(Documents), w.c).Whole(in, e.name, label)
}
