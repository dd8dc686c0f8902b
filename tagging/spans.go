package tagging

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Scheme says how tags mark spans, such as names: a name, as in bilou. If tags are not written as B-X and O, a colon
// follows and the tag of the first token of a span of the kind X: bilou:X_B, iob2:b-X, or iob2:B if kinds follow the
// letter at once or there are none. If tokens in no span have o instead of O, that comes last: iob2:b-X,o.
type Scheme string

// The schemes. All but States mark spans: B begins one, I is inside, E ends one and S is one of a single token; O is
// outside of all.
const (
	States Scheme = "states" // tags are what they are, such as H, E and C
	IOB1   Scheme = "iob1"   // I; B only where a span follows one of its kind at once
	IOB2   Scheme = "iob2"   // every span begins with B
	IOE1   Scheme = "ioe1"   // I; E only where a span of the same kind follows at once
	IOE2   Scheme = "ioe2"   // every span ends with E
	IOBES  Scheme = "iobes"  // every span begins with B and ends with E, or is S
	BILOU  Scheme = "bilou"  // as IOBES, with L for E and U for S
	BMEWO  Scheme = "bmewo"  // as IOBES, with M for I and W for S
	BMES   Scheme = "bmes"   // as IOBES, with M for I
)

// rule gives the letters of the first, an inner, the last and the only token of a span.
type rule struct {
	name          Scheme
	letters       string
	after, before string // where a span of the same kind ends just before it, or begins just after it; "": letters
}

// rules are the schemes that mark spans. One that tags follow is preferred to those after it.
var rules = []rule{
	{name: IOB2, letters: "BIIB"},
	{name: IOBES, letters: "BIES"},
	{name: BILOU, letters: "BILU"},
	{name: BMEWO, letters: "BMEW"},
	{name: BMES, letters: "BMES"},
	{name: IOB1, letters: "IIII", after: "BIIB"},
	{name: IOE2, letters: "IIEE"},
	{name: IOE1, letters: "IIII", before: "IIEE"},
}

// all returns the letters of the rule.
func (r *rule) all() string { return r.letters + r.after + r.before }

// What letters say, whatever the rule. In no span is none of them.
const (
	inner  = "IM"
	opens  = "BSUW" // a span begins
	closes = "ELSUW"
	inNone = 'O'
)

func is(letter byte, of string) bool { return strings.IndexByte(of, letter) >= 0 }

// Schemes lists the schemes.
func Schemes() []Scheme { return []Scheme{States, IOB1, IOB2, IOE1, IOE2, IOBES, BILOU, BMEWO, BMES} }

// Outside is the tag of tokens in no span, unless the scheme says otherwise.
const Outside = "O"

// Span is the tokens Lo … Hi − 1 of a sequence.
type Span struct {
	Kind   string // "" of tags without kinds
	Lo, Hi int
}

// spelling is how a letter and a kind make a tag.
type spelling struct {
	separator string // between them: a sign, or nothing
	suffix    bool   // the kind comes first
	lower     bool   // the letter is in lower case
	kindless  bool   // there are only letters
	outside   string
}

var usual = spelling{separator: "-", outside: Outside}

// tag returns a tag.
func (s *spelling) tag(letter byte, kind string) string {
	l := string(letter)
	switch {
	case letter == inNone:
		return s.outside
	case s.lower:
		l = strings.ToLower(l)
	}
	if s.suffix {
		return kind + s.separator + l
	}
	return l + s.separator + kind
}

// cut returns the letter of a tag, in upper case, and its kind. The letter is 0 if the tag is not spelled so.
func (s *spelling) cut(tag string) (letter byte, kind string) {
	if tag == s.outside || tag == "" {
		return inNone, ""
	}
	letter, found := tag[0], false
	if s.suffix {
		letter = tag[len(tag)-1]
		kind, found = strings.CutSuffix(tag[:len(tag)-1], s.separator)
	} else {
		kind, found = strings.CutPrefix(tag[1:], s.separator)
	}
	if s.lower {
		letter ^= 'a' ^ 'A'
	}
	good := kind != ""
	if s.separator == "" { // a kind with a sign before it is of another spelling
		first, _ := utf8.DecodeRuneInString(kind)
		good = !good || !s.kindless && !isSign(first)
	}
	if !found || !good || !is(letter, inner+opens+closes) {
		return 0, ""
	}
	return letter, kind
}

