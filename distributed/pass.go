package distributed

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel/shard/packed"
)

// corpus is the records of a training, which workers read: a shard is a span of it.
type corpus struct {
	Run     string
	Kernel  []string // specifications
	Plain   bool     // not normalised
	Read    seqio.Options
	Spans   []span
	Scratch string // what the names of files that travel begin with
	Size    int    // of a table
}

// kinds of a pass.
const (
	passAdd   = "add"
	passScore = "score"
	passNorms = "norms"
)

// pass is one pass over the shards of a corpus. What goes to the workers and what they answer are files of float64: for
// add the coefficients of the records of each shard, and a table of each; for score one file of tables, and scores of
// the records of each shard.
type pass struct {
	corpus
	Kind    string
	Number  int // of the pass
	Vectors int
}

func (p *pass) in(part int) string {
	if p.Kind == passScore {
		return fmt.Sprintf("%spass-%d-tables", p.Scratch, p.Number)
	}
	return fmt.Sprintf("%spass-%d-coefficients-%05d", p.Scratch, p.Number, part)
}

func (p *pass) out(part int) string {
	return fmt.Sprintf("%spass-%d-result-%05d", p.Scratch, p.Number, part)
}

// resident are the shards that this process has read, of one run.
var resident struct {
	sync.Mutex
	run    string
	shards map[int]*once[*packed.Records]
}

// shard returns the records of a span, which stay in this process for the passes to come.
func (c *corpus) shard(ctx context.Context, part int) (*packed.Records, error) {
	resident.Lock()
	if resident.run != c.Run {
		resident.run, resident.shards = c.Run, map[int]*once[*packed.Records]{}
	}
	kept := resident.shards[part]
	if kept == nil {
		kept = new(once[*packed.Records])
		resident.shards[part] = kept
	}
	resident.Unlock()
	return kept.get("", func() (*packed.Records, error) {
		spec, err := c.spec()
		if err != nil {
			return nil, err
		}
		kernel, err := spec.Compile(spec.Alphabet())
		if err != nil {
			return nil, err
		}
		var records *seqio.Collection
		err = c.Spans[part].each(ctx, func(r io.Reader) (err error) {
			records, err = seqio.ReadAll(ctx, []seqio.Input{{Path: c.Spans[part].File, Reader: r}}, c.Read)
			return err
		})
		if err != nil {
			return nil, err
		}
		return packed.Pack(ctx, kernel, spec.Alphabet(), records.Corpus)
	})
}

// spec parses the kernel. Its alphabet is that of the records, once that is known.
func (c *corpus) spec() (catalog.Spec, error) {
	spec, err := catalog.Parse(c.Kernel...)
	spec.Normalize = !c.Plain
	return spec.WithAlphabet(c.Read.Alphabet), err
}

// release forgets the shards of a run.
func (c *corpus) release() {
	resident.Lock()
	defer resident.Unlock()
	if resident.run == c.Run {
		resident.run, resident.shards = "", nil
	}
}

func (p *pass) do(ctx context.Context, part int) error {
	records, err := p.shard(ctx, part)
	if err != nil {
		return err
	}
	var answer [][]float64
	switch p.Kind {
	case passAdd:
		answer, err = p.add(ctx, records, part)
	case passScore:
		answer, err = p.score(ctx, records, part)
	default:
		answer = [][]float64{make([]float64, records.Len())}
		err = records.Norms(ctx, answer[0])
	}
	if err != nil {
		return err
	}
	return createWhole(ctx, p.out(part), func(w io.Writer) error { return writeNumbers(w, answer) })
}

// add returns the tables of the shard.
func (p *pass) add(ctx context.Context, records *packed.Records, part int) ([][]float64, error) {
	v := scratch.Vectors(p.Vectors, records.Len())
	if err := readNumbers(ctx, p.in(part), v); err != nil {
		return nil, err
	}
	tables := scratch.Vectors(p.Vectors, p.Size)
	return tables, records.Add(ctx, tables, v)
}

// score returns the scores of the shard's records.
func (p *pass) score(ctx context.Context, records *packed.Records, part int) ([][]float64, error) {
	tables := scratch.Vectors(p.Vectors, p.Size)
	if err := readNumbers(ctx, p.in(part), tables); err != nil {
		return nil, err
	}
	scores := scratch.Vectors(p.Vectors, records.Len())
	return scores, records.Score(ctx, scores, tables)
}

// numbersBlock is how many numbers are encoded at once.
const numbersBlock = 1 << 13

// writeNumbers writes numbers, little-endian.
func writeNumbers(w io.Writer, numbers [][]float64) error {
	block := make([]byte, 0, 8*numbersBlock)
	for _, list := range numbers {
		for part := range slices.Chunk(list, numbersBlock) {
			block = block[:0]
			for _, x := range part {
				block = binary.LittleEndian.AppendUint64(block, math.Float64bits(x))
			}
			if _, err := w.Write(block); err != nil {
				return err
			}
		}
	}
	return nil
}

// readNumbers fills numbers from a file, which has as many.
func readNumbers(ctx context.Context, path string, numbers [][]float64) error {
	return read(ctx, path, 0, 0, func(r io.Reader) error {
		block := make([]byte, 8*numbersBlock)
		for _, list := range numbers {
			for part := range slices.Chunk(list, numbersBlock) {
				if _, err := io.ReadFull(r, block[:8*len(part)]); err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
				for i := range part {
					part[i] = math.Float64frombits(binary.LittleEndian.Uint64(block[8*i:]))
				}
			}
		}
		return nil
	})
}
