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
	var kinds []Format
	err := walkFolder(folder.Path, func(_, file, class string) error {
		in := Input{Path: file, Label: folder.Label, class: class, operand: folder.operand}
		if class != "" {
			in.classBy = byFolder
		}
		files = append(files, in)
		kinds = append(kinds, kindInFolder(file, opt))
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, kind := range kinds {
		if kind != kinds[0] {
			return nil, lines.Errorf(folder.Path, 0, "%w: %s (%s) and %s (%s); give those of one kind, or choose the "+
				"format", ErrMixedFolder, filepath.Base(files[0].Path), kinds[0].Name(), filepath.Base(files[i].Path),
				kind.Name())
		}
	}
	if len(files) == 0 || kinds[0] == Documents {
		return []Input{folder}, nil
	}
	if len(files) > 1 && files[0].class == "" {
		for i := range files {
			base := lines.WithoutCompression(filepath.Base(files[i].Path))
			files[i].class, files[i].classBy = strings.TrimSuffix(base, filepath.Ext(base)), byFile
		}
	}
	return files, nil
}

// kindInFolder returns the format of a file of a folder, Documents if it cannot be read: reading it gives the error.
// FASTA stands for FASTQ too.
func kindInFolder(file string, opt Options) Format {
	format := opt.Format
	if format == Auto || format == "auto" {
		in, err := lines.Open(nil, file)
		if err != nil {
			return Documents
		}
		defer in.Close()
		if documents.Decode(in, opt.Encoding) != nil {
			return Documents
		}
		head, err := in.Begin()
		if err != nil {
			return Documents
		}
		format = recognizeInFolder(file, strings.TrimLeft(string(head), " \t\r\n"))
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
	return walkFolder(root, c.documentFile)
}

// walkFolder calls visit with the files below a folder: the name relative to the folder, with slashes, the path, and
// the name of the sub-folder that it is in, at whatever depth. Names are in the order of their bytes; those that begin
// with a dot are left out, as are files beside sub-folders. Symbolic links are followed.
func walkFolder(root string, visit func(name, file, class string) error) error {
	return folderWalk{root, visit}.folder(".", "", nil)
}

// folderWalk walks what is below root.
type folderWalk struct {
	root  string
	visit func(name, file, class string) error
}

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
		case folders && name == ".": // beside sub-folders
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
	if err := documents.Decode(in, c.opt.Encoding); err != nil {
		return err
	}
	if _, err := formatOf(in, Documents); err != nil {
		return err
	}
	c.file = file
	return documents.NewParser(c.opt.documents(Documents), c).Whole(in, name, label)
}
