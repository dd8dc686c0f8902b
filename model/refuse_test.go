package model

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// load reads a model and makes it ready: whatever is wrong with a file shows in one of the two.
func load(data []byte) error {
	m, err := Read(data)
	if err != nil {
		return err
	}
	_, err = m.Classifier(context.Background())
	return err
}

func TestEveryTruncationIsAnError(t *testing.T) {
	for _, m := range []*Model{tinySpectrum(t), tinySubstring(t)} {
		data := write(t, m)
		for n := range data {
			if _, err := Read(data[:n]); err == nil {
				t.Fatalf("%d of %d bytes are taken for a model", n, len(data))
			}
			if n >= 2*alignment && n < len(data)-1 {
				continue
			}
			if _, err := Read(append(bytes.Clone(data), data[:n+1]...)); err == nil {
				t.Fatalf("a model with %d bytes more is taken", n+1)
			}
			if _, err := Read(append(bytes.Clone(data), make([]byte, n+1)...)); err == nil {
				t.Fatalf("a model with %d zeros more is taken", n+1)
			}
		}
	}
}

func TestEveryChangedByteIsAnError(t *testing.T) {
	for _, m := range []*Model{tinySpectrum(t), tinySubstring(t)} {
		data := write(t, m)
		for i := range data {
			changes := []byte{1, 2, 4, 8, 16, 32, 64, 128, 255, 0x5a}
			if i >= prologueSize && !long.Tests { // behind it checksums count
				changes = []byte{1 << (i % 8), 0x5a}
			}
			for _, change := range changes {
				data[i] ^= change
				if _, err := Read(data); err == nil {
					t.Fatalf("byte %d changed by %#x, and taken", i, change)
				}
				data[i] ^= change
			}
		}
	}
}

func TestOtherFilesAreNoModels(t *testing.T) {
	for _, text := range []string{"", "S", "SEQSVM\n", ">chr1\nACGT\n", "SEQSVM\r\n\x1a and more bytes",
		"seqsvm\n\x1a", "\x1f\x8b\x08"} {
		if _, err := Read([]byte(text)); !errors.Is(err, ErrNotAModel) {
			t.Errorf("%q: %v, want %v", text, err, ErrNotAModel)
		}
	}
}

func TestOtherVersions(t *testing.T) {
	data := write(t, tinySpectrum(t))
	for _, version := range []uint32{0, 2, math.MaxUint32} {
		binary.LittleEndian.PutUint32(data[8:], version)
		want := fmt.Sprintf("model format %d, want 1: read it with the version of seqsvm that wrote it, or train again",
			version)
		if _, err := Read(data); err == nil || err.Error() != want {
			t.Errorf("version %d: %v, want %s", version, err, want)
		}
	}
}

