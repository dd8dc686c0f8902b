package distributed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/table"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// workplace makes files of labelled records, one of which begins like a signal, a genome of long and short records, and
// a model.
func workplace(t *testing.T) (folder, records string) {
	t.Helper()
	folder = t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	var text, genome strings.Builder
	for i := range 60 {
		x := letters(rng, 40)
		if i%2 == 0 {
			x = x[:10] + "TATAAT" + x[16:]
		}
		fmt.Fprintf(&text, ">r%d label=%d\n%s\n%s\n", i, 1-i%2, x[:25], x[25:])
	}
	records = filepath.Join(folder, "records.fa")
	put(t, records, text.String())
	for i, n := range []int{3, 70_000, 50, 0, 700, 40_123} {
		fmt.Fprintf(&genome, ">chr%d\n", i)
		for x := letters(rng, n); len(x) > 0; {
			cut := min(len(x), 61)
			genome.WriteString(x[:cut] + "\r\n")
			x = x[cut:]
		}
	}
	put(t, filepath.Join(folder, "genome.fa"), genome.String())
	m := must.Get(seqsvm.Fit(t.Context(), "spectrum:k=4", seqsvm.Files(records), seqsvm.Options{}))(t)
	must.Succeed(t, m.Save(filepath.Join(folder, "m.seqsvm")))
	return folder, records
}

func letters(rng *rand.Rand, n int) string {
	x := make([]byte, n)
	for i := range x {
		x[i] = "ACGTACGTACGTACGTN"[rng.IntN(17)]
	}
	return string(x)
}

func put(t *testing.T, path, text string) {
	t.Helper()
	must.Succeed(t, os.WriteFile(path, []byte(text), 0o666))
}

// joined returns the parts of an output, which must be complete, in order, and how many there are.
func joined(t *testing.T, output string) (string, int) {
	t.Helper()
	names, err := filepath.Glob(output + "-*-of-*")
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %v", output, names, err)
	}
	var all []byte
	for i, name := range names {
		if want := partName(output, i, len(names)); name != want {
			t.Fatalf("%s, want %s", name, want)
		}
		text := must.Get(os.ReadFile(name))(t)
		all = append(all, text...)
	}
	if _, err := os.Stat(temporary(output)); err == nil {
		t.Errorf("%s is left behind", temporary(output))
	}
	return string(all), len(names)
}

// Predictions are those of the model, record by record, in the order of the records, however they are divided.
func TestPredict(t *testing.T) {
	folder, records := workplace(t)
	m := must.Get(seqsvm.Open(filepath.Join(folder, "m.seqsvm")))(t)
	predictions := must.Get(m.Predict(t.Context(), seqsvm.Files(records)...))(t)
	var want strings.Builder
	want.WriteString("id\tclass\tdecision\n")
	for _, p := range predictions {
		fmt.Fprintf(&want, "%s\t%s\t%.9g\n", p.ID, p.Label, p.Scores[0])
	}
	for _, size := range []int64{1 << 20, 1600, 450} {
		job := Job{Output: filepath.Join(folder, fmt.Sprint("out", size)), PartSize: size, Lanes: 2}
		for range 2 {
			o := Predict{Model: filepath.Join(folder, "m.seqsvm"), Files: []string{records}}
			must.Succeed(t, job.Predict(t.Context(), o))
			got, parts := joined(t, job.Output)
			if wantParts := map[int64]int{1 << 20: 1, 1600: 3, 450: 8}[size]; parts > wantParts || parts < wantParts-1 {
				t.Errorf("size %d: %d parts, want %d", size, parts, wantParts)
			}
			if got != want.String() {
				t.Errorf("size %d: %.300s, want %.300s", size, got, want.String())
			}
		}
	}
}

