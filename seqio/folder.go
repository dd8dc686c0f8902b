package seqio

import (
	"cmp"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// isFolder reports whether a path is a folder.
func isFolder(in Input) bool {
	if in.Reader != nil {
		return false
	}
	info, err := os.Stat(in.Path)
	return err == nil && info.IsDir()
}

// ErrMixedFolder is the cause if the files of a folder are of several kinds: give those of one kind, or set
// [Options].Format.
var ErrMixedFolder = errors.New("the folder has files of several kinds")

// ExpandFolders replaces each folder that holds files of records, such as FASTA, by these files, and leaves folders of
// documents and all other inputs as they are. [ReadAll] and [AllBatches] do so too.
//
// A record without a label of its own gets that of its file: the name of the sub-folder that it is in or, in a folder
// without sub-folders that has several files, the name of the file without its suffixes.
func ExpandFolders(inputs []Input, opt Options) ([]Input, error) {
	var out []Input
	for k, in := range inputs {
		in.operand = k
		files := []Input{in}
		if isFolder(in) {
			var err error
			if files, err = filesOf(in, opt); err != nil {
				return nil, err
			}
		}
		out = append(out, files...)
	}
	return out, nil
}

// filesOf returns the files of a folder as inputs, or the folder if its files are documents.
func filesOf(folder Input, opt Options) ([]Input, error) {
	if opt.Format == Documents || opt.Tree.Syntax != "" {
		return []Input{folder}, nil
	}
	var files []Input
	var beside []string
	kind, first := Auto, ""
	err := folderWalk{
		root: folder.Path,
		visit: func(name, file, class string) error {
			files = append(files, Input{Path: file, Label: folder.Label, class: class, operand: folder.operand})
			switch found := kindInFolder(file, opt); {
			case kind == Auto:
				kind, first = found, name
			case found != kind:
				return lines.Errorf(folder.Path, 0, "%w: %s (%s) and %s (%s); give those of one kind, or choose the "+
					"format", ErrMixedFolder, first, kind.Name(), name, found.Name())
			}
			return nil
		},
		beside: func(file string) { beside = append(beside, file) },
	}.walk()
	if err != nil {
		return nil, err
	}
	if kind == Auto || kind == Documents {
		return []Input{folder}, nil
	}
	for _, file := range beside {
		if kindInFolder(file, opt) == kind {
			return nil, lines.Errorf(file, 0,
				"the file is beside folders, whose names are the labels; move it into one")
		}
	}
	nameClasses(files)
	return files, nil
}

// nameClasses says what the classes of files are from: their folders or, if there are none, their own names.
func nameClasses(files []Input) {
	for i := range files {
		switch f := &files[i]; {
		case f.class != "":
			f.classBy = byFolder
		case len(files) > 1:
			base := lines.WithoutCompression(filepath.Base(f.Path))
			f.class, f.classBy = strings.TrimSuffix(base, filepath.Ext(base)), byFile
		}
	}
}

// kindInFolder returns the format of a file of a folder, Documents if it cannot be read: reading it gives the error.
// FASTA stands for FASTQ too.
func kindInFolder(file string, opt Options) Format {
	format := opt.Format
	if format == Auto || format == "auto" {
		format = recognizeInFolder(file, opt.Encoding)
	}
	if format == FASTQ {
		return FASTA
	}
	return format
}

// parseFolder reads a file per document: those below each sub-folder under its name as label or, without any
// sub-folder, those of the folder itself without labels.
func parseFolder(root string, c *collector) error {
	defer func() { c.file = "" }()
	return folderWalk{root: root, visit: c.documentFile, beside: func(string) {}}.walk()
}

// folderWalk walks what is below root. Names are in the order of their bytes; those that begin with a dot are left out.
// Symbolic links are followed.
type folderWalk struct {
	root string
	// called with the files below root: the name relative to it, with slashes, the path, and the name of the sub-folder
	// of root that it is in, at whatever depth
	visit func(name, file, class string) error
	// called with the files beside sub-folders of root, which are not visited
	beside func(file string)
}

func (w folderWalk) walk() error { return w.folder(".", "", nil) }

// folder walks a folder and those below it. above are the folders that it is in.
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
		case folders && name == ".":
			w.beside(filepath.Join(place, e.Name()))
		case infos[i].Mode().IsRegular():
			err = w.visit(inside, filepath.Join(place, e.Name()), label)
		default:
			err = lines.Errorf(filepath.Join(place, e.Name()), 0, "not a regular file")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// documentFile reads a file as a document, compressed or not.
func (c *collector) documentFile(name, file, label string) error {
	in, err := lines.OpenCounted(nil, file, c.opt.Read)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := c.opt.decode(in, Documents); err != nil {
		return err
	}
	if !c.opt.Format.Text() {
		if err := refuseForeign(in, false); err != nil {
			return err
		}
	}
	if _, err := formatOf(in, Documents); err != nil {
		return err
	}
	c.file = file
	return parseWhole(in, c, name, label)
}

// SameName returns the first two of some names that mean the same, and what: a number in two decimal spellings, such as
// 1 and 1.0, or a text in two spellings that Unicode takes for one, such as é and e with a combining accent. what is ""
// if there are none.
func SameName(names []string) (first, second, what string) {
	known := make(map[string]string, len(names))
	for _, name := range names {
		key, what := norm.NFC.String(name), "text (canonically equivalent)"
		if number, ok := lines.CanonicalNumber(name); ok {
			key, what = number, "number"
		}
		if first, found := known[key]; found {
			return first, name, what
		}
		known[key] = name
	}
	return "", "", ""
}
