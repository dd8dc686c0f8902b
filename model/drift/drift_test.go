package drift

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// source draws records of a distribution.
type source struct {
	alphabet stringkernel.Alphabet
	draw     func(rng *rand.Rand) []byte
}

func (s source) corpus(rng *rand.Rand, n int) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	for range n {
		b.Add("", s.draw(rng))
	}
	return b.Corpus()
}

// genomic draws DNA whose GC varies from record to record around a mean; after C, G is rarer by a factor.
func genomic(gc float64, length int, cpg float64) source {
	return source{stringkernel.DNA, func(rng *rand.Rand) []byte {
		here := gc + 0.08*rng.NormFloat64()
		x := make([]byte, length/2+rng.IntN(length))
		for i := range x {
			share := here
			if i > 0 && x[i-1] == 'C' {
				share *= cpg
			}
			if x[i] = "AT"[rng.IntN(2)]; rng.Float64() < share {
				x[i] = "CG"[rng.IntN(2)]
			}
			if rng.IntN(500) == 0 {
				x[i] = 'N'
			}
		}
		return x
	}}
}

// lettered draws records of one length of letters with the weights 1, 2 … n.
func lettered(a stringkernel.Alphabet, letters string, length int) source {
	return source{a, func(rng *rand.Rand) []byte {
		x := make([]byte, length)
		for i := range x {
			x[i] = letters[int(float64(len(letters))*math.Sqrt(rng.Float64()))]
		}
		return x
	}}
}

var sources = map[string]source{
	"dna":     genomic(0.41, 200, 1),
	"windows": lettered(stringkernel.DNA, "ACGT", 60),
	"rna":     lettered(stringkernel.RNA, "ACGU", 30),
	"protein": lettered(stringkernel.Protein, aminoAcids, 80),
	"text":    lettered(stringkernel.Bytes, "The quick brown fox: über den Zaun.", 120),
	"classes": {stringkernel.DNA, func(rng *rand.Rand) []byte {
		if rng.IntN(5) == 0 {
			return genomic(0.6, 300, 1).draw(rng)
		}
		return genomic(0.4, 100, 1).draw(rng)
	}},
}

// TestFalseAlarms: of records drawn as those of training were, at most one sample in a hundred is said to differ.
// SEQSVM_LONG makes fifty times as many experiments.
func TestFalseAlarms(t *testing.T) {
	draws := 40
	if os.Getenv("SEQSVM_LONG") != "" {
		draws *= 50
	}
	total, alarms := 0.0, 0.0
	for name, s := range sources {
		rng := rand.New(rand.NewPCG(1, 2))
		mine := 0
		for i := range draws {
			p := New(s.corpus(rng, []int{1, 20, 100, 300}[i%4]), s.alphabet)
			if err := p.Check(); err != nil {
				t.Fatal(err)
			}
			if shifts := p.shiftsOf(s.corpus(rng, []int{5, 50, 200, 600}[i/4%4])); len(shifts) > 0 {
				mine++
			}
		}
		t.Logf("%s: %d of %d", name, mine, draws)
		total, alarms = total+float64(draws), alarms+float64(mine)
	}
	if most := falseAlarms * total; alarms > most+3*math.Sqrt(most) {
		t.Errorf("%v alarms of %v", alarms, total)
	}
}

func (p *Profile) shiftsOf(c *stringkernel.Corpus) []Shift {
	s := p.NewSample()
	for i := range c.Len() {
		s.Add(c.Seq(i))
	}
	return s.Shifts()
}

