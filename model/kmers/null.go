package kmers

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/genome"
)

// Null is how great differences are by chance: |delta| of single-nucleotide variants by base change, reference and
// alternative. The zero value has none.
type Null struct{ deltas map[[2]string][]float64 }

// Add adds the difference of a variant; one that is not of a single nucleotide, or is not a number, is passed over.
func (n *Null) Add(ref, alt string, delta float64) {
	if n.deltas == nil {
		n.deltas = map[[2]string][]float64{}
	}
	if len(ref) == 1 && len(alt) == 1 && !math.IsNaN(delta) {
		n.deltas[[2]string{ref, alt}] = append(n.deltas[[2]string{ref, alt}], math.Abs(delta))
	}
}

// Sort makes the null ready for [Null.Percentile].
func (n *Null) Sort() {
	for _, list := range n.deltas {
		slices.Sort(list)
	}
}

// Percentile returns the share, of 100, of the variants of a base change whose |delta| is at most that of a variant. It
// is NaN if there are none. [Null.Sort] was called before.
func (n *Null) Percentile(ref, alt string, delta float64) float64 {
	list := n.deltas[[2]string{ref, alt}]
	notGreater := sort.Search(len(list), func(i int) bool { return list[i] > math.Abs(delta) })
	return 100 * float64(notGreater) / float64(len(list))
}

// RandomSNVs passes to visit, for each base, a number of random places of a genome that have it, as sites with the
// three other bases as alleles and around letters on either side, one at a time. names are the chromosomes, each letter
// of which has the same chance. Of a base that is rarer than one in a hundred letters there may be fewer. An error is
// that of ctx or the genome.
func RandomSNVs(ctx context.Context, g Genome, names []string, places int, seed uint64, around int,
	visit func([]Site)) error {
	starts := make([]int, len(names)+1)
	for i, name := range names {
		length, _ := g.Length(name)
		starts[i+1] = starts[i] + length
	}
	const most = 100 // draws for each place wanted
	random, total := rand.New(rand.NewPCG(seed, 0)), starts[len(names)]
	var found [len(bases)]int
	var site [1]Site
	var letter []byte
	for range most * places {
		if total == 0 || slices.Min(found[:]) == places || ctx.Err() != nil {
			break
		}
		at := random.IntN(total)
		i := sort.SearchInts(starts, at+1) - 1
		pos := at - starts[i]
		var err error
		if letter, err = g.AppendSlice(letter[:0], names[i], pos, pos+1); err != nil {
			return err
		}
		base := strings.IndexByte(bases, letter[0])
		if base < 0 || found[base] == places {
			continue
		}
		found[base]++
		v := genome.Variant{Chrom: names[i], Pos: pos + 1, Ref: bases[base : base+1]}
		for _, alt := range strings.Replace(bases, v.Ref, "", 1) {
			v.Alt = append(v.Alt, genome.Allele{Text: string(alt)})
		}
		if err := site[0].Look(g, v, around); err != nil {
			return err
		}
		visit(site[:])
	}
	return ctx.Err()
}
