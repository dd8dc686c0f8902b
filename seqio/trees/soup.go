package trees

import (
	"slices"
	"strings"
)

// soup is the stack of open elements of HTML. It answers in constant time which element a tag closes, so that no
// sequence of tags takes more than linear time.
type soup struct {
	open    []soupElement
	last    []int32        // of each id: the index in open of the innermost such element, −1 if none is open
	ids     map[string]int // names that are not known
	special int32          // the innermost special element
	seen    map[int]bool   // which of html, head and body were opened
}

// soupElement is an open element.
type soupElement struct {
	id             int
	same, specials int32 // what last[id] and special were before
}

// Ids of elements that rules speak of; other names get larger ones as they occur.
const known = specialNames + " option optgroup a button nobr ruby rb rp rt rtc svg math area base basefont bgsound " +
	"br col embed frame hr img image input keygen link meta param source track wbr dialog"

var knownIDs = func() map[string]int {
	ids := map[string]int{}
	for i, name := range strings.Fields(known) {
		ids[name] = i
	}
	return ids
}()

// idSet is a set of known elements.
type idSet []int32

// elements returns the set of some names.
func elements(names string) idSet {
	var set idSet
	for _, name := range strings.Fields(names) {
		id, found := knownIDs[name]
		if !found {
			panic("trees: element " + name + " is not in the list")
		}
		set = append(set, int32(id))
	}
	return set
}

var htmlID, headID, bodyID, paragraphID, listItemID = knownIDs["html"], knownIDs["head"], knownIDs["body"],
	knownIDs["p"], knownIDs["li"]

// rule says which open elements a start tag closes: the outermost of the targets that no barrier is inside of.
type rule struct{ targets, barriers idSet }

var (
	scope       = elements("html table td th caption template applet marquee object svg math")
	listScope   = append(elements("ul ol"), scope...)
	buttonScope = append(elements("button"), scope...)
	tableScope  = elements("html table template")

	voids = memberOf("area base basefont bgsound br col embed frame hr img image input keygen link meta param " +
		"source track wbr")
	hiddenText  = memberOf("script style iframe noembed noframes")
	headContent = memberOf("base basefont bgsound link meta title noscript noframes style script template")
	specials    = memberOf(specialNames)
	tableParts  = memberOf("table caption colgroup thead tbody tfoot tr td th")
	headings    = memberOf("h1 h2 h3 h4 h5 h6")
	headingSet  = elements("h1 h2 h3 h4 h5 h6")

	rules = makeRules()
)

// specialNames are the elements that a stray end tag of another kind does not end.
const specialNames = "html head body p li dd dt select table caption colgroup thead tbody tfoot tr td th h1 h2 h3 h4 " +
	"h5 h6 ul ol dl template applet marquee object noscript noframes style script title iframe noembed xmp plaintext " +
	"textarea address article aside blockquote center details dir div fieldset figcaption figure footer form header " +
	"hgroup listing main menu nav pre search section summary frameset"

// specialsBut returns the special elements without some.
func specialsBut(names string) string {
	without := strings.Fields(names)
	return strings.Join(slices.DeleteFunc(strings.Fields(specialNames),
		func(name string) bool { return slices.Contains(without, name) }), " ")
}

func memberOf(names string) []bool {
	table := make([]bool, len(knownIDs))
	for _, id := range elements(names) {
		table[id] = true
	}
	return table
}

// in reports whether an element is in a table of memberOf.
func in(table []bool, id int) bool { return id < len(table) && table[id] }

// makeRules returns the rules of each known start tag, in the order in which they apply.
func makeRules() [][]rule {
	table := make([][]rule, len(knownIDs))
	add := func(tags, targets, barriers string) {
		r := rule{elements(targets), elements(barriers)}
		if barriers == "" {
			r.barriers = scope
		}
		for _, id := range elements(tags) {
			table[id] = append(table[id], r)
		}
	}
	add("li", "li", specialsBut("address div p li"))
	add("dd dt", "dd dt", specialsBut("address div p dd dt"))
	add("address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form "+
		"header hgroup h1 h2 h3 h4 h5 h6 hr li dd dt listing main menu nav ol p plaintext pre "+
		"search section summary table ul xmp", "p",
		"button html table td th caption template applet marquee object svg math")
	add("option", "option", "select html table td th template")
	add("optgroup", "option optgroup", "select html table td th template")
	add("tr", "tr caption colgroup", "html table template")
	add("td th", "td th", "html table template tr")
	add("thead tbody tfoot", "thead tbody tfoot tr caption colgroup", "html table template")
	add("caption colgroup", "caption colgroup", "html table template")
	add("rb rtc", "rb rt rtc rp", "ruby html table td th template")
	add("rt rp", "rb rt rp", "ruby rtc html table td th template")
	add("a", "a", "")
	add("button", "button", "")
	add("nobr", "nobr", "")
	return table
}