// The pieces of a genome have every letter of it, and every window once.
func TestCutGenome(t *testing.T) {
	folder, _ := workplace(t)
	path := filepath.Join(folder, "genome.fa")
	set := must.Get(seqio.ReadFile(path, seqio.Options{}))(t)
	const window = 7
	var want []string
	for i := range set.Len() {
		x := set.Corpus.Seq(i)
		for p := 0; p+window <= len(x); p++ {
			want = append(want, fmt.Sprint(set.Corpus.Name(i), p, string(x[p:p+window])))
		}
	}
	for _, size := range []int{60, 33_333, 1 << 30} {
		spans := must.Get(cutGenome(t.Context(), []string{path}, size, 10, window-1))(t)
		var got []string
		for _, s := range spans {
			must.Succeed(t, s.each(t.Context(), func(r io.Reader) error {
				part, err := seqio.Read(r, path, seqio.Options{})
				if err != nil {
					return err
				}
				for i := range part.Len() {
					x := part.Corpus.Seq(i)
					for p := 0; p+window <= len(x); p++ {
						got = append(got, fmt.Sprint(part.Corpus.Name(i), s.Start+p, string(x[p:p+window])))
					}
				}
				return nil
			}))
		}
		if !slices.Equal(got, want) {
			t.Errorf("size %d: %d windows in %d spans, want %d", size, len(got), len(spans), len(want))
		}
	}
}

// A scan has the same bytes however the genome is divided, with every window once.
func TestScan(t *testing.T) {
	folder, _ := workplace(t)
	o := Scan{Model: filepath.Join(folder, "m.seqsvm"), Files: []string{filepath.Join(folder, "genome.fa")}, MinScore: new(float64)}
	var first string
	for _, size := range []int64{1 << 30, 1 << 15} {
		job := Job{Output: filepath.Join(folder, fmt.Sprint("out", size)), PartSize: size, Lanes: 2}
		must.Succeed(t, job.Scan(t.Context(), o))
		got, parts := joined(t, job.Output)
		if first == "" {
			first = got
			checkWindows(t, folder, strings.Split(got, "\n")[:300])
		}
		if got != first || size == 1<<15 && parts < 5 || strings.Count(got, "\n") < 1000 {
			t.Errorf("%d parts with %d bytes, want %d", parts, len(got), len(first))
		}
	}
}

// checkWindows compares the scores of windows, in lines of BED, with the decisions on these letters.
func checkWindows(t *testing.T, folder string, lines []string) {
	t.Helper()
	m := must.Get(seqsvm.Open(filepath.Join(folder, "m.seqsvm")))(t)
	genome := must.Get(seqio.ReadFile(filepath.Join(folder, "genome.fa"), seqio.Options{}))(t)
	for _, line := range lines {
		var start, end, level, record int
		var id, class, strand string
		var score float64
		if _, err := fmt.Sscan(line, &id, &start, &end, &class, &level, &strand, &score); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		fmt.Sscanf(id, "chr%d", &record)
		x := slices.Clone(genome.Corpus.Seq(record)[start:end])
		if strand == "-" {
			slices.Reverse(x)
			for i, base := range x {
				x[i] = "TGCAN"[strings.IndexByte("ACGTN", base)]
			}
		}
		if want := m.Decide(x).Scores[0]; end-start != 40 || math.Abs(score-want) > 1e-7 {
			t.Fatalf("%s, want a score of %v", line, want)
		}
	}
}

