package tagging

import (
	"fmt"
	"slices"
	"strings"
)

// Scheme says how tags mark spans, such as names.
type Scheme string

// The schemes. B-X begins a span of the kind X, I-X is inside, E-X ends one and S-X is one of a single token; O is
// outside of all.
const (
	States Scheme = "states" // tags are what they are, such as H, E and C
	IOB1   Scheme = "iob1"   // B-X only where a span follows one of its kind at once
	IOB2   Scheme = "iob2"   // every span begins with B-X
	IOBES  Scheme = "iobes"  // and ends with E-X, or is S-X
)

// Schemes lists the schemes.
func Schemes() []Scheme { return []Scheme{States, IOB1, IOB2, IOBES} }

// Outside is the tag of tokens in no span.
const Outside = "O"

// Span is the tokens Lo … Hi − 1 of a sequence.
type Span struct {
	Kind   string
	Lo, Hi int
}

// cut returns the position letter and the kind of a tag: B and X of B-X.
func cut(tag string) (position byte, kind string) {
	if len(tag) > 2 && tag[1] == '-' {
		return tag[0], tag[2:]
	}
	return 'O', ""
}

// isSpanTag reports whether a tag is O, or marks a span.
func isSpanTag(tag string) bool {
	position, _ := cut(tag)
	return tag == Outside || position != 'O' && strings.IndexByte("BIES", position) >= 0
}

// begins reports whether a span begins between two tags, by the rules of conlleval, which no tags break.
func begins(before, tag string) bool {
	last, lastKind := cut(before)
	position, kind := cut(tag)
	if position == 'O' {
		return false
	}
	return position == 'B' || position == 'S' || last == 'O' || last == 'E' || last == 'S' || kind != lastKind
}

// Spans returns the spans of tags of any scheme but States, by the rules of conlleval: an I-X that follows no span of
// its kind begins one. "" is O.
func Spans(tags []string) (spans []Span) {
	before, open := Outside, false
	for t, tag := range tags {
		position, kind := cut(tag)
		if open && (position == 'O' || begins(before, tag)) {
			spans[len(spans)-1].Hi = t
			open = false
		}
		if begins(before, tag) {
			spans = append(spans, Span{Kind: kind, Lo: t})
			open = true
		}
		before = tag
	}
	if open {
		spans[len(spans)-1].Hi = len(tags)
	}
	return spans
}

// Tags returns the tags of n tokens with some spans, which are disjoint and in order.
func (s Scheme) Tags(spans []Span, n int) []string {
	tags := make([]string, n)
	for t := range tags {
		tags[t] = Outside
	}
	for i, span := range spans {
		for t := span.Lo; t < span.Hi; t++ {
			position := "I"
			switch first, last := t == span.Lo, t == span.Hi-1; {
			case s == IOBES && first && last:
				position = "S"
			case s == IOBES && last:
				position = "E"
			case s == IOB1:
				if follows := i > 0 && spans[i-1].Hi == span.Lo && spans[i-1].Kind == span.Kind; first && follows {
					position = "B"
				}
			case first:
				position = "B"
			}
			tags[t] = position + "-" + span.Kind
		}
	}
	return tags
}

// Check returns the first token whose tag breaks the scheme, with what is wrong, or −1.
func (s Scheme) Check(tags []string) (token int, why string) {
	if s == States {
		return -1, ""
	}
	for t, tag := range tags {
		if tag != "" && !isSpanTag(tag) {
			return t, fmt.Sprintf("the tag %q, want O or B-, I-, E- or S- with a kind", tag)
		}
	}
	if slices.Contains(tags, "") { // spans at a token that is not known may begin or end there
		return -1, ""
	}
	for t, want := range s.Tags(Spans(tags), len(tags)) {
		if tags[t] != want {
			return t, fmt.Sprintf("the tag %s, want %s in %s", tags[t], want, s)
		}
	}
	return -1, ""
}

// DetectScheme returns the scheme of the tags of sequences: the first of IOB2, IOBES and IOB1 that no tag breaks, or
// States if some tag marks no span, or none does. Otherwise token is not −1: it breaks, for the reason why, the scheme
// that was unbroken longest.
func DetectScheme(sequences [][]string) (s Scheme, sequence, token int, why string) {
	marked := false
	for _, tags := range sequences {
		for _, tag := range tags {
			if tag != "" && !isSpanTag(tag) {
				return States, 0, -1, ""
			}
			marked = marked || tag != "" && tag != Outside
		}
	}
	if !marked {
		return States, 0, -1, ""
	}
	sequence, token = -1, -1
	for _, candidate := range []Scheme{IOB2, IOBES, IOB1} {
		q, t, reason := firstBreak(candidate, sequences)
		if q < 0 {
			return candidate, 0, -1, ""
		}
		if q > sequence || q == sequence && t > token {
			sequence, token, why = q, t, reason
		}
	}
	return "", sequence, token, why
}

func firstBreak(s Scheme, sequences [][]string) (sequence, token int, why string) {
	for q, tags := range sequences {
		if t, why := s.Check(tags); t >= 0 {
			return q, t, why
		}
	}
	return -1, -1, ""
}
