package kmers

import (
	"bytes"
	"fmt"
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
	ref         []byte // as the genome has it
}

// Site looks up a variant in a genome. It returns an error if the chromosome is not there, if the variant is not within
// it or if the genome has other letters than the reference allele; case does not matter, and an ambiguity code of the
// genome agrees with every letter it stands for. A variant without an allele to score ([Scores]) is not looked up.
func (s *Scorer) Site(g Genome, v genome.Variant) (Site, error) {
	site := Site{Variant: v}
	if !slices.ContainsFunc(v.Alt, Scores) {
		return site, nil
	}
	length, found := g.Length(v.Chrom)
	if !found {
		return site, fmt.Errorf("chromosome %.80q is not in the genome; do both use the same names (chr1 or 1)?",
			v.Chrom)
	}
	start, end := v.Pos-1, v.Pos-1+len(v.Ref)
	if v.Pos < 1 || len(v.Ref) > length || start > length-len(v.Ref) {
		return site, fmt.Errorf("POS %d with a REF of %d letters is not within chromosome %s, which has %d letters",
			v.Pos, len(v.Ref), v.Chrom, length)
	}
	context := s.length - 1
	from, to := max(0, start-context), min(length, end+min(context, length-end))
	piece, err := g.AppendSlice(nil, v.Chrom, from, to)
	if err != nil {
		return site, err
	}
	site.left, site.ref, site.right = piece[:start-from], piece[start-from:end-from], piece[end-from:]
	if i := mismatch(site.ref, v.Ref); i >= 0 {
		return site, fmt.Errorf("REF has %q where the genome has %q, letter %d of chromosome %s; is it another "+
			"assembly?",
			v.Ref[i], site.ref[i], v.Pos+i, v.Chrom)
	}
	return site, nil
}

// mismatch returns the index of the first letter of the genome that cannot be that of the reference allele, −1 if
// there is none.
func mismatch(genome []byte, ref string) int {
	for i, b := range bytes.ToUpper(genome) {
		if b != ref[i] && (b == 'N' || b == 'U' || !strings.Contains(iupac.Bases(b), ref[i:i+1])) {
			return i
		}
	}
	return -1
}

// Effect is what an alternative allele of a site does: [Scorer.Delta].
type Effect struct {
	Alt   string // the allele
	Delta float64
}

// Scores reports whether an alternative allele has an effect to compute: whether it is a sequence of A, C, G and T. Any
// other letter would count like a deletion of all k-mers around it.
func Scores(a genome.Allele) bool { return !a.Symbolic && strings.Trim(a.Text, "ACGT") == "" }

// Effects returns the effect of each allele of a site that is to be scored ([Scores]), in the order of the file. An
// allele is soft-masked where the first letter of the reference is, in a genome that tells.
func (s *Scorer) Effects(site Site) []Effect {
	var effects []Effect
	for _, a := range site.Variant.Alt {
		if !Scores(a) {
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