func TestTooManyTerms(t *testing.T) {
	terms := strings.Split(strings.Repeat("spectrum:k=1,alphabet=dna ", catalog.MaxTerms+1), " ")[:catalog.MaxTerms+1]
	spec := must.Get(catalog.Parse(terms...))(t)
	if _, err := spec.Compile(""); err == nil || !strings.Contains(err.Error(),
		"65 kernels, want at most 64") {
		t.Errorf("Compile: %v", err)
	}
	if err := load(write(t, tiny(t, false, terms[1:]...))); err != nil {
		t.Errorf("%d terms: %v", catalog.MaxTerms, err)
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		must.Succeed(t, os.WriteFile(path, data, 0o644))
		return path
	}
	good := write(t, tinySpectrum(t))
	for path, want := range map[string]string{
		filepath.Join(dir, "none"):          "no such file",
		dir:                                 "is a directory",
		file("empty", nil):                  "empty: not a seqsvm model",
		file("fasta", []byte(">a\nACGT\n")): "fasta: not a seqsvm model",
		file("short", good[:10]):            "short: truncated model",
		file("truncated", good[:99]):        "truncated: truncated model",
		file("doubled", append(bytes.Clone(good), good...)): "doubled: damaged model",
	} {
		if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	if m, err := ReadFile(file("good", good)); err != nil || !bytes.Equal(write(t, m), good) {
		t.Errorf("a good file: %v, or other bytes when written again", err)
	}
	if _, err := ReadFile(file("fasta", []byte(">a\nACGT\n"))); !errors.Is(err, ErrNotAModel) {
		t.Errorf("%v is not %v", err, ErrNotAModel)
	}
}

// A large file that is no model, a genome say, is not read to find that out.
func TestReadFileLooksFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "genome")
	must.Succeed(t, os.WriteFile(path, []byte(">chr1\nACGT"), 0o644))
	if err := os.Truncate(path, 1<<30); err != nil {
		t.Skip("no sparse files here: ", err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := ReadFile(path)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, ErrNotAModel) {
		t.Error(err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<20 {
		t.Errorf("%d bytes of memory taken", taken)
	}
}

func TestWriteRefuses(t *testing.T) {
	for _, c := range []struct {
		why  string
		from *Model
		edit func(m *Model)
		want string
	}{
		{"no kernel", tinySpectrum(t), func(m *Model) { m.Kernel.Terms = nil }, "model: no kernel"},
		{"a term without kernel", tinySpectrum(t), func(m *Model) { m.Kernel.Terms[0].Kernel = nil },
			"kernel 1 of 1 is empty"},
		{"no classes", tinySpectrum(t), func(m *Model) { m.Decision.Classes = nil }, "0 classes"},
		{"a class without name", tinySpectrum(t), func(m *Model) { m.Decision.Classes[0] = "" }, "class 0 has no name"},
		{"a class that is not UTF-8", tinySpectrum(t), func(m *Model) { m.Decision.Classes[1] = "caf\xe9" },
			`class "caf\xe9" is not UTF-8`},
		{"no machines", tinySpectrum(t), func(m *Model) { m.Decision.Machines = nil }, "0 machines"},
		{"rho NaN", tinySpectrum(t), func(m *Model) { m.Decision.Machines[0].Rho = math.NaN() }, "rho = NaN"},
		{"a threshold NaN", tinySpectrum(t), func(m *Model) { m.Decision.Machines[0].Threshold = math.NaN() },
			"threshold = NaN"},
		{"a separator without a hierarchy", tinySpectrum(t), func(m *Model) { m.Decision.Separator = "/" },
			`separator "/" of a hierarchy`},
		{"a hierarchy without a separator", tinySpectrum(t), func(m *Model) { m.Decision.Scheme = decide.Hierarchy },
			"no separator of a hierarchy"},
		{"a hierarchy of empty names", tinySpectrum(t), func(m *Model) {
			m.Decision.Scheme, m.Decision.Separator, m.Decision.Classes = decide.Hierarchy, "/", []string{"a//b", "c"}
		}, "has an empty level"},
		{"machines of another hierarchy", tinySpectrum(t), func(m *Model) {
			m.Decision.Scheme, m.Decision.Separator, m.Decision.Classes = decide.Hierarchy, "/",
				[]string{"a/b", "a/c", "d"}
		}, "1 machines for hierarchy with 3 classes, want 2"},
		{"a gap that is infinite", tinySpectrum(t), func(m *Model) { m.Decision.Machines[0].Gap = math.Inf(1) },
			"unsupported value: +Inf"},
		{"a reference for nothing", tinySpectrum(t), func(m *Model) { m.Reference = new(stringkernel.Corpus) },
			"needs no reference"},
		{"no reference", tinySubstring(t), func(m *Model) { m.Reference = nil }, "needs a reference"},
		{"both flavours", tinySubstring(t), func(m *Model) { m.Arrays = []stringkernel.Array{} },
			"both support vectors and a merged structure"},
		{"coefficients alone", tinySpectrum(t), func(m *Model) { m.Coef = [][]float64{{1}} },
			"1 coefficient vectors without support vectors"},
		{"no coefficients", tinySubstring(t), func(m *Model) { m.Coef = nil }, "0 coefficient vectors for 1 machines"},
		{"a coefficient too many", tinySubstring(t), func(m *Model) { m.Coef = [][]float64{{1, 2, 3}} },
			"3 coefficients for 2 support vectors"},
		{"a coefficient NaN", tinySubstring(t), func(m *Model) { m.Coef = [][]float64{{1, math.NaN()}} }, "is NaN"},
		{"a weight NaN", tinySpectrum(t), func(m *Model) { m.Arrays[2].Data.([]float64)[1] = math.NaN() },
			`array "values.2": value 1 is NaN`},
		{"an array of another type", tinySpectrum(t), func(m *Model) { m.Arrays[0].Data = []float32{1} },
			"a []float32 cannot be stored"},
		{"an array twice", tinySpectrum(t), func(m *Model) { m.Arrays[1].Name = m.Arrays[0].Name }, "duplicate array"},
	} {
		c.edit(c.from)
		var b bytes.Buffer
		if err := c.from.Write(&b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.why, err, c.want)
		}
		if b.Len() > 0 {
			t.Errorf("%s: %d bytes written", c.why, b.Len())
		}
	}
}

// brokenWriter takes so many bytes.
type brokenWriter struct{ left int }

var errFull = errors.New("no space left")

func (w *brokenWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		n := w.left
		w.left = 0
		return n, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

func TestWriteReportsEveryFailure(t *testing.T) {
	for _, m := range []*Model{tinySpectrum(t), tinySubstring(t)} {
		for n := range len(write(t, m)) {
			if err := m.Write(&brokenWriter{n}); !errors.Is(err, errFull) {
				t.Fatalf("a writer that is full after %d bytes: %v", n, err)
			}
		}
	}
}

func TestNewRefuses(t *testing.T) {
	trained, _ := flavours[0].train(t, labelled(t, 1, 12, 30, 2))
	other := *trained
	other.Kernel = struct{ stringkernel.Kernel }{trained.Kernel}
	if _, err := New(t.Context(), &other, Options{}); err == nil ||
		!strings.Contains(err.Error(), "is not in the catalogue") {
		t.Errorf("another kernel: %v", err)
	}
	if _, err := New(t.Context(), nil, Options{}); err == nil {
		t.Error("no model: taken")
	}
	if _, err := New(t.Context(), new(decide.Model), Options{}); err == nil {
		t.Error("an empty model: taken")
	}
	broken := *trained
	broken.Coef = stringkernel.NewCoefficients(1, [][]float64{{1}})
	if _, err := New(t.Context(), &broken, Options{}); err == nil || !strings.Contains(err.Error(), "coefficient") {
		t.Errorf("too few coefficients: %v", err)
	}
	other.Kernel = compose.Mean(nil, nil)
	if _, err := New(t.Context(), &other, Options{}); err == nil || !strings.Contains(err.Error(), "no kernel") {
		t.Errorf("no kernel: %v", err)
	}
	latin := *trained
	latin.Classes = []string{"caf\xe9", "the"}
	if _, err := New(t.Context(), &latin, Options{KeepSequences: true}); err == nil ||
		!strings.Contains(err.Error(), "is not UTF-8") {
		t.Errorf("a label in Latin-1: %v", err)
	}
	if _, err := (&Model{}).Classifier(t.Context()); err == nil {
		t.Error("a classifier of nothing")
	}
}
