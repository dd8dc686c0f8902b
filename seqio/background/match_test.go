package background_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/background"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// openGenome writes sequences s0, s1, … to a file and opens it.
func openGenome(t testing.TB, seqs [][]byte) *genome.Genome {
	t.Helper()
	var text bytes.Buffer
	for i, x := range seqs {
		fmt.Fprintf(&text, ">s%d\n", i)
		for line := range slices.Chunk(x, 60) {
			fmt.Fprintf(&text, "%s\n", line)
		}
	}
	folder := must.Get(os.MkdirTemp("", "background"))(t)
	t.Cleanup(func() { os.RemoveAll(folder) })
	path := filepath.Join(folder, "g.fa")
	must.Succeed(t, os.WriteFile(path, text.Bytes(), 0o666))
	g := must.Get(genome.Open(path, seqio.CaseKept))(t)
	t.Cleanup(func() { g.Close() })
	return g
}

// openAtlas makes the atlas of sequences.
func openAtlas(t testing.TB, seqs [][]byte) *background.Atlas {
	t.Helper()
	return must.Get(background.NewAtlas(t.Context(), openGenome(t, seqs)))(t)
}

// compose counts by definition.
func compose(x []byte) (c background.Composition) {
	c.Letters = len(x)
	for _, b := range x {
		switch b {
		case 'A', 'T':
		case 'C', 'G':
			c.GC++
		case 'a', 't':
			c.Masked++
		case 'c', 'g':
			c.GC++
			c.Masked++
		default:
			c.Unknown++
		}
	}
	return c
}

// patchy is a sequence of stretches that differ in GC, masking and unknown letters.
func patchy(rng *rand.Rand, n int) []byte {
	x := make([]byte, 0, n)
	for len(x) < n {
		letters := []string{"ACGT", "AT", "GC", "acgt", "at", "N", "ACGTRYn-"}[rng.IntN(7)]
		for range min(1+rng.IntN(80), n-len(x)) {
			x = append(x, letters[rng.IntN(len(letters))])
		}
	}
	return x
}

func TestAtlasCounts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		lengths := rapid.SliceOfN(rapid.SampledFrom([]int{1, 2, 63, 64, 65, 255, 256, 257, 512, 700}), 1, 4).Draw(rt,
			"lengths")
		seqs := make([][]byte, len(lengths))
		for i, n := range lengths {
			seqs[i] = patchy(rng, n)
		}
		a := openAtlas(t, seqs)
		for i, x := range seqs {
			name := fmt.Sprint("s", i)
			if n, ok := a.Length(name); n != len(x) || !ok {
				rt.Fatalf("%s has %d letters, %v, want %d", name, n, ok, len(x))
			}
			for range 40 {
				start := rng.IntN(len(x) + 1)
				end := start + rng.IntN(len(x)-start+1)
				if got, want := a.Composition(name, genome.Span{Start: start, End: end}),
					compose(x[start:end]); got != want {
					rt.Fatalf("%s:%d-%d: %+v, want %+v", name, start, end, got, want)
				}
			}
		}
	})
}

// A sequence longer than the pieces it is read in.
func TestAtlasOfLongSequence(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := patchy(rng, 1<<21+777)
	a := openAtlas(t, [][]byte{x})
	for range 500 {
		start := rng.IntN(len(x))
		end := min(len(x), start+rng.IntN(1<<rng.IntN(22)))
		if got, want := a.Composition("s0", genome.Span{Start: start, End: end}), compose(x[start:end]); got != want {
			t.Fatalf("%d-%d: %+v, want %+v", start, end, got, want)
		}
	}
}

// overlap reports whether two pieces of one sequence have a letter in common.
func overlap(a, b genome.Span) bool { return max(a.Start, b.Start) < min(a.End, b.End) }