// Blocks of a matrix are the matrix: inner products of k-mer counts, divided by norms.
func TestKernel(t *testing.T) {
	folder, records := workplace(t)
	set := must.Get(seqio.ReadFile(records, seqio.Options{}))(t)
	dot := func(i, j int) (sum float64) {
		counts := map[string]float64{}
		for x := string(set.Corpus.Seq(i)); len(x) >= 3; x = x[1:] {
			counts[x[:3]]++
		}
		for x := string(set.Corpus.Seq(j)); len(x) >= 3; x = x[1:] {
			if !strings.Contains(x[:3], "N") {
				sum += counts[x[:3]]
			}
		}
		return sum
	}
	for _, blocks := range []int{1, 2, 7} {
		job := Job{Output: filepath.Join(folder, fmt.Sprint("k", blocks)), Lanes: 2}
		o := Kernel{Kernel: []string{"spectrum:k=3"}, Files: []string{records}, Blocks: blocks}
		must.Succeed(t, job.Kernel(t.Context(), o))
		text, parts := joined(t, job.Output)
		rows := strings.Split(strings.TrimSpace(text), "\n")
		if parts != blocks || len(rows) != set.Len()+1 {
			t.Fatalf("%d parts, %d rows", parts, len(rows))
		}
		for i := range set.Len() {
			cells := strings.Split(rows[i+1], "\t")
			for j, cell := range cells[1:] {
				var x float64
				fmt.Sscan(cell, &x)
				if want := dot(i, j) / math.Sqrt(dot(i, i)*dot(j, j)); math.Abs(x-want) > 1e-8 {
					t.Fatalf("entry %d, %d of %d blocks is %v, want %v", i, j, blocks, x, want)
				}
			}
		}
	}
}

// Training over shards has the objective of training in memory within both certificates, and the same bytes again.
func TestTrain(t *testing.T) {
	folder, records := workplace(t)
	in := must.Get(seqsvm.Fit(t.Context(), "spectrum:k=3", seqsvm.Files(records), seqsvm.Options{}))(t)
	want := in.File.Decision.Machines[0].Primal
	var texts [][]byte
	for _, size := range []int64{1600, 1600, 450} {
		job := Job{Output: filepath.Join(folder, "trained"), PartSize: size, Lanes: 2}
		must.Succeed(t, job.Train(t.Context(), Train{Kernel: []string{"spectrum:k=3"}, Files: []string{records}, Tol: 0.01}))
		text := must.Get(os.ReadFile(job.Output))(t)
		m := must.Get(model.Read(text))(t)
		got := m.Decision.Machines[0]
		if got.Gap > 0.01 || math.Abs(got.Primal-want) > 0.011*want {
			t.Errorf("size %d: objective %v with gap %v, want %v", size, got.Primal, got.Gap, want)
		}
		texts = append(texts, text)
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Error("the same shards give other bytes")
	}
}

// A cross-validation over shards has the folds, the metrics and, within the certificates, the scores of that in memory,
// and the same bytes again.
func TestCrossValidate(t *testing.T) {
	folder, records := workplace(t)
	want := validated(t, records)
	var outputs []string
	for _, size := range []int64{1 << 20, 1600, 1600, 450} {
		job := Job{Output: filepath.Join(folder, "folds.tsv"), PartSize: size, Lanes: 2}
		o := CrossValidate{
			Train: Train{Kernel: []string{"spectrum:k=3"}, Files: []string{records}, Tol: 1e-4}, Folds: 3, Seed: 1,
			Predictions: filepath.Join(folder, "predictions.tsv"),
		}
		must.Succeed(t, job.CrossValidate(t.Context(), o))
		if got := text(t, job.Output); got != want.metrics {
			t.Errorf("size %d:\n%s, want\n%s", size, got, want.metrics)
		}
		predictions := text(t, o.Predictions)
		for i, line := range strings.Split(strings.TrimSpace(predictions), "\n")[1:] {
			cells := strings.Split(line, "\t")
			score, err := strconv.ParseFloat(cells[1], 64)
			cells[1] = ""
			if err != nil || math.Abs(score-want.scores[i]) > 0.01 || strings.Join(cells, " ") != want.rows[i] {
				t.Fatalf("size %d: %s, want %s with a score of %v", size, line, want.rows[i], want.scores[i])
			}
		}
		outputs = append(outputs, predictions)
	}
	if outputs[1] != outputs[2] {
		t.Error("the same shards give other bytes")
	}
	if found, _ := filepath.Glob(filepath.Join(folder, "*.tmp*")); len(found) > 0 {
		t.Errorf("%v are left behind", found)
	}
}

