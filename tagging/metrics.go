package tagging

import (
	"maps"
	"slices"
)

// Counts are those of one kind of span, or of one state.
type Counts struct {
	Right, Found, True int // found and true; found; true
}

// Precision is the share of what was found that is right, NaN if nothing was found.
func (c Counts) Precision() float64 { return float64(c.Right) / float64(c.Found) }

// Recall is the share of the true ones that were found, NaN if there is none.
func (c Counts) Recall() float64 { return float64(c.Right) / float64(c.True) }

// F1 is the harmonic mean of both.
func (c Counts) F1() float64 { return 2 * float64(c.Right) / float64(c.Found+c.True) }

func (c *Counts) add(o Counts) {
	c.Right += o.Right
	c.Found += o.Found
	c.True += o.True
}

// Report compares tags that were found with the true ones. Tokens whose true tag is "" count nowhere.
type Report struct {
	Tokens, RightTokens int
	Spans               map[string]*Counts // by kind; whole spans with their kind, as conlleval counts; nil for States
	States              map[string]*Counts // by state: tokens; nil for spans

	scheme  Scheme
	overlap map[string]*overlap
}

// NewReport returns an empty report of tags of a scheme.
func NewReport(s Scheme) *Report {
	if s == States {
		return &Report{scheme: s, States: map[string]*Counts{}, overlap: map[string]*overlap{}}
	}
	return &Report{scheme: s, Spans: map[string]*Counts{}}
}

// Add counts a sequence.
func (r *Report) Add(truth, found []string) {
	lo := 0
	for t := range len(truth) + 1 { // runs of known tokens
		if t < len(truth) && truth[t] != "" {
			continue
		}
		if t > lo {
			r.addRun(truth[lo:t], found[lo:t])
		}
		lo = t + 1
	}
}

func (r *Report) addRun(truth, found []string) {
	r.Tokens += len(truth)
	for t, tag := range truth {
		if tag == found[t] {
			r.RightTokens++
		}
	}
	if r.Spans == nil {
		for t, tag := range truth {
			counts(r.States, tag).True++
			counts(r.States, found[t]).Found++
			if tag == found[t] {
				counts(r.States, tag).Right++
			}
		}
		r.addOverlap(truth, found)
		return
	}
	right := map[Span]bool{}
	for _, s := range r.scheme.Spans(truth) {
		counts(r.Spans, s.Kind).True++
		right[s] = true
	}
	for _, s := range r.scheme.Spans(found) {
		counts(r.Spans, s.Kind).Found++
		if right[s] {
			counts(r.Spans, s.Kind).Right++
		}
	}
}

func counts(of map[string]*Counts, name string) *Counts {
	c := of[name]
	if c == nil {
		c = new(Counts)
		of[name] = c
	}
	return c
}

// Accuracy is the share of right tokens; of the three states of protein structure it is Q3.
func (r *Report) Accuracy() float64 { return float64(r.RightTokens) / float64(r.Tokens) }

// All returns the counts of all kinds of spans together.
func (r *Report) All() (all Counts) {
	for _, c := range r.Spans {
		all.add(*c)
	}
	return all
}

// Kinds lists the kinds of spans, or the states, in order.
func (r *Report) Kinds() []string { return slices.Sorted(maps.Keys(r.counts())) }

// counts returns those of all kinds of spans, or of all states.
func (r *Report) counts() map[string]*Counts {
	if r.Spans != nil {
		return r.Spans
	}
	return r.States
}

// overlap sums up the overlap of segments of one state.
type overlap struct {
	sum    float64
	length int
}

// SegmentOverlap is the measure SOV of Zemla et al. 1999
// (doi:10.1002/(SICI)1097-0134(19990201)34:2<220::AID-PROT7>3.0.CO;2-K) between 0 and 1: how well runs of a state are
// found as runs. state is "" for all together; NaN if it never is true.
func (r *Report) SegmentOverlap(state string) float64 {
	sum, length := 0.0, 0
	for _, name := range slices.Sorted(maps.Keys(r.overlap)) {
		if state == "" || state == name {
			sum += r.overlap[name].sum
			length += r.overlap[name].length
		}
	}
	return sum / float64(length)
}

func (r *Report) addOverlap(truth, found []string) {
	runs := map[string][]Span{}
	for _, s := range runsOf(found) {
		runs[s.Kind] = append(runs[s.Kind], s)
	}
	for _, s := range runsOf(truth) {
		o := r.overlap[s.Kind]
		if o == nil {
			o = new(overlap)
			r.overlap[s.Kind] = o
		}
		n, met := s.Hi-s.Lo, false
		for _, f := range runs[s.Kind] {
			common := min(s.Hi, f.Hi) - max(s.Lo, f.Lo)
			if common <= 0 {
				continue
			}
			met = true
			whole := max(s.Hi, f.Hi) - min(s.Lo, f.Lo)
			slack := min(whole-common, common, n/2, (f.Hi-f.Lo)/2)
			o.sum += float64(float64(common+slack) / float64(whole) * float64(n))
			o.length += n
		}
		if !met {
			o.length += n
		}
	}
}

// Segments returns the spans of tags, of States the runs of each but Outside.
func (s Scheme) Segments(tags []string) []Span {
	if s != States {
		return s.Spans(tags)
	}
	return slices.DeleteFunc(runsOf(tags), func(run Span) bool { return run.Kind == Outside })
}

// runsOf returns the runs of equal tags.
func runsOf(tags []string) (runs []Span) {
	for t, tag := range tags {
		if t == 0 || tag != tags[t-1] {
			runs = append(runs, Span{Kind: tag, Lo: t})
		}
		runs[len(runs)-1].Hi = t + 1
	}
	return runs
}
