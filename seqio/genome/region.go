package genome

import (
	"strconv"
	"strings"
)

// Region is the place of a genome that an id names, SEQ:FIRST-LAST.
type Region struct {
	Seq         string
	First, Last int    // as they are written, in either convention (see Bounds)
	Strand      Strand // Plus if “(+)” follows, Minus for “(-)” and “/rc”, else NoStrand
}

// ParseRegion reads an id SEQ:FIRST-LAST as bedtools getfasta, samtools faidx and genome browsers write it, and reports
// whether it is one. SEQ is what is between the last “::” before it, if there is one (NAME::SEQ:FIRST-LAST), and
// the last colon that two numbers follow. The numbers may be followed by anything that does not begin with a
// digit; a strand, (+), (-) or /rc, is understood.
func ParseRegion(id string) (Region, bool) {
	for at := len(id); at > 0; {
		at = strings.LastIndexByte(id[:at], ':')
		if at <= 0 {
			break
		}
		first, rest, ok := cutNumber(id[at+1:])
		if !ok || !strings.HasPrefix(rest, "-") {
			continue
		}
		last, rest, ok := cutNumber(rest[1:])
		if !ok {
			continue
		}
		name := id[:at]
		if i := strings.LastIndex(name, "::"); i >= 0 {
			name = name[i+2:]
		}
		return Region{Seq: name, First: first, Last: last, Strand: strandAfter(rest)}, name != ""
	}
	return Region{}, false
}

// strandAfter reads what follows the numbers of a region.
func strandAfter(text string) Strand {
	switch {
	case strings.HasPrefix(text, "(+)"):
		return Plus
	case strings.HasPrefix(text, "(-)"), strings.HasPrefix(text, "/rc"):
		return Minus
	}
	return NoStrand
}

// Bounds returns the region 0-based and half-open, letters start … end − 1, given how many letters the record has:
// FIRST-LAST is 0-based and half-open if it spans that many (bedtools), 1-based and inclusive if that does (samtools).
// It reports whether one of them does.
func (r Region) Bounds(letters int) (start, end int, ok bool) {
	switch letters {
	case r.Last - r.First:
		return r.First, r.Last, true
	case r.Last - r.First + 1:
		return r.First - 1, r.Last, r.First > 0
	}
	return 0, 0, false
}

// Chromosome returns the sequence of a genome that an id names: that of [ParseRegion] or, if the id is not a region,
// what precedes its first colon. It is "" if there is none.
func Chromosome(id string) string {
	if r, ok := ParseRegion(id); ok {
		return r.Seq
	}
	name, _, found := strings.Cut(id, ":")
	if !found {
		return ""
	}
	return name
}

// cutNumber cuts the decimal digits at the beginning of a text off.
func cutNumber(text string) (n int, rest string, ok bool) {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.Atoi(text[:digits])
	return n, text[digits:], err == nil
}