func isSign(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// spellings returns those that a tag may have.
func spellings(tag string) (list []spelling) {
	first, n := utf8.DecodeRuneInString(tag)
	second, _ := utf8.DecodeRuneInString(tag[n:])
	last, n := utf8.DecodeLastRuneInString(tag)
	lastButOne, _ := utf8.DecodeLastRuneInString(tag[:len(tag)-n])
	for _, s := range []spelling{
		{lower: unicode.IsLower(first)},
		{lower: unicode.IsLower(first), separator: string(second)},
		{lower: unicode.IsLower(last), separator: string(lastButOne), suffix: true},
	} {
		s.outside = Outside
		letter, _ := s.cut(tag)
		if letter != 0 && letter != inNone && strings.TrimFunc(s.separator, isSign) == "" {
			list = append(list, s)
		}
	}
	return list
}

// example returns a tag of the kind X, or without one if kinds need no sign before them.
func (s *spelling) example(letter byte) string {
	if s.separator == "" {
		return s.tag(letter, "")
	}
	return s.tag(letter, "X")
}

// String returns the spelling as a scheme has it.
func (s spelling) String() string {
	if s.outside != Outside {
		return s.example('B') + "," + s.outside
	}
	return s.example('B')
}

// notation is a scheme taken apart.
type notation struct {
	rule
	spelling
}

// scheme returns the scheme.
func (n *notation) scheme() Scheme {
	if n.spelling == usual {
		return n.name
	}
	return n.name + Scheme(":"+n.spelling.String())
}

// notation takes a scheme apart, unless it is States or none at all.
func (s Scheme) notation() (n notation, ok bool) {
	name, text, spelled := strings.Cut(string(s), ":")
	at := slices.IndexFunc(rules, func(r rule) bool { return string(r.name) == name })
	if at < 0 {
		return n, false
	}
	n = notation{rules[at], usual}
	if !spelled {
		return n, true
	}
	begin, lower := strings.CutSuffix(text, ",o")
	for _, n.spelling = range spellings(begin) {
		if lower {
			n.outside = "o"
		}
		if n.scheme() == s {
			return n, true
		}
	}
	return n, false
}

// check returns an error unless the scheme is one that can be.
func (s Scheme) check() error {
	if _, ok := s.notation(); !ok && s != States {
		return fmt.Errorf("scheme %.60q, want one of %v", string(s), Schemes())
	}
	return nil
}

// Outside returns the tag of tokens in no span.
func (s Scheme) Outside() string {
	if n, ok := s.notation(); ok {
		return n.outside
	}
	return Outside
}

// Spans returns the spans of tags, none of States, by the rules of conlleval: an I of a kind that follows no span of
// that kind begins one. Tags that are not spelled as the scheme says, and "", are outside.
func (s Scheme) Spans(tags []string) []Span {
	if n, ok := s.notation(); ok {
		return n.spans(tags)
	}
	return nil
}

func (s *spelling) spans(tags []string) (spans []Span) {
	last, lastKind := byte(inNone), ""
	for t, tag := range tags {
		letter, kind := s.cut(tag)
		switch {
		case letter == inNone || letter == 0:
			letter = inNone
		case last == inNone || is(last, closes) || is(letter, opens) || kind != lastKind:
			spans = append(spans, Span{kind, t, t + 1})
		default:
			spans[len(spans)-1].Hi = t + 1
		}
		last, lastKind = letter, kind
	}
	return spans
}

// Tags returns the tags of count tokens with some spans, which are disjoint and in order; States have none.
func (s Scheme) Tags(spans []Span, count int) []string {
	if n, ok := s.notation(); ok {
		return n.tags(spans, count)
	}
	return slices.Repeat([]string{Outside}, count)
}

func (n *notation) tags(spans []Span, count int) []string {
	tags := slices.Repeat([]string{n.outside}, count)
	touch := func(a, b Span) bool { return a.Hi == b.Lo && a.Kind == b.Kind }
	for i, span := range spans {
		letters := n.letters
		if n.after != "" && i > 0 && touch(spans[i-1], span) {
			letters = n.after
		}
		if n.before != "" && i+1 < len(spans) && touch(span, spans[i+1]) {
			letters = n.before
		}
		for t := span.Lo; t < span.Hi; t++ {
			place := 1
			switch first, last := t == span.Lo, t == span.Hi-1; {
			case first && last:
				place = 3
			case first:
				place = 0
			case last:
				place = 2
			}
			tags[t] = n.tag(letters[place], span.Kind)
		}
	}
	return tags
}

// Check returns the first token whose tag breaks the scheme, with what is wrong, or −1.
func (s Scheme) Check(tags []string) (token int, why string) {
	n, ok := s.notation()
	if !ok {
		return -1, ""
	}
	return n.check(tags)
}

func (n *notation) check(tags []string) (token int, why string) {
	for t, want := range n.broken(tags) {
		if want == "" {
			return t, fmt.Sprintf("the tag %.60q, want %s in %s", tags[t], n.forms(), n.name)
		}
		return t, fmt.Sprintf("the tag %.60s, want %.60s in %s", tags[t], want, n.name)
	}
	return -1, ""
}

// broken lists the tokens whose tags break the rule with the tags that it wants, "" where it has no such letter. Tags
// beside one of those, or beside an unknown one, are not judged: a span may go on there.
func (n *notation) broken(tags []string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		odd := make([]bool, len(tags)+2)
		for t, tag := range tags {
			letter, _ := n.cut(tag)
			odd[t+1] = tag == "" || letter != inNone && !is(letter, n.all())
		}
		for t, want := range n.tags(n.spans(tags), len(tags)) {
			if odd[t+1] {
				want = ""
			} else if odd[t] || odd[t+2] {
				continue
			}
			if tags[t] != want && !yield(t, want) {
				return
			}
		}
	}
}

// forms lists what tags look like, as in O, B-X or I-X.
func (n *notation) forms() string {
	var list []string
	for _, letter := range []byte(n.all()) {
		list = append(list, n.example(letter))
	}
	slices.Sort(list)
	list = slices.Compact(list)
	last := len(list) - 1
	return strings.Join(append([]string{n.outside}, list[:last]...), ", ") + " or " + list[last]
}

// machine returns the notation in which spans are learned: it has a letter each for their first, inner, last and only
// token. States have none.
func (s Scheme) machine() (n notation, ok bool) {
	n, ok = s.notation()
	for i, letter := range []byte(n.letters) {
		if strings.IndexByte(n.letters, letter) < i {
			m, _ := IOBES.notation()
			n.rule = m.rule
		}
	}
	return n, ok
}
