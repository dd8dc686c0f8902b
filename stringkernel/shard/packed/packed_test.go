package packed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// draw returns n records of up to most letters.
func draw(t testing.TB, letters string, n, most int) *stringkernel.Corpus {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), uint64(most)))
	seqs := make([][]byte, n)
	for i := range seqs {
		seqs[i] = make([]byte, rng.IntN(most+1))
		for p := range seqs[i] {
			seqs[i][p] = letters[rng.IntN(len(letters))]
		}
	}
	return must.Get(stringkernel.NewCorpus(seqs, nil))(t)
}

// written returns a corpus in a scratch file, added in pieces.
func written(
	t testing.TB, k stringkernel.Kernel, a stringkernel.Alphabet, c *stringkernel.Corpus, pieces int,
) *Records {
	t.Helper()
	w := must.Get(Create(t.TempDir(), k, a))(t)
	return fill(t, w, c, pieces)
}

// fill writes a corpus in pieces.
func fill(t testing.TB, w *Writer, c *stringkernel.Corpus, pieces int) *Records {
	t.Helper()
	for i := range pieces {
		must.Succeed(t, w.Add(t.Context(), c.Slice(i*c.Len()/pieces, (i+1)*c.Len()/pieces)))
	}
	records := must.Get(w.Records())(t)
	t.Cleanup(func() { records.Close() })
	return records
}

// stranded returns a kernel that counts both strands itself.
func stranded(k spectrum.Kernel) stringkernel.Kernel { return k.Stranded().BothStrands() }

// randomVectors returns two of n numbers, some of which are 0.
func randomVectors(n int) [][]float64 {
	rng := rand.New(rand.NewPCG(7, 8))
	v := [][]float64{make([]float64, n), make([]float64, n)}
	for i := range n {
		v[0][i] = rng.NormFloat64()
		v[1][i] = float64(rng.IntN(2))
	}
	return v
}

func product(t testing.TB, space compose.Space, s shard.Shard) [][]float64 {
	t.Helper()
	dst := [][]float64{make([]float64, s.Len()), make([]float64, s.Len())}
	tables := scratch.Vectors(len(dst), space.Size())
	must.Succeed(t, s.Add(t.Context(), tables, randomVectors(s.Len())))
	for _, table := range tables {
		must.Succeed(t, space.Filter(t.Context(), table))
	}
	must.Succeed(t, s.Score(t.Context(), dst, tables))
	return dst
}

// letters are records as they are, scattered and gathered one after another.
type letters struct {
	kernel stringkernel.Kernel
	space  compose.Space
	*stringkernel.Corpus
}

func (l letters) Add(_ context.Context, tables, v [][]float64) error {
	for i := range l.Len() {
		for m, table := range tables {
			l.space.Scatter(table, l.Seq(i), v[m][i]*l.space.Scale(l.Seq(i)))
		}
	}
	return nil
}

func (l letters) Score(_ context.Context, dst, tables [][]float64) error {
	for i := range l.Len() {
		for m, table := range tables {
			dst[m][i] = l.space.Gather(table, l.Seq(i)) * l.space.Scale(l.Seq(i))
		}
	}
	return nil
}

func (l letters) Norms(_ context.Context, dst []float64) error {
	for i := range dst {
		dst[i] = compose.SelfScaled(l.kernel, l.space, l.space.Scale(l.Seq(i)), func() []byte { return l.Seq(i) })
	}
	return nil
}

