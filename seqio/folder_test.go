package seqio_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
)

func TestReadFolder(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("packed"))
	z.Close()
	for _, c := range []struct {
		what  string
		files map[string]string
		opt   seqio.Options
		want  []record
	}{
		{"labels", map[string]string{"b/2": "x", "b/10": "y\r\n", "a/c": "", "README": "no", ".git/x": "no",
			"a/.DS_Store": "no", "empty/": ""}, seqio.Options{},
			docs("a/c|a||1", "b/10|b|y\r\n|1", "b/2|b|x|1")},
		{"deep", map[string]string{"a/x/1": "x", "a/b": "y", "a/x/0/z": "z"}, seqio.Options{Format: seqio.Documents},
			docs("a/b|a|y|1", "a/x/0/z|a|z|1", "a/x/1|a|x|1")},
		{"no labels", map[string]string{"b.txt": "y", "a.txt": "x"}, seqio.Options{Format: "auto"},
			docs("a.txt||x|1", "b.txt||y|1")},
		{"compressed, html", map[string]string{"a/x.gz": packed.String(), "a/y": "<p>y</p>"}, seqio.Options{HTML: true},
			docs("a/x.gz|a|packed|1", "a/y|a|y|1")},
		{"latin1", map[string]string{"a/x": "\xe9", "a/y": "\xef\xbb\xbfé"}, seqio.Options{Encoding: "latin1"},
			docs("a/x|a|é|1", "a/y|a|é|1")},
	} {
		t.Run(c.what, func(t *testing.T) {
			root := seqio.MakeFolder(t, c.files)
			s, err := seqio.ReadFile(root, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if got := recordsOf(s); !slices.Equal(got, c.want) {
				t.Errorf("got  %v\nwant %v", got, c.want)
			}
			if s.Format != seqio.Documents || s.Source != root {
				t.Errorf("%q from %q", s.Format, s.Source)
			}
			last := c.want[len(c.want)-1].id
			if got, want := s.Errorf(s.Len()-1, "odd").Error(), filepath.Join(root, last)+": odd"; got != want {
				t.Errorf("%s, want %s", got, want)
			}
			var inBatches []record
			err = readBatches(nil, root, c.opt, 1, func(s *seqio.Set) error {
				if s.Len() != 1 || s.Errorf(0, "odd").Error() != filepath.Join(root, s.Corpus.Name(0))+": odd" {
					t.Errorf("batch of %d, %v", s.Len(), s.Errorf(0, "odd"))
				}
				inBatches = append(inBatches, recordsOf(s)...)
				return nil
			})
			if err != nil || !slices.Equal(inBatches, c.want) {
				t.Errorf("in batches: %v %v", inBatches, err)
			}
		})
	}
}