// validation is a cross-validation in memory: the table of its metrics, and the id, label and fold of each record with
// its score.
type validation struct {
	metrics string
	rows    []string
	scores  []float64
}

func validated(t *testing.T, records string) (v validation) {
	t.Helper()
	set := must.Get(seqio.ReadFile(records, seqio.Options{}))(t)
	data := must.Get(dataset.New(set.Corpus, set.Labels, nil))(t)
	fold := must.Get(data.Folds(3, 1))(t)
	trainer := classify.Trainer{Kernel: compose.Normalized(spectrum.Kernel{Alphabet: stringkernel.DNA, K: 3}), Tol: 1e-6}
	outcome := must.Get(classify.CrossValidate(t.Context(), trainer, data, fold))(t)
	measured := must.Get(search.MeasureFolds(data, outcome))(t)
	var metrics strings.Builder
	answer.Folds(table.New(&metrics, false, 0), measured.Folds, measured.Mean, measured.SD)
	v.metrics = metrics.String()
	for i, p := range outcome.Predictions {
		v.rows = append(v.rows, fmt.Sprintf("%s  %s %d", set.Corpus.Name(i), data.Classes[data.Y[i]], fold[i]+1))
		v.scores = append(v.scores, p.Scores[0])
	}
	return v
}

func text(t *testing.T, path string) string {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	return string(text)
}

// What fails leaves nothing under the name of the output, and is run again.
func TestFails(t *testing.T) {
	folder, records := workplace(t)
	bad := filepath.Join(folder, "zbad.fa")
	put(t, bad, ">a\nAC GT\n")
	job := Job{Output: filepath.Join(folder, "out"), PartSize: 1600, Lanes: 2}
	o := Predict{Model: filepath.Join(folder, "m.seqsvm"), Files: []string{records, bad}}
	if err := job.Predict(t.Context(), o); err == nil || !strings.Contains(err.Error(), "zbad.fa") {
		t.Errorf("%v, want an error about the file", err)
	}
	if names, _ := filepath.Glob(job.Output + "-*"); len(names) > 0 {
		t.Errorf("%v after a failure", names)
	}
	put(t, bad, ">a\nACGT\n")
	must.Succeed(t, job.Predict(t.Context(), o))
	if text, _ := joined(t, job.Output); !strings.HasSuffix(text, "\ta\t"+bad+"\t1\t") && !strings.Contains(text, bad) {
		t.Errorf("%.300s", text)
	}
	job.PartSize = 450
	if err := job.Predict(t.Context(), o); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("%v, want an error about parts of another run", err)
	}
}

// A part that is done twice, or half way and again, is there once.
func TestTwice(t *testing.T) {
	folder, records := workplace(t)
	spans, err := cutRecords(t.Context(), []string{records}, 1600)
	if err != nil {
		t.Fatal(err)
	}
	p := &prediction{Model: filepath.Join(folder, "m.seqsvm"), Run: "twice", Output: filepath.Join(folder, "out"), Spans: spans}
	for part := range spans {
		for range 1 + part%2 {
			must.Succeed(t, p.do(t.Context(), part))
		}
	}
	broken := errors.New("broken")
	err = createWhole(t.Context(), written(p.Output, 0), func(w io.Writer) error {
		io.WriteString(w, "half of it")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
	must.Succeed(t, publish(t.Context(), p.Output, len(spans)))
	once := Job{Output: filepath.Join(folder, "once"), PartSize: 1600}
	must.Succeed(t, once.Predict(t.Context(), Predict{Model: p.Model, Files: []string{records}}))
	want, _ := joined(t, once.Output)
	if got, _ := joined(t, p.Output); got != want {
		t.Errorf("%.300s, want %.300s", got, want)
	}
}

func TestMain(m *testing.M) {
	beam.Init()
	os.Exit(m.Run())
}
