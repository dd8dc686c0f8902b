package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/unmask"
)

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
		return all, o.compareAll(c, texts, len(lines), func(b string, curve *unmask.Curve, u unmasked) error {
			decision, err := judge.Decide(c.Context, c.Args[0], b, curve)
			u.decide(decision)
			all = append(all, u)
			return cli.InFile(o.train, err)
		})
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
