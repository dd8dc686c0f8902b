package tagging

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/tokens"
)

// SchemeOf returns the scheme of the tags of a corpus with its spelling. If given is "", it is found by the tags, but
// letters have States; otherwise it is a scheme, whose spelling is found if it is the usual one and tags break it. The
// error is that of the first token that breaks the scheme.
func SchemeOf(c *tokens.Corpus, given Scheme) (Scheme, error) {
	sequences := tagsOf(c)
	switch {
	case given == "" && c.Names != nil:
		return States, nil
	case given == "":
		found, b := detect(sequences, "")
		return found, b.in(c, b.advice)
	}
	if err := given.check(); err != nil {
		return "", fmt.Errorf("tagging: %w", err)
	}
	n, spans := given.notation()
	if !spans {
		return given, nil
	}
	b := n.firstBreach(sequences)
	if list := candidates(countTags(sequences)); b.found() && n.spelling == usual && len(list) > 0 {
		n.spelling = list[0].spelling
		b = n.firstBreach(sequences)
	}
	return n.scheme(), b.in(c, "")
}

// tagsOf returns the tags of each sequence.
func tagsOf(c *tokens.Corpus) [][]string {
	all := make([][]string, c.Sequences())
	for q := range all {
		for _, t := range c.Sequence(q) {
			all[q] = append(all[q], t.Tag)
		}
	}
	return all
}

// breach is the first token that breaks a scheme.
type breach struct {
	sequence, token int
	why             string // "": none does
	advice          string // what to do, if the scheme was detected
}

func (b *breach) found() bool { return b.why != "" }

// in returns the error of a corpus, if there is one.
func (b *breach) in(c *tokens.Corpus, advice string) error {
	if !b.found() {
		return nil
	}
	lo, _ := c.Bounds(b.sequence)
	return c.Errorf(lo+b.token, "%s%s", b.why, advice)
}

// detect finds the scheme of the tags of sequences, where "" is unknown, and what breaks it. Tags mark spans if half of
// the tokens that are not outside, or most of the different tags, have a letter and a kind with a sign between, as in
// B-X. The scheme is then the one that the fewest tags break, of equals the preferred or the first. Tags without a sign
// mark spans only if they have B and I, M, E or L of a kind, or I and O alone, and keep to a scheme but for rare ones.
// All others are States.
func detect(sequences [][]string, preferred Scheme) (Scheme, breach) {
	for _, s := range candidates(countTags(sequences)) {
		n, broken := s.fit(sequences, preferred)
		if s.separator != "" || s.bareSpans(n, broken) {
			return n.scheme(), n.firstBreach(sequences)
		}
	}
	return States, inBrackets(sequences)
}

// inBrackets returns the first tag that opens a bracket, as in (PER* and *), if all tags are of that kind.
func inBrackets(sequences [][]string) (first breach) {
	for q, tags := range sequences {
		for t, tag := range tags {
			if strings.Trim(tag, "*-()") != "" && !(tag[0] == '(' && is(tag[len(tag)-1], "*)")) {
				return breach{}
			}
			if !first.found() && len(tag) > 2 && tag[0] == '(' {
				first = breach{q, t, fmt.Sprintf("the tag %.60q, want B-X for the first token of X, I-X for others and O", tag),
					"; convert the tags, or give --scheme states if they mark no spans"}
			}
		}
	}
	return first
}

func countTags(sequences [][]string) map[string]int {
	counts := map[string]int{}
	for _, tags := range sequences {
		for _, tag := range tags {
			if tag != "" {
				counts[tag]++
			}
		}
	}
	return counts
}

// candidate is a spelling with what the tags are that are not outside.
type candidate struct {
	spelling
	tokens, tags     int             // so spelled: tokens, and different tags
	plain, plainTags int             // in no spelling with a separator
	odd, outsides    int             // tokens that are not so spelled, and tokens outside
	letters          map[string]bool // each with the kind after it
}

