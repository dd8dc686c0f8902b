package planted

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/internal/iupac"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The labels of a set.
const (
	PositiveLabel = "+1" // carries the motif
	NegativeLabel = "-1" // background only
)

// Site is one planted copy.
type Site struct {
	Start   int  // of its first base in the sequence, 0-based
	Reverse bool // whether the reverse complement was planted
}

// Set is a generated problem. Names, Labels, Seqs and Sites have one entry per
// record.
type Set struct {
	Motif  string   // in upper case, as given or as drawn
	Names  []string // seq1, seq2, …
	Labels []string // PositiveLabel or NegativeLabel, after label noise
	Seqs   [][]byte // upper-case A, C, G, T, back to back in one array
	Sites  [][]Site // the copies by ascending start; empty for true negatives
}

// Generate makes a set. Its error is that of Options.Check. O(N·Length).
func Generate(o Options) (*Set, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	o, _ = o.filled()
	s := newSource(o.Seed)
	motif := strings.ToUpper(o.Motif)
	if motif == "" {
		motif = drawMotif(s)
	}
	chain := newBackground(s, o.Order, o.GC)
	positive := drawTruth(s, o.N)

	set := &Set{
		Motif: motif,
		Names: make([]string, o.N),
		Seqs:  make([][]byte, o.N),
		Sites: make([][]Site, o.N),
	}
	arena := make([]byte, o.N*o.Length)
	for i := range set.Seqs {
		sequence := arena[i*o.Length : (i+1)*o.Length : (i+1)*o.Length]
		chain.fill(s, sequence)
		if positive[i] {
			set.Sites[i] = plant(s, sequence, motif, o)
		}
		set.Seqs[i] = sequence
		set.Names[i] = fmt.Sprintf("seq%d", i+1)
	}
	set.Labels = drawLabels(s, positive, o.Flip)
	return set, nil
}

// drawMotif draws DefaultWidth bases.
func drawMotif(s source) string {
	motif := make([]byte, DefaultWidth)
	for i := range motif {
		motif[i] = bases[s.below(len(bases))]
	}
	return string(motif)
}

// drawTruth says which records are positive: half, rounded up, in random order.
func drawTruth(s source, n int) []bool {
	positive := make([]bool, n)
	for i := range n - n/2 {
		positive[i] = true
	}
	s.shuffle(n, func(i, j int) { positive[i], positive[j] = positive[j], positive[i] })
	return positive
}

// drawLabels names the classes and inverts a share of the names in each class.
func drawLabels(s source, positive []bool, flip float64) []string {
	labels := make([]string, len(positive))
	members := map[bool][]int{}
	for i, p := range positive {
		labels[i] = labelOf(p)
		members[p] = append(members[p], i)
	}
	for _, class := range []bool{true, false} {
		records := members[class]
		s.shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		for _, i := range records[:int(math.Round(flip*float64(len(records))))] {
			labels[i] = labelOf(!class)
		}
	}
	return labels
}

func labelOf(positive bool) string {
	if positive {
		return PositiveLabel
	}
	return NegativeLabel
}

// plant writes the copies into a sequence. Copies without overlap correspond to
// choices among the places that remain when every copy is shrunk to one base.
func plant(s source, sequence []byte, motif string, o Options) []Site {
	copies, width := o.Copies, len(motif)
	starts := s.choose(copies, len(sequence)-copies*(width-1))
	slices.Sort(starts)
	sites := make([]Site, copies)
	for c, start := range starts {
		start += c * (width - 1)
		instance := drawInstance(s, motif, o.Mutations)
		reverse := o.BothStrands && s.below(2) == 1
		if reverse {
			instance = stringkernel.DNA.ReverseComplementTo(nil, instance)
		}
		copy(sequence[start:], instance)
		sites[c] = Site{start, reverse}
	}
	return sites
}

