package windows

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Genome is where the letters come from: a [genome.Genome].
type Genome interface {
	Names() []string
	Length(name string) (letters int, found bool)
	// AppendSlice appends letters start … end − 1 (0-based) of a record, in upper case.
	AppendSlice(dst []byte, name string, start, end int) ([]byte, error)
}

// Unknown says what becomes of a site on a sequence that the genome lacks.
type Unknown string

// It is an error, or left out and counted.
const (
	RefuseUnknown Unknown = "error"
	SkipUnknown   Unknown = "skip"
)

// FitTranscripts returns the transcripts that lie on a genome. One on a sequence that the genome lacks is treated as u
// says, and counted if it is left out; one that reaches beyond the end of its sequence is an error in any case. Errors
// name the source, which is the annotation's, and the line.
func FitTranscripts(source string, transcripts []genome.Transcript, g Genome, u Unknown) (fit []genome.Transcript,
	skipped int, err error) {
	for _, t := range transcripts {
		n, found := g.Length(t.Seq)
		if !found && u == SkipUnknown {
			skipped++
			continue
		}
		if !found {
			return nil, 0, unknown(source, t.Line, t.Seq, g)
		}
		for _, e := range t.Exons {
			if e.End > n {
				return nil, 0, beyond(source, e.Line, fmt.Sprintf("exon %d-%d", e.Start+1, e.End), t.Seq, n)
			}
		}
		if t.End > n {
			return nil, 0, beyond(source, t.Line, fmt.Sprintf("transcript %d-%d", t.Start+1, t.End), t.Seq, n)
		}
		fit = append(fit, t)
	}
	return fit, skipped, nil
}

// FitIntervals does for intervals what [FitTranscripts] does for transcripts.
func FitIntervals(source string, intervals []genome.Interval, g Genome, u Unknown) (fit []genome.Interval, skipped int,
	err error) {
	for _, x := range intervals {
		n, found := g.Length(x.Seq)
		switch {
		case !found && u == SkipUnknown:
			skipped++
		case !found:
			return nil, 0, unknown(source, x.Line, x.Seq, g)
		case x.End > n:
			return nil, 0, beyond(source, x.Line, fmt.Sprintf("interval %d-%d", x.Start+1, x.End), x.Seq, n)
		default:
			fit = append(fit, x)
		}
	}
	return fit, skipped, nil
}

// unknown is the error of a sequence that the genome lacks; it shows how the genome's are called, since chr1 and 1 are
// what is mixed up most.
func unknown(source string, line int, name string, g Genome) error {
	const most = 3
	names := slices.Clone(g.Names())
	more := ""
	if len(names) > most {
		names, more = names[:most], ", …"
	}
	for i, s := range names {
		names[i] = fmt.Sprintf("%.40q", s)
	}
	return lines.Errorf(source, line, "sequence %.40q is not in the genome, which has %s%s", name,
		strings.Join(names, ", "), more)
}

// beyond is the error of a position after the last letter.
func beyond(source string, line int, what, name string, length int) error {
	return lines.Errorf(source, line, "%s reaches beyond the end of sequence %.40q, which has %d letters", what, name,
		length)
}
