package windows

import (
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Kind names a kind of site of a transcript.
type Kind string

// The kinds.
const (
	Donor    Kind = "donor"    // 5' end of an intron
	Acceptor Kind = "acceptor" // 3' end of an intron
	Start    Kind = "start"    // first coding letter
	TSS      Kind = "tss"      // first letter of a transcript
)

// Kinds lists the kinds.
var Kinds = []Kind{Donor, Acceptor, Start, TSS}

// Consensus returns the usual consensus of a kind: GT, AG, ATG or none.
func (k Kind) Consensus() Motif { return map[Kind]Motif{Donor: "GT", Acceptor: "AG", Start: "ATG"}[k] }

// Check returns an error if the kind is not one of the constants above.
func (k Kind) Check() error {
	if !slices.Contains(Kinds, k) {
		return fmt.Errorf("windows: site %q is unknown, want donor, acceptor, start or tss", string(k))
	}
	return nil
}

// Site is a place of a genome: the anchor of a window.
type Site struct {
	Seq    string
	Pos    int           // of the anchor, 0-based, counted on the plus strand
	Strand genome.Strand // Plus or Minus
	Open5  bool          // the 5' end of what begins here is not known: there is no window, and no decoy
	Name   string        // of the transcript or interval it comes from
	Line   int           // of the file, 1-based
}

// Region is a piece of one strand.
type Region struct {
	Seq string
	genome.Span
	Strand genome.Strand
}

// Skipped counts the parts of an annotation that give no sites.
type Skipped struct {
	ShortIntrons int // gaps between exons that are shorter than the least intron: frameshifts, and errors
	Incomplete   int // transcripts of which coding parts alone are annotated, so that their start is not known
}

// Sites returns the sites of all transcripts, in their order; a site of several transcripts comes several times. Beyond
// the origin of a circular sequence positions begin again. Gaps
// between exons of fewer than minIntron letters are not introns. The anchor of an acceptor is as many letters before
// the exon as the motif has. No site of any is an error.
func Sites(transcripts []genome.Transcript, kind Kind, motif Motif, minIntron int) ([]Site, Skipped, error) {
	if err := kind.Check(); err != nil {
		return nil, Skipped{}, err
	}
	c := siteCollector{kind: kind, width: len(motif), minIntron: max(1, minIntron)}
	for i := range transcripts {
		c.add(&transcripts[i])
	}
	if len(c.sites) == 0 && len(transcripts) > 0 {
		return nil, c.skipped, fmt.Errorf("no transcript of %d has %s", len(transcripts), needs[kind])
	}
	return c.sites, c.skipped, nil
}

// needs are what transcripts have sites of.
var needs = map[Kind]string{
	Donor: "two exons with an intron between", Acceptor: "two exons with an intron between",
	Start: "a coding part (CDS)", TSS: "exons or a line of its own",
}

// siteCollector finds the sites of transcripts.
type siteCollector struct {
	kind             Kind
	width, minIntron int
	sites            []Site
	skipped          Skipped
}

func (c *siteCollector) add(t *genome.Transcript) {
	switch c.kind {
	case TSS:
		if !t.Whole {
			c.skipped.Incomplete++
			return
		}
		c.put(t, t.Span.First(t.Strand), t.Line, t.Open5)
	case Start:
		if t.Coding.Len() > 0 {
			c.put(t, t.Coding.First(t.Strand), t.Line, t.CodingOpen5)
		}
	default:
		for i := 1; i < len(t.Exons); i++ {
			c.addIntron(t, t.Exons[i-1], t.Exons[i])
		}
	}
}

// addIntron adds an end of the intron between two exons, the left one and the right one.
func (c *siteCollector) addIntron(t *genome.Transcript, left, right genome.Exon) {
	intron := genome.Span{Start: left.End, End: right.Start}
	if intron.Len() < c.minIntron {
		c.skipped.ShortIntrons++
		return
	}
	exon := right // that the site borders on
	if (t.Strand == genome.Plus) == (c.kind == Donor) {
		exon = left
	}
	pos := intron.First(t.Strand)
	if c.kind == Acceptor {
		if pos = intron.End - c.width; t.Strand == genome.Minus {
			pos = intron.Start + c.width - 1
		}
	}
	c.put(t, pos, exon.Line, false)
}

func (c *siteCollector) put(t *genome.Transcript, pos, line int, open5 bool) {
	if overOrigin(t) && pos >= t.Circle {
		pos -= t.Circle
	}
	c.sites = append(c.sites, Site{Seq: t.Seq, Pos: pos, Strand: t.Strand, Open5: open5, Name: t.Name, Line: line})
}

// overOrigin reports whether a transcript goes over the origin of a circular sequence.
func overOrigin(t *genome.Transcript) bool { return t.Circle > 0 && t.End > t.Circle }

// Transcribed returns the regions that transcripts cover, from their first annotated letter to their last, on their
// strand.
func Transcribed(transcripts []genome.Transcript) []Region {
	regions := make([]Region, 0, len(transcripts))
	for _, t := range transcripts {
		r := Region{Seq: t.Seq, Span: t.Span, Strand: t.Strand}
		if overOrigin(&t) {
			after := r
			r.End, after.Start, after.End = t.Circle, 0, t.End-t.Circle
			regions = append(regions, after)
		}
		regions = append(regions, r)
	}
	return regions
}

// Anchor says which letter of an interval is the anchor, in the direction of its strand.
type Anchor string

// The anchors.
const (
	AtStart  Anchor = "start"  // the first letter
	AtCentre Anchor = "centre" // the middle one, of an even number the one before the middle
	AtEnd    Anchor = "end"    // the last one
)

// IntervalSites returns the anchors of intervals. An interval without a strand counts as on the plus strand. An empty
// one is an error, which names the source and the line.
func IntervalSites(source string, intervals []genome.Interval, anchor Anchor) ([]Site, error) {
	sites := make([]Site, len(intervals))
	for i, x := range intervals {
		if x.Len() == 0 {
			return nil, lines.Errorf(source, x.Line, "the interval has no letters")
		}
		s := Site{Seq: x.Seq, Strand: x.Strand, Name: x.Name, Line: x.Line}
		if s.Strand == genome.NoStrand {
			s.Strand = genome.Plus
		}
		step := 0
		switch anchor {
		case AtStart:
		case AtCentre:
			step = (x.Len() - 1) / 2
		case AtEnd:
			step = x.Len() - 1
		default:
			return nil, fmt.Errorf("windows: anchor %q is unknown, want start, centre or end", string(anchor))
		}
		if s.Pos = x.Start + step; s.Strand == genome.Minus {
			s.Pos = x.End - 1 - step
		}
		sites[i] = s
	}
	return sites, nil
}
