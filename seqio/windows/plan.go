package windows

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/seqio/genome"
)

// Plan says which windows to cut.
type Plan struct {
	Upstream   int   // letters before the anchor, ≥ 0
	Downstream int   // letters from the anchor on, ≥ 1 and at least those of the motif
	Motif      Motif // consensus, which begins at the anchor

	Sites    []Site   // the true sites; several at one place count once
	Regions  []Region // where decoys may have their anchors; may overlap
	Anywhere bool     // decoys may be anywhere on both strands, whatever the regions
	// from the anchor of a decoy to that of every site on either strand, at least; 0 bars the sites alone, each on its
	// strand
	Distance int

	Split       Split
	Train, Test Decoys // of the two parts; Test is not used without a split

	KeepDuplicates bool   // keep windows with equal letters
	Seed           uint64 // of the draws of blocks and of decoys
}

// Decoys says how many decoys go with the true windows of a part: Number of them and Ratio times as many as there are
// true windows, or all there are. Fewer are returned if there are not enough.
type Decoys struct {
	All    bool
	Number int
	Ratio  float64
}

// Window is a window that was cut.
type Window struct {
	Seq         string
	genome.Span               // of all letters, 0-based and half-open, counted on the plus strand
	Strand      genome.Strand // Plus or Minus
	True        bool          // the window of a site, else a decoy
	Name        string        // of the transcript or interval of the site
	Letters     string        // A, C, G and T, in the direction of the strand
}

// Place returns where a window is as people write it: “chrI:101-241(+)”, 1-based and inclusive.
func (w *Window) Place() string {
	return fmt.Sprintf("%s:%d-%d(%s)", w.Seq, w.Start+1, w.End, w.Strand)
}

// Result is what was cut and what was not. Windows are in the order of the genome: by record, position and strand.
type Result struct {
	Train, Test []Window // all are for training if there is no split
	True, Decoy Counts
}

// longest is the greatest length of a window: far beyond any use, and so short that sums of it are safe.
const longest = 1 << 24

// Check returns an error that names what is out of range.
func (p *Plan) Check() error {
	length := p.Upstream + p.Downstream
	switch {
	case p.Upstream < 0 || p.Upstream > longest:
		return fmt.Errorf("windows: %d letters upstream, want 0 to %d", p.Upstream, longest)
	case p.Downstream < 1 || p.Downstream > longest:
		return fmt.Errorf("windows: %d letters downstream, want 1 to %d", p.Downstream, longest)
	case p.Downstream < len(p.Motif):
		return fmt.Errorf("windows: %d letters downstream, want at least the %d of the consensus %s", p.Downstream,
			len(p.Motif), p.Motif)
	case p.Distance < 0:
		return fmt.Errorf("windows: distance %d, want ≥ 0", p.Distance)
	}
	if err := p.Motif.Check(); err != nil {
		return fmt.Errorf("windows: %w", err)
	}
	for _, d := range []Decoys{p.Train, p.Test} {
		if d.Number < 0 || d.Number > mostPicks || !(d.Ratio >= 0 && d.Ratio <= math.MaxInt32) {
			return fmt.Errorf("windows: %d decoys and %v per true window, want numbers from 0 to %d and %d", d.Number,
				d.Ratio, mostPicks, math.MaxInt32)
		}
	}
	return p.Split.check(length)
}

// Cut cuts the windows of a plan from a genome. It is an error if a part is left without a true window, or without
// decoys where some were asked for. The result depends on the genome, the plan and nothing else.
func (p *Plan) Cut(ctx context.Context, g Genome) (*Result, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	lands, err := survey(p, g)
	if err != nil {
		return nil, err
	}
	c := &cutter{plan: p, genome: g, lands: lands, seen: map[string]owner{}}
	c.forward, c.reverse = p.Motif.masks()
	return c.cut(ctx)
}

// place returns the first letter of the window of an anchor and the one after the last.
func (p *Plan) place(pos int, strand genome.Strand) (start, end int) {
	if strand == genome.Minus {
		return pos - p.Downstream + 1, pos + p.Upstream + 1
	}
	return pos - p.Upstream, pos + p.Downstream
}
