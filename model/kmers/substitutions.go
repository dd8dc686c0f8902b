package kmers

import (
	"context"
	"math"
	"strings"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// bases are the letters of a substitution, in the order of its numbers.
const bases = "ACGT"

// changesTo writes what each of the four bases in place of each letter of x does to the raw score, at 4·i + base.
func (s *Scorer) changesTo(dst []float64, x []byte) {
	weighsAlike := stringkernel.TraitsOf(s.raw).Around != nil
	if letters := gapped.LetterExplainerOf(s.raw); letters != nil && weighsAlike {
		letters.ChangesTo(dst, 0, x)
		return
	}
	clear(dst)
	one, kmer := make([]float64, 1), make([]byte, s.length)
	for i := 0; i+s.length <= len(x); i++ {
		own := s.score(one, x[i:i+s.length])
		copy(kmer, x[i:])
		for p, letter := range kmer {
			for b := range bases {
				if kmer[p] = bases[b]; kmer[p] != letter {
					dst[4*(i+p)+b] += s.score(one, kmer) - own
				}
			}
			kmer[p] = letter
		}
	}
}

const (
	substitutedLetters = 1 << 9 // whose numbers stay in a cache
	substitutedBlocks  = 64     // in a piece, for the processors to share
)

// EachSubstitution calls visit with the effects of all substitutions of single bases in some pieces of a chromosome, in
// order: the numbers of the letters from start (0-based) on, at 4·i + base for A, C, G, T, of the difference of raw
// scores of the chromosome that [Scorer.Deltas] is too. The letter that is there, and letters other than A, C, G and T,
// have NaN, and so have soft-masked ones of a genome that tells. changes is of use until visit returns. It takes a
// look-up or two per letter of a k-mer for each position, on all processors, with the same bits for any number of them;
// memory does not depend on the pieces. The error is that of ctx, of the genome or of visit.
func (s *Scorer) EachSubstitution(
	ctx context.Context, g Genome, chrom string, spans []genome.Span, visit func(start int, changes []float32) error,
) error {
	length, found := g.Length(chrom)
	if !found {
		return genome.Misfitf(genome.UnknownSequence, "chromosome %.80q is not in the genome", chrom)
	}
	around := s.length - 1
	changes := make([]float32, 4*substitutedLetters*substitutedBlocks)
	var piece []byte
	for _, span := range spans {
		for start := span.Start; start < span.End; start += substitutedLetters * substitutedBlocks {
			end := min(start+substitutedLetters*substitutedBlocks, span.End)
			from, to := max(0, start-around), min(length, end+around)
			var err error
			if piece, err = g.AppendSlice(piece[:0], chrom, from, to); err != nil {
				return err
			}
			err = parallel.Do(ctx, (end-start+substitutedLetters-1)/substitutedLetters, func(block int) error {
				lo := start + block*substitutedLetters
				hi := min(lo+substitutedLetters, end)
				left, right := max(from, lo-around), min(to, hi+around)
				s.substitute(changes[4*(lo-start):4*(hi-start)], piece[left-from:right-from], lo-left)
				return nil
			})
			if err == nil {
				err = visit(start, changes[:4*(end-start)])
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// substitute writes the changes of the letters of x from a place on.
func (s *Scorer) substitute(dst []float32, x []byte, from int) {
	values := make([]float64, 4*len(x))
	s.changesTo(values, x)
	nan := float32(math.NaN())
	for i, letter := range x[from : from+len(dst)/4] {
		four, own := dst[4*i:4*i+4], strings.IndexByte(bases, letter)
		for b := range four {
			if four[b] = float32(values[4*(from+i)+b]); own < 0 || b == own {
				four[b] = nan
			}
		}
	}
}
