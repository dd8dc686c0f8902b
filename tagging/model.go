package tagging

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/classify/chain"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/seqio/tokens"
)

// Learner is a way to learn.
type Learner string

// The learners: see package chain.
const (
	Margin     Learner = "margin"     // structural support vector machine
	Likelihood Learner = "likelihood" // conditional random field
	Perceptron Learner = "perceptron" // averaged
	Windows    Learner = "windows"    // a multiclass machine that looks at one token at a time
)

// Learners lists the learners.
func Learners() []Learner { return []Learner{Margin, Likelihood, Perceptron, Windows} }

// Trainer learns to tag.
type Trainer struct {
	Features *Features
	Tag      int    // the 1-based column of tags, 0 of letters: it is no feature
	Scheme   Scheme // of the tags; "", or without a spelling: see [SchemeOf]
	Learner  Learner
	C        float64 // cost of a sequence's loss; zero: 1
	Tol      float64 // relative gap to stop at; zero: 1e-3
	Passes   int     // of the perceptron; zero: 20
	Seed     uint64  // of the perceptron
	Progress func(svm.Progress)
}

// Model tags tokens.
type Model struct {
	Features *Features
	Scheme   Scheme   // of the tags of training, in which tags are returned
	Tags     []string // of the machine's states: of spans with four letters, as in IOBES
	Learner  Learner
	C        float64
	Machine  *chain.Machine
	Options  string   // what the caller says of the training; may be empty
	sample   []uint64 // of the sequences of training: see Known
}

// MostTags is the greatest number of states of a machine.
const MostTags = chain.MostStates

// Train learns from a corpus, whose features it numbers. Spans are learned in four states for each kind, whatever the
// scheme of the tags; the links between states allow nothing but spans. Tokens without a tag divide a sequence.
func (o Trainer) Train(ctx context.Context, c *tokens.Corpus) (*Model, error) {
	m := &Model{Features: o.Features, Learner: o.Learner, C: o.C}
	m.Learner, m.C = cmp.Or(m.Learner, Margin), cmp.Or(m.C, 1)
	if !slices.Contains(Learners(), m.Learner) {
		return nil, fmt.Errorf("tagging: learner %q, want one of %v", m.Learner, Learners())
	}
	if !(m.C > 0 && m.C <= 1e12) {
		return nil, fmt.Errorf("tagging: C is %v, want a number above 0, to 1e12", m.C)
	}
	var err error
	if m.Scheme, err = SchemeOf(c, o.Scheme); err != nil {
		return nil, err
	}
	d := &chain.Data{Ends: c.Ends}
	if m.Tags, d.Tags, err = numbered(c, m.Scheme); err != nil {
		return nil, err
	}
	d.Links = linksOf(m.Tags, m.Scheme)
	if err := m.Features.of.fit(c, o.Tag); err != nil {
		return nil, err
	}
	if err := memory.Check(8 * float64(m.Features.of.features()) * float64(len(m.Tags))); err != nil {
		return nil, err
	}
	d.Rows = m.Features.of.rows(c)
	if err := d.Check(); err != nil {
		return nil, err
	}
	m.sample = sampleOf(c, m.Features.WordColumn()).Least
	m.Machine, err = o.learn(ctx, m, d)
	return m, err
}

// learn finds the machine.
func (o Trainer) learn(ctx context.Context, m *Model, d *chain.Data) (*chain.Machine, error) {
	options := chain.Options{Tol: o.Tol, Progress: o.Progress}
	switch m.Learner {
	case Perceptron:
		return chain.Perceptron{Passes: cmp.Or(o.Passes, 20), Seed: o.Seed, Progress: o.Progress}.Learn(ctx, d)
	case Likelihood:
		return chain.LBFGS(ctx, d, chain.Likelihood(d, m.C), options)
	}
	if m.Learner == Windows {
		d = d.Windows()
	}
	machine, err := chain.Blocks(ctx, d, m.C, options)
	if err == nil && m.Learner == Windows { // spans stay whole, though nothing of their links is learned
		machine.Links = linksOf(m.Tags, m.Scheme)
	}
	return machine, err
}

// Truth returns the tags of each sequence of a corpus in the scheme of the model, and the scheme that they have in the
// corpus, which is detected: spans are the same in any. The error is that of the first token whose tag breaks the
// scheme.
func (m *Model) Truth(c *tokens.Corpus) (truth [][]string, of Scheme, err error) {
	truth = tagsOf(c)
	n, spans := m.Scheme.notation()
	if !spans {
		return truth, States, nil
	}
	n.spelling = n.candidate(countTags([][]string{m.Tags})).spelling
	own := n.firstBreach(truth)
	if !own.found() {
		return truth, m.Scheme, nil
	}
	of, b := detect(truth, m.Scheme)
	if of == States {
		return nil, "", own.in(c, ", the scheme of the model; is --tag the right column?")
	}
	if b.found() {
		return nil, "", b.in(c, "; correct the tag")
	}
	for q, tags := range truth {
		truth[q] = convert(tags, of, m.Scheme)
	}
	return truth, of, nil
}

// CheckTags returns an error if a corpus has tags, but none of States is one of the model: they are from elsewhere.
func (m *Model) CheckTags(c *tokens.Corpus) error {
	known := func(t tokens.Token) bool { return slices.Contains(m.Tags, t.Tag) }
	first := slices.IndexFunc(c.Tokens, func(t tokens.Token) bool { return t.Tag != "" })
	if m.Scheme != States || first < 0 || slices.ContainsFunc(c.Tokens, known) {
		return nil
	}
	return c.Errorf(first, "the tag %.60q, and all others, want tags of the model such as %.60q; are they in the right "+
		"column or file?", c.Tokens[first].Tag, m.Tags[len(m.Tags)-1])
}