// candidates lists the most frequent spelling of tags with a separator, if most tags have one, and those without.
func candidates(counts map[string]int) []candidate {
	tokens := map[spelling]int{}
	for tag, n := range counts {
		for _, s := range spellings(tag) {
			tokens[s] += n
		}
	}
	order := slices.SortedFunc(maps.Keys(tokens), func(a, b spelling) int {
		return cmp.Or(cmp.Compare(tokens[b], tokens[a]), strings.Compare(a.String(), b.String()))
	})
	bare := func(s spelling) bool { return s.separator == "" }
	var list []candidate
	if at := slices.IndexFunc(order, func(s spelling) bool { return !bare(s) }); at >= 0 {
		if c := order[at].candidate(counts); c.most() {
			list = append(list, c)
		}
	}
	for _, s := range order {
		if bare(s) {
			list = append(list, s.candidate(counts))
		}
	}
	return list
}

func (s spelling) candidate(counts map[string]int) candidate {
	if s.lower && counts["o"] > counts[Outside] {
		s.outside = "o"
	}
	c := candidate{spelling: s, outsides: counts[s.outside], letters: map[string]bool{}}
	alone := 0
	for tag, n := range counts {
		switch letter, kind := s.cut(tag); letter {
		case inNone:
		case 0:
			c.odd += n
			if !slices.ContainsFunc(spellings(tag), func(s spelling) bool { return s.separator != "" }) {
				c.plain, c.plainTags = c.plain+n, c.plainTags+1
			}
		default:
			c.tokens, c.tags = c.tokens+n, c.tags+1
			c.letters[string(letter)+kind] = true
			if kind == "" {
				alone += n
			}
		}
	}
	if !s.kindless && 2*alone > c.tokens {
		s.kindless = true
		return s.candidate(counts)
	}
	return c
}

// most reports whether at least as many tags are so spelled as are plain, or all but the one of tokens in no span.
func (c *candidate) most() bool {
	return c.tokens >= c.plain || c.tags > c.plainTags || c.plainTags == 1 && c.outsides == 0
}

// bareSpans reports whether tags without a separator mark spans, though some break the scheme that fits best. States,
// too, are called B, E, I, M and S.
func (c *candidate) bareSpans(n notation, broken int) bool {
	paired, covered := false, c.odd == 0
	for name := range c.letters {
		covered = covered && is(name[0], n.all())
		paired = paired || is(name[0], "IMEL") && c.letters["B"+name[1:]]
	}
	all := c.tokens + c.odd + c.outsides
	if rare := 100*broken < all || broken == 1 && all >= 20; rare {
		return paired || c.tags == 1 && c.letters["I"] && c.outsides > 0
	}
	return paired && c.outsides > 0 && (covered || 10*broken < all || c.odd == broken && c.odd < c.tokens)
}

// fit returns the rule that the fewest tags break, of equals the preferred one or the first, and how many break it.
func (s spelling) fit(sequences [][]string, preferred Scheme) (best notation, fewest int) {
	list := rules
	if n, ok := preferred.notation(); ok {
		list = slices.Concat([]rule{n.rule}, rules)
	}
	fewest = math.MaxInt
	for _, r := range list {
		n := notation{r, s}
		if broken := n.count(sequences, fewest); broken < fewest {
			best, fewest = n, broken
		}
		if fewest == 0 {
			break
		}
	}
	return best, fewest
}

// count returns how many tags break the rule, at most limit.
func (n *notation) count(sequences [][]string, limit int) (broken int) {
	for _, tags := range sequences {
		for range n.broken(tags) {
			if broken++; broken == limit {
				return broken
			}
		}
	}
	return broken
}

func (n *notation) firstBreach(sequences [][]string) breach {
	for q, tags := range sequences {
		t, why := n.check(tags)
		if t < 0 {
			continue
		}
		again := func(tags []string) bool { return slices.Contains(tags, sequences[0][0]) }
		advice := ", which most tags follow; correct it, or give --scheme states if tags mark no spans"
		if letter, _ := n.cut(tags[t]); letter != 0 {
			advice = ", the scheme that the fewest tags break; correct it, or see --scheme"
		} else if q == 0 && t == 0 && !again(tags[1:]) && !slices.ContainsFunc(sequences[1:], again) {
			advice = ", which most tags follow; is the line a header? Remove it, or give --scheme states"
		}
		return breach{q, t, why, advice}
	}
	return breach{}
}