// TestRecords compares products and norms with those of the corpus in memory, which walks letters: breaks at all
// places, records of every length below two bytes and of several blocks.
func TestRecords(t *testing.T) {
	dna, protein := stringkernel.DNA, stringkernel.Protein
	plain := gapped.Kernel{L: 5, K: 3, D: 2, Filter: gapped.Plain, Alphabet: dna}
	centred := plain
	centred.Center = "4:3"
	for name, of := range map[string]struct {
		kernel   stringkernel.Kernel
		alphabet stringkernel.Alphabet
		letters  string
	}{
		"1-mers":   {spectrum.Kernel{K: 1, Alphabet: dna}, dna, "ACGTN"},
		"3-mers":   {spectrum.Kernel{K: 3, Alphabet: dna}, dna, "ACGTACGTN"},
		"rna":      {spectrum.Kernel{K: 2, Alphabet: stringkernel.RNA}, stringkernel.RNA, "ACGUACGUT"},
		"rc":       {compose.BothStrands(spectrum.Kernel{K: 2, Alphabet: dna}, dna), dna, "ACGTN"},
		"presence": {spectrum.Kernel{K: 1, Alphabet: dna, Count: stringkernel.CountPresence}, dna, "AAAAAAAAAACN"},
		"log, norm": {
			compose.Normalized(spectrum.Kernel{K: 4, Alphabet: dna, Count: stringkernel.CountLog}),
			dna, "AACGTN",
		},
		"rc, sqrt, norm": {
			compose.Normalized(stranded(spectrum.Kernel{K: 4, Alphabet: dna, Count: stringkernel.CountSqrt})),
			dna, "AACGTN",
		},
		"norm":      {compose.Normalized(spectrum.Kernel{K: 3, Alphabet: dna}), dna, "ACGTACGTN"},
		"rc, norm":  {compose.Normalized(plain.BothStrands()), dna, "ACGTACGTACGTACGTNn"},
		"by places": {compose.Normalized(centred), dna, "ACGTACGTACGTACGTN"},
		"protein":   {spectrum.Kernel{K: 2, Alphabet: protein}, protein, "ACDEFGHIKLMNPQRSTVWYX"},
		"bytes":     {spectrum.Kernel{K: 2}, "", "hello world\x00\xff"},
	} {
		k := must.Get(stringkernel.Compile(of.kernel))(t)
		for _, size := range []struct{ records, most int }{{60, 17}, {1400, 400}, {0, 1}} {
			c := draw(t, of.letters, size.records, size.most)
			memory := letters{k, compose.SpaceOf(k), c}
			file := written(t, k, of.alphabet, c, 1+size.records/200)
			if file.Len() != c.Len() || file.Letters != int64(c.Letters()) {
				t.Fatalf("%s: %d records of %d letters, want %d of %d", name, file.Len(), file.Letters, c.Len(),
					c.Letters())
			}
			got, want := product(t, file.Space, file), product(t, file.Space, memory)
			w := must.Get(New(k, of.alphabet))(t)
			if kept := product(t, file.Space, fill(t, w, c, 3)); !slices.Equal(kept[0], got[0]) {
				t.Errorf("%s: packed in memory, other bits than in a file", name)
			}
			for m := range want {
				for i := range want[m] {
					if !scalar.EqualWithinAbsOrRel(got[m][i], want[m][i], 1e-9, 1e-11) {
						t.Fatalf("%s: (Kv)_%d = %v, in memory %v", name, i, got[m][i], want[m][i])
					}
				}
			}
			testSquares(t, name, file, memory)
			testCursor(t, name, file)
			if size.most > 100 {
				continue // k(x, x) takes long
			}
			norms, expected := make([]float64, c.Len()), make([]float64, c.Len())
			must.Succeed(t, errors.Join(file.Norms(t.Context(), norms), memory.Norms(t.Context(), expected)))
			if !slices.Equal(norms, expected) {
				t.Errorf("%s: norms %v, want %v", name, norms, expected)
			}
		}
	}
}

// testSquares compares one pass over records with two over those in memory.
func testSquares(t *testing.T, name string, file *Records, memory letters) {
	t.Helper()
	weights := randomVectors(file.Len())[1]
	table := make([]float64, file.Space.Size())
	for j := range table {
		table[j] = float64(j%7) - 3
	}
	got, want := make([]float64, len(table)), make([]float64, len(table))
	if err := errors.Join(
		shard.AddSquares(t.Context(), file, got, table, weights),
		shard.AddSquares(t.Context(), memory, want, table, weights),
	); err != nil {
		t.Fatal(err)
	}
	for j := range want {
		if !scalar.EqualWithinAbsOrRel(got[j], want[j], 1e-9, 1e-11) {
			t.Fatalf("%s: entry %d of squares is %v, in memory %v", name, j, got[j], want[j])
		}
	}
}

