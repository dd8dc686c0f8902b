package genomic

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/background"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// match is genome negatives --genome.
func (o *negativesOptions) match(c *cli.Call) error {
	if !(o.matcher.Ratio > 0 && o.matcher.Ratio <= background.MaxRatio) {
		return cli.Usagef("--ratio %v, want above 0 and at most %d", o.matcher.Ratio, background.MaxRatio)
	}
	reference, err := genome.Open(o.genome, seqio.CaseKept)
	if err != nil {
		return err
	}
	defer reference.Close() // it was only read
	m := matchRun{context: c, options: o, genome: reference}
	if err := m.run(); err != nil {
		return err
	}
	if err := m.writeAll(); err != nil {
		return err
	}
	m.sayMatch()
	return nil
}

// matchRun holds the input and the result of genome negatives --genome.
type matchRun struct {
	context   *cli.Call
	options   *negativesOptions
	genome    *genome.Genome
	positives []genome.Interval
	exclude   []genome.Interval
	matches   *background.Matches
}

// run reads the positives and finds windows that match them.
func (m *matchRun) run() error {
	if err := m.readPositives(); err != nil {
		return err
	}
	if err := m.readExcluded(); err != nil {
		return err
	}
	file, ctx := m.options.genome, m.context.Context
	m.context.Stage("reading the genome")
	atlas, err := background.NewAtlas(ctx, m.genome)
	if err != nil {
		return cli.InFile(file, err)
	}
	m.context.Stage("searching for windows")
	m.options.matcher.Seed = m.context.Seed
	m.options.matcher.Repeats, m.options.matcher.Tries = m.options.matcher.GC, background.Usual.Tries
	m.options.matcher.Progress = func(done, of int) {
		m.context.Show(float64(done)/float64(of), "%d of %d windows", done, of)
	}
	m.options.matcher.Room = func(room, wanted int) {
		if room < wanted {
			m.context.Note("%s: about %d windows like the positives have room beside each other, and --ratio %v wants %d: "+
				"lower it, or raise --gc-tolerance", file, room, m.options.matcher.Ratio, wanted)
		}
	}
	if m.matches, err = m.options.matcher.Match(ctx, atlas, m.positives, m.exclude); err != nil {
		return cli.InFile(file, err)
	}
	if m.matches.Wanted == 0 {
		return cli.Usagef("--ratio %v of %s is less than one window", m.options.matcher.Ratio,
			plural.Of(len(m.positives), "positive"))
	}
	if len(m.matches.Windows) == 0 {
		return fmt.Errorf("%s: no window found for any of %s: %s", file,
			plural.Of(len(m.positives), "positive"), m.unmatched())
	}
	return nil
}

// readPositives reads a BED or FASTA file, and drops positives that are not within the genome or repeated.
func (m *matchRun) readPositives() error {
	path := m.options.positives
	name := cli.InputName(path)
	in, stop := m.context.Open(path)
	defer stop()
	again := func() io.Reader { return nil } // of a file, which is read twice if it is BED
	if in != nil {
		data, err := io.ReadAll(in)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		again = func() io.Reader { return bytes.NewReader(data) }
	}
	set, err := seqio.Read(again(), name, seqio.Options{})
	var misfits genome.Misfits
	switch {
	case errors.Is(err, seqio.ErrUnknownFormat), errors.Is(err, seqio.ErrNoGenome), isTable(path),
		err == nil && set.Format.Text():
		if m.positives, err = genome.ReadBED(again(), name); err == nil {
			m.positives, misfits, err = genome.Fitting(m.positives, "positives", func(p *genome.Interval) error {
				if err := background.CheckPositive(m.genome, *p); err != nil {
					return &seqio.Error{File: name, Line: p.Line, Err: err}
				}
				return nil
			})
		}
	case err == nil:
		m.positives, misfits, err = background.Locate(set, m.genome)
	}
	if err != nil {
		return err
	}
	if misfits.LeftOut() > 0 {
		m.context.Warn("%s", misfits.Text("positives", m.options.genome))
	}
	m.dropRepeated()
	return nil
}

// isTable reports whether a name is that of a table of text, as a BED file may be named.
func isTable(path string) bool {
	format := seqio.FormatByName(path)
	return format.Text() && format != seqio.Lines
}

// dropRepeated keeps the first of positives with the same place and strand.
func (m *matchRun) dropRepeated() {
	met := make(map[string]bool, len(m.positives))
	all := len(m.positives)
	m.positives = slices.DeleteFunc(m.positives, func(p genome.Interval) bool {
		id := background.RegionName(p.Seq, p.Span, p.Strand)
		repeated := met[id]
		met[id] = true
		return repeated
	})
	if repeated := all - len(m.positives); repeated > 0 {
		m.context.Warn("%d of %d positives repeat the position and strand of an earlier one and are dropped",
			repeated, all)
	}
}

// readExcluded reads the files of --exclude. A file without an interval in the genome is an error: it is of another
// genome.
func (m *matchRun) readExcluded() error {
	for _, path := range m.options.exclude {
		list, err := cli.Read(m.context, path, genome.ReadBED)
		if err != nil {
			return err
		}
		known := false
		for _, x := range list {
			_, found := m.genome.Length(x.Seq)
			known = known || found
		}
		if !known {
			err := fmt.Errorf("no interval is in %s, which has no sequence %.80q", m.options.genome, list[0].Seq)
			return &seqio.Error{File: cli.InputName(path), Line: list[0].Line, Err: err}
		}
		m.exclude = append(m.exclude, list...)
	}
	return nil
}

