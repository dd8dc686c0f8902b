package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/unmask"
)

// unmaskOptions are the options of text unmask.
type unmaskOptions struct {
	unmask.Options
	input.Reading
	reportOptions
	train string
}

func (o *unmaskOptions) Flags(f *cli.Flags) {
	f.Section("Unmasking")
	f.Int(&o.Chunk, "chunk", 500, "words per chunk").AtLeast(1)
	f.Int(&o.Words, "words", 250, "number of most frequent words to compare").AtLeast(1)
	f.Int(&o.Remove, "remove", 3, "words to drop in a round for either text").AtLeast(1)
	f.Int(&o.Rounds, "rounds", 10, "number of rounds").AtLeast(1)
	f.Int(&o.Folds, "folds", 10, "number of folds").AtLeast(2)
	f.Int(&o.Runs, "runs", 5, "number of runs, with other folds and, of the longer text, other chunks").AtLeast(1)
	f.String(&o.train, "train", "", "`PAIRS` of texts to learn from: a file of lines same|different, text, text, "+
		"with tabs between").Default("curves alone").Reads(&o.train)
	o.Reading.Flags(f)
	o.reportOptions.flags(f)
}

func (o *unmaskOptions) Run(c *cli.Call) error {
	if err := o.check(c); err != nil {
		return err
	}
	r, err := input.NewReader(c, &o.Reading, stringkernel.Bytes)
	if err != nil {
		return err
	}
	c.Stage("comparing")
	texts, write := &textCache{reader: r, words: map[string][]string{}}, writeCurves
	var all []unmasked
	if o.train != "" {
		write = writeDecisions
		all, err = o.judged(c, texts)
	} else {
		err = o.compareAll(c, texts, 0, func(_ string, _ *unmask.Curve, u unmasked) error {
			all = append(all, u)
			return nil
		})
	}
	if err != nil {
		return err
	}
	return o.output.WriteAs(o.format, map[string]any{"comparisons": all},
		func(t *cli.Table) { write(t, all) })
}

// compareAll compares the first operand with each of the others; before counts other comparisons, for progress.
func (o *unmaskOptions) compareAll(c *cli.Call, texts *textCache, before int,
	visit func(b string, curve *unmask.Curve, u unmasked) error) error {
	of, what := before+len(c.Args)-1, "texts"
	if before > 0 {
		what = "pairs"
	}
	for i, b := range c.Args[1:] {
		curve, u, err := o.compare(c, texts, c.Args[0], b)
		if err == nil {
			err = visit(b, curve, u)
		}
		if err != nil {
			return err
		}
		c.Show(float64(before+i+1)/float64(of), "%d of %d %s", before+i+1, of, what)
	}
	return nil
}

// compare compares two texts.
func (o *unmaskOptions) compare(c *cli.Call, texts *textCache, a, b string) (*unmask.Curve, unmasked, error) {
	names := [2]string{a, b}
	var words [2][]string
	for t, name := range names {
		var err error
		if words[t], err = texts.of(name); err != nil {
			return nil, unmasked{}, err
		}
		names[t] = cli.InputName(name)
	}
	curve, err := unmask.Compare(c.Context, words[0], words[1], o.Options)
	var short *unmask.ShortError
	switch {
	case errors.As(err, &short):
		return nil, unmasked{}, cli.InFile(names[short.Text], err)
	case err != nil:
		return nil, unmasked{}, cli.InFile(names[0]+" and "+names[1], err)
	}
	half := len(curve.First) / 2
	u := unmasked{A: names[0], B: names[1], Chunks: curve.Chunks, Taken: curve.Taken, Drop: curve.Drop(),
		FirstA: curve.First[:half], FirstB: curve.First[half:]}
	for round, p := range curve.Points {
		u.Curve = append(u.Curve, curveStep{round, p.Words, p.Accuracy, metrics.Float(p.SD),
			curve.Points[0].Accuracy - p.Accuracy})
	}
	return curve, u, nil
}

func (o *unmaskOptions) check(c *cli.Call) error {
	o.Seed, o.C = c.Seed, 1
	if err := o.Options.Check(); err != nil {
		return &cli.UsageError{Err: err}
	}
	if len(c.Args) < 2 && (o.train == "" || len(c.Args) == 1) {
		return cli.Usagef("%d texts given, want at least two: A and those to compare it with", len(c.Args))
	}
	for i, path := range c.Args {
		for _, other := range c.Args[:i] {
			if path == other || path != "-" && other != "-" && cli.SameFile(path, other) {
				return cli.Usagef("%s is given twice", path)
			}
		}
	}
	return nil
}

// wordsOf reads a text: all records of a file, or all files of a folder.
func wordsOf(r input.Reader, path string) (words []string, err error) {
	set, err := r.File(path)
	if err != nil {
		return nil, err
	}
	for i := range set.Len() {
		words = append(words, unmask.Terms(set.Corpus.Seq(i))...)
	}
	return words, nil
}

// unmasked is a comparison of two texts.
type unmasked struct {
	A      string      `json:"a"`
	B      string      `json:"b"`
	Chunks [2]int      `json:"chunks"`
	Taken  int         `json:"taken"`
	Drop   float64     `json:"drop"`
	FirstA []string    `json:"first_a"` // words that indicate A, dropped first
	FirstB []string    `json:"first_b"`
	Curve  []curveStep `json:"curve"`

	// with --train
	Label    string   `json:"label,omitempty"` // of a pair of training
	Class    string   `json:"class,omitempty"`
	Decision *float64 `json:"decision,omitempty"`
}

