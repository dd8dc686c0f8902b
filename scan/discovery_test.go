package scan

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

const trialWindow = 30

// trial is a genome with sites or without any, and a classifier that was trained to find them.
type trial struct {
	*testing.T
	rng    *rand.Rand
	motif  string
	genome []byte
	sites  []int // where they begin
}

// newTrial plants a number of sites.
func newTrial(t *testing.T, seed uint64, length, sites int) *trial {
	r := &trial{T: t, rng: rand.New(rand.NewPCG(seed, 22)), motif: "TGACTCATCGCA"}
	r.genome = drawn.Text(r.rng, "ACGT", length)
	for i := range sites { // far from each other
		room := length / sites
		at := i*room + 2*trialWindow + r.rng.IntN(room-4*trialWindow)
		copy(r.genome[at:], r.site())
		r.sites = append(r.sites, at)
	}
	return r
}

// site is the motif, on either strand, with a letter in twenty at random.
func (r *trial) site() []byte {
	site := []byte(r.motif)
	for i := range site {
		if r.rng.IntN(20) == 0 {
			site[i] = "ACGT"[r.rng.IntN(4)]
		}
	}
	if r.rng.IntN(2) == 0 {
		return stringkernel.DNA.ReverseComplementTo(nil, site)
	}
	return site
}

// scanner trains on 100 records, half of which have a site if that is wanted.
func (r *trial) scanner(signal bool) *Scanner {
	r.Helper()
	var b stringkernel.CorpusBuilder
	var labels []string
	for i := range 100 {
		record := drawn.Text(r.rng, "ACGT", trialWindow)
		if signal && i%2 == 1 {
			copy(record[r.rng.IntN(trialWindow-len(r.motif)):], r.site())
		}
		b.Add(fmt.Sprint(i), record)
		labels = append(labels, []string{"no", "yes"}[i%2])
	}
	data := must.Get(dataset.New(b.Corpus(), labels, nil))(r)
	kernel := compose.Normalized(spectrum.Kernel{K: 4, Alphabet: stringkernel.DNA})
	trained := must.Get(classify.Trainer{Kernel: kernel}.Train(r.Context(), data))(r)
	classifier := must.Get(trained.Classifier(r.Context()))(r)
	s := must.Get(New(Options{Classifier: classifier, Alphabet: stringkernel.DNA, Class: 1, Window: trialWindow, Plus: true,
		Minus: true}))(r)
	return s
}

// discoveries returns where windows with a q-value of at most 0.1 begin.
func (r *trial) discoveries(s *Scanner, null Null) (starts []int) {
	r.Helper()
	f := must.Get(s.EstimateFDR(r.Context(), source(r.genome, s.Stream(seqio.CaseUpper)), null, trialWindow))(r)
	better := *s
	better.BetterStrand = true
	found := new(list)
	sink := &Suppressor{Distance: trialWindow, Joint: true, Next: found}
	must.Succeed(r, better.Run(r.Context(), source(r.genome, s.Stream(seqio.CaseUpper)),
		Job{Least: NewThreshold(f.Threshold(0.1)), Emit: func(b *Batch) error {
			for _, h := range b.Hits {
				if err := sink.Add(s.Region(b, h)); err != nil {
					return err
				}
			}
			return nil
		}}))
	must.Succeed(r, sink.End())
	for _, region := range found.regions {
		if q := f.Q(region.Score); q > 0.1 {
			r.Errorf("a discovery with a q-value of %v", q)
		}
		starts = append(starts, region.Start)
	}
	return starts
}

// shuffled is the null of a genome's shuffles.
func (r *trial) shuffled(s *Scanner, seed uint64) Null {
	return Null{Source: source(r.genome, s.Stream(seqio.CaseUpper)), Copies: 20, Seed: seed}
}

// TestNoSignalNoDiscoveries: trained on records that differ by chance alone, a scan of other random letters has a
// discovery at q ≤ 0.1 in a tenth of all runs or so, with shuffles and with unseen negatives as the null.
func TestNoSignalNoDiscoveries(t *testing.T) {
	runs := long.Or(60, 40)
	found := map[string]int{}
	for seed := range uint64(runs) {
		r := newTrial(t, seed, 1500, 0)
		s := r.scanner(false)
		unseen := drawn.Text(r.rng, "ACGT", 15_000)
		for name, null := range map[string]Null{
			"shuffles": r.shuffled(s, seed), "unseen": {Source: source(unseen, s.Stream(seqio.CaseUpper))},
		} {
			if len(r.discoveries(s, null)) > 0 {
				found[name]++
			}
		}
	}
	t.Logf("runs with a discovery, of %d: %v", runs, found)
	for _, name := range []string{"shuffles", "unseen"} {
		if share := float64(found[name]) / float64(runs); share > 0.15 {
			t.Errorf("%s: a share of %.3f of all runs has a discovery, want 0.15 or less", name, share)
		}
	}
}