// writeAll writes the outputs.
func (m *matchRun) writeAll() error {
	m.context.Stage("writing")
	for _, part := range []struct {
		output *cli.Output
		fill   func(w io.Writer) error
	}{
		{&m.options.output, m.writeNegatives}, {&m.options.positivesFASTA, m.writePositives},
		{&m.options.negativesBED, m.writeBED}, {&m.options.report, m.writeReport},
	} {
		if err := part.output.Write(part.fill); err != nil {
			return err
		}
	}
	return nil
}

// sayMatch prints a summary of the report.
func (m *matchRun) sayMatch() {
	positives, negatives := m.matches.Profiles()
	for _, set := range []struct {
		name string
		background.Profile
	}{{"positives", positives}, {"negatives", negatives}} {
		m.context.Say("seqsvm: %d %s: length %s, GC %s, repeats %s (mean ± SD)", set.N, set.name,
			set.Letters.Text(1), set.GC.Text(3), set.Repeats.Text(3))
	}
	if missing := m.matches.Wanted - negatives.N; missing > 0 {
		m.context.Warn("%d of %d windows were not found: %s", missing, m.matches.Wanted, m.unmatched())
	}
}

// unmatched lists the reasons why windows were not found.
func (m *matchRun) unmatched() string {
	var parts []string
	for reason, n := range m.matches.Unmatched {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", background.Reason(reason), n))
		}
	}
	return strings.Join(parts, ", ")
}

// label returns the name of a positive, or its position.
func (m *matchRun) label(i int) string {
	p := m.positives[i]
	if p.Name != "" {
		return p.Name
	}
	return background.RegionName(p.Seq, p.Span, p.Strand)
}

func (m *matchRun) writeNegatives(w io.Writer) error {
	f := fastaWriter{out: w, label: input.Negative}
	for _, n := range m.matches.Windows {
		description := fmt.Sprintf("positive=%s gc=%.4f repeats=%.4f", m.label(n.Positive), n.Composition.GCShare(),
			n.Composition.RepeatShare())
		if err := m.add(&f, n.Seq, n.Span, n.Strand, description); err != nil {
			return err
		}
	}
	return f.flush()
}

func (m *matchRun) writePositives(w io.Writer) error {
	f := fastaWriter{out: w, label: input.Positive}
	for i, p := range m.positives {
		if err := m.add(&f, p.Seq, p.Span, p.Strand, "name="+m.label(i)); err != nil {
			return err
		}
	}
	return f.flush()
}

// add writes a piece of the genome.
func (m *matchRun) add(f *fastaWriter, seq string, piece genome.Span, strand genome.Strand, description string) error {
	letters, err := background.AppendWindow(nil, m.genome, seq, piece, strand)
	if err != nil {
		return err
	}
	if err := f.add(background.RegionName(seq, piece, strand), letters, strings.TrimSpace(description)); err != nil {
		return err
	}
	return m.context.Context.Err()
}

// writeBED writes the windows in six columns; the score is always 0.
func (m *matchRun) writeBED(w io.Writer) error {
	t := cli.NewTable(w)
	for _, n := range m.matches.Windows {
		t.Row(n.Seq, n.Start, n.End, m.label(n.Positive), "0", n.Strand.String())
	}
	return t.Err
}

// fastaWriter writes sequences of one label as FASTA, in batches.
type fastaWriter struct {
	out                  io.Writer
	label                string
	builder              stringkernel.CorpusBuilder
	descriptions, labels []string
	size                 int // letters
}

func (f *fastaWriter) add(id string, letters []byte, description string) error {
	f.builder.Add(id, letters)
	f.descriptions, f.labels = append(f.descriptions, description), append(f.labels, f.label)
	if f.size += len(letters); f.size < batchLetters {
		return nil
	}
	return f.flush()
}

// flush writes the batch.
func (f *fastaWriter) flush() error {
	set := &seqio.Set{
		Format: seqio.FASTA, Corpus: f.builder.Corpus(), Descriptions: f.descriptions, Labels: f.labels,
	}
	f.descriptions, f.labels, f.size = nil, nil, 0
	return seqio.WriteFASTA(f.out, set, 0)
}

// matchReport is the report of genome negatives --format json.
type matchReport struct {
	Positives matchProfile   `json:"positives"`
	Negatives matchProfile   `json:"negatives"`
	Wanted    int            `json:"wanted"`    // negatives
	Unmatched map[string]int `json:"unmatched"` // negatives that were not found, by reason
}

// matchProfile is the composition of windows. A mean of no values and a deviation of fewer than two are null.
type matchProfile struct {
	Windows     int           `json:"windows"`
	LengthMean  metrics.Float `json:"length_mean"`
	LengthSD    metrics.Float `json:"length_sd"`
	GCMean      metrics.Float `json:"gc_mean"`
	GCSD        metrics.Float `json:"gc_sd"`
	RepeatsMean metrics.Float `json:"repeats_mean"`
	RepeatsSD   metrics.Float `json:"repeats_sd"`
}

// writeReport writes how well the windows match the positives.
func (m *matchRun) writeReport(w io.Writer) error {
	if m.options.format != cli.JSON {
		return m.matches.WriteReport(w)
	}
	positives, negatives := m.matches.Profiles()
	report := matchReport{profileOf(positives), profileOf(negatives), m.matches.Wanted, map[string]int{}}
	for reason, n := range m.matches.Unmatched {
		report.Unmatched[background.Reason(reason).String()] = n
	}
	return cli.WriteJSON(w, report)
}

func profileOf(p background.Profile) matchProfile {
	f := func(x float64) metrics.Float { return metrics.Float(x) }
	return matchProfile{
		p.N, f(p.Letters.Mean), f(p.Letters.SD), f(p.GC.Mean), f(p.GC.SD), f(p.Repeats.Mean), f(p.Repeats.SD),
	}
}
