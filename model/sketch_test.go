package model

import (
	"bytes"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/sketch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// sketched is a small model with a sketch.
func sketched(t testing.TB) *Model {
	m := tinySpectrum(t)
	m.Sketch = sketchOf(t, corpusOf("GATTACA", "CAT", strings.Repeat("GATTACAT", 5)), stringkernel.DNA)
	return m
}

// sketchOf is a sketch that nobody cancels.
func sketchOf(t testing.TB, c *stringkernel.Corpus, a stringkernel.Alphabet) *Sketch {
	return must.Get(NewSketch(t.Context(), c, a))(t)
}

func corpusOf(records ...string) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	for _, r := range records {
		b.Add("", []byte(r))
	}
	return b.Corpus()
}

// randomRecords are n records of a length over letters.
func randomRecords(seed uint64, n, length int, letters string) []string {
	r := rand.New(rand.NewPCG(seed, 3))
	records := make([]string, n)
	for i := range records {
		x := drawn.Text(r, letters, length)
		records[i] = string(x)
	}
	return records
}

// A sketch is read as it was written; a model without one has another file.
func TestSketchRoundTrip(t *testing.T) {
	m := sketched(t)
	data := write(t, m)
	loaded := read(t, data)
	if !reflect.DeepEqual(loaded.Sketch, m.Sketch) {
		t.Errorf("read %+v, written %+v", loaded.Sketch, m.Sketch)
	}
	if !bytes.Equal(write(t, loaded), data) {
		t.Error("a model read and written again has other bytes")
	}
	if loaded.Sketch = nil; !bytes.Equal(write(t, loaded), write(t, tinySpectrum(t))) {
		t.Error("without the sketch it is another file")
	}
}

// The hashes are the least of FNV-1a of each record in upper case and of each k-mer's lesser strand, on several
// processors and whatever the lengths of records that are hashed side by side.
func TestSketchHasTheLeastHashes(t *testing.T) {
	records := randomRecords(4, 9000, 90, "ACGTacgtN")
	for i := range records {
		records[i] = records[i][:10+i%81]
	}
	if letters := len(strings.Join(records, "")); letters < leastSketched {
		t.Fatalf("%d letters take one processor", letters)
	}
	const k = 24
	coder := kmer.New(stringkernel.DNA, k)
	var whole, kmers []uint64
	for _, x := range records {
		x = strings.ToUpper(x)
		h := fnv.New64a()
		h.Write([]byte(x))
		whole = append(whole, sketch.Hash(h.Sum64()))
		for at := range max(0, len(x)-k+1) {
			strand := []byte(x[at : at+k])
			for _, code := range coder.All(strand) {
				for _, other := range coder.All(stringkernel.DNA.ReverseComplementTo(nil, strand)) {
					kmers = append(kmers, sketch.Hash(min(code, other)))
				}
			}
		}
	}
	least := func(hashes []uint64, n int) []uint64 {
		slices.Sort(hashes)
		hashes = slices.Compact(hashes)
		return hashes[:min(n, len(hashes))]
	}
	got := sketchOf(t, corpusOf(records...), stringkernel.DNA)
	if !slices.Equal(got.Records, least(whole, sketchRecords)) || !slices.Equal(got.Kmers, least(kmers, sketchKmers)) {
		t.Errorf("other hashes than the least %d of %d records and %d of %d k-mers", len(got.Records), len(whole),
			len(got.Kmers), len(kmers))
	}
}

// Whatever the size of the training data, a sketch adds at most 256 KB to a file.
func TestSketchIsBounded(t *testing.T) {
	m := tinySpectrum(t)
	before := len(write(t, m))
	m.Sketch = sketchOf(t, corpusOf(randomRecords(1, 20_000, 40, "ACGT")...), stringkernel.DNA)
	if added := len(write(t, m)) - before; added > 256<<10 || added < 128<<10 {
		t.Errorf("%d bytes more", added)
	}
}