// TestShifts: what differs is found and named.
func TestShifts(t *testing.T) {
	long := func(s source) source {
		return source{s.alphabet, func(rng *rand.Rand) []byte { return append(s.draw(rng), s.draw(rng)...) }}
	}
	lowered := func(s source) source {
		return source{s.alphabet, func(rng *rand.Rand) []byte { return []byte(strings.ToLower(string(s.draw(rng)))) }}
	}
	short := source{stringkernel.DNA, func(rng *rand.Rand) []byte { return sources["windows"].draw(rng)[:59] }}
	unknown := source{stringkernel.DNA, func(rng *rand.Rand) []byte {
		return append(sources["dna"].draw(rng), "NNNNNNNNNN"...)
	}}
	for _, c := range []struct {
		trained, tested source
		want            string // part of the name of the first feature, empty: none
	}{
		{sources["dna"], genomic(0.46, 200, 1), "G and C"},
		{sources["dna"], long(sources["dna"]), "length"},
		{genomic(0.44, 200, 0.3), genomic(0.41, 200, 1), "4-mers"},
		{sources["dna"], unknown, "outside"},
		{sources["dna"], lowered(sources["dna"]), ""},
		{sources["windows"], short, "length"},
		{sources["rna"], lettered(stringkernel.RNA, "ACGT", 30), ""},
		{sources["protein"], lettered(stringkernel.Protein, "YWVTSRQPNMLKIHGFEDCA", 80), "share of"},
		{sources["text"], lettered(stringkernel.Bytes, "Le renard brun: saute la clôture, été", 120), "share of"},
	} {
		rng := rand.New(rand.NewPCG(3, 4))
		shifts := New(c.trained.corpus(rng, 1000), c.trained.alphabet).shiftsOf(c.tested.corpus(rng, 200))
		if c.want == "" && len(shifts) > 0 || c.want != "" && (len(shifts) == 0 || !strings.Contains(shifts[0].Feature, c.want)) {
			t.Errorf("want %q, got %+v", c.want, shifts)
		}
	}
}

// TestFeatures compares the features of records with their definitions.
func TestFeatures(t *testing.T) {
	var b stringkernel.CorpusBuilder
	for range 3 {
		b.Add("", []byte("ACGTACGTAC"))
	}
	p := New(b.Corpus(), stringkernel.DNA)
	// of the 4-mers of ACGTACGTAC ACGT is there twice, CGTA, which is TACG, three times, and GTAC twice: the first two,
	// of lesser codes, make half
	rare := func(x string) float64 {
		seen, n := 0.0, 0.0
		for i := 0; i+4 <= len(x); i++ {
			if strings.Contains(x[i:i+4], "N") {
				continue
			}
			if n++; x[i:i+4] == "CGTA" || x[i:i+4] == "TACG" || x[i:i+4] == "ACGT" {
				seen++
			}
		}
		return (n - seen) / max(1, n)
	}
	s := p.NewSample()
	for _, x := range []string{"ACGTAC", "acgtac", "GTACGTAA", "ACGNTTN", "CCCCCCC", ""} {
		upper := strings.ToUpper(x)
		inside := 0.0
		for _, c := range "ACGT" {
			inside += float64(strings.Count(upper, string(c)))
		}
		share := func(letters string) float64 {
			n := 0.0
			for _, c := range letters {
				n += float64(strings.Count(upper, string(c)))
			}
			return n / max(1, inside)
		}
		want := []float64{float64(len(x)), (float64(len(x)) - inside) / max(1, float64(len(x))), share("GC"), share("AG"),
			share("AC"), rare(upper)}
		got := s.reader.read([]byte(x))
		for f, v := range got {
			if scale := []float64{1, unit, unit, unit, unit, unit}[f]; math.Abs(float64(v)/scale-want[f]) > 2e-9 {
				t.Errorf("%q: %s %v, want %v", x, s.reader.name(f), float64(v)/scale, want[f])
			}
		}
	}
}

// TestSample: at most 384 records are kept, in order, one of each run of 2^halved.
func TestSample(t *testing.T) {
	p := New(sources["windows"].corpus(rand.New(rand.NewPCG(1, 1)), 10), stringkernel.DNA)
	s := p.NewSample()
	for i := range 10_000 {
		s.Add(make([]byte, i))
		run := 1 << s.spaced.halved
		for k, v := range s.values {
			if int(v[0])/run != k {
				t.Fatalf("after %d records: record %d is kept of run %d of %d", i+1, v[0], k, run)
			}
		}
		n := len(s.values)
		if n < (i+1)/run || n > mostSampled || i >= mostSampled && n < mostSampled/2 {
			t.Fatalf("after %d records: %d kept", i+1, n)
		}
	}
}

// alternating draws records of two kinds by turns, as a file with a number of decoys after each site has them.
func alternating(a, b source, decoys int) source {
	i := 0
	return source{a.alphabet, func(rng *rand.Rand) []byte {
		if i++; i%(decoys+1) == 0 {
			return a.draw(rng)
		}
		return b.draw(rng)
	}}
}