// Unlike returns the true kinds of a report and those of the model, "" of tags without a kind, if none is the same or
// one differs in case alone; otherwise nil. Kinds of States are the tags but [Outside].
func (m *Model) Unlike(r *Report) (kinds, known []string) {
	n, spans := m.Scheme.machine()
	for _, tag := range m.Tags {
		letter, kind := n.cut(tag)
		switch {
		case !spans && tag != Outside:
			known = append(known, tag)
		case spans && letter != inNone:
			known = append(known, kind)
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	same, cased := false, false
	for _, kind := range r.Kinds() {
		if r.counts()[kind].True == 0 || !spans && kind == Outside {
			continue
		}
		kinds = append(kinds, kind)
		if slices.Contains(known, kind) {
			same = true
			continue
		}
		cased = cased || slices.ContainsFunc(known, func(other string) bool { return strings.EqualFold(kind, other) })
	}
	if same && !cased || len(kinds) == 0 {
		return nil, nil
	}
	return kinds, known
}

// convert returns tags of a scheme in another. What is unknown stays so.
func convert(tags []string, from, to Scheme) []string {
	out := to.Tags(from.Spans(tags), len(tags))
	for t, tag := range tags {
		if tag == "" {
			out[t] = ""
		}
	}
	return out
}

// numbered returns the machine's states in order, that of no span first, and the numbers of the tokens' states.
func numbered(c *tokens.Corpus, s Scheme) (names []string, y []uint8, err error) {
	n, spans := s.machine()
	truth, seen := tagsOf(c), map[string]bool{}
	for q, tags := range truth {
		if spans {
			truth[q] = convert(tags, s, n.scheme())
		}
		for t, tag := range truth[q] {
			if tag == "" || seen[tag] {
				continue
			}
			seen[tag] = true
			if letter, kind := n.cut(tag); spans && letter != inNone {
				for _, letter := range []byte(n.letters) {
					seen[n.tag(letter, kind)] = true
				}
			}
			if len(seen) > MostTags {
				lo, _ := c.Bounds(q)
				return nil, nil, c.Errorf(lo+t, "more than %d tags, of spans four for each kind: is --tag the right column?",
					MostTags)
			}
		}
	}
	outside := s.Outside()
	names = slices.SortedFunc(maps.Keys(seen), func(a, b string) int {
		switch {
		case a == outside:
			return -1
		case b == outside:
			return 1
		}
		return strings.Compare(a, b)
	})
	if len(names) < 2 {
		return nil, nil, fmt.Errorf("%s: all tags are %v, want at least two", c.Source, names)
	}
	number := map[string]uint8{"": chain.Unknown}
	for i, tag := range names {
		number[tag] = uint8(i)
	}
	for _, tags := range truth {
		for _, tag := range tags {
			y = append(y, number[tag])
		}
	}
	return names, y, nil
}

// linksOf forbids what is no span.
func linksOf(tags []string, s Scheme) chain.Links {
	l := chain.Links{States: len(tags)}
	n, spans := s.machine()
	if !spans {
		return l
	}
	l.Forbidden = func(a, b int) bool {
		open, kind := false, ""
		if a != chain.Start {
			letter, of := n.cut(tags[a])
			open, kind = letter != inNone && !is(letter, closes), of
		}
		letter, of := n.cut(tags[b])
		inside := letter != inNone && !is(letter, opens)
		return open != inside || open && kind != of
	}
	return l
}

// Tagged is what a model says of a sequence.
type Tagged struct {
	Tags []string  // of the scheme of training
	P    []float64 // the probability of the machine's state of each token; nil unless asked for
}

// Tag tags the sequences of a corpus. Probabilities are those of single tokens under the machine: see
// [chain.Tagger.Marginals]. O(features of the tokens + tokens × states²), on all processors.
func (m *Model) Tag(ctx context.Context, c *tokens.Corpus, probabilities bool) ([]Tagged, error) {
	if err := m.Features.of.check(c); err != nil {
		return nil, err
	}
	rows := m.Features.of.rows(c)
	out := make([]Tagged, c.Sequences())
	const block = 64
	err := parallel.Do(ctx, (len(out)+block-1)/block, func(b int) error {
		g := m.Machine.Tagger()
		for q := b * block; q < min(len(out), (b+1)*block); q++ {
			lo, hi := c.Bounds(q)
			out[q] = m.tag(g, g.Score(rows, lo, hi), probabilities)
		}
		return nil
	})
	return out, err
}

func (m *Model) tag(g *chain.Tagger, scores []float64, probabilities bool) (out Tagged) {
	s := m.Machine.Links.States
	y := make([]uint8, len(scores)/s)
	g.Tag(y, scores)
	names := make([]string, len(y))
	for t, state := range y {
		names[t] = m.Tags[state]
	}
	if probabilities {
		p := make([]float64, len(scores))
		g.Marginals(p, scores)
		for t, state := range y {
			out.P = append(out.P, p[t*s+int(state)])
		}
	}
	out.Tags = names
	if n, spans := m.Scheme.machine(); spans {
		out.Tags = convert(names, n.scheme(), m.Scheme)
	}
	return out
}
