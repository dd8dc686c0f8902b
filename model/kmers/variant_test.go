package kmers_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/iupac"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model/kmers"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"pgregory.net/rapid"
)

// chromosomes is a genome in memory.
type chromosomes map[string]string

func (g chromosomes) Length(chrom string) (int, bool) {
	x, found := g[chrom]
	return len(x), found
}

func (g chromosomes) AppendSlice(dst []byte, chrom string, start, end int) ([]byte, error) {
	if start < 0 || end > len(g[chrom]) {
		return dst, fmt.Errorf("range %d to %d of %d", start, end, len(g[chrom]))
	}
	return append(dst, g[chrom][start:end]...), nil
}

// wholeDelta is the difference of the sums over all k-mers of two whole chromosomes.
func wholeDelta(score func(string) float64, length int, ref, alt string) float64 {
	sum := func(x string) (s float64) {
		for i := 0; i+length <= len(x); i++ {
			s += score(x[i : i+length])
		}
		return s
	}
	return sum(alt) - sum(ref)
}

// TestEffectsAreTheDefinition compares the effects of any variant with the scores of whole chromosomes with either
// allele.
func TestEffectsAreTheDefinition(t *testing.T) {
	for _, c := range goodKernels {
		if c.letters != "ACGT" {
			continue
		}
		m := kmers.HandMade(t, true, c.spec)
		s := must.Get(kmers.NewScorer(t.Context(), m))(t)
		score := remembered(kmers.Naive(t, m))
		rapid.Check(t, func(rt *rapid.T) {
			dna := rapid.SampledFrom([]rune("ACGTN"))
			chrom := rapid.StringOfN(dna, 1, 30, -1).Draw(rt, "chromosome")
			pos := rapid.IntRange(1, len(chrom)).Draw(rt, "pos")
			ref := chrom[pos-1 : pos-1+rapid.IntRange(1, len(chrom)-pos+1).Draw(rt, "reference length")]
			v := genome.Variant{Chrom: "c", Pos: pos, Ref: ref}
			var alts []string
			for range rapid.IntRange(0, 3).Draw(rt, "alleles") {
				if rapid.Bool().Draw(rt, "symbolic") {
					v.Alt = append(v.Alt, genome.Allele{Text: "<DEL>", Symbolic: true})
					continue
				}
				alt := rapid.StringOfN(dna, 1, 9, -1).Draw(rt, "allele")
				if !strings.Contains(ref+alt, "N") { // others have no effect to speak of
					alts = append(alts, alt)
				}
				v.Alt = append(v.Alt, genome.Allele{Text: alt})
			}
			site := must.Get(s.Site(chromosomes{"c": chrom}, v))(rt)
			effects := s.Effects(site)
			if len(effects) != len(alts) {
				rt.Fatalf("%d effects of %d alleles", len(effects), len(alts))
			}
			for i, e := range effects {
				changed := chrom[:pos-1] + alts[i] + chrom[pos-1+len(ref):]
				want := wholeDelta(score, c.length, chrom, changed)
				if e.Alt != alts[i] || math.Abs(e.Delta-want) > 1e-9 {
					rt.Fatalf("%s: %+v, want %s %v", c.spec, e, alts[i], want)
				}
			}
		})
	}
}

// remembered computes each k-mer once.
func remembered(score func(string) float64) func(string) float64 {
	known := map[string]float64{}
	return func(kmer string) float64 {
		value, found := known[kmer]
		if !found {
			value = score(kmer)
			known[kmer] = value
		}
		return value
	}
}

// TestNoChangeIsExactlyZero: an allele that spells the reference, at whatever length.
func TestNoChangeIsExactlyZero(t *testing.T) {
	s := must.Get(kmers.NewScorer(t.Context(), kmers.HandMade(t, true, "gapped:l=4,k=3,d=1,alphabet=dna,rc")))(t)
	if d := s.Delta([]byte("ACGTACG"), []byte("TTAC"), []byte("TTAC"), []byte("GGT")); d != 0 {
		t.Errorf("delta %v", d)
	}
	if d := s.Delta(nil, nil, nil, nil); d != 0 {
		t.Errorf("delta of nothing %v", d)
	}
}