// TestFalseDiscoveryProportion: with planted sites the mean share of discoveries that overlap no site is at most what
// was asked for, and most sites are found.
func TestFalseDiscoveryProportion(t *testing.T) {
	runs, planted := long.Or(20, 14), 20
	share, power := map[string]float64{}, map[string]float64{}
	for seed := range uint64(runs) {
		r := newTrial(t, seed, 6000, planted)
		s := r.scanner(true)
		unseen := drawn.Text(r.rng, "ACGT", 30_000)
		for name, null := range map[string]Null{
			"shuffles": r.shuffled(s, seed), "unseen": {Source: source(unseen, s.Stream(seqio.CaseUpper))},
		} {
			starts := r.discoveries(s, null)
			wrong := 0
			for _, start := range starts {
				if !slices.ContainsFunc(r.sites, func(at int) bool {
					return at < start+trialWindow && start < at+len(r.motif)
				}) {
					wrong++
				}
			}
			share[name] += float64(wrong) / float64(max(1, len(starts))) / float64(runs)
			power[name] += float64(len(starts)-wrong) / float64(planted) / float64(runs)
		}
	}
	t.Logf("false share %v, found %v", share, power)
	for name := range share {
		if share[name] > 0.12 {
			t.Errorf("%s: a mean share of %.3f is false, want 0.12 or less", name, share[name])
		}
		if power[name] < 0.5 {
			t.Errorf("%s: %.3f of all sites were found, want most", name, power[name])
		}
	}
}

// TestCompositionIsNoDiscovery: where the genome has a part rich in G and C, and the classifier has learnt G and C, the
// shuffles are as rich.
func TestCompositionIsNoDiscovery(t *testing.T) {
	found, runs := 0, long.Or(40, 24)
	for seed := range uint64(runs) {
		r := newTrial(t, seed, 4000, 0)
		r.motif = "GCGCGGCCGC"
		s := r.scanner(true)
		copy(r.genome[2000:], drawn.Text(r.rng, "ACGGCCGGCCT", 1000))
		if len(r.discoveries(s, r.shuffled(s, seed))) > 0 {
			found++
		}
	}
	if found > runs/4 {
		t.Errorf("%d of %d runs have a discovery", found, runs)
	}
}

// TestPeaksOfManyChunks: peaks are those that a Suppressor finds among all windows, though most are dropped before.
func TestPeaksOfManyChunks(t *testing.T) {
	r := newTrial(t, 3, 100_000, 40)
	copy(r.genome[40_000:60_000], bytes.Repeat([]byte{'N'}, 20_000)) // windows of one score
	s := r.scanner(true)
	s.BetterStrand = true
	all := new(list)
	sink := &Suppressor{Distance: trialWindow, Joint: true, Next: all}
	err := s.Run(t.Context(), source(r.genome, s.Stream(seqio.CaseUpper)), Job{Emit: func(b *Batch) error {
		for _, h := range b.Hits {
			if err := sink.Add(s.Region(b, h)); err != nil {
				return err
			}
		}
		return nil
	}})
	must.Succeed(t, errors.Join(err, sink.End()))
	f := must.Get(s.EstimateFDR(t.Context(), source(r.genome, s.Stream(seqio.CaseUpper)), r.shuffled(s, 7), trialWindow))(t)
	if got := f.Discoveries(1); got != len(all.regions) {
		t.Errorf("%d peaks, want %d", got, len(all.regions))
	}
}

// TestNullsAreReproducible: rates do not depend on the number of processors.
func TestNullsAreReproducible(t *testing.T) {
	r := newTrial(t, 1, 70_000, 40)
	s := r.scanner(true)
	var first *FDR
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 5} {
		runtime.GOMAXPROCS(processors)
		f := must.Get(s.EstimateFDR(t.Context(), source(r.genome, s.Stream(seqio.CaseUpper)), r.shuffled(s, 7), trialWindow))(t)
		if first == nil {
			first = f
		}
		if !reflect.DeepEqual(f, first) {
			t.Fatal("not the same")
		}
	}
	none := Null{Source: func(func(seqio.Chunk) error) error { return nil }}
	if _, err := s.EstimateFDR(t.Context(), source(r.genome, s.Stream(seqio.CaseUpper)), none, trialWindow); err != ErrNoNull {
		t.Errorf("without a null: %v", err)
	}
}

// source cuts one record as a stream does.
func source(text []byte, opt seqio.StreamOptions) Source {
	return func(visit func(seqio.Chunk) error) error {
		for start := 0; ; start += opt.Size {
			end := min(start+opt.Size+opt.Overlap, len(text))
			if err := visit(seqio.Chunk{Record: "chr", Start: start, Seq: text[start:end],
				Last: end == len(text)}); err != nil || end == len(text) {
				return err
			}
		}
	}
}
