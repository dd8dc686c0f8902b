package seqio

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// makeFolder makes files in a new folder; a name that ends in a slash is an empty folder.
func makeFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		folder := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			folder = path
		}
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if folder != path {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

func TestReadFolder(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("packed"))
	z.Close()
	for _, c := range []struct {
		what  string
		files map[string]string
		opt   Options
		want  []record
	}{
		{"labels", map[string]string{"b/2": "x", "b/10": "y\r\n", "a/c": "", "README": "no", ".git/x": "no",
			"a/.DS_Store": "no", "empty/": ""}, Options{},
			docs("a/c|a||1", "b/10|b|y\r\n|1", "b/2|b|x|1")},
		{"deep", map[string]string{"a/x/1": "x", "a/b": "y", "a/x/0/z": "z"}, Options{Format: Documents},
			docs("a/b|a|y|1", "a/x/0/z|a|z|1", "a/x/1|a|x|1")},
		{"no labels", map[string]string{"b.txt": "y", "a.txt": "x"}, Options{Format: "auto"},
			docs("a.txt||x|1", "b.txt||y|1")},
		{"compressed, html", map[string]string{"a/x.gz": packed.String(), "a/y": "<p>y</p>"}, Options{HTML: true},
			docs("a/x.gz|a|packed|1", "a/y|a|y|1")},
		{"latin1", map[string]string{"a/x": "\xe9", "a/y": "\xef\xbb\xbfé"}, Options{Encoding: "latin1"},
			docs("a/x|a|é|1", "a/y|a|é|1")},
	} {
		t.Run(c.what, func(t *testing.T) {
			root := makeFolder(t, c.files)
			s, err := ReadFile(root, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if got := recordsOf(s); !slices.Equal(got, c.want) {
				t.Errorf("got  %v\nwant %v", got, c.want)
			}
			if s.Format != Documents || s.Source != root {
				t.Errorf("%q from %q", s.Format, s.Source)
			}
			last := c.want[len(c.want)-1].id
			if got, want := s.Errorf(s.Len()-1, "odd").Error(), filepath.Join(root, last)+": odd"; got != want {
				t.Errorf("%s, want %s", got, want)
			}
			var inBatches []record
			err = readBatches(nil, root, c.opt, 1, func(s *Set) error {
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

// A link to a sibling folder is not a loop, and a link to a file is the file.
func TestReadFolderLinks(t *testing.T) {
	root := makeFolder(t, map[string]string{"a/x": "x"})
	for to, name := range map[string]string{"a": "b", "x": "a/y"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	s, err := ReadFile(root, Options{})
	if want := docs("a/x|a|x|1", "a/y|a|x|1", "b/x|b|x|1", "b/y|b|x|1"); err != nil ||
		!slices.Equal(recordsOf(s), want) {
		t.Errorf("%v %v, want %v", s, err, want)
	}
}