func TestSiteRefuses(t *testing.T) {
	s := must.Get(kmers.NewScorer(t.Context(), kmers.HandMade(t, true, "gapped:l=4,k=3,d=1,alphabet=dna,rc")))(t)
	g := chromosomes{"c": "ACGTRNacgt"}
	sequence := []genome.Allele{{Text: "T"}}
	for _, c := range []struct {
		v    genome.Variant
		want string // "" if it is valid
	}{
		{genome.Variant{Chrom: "c", Pos: 1, Ref: "A", Alt: sequence}, ""},
		{genome.Variant{Chrom: "c", Pos: 5, Ref: "AN", Alt: sequence}, ""}, // not looked up: no sequence
		{genome.Variant{Chrom: "d", Pos: 0, Ref: "R", Alt: sequence}, ""},
		{genome.Variant{Chrom: "c", Pos: 7, Ref: "ACGT", Alt: sequence}, ""},
		{genome.Variant{Chrom: "c", Pos: 10, Ref: "T", Alt: sequence}, ""},
		{genome.Variant{Chrom: "d", Pos: 0, Ref: "T", Alt: []genome.Allele{{Text: "<DEL>", Symbolic: true}}}, ""},
		{genome.Variant{Chrom: "d", Pos: 1, Ref: "T"}, ""},
		{genome.Variant{Chrom: "d", Pos: 1, Ref: "A", Alt: sequence}, `chromosome "d" is not in the genome`},
		{genome.Variant{Chrom: "c", Pos: 0, Ref: "A", Alt: sequence},
			"POS 0 with a REF of 1 letters is not within chromosome c, which has 10"},
		{genome.Variant{Chrom: "c", Pos: 11, Ref: "A", Alt: sequence}, "POS 11"},
		{genome.Variant{Chrom: "c", Pos: math.MaxInt, Ref: "A", Alt: sequence}, "POS 9223372036854775807"},
		{genome.Variant{Chrom: "c", Pos: 10, Ref: "TT", Alt: sequence}, "POS 10 with a REF of 2 letters"},
		{genome.Variant{Chrom: "c", Pos: 1, Ref: "AAGT", Alt: sequence},
			"REF has 'A' where the genome has 'C', letter 2 of chromosome c"},
		{genome.Variant{Chrom: "c", Pos: 5, Ref: "C", Alt: sequence}, "REF has 'C' where the genome has 'R'"},
		{genome.Variant{Chrom: "c", Pos: 6, Ref: "A", Alt: sequence}, "REF has 'A' where the genome has 'N'"},
	} {
		_, err := s.Site(g, c.v)
		var misfit *genome.Misfit
		if errors.As(err, &misfit) != (err != nil) {
			t.Errorf("%+v: %T, want a misfit", c.v, err)
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.v, err, c.want)
		}
	}
}

// TestAmbiguousReference: where the genome has codes, the reference allele says which letters they stand for, so that
// effects are those in a genome that has these letters.
func TestAmbiguousReference(t *testing.T) {
	s := must.Get(kmers.NewScorer(t.Context(), kmers.HandMade(t, true, "gapped:l=4,k=3,d=1,alphabet=dna,rc")))(t)
	effects := func(chrom string, v genome.Variant) []kmers.Effect {
		site, err := s.Site(chromosomes{"c": chrom}, v)
		if err != nil {
			t.Fatal(chrom, err)
		}
		return s.Effects(site)
	}
	for _, code := range "MRWSKYBDHV" {
		for _, letter := range iupac.Bases(byte(code)) {
			plain, coded := "GATTAC"+string(letter)+"GTTCA", "GATTAC"+string(code)+"GTTCA"
			for _, v := range []genome.Variant{
				{Chrom: "c", Pos: 7, Ref: string(letter), Alt: []genome.Allele{{Text: "GT"}, {Text: "T"}}},
				{Chrom: "c", Pos: 6, Ref: "C" + string(letter) + "G", Alt: []genome.Allele{{Text: "C"}, {Text: "AAA"}}},
			} {
				want := effects(plain, v)
				if got := effects(coded, v); !slices.Equal(got, want) || len(want) != 2 {
					t.Errorf("%s, %s: %v, want %v", coded, v.Ref, got, want)
				}
				// soft-masked, it breaks k-mers as the letter does
				if got := effects(strings.ToLower(coded), v); !slices.Equal(got, effects(strings.ToLower(plain), v)) {
					t.Errorf("%s in lower case: %v", coded, got)
				}
			}
		}
	}
}

