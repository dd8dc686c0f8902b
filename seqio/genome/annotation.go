package genome

import (
	"bytes"
	"cmp"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Exon is an exon of a transcript and the line it was read from.
type Exon struct {
	Span
	Line int
}

// Transcript is a transcript of an annotation.
type Transcript struct {
	Name   string
	Seq    string
	Strand Strand // Plus or Minus
	Span          // of all exons and of the line of the transcript itself
	// from left to right whatever the strand, disjoint and not touching; none if only the transcript itself is
	// annotated
	Exons  []Exon
	Coding Span // from the first to the last coding letter, from left to right; empty if there is none
	// Span reaches from the transcript's first letter to its last; false if only coding parts are annotated
	Whole bool
	// the 5' end is not known: the first letter is not where transcription starts, or the first coding letter not where
	// translation does
	Open5, CodingOpen5 bool
	Circle             int // letters of its sequence if that is circular, else 0; End may be beyond them
	Line               int // 1-based line of the file that mentions it first
}

// Annotation is the transcripts of a file.
type Annotation struct {
	Source      string
	Transcripts []Transcript // in the order in which the file mentions them first
	Types       []string     // of features, the first that are met
	Features    int          // lines of the file
	Orphans     int          // exons and coding parts without a transcript
	Unstranded  int          // transcripts left out because they have no strand
	BothStrands int          // transcripts left out since they have exons on both strands (trans-splicing)
}

// ReadAnnotation reads the transcripts of a GFF3 or GTF file, or of a BED file of 12 columns, recognised by the suffix
// .bed (before .gz or .zst). The input may be compressed; name identifies it in errors, and a nil r is the file of that
// name.
//
// Features are grouped by their attributes Parent (GFF3) or transcript_id (GTF), or else ID, and by their sequence: a
// GTF file may use one transcript_id on both sex chromosomes. They may come in any order. The exons of a transcript are
// the features of the given types or, without types, those named exon (or something_exon); if it has none, its coding
// parts and untranslated regions, joined where they touch or overlap. A line of the transcript itself (a type in RNA or
// transcript) adds to its extent. BED: a block is an exon, the thick part is coding.
//
// The 5' end of a transcript or its coding part is not known if a feature says so: tags mRNA_start_NF and cds_start_NF
// (Ensembl, GENCODE), partial=true with start_range on the plus strand, end_range on the minus strand or neither
// (NCBI), partial=10 and the like (Prodigal), or a phase of 1 or 2 of the first coding part, which does not begin a
// codon. Where both begin at the same letter, neither end is known if one of them is not. A sequence with a feature of
// GFF3 from its first letter on with Is_circular=true is circular, and as long as that.
//
// An error in a line is an [*seqio.Error], including two overlapping exons of one transcript, and so is a file
// without transcripts, or with more than half of the memory holds. The memory is that of the transcripts.
func ReadAnnotation(r io.Reader, name string, types ...string) (*Annotation, error) {
	rows, err := lines.OpenRows(r, name)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	b := &annotationBuilder{types: types, drafts: map[draftKey]*draft{}, circle: map[string]int{},
		result: &Annotation{Source: name}, rows: rows}
	if filepath.Ext(lines.WithoutCompression(name)) == ".bed" {
		err = lines.Each((&BEDReader{rows: rows}).Next, b.addInterval)
	} else {
		err = lines.Each((&GFFReader{rows: rows}).Next, b.add)
	}
	if err == nil {
		err = b.finish()
	}
	if err != nil {
		return nil, err
	}
	return b.result, nil
}

// Bytes that are kept of a transcript, besides its names, and of each of its exons: while features are grouped, and of
// the result. Lists are copied as they grow.
const transcriptBytes, exonBytes = 640, 96

// addInterval makes a transcript of a line of a BED file.
func (b *annotationBuilder) addInterval(x Interval) error {
	if x.Blocks == nil {
		return b.rows.Errorf("fewer than 12 columns, want a BED file with blocks, which are the exons")
	}
	if err := b.rows.Hold(transcriptBytes + exonBytes*len(x.Blocks) + len(x.Seq) + len(x.Name)); err != nil {
		return err
	}
	b.result.Features++
	if x.Strand == NoStrand {
		b.result.Unstranded++
		return nil
	}
	t := Transcript{Name: x.Name, Seq: x.Seq, Strand: x.Strand, Span: x.Span, Whole: true, Line: x.Line}
	if x.Thick.Len() > 0 {
		t.Coding = x.Thick
	}
	exons := make([]Exon, len(x.Blocks))
	for i, block := range x.Blocks {
		exons[i] = Exon{block, x.Line}
	}
	t.Exons = joinExons(exons)
	b.result.Transcripts = append(b.result.Transcripts, t)
	return nil
}

// check returns an error if there is no transcript.
func (a *Annotation) check() error {
	switch {
	case len(a.Transcripts) > 0:
		return nil
	case a.Unstranded > 0:
		return lines.Errorf(a.Source, 0, "none of the %d transcripts has a strand", a.Unstranded)
	default:
		return lines.Errorf(a.Source, 0, "no exon or coding part of a transcript (attribute Parent or transcript_id) "+
			"in %s", plural.Of(a.Features, "feature"))
	}
}

// mostTypes are as many types as a message lists.
const mostTypes = 12

// draftKey identifies a transcript.
type draftKey struct{ seq, name string }

// draft is a transcript of which not all lines have been read yet.
type draft struct {
	key    draftKey
	plus   bool // something of it is on that strand
	minus  bool
	exons  []Exon
	parts  []Exon // coding parts and untranslated regions
	coding Span
	extent Span // of the transcript's own line, empty without it
	line   int

	whole, codes openEnds // of the transcript, and of its coding part
	phase        int      // of the first coding part in the direction of the strand, and where it begins
	begins       int
}

// openEnds is what features say about the ends of what they are part of.
type openEnds struct{ partial, five, three bool }

// unknown5 reports whether the 5' end is not known: if an end is said to be so and not which, it may be that.
func (o openEnds) unknown5() bool { return o.five || o.partial && !o.three }

// add takes in what a feature says by the attributes of NCBI, start_range and end_range beside partial=true, and by
// that of Prodigal, a digit 1 for each of the left and the right end that is open. GTF of NCBI has partial alone.
func (o *openEnds) add(f *Feature) {
	if f.Type == "start_codon" {
		o.three = true // if an end is open, it is that
	}
	if !bytes.Contains(f.attributes, []byte("partial")) && !bytes.Contains(f.attributes, []byte("_range=")) {
		return
	}
	partial, _ := f.raw("partial")
	_, left := f.raw("start_range")
	_, right := f.raw("end_range")
	if len(partial) == 2 {
		left, right = left || partial[0] == '1', right || partial[1] == '1'
	}
	if f.Strand == Minus {
		left, right = right, left
	}
	o.partial, o.five, o.three = o.partial || partial == "true", o.five || left, o.three || right
}

// annotationBuilder groups features.
type annotationBuilder struct {
	types  []string // that are exons; none for the usual ones
	drafts map[draftKey]*draft
	order  []*draft
	circle map[string]int // letters of circular sequences
	result *Annotation
	rows   *lines.Rows
}

// role is what a feature is to its transcript.
type role int

const (
	roleNone       role = iota
	roleTranscript      // the transcript itself
	roleCoding
	roleUntranslated
)

// partRoles are the types that make up exons where there are none. A stop codon is not part of GTF's CDS, and may be a
// separate exon.
var partRoles = map[string]role{
	"CDS": roleCoding, "start_codon": roleCoding, "stop_codon": roleCoding,
	"UTR": roleUntranslated, "5UTR": roleUntranslated, "3UTR": roleUntranslated,
	"five_prime_UTR": roleUntranslated, "three_prime_UTR": roleUntranslated, "five_prime_utr": roleUntranslated,
	"three_prime_utr": roleUntranslated,
}

// roles returns what a feature of a type is: an exon, and something else besides.
func (b *annotationBuilder) roles(kind string) (exon bool, other role) {
	other = partRoles[kind]
	if other == roleNone && (strings.HasSuffix(kind, "RNA") || strings.HasSuffix(kind, "transcript")) {
		other = roleTranscript
	}
	if len(b.types) > 0 {
		return slices.Contains(b.types, kind), other
	}
	return kind == "exon" || strings.HasSuffix(kind, "_exon"), other
}

// add gives a feature to its transcripts.
func (b *annotationBuilder) add(f *Feature) error {
	if b.result.Features++; len(b.result.Types) < mostTypes && !slices.Contains(b.result.Types, f.Type) {
		b.result.Types = append(b.result.Types, f.Type)
	}
	exon, other := b.roles(f.Type)
	if !exon && other == roleNone {
		return b.addCircle(f)
	}
	owners := ownersOf(f, !exon && other == roleTranscript)
	if len(owners) == 0 {
		b.result.Orphans++
	}
	for _, name := range owners {
		key := draftKey{f.Seq, name}
		d := b.drafts[key]
		bytes := 2 * exonBytes // it may be an exon and a coding part
		if d == nil {
			d = &draft{key: key, line: f.Line, phase: -1}
			b.drafts[key] = d
			b.order = append(b.order, d)
			bytes += transcriptBytes + len(f.Seq) + len(name)
		}
		if err := b.rows.Hold(bytes); err != nil {
			return err
		}
		d.add(f, exon, other)
	}
	return nil
}

// addCircle looks whether a feature says that its sequence is circular.
func (b *annotationBuilder) addCircle(f *Feature) error {
	if f.Start > 0 || !f.has("Is_circular", "true") {
		return nil
	}
	b.circle[f.Seq] = f.End
	return b.rows.Hold(exonBytes + len(f.Seq))
}

// ownersOf returns the names of the transcripts that a feature belongs to, or is.
func ownersOf(f *Feature, itself bool) []string {
	if name, found := f.Attribute("transcript_id"); found && name != "" && !f.IsGFF3() {
		return []string{name}
	}
	if parents := f.Parents(); len(parents) > 0 && !itself {
		return parents
	}
	if id, found := f.Attribute("ID"); found && id != "" && f.IsGFF3() {
		return []string{id}
	}
	return nil
}

// add takes in a feature.
func (d *draft) add(f *Feature, exon bool, other role) {
	d.plus = d.plus || f.Strand == Plus
	d.minus = d.minus || f.Strand == Minus
	if exon {
		d.exons = append(d.exons, Exon{f.Span, f.Line})
	}
	if other == roleCoding {
		d.codes.add(f)
		d.addPhase(f)
	} else {
		d.whole.add(f)
	}
	d.whole.five = d.whole.five || f.has("tag", "mRNA_start_NF")
	d.codes.five = d.codes.five || f.has("tag", "cds_start_NF")
	switch other {
	case roleTranscript:
		d.extent = hull(d.extent, f.Span)
	case roleCoding:
		d.coding = hull(d.coding, f.Span)
		d.parts = append(d.parts, Exon{f.Span, f.Line})
	case roleUntranslated:
		d.parts = append(d.parts, Exon{f.Span, f.Line})
	}
}

// addPhase takes in the phase of a coding part. That of a codon says nothing more.
func (d *draft) addPhase(f *Feature) {
	begins := -f.Start
	if f.Strand == Minus {
		begins = f.End
	}
	if f.Type == "CDS" && (d.phase < 0 || begins > d.begins) {
		d.phase, d.begins = max(0, f.Phase), begins
	}
}

// hull returns the least span that holds both; an empty span adds nothing.
func hull(a, b Span) Span {
	switch {
	case a.Len() == 0:
		return b
	case b.Len() == 0:
		return a
	}
	return Span{min(a.Start, b.Start), max(a.End, b.End)}
}

// finish makes transcripts of the drafts.
func (b *annotationBuilder) finish() error {
	for _, d := range b.order {
		switch {
		case d.plus && d.minus:
			b.result.BothStrands++
			continue
		case !d.plus && !d.minus:
			b.result.Unstranded++
			continue
		}
		t, err := d.transcript(b.result.Source)
		if err != nil {
			return err
		}
		t.Circle = b.circle[t.Seq]
		b.result.Transcripts = append(b.result.Transcripts, t)
	}
	return b.result.check()
}

// transcript sorts and checks what has been collected.
func (d *draft) transcript(source string) (Transcript, error) {
	t := Transcript{Name: d.key.name, Seq: d.key.seq, Strand: Plus, Coding: d.coding, Line: d.line}
	if d.minus {
		t.Strand = Minus
	}
	exons := d.exons
	if len(exons) == 0 {
		exons = d.parts
	}
	slices.SortFunc(exons, func(a, b Exon) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Line, b.Line))
	})
	if len(d.exons) > 0 {
		if err := disjoint(d, source); err != nil {
			return t, err
		}
	}
	t.Exons = joinExons(exons)
	t.Span = d.extent
	for _, e := range t.Exons {
		t.Span = hull(t.Span, e.Span)
	}
	t.Whole = len(d.exons) > 0 || d.extent.Len() > 0
	t.Open5, t.CodingOpen5 = d.whole.unknown5(), d.codes.unknown5() || d.phase > 0
	if t.Coding.Len() > 0 && t.Coding.First(t.Strand) == t.Span.First(t.Strand) {
		t.Open5 = t.Open5 || t.CodingOpen5
		t.CodingOpen5 = t.Open5
	}
	return t, nil
}

// disjoint returns an error if two exons of a transcript overlap.
func disjoint(d *draft, source string) error {
	for i := 1; i < len(d.exons); i++ {
		a, b := d.exons[i-1], d.exons[i]
		if b.Start >= a.End {
			continue
		}
		if b.Line < a.Line {
			a, b = b, a
		}
		return lines.Errorf(source, b.Line, "exon %d-%d of transcript %s overlaps its exon %d-%d of line %d",
			b.Start+1, b.End, lines.Quote(d.key.name), a.Start+1, a.End, a.Line)
	}
	return nil
}

// joinExons joins exons that touch or overlap, in a list sorted by start.
func joinExons(sorted []Exon) []Exon {
	var joined []Exon
	for _, e := range sorted {
		if n := len(joined); n > 0 && e.Start <= joined[n-1].End {
			joined[n-1].End = max(joined[n-1].End, e.End)
			continue
		}
		joined = append(joined, e)
	}
	return joined
}