// curveStep is the accuracy after a round.
type curveStep struct {
	Round    int           `json:"round"`
	Words    int           `json:"words"`
	Accuracy float64       `json:"accuracy"`
	SD       metrics.Float `json:"sd"` // null for one run
	Drop     float64       `json:"drop"`
}

func writeCurves(t *cli.Table, all []unmasked) {
	t.Row("a", "b", "round", "words", "accuracy", "sd", "drop")
	for _, u := range all {
		for _, s := range u.Curve {
			t.Row(u.A, u.B, s.Round, s.Words, cli.Metrics(s.Accuracy, float64(s.SD), s.Drop))
		}
	}
}

// What the authors of two texts are.
const (
	sameAuthor      = "same"
	differentAuthor = "different"
)

// textPair is a line of the file of --train.
type textPair struct {
	a, b  string
	label string
	line  int // of the file
}

// readPairs reads LABEL<TAB>A<TAB>B lines of r or, if that is nil, of a file; blank lines are skipped.
func readPairs(r io.Reader, name string) (pairs []textPair, err error) {
	text, err := seqio.OpenText(r, name)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	in := bufio.NewScanner(text)
	for line := 1; in.Scan(); line++ {
		if in.Text() == "" {
			continue
		}
		cells := strings.Split(in.Text(), "\t")
		if len(cells) != 3 || cells[0] != sameAuthor && cells[0] != differentAuthor || cells[1] == "" || cells[2] == "" {
			return nil, fmt.Errorf("%s:%d: %.80q, want %s or %s, and the names of two texts, with tabs between", name, line,
				in.Text(), sameAuthor, differentAuthor)
		}
		if cells[1] == cells[2] {
			return nil, fmt.Errorf("%s:%d: %.80q with itself, want two texts", name, line, cells[1])
		}
		pairs = append(pairs, textPair{cells[1], cells[2], cells[0], line})
	}
	switch {
	case in.Err() != nil:
		return nil, fmt.Errorf("%s: %w", name, in.Err())
	case len(pairs) == 0:
		return nil, fmt.Errorf("%s: no pairs, want lines of %s or %s and two texts", name, sameAuthor, differentAuthor)
	}
	return pairs, nil
}

// judged compares the pairs of --train, then A with each B, and decides on the latter, or, without texts, on each of
// the pairs by those that share no text with it.
func (o *unmaskOptions) judged(c *cli.Call, texts *textCache) ([]unmasked, error) {
	lines, err := cli.Read(c, o.train, readPairs)
	if err != nil {
		return nil, err
	}
	var pairs []unmask.Pair
	var all []unmasked
	asked := max(0, len(c.Args)-1)
	of := len(lines) + asked
	for i, line := range lines {
		curve, u, err := o.compare(c, texts, line.a, line.b)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", cli.InputName(o.train), line.line, err)
		}
		u.Label = line.label
		pairs = append(pairs, unmask.Pair{A: line.a, B: line.b, Same: line.label == sameAuthor, Curve: curve})
		all = append(all, u)
		c.Show(float64(i+1)/float64(of), "%d of %d pairs", i+1, of)
	}
	judge, err := unmask.NewJudge(pairs, o.C)
	if err != nil {
		return nil, cli.InFile(o.train, err)
	}
	if asked > 0 {
		all = nil
		err := o.compareAll(c, texts, len(lines), func(b string, curve *unmask.Curve, u unmasked) error {
			decision, err := judge.Decide(c.Context, c.Args[0], b, curve)
			u.decide(decision)
			all = append(all, u)
			return cli.InFile(o.train, err)
		})
		return all, err
	}
	decisions, err := judge.LeaveOut(c.Context)
	if err != nil {
		return nil, cli.InFile(o.train, err)
	}
	right, count := map[string]int{}, map[string]int{}
	for i, d := range decisions {
		u := &all[i]
		u.decide(d)
		count[u.Label]++
		if u.Class == u.Label {
			right[u.Label]++
		}
	}
	c.Say("seqsvm: right, by pairs that share no text: %d of %d of one author, %d of %d of two", right[sameAuthor],
		count[sameAuthor], right[differentAuthor], count[differentAuthor])
	return all, nil
}

// decide takes the decision of a judge.
func (u *unmasked) decide(decision float64) {
	u.Decision, u.Class = &decision, differentAuthor
	if decision > 0 {
		u.Class = sameAuthor
	}
}

// textCache has the words of texts by their names, each read once.
type textCache struct {
	reader input.Reader
	words  map[string][]string
}

// of returns the words of a text.
func (t *textCache) of(path string) ([]string, error) {
	words, known := t.words[path]
	if !known {
		var err error
		if words, err = wordsOf(t.reader, path); err != nil {
			return nil, err
		}
		t.words[path] = words
	}
	return words, nil
}

// writeDecisions writes a row for each comparison.
func writeDecisions(t *cli.Table, all []unmasked) {
	t.Row("a", "b", "label", "class", "decision", "drop")
	for _, u := range all {
		label := u.Label
		if label == "" {
			label = "NA"
		}
		t.Row(u.A, u.B, label, u.Class, *u.Decision, cli.Metrics(u.Drop))
	}
}
