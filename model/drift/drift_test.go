package drift_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model/drift"
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
	"protein": lettered(stringkernel.Protein, "ACDEFGHIKLMNPQRSTVWY", 80),
	"text":    lettered(stringkernel.Bytes, "The quick brown fox: über den Zaun.", 120),
	"classes": {stringkernel.DNA, func(rng *rand.Rand) []byte {
		if rng.IntN(5) == 0 {
			return genomic(0.6, 300, 1).draw(rng)
		}
		return genomic(0.4, 100, 1).draw(rng)
	}},
}

// TestFalseAlarms: of records drawn as those of training were, at most one sample in a hundred is said to differ.
// The build tag long makes fifty times as many experiments.
func TestFalseAlarms(t *testing.T) {
	draws := long.Or(2000, 40)
	total, alarms := 0.0, 0.0
	for name, s := range sources {
		rng := rand.New(rand.NewPCG(1, 2))
		mine := 0
		for i := range draws {
			p := drift.New(s.corpus(rng, []int{1, 20, 100, 300}[i%4]), s.alphabet)
			must.Succeed(t, p.Check())
			if shifts := shiftsOf(p, s.corpus(rng, []int{5, 50, 200, 600}[i/4%4])); len(shifts) > 0 {
				mine++
			}
		}
		t.Logf("%s: %d of %d", name, mine, draws)
		total, alarms = total+float64(draws), alarms+float64(mine)
	}
	if most := 0.01 * total; alarms > most+3*math.Sqrt(most) {
		t.Errorf("%v alarms of %v", alarms, total)
	}
}

func shiftsOf(p *drift.Profile, c *stringkernel.Corpus) []drift.Shift {
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
		shifts := shiftsOf(drift.New(c.trained.corpus(rng, 1000), c.trained.alphabet), c.tested.corpus(rng, 200))
		if c.want == "" && len(shifts) > 0 || c.want != "" && (len(shifts) == 0 || !strings.Contains(shifts[0].Feature, c.want)) {
			t.Errorf("want %q, got %+v", c.want, shifts)
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
			if shifts := shiftsOf(drift.New(corpus, stringkernel.DNA), corpus); len(shifts) > 0 {
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
	shifts := shiftsOf(drift.New(join(1000, 0.4), stringkernel.DNA), join(200, 0.46))
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
		if len(shiftsOf(drift.New(parts[0].Corpus(), stringkernel.DNA), parts[1].Corpus())) > 0 {
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
		p := drift.New(s.corpus(rand.New(rand.NewPCG(1, 1)), 50), s.alphabet)
		for i, damage := range []func(p *drift.Profile){
			func(p *drift.Profile) { p.Alphabet = "klingon" },
			func(p *drift.Profile) { p.Records = 0 },
			func(p *drift.Profile) { p.Records = 1 << 20 },
			func(p *drift.Profile) { p.Letters = []byte("ZA") },
			func(p *drift.Profile) { p.Common = p.Common[1:] },
			func(p *drift.Profile) { p.Quantiles = p.Quantiles[1:] },
			func(p *drift.Profile) { p.Quantiles[2] = 51 },
			func(p *drift.Profile) { p.Quantiles[1] = -1 },
			func(p *drift.Profile) { p.Quantiles[0] = -1 },
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
		again := drift.New(s.corpus(rand.New(rand.NewPCG(1, 1)), 50), s.alphabet)
		if !reflect.DeepEqual(p, again) {
			t.Errorf("%s: two profiles of the same records", name)
		}
	}
}

func ExampleProfile() {
	training, _ := stringkernel.NewCorpus([][]byte{[]byte("ACGTACGT"), []byte("ACGGACGT")}, nil)
	s := drift.New(training, stringkernel.DNA).NewSample()
	s.Add([]byte("TTTTTTTTTTTTTT"))
	for _, shift := range s.Shifts() {
		fmt.Println(shift) // one record is not enough to tell
	}
	// Output:
}

// TestCollector: the profile of a stream is that of the same records in memory, which are kept in bounded memory,
// whatever happens to the letters after they were added.
func TestCollector(t *testing.T) {
	source := genomic(0.45, 120, 0.3)
	for _, n := range []int{0, 1, 2048, 2049, 3*2048 + 5} {
		corpus := source.corpus(rand.New(rand.NewPCG(1, 2)), n)
		var c drift.Collector
		var letters []byte
		for i := range n {
			letters = append(letters[:0], corpus.Seq(i)...)
			c.Add(letters)
		}
		var want *drift.Profile
		if n > 0 {
			want = drift.New(corpus, stringkernel.DNA)
		}
		if got := c.Profile(stringkernel.DNA); !reflect.DeepEqual(got, want) {
			t.Errorf("%d records: another profile than that of the corpus", n)
		}
	}
}