// The shares of known records and k-mers are exact for small training data, and estimates within their errors for
// large: of records as they are, of windows that overlap them, of the other strand, in lower case, and as RNA.
func TestOverlap(t *testing.T) {
	reverse := func(x string) string { return string(stringkernel.DNA.ReverseComplementTo(nil, []byte(x))) }
	for _, n := range []int{100, 10_000} {
		training := randomRecords(1, n, 60, "ACGT")
		unseen := randomRecords(2, n, 60, "ACGT")
		half := make([]string, n)
		for i := range half {
			half[i] = []string{training[i], unseen[i]}[i%2]
		}
		shifted, lower, rna := make([]string, n), make([]string, n), make([]string, n)
		for i, x := range half {
			shifted[i] = reverse(x[5:] + "A")
			lower[i], rna[i] = strings.ToLower(x), strings.ReplaceAll(x, "T", "U")
		}
		// of the 33 24-mers of 56 letters, 32 are those of the record
		s := sketchOf(t, corpusOf(training...), stringkernel.DNA)
		for _, c := range []struct {
			name           string
			data           []string
			records, kmers float64
		}{
			{"training", training, 1, 1}, {"unseen", unseen, 0, 0}, {"half", half, 0.5, 0.5},
			{"lower case", lower, 0.5, 0.5}, {"RNA", rna, 0.5, 0.5},
			{"other strand, shifted", shifted, 0, 0.5 * 32 / 33},
		} {
			comparison := s.Compare()
			comparison.Add(corpusOf(c.data[:n/3]...))
			comparison.Add(corpusOf(c.data[n/3:]...))
			o := comparison.Overlap()
			within := func(got, deviation, want float64) bool {
				return math.Abs(got-want) <= 3*deviation+1e-12 && deviation < 0.02
			}
			if !within(o.Known, o.KnownError, c.records) || !within(o.KnownKmers, o.KmersError, c.kmers) {
				t.Errorf("%d records, %s: %+v", n, c.name, o)
			}
			if n == 100 && o.KnownError+o.KmersError != 0 {
				t.Errorf("%s: errors of what is exact: %+v", c.name, o)
			}
			if o.Found() != (c.name != "unseen") {
				t.Errorf("%d records, %s: found %t in %v", n, c.name, o.Found(), o)
			}
		}
	}
}

// The share of the training data that is in a longer sequence is estimated too.
func TestCovered(t *testing.T) {
	training := randomRecords(1, 1000, 60, "ACGT")
	s := sketchOf(t, corpusOf(training...), stringkernel.DNA)
	for _, share := range []float64{0, 0.3, 1} {
		c := s.Compare()
		n := int(share * 1000)
		c.AddKmers([]byte(strings.Join(append(randomRecords(2, 10_000, 60, "ACGT"), training[:n]...), "N")))
		o := c.Overlap()
		if math.Abs(o.Covered-share) > 3*o.CoveredError || o.CoveredError > 0.02 || o.Covers() != (share > 0) ||
			o.Found() {
			t.Errorf("%v of the training data: %+v", share, o)
		}
	}
}

// Of texts, which share phrases, records alone are compared.
func TestOverlapOfTexts(t *testing.T) {
	s := sketchOf(t, corpusOf("the quick brown fox jumps over the lazy dog", "another text"), stringkernel.Bytes)
	c := s.Compare()
	c.Add(corpusOf("The quick brown fox jumps over the lazy dogs", "ANOTHER text"))
	o := c.Overlap()
	if o.Known != 0.5 || o.K != 0 || o.KnownKmers != 0 || o.String() != "1 of 2 records (50 %)" {
		t.Errorf("%+v, %v", o, o)
	}
	if o = s.Compare().Overlap(); o.Found() || o.String() != "0 of 0 records (0 %)" {
		t.Errorf("of nothing: %+v, %v", o, o)
	}
}

func TestOverlapOfProteins(t *testing.T) {
	training := randomRecords(1, 500, 50, "ACDEFGHIKLMNPQRSTVWY")
	c := sketchOf(t, corpusOf(training...), stringkernel.Protein).Compare()
	for _, x := range training {
		c.Add(corpusOf(x[:30] + "W"))
	}
	o := c.Overlap() // of 22 10-mers all but the last are known
	if want := 21. / 22; o.Known != 0 || math.Abs(o.KnownKmers-want) > 3*o.KmersError+0.01 || !o.Found() ||
		!strings.HasSuffix(o.String(), " of the 10-mers") {
		t.Errorf("%+v, %v", o, o)
	}
}

func TestHostileSketches(t *testing.T) {
	good := write(t, sketched(t))
	for _, c := range []struct{ why, from, to, want string }{
		{"no alphabet", `"sketch":{"alphabet":"dna"}`, `"sketch":{"alphabet":"xna"}`, `alphabet "xna"`},
		{"a sketch of nothing", `"sketch":{"alphabet":"dna"},`, ``, `unexpected array "sketch/kmers"`},
		{"one array", `"sketch/kmers"`, `"sketch/words"`, `array "sketch/kmers" is missing`},
		{"an unknown field", `"sketch":{`, `"sketch":{"salt":1,`, `unknown field "salt"`},
	} {
		data := reseal(good, func(text string) string {
			if !strings.Contains(text, c.from) {
				t.Fatalf("%s: %s is not in %s", c.why, c.from, text)
			}
			return strings.Replace(text, c.from, c.to, 1)
		})
		checkRefused(t, c.why, data, c.want)
	}
	m := sketched(t)
	m.Sketch.Kmers[0], m.Sketch.Kmers[1] = m.Sketch.Kmers[1], m.Sketch.Kmers[0]
	checkRefused(t, "descending", writeUnchecked(t, m, m.fileArrays()), `array "sketch/kmers" is not ascending`)
	m.Sketch = &Sketch{Records: make([]uint64, sketchRecords+1)}
	checkRefused(t, "too many", writeUnchecked(t, m, m.fileArrays()), `array "sketch/records" has 8193 hashes`)
}
