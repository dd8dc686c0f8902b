package kmers_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/iupac"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model/kmers"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
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
		m := handMade(t, true, c.spec)
		s := must.Get(kmers.NewScorer(t.Context(), m))(t)
		score := remembered(naive(t, m))
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
				alt := rapid.OneOf(rapid.StringOfN(dna, 1, 9, -1), rapid.Just(ref)).Draw(rt, "allele")
				if !strings.Contains(ref+alt, "N") { // others have no effect to speak of
					alts = append(alts, alt)
				}
				v.Alt = append(v.Alt, genome.Allele{Text: alt})
			}
			effects := effectsOf(rt, s, chrom, v)
			if len(effects) != len(alts) {
				rt.Fatalf("%d effects of %d alleles", len(effects), len(alts))
			}
			for i, e := range effects {
				changed := chrom[:pos-1] + alts[i] + chrom[pos-1+len(ref):]
				want := wholeDelta(score, c.length, chrom, changed)
				if e.alt != alts[i] || math.Abs(e.delta-want) > 1e-9 || alts[i] == ref && e.delta != 0 {
					rt.Fatalf("%s: %+v, want %s %v", c.spec, e, alts[i], want)
				}
			}
		})
	}
}

// effect is an allele and its delta.
type effect struct {
	alt   string
	delta float64
}

// look looks a variant up with all that a scorer needs.
func look(s *kmers.Scorer, chrom string, v genome.Variant) (sites []kmers.Site, err error) {
	sites = make([]kmers.Site, 1)
	return sites, sites[0].Look(chromosomes{"c": chrom}, v, s.Length()-1)
}

func effectsOf(t rapid.TB, s *kmers.Scorer, chrom string, v genome.Variant) (effects []effect) {
	t.Helper()
	sites := must.Get(look(s, chrom, v))(t)
	for i, delta := range s.Deltas(nil, sites) {
		effects = append(effects, effect{sites[0].Alts[i].Text, delta})
	}
	return effects
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

// TestCodes: an allele with codes counts as the sequences that they stand for, but for the reference allele.
func TestCodes(t *testing.T) {
	for _, c := range []struct{ ref, alt, want string }{
		{"A", "R", "G"}, {"A", "Y", "C T"}, {"A", "B", "C G T"}, {"AC", "MY", "AT CC CT"}, {"A", "N", ""}, {"T", "U", ""},
		{"A", "RN", ""}, {"R", "A", ""}, {"A", "A", "A"}, {"A", "BBBB", ""},
		{"A", "BBB", "CCC CCG CCT CGC CGG CGT CTC CTG CTT GCC GCG GCT GGC " +
			"GGG GGT GTC GTG GTT TCC TCG TCT TGC TGG TGT TTC TTG TTT"},
	} {
		var site kmers.Site
		err := site.Look(chromosomes{"c": "ACGT"}, genome.Variant{Chrom: "c", Pos: 1, Ref: c.ref,
			Alt: []genome.Allele{{Text: "<DEL>", Symbolic: true}, {Text: c.alt}}}, 3)
		var got []string
		for _, a := range site.Alts {
			if got = append(got, a.Text); a.Of != 1 {
				t.Errorf("%+v", a)
			}
		}
		if c.ref != "T" && err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s > %s: %q, %v, want %s", c.ref, c.alt, got, err, c.want)
		}
	}
}

func TestSiteRefuses(t *testing.T) {
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
		err := new(kmers.Site).Look(g, c.v, 3)
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
	s := must.Get(kmers.NewScorer(t.Context(), handMade(t, true, "gapped:l=4,k=3,d=1,alphabet=dna,rc")))(t)
	effects := func(chrom string, v genome.Variant) []effect { return effectsOf(t, s, chrom, v) }
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
	s := must.Get(kmers.NewScorer(t.Context(), handMade(t, true, "gapped:l=4,k=3,d=1,alphabet=dna,rc")))(t)
	v := genome.Variant{Chrom: "c", Pos: 7, Ref: "G", Alt: []genome.Allele{{Text: "T"}}}
	if got := effectsOf(t, s, "ACGTACgTACGTA", v); !slices.Equal(got, []effect{{"T", 0}}) {
		t.Errorf("%+v, want no effect", got)
	}
}

