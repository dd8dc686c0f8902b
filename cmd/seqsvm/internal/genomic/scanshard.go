package genomic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/shards"
	"github.com/seqsvm/seqsvm/seqio/tabix"
)

// checkShard finds options that need to see more than a shard has.
func (o *scanOptions) checkShard(c *cli.Call) error {
	if !o.shard.Given() {
		return nil
	}
	if o.format == BigWig {
		return cli.Usagef("--format bigwig cannot be used with --shard: a bigWig file is not made of pieces; write " +
			"bedgraph, for model merge to join")
	}
	for _, name := range []string{"fdr", "plot"} {
		if c.Given(name) {
			return cli.Usagef("--%s cannot be used with --shard: it needs the windows of all shards; --min-score can, and "+
				"model merge does what --top, --suppress, --merge and --site say", name)
		}
	}
	return nil
}

// compares reports whether windows of different shards are compared, which model merge does.
func (s *shown) compares() bool { return s.Top > 0 || s.Suppress > 0 || s.Merge || s.Site != "" }

// scanPieces are the chunks of a genome as pieces of a shard: each window is in one of them.
type scanPieces struct {
	shard  *cli.Shard
	seen   shards.Input
	number int // of the next chunk
}

// write writes all windows, or those of a shard.
func (r *scanRun) write() error {
	o := r.options
	if !o.shard.Given() {
		return o.output.Write(func(w io.Writer) error { return WriteIndexed(w, o.index, r.writeAll) })
	}
	r.pieces = &scanPieces{shard: &o.shard}
	if err := o.output.Write(r.writeAll); err != nil {
		return err
	}
	more := []shards.Value{{Name: "input", Value: r.pieces.seen.String()}}
	if len(r.c.Args) > 1 {
		more = append(more, shards.Value{Name: "files", Value: strings.Join(r.c.Args, " ")})
	}
	return o.shard.End(r.c, r.pieces.number, []string{o.Path}, more...)
}

// of passes on those chunks of a source that are the shard's.
func (p *scanPieces) of(source scan.Source, window int) scan.Source {
	return func(visit func(seqio.Chunk) error) error {
		return source(func(chunk seqio.Chunk) error {
			fresh := chunk.Seq
			if chunk.Start == 0 {
				p.seen.Begin(chunk.Record)
			} else {
				fresh = fresh[min(window-1, len(fresh)):]
			}
			p.seen.Add(fresh)
			p.number++
			if !p.shard.Has(p.number - 1) {
				return nil
			}
			return visit(chunk)
		})
	}
}

// FormatOf returns the format of what a run of scan wrote, "" if it was another command.
func FormatOf(run shards.Run) string {
	if run.Get("command") != "scan" {
		return ""
	}
	return cmp.Or(run.Get("--format"), "bed")
}

// WriteIndexed writes lines of bed or bedgraph that write writes, compressed in blocks, and their index, or without an
// index whatever it writes as it is.
func WriteIndexed(w io.Writer, index *cli.Output, write func(io.Writer) error) error {
	if index == nil {
		return write(w)
	}
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

// A shard of a scan that compares windows holds all that may be compared, with all digits, and how they are to be
// filtered and written, as a line of JSON before them. Merge filters and writes.

// writeCandidates writes the windows of a shard. Of the best N alone, those count that are among the best so far.
func (r *scanRun) writeCandidates(w io.Writer, source scan.Source) error {
	head, err := json.Marshal(&r.shown)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(head, '\n')); err != nil {
		return err
	}
	r.pieces.shard.EndHead(nil)
	r.progress.begin("scanning")
	var best *scan.Top
	if r.Top > 0 && r.Suppress == 0 {
		best = &scan.Top{N: r.Top, Least: r.least}
	}
	job := scan.Job{Least: r.least}
	if best == nil {
		job.Work = func(b *scan.Batch) {
			for _, h := range b.Hits {
				b.Text = appendCandidate(b.Text, r.regionOf(b, h))
			}
		}
	}
	job.Emit = func(b *scan.Batch) error {
		r.account(b)
		if best != nil {
			for _, h := range b.Hits {
				if h.Score < r.least.Value() {
					continue
				}
				region := r.regionOf(b, h)
				b.Text = appendCandidate(b.Text, region)
				if err := best.Add(region); err != nil {
					return err
				}
			}
		}
		_, err := w.Write(b.Text)
		r.pieces.shard.EndPiece()
		return err
	}
	return r.scanner.Run(r.c.Context, source, job)
}

// appendCandidate appends the line of a window.
func appendCandidate(dst []byte, w scan.Region) []byte {
	dst = append(strconv.AppendInt(dst, int64(w.Index), 10), '\t')
	dst = append(append(dst, w.Record...), '\t')
	dst = append(strconv.AppendInt(dst, int64(w.Start), 10), '\t')
	dst = append(strconv.AppendInt(dst, int64(w.End), 10), '\t', byte(w.Strand), '\t')
	return append(strconv.AppendFloat(dst, w.Score, 'g', -1, 64), '\n')
}

// parseCandidate reads the line of a window.
func parseCandidate(line []byte) (w scan.Region, err error) {
	fields := strings.Split(strings.TrimSuffix(string(line), "\n"), "\t")
	if len(fields) != 6 || len(fields[4]) != 1 {
		return w, fmt.Errorf("line %.80q is no window of a shard", line)
	}
	w.Record, w.Strand = fields[1], genome.Strand(fields[4][0])
	var failed [4]error
	w.Index, failed[0] = strconv.Atoi(fields[0])
	w.Start, failed[1] = strconv.Atoi(fields[2])
	w.End, failed[2] = strconv.Atoi(fields[3])
	w.Score, failed[3] = strconv.ParseFloat(fields[5], 64)
	strands := []genome.Strand{genome.Plus, genome.Minus, genome.NoStrand}
	if failed != [4]error{} || w.Index < 0 || w.Start < 0 || w.End < w.Start || math.IsNaN(w.Score) ||
		!slices.Contains(strands, w.Strand) {
		return w, fmt.Errorf("line %.80q is no window of a shard", line)
	}
	return w, nil
}

// Compares reports whether merge has to filter the windows of a run.
func Compares(run shards.Run) bool {
	return run.Get("command") == "scan" && slices.ContainsFunc([]string{"--top", "--suppress", "--merge", "--site"},
		func(name string) bool { return run.Get(name) != "" && run.Get(name) != "false" })
}

// Refine filters the windows of shards, which join writes, and writes what the undivided scan would.
func Refine(c *cli.Call, w io.Writer, join func(io.Writer) error) error {
	r := &scanRun{c: c, least: scan.NewThreshold(math.Inf(-1))}
	var sink scan.Sink
	lines := &lineSplitter{take: func(line []byte) error {
		if sink != nil {
			region, err := parseCandidate(line)
			if err != nil {
				return err
			}
			return sink.Add(region)
		}
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&r.shown); err != nil {
			return fmt.Errorf("line %.80q does not say how windows are written: %w", line, err)
		}
		out, err := r.open(w)
		if err == nil {
			sink = r.sinks(out)
		}
		return err
	}}
	if err := join(lines); err != nil {
		return err
	}
	if sink == nil {
		return fmt.Errorf("the shards do not say how windows are written")
	}
	return sink.End()
}