// TestAlternating: classes that take turns are in the same shares in the records that are looked at.
func TestAlternating(t *testing.T) {
	for _, decoys := range []int{1, 3, 9} {
		for _, n := range []int{1000, 3000} {
			source := alternating(genomic(0.6, 300, 1), genomic(0.4, 200, 0.3), decoys)
			corpus := source.corpus(rand.New(rand.NewPCG(uint64(decoys), 2)), n)
			if shifts := New(corpus, stringkernel.DNA).shiftsOf(corpus); len(shifts) > 0 {
				t.Errorf("%d decoys, %d records: %v of the records of training themselves", decoys, n, shifts)
			}
		}
	}
}

// TestShiftsOfClassesInOrder: classes one after the other, in training and in the sample, do not hide what differs.
func TestShiftsOfClassesInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	join := func(n int, gc float64) *stringkernel.Corpus {
		var b stringkernel.CorpusBuilder
		for i := range n {
			b.Add("", genomic(gc+0.05*float64(2*i/n), 200, 1).draw(rng))
		}
		return b.Corpus()
	}
	shifts := New(join(1000, 0.4), stringkernel.DNA).shiftsOf(join(200, 0.46))
	if len(shifts) == 0 || !strings.Contains(shifts[0].Feature, "G and C") {
		t.Errorf("GC 0.46 and 0.51 after 0.40 and 0.45: %v", shifts)
	}
}

// inBlocks draws blocks of neighbours of a GC of their own.
func inBlocks(rng *rand.Rand, blocks int) (list []source) {
	for range blocks {
		list = append(list, genomic(0.42+0.08*rng.NormFloat64(), 100, 0.5))
	}
	return list
}

// TestFalseAlarmsOfBlocks: of test parts of ten of forty blocks, each of records that are alike, at most one in twenty
// is said to differ.
func TestFalseAlarmsOfBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	alarms, all := 0.0, 0.0
	for i := range 60 {
		size := []int{20, 40, 60}[i%3]
		var parts [2]stringkernel.CorpusBuilder
		for k, block := range inBlocks(rng, 40) {
			part := &parts[0]
			if k < 10 {
				part = &parts[1]
			}
			for range size {
				part.Add("", block.draw(rng))
			}
		}
		all++
		if len(New(parts[0].Corpus(), stringkernel.DNA).shiftsOf(parts[1].Corpus())) > 0 {
			alarms++
		}
	}
	t.Logf("%v of %v", alarms, all)
	if alarms > 0.05*all {
		t.Errorf("%v alarms of %v", alarms, all)
	}
}

// TestCheck refuses what New does not make.
func TestCheck(t *testing.T) {
	for name, s := range sources {
		p := New(s.corpus(rand.New(rand.NewPCG(1, 1)), 50), s.alphabet)
		for i, damage := range []func(p *Profile){
			func(p *Profile) { p.Alphabet = "klingon" },
			func(p *Profile) { p.Records = 0 },
			func(p *Profile) { p.Records = 1 << 20 },
			func(p *Profile) { p.Letters = []byte("ZA") },
			func(p *Profile) { p.Common = p.Common[1:] },
			func(p *Profile) { p.Quantiles = p.Quantiles[1:] },
			func(p *Profile) { p.Quantiles[2] = 51 },
			func(p *Profile) { p.Quantiles[1] = -1 },
			func(p *Profile) { p.Quantiles[0] = -1 },
		} {
			q := *p
			q.Quantiles = append([]int32(nil), p.Quantiles...)
			if damage(&q); q.Check() == nil {
				t.Errorf("%s: damage %d is accepted", name, i)
			}
		}
		if size := 4*len(p.Quantiles) + 8*len(p.Common) + len(p.Letters); size > 1900 {
			t.Errorf("%s: %d bytes", name, size)
		}
		again := New(s.corpus(rand.New(rand.NewPCG(1, 1)), 50), s.alphabet)
		if !reflect.DeepEqual(p, again) {
			t.Errorf("%s: two profiles of the same records", name)
		}
	}
}

func ExampleProfile() {
	training, _ := stringkernel.NewCorpus([][]byte{[]byte("ACGTACGT"), []byte("ACGGACGT")}, nil)
	s := New(training, stringkernel.DNA).NewSample()
	s.Add([]byte("TTTTTTTTTTTTTT"))
	for _, shift := range s.Shifts() {
		fmt.Println(shift) // one record is not enough to tell
	}
	// Output:
}
