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

// FitTranscripts returns the transcripts that lie on a genome, which may go over the origin of a circular sequence. One
// on a sequence that the genome lacks is treated as u says, and one that reaches beyond the end of its sequence is left
// out. Those that are left out are counted; if none is left, that is an error. Errors name the source, which is the
// annotation's, and the line.
func FitTranscripts(source string, transcripts []genome.Transcript, g Genome, u Unknown) ([]genome.Transcript,
	genome.Misfits, error) {
	return genome.Fitting(transcripts, "transcripts", func(t *genome.Transcript) error {
		n, found := g.Length(t.Seq)
		switch {
		case !found:
			return u.unknown(source, t.Line, t.Seq, g)
		case overOrigin(t) && t.Circle == n && t.Start < n && t.Len() <= n:
			return nil
		case t.Circle == n && t.Start == 0 && t.End == n && len(t.Exons) > 1:
			return lines.Errorf(source, t.Line, "%w", genome.Misfitf(genome.BeyondEnd, "transcript with exons on both sides "+
				"of the origin of %.40q; letters after it have numbers from %d on", t.Seq, n+1))
		}
		for _, e := range t.Exons {
			if e.End > n {
				return beyond(source, e.Line, fmt.Sprintf("exon %d-%d", e.Start+1, e.End), t.Seq, n)
			}
		}
		if t.End > n || overOrigin(t) {
			return beyond(source, t.Line, fmt.Sprintf("transcript %d-%d", t.Start+1, t.End), t.Seq, n)
		}
		return nil
	})
}

// FitIntervals does for intervals what [FitTranscripts] does for transcripts, and leaves those without letters out.
func FitIntervals(source string, intervals []genome.Interval, g Genome, u Unknown) ([]genome.Interval, genome.Misfits,
	error) {
	return genome.Fitting(intervals, "intervals", func(x *genome.Interval) error {
		n, found := g.Length(x.Seq)
		switch {
		case !found:
			return u.unknown(source, x.Line, x.Seq, g)
		case x.Len() == 0:
			return lines.Errorf(source, x.Line, "%w",
				genome.Misfitf(genome.WithoutLetters, "the interval has no letters"))
		case x.End > n:
			return beyond(source, x.Line, fmt.Sprintf("interval %d-%d", x.Start+1, x.End), x.Seq, n)
		}
		return nil
	})
}

// unknown is the error of a sequence that the genome lacks, a misfit if such are left out; it shows how the genome's
// are called, since chr1 and 1 are what is mixed up most.
func (u Unknown) unknown(source string, line int, name string, g Genome) error {
	const most = 3
	names := slices.Clone(g.Names())
	more := ""
	if len(names) > most {
		names, more = names[:most], ", …"
	}
	for i, s := range names {
		names[i] = fmt.Sprintf("%.40q", s)
	}
	err := fmt.Errorf("sequence %.40q is not in the genome, which has %s%s", name, strings.Join(names, ", "), more)
	if u == SkipUnknown {
		err = &genome.Misfit{Kind: genome.UnknownSequence, Err: err}
	}
	return lines.Errorf(source, line, "%w", err)
}

// beyond is the error of a position after the last letter.
func beyond(source string, line int, what, name string, length int) error {
	return lines.Errorf(source, line, "%w", genome.Misfitf(genome.BeyondEnd,
		"%s reaches beyond the end of sequence %.40q, which has %d letters", what, name, length))
}