// FuzzVariants: any line of VCF is a misfit or has the effects that it has in a genome with the letters of REF.
func FuzzVariants(f *testing.F) {
	for _, line := range []string{"c\t5\t.\tA\tC,G", "c\t5\t.\tGN\tC", "c\t7\t.\tACGT\tA,R,<DEL>", "c\t11\t.\tAG\tAGG",
		"c\t0\t.\tA\tC", "d\t1\t.\tA\tC", "c\t13\t.\tTT\tA"} {
		f.Add([]byte(line))
	}
	s := must.Get(kmers.NewScorer(f.Context(), handMade(f, true, "gapped:l=4,k=3,d=1,alphabet=dna,rc")))(f)
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
			sites, err := look(s, chrom, v)
			if err != nil {
				if !errors.As(err, new(*genome.Misfit)) {
					t.Fatalf("%+v: %v", v, err)
				}
				continue
			}
			effects := s.Deltas(nil, sites)
			if len(effects) != len(sites[0].Alts) {
				t.Fatalf("%+v: %v", v, effects)
			}
			if len(effects) == 0 {
				continue
			}
			concrete := []byte(chrom)
			for i := range len(v.Ref) {
				concrete[v.Pos-1+i] = v.Ref[i] | chrom[v.Pos-1+i]&('a'-'A')
			}
			again, err := look(s, string(concrete), v)
			if err != nil || !slices.Equal(effects, s.Deltas(nil, again)) {
				t.Fatalf("%+v: %v, in %s %v, %v", v, effects, concrete, s.Deltas(nil, again), err)
			}
		}
	})
}

// TestScoresAreTheirDefinitions compares the other scores with the whole context of either allele, scored and explained
// alone.
func TestScoresAreTheirDefinitions(t *testing.T) {
	for _, c := range goodKernels {
		if c.letters != "ACGT" {
			continue
		}
		m := handMade(t, true, c.spec)
		s := must.Get(kmers.NewScorer(t.Context(), m))(t)
		if !s.Explains() {
			t.Fatalf("%s: no contributions", c.spec)
		}
		whole := must.Get(m.Classifier(t.Context()))(t).Scorer
		score := remembered(naive(t, m))
		rapid.Check(t, func(rt *rapid.T) {
			dna := rapid.SampledFrom([]rune("ACGT"))
			chrom := rapid.StringOfN(dna, 1, 60, -1).Draw(rt, "chromosome")
			pos := rapid.IntRange(0, len(chrom)-1).Draw(rt, "pos")
			end := pos + rapid.IntRange(1, min(5, len(chrom)-pos)).Draw(rt, "reference length")
			alt := rapid.StringOfN(dna, 1, 5, -1).Draw(rt, "allele")
			letters := rapid.IntRange(1, 40).Draw(rt, "context")
			var site kmers.Site
			must.Succeed(rt, site.Look(chromosomes{"c": chrom}, genome.Variant{Chrom: "c", Pos: pos + 1,
				Ref: chrom[pos:end], Alt: []genome.Allele{{Text: alt}}}, s.Around(letters)))
			more := max(0, letters-(end-pos)) // on both sides
			left, right := max(c.length-1, more/2), max(c.length-1, (more+1)/2)
			before, after := chrom[max(0, pos-left):pos], chrom[end:min(len(chrom), end+right)]
			value, near := map[string]float64{}, map[string]float64{}
			for _, allele := range []string{chrom[pos:end], alt} {
				x := before + allele + after
				sum := make([]float64, 1)
				whole.ScoreTo(sum, []byte(x))
				value[allele] = sum[0]
				shares := make([]float64, len(x))
				stringkernel.ExplainerOf(whole).ExplainTo(shares, 0, []byte(x))
				near[allele] = 0
				for i, share := range shares {
					if i > len(before)-c.length && i < len(before)+len(allele)+c.length-1 {
						near[allele] += share
					}
				}
			}
			sums := func(allele string) float64 {
				return wholeDelta(score, c.length, "", chrom[max(0, pos-c.length+1):pos]+allele+
					chrom[end:min(len(chrom), end+c.length-1)])
			}
			ref, other := s.Decisions(&site, alt, letters)
			for name, pair := range map[string][2]float64{
				"reference":  {ref, value[chrom[pos:end]] - m.Decision.Machines[0].Rho},
				"decision":   {other - ref, value[alt] - value[chrom[pos:end]]},
				"importance": {s.Importance(&site, alt, letters), near[alt] - near[chrom[pos:end]]},
				"max":        {s.Max(&site, alt), max(sums(chrom[pos:end]), sums(alt))},
			} {
				if math.Abs(pair[0]-pair[1]) > 1e-9 {
					rt.Fatalf("%s, %s: %v, want %v", c.spec, name, pair[0], pair[1])
				}
			}
		})
	}
}