// Whatever is found is as promised, nothing is lost, and neither the number of processors nor chance changes it.
func TestMatchIsAsPromised(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 2))
		seqs := [][]byte{patchy(rng, 3000), patchy(rng, 20), patchy(rng, 40_000)}
		piece := func(longest int) genome.Interval {
			s := rng.IntN(len(seqs))
			start := rng.IntN(len(seqs[s]))
			end := min(len(seqs[s]), start+1+rng.IntN(longest))
			return genome.Interval{Seq: fmt.Sprint("s", s), Span: genome.Span{Start: start, End: end},
				Strand: []genome.Strand{genome.Plus, genome.Minus, genome.NoStrand}[rng.IntN(3)]}
		}
		var positives, exclude []genome.Interval
		for range rapid.IntRange(1, 30).Draw(rt, "positives") {
			positives = append(positives, piece(120))
		}
		for range rapid.IntRange(0, 5).Draw(rt, "excluded") {
			exclude = append(exclude, piece(20_000))
		}
		m := background.Matcher{
			Ratio:   rapid.SampledFrom([]float64{1, 0.3, 2.5, 4}).Draw(rt, "ratio"),
			GC:      rapid.SampledFrom([]float64{0, 0.02, 0.2, 1}).Draw(rt, "gc"),
			Repeats: rapid.SampledFrom([]float64{0, 0.1, 1}).Draw(rt, "repeats"),
			Tries:   rapid.SampledFrom([]int{1, 100, 3000}).Draw(rt, "tries"), Seed: 1,
		}
		a := openAtlas(t, seqs)
		r := must.Get(m.Match(t.Context(), a, positives, exclude))(rt)
		if r.Wanted != int(math.Floor(float64(len(positives))*m.Ratio)) {
			rt.Fatalf("%d wanted, ratio %v of %d", r.Wanted, m.Ratio, len(positives))
		}
		lost := r.Wanted - len(r.Windows)
		for _, n := range r.Unmatched {
			lost -= n
		}
		if lost != 0 {
			rt.Fatalf("%d windows of %d, unmatched %v", len(r.Windows), r.Wanted, r.Unmatched)
		}
		for i, w := range r.Windows {
			p := positives[w.Positive]
			var s int
			fmt.Sscanf(w.Seq, "s%d", &s)
			have := compose(seqs[s][w.Start:w.End])
			var ps int
			fmt.Sscanf(p.Seq, "s%d", &ps)
			want := compose(seqs[ps][p.Start:p.End])
			if have != w.Composition || want != r.Positives[w.Positive] {
				rt.Fatalf("compositions %+v, %+v, want %+v, %+v", w.Composition, r.Positives[w.Positive], have, want)
			}
			gc := math.Abs(have.GCShare() - want.GCShare())
			repeats := math.Abs(have.RepeatShare() - want.RepeatShare())
			if w.Len() != p.Len() || have.Unknown > 0 || gc > m.GC+1e-9 || repeats > m.Repeats+1e-9 ||
				w.Strand != p.Strand {
				rt.Fatalf("window %+v is for %+v", w, p)
			}
			for _, other := range slices.Concat(positives, exclude) {
				if other.Seq == w.Seq && overlap(other.Span, w.Span) {
					rt.Fatalf("window %+v overlaps %+v", w, other)
				}
			}
			for _, other := range r.Windows[:i] {
				if other.Seq == w.Seq && overlap(other.Span, w.Span) {
					rt.Fatalf("window %+v overlaps window %+v", w, other)
				}
			}
		}
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		if again, err := m.Match(t.Context(), a, positives, exclude); err != nil || !reflect.DeepEqual(again, r) {
			rt.Fatalf("another result with one processor, %v", err)
		}
	})
}

// suits applies the tests of the definition to every place of a genome for a positive, and returns the places that pass
// and the last test that some place fails.
func suits(seqs [][]byte, p genome.Interval, m background.Matcher) (places []string, reason background.Reason) {
	var s int
	fmt.Sscanf(p.Seq, "s%d", &s)
	want := compose(seqs[s][p.Start:p.End])
	if want.Unknown == want.Letters {
		return nil, background.NothingKnown
	}
	reason = background.TooLong
	for s, x := range seqs {
		for start := 0; start+p.Len() <= len(x); start++ {
			span := genome.Span{Start: start, End: start + p.Len()}
			have := compose(x[span.Start:span.End])
			name := fmt.Sprint("s", s)
			switch {
			case have.Unknown > 0:
				reason = max(reason, background.UnknownBase)
			case math.Abs(have.GCShare()-want.GCShare()) > m.GC+1e-9:
				reason = max(reason, background.OtherGC)
			case math.Abs(have.RepeatShare()-want.RepeatShare()) > m.Repeats+1e-9:
				reason = max(reason, background.OtherRepeat)
			case name == p.Seq && overlap(span, p.Span):
				reason = max(reason, background.Overlapping)
			default:
				places = append(places, fmt.Sprintf("%s:%d", name, start))
			}
		}
	}
	return places, reason
}