func (s *soup) reset() {
	s.open = s.open[:0]
	s.ids = nil
	s.special, s.seen = -1, map[int]bool{}
	s.last = s.last[:0]
	for range knownIDs {
		s.last = append(s.last, -1)
	}
}

// id returns the number of a name.
func (s *soup) id(name []byte) int {
	if id, found := knownIDs[string(name)]; found {
		return id
	}
	if id, found := s.ids[string(name)]; found {
		return id
	}
	if s.ids == nil {
		s.ids = map[string]int{}
	}
	id := len(s.last)
	s.ids[string(name)] = id
	s.last = append(s.last, -1)
	return id
}

func (s *soup) push(id int) {
	s.open = append(s.open, soupElement{id, s.last[id], s.special})
	s.last[id] = int32(len(s.open) - 1)
	if in(specials, id) {
		s.special = s.last[id]
	}
}

func (s *soup) pop() {
	e := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	s.last[e.id], s.special = e.same, e.specials
}

// top returns the index of the innermost element with an id, −1 if there is none.
func (s *soup) top(id int) int { return int(s.last[id]) }

// inside returns the index of the innermost element of a set, −1 if there is none.
func (s *soup) inside(set idSet) int {
	most := -1
	for _, id := range set {
		most = max(most, int(s.last[id]))
	}
	return most
}

// inHead reports whether a head is open, which ends before anything that does not belong there.
func (s *soup) inHead() bool { return s.last[headID] >= 0 && int(s.last[headID]) == len(s.open)-1 }

// hidesText reports whether the text at this place is not displayed.
func (s *soup) hidesText() bool {
	return len(s.open) > 0 && in(hiddenText, s.open[len(s.open)-1].id)
}

// foreigners hold elements whose tags may close themselves.
var foreigners = elements("svg math")

// ignored reports whether a start tag is skipped: html, head and body come once. It counts them.
func (s *soup) ignored(id int) bool {
	if id != htmlID && id != headID && id != bodyID {
		return false
	}
	again := s.seen[id]
	s.seen[id] = true
	return again
}

// implied returns the number of elements that stay open when an element begins, −1 if all do.
func (s *soup) implied(id int) int {
	if id != headID && s.last[headID] >= 0 && s.inHead() && !in(headContent, id) {
		return s.top(headID)
	}
	to := -1
	if id >= len(rules) {
		return to
	}
	for _, r := range rules[id] {
		barrier := s.inside(r.barriers)
		for _, target := range r.targets {
			if at := int(s.last[target]); at > barrier && (to < 0 || at < to) {
				to = at
			}
		}
	}
	current := to - 1 // the innermost element that stays open
	if to < 0 {
		current = len(s.open) - 1
	}
	if in(headings, id) && current >= 0 && in(headings, s.open[current].id) {
		return current
	}
	return to
}

// ended returns the number of elements that stay open when an end tag comes, −1 if it is skipped.
func (s *soup) ended(name []byte) int {
	id := s.id(name)
	if id == bodyID || id == htmlID {
		return -1 // what follows belongs to them, too
	}
	at := int(s.last[id])
	barrier := int(s.special) // that another element does not end
	switch {
	case in(headings, id):
		at, barrier = s.inside(headingSet), s.inside(scope) // h1 is ended by </h2>
	case in(tableParts, id):
		barrier = s.inside(tableScope)
	case id == listItemID:
		barrier = s.inside(listScope)
	case id == paragraphID:
		barrier = s.inside(buttonScope)
	case in(specials, id):
		barrier = s.inside(scope)
	}
	if at < 0 || at < barrier {
		return -1
	}
	return at
}