func TestReadFolderErrors(t *testing.T) {
	link := func(t *testing.T, root, to, name string) {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	for _, c := range []struct {
		what   string
		files  map[string]string
		spoil  func(t *testing.T, root string)
		at     string // the file that the error names, in the folder
		opt    seqio.Options
		reason string
	}{
		{"empty", nil, nil, "", seqio.Options{}, ": no records"},
		{"empty sub-folders", map[string]string{"a/": "", "b/": ""}, nil, "", seqio.Options{}, ": no records"},
		{"not UTF-8", map[string]string{"a/x": "x", "a/y": "1\n2\xe9"}, nil, "a/y", seqio.Options{},
			":2: column 2: byte 0xe9 is not UTF-8; name the encoding, as encoding=latin1, or convert the file"},
		{"NUL", map[string]string{"x": "\x00"}, nil, "x", seqio.Options{}, ":1: column 1: NUL byte; is this a text?"},
		{"UTF-16", map[string]string{"a/x": "\xff\xfea\x00"}, nil, "a/x", seqio.Options{},
			": UTF-16 text; convert it to UTF-8, or name the encoding, as encoding=utf-16"},
		{"cut off", map[string]string{"a/x.gz": "\x1f\x8b\x08\x00"}, nil, "a/x.gz", seqio.Options{},
			": the gzip stream is cut off"},
		{"a label that breaks lines", map[string]string{"a\nb/x": "x"}, nil, "a\nb/x", seqio.Options{},
			":1: control byte 0x0a in the id \"a\\nb/x\""},
		{"too large", map[string]string{"a/x": "12", "a/y": "34"}, nil, "a/y", seqio.Options{MaxLetters: 3},
			":1: more than 3 letters; split the input"},
		{"other format", map[string]string{"a/x": "x"}, nil, "a/x", seqio.Options{Format: seqio.FASTA},
			":1: expected '>', found 'x'"},
		{"no file of a format", map[string]string{"a/": ""}, nil, "", seqio.Options{Format: seqio.FASTA},
			": is a directory, want a file"},
		{"loop to the top", map[string]string{"a/x": "x"},
			func(t *testing.T, root string) { link(t, root, "..", "a/loop") }, "a/loop", seqio.Options{},
			": a link to a folder that it is in"},
		{"loop to itself", map[string]string{"a/b/x": "x"},
			func(t *testing.T, root string) { link(t, root, "../../a", "a/b/loop") }, "a/b/loop", seqio.Options{},
			": a link to a folder that it is in"},
		{"link to itself", map[string]string{"a/x": "x"},
			func(t *testing.T, root string) { link(t, root, "self", "a/self") }, "a/self", seqio.Options{},
			": too many levels of symbolic links"},
		{"link to nothing", map[string]string{"a/x": "x"},
			func(t *testing.T, root string) { link(t, root, "absent", "a/y") }, "a/y", seqio.Options{},
			": no such file or directory"},
		{"device", map[string]string{"a/x": "x"},
			func(t *testing.T, root string) { link(t, root, "/dev/null", "a/null") }, "a/null", seqio.Options{},
			": not a regular file"},
		{"unreadable file", map[string]string{"a/x": "x"},
			func(t *testing.T, root string) { lock(t, filepath.Join(root, "a/x")) }, "a/x", seqio.Options{},
			": permission denied"},
		{"unreadable folder", map[string]string{"a/x": "x", "b/y": "y"},
			func(t *testing.T, root string) { lock(t, filepath.Join(root, "b")) }, "b", seqio.Options{},
			": permission denied"},
	} {
		t.Run(c.what, func(t *testing.T) {
			root := seqio.MakeFolder(t, c.files)
			if c.spoil != nil {
				c.spoil(t, root)
			}
			_, err := seqio.ReadFile(root, c.opt)
			if want := filepath.Join(root, c.at) + c.reason; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
			batchErr := readBatches(nil, root, c.opt, 1<<20, func(*seqio.Set) error { return nil })
			if c.what != "too large" && (batchErr == nil || err == nil || batchErr.Error() != err.Error()) {
				t.Errorf("in batches: %v, want %v", batchErr, err)
			}
		})
	}
}

// lock takes all permissions away until the end of the test, which binds ordinary users only.
func lock(t *testing.T, path string) {
	if os.Geteuid() == 0 {
		t.Skip("permissions do not bind the superuser")
	}
	must.Succeed(t, os.Chmod(path, 0))
	t.Cleanup(func() { os.Chmod(path, 0o700) })
}

// A link to a sibling folder is not a loop, and a link to a file is the file.
func TestReadFolderLinks(t *testing.T) {
	root := seqio.MakeFolder(t, map[string]string{"a/x": "x"})
	for to, name := range map[string]string{"a": "b", "x": "a/y"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	s, err := seqio.ReadFile(root, seqio.Options{})
	if want := docs("a/x|a|x|1", "a/y|a|x|1", "b/x|b|x|1", "b/y|b|x|1"); err != nil ||
		!slices.Equal(recordsOf(s), want) {
		t.Errorf("%v %v, want %v", s, err, want)
	}
}