// testCursor compares what a cursor does record by record with passes over all, and with the filter.
func testCursor(t *testing.T, name string, file *Records) {
	t.Helper()
	ends := file.Blocks()
	if (ends != nil) != (file.Space.Strands() > 0 && file.Len() > 0) {
		t.Errorf("%s: blocks end at %v", name, ends)
	}
	if ends == nil {
		return
	}
	v := randomVectors(file.Len())[0]
	want, scores := make([]float64, file.Space.Size()), make([]float64, file.Len())
	table := slices.Clone(want)
	if err := errors.Join(file.Add(t.Context(), [][]float64{want}, [][]float64{v}), file.Space.Filter(t.Context(), want),
		file.Score(t.Context(), [][]float64{scores}, [][]float64{want})); err != nil {
		t.Fatal(err)
	}
	cursor := file.Cursor()
	for block := len(ends) - 1; block >= 0; block-- {
		must.Succeed(t, cursor.Load(t.Context(), []int{block}))
		from := 0
		if block > 0 {
			from = ends[block-1]
		}
		for i := ends[block] - 1; i >= from; i-- {
			if got := cursor.Gather(want, i); got != scores[i] {
				t.Fatalf("%s: score %v of record %d, want %v", name, got, i, scores[i])
			}
			cursor.Scatter(table, i, v[i])
		}
	}
	for step := 1; step <= 3; step++ {
		testBlocks(t, name, file, cursor, step, want, scores)
	}
	for j, got := range table {
		if !scalar.EqualWithinAbsOrRel(got, want[j], 1e-9, 1e-9) {
			t.Fatalf("%s: entry %d is %v, want %v", name, j, got, want[j])
		}
	}
}

// testBlocks compares the scores of the records of every step-th block, loaded together.
func testBlocks(t *testing.T, name string, file *Records, cursor shard.Cursor, step int, table, want []float64) {
	t.Helper()
	var blocks []int
	ends := file.Blocks()
	for block := 0; block < len(ends); block += step {
		blocks = append(blocks, block)
	}
	must.Succeed(t, cursor.Load(t.Context(), blocks))
	for _, block := range blocks {
		from := 0
		if block > 0 {
			from = ends[block-1]
		}
		for i := from; i < ends[block]; i++ {
			cursor.Prefetch(i)
			if got := cursor.Gather(table, i); got != want[i] {
				t.Fatalf("%s: score %v of record %d, want %v, with every %d. block loaded", name, got, i, want[i], step)
			}
		}
	}
}

func kernel(k int) stringkernel.Kernel {
	return compose.Normalized(spectrum.Kernel{K: k, Alphabet: stringkernel.DNA})
}

// TestThreadsAndPieces writes a corpus in different pieces, and multiplies on different numbers of threads.
func TestThreadsAndPieces(t *testing.T) {
	c := draw(t, "ACGTACGTACGTN", 12_000, 300)
	var first [][]float64
	for i, threads := range []int{1, 2, 5} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		file := written(t, kernel(6), stringkernel.DNA, c, 1+2*i)
		if len(file.List) < 4 {
			t.Fatalf("%d parts, want more", len(file.List))
		}
		got := product(t, file.Space, file)
		if first == nil {
			first = got
		}
		if !slices.Equal(got[0], first[0]) || !slices.Equal(got[1], first[1]) {
			t.Errorf("%d threads and %d pieces have other bits", threads, 1+2*i)
		}
	}
}

