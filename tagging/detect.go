package tagging

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/tokens"
)

// SchemeOf returns the scheme of the tags of a corpus with its spelling. If given is "", [DetectScheme] finds it, but
// letters have States; otherwise it is a scheme, whose spelling is found if it is the usual one and tags break it. The
// error is that of the first token that breaks the scheme.
func SchemeOf(c *tokens.Corpus, given Scheme) (Scheme, error) {
	sequences := tagsOf(c)
	switch {
	case given == "" && c.Names != nil:
		return States, nil
	case given == "":
		found, b := detect(sequences)
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

// DetectScheme returns the scheme of the tags of sequences, where "" is unknown. Tags mark spans if at least half of the
// tokens that are not outside, or most of the different tags, have a letter and a kind with a sign between, as in B-X.
// The scheme is then the first that no tag breaks. If all are broken, token is not −1: it breaks, for the reason why,
// the scheme that was unbroken longest where tags of another spelling are set aside. Tags without a sign mark spans only
// if they have B and I, M, E or L of a kind, or I and O alone, and keep to a scheme. All others are States.
func DetectScheme(sequences [][]string) (s Scheme, sequence, token int, why string) {
	s, b := detect(sequences)
	if !b.found() {
		return s, 0, -1, ""
	}
	return "", b.sequence, b.token, b.why
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

// detect finds the scheme of tags and what breaks it.
func detect(sequences [][]string) (Scheme, breach) {
	counts := countTags(sequences)
	for _, s := range candidates(counts) {
		if s.separator != "" && !s.most() {
			continue
		}
		known := sequences
		if s.odd > 0 {
			known = s.known(sequences)
		}
		n, follows := s.fit(known)
		if s.separator == "" && !s.bareSpans(n, follows) {
			continue
		}
		return n.scheme(), n.firstBreach(sequences)
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

// candidates lists the most frequent spelling of tags with a separator, and then those without.
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
		list = append(list, order[at].candidate(counts))
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
		}
	}
	return c
}

// most reports whether at least as many tags are so spelled as are plain, or all but the one of tokens in no span.
func (c *candidate) most() bool {
	return c.tokens >= c.plain || c.tags > c.plainTags || c.plainTags == 1 && c.outsides == 0
}

// bareSpans reports whether tags without a separator mark spans. States, too, are called B, E, I, M and S.
func (c *candidate) bareSpans(n notation, follows bool) bool {
	paired, covered := false, true
	for name := range c.letters {
		covered = covered && n.has(name[0])
		paired = paired || is(name[0], "IMEL") && c.letters["B"+name[1:]]
	}
	if c.odd == 0 && follows {
		return paired || c.tags == 1 && c.letters["I"] && c.outsides > 0
	}
	return paired && covered && c.outsides > 0 && c.tokens > c.odd && (follows || c.odd == 0)
}

// known returns tags with "" for those of another spelling.
func (s *spelling) known(sequences [][]string) [][]string {
	out := make([][]string, len(sequences))
	for q, tags := range sequences {
		out[q] = slices.Clone(tags)
		for t, tag := range tags {
			if letter, _ := s.cut(tag); letter == 0 {
				out[q][t] = ""
			}
		}
	}
	return out
}

// fit returns the first rule that tags follow, or the one that they follow longest.
func (s spelling) fit(sequences [][]string) (longest notation, follows bool) {
	last := breach{sequence: -1}
	for _, r := range rules {
		n := notation{r, s}
		b := n.firstBreach(sequences)
		if !b.found() {
			return n, true
		}
		if b.sequence > last.sequence || b.sequence == last.sequence && b.token > last.token {
			longest, last = n, b
		}
	}
	return longest, false
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
			advice = ", which of the schemes breaks the fewest; see --scheme"
		} else if q == 0 && t == 0 && !again(tags[1:]) && !slices.ContainsFunc(sequences[1:], again) {
			advice = ", which most tags follow; is the line a header? Remove it, or give --scheme states"
		}
		return breach{q, t, why, advice}
	}
	return breach{}
}
