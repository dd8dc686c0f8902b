package motif

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

const (
	pValue = 1e-4 // of a site, at most
	rounds = 10   // of refining, at most
	flank  = 3    // columns at each end that a round may add
	grain  = 100  // log-odds are multiples of 1/grain bits, so that their distribution can be counted
)

// motifs makes motifs of joined k-mers and, with records, of their sites there.
func (f *finder) motifs(ctx context.Context, joined []*counts, records []Record) (motifs []Motif, err error) {
	var r *refiner
	if records != nil {
		r = f.refiner(records)
	}
	for _, m := range joined {
		matrix := f.trim(m.probabilities(f.background, float64(spread*m.weight)), leastBits)
		if matrix == nil || len(motifs) == f.Most {
			continue
		}
		found := Motif{Matrix: matrix, Share: m.weight / f.total}
		if r != nil {
			if found, err = r.converge(ctx, matrix); err != nil {
				return nil, err
			}
			if found.Sites == nil {
				continue
			}
			found.Share = r.take(found)
		}
		found.Kmers = m.kmers
		motifs = append(motifs, found)
	}
	if r != nil {
		slices.SortStableFunc(motifs, func(a, b Motif) int { return cmp.Compare(b.Share, a.Share) })
	}
	return motifs, nil
}

func (f *finder) refiner(records []Record) *refiner {
	r := &refiner{finder: f, records: records, words: [2]*words{
		wordsOf(records, f.Alphabet, longWord), wordsOf(records, f.Alphabet, shortWord),
	}}
	for _, record := range records {
		for _, c := range record.Contributions {
			r.positive += max(0, c)
		}
	}
	return r
}

// refiner is the records with what has been found in them.
type refiner struct {
	*finder
	records  []Record
	words    [2]*words // long and short, without those of sites that were found
	positive float64   // sum of all positive contributions
}

// converge alternates between the sites of a matrix and the matrix of the sites. Without sites the motif has none.
func (r *refiner) converge(ctx context.Context, matrix [][]float64) (Motif, error) {
	found := Motif{}
	for range rounds {
		sites, err := r.sites(ctx, matrix)
		if err != nil {
			return Motif{}, err
		}
		if len(sites) == 0 {
			return Motif{}, nil
		}
		beside := min(flank, (mostColumns-len(matrix))/2)
		next := r.trim(r.matrixOf(sites, len(matrix), beside), leastBits+chanceBits(len(sites), r.Alphabet.Size()))
		if next == nil {
			return Motif{}, nil
		}
		settled := len(next) == len(matrix) && slices.Equal(sites, found.Sites)
		found = Motif{Matrix: r.matrixOf(sites, len(matrix), 0), Sites: sites}
		if settled {
			break
		}
		matrix = next
	}
	return found, nil
}

// chanceBits is the information that a column of n random letters is expected to have, (σ − 1)/(2·ln 2·n), by the
// correction of Schneider et al. (1986), doi:10.1016/0022-2836(86)90165-8.
func chanceBits(n, sigma int) float64 { return float64(sigma-1) / (2 * math.Ln2 * float64(n)) }

// matrixOf returns the letters of sites of a width, weighted by contributions, and those beside them.
func (r *refiner) matrixOf(sites []Site, width, beside int) [][]float64 {
	m := &counts{columns: scratch.Vectors(width+2*beside, r.Alphabet.Size()), kmers: len(sites)}
	codes := r.Alphabet.Codes()
	for _, s := range sites {
		x := r.records[s.Record].Letters
		for j := range m.columns {
			at := s.Start - beside + j
			if at < 0 || at >= len(x) || codes[x[at]] == stringkernel.Outside {
				continue
			}
			if s.Reverse {
				m.columns[len(m.columns)-1-j][3-codes[x[at]]] += s.Contribution
			} else {
				m.columns[j][codes[x[at]]] += s.Contribution
			}
		}
		m.weight += s.Contribution
	}
	// as much as one site is spread, so that few sites say little
	return m.probabilities(r.background, m.weight/float64(len(sites)))
}

// sites finds those of a matrix in all records.
func (r *refiner) sites(ctx context.Context, matrix [][]float64) ([]Site, error) {
	odds, least := r.whole(matrix)
	scan := r.scannerOf(odds, least)
	found := make([][]Site, len(r.records))
	err := parallel.Do(ctx, len(r.records), func(i int) error {
		found[i] = scan.sitesOf(i)
		return nil
	})
	return slices.Concat(found...), err
}