// drawInstance draws one reading of the motif and substitutes bases in it.
func drawInstance(s source, motif string, mutations int) []byte {
	instance := make([]byte, len(motif))
	for i := range instance {
		choices := iupac.Bases(motif[i])
		instance[i] = choices[s.below(len(choices))]
	}
	for _, i := range s.choose(mutations, len(instance)) {
		old := strings.IndexByte(bases, instance[i])
		instance[i] = bases[(old+1+s.below(len(bases)-1))%len(bases)]
	}
	return instance
}

// Options describe a set. Zero values of the fields below Length are useful: one
// exact copy per positive sequence of a random motif of DefaultWidth bases, on one
// strand, in a uniform background, with no label noise.
type Options struct {
	N           int     // records, ≥ 1; N·Length is below 2³¹
	Length      int     // bases per record, ≥ 1
	Motif       string  // IUPAC letters in either case, U for T; "" draws one of DefaultWidth bases
	Mutations   int     // bases substituted in every copy, 0 … width of the motif
	Copies      int     // copies per positive record; 0 means 1
	BothStrands bool    // plant each copy on a random strand
	Order       int     // of the background's Markov chain, 0 … MaxOrder
	GC          int     // weight of G and C in per cent, 1 … 99; 0 means 50
	Flip        float64 // share of labels inverted in each class, 0 … 1
	Seed        uint64  // of the random numbers
}

const (
	// DefaultWidth is the width of a motif that Generate draws itself.
	DefaultWidth = 12
	// MaxOrder is the highest order of the background; it needs 4^(order+1) weights.
	MaxOrder = 8
)

// Check reports the first option that is out of range, naming what was expected.
func (o Options) Check() error {
	o, width := o.filled()
	switch {
	case o.N < 1:
		return fmt.Errorf("planted: %d records, want ≥ 1", o.N)
	case o.Length < 1:
		return fmt.Errorf("planted: length %d, want ≥ 1", o.Length)
	case o.Length > math.MaxInt32/o.N:
		return fmt.Errorf("planted: %d records of %d bases, want a total ≤ %d", o.N, o.Length, math.MaxInt32)
	case o.Copies < 0:
		return fmt.Errorf("planted: %d copies, want ≥ 0", o.Copies)
	case o.Copies > o.Length/width:
		return fmt.Errorf("planted: %d copies of a motif of %[2]d in length %[3]d, want %[2]d × copies ≤ length",
			o.Copies, width, o.Length)
	case o.Mutations < 0 || o.Mutations > width:
		return fmt.Errorf("planted: %d mutations, want 0 … %d, the motif's width", o.Mutations, width)
	case o.Order < 0 || o.Order > MaxOrder:
		return fmt.Errorf("planted: order %d, want 0 … %d", o.Order, MaxOrder)
	case o.GC < 0 || o.GC > 99:
		return fmt.Errorf("planted: GC %d, want 1 … 99, or 0 for 50", o.GC)
	case !(o.Flip >= 0 && o.Flip <= 1): // also refuses NaN
		return fmt.Errorf("planted: flipped share %v, want 0 … 1", o.Flip)
	}
	return checkMotif(o.Motif)
}

// checkMotif wants IUPAC letters.
func checkMotif(motif string) error {
	for i, letter := range []byte(motif) {
		if letter >= 'a' && letter <= 'z' { // not by strings.ToUpper, which makes an S of a long ſ
			letter -= 'a' - 'A'
		}
		if iupac.Bases(letter) == "" {
			return fmt.Errorf("planted: motif %q: byte %d: want an IUPAC letter of ACGTURYSWKMBDHVN", motif, i+1)
		}
	}
	return nil
}

// filled returns the options with their defaults, and the width of the motif.
func (o Options) filled() (Options, int) {
	o.Copies, o.GC = cmp.Or(o.Copies, 1), cmp.Or(o.GC, 50)
	return o, cmp.Or(len(o.Motif), DefaultWidth)
}
