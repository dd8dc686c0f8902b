package distributed

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/internal/table"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/matrix"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Kernel says which matrix to compute.
type Kernel struct {
	Kernel      []string // specifications, such as spectrum:k=4
	NoNormalize bool     // the kernel as it is, not k(x, y)/√(k(x, x)·k(y, y))
	Files       []string // patterns, on any file system that Beam knows
	Format      string   // tsv (also if empty) or npy
	Blocks      int      // of rows, each a part; 0: one per lane
}

// gramBlocks is a run of Kernel.
type gramBlocks struct {
	Kernel
	Run, Output string
	Rows        int
}

// gram is an indexed corpus.
type gram struct {
	stringkernel.Gram
	corpus *stringkernel.Corpus
}

var grams once[gram]

// Kernel computes the Gram matrix of the records of all files, as matrix gram of the tool does of one. Every
// worker indexes all records, and computes some rows.
func (j *Job) Kernel(ctx context.Context, o Kernel) (err error) {
	if !slices.Contains([]string{"", "tsv", "npy"}, o.Format) {
		return fmt.Errorf("--format %.20q, want tsv or npy", o.Format)
	}
	if o.Files, err = expand(ctx, o.Files); err != nil {
		return err
	}
	g := &gramBlocks{Kernel: o, Run: rand.Text(), Output: j.Output}
	all, err := g.index(ctx)
	if err != nil {
		return err
	}
	if g.Rows = all.corpus.Len(); g.Rows == 0 {
		return errors.New("no records")
	}
	if g.Blocks <= 0 {
		g.Blocks = j.lanes()
	}
	g.Blocks = min(g.Blocks, g.Rows)
	return j.runOutput(ctx, g.Blocks, "kernel", g)
}

// index reads and indexes the records, once per process.
func (g *gramBlocks) index(ctx context.Context) (gram, error) {
	return grams.get(g.Run, func() (gram, error) {
		spec, err := catalog.Parse(g.Kernel.Kernel...)
		if err != nil {
			return gram{}, err
		}
		spec.Normalize = !g.NoNormalize
		all, err := readAll(ctx, g.Files, seqio.Options{RepeatedIDs: true, OptionalLabels: true,
			Alphabet: spec.Alphabet()})
		if err != nil {
			return gram{}, err
		}
		alphabet := all.DetectAlphabet()
		kernel, err := spec.WithAlphabet(alphabet).Compile(alphabet)
		if err != nil {
			return gram{}, fmt.Errorf("on %s sequences: %w", alphabet, err)
		}
		if kernel, err = stringkernel.Fit(ctx, kernel, all.Corpus); err != nil {
			return gram{}, all.Placed(err)
		}
		index, err := kernel.Gram(ctx, all.Corpus)
		if err != nil {
			return gram{}, all.Placed(err)
		}
		return gram{index, all.Corpus}, nil
	})
}

// readAll reads files that Beam knows.
func readAll(ctx context.Context, files []string, o seqio.Options) (*seqio.Collection, error) {
	inputs := make([]seqio.Input, len(files))
	for i, file := range files {
		err := read(ctx, file, 0, 0, func(r io.Reader) error {
			text, err := io.ReadAll(r)
			inputs[i] = seqio.Input{Path: file, Reader: bytes.NewReader(text)}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return seqio.ReadAll(ctx, inputs, o)
}

func (g *gramBlocks) do(ctx context.Context, part int) error {
	all, err := g.index(ctx)
	if err != nil {
		return err
	}
	n := all.corpus.Len()
	from, to := part*n/g.Blocks, (part+1)*n/g.Blocks
	return createWhole(ctx, written(g.Output, part), func(w io.Writer) error {
		if part == 0 {
			if _, err := g.open(w, all.corpus, 0, n); err != nil {
				return err
			}
		}
		return g.rows(ctx, w, all, from, to)
	})
}

// open begins a matrix of the rows from … to − 1. The head is written at once.
func (g *gramBlocks) open(w io.Writer, c *stringkernel.Corpus, from, to int) (matrix.Writer, error) {
	if g.Format == "npy" {
		return matrix.NewNPY(w, to-from, c.Len())
	}
	ids := make([]string, c.Len())
	for i := range ids {
		ids[i] = c.Name(i)
	}
	return matrix.NewTSV(w, true, ids[from:to], ids, table.Significant)
}

// rows writes rows without the head.
func (g *gramBlocks) rows(ctx context.Context, w io.Writer, all gram, from, to int) error {
	var head bytes.Buffer
	if _, err := g.open(&head, all.corpus, from, to); err != nil {
		return err
	}
	out, err := g.open(&headless{w: w, left: head.Len()}, all.corpus, from, to)
	if err != nil {
		return err
	}
	if err := stringkernel.EachRow(ctx, all.Gram, from, to, func(i int, row []float64) error {
		recordsDone.Inc(ctx, 1)
		return out.WriteRow(i-from, row)
	}); err != nil {
		return err
	}
	return out.Close()
}

// headless passes on what is written after the first bytes.
type headless struct {
	w    io.Writer
	left int // bytes to leave out
}

func (h *headless) Write(p []byte) (int, error) {
	skip := min(h.left, len(p))
	h.left -= skip
	if skip == len(p) {
		return len(p), nil
	}
	n, err := h.w.Write(p[skip:])
	return skip + n, err
}
