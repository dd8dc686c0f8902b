package scan

import (
	"context"
	"math"

	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/background"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Null says what sequences without sites look like.
//
// With Copies it is shuffles of a source, the genome itself: pieces of [ShuffledLetters], or of a window if that is
// more, are shuffled one by one, so that composition varies along the shuffles as it does along the genome. Shuffles of
// dna and rna keep dinucleotides, others letters. A discovery is then one that composition does not explain. Of a
// genome in which a letter depends on no more than the one before, the shuffles are exchangeable with the genome, and
// rates are exact; a real genome has more structure (genes, repeats), and a classifier that was trained on something
// else than shuffles may have learnt it.
//
// Without Copies it is the source as it is: sequences known to have no sites, which the classifier was not trained on.
// Those that it was trained on score too low, and everything would be a discovery.
type Null struct {
	Source Source
	Copies int // number of shuffles, 0 for none
	Seed   uint64
}

// ShuffledLetters is the least length of the pieces that are shuffled.
const ShuffledLetters = 200

// peaks calls visit with the scores of the peaks of a source, in order, and returns the number of windows. A window
// counts once, with the better of its strands.
func (s *Scanner) peaks(ctx context.Context, source Source, distance int, visit func(score float64)) (int64, error) {
	better := *s
	better.BetterStrand = true
	windows := int64(0)
	sink := &Suppressor{Distance: distance, Joint: true, Next: scores(visit)}
	err := better.Run(ctx, source, Job{peaks: distance, Emit: func(b *Batch) error {
		windows += int64(b.windows)
		for _, h := range b.Hits {
			if err := sink.Add(s.Region(b, h)); err != nil {
				return err
			}
		}
		return nil
	}})
	if err != nil {
		return 0, err
	}
	return windows, sink.End()
}

// scores is a sink of scores.
type scores func(score float64)

// Add takes a region.
func (f scores) Add(r Region) error {
	f(r.Score)
	return nil
}

// End does nothing.
func (f scores) End() error { return nil }

// nullPeaks calls visit with the scores of the peaks under a null, and returns the number of windows.
func (s *Scanner) nullPeaks(ctx context.Context, null Null, distance int, visit func(score float64)) (int64, error) {
	if null.Copies == 0 {
		return s.peaks(ctx, null.Source, distance, visit)
	}
	better := *s
	better.BetterStrand = true
	windows := int64(0)
	err := better.Run(ctx, null.Source, Job{peaks: distance, shuffles: s.shuffles(null), Emit: func(b *Batch) error {
		windows += int64(b.windows)
		for _, h := range b.Hits {
			visit(h.Score)
		}
		return nil
	}})
	return windows, err
}

// shuffles are copies of chunks with their letters shuffled.
type shuffles struct {
	shuffler background.Shuffler
	piece    int // letters that are shuffled together
	copies   int
	seed     uint64
}

func (s *Scanner) shuffles(null Null) *shuffles {
	k := 1
	if s.Alphabet.Complementary() {
		k = 2
	}
	return &shuffles{
		shuffler: background.Shuffler{K: k, Alphabet: s.Alphabet}, piece: max(ShuffledLetters, s.Window),
		copies: null.Copies, seed: null.Seed,
	}
}

// shuffle writes a shuffle of a chunk over dst. Other chunks and other copies have other random numbers, whatever the
// order in which they are shuffled.
func (f *shuffles) shuffle(dst []byte, c seqio.Chunk, copy int) []byte {
	rng := background.NewRand(f.seed+hash.SplitMix(uint64(c.Start)+hash.Golden), c.Index, copy)
	dst = scratch.Resize(dst, len(c.Seq))
	for lo := 0; lo < len(c.Seq); {
		hi := lo + f.piece
		if len(c.Seq)-hi < f.piece { // what is left would be shorter
			hi = len(c.Seq)
		}
		f.shuffler.ShuffleTo(dst[lo:lo], c.Seq[lo:hi], rng)
		lo = hi
	}
	return dst
}

// shuffledPeaks adds the peaks of all shuffles of a chunk to its batch. A shuffle ends with its chunk: at its ends
// there may be a peak more than in a longer one, which errs on the safe side.
func (s *Scanner) shuffledPeaks(ctx context.Context, b *Batch, w *work, c *seqio.Chunk, job Job) {
	chunk := *c
	for copy := range job.shuffles.copies {
		if ctx.Err() != nil {
			return // the run ends with the error
		}
		w.shuffled = job.shuffles.shuffle(w.shuffled, *c, copy)
		chunk.Seq = w.shuffled
		w.hits = s.hits(w.hits[:0], w, chunk, math.Inf(-1))
		b.windows += len(w.hits)
		sink := Suppressor{Distance: job.peaks, Joint: true, Next: (*hitList)(&b.Hits)}
		for _, h := range w.thinner.thin(w.hits, job.peaks, everywhere) {
			sink.Add(s.Region(b, h)) // hitList has no errors
		}
		sink.End()
	}
}

// hitList is a sink that keeps regions as hits.
type hitList []Hit

// Add takes a region.
func (l *hitList) Add(r Region) error {
	*l = append(*l, Hit{r.Start, r.Score, r.Strand})
	return nil
}

// End does nothing.
func (l *hitList) End() error { return nil }

// SourceOf gives the records of a corpus in chunks.
func SourceOf(c *stringkernel.Corpus, opt seqio.StreamOptions) Source {
	return func(visit func(seqio.Chunk) error) error {
		for i := range c.Len() {
			if err := eachChunk(seqio.Chunk{Record: c.Name(i), Index: i, Seq: c.Seq(i)}, opt, visit); err != nil {
				return err
			}
		}
		return nil
	}
}

// eachChunk cuts a record into chunks.
func eachChunk(record seqio.Chunk, opt seqio.StreamOptions, visit func(seqio.Chunk) error) error {
	for start, x := 0, record.Seq; ; start += opt.Size {
		end := min(start+opt.Size+opt.Overlap, len(x))
		chunk := record
		chunk.Start, chunk.Seq, chunk.Last = start, x[start:end], end == len(x)
		if err := visit(chunk); err != nil || chunk.Last {
			return err
		}
	}
}