// TestPercentiles compares percentiles with a count over deltas by the definition, of random places that are as asked
// for.
func TestPercentiles(t *testing.T) {
	m := handMade(t, true, "gapped:l=4,k=3,d=1,alphabet=dna,rc")
	s := must.Get(kmers.NewScorer(t.Context(), m))(t)
	score := remembered(naive(t, m))
	rng := rand.New(rand.NewPCG(3, 1))
	g := chromosomes{"a": string(drawn.Text(rng, "AACGTN", 300)), "b": "", "c": string(drawn.Text(rng, "ACGTTg", 700))}
	const places = 200
	var null kmers.Null
	deltas, found, of := map[string][]float64{}, map[string]int{}, map[string]int{}
	var order []string
	draw := func(seed uint64, visit func(sites []kmers.Site)) {
		must.Succeed(t, kmers.RandomSNVs(t.Context(), g, []string{"a", "b", "c"}, places, seed, 3, visit))
	}
	draw(7, func(sites []kmers.Site) {
		v := sites[0].Variant
		order = append(order, fmt.Sprint(v.Chrom, v.Pos))
		found[v.Ref]++
		of[v.Chrom]++
		if g[v.Chrom][v.Pos-1:v.Pos] != v.Ref || len(sites) != 1 || len(sites[0].Alts) != 3 {
			t.Fatalf("%+v", sites)
		}
		for i, delta := range s.Deltas(nil, sites) {
			alt := sites[0].Alts[i].Text
			null.Add(v.Ref, alt, delta)
			x := g[v.Chrom]
			deltas[v.Ref+alt] = append(deltas[v.Ref+alt], math.Abs(wholeDelta(score, 4, x, x[:v.Pos-1]+alt+x[v.Pos:])))
		}
	})
	if len(found) != 4 || found["A"] != places || found["C"] != places || found["G"] != places || found["T"] != places {
		t.Fatalf("places by base: %v", found)
	}
	if of["a"] < places || of["b"] > 0 || of["c"] < places {
		t.Errorf("places by chromosome: %v", of)
	}
	null.Add("AC", "A", 1)
	null.Add("A", "C", math.NaN())
	null.Sort()
	for change, list := range deltas {
		for _, delta := range []float64{1e-9, 0.05, -0.3, 0.8, 99} {
			want := 0.0
			for _, x := range list {
				if x <= math.Abs(delta) {
					want += 100 / float64(len(list))
				}
			}
			if got := null.Percentile(change[:1], change[1:], delta); len(list) != places || math.Abs(got-want) > 1e-9 {
				t.Errorf("%s %v: %v, want %v of %d", change, delta, got, want, len(list))
			}
		}
	}
	if p := null.Percentile("AC", "A", 1); !math.IsNaN(p) {
		t.Errorf("of a deletion %v", p)
	}
	var again, other []string
	draw(7, func(sites []kmers.Site) {
		again = append(again, fmt.Sprint(sites[0].Variant.Chrom, sites[0].Variant.Pos))
	})
	draw(8, func(sites []kmers.Site) {
		other = append(other, fmt.Sprint(sites[0].Variant.Chrom, sites[0].Variant.Pos))
	})
	if !slices.Equal(order, again) || slices.Equal(order, other) {
		t.Error("places do not follow the seed")
	}
}

// TestSubstitutionsAreDeltas compares all substitutions of a chromosome, and of pieces of it, with those of variants.
func TestSubstitutionsAreDeltas(t *testing.T) {
	const chrom = "ACGTNTTGCATTACAGGATACCATGGAacgtTTGCATTACAGG"
	g := chromosomes{"c": chrom}
	for _, c := range goodKernels {
		if c.letters != "ACGT" {
			continue
		}
		s := must.Get(kmers.NewScorer(t.Context(), handMade(t, true, c.spec)))(t)
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
					want := effectsOf(t, s, chrom, v)[0].delta
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