// TestSoftMask: in a genome that tells, a soft-masked allele breaks k-mers like the reference.
func TestSoftMask(t *testing.T) {
	s := must.Get(kmers.NewScorer(t.Context(), kmers.HandMade(t, true, "gapped:l=4,k=3,d=1,alphabet=dna,rc")))(t)
	site := must.Get(s.Site(chromosomes{"c": "ACGTACgTACGTA"}, genome.Variant{Chrom: "c", Pos: 7, Ref: "G",
		Alt: []genome.Allele{{Text: "T"}}}))(t)
	if got := s.Effects(site); !slices.Equal(got, []kmers.Effect{{"T", 0}}) {
		t.Errorf("%+v, want no effect", got)
	}
}

// FuzzVariants: any line of VCF is a misfit or has the effects that it has in a genome with the letters of REF.
func FuzzVariants(f *testing.F) {
	for _, line := range []string{"c\t5\t.\tA\tC,G", "c\t5\t.\tGN\tC", "c\t7\t.\tACGT\tA,R,<DEL>", "c\t11\t.\tAG\tAGG",
		"c\t0\t.\tA\tC", "d\t1\t.\tA\tC", "c\t13\t.\tTT\tA"} {
		f.Add([]byte(line))
	}
	s := must.Get(kmers.NewScorer(f.Context(), kmers.HandMade(f, true, "gapped:l=4,k=3,d=1,alphabet=dna,rc")))(f)
	const chrom = "ACGTRNacgtMKWnyACGT"
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := genome.NewVCFReader(bytes.NewReader(data), "v.vcf")
		if err != nil {
			return
		}
		defer r.Close()
		for {
			v, err := r.Next()
			if err != nil {
				return
			}
			site, err := s.Site(chromosomes{"c": chrom}, v)
			if err != nil {
				if !errors.As(err, new(*genome.Misfit)) {
					t.Fatalf("%+v: %v", v, err)
				}
				continue
			}
			scored := slices.DeleteFunc(slices.Clone(v.Alt), func(a genome.Allele) bool { return !kmers.Scores(v.Ref, a) })
			effects := s.Effects(site)
			if len(effects) != len(scored) {
				t.Fatalf("%+v: %v", v, effects)
			}
			if len(scored) == 0 {
				continue
			}
			concrete := []byte(chrom)
			for i := range len(v.Ref) {
				concrete[v.Pos-1+i] = v.Ref[i] | chrom[v.Pos-1+i]&('a'-'A')
			}
			again, err := s.Site(chromosomes{"c": string(concrete)}, v)
			if err != nil || !slices.Equal(effects, s.Effects(again)) {
				t.Fatalf("%+v: %v, in %s %v, %v", v, effects, concrete, s.Effects(again), err)
			}
		}
	})
}

// TestSubstitutionsAreDeltas compares all substitutions of a chromosome, and of pieces of it, with those of variants.
func TestSubstitutionsAreDeltas(t *testing.T) {
	const chrom = "ACGTNTTGCATTACAGGATACCATGGAacgtTTGCATTACAGG"
	g := chromosomes{"c": chrom}
	for _, c := range goodKernels {
		if c.letters != "ACGT" {
			continue
		}
		s := must.Get(kmers.NewScorer(t.Context(), kmers.HandMade(t, true, c.spec)))(t)
		for _, spans := range [][]genome.Span{{{End: len(chrom)}}, {{Start: 3, End: 9}, {Start: 20, End: 21}}} {
			next := 0
			err := s.EachSubstitution(t.Context(), g, "c", spans, func(start int, changes []float32) error {
				if want := spans[next]; start != want.Start || len(changes) != 4*want.Len() {
					t.Errorf("%d numbers from %d, want %v", len(changes), start, want)
				}
				next++
				for i, got := range changes {
					at, base := start+i/4, "ACGT"[i%4:i%4+1]
					ref := chrom[at : at+1]
					if !strings.Contains("ACGT", ref) || ref == base {
						if got == got {
							t.Errorf("%v for %s in place of %s", got, base, ref)
						}
						continue
					}
					v := genome.Variant{Chrom: "c", Pos: at + 1, Ref: ref, Alt: []genome.Allele{{Text: base}}}
					want := s.Effects(must.Get(s.Site(g, v))(t))[0].Delta
					if math.Abs(float64(got)-want) > 1e-6*(1+math.Abs(want)) {
						t.Errorf("%s: %s for %s at %d: %v, want %v", c.spec, base, ref, at, got, want)
					}
				}
				return nil
			})
			if err != nil || next != len(spans) {
				t.Errorf("%d of %d pieces: %v", next, len(spans), err)
			}
		}
	}
}