// With tries to spare, a window is found if and only if there is one; if not, the reason is the last test that some
// place of the genome fails.
func TestMatchFindsWhatThereIs(t *testing.T) {
	found, not := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		seqs := [][]byte{patchy(rng, 150), patchy(rng, 60)}
		start := rng.IntN(140)
		p := genome.Interval{Seq: "s0", Span: genome.Span{Start: start, End: start + 1 + rng.IntN(150-start)}}
		m := background.Matcher{Ratio: 1, GC: 0.05, Repeats: 0.05, Tries: 20_000, Seed: seed}
		r := must.Get(m.Match(t.Context(), openAtlas(t, seqs), []genome.Interval{p}, nil))(t)
		places, reason := suits(seqs, p, m)
		if len(places) > 0 {
			found++
			if len(r.Windows) != 1 || !slices.Contains(places,
				fmt.Sprintf("%s:%d", r.Windows[0].Seq, r.Windows[0].Start)) {
				t.Errorf("seed %d: %+v, want one of %v", seed, r.Windows, places)
			}
			continue
		}
		not++
		// a place that ends beyond the sequence
		if reason == background.TooLong && r.Unmatched[background.UnknownBase] == 1 {
			reason = background.UnknownBase
		}
		if len(r.Windows) != 0 || r.Unmatched[reason] != 1 {
			t.Errorf("seed %d: %+v, unmatched %v, want %v", seed, r.Windows, r.Unmatched, reason)
		}
	}
	if found < 50 || not < 50 {
		t.Errorf("%d found and %d not, want many of both", found, not)
	}
}

// All places that suit come up equally often: χ² with a cell per place.
func TestMatchIsUniform(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 4))
	seqs := [][]byte{patchy(rng, 400), patchy(rng, 9), patchy(rng, 200)}
	p := genome.Interval{Seq: "s0", Span: genome.Span{Start: 40, End: 50}}
	m := background.Matcher{Ratio: 1, GC: 0.2, Repeats: 0.5, Tries: 10_000}
	places, _ := suits(seqs, p, m)
	if len(places) < 20 {
		t.Fatalf("%d places, want a better example", len(places))
	}
	a := openAtlas(t, seqs)
	count := map[string]int{}
	for seed := range 100 * len(places) {
		m.Seed = uint64(seed)
		r, err := m.Match(t.Context(), a, []genome.Interval{p}, nil)
		if err != nil || len(r.Windows) != 1 {
			t.Fatal(r, err)
		}
		count[fmt.Sprintf("%s:%d", r.Windows[0].Seq, r.Windows[0].Start)]++
	}
	checkUniform(t, count, places)
}

// A genome with no room left ends the search. How many windows have room, 801 places of 100 bases, is said before.
func TestMatchFullGenome(t *testing.T) {
	x := bytes.Repeat([]byte("ACGT"), 250)
	p := []genome.Interval{{Seq: "s0", Span: genome.Span{Start: 0, End: 100}}}
	room, of := 0, 0
	r := must.Get(background.Matcher{Ratio: 50, GC: 0.1, Repeats: 0, Tries: 500,
		Room: func(n, wanted int) { room, of = n, wanted }}.Match(t.Context(), openAtlas(t, [][]byte{x}), p, nil))(t)
	if room < 7 || room > 9 || of != 50 {
		t.Errorf("room for %d of %d windows, want about 8 of 50", room, of)
	}
	if n := len(r.Windows); n < 4 || n > 9 || r.Unmatched[background.Overlapping] != 50-n {
		t.Errorf("%d windows in 900 bases, unmatched %v", n, r.Unmatched)
	}
}

