package seqio

import (
	"strconv"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// HeaderPattern finds a name in headers.
type HeaderPattern = lines.HeaderPattern

// ParseHeaderPattern reads regex:PATTERN, a regular expression as of package regexp: what its first group matches, or
// all of it without a group, is a name in headers. An option without regex: has no pattern, nil.
func ParseHeaderPattern(option string) (*HeaderPattern, error) {
	return lines.ParseHeaderPattern(option)
}

// Header returns the header of record i (0-based): its id and its description.
func (s *Set) Header(i int) string {
	if s.Descriptions == nil {
		return s.Corpus.Name(i)
	}
	return lines.HeaderOf(s.Corpus.Name(i), s.Descriptions[i])
}

// hasHeaders reports whether records of the format have headers, with their labels.
func (f Format) hasHeaders() bool { return f == DotBracket || !f.Text() }

// labelByIDs takes ids for labels if that is asked for, or if labels are wanted and ids look like them, and names these
// records by their numbers in the input. The first records decide for all.
func (c *collector) labelByIDs() {
	if c.opt.IDsOnly {
		return
	}
	if !c.decided {
		c.decided = true
		c.labelIn.ID = c.labelIn.ID || !c.opt.OptionalLabels && c.idsAreLabels()
	}
	if !c.labelIn.ID {
		return
	}
	record := -1
	for _, s := range c.sets {
		for i := range s.Lines {
			record++
			if s.Descriptions == nil || s.common {
				continue
			}
			id := c.builder.Name(record)
			if s.Labels[i] == "" && s.Descriptions[i] == "" {
				s.Labels[i], s.guessed[i] = id, false
			}
			if s.Labels[i] == id && c.opt.RepeatedIDs {
				s.byIDs = true
				if !c.opt.OptionalLabels {
					c.builder.Rename(record, strconv.Itoa(s.before+i+1))
				}
			}
		}
	}
}

// idsAreLabels reports whether the records of FASTA and FASTQ have no label and nothing in their headers but ids that
// make few classes.
func (c *collector) idsAreLabels() bool {
	const most = 100
	size, record := map[string]int{}, 0
	for _, s := range c.sets {
		if s.common || s.unnamed || s.Format != FASTA && s.Format != FASTQ {
			return false
		}
		for i := range s.Lines {
			if s.Descriptions[i] != "" || s.Labels[i] != "" || len(size) > most {
				return false
			}
			size[c.builder.Name(record)]++
			record++
		}
	}
	singles := 0
	for _, n := range size {
		if n == 1 {
			singles++
		}
	}
	return len(size) <= most && 2*singles <= len(size) && (record >= 3*len(size) || len(size) == 2 && record >= 4)
}
