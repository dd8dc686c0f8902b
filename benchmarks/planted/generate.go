package planted

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/seqsvm/seqsvm/internal/iupac"
	"github.com/seqsvm/seqsvm/stringkernel"
)

const bases = "ACGT"

// The labels of a set.
const (
	PositiveLabel = "+1" // carries the motif
	NegativeLabel = "-1" // background only
)

var labelOf = map[bool]string{true: PositiveLabel, false: NegativeLabel}

// Site is a planted copy.
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
	Sites  []*Site  // nil for true negatives
}

// Generate makes a set. Its error is that of Options.Check. O(N·Length).
func Generate(o Options) (*Set, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	s := newSource(o.Seed)
	motif := strings.ToUpper(o.Motif)
	if motif == "" {
		motif = string(drawBases(s, make([]byte, DefaultWidth)))
	}
	positive := drawTruth(s, o.N)

	set := &Set{
		Motif: motif,
		Names: make([]string, o.N),
		Seqs:  make([][]byte, o.N),
		Sites: make([]*Site, o.N),
	}
	arena := make([]byte, o.N*o.Length)
	for i := range set.Seqs {
		sequence := arena[i*o.Length : (i+1)*o.Length : (i+1)*o.Length]
		s.pcg.Uint64() // a draw without use: the sets of a seed stay those of the figures
		drawBases(s, sequence)
		if positive[i] {
			set.Sites[i] = plant(s, sequence, motif, o)
		}
		set.Seqs[i] = sequence
		set.Names[i] = fmt.Sprintf("seq%d", i+1)
	}
	set.Labels = drawLabels(s, positive, o.Flip)
	return set, nil
}

// drawBases fills x with bases, all equally likely, and returns it.
func drawBases(s source, x []byte) []byte {
	for i := range x {
		x[i] = bases[s.below(len(bases))]
	}
	return x
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
		labels[i] = labelOf[p]
		members[p] = append(members[p], i)
	}
	for _, class := range []bool{true, false} {
		records := members[class]
		s.shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		for _, i := range records[:int(math.Round(flip*float64(len(records))))] {
			labels[i] = labelOf[!class]
		}
	}
	return labels
}

// plant writes a copy into a sequence, all places equally likely.
func plant(s source, sequence []byte, motif string, o Options) *Site {
	start := s.below(len(sequence) - len(motif) + 1)
	instance := drawInstance(s, motif, o.Mutations)
	reverse := o.BothStrands && s.below(2) == 1
	if reverse {
		instance = stringkernel.DNA.ReverseComplementTo(nil, instance)
	}
	copy(sequence[start:], instance)
	return &Site{start, reverse}
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

// WriteFASTA writes one record per sequence: a header ">name label=+1", and the
// bases on one line.
func (set *Set) WriteFASTA(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i, sequence := range set.Seqs {
		// Errors of a bufio.Writer stay until Flush reports them.
		fmt.Fprintf(out, ">%s label=%s\n%s\n", set.Names[i], set.Labels[i], sequence)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("planted: %w", err)
	}
	return nil
}

// Options describe a set. Zero values of the fields below Length are useful: an
// exact copy per positive sequence of a random motif of DefaultWidth bases, on one
// strand, with no label noise.
type Options struct {
	N           int     // records, ≥ 1; N·Length is below 2³¹
	Length      int     // bases per record, ≥ 1
	Motif       string  // IUPAC letters in either case, U for T; "" draws one of DefaultWidth bases
	Mutations   int     // bases substituted in every copy, 0 … width of the motif
	BothStrands bool    // plant each copy on a random strand
	Flip        float64 // share of labels inverted in each class, 0 … 1
	Seed        uint64  // of the random numbers
}

// DefaultWidth is the width of a motif that Generate draws itself.
const DefaultWidth = 12

// Check reports the first option that is out of range, naming what was expected.
func (o Options) Check() error {
	width := cmp.Or(len(o.Motif), DefaultWidth)
	switch {
	case o.N < 1:
		return fmt.Errorf("planted: %d records, want ≥ 1", o.N)
	case o.Length < 1:
		return fmt.Errorf("planted: length %d, want ≥ 1", o.Length)
	case o.Length > math.MaxInt32/o.N:
		return fmt.Errorf("planted: %d records of %d bases, want a total ≤ %d", o.N, o.Length, math.MaxInt32)
	case o.Length < width:
		return fmt.Errorf("planted: length %d, want ≥ %d, the motif's width", o.Length, width)
	case o.Mutations < 0 || o.Mutations > width:
		return fmt.Errorf("planted: %d mutations, want 0 … %d, the motif's width", o.Mutations, width)
	case !(o.Flip >= 0 && o.Flip <= 1): // also refuses NaN
		return fmt.Errorf("planted: flipped share %v, want 0 … 1", o.Flip)
	}
	const letters = "ACGTURYSWKMBDHVN"
	known := func(r rune) bool { return strings.ContainsRune(letters+strings.ToLower(letters), r) }
	if at := strings.IndexFunc(o.Motif, func(r rune) bool { return !known(r) }); at >= 0 {
		return fmt.Errorf("planted: motif %q: byte %d: want an IUPAC letter of %s", o.Motif, at+1, letters)
	}
	return nil
}