// A number of windows that is whole does not become one less by rounding.
func TestMatchWholeRatios(t *testing.T) {
	a := openAtlas(t, [][]byte{bytes.Repeat([]byte("ACGT"), 500)})
	p := make([]genome.Interval, 100)
	for i := range p {
		p[i] = genome.Interval{Seq: "s0", Span: genome.Span{Start: i, End: i + 1}}
	}
	for percent := 1; percent <= 100; percent++ {
		r, err := background.Matcher{Ratio: float64(percent) / 100, GC: 1, Repeats: 1, Tries: 100}.Match(t.Context(), a,
			p, nil)
		if err != nil || r.Wanted != percent {
			t.Errorf("%d windows wanted of %d %% of 100 positives (%v)", r.Wanted, percent, err)
		}
	}
}

func TestMatchRefuses(t *testing.T) {
	a := openAtlas(t, [][]byte{[]byte("ACGTACGT")})
	good := background.Matcher{Ratio: 1, GC: 0.1, Repeats: 0.1, Tries: 10}
	at := func(seq string, start, end int) []genome.Interval {
		return []genome.Interval{{Seq: seq, Span: genome.Span{Start: start, End: end}}}
	}
	for _, c := range []struct {
		change    func(m *background.Matcher)
		positives []genome.Interval
		want      string
	}{
		{func(m *background.Matcher) { m.Ratio = 0 }, nil, "ratio = 0, want above 0"},
		{func(m *background.Matcher) { m.Ratio = math.NaN() }, nil, "ratio = NaN"},
		{func(m *background.Matcher) { m.Ratio = 1e9 }, nil, "at most 1000"},
		{func(m *background.Matcher) { m.GC = -1 }, nil, "tolerance of GC = -1"},
		{func(m *background.Matcher) { m.Repeats = math.NaN() }, nil, "tolerance of repeats = NaN"},
		{func(m *background.Matcher) { m.Tries = 0 }, nil, "tries = 0"},
		{func(m *background.Matcher) { m.Ratio = 9 }, at("s0", 0, 1), "9 windows requested from a genome of 8 letters"},
		{nil, at("x", 0, 1), `positive 1: the genome has no sequence "x"`},
		{nil, at("s0", 3, 3), "s0:3-3 has no letters"},
		{nil, at("s0", 3, 9), "s0:3-9 is not within the sequence, which has 8"},
		{nil, at("s0", -1, 9), "is not within"},
	} {
		m := good
		if c.change != nil {
			c.change(&m)
		}
		if _, err := m.Match(t.Context(), a, c.positives, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := good.Match(ctx, a, at("s0", 0, 2), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the context's error", err)
	}
	if _, err := background.NewAtlas(ctx, openGenome(t, [][]byte{[]byte("ACGT")})); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the context's error", err)
	}
	if _, err := background.NewAtlas(t.Context(), openGenome(t, [][]byte{nil})); err == nil {
		t.Error("a genome without letters has an atlas")
	}
}

// A report, calculated by hand: lengths 4 and 8, GC 1/2 and 1/4 of the known, repeats 1/4 and 1/2.
func TestReport(t *testing.T) {
	m := background.Matches{
		Positives: []background.Composition{{Letters: 4, GC: 2, Masked: 1}, {Letters: 12, Unknown: 8, GC: 1, Masked: 2},
			{Letters: 2, Unknown: 2}},
		Windows: []background.Window{{Composition: background.Composition{Letters: 4, GC: 1}}},
		Wanted:  3, Unmatched: [background.Reasons]int{0, 1, 0, 0, 1, 0},
	}
	var b strings.Builder
	must.Succeed(t, m.WriteReport(&b))
	const want = "quantity\tpositives\tnegatives\n" +
		"windows\t3\t1\nlength_mean\t6.0\t4.0\nlength_sd\t5.3\tNA\ngc_mean\t0.3750\t0.2500\n" +
		"gc_sd\t0.1768\tNA\nrepeats_mean\t0.3750\t0.0000\nrepeats_sd\t0.1768\tNA\n" +
		"wanted\t\t3\nunmatched: no known base in the positive\t\t0\nunmatched: too long for the " +
		"genome\t\t1\nunmatched: ends and unknown bases\t\t0\nunmatched: GC\t\t0\nunmatched: " +
		"repeats\t\t1\nunmatched: overlap\t\t0\n"
	if b.String() != want {
		t.Errorf("report\n%s\nwant\n%s", b.String(), want)
	}
	if p := background.NewProfile(nil); p.N != 0 || !math.IsNaN(p.GC.Mean) {
		t.Errorf("profile of nothing: %+v", p)
	}
}

func TestLocate(t *testing.T) {
	g := openGenome(t, [][]byte{[]byte("AACCGGTTaacNRTTTTTGA")})
	read := func(text string) *seqio.Set {
		return must.Get(seqio.Read(strings.NewReader(text), "p.fa", seqio.Options{}))(t)
	}
	set := read(">s0:2-7\nCCGGT\n>s0:3-7\nCCGGT\n>x::s0:9-13(-)\nYNGT\n>s0:9-13\nACNR\n>s0:9-13/rc\nACNR\n" +
		">s0:2-6(+)\nCCGG\n>s0:2-6(-)\nCCGG\n")
	list, misfits, err := background.Locate(set, g)
	if err != nil || misfits.LeftOut() > 0 {
		t.Fatal(misfits, err)
	}
	for i, want := range []string{"s0:3-7", "s0:3-7", "s0:10-13(-)", "s0:10-13", "s0:10-13", "s0:3-6(+)", "s0:3-6(-)"} {
		if got := background.RegionName(list[i].Seq, list[i].Span, list[i].Strand); got != want {
			t.Errorf("record %d is at %s, want %s", i, got, want)
		}
		letters, err := background.AppendWindow([]byte("x"), g, list[i].Seq, list[i].Span, list[i].Strand)
		if err != nil || !strings.EqualFold(string(letters), "x"+string(set.Corpus.Seq(i))) {
			t.Errorf("record %d has letters %s, %v", i, letters, err)
		}
	}
	for text, want := range map[string]string{
		">a\nCC\n":         `p.fa:1: record "a": the id has no position`,
		">s0:2-7\nCCGG\n":  `p.fa:1: record "s0:2-7": 4 letters, but positions 2 to 7 in the id`,
		">s1:2-4\nCC\n":    "the genome has no sequence \"s1\"; is it another assembly, or does it use other names",
		">s0:19-21\nAA\n":  "s0:19-21 is not within the sequence, which has 20 letters; is it another assembly?",
		">s0:2-4\nCA\n":    "differ from those of the genome on both strands",
		">s0:2-4(-)\nAG\n": "differ from those of the genome",
	} {
		if _, _, err := background.Locate(read(text), g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	list, misfits, err = background.Locate(read(">s1:2-4\nCC\n>s0:2-7\nCCGGT\n>s0:19-21\nAA\n>s0:2-4\nCA\n"), g)
	if err != nil || len(list) != 1 || list[0].Line != 3 || misfits.LeftOut() != 3 || misfits.Lines != 4 ||
		!strings.HasPrefix(misfits.First.Error(), `p.fa:1: record "s1:2-4"`) {
		t.Errorf("one of four records fits: %v, %+v, %v", list, misfits, err)
	}
	if _, err := background.AppendWindow(nil, g, "s9", genome.Span{}, genome.Minus); err == nil {
		t.Error("letters of a sequence that is not there")
	}
}

// What is excluded many times over takes no more memory, nor time to look up, than once, and windows are the same.
func TestExcludedManyTimes(t *testing.T) {
	x := bytes.Repeat([]byte("ACGT"), 100_000)
	a := openAtlas(t, [][]byte{x})
	positive := []genome.Interval{{Seq: "s0", Span: genome.Span{Start: 399_900, End: 400_000}}}
	once := []genome.Interval{{Seq: "s0", Span: genome.Span{Start: -5, End: 399_000}}}
	m := background.Matcher{Ratio: 5, GC: 1, Repeats: 1, Tries: 100_000}
	want, err := m.Match(t.Context(), a, positive, once)
	if err != nil || len(want.Windows) != 5 {
		t.Fatal(want, err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := m.Match(t.Context(), a, positive, slices.Repeat(once, 50_000))
	runtime.ReadMemStats(&after)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v (%v)", got, want, err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 16<<20 {
		t.Errorf("%d bytes taken for an interval that is there 50,000 times", taken)
	}
}
