package genomic

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strconv"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/seqio/shards"
	"github.com/seqsvm/seqsvm/seqio/tabix"
)

// FormatOf returns the format of what a run of scan wrote, "" if it was another command.
func FormatOf(run shards.Run) string {
	if run.Get("command") != "scan" {
		return ""
	}
	return cmp.Or(run.Get("--format"), "bed")
}

// WriteIndexed writes lines of bed or bedgraph that write writes, compressed in blocks, and their index.
func WriteIndexed(w io.Writer, index *cli.Output, write func(io.Writer) error) error {
	out, err := tabix.NewWriter(w)
	if err != nil {
		return err
	}
	lines := &lineSplitter{take: func(line []byte) error { return addLine(out, line) }}
	if err := write(lines); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return index.Write(out.WriteIndex)
}

// lineSplitter takes text and passes it on by lines.
type lineSplitter struct {
	take func(line []byte) error
	rest []byte // of a line that has not ended
}

// Write takes a part of the text.
func (s *lineSplitter) Write(p []byte) (int, error) {
	s.rest = append(s.rest, p...)
	at := 0
	for {
		end := bytes.IndexByte(s.rest[at:], '\n') + 1
		if end == 0 {
			break
		}
		if err := s.take(s.rest[at : at+end]); err != nil {
			return 0, err
		}
		at += end
	}
	s.rest = s.rest[:copy(s.rest, s.rest[at:])]
	return len(p), nil
}

// addLine writes a line: of a place, or the track line before all.
func addLine(out *tabix.Writer, line []byte) error {
	record, places, found := bytes.Cut(line, []byte("\t"))
	if !found {
		return out.Head(string(line))
	}
	first, rest, _ := bytes.Cut(places, []byte("\t"))
	last, _, _ := bytes.Cut(rest, []byte("\t"))
	start, err := strconv.Atoi(string(first))
	end, errEnd := strconv.Atoi(string(last))
	if err = cmp.Or(err, errEnd); err != nil {
		return fmt.Errorf("line %.80q is no place: %w", line, err)
	}
	return out.Add(string(record), start, end, line)
}
