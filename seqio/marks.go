package seqio

import (
	"sort"
)

// lineMark is a run of lines with the same number of letters, the last of which may have fewer.
type lineMark struct {
	offset int // of its first letter in the corpus
	line   int // of its first line
	width  int // letters per line
}

// lineMarks maps letters to their lines. A record that is wrapped evenly needs one mark.
type lineMarks []lineMark

// add says that the letters offset … offset+n−1 came from the line. Calls are in order of offset.
func (m *lineMarks) add(offset, n, line int) {
	if n == 0 {
		return
	}
	if k := len(*m); k > 0 {
		last := (*m)[k-1]
		if n <= last.width && line > last.line && offset == last.offset+last.width*(line-last.line) {
			return
		}
	}
	*m = append(*m, lineMark{offset, line, n})
}

// find returns the line of the letter at an offset.
func (m lineMarks) find(offset int) int {
	k := sort.Search(len(m), func(k int) bool { return m[k].offset > offset }) - 1
	return m[k].line + (offset-m[k].offset)/m[k].width
}