// whole returns log-odds in multiples of 1/grain, and the least sum of a site.
func (r *refiner) whole(matrix [][]float64) (odds [][]int, least int) {
	odds = make([][]int, len(matrix))
	low, high := 0, 0
	for j, row := range r.logOdds(matrix) {
		for _, x := range row {
			odds[j] = append(odds[j], int(math.Round(float64(x*grain))))
		}
		low, high = low+slices.Min(odds[j]), high+slices.Max(odds[j])
	}
	chances := r.distribution(odds, high-low)
	tail := chances[high-low]
	least = high
	for ; least > low && tail+chances[least-1-low] <= pValue; least-- {
		tail += chances[least-1-low]
	}
	return odds, least
}

// distribution returns the probability of each sum of log-odds in a random window, from the least sum on.
func (r *refiner) distribution(odds [][]int, span int) []float64 {
	chances, next := make([]float64, span+1), make([]float64, span+1)
	chances[0] = 1
	reached := 0
	for _, row := range odds {
		low := slices.Min(row)
		clear(next)
		for sum, p := range chances[:reached+1] {
			if p == 0 {
				continue
			}
			for c, x := range row {
				next[sum+x-low] += float64(p * r.background[c])
			}
		}
		reached += slices.Max(row) - low
		chances, next = next, chances
	}
	return chances
}

// candidate is a window that may be a site.
type candidate struct {
	Site
	sum int // log-odds
}

// scanner finds the sites of a matrix.
type scanner struct {
	*refiner
	codes            [][]uint16 // of words
	width            int
	least            int
	forward, reverse *lookahead // the latter nil of one strand
}

func (r *refiner) scannerOf(odds [][]int, least int) *scanner {
	w := r.words[0]
	if len(odds) < w.length {
		w = r.words[1]
	}
	s := &scanner{refiner: r, codes: w.codes, width: len(odds), least: least, forward: w.newLookahead(odds, least)}
	if r.BothStrands {
		s.reverse = w.newLookahead(flipped(odds), least)
	}
	return s
}

// sitesOf returns the sites in a record that do not overlap, by start.
func (s *scanner) sitesOf(i int) (sites []Site) {
	list := s.candidates(i)
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.sum, a.sum) })
	for _, c := range list {
		apart := !slices.ContainsFunc(sites, func(other Site) bool {
			return other.Start < c.Start+s.width && c.Start < other.Start+s.width
		})
		if apart {
			sites = append(sites, c.Site)
		}
	}
	slices.SortFunc(sites, func(a, b Site) int { return cmp.Compare(a.Start, b.Start) })
	return sites
}

// candidates returns the windows of a record with enough log-odds and a positive contribution, which belong to no other
// motif.
func (s *scanner) candidates(i int) (list []candidate) {
	codes, starts := s.codes[i], len(s.records[i].Letters)-s.width+1
	if starts < 1 {
		return nil
	}
	a, b := s.forward, s.forward
	if s.reverse != nil {
		b = s.reverse
	}
	ofB := codes[b.chunks[0].at:][:starts]
	for start, code := range codes[a.chunks[0].at:][:starts] {
		if !a.maybe[code%uint16(len(a.maybe))] && !b.maybe[ofB[start]%uint16(len(b.maybe))] {
			continue
		}
		window := codes[start:]
		c := candidate{Site{Record: i, Start: start}, s.forward.score(window)}
		if s.reverse != nil {
			if reverse := s.reverse.score(window); reverse > c.sum {
				c.sum, c.Reverse = reverse, true
			}
		}
		if c.sum < s.least {
			continue
		}
		c.Contribution = vectors.Sum(s.records[i].Contributions[start : start+s.width])
		if c.Contribution > 0 {
			list = append(list, c)
		}
	}
	return list
}

// take marks the sites of a motif, and returns its share of the decision.
func (r *refiner) take(m Motif) (share float64) {
	sum := 0.0
	for _, s := range m.Sites {
		for at := s.Start; at < s.Start+len(m.Matrix); at++ {
			for _, w := range r.words {
				w.take(s.Record, at)
			}
			sum += max(0, r.records[s.Record].Contributions[at])
		}
	}
	return sum / r.positive
}
