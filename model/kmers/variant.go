package kmers

import (
	"bytes"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/internal/iupac"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// Genome is where a variant is looked up: a [genome.Genome], for example.
type Genome interface {
	// Length returns the number of letters of a chromosome, and false if there is none of that name.
	Length(chrom string) (int, bool)
	// AppendSlice appends letters start … end − 1 (0-based, half-open) of a chromosome to dst.
	AppendSlice(dst []byte, chrom string, start, end int) ([]byte, error)
}

// Site is a variant with what surrounds it.
type Site struct {
	Variant     genome.Variant
	left, right []byte // l − 1 letters, fewer at the ends of the chromosome
	ref         []byte // the reference allele, in lower case where the genome is
}

// Site looks up a variant in a genome. A chromosome that is not there, a place beyond its end and other letters than
// those of the reference allele are a [genome.Misfit]. Case does not matter. An ambiguity code of the genome, but for
// N, agrees with every letter it stands for, and has the one of the reference allele. A variant without an allele to
// score ([Scores]) is not looked up.
func (s *Scorer) Site(g Genome, v genome.Variant) (Site, error) {
	site := Site{Variant: v}
	if !slices.ContainsFunc(v.Alt, func(a genome.Allele) bool { return Scores(v.Ref, a) }) {
		return site, nil
	}
	length, found := g.Length(v.Chrom)
	if !found {
		return site, genome.Misfitf(genome.UnknownSequence, "chromosome %.80q is not in the genome", v.Chrom)
	}
	start, end := v.Pos-1, v.Pos-1+len(v.Ref)
	if v.Pos < 1 || len(v.Ref) > length || start > length-len(v.Ref) {
		return site, genome.Misfitf(genome.BeyondEnd,
			"POS %d with a REF of %d letters is not within chromosome %s, which has %d letters",
			v.Pos, len(v.Ref), v.Chrom, length)
	}
	context := s.length - 1
	from, to := max(0, start-context), min(length, end+min(context, length-end))
	piece, err := g.AppendSlice(nil, v.Chrom, from, to)
	if err != nil {
		return site, err
	}
	site.left, site.ref, site.right = piece[:start-from], piece[start-from:end-from], piece[end-from:]
	if i := settle(site.ref, v.Ref); i >= 0 {
		return site, genome.Misfitf(genome.OtherReference,
			"REF has %q where the genome has %q, letter %d of chromosome %s", v.Ref[i], site.ref[i], v.Pos+i, v.Chrom)
	}
	return site, nil
}

// settle replaces the ambiguity codes of a piece of a genome by the letters of the reference allele there, and keeps
// the case. It returns the index of the first letter that the reference allele contradicts, −1 if all fit.
func settle(piece []byte, ref string) int {
	const lower = 'a' - 'A'
	for i, b := range piece {
		code := b &^ lower
		if code != ref[i] && (code == 'N' || code == 'U' || !strings.Contains(iupac.Bases(code), ref[i:i+1])) {
			return i
		}
		piece[i] = ref[i] | b&lower
	}
	return -1
}

// Effect is what an alternative allele of a site does: [Scorer.Delta].
type Effect struct {
	Alt   string // the allele
	Delta float64
}

// Scores reports whether an alternative allele of a reference allele has an effect to compute: whether both are
// sequences of A, C, G and T. Any other letter would count like a deletion of all k-mers around it.
func Scores(ref string, a genome.Allele) bool {
	return !a.Symbolic && strings.Trim(ref+a.Text, "ACGT") == ""
}

// Effects returns the effect of each allele of a site that is to be scored ([Scores]), in the order of the file. An
// allele is soft-masked where the first letter of the reference is, in a genome that tells.
func (s *Scorer) Effects(site Site) []Effect {
	var effects []Effect
	for _, a := range site.Variant.Alt {
		if !Scores(site.Variant.Ref, a) {
			continue
		}
		alt := []byte(a.Text)
		if site.ref[0] >= 'a' {
			alt = bytes.ToLower(alt)
		}
		effects = append(effects, Effect{a.Text, s.Delta(site.left, site.ref, alt, site.right)})
	}
	return effects
}
