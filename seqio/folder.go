package seqio

import (
	"cmp"
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
	return folderWalk{c, root}.folder(".", "", nil)
}

// folderWalk reads what is below a folder, symbolic links followed. Names are relative to root, with slashes.
type folderWalk struct {
	c    *collector
	root string
}

// folder reads the documents of a folder and those below it. above are the folders that it is in.
func (w folderWalk) folder(name, label string, above []os.FileInfo) error {
	place := filepath.Join(w.root, filepath.FromSlash(name))
	info, err := os.Stat(place)
	if err == nil && slices.ContainsFunc(above, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
		err = errors.New("a link to a folder that it is in")
	}
	var list []os.DirEntry
	if err == nil {
		list, err = os.ReadDir(place)
	}
	if err != nil {
		return &Error{File: place, Err: lines.BareError(err)}
	}
	list = slices.DeleteFunc(list, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
	infos, folders := make([]os.FileInfo, len(list)), false
	for i, e := range list {
		file := filepath.Join(place, e.Name())
		if infos[i], err = os.Stat(file); err != nil {
			return &Error{File: file, Err: lines.BareError(err)}
		}
		folders = folders || infos[i].IsDir()
	}
	for i, e := range list {
		inside := path.Join(name, e.Name())
		switch {
		case infos[i].IsDir():
			err = w.folder(inside, cmp.Or(label, e.Name()), append(above, info))
		case folders && name == ".": // beside sub-folders
		case infos[i].Mode().IsRegular():
			err = w.document(inside, filepath.Join(place, e.Name()), label)
		default:
			err = lines.Errorf(filepath.Join(place, e.Name()), 0, "not a regular file")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// document reads a file, compressed or not.
func (w folderWalk) document(name, file, label string) error {
	in, err := lines.OpenCounted(nil, file, w.c.opt.Read)
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
	return documents.NewParser(w.c.opt.documents(Documents), w.c).Whole(in, name, label)
}