// TestDamage changes and cuts off the file.
func TestDamage(t *testing.T) {
	c := draw(t, "ACGT", 8000, 200)
	file := written(t, kernel(6), stringkernel.DNA, c, 1)
	whole, scratch := make([]byte, file.Bytes), file.store.(*scratchFile)
	must.Get(scratch.ReadAt(whole, 0))(t)
	table := [][]float64{make([]float64, file.Space.Size())}
	pass := func() error {
		return errors.Join(file.Add(t.Context(), table, randomVectors(file.Len())[:1]),
			file.Score(t.Context(), randomVectors(file.Len())[:1], table))
	}
	must.Succeed(t, pass())
	rng := rand.New(rand.NewPCG(9, 10))
	for range 30 {
		at := rng.Int64N(file.Bytes)
		must.Get(scratch.WriteAt([]byte{whole[at] ^ byte(1<<rng.IntN(8))}, at))(t)
		if err := pass(); !errors.Is(err, errDamaged) {
			t.Fatalf("byte %d is another: error %v", at, err)
		}
		must.Get(scratch.WriteAt(whole[at:at+1], at))(t)
	}
	must.Succeed(t, scratch.Truncate(file.Bytes-1))
	if err := pass(); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "scratch file in ") {
		t.Errorf("a file that is cut off: error %v", err)
	}
}

// TestNothingStays checks that no file is left, whether it was closed or not, and that folders must exist.
func TestNothingStays(t *testing.T) {
	folder := t.TempDir()
	w := must.Get(Create(folder, kernel(3), stringkernel.DNA))(t)
	must.Succeed(t, w.Add(t.Context(), draw(t, "ACGT", 10, 20)))
	must.Succeed(t, w.Close())
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("files stay: %v, %v", left, err)
	}
	if _, err := w.Records(); err == nil || !strings.Contains(err.Error(), folder) {
		t.Errorf("a closed file: error %v", err)
	}
	if _, err := Create(folder+"/none", kernel(3), stringkernel.DNA); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that does not exist: error %v", err)
	}
	long := spectrum.Kernel{K: 20, Alphabet: stringkernel.DNA}
	if _, err := Create(folder, long, stringkernel.DNA); err == nil || !strings.Contains(err.Error(), "fold") {
		t.Errorf("20-mers: error %v", err)
	}
}

// TestMemory compares the blocks in memory with those of a file, and asks a closed store for one.
func TestMemory(t *testing.T) {
	c := draw(t, "ACGTACGTACGTN", 8000, 200)
	w := must.Get(New(kernel(6), stringkernel.DNA))(t)
	memory, file := fill(t, w, c, 1), written(t, kernel(6), stringkernel.DNA, c, 3)
	blocks := len(file.Blocks())
	if memory.Bytes != file.Bytes || len(memory.Blocks()) != blocks || blocks < 2 {
		t.Fatalf("%d bytes in %d blocks, want %d in %d", memory.Bytes, len(memory.Blocks()), file.Bytes, blocks)
	}
	for _, s := range memory.List {
		for _, at := range s.(*part).blocks {
			got, err := memory.store.read(nil, at)
			want, also := file.store.read(nil, at)
			if err := errors.Join(err, also); err != nil || !slices.Equal(got, want) {
				t.Fatalf("block %d differs, error %v", at.number, err)
			}
		}
	}
	must.Succeed(t, memory.Close())
	if err := memory.Norms(t.Context(), make([]float64, c.Len())); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a closed store: error %v", err)
	}
}

// BenchmarkProduct is scatter and gather of 6 million letters, by letter.
func BenchmarkProduct(b *testing.B) {
	c := draw(b, "ACGT", 40_000, 300)
	for _, k := range []int{8, 10, 11, 12} {
		b.Run(fmt.Sprintf("k=%d", k), func(b *testing.B) {
			file := written(b, spectrum.Kernel{K: k, Alphabet: stringkernel.DNA}, stringkernel.DNA, c, 1)
			v := randomVectors(c.Len())[:1]
			dst, table := [][]float64{make([]float64, c.Len())}, [][]float64{make([]float64, file.Space.Size())}
			letters := float64(c.Letters())
			b.Run("add", func(b *testing.B) {
				for b.Loop() {
					must.Succeed(b, file.Add(b.Context(), table, v))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/letters, "ns/letter")
			})
			b.Run("score", func(b *testing.B) {
				for b.Loop() {
					must.Succeed(b, file.Score(b.Context(), dst, table))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/letters, "ns/letter")
			})
		})
	}
}
