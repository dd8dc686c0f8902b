package packed

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Writer packs records. It is for one goroutine.
type Writer struct {
	kernel   stringkernel.Kernel
	space    compose.Space
	store    store
	packer   packer
	blocks   []place
	at       int64 // end of the blocks
	letters  int64 // of all blocks
	alphabet stringkernel.Alphabet
	scales   []float64
	repeats  [][]compose.Repeat
}

// Create returns a writer into a new scratch file in a folder, that of temporary files if it is empty, of records of an
// alphabet that a compiled kernel with a [compose.Space] is trained on.
func Create(folder string, k stringkernel.Kernel, a stringkernel.Alphabet) (*Writer, error) {
	return newWriter(k, a, func() (store, error) { return createScratch(folder) })
}

// New returns a writer into memory, of such records.
func New(k stringkernel.Kernel, a stringkernel.Alphabet) (*Writer, error) {
	return newWriter(k, a, func() (store, error) { return &memory{}, nil })
}

func newWriter(k stringkernel.Kernel, a stringkernel.Alphabet, create func() (store, error)) (*Writer, error) {
	space := compose.SpaceOf(k)
	if space == nil {
		return nil, fmt.Errorf("packed: the features of %T do not fold into a table", k)
	}
	to, err := create()
	if err != nil {
		return nil, err
	}
	return &Writer{kernel: k, space: space, alphabet: a, store: to, packer: newPacker(a)}, nil
}

// Pack packs a corpus into memory.
func Pack(
	ctx context.Context, k stringkernel.Kernel, a stringkernel.Alphabet, c *stringkernel.Corpus,
) (*Records, error) {
	w, err := New(k, a)
	if err == nil {
		err = w.Add(ctx, c)
	}
	if err != nil {
		return nil, err
	}
	return w.Records()
}

// Add appends the records of a corpus. The error is that of ctx or of writing.
func (w *Writer) Add(ctx context.Context, c *stringkernel.Corpus) (err error) {
	defer cancel.Catch(&err)
	w.scales = append(w.scales[:0], make([]float64, c.Len())...)
	w.repeats = append(w.repeats, make([][]compose.Repeat, max(0, c.Len()-len(w.repeats)))...)
	walked := kmerLength(w.space, w.alphabet) > 0
	parallel.EachContext(ctx, c.Len(), func(i int) {
		x, occurrences := c.Seq(i), 0
		if walked {
			w.repeats[i], occurrences = w.space.Repeats(w.repeats[i][:0], x)
		}
		w.scales[i] = compose.ScaleOf(w.space, x, w.repeats[i], occurrences)
	})
	for i, scale := range w.scales {
		w.packer.add(c.Seq(i), scale, w.repeats[i])
		if w.packer.full() {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the block that is being packed.
func (w *Writer) flush() error {
	if w.packer.records == 0 {
		return nil
	}
	records, letters, from := w.packer.records, w.packer.letters, w.at
	parts := w.packer.block()
	if err := w.store.add(parts); err != nil {
		return w.store.wrap(err)
	}
	for _, part := range parts {
		w.at += int64(len(part))
	}
	w.blocks = append(w.blocks, place{len(w.blocks), from, w.at, records})
	w.letters += int64(letters)
	return nil
}

// Records ends the writing and returns the records. The writer must not be used afterwards but for Close.
func (w *Writer) Records() (*Records, error) {
	if err := w.flush(); err != nil {
		return nil, err
	}
	if err := w.store.complete(); err != nil {
		return nil, w.store.wrap(err)
	}
	return newRecords(w), nil
}

// Close removes the scratch file, if there is one.
func (w *Writer) Close() error { return w.store.Close() }
