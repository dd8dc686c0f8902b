package main

import (
	"io"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/genomic"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/model/gkmexplain"
	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/seqio/bigwig"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/matrix"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// basesOf returns the letters that --hypothetical and --mutagenesis put at each position.
func basesOf(a stringkernel.Alphabet) ([]byte, error) {
	switch a {
	case stringkernel.DNA:
		return []byte("ACGT"), nil
	case stringkernel.RNA:
		return []byte("ACGU"), nil
	}
	return nil, cli.Usagef("--hypothetical, --mutagenesis and arrays need a model of DNA or RNA, and this one is of %s", a)
}

// substituted is what letters in place of others do to a record.
type substituted struct {
	x      []byte
	values []float64 // of each position and base, position by position
}

// substituter returns what --hypothetical, --mutagenesis or --method gkmexplain say of a record, and the name of it.
func (o *explainOptions) substituter(e *explanation, bases []byte) (
	name string, values func(x []byte) (values []float64, unknown bool, err error), err error,
) {
	switch {
	case !o.substitutes():
		return "contribution", func(x []byte) ([]float64, bool, error) {
			r, sums := e.explainer.Explain(x), make([]float64, len(bases)*len(x))
			for p, letter := range x {
				if b := slices.Index(bases, letter); b >= 0 {
					sums[p*len(bases)+b] = r.Contributions[p]
				}
			}
			return sums, r.Unknown, nil
		}, nil
	case o.method == ownMethod:
		name = "change"
		if o.hypothetical {
			name = "contribution"
		}
		return name, func(x []byte) ([]float64, bool, error) {
			s := e.explainer.Substitute(x, bases, o.hypothetical)
			return s.Values, s.Unknown, nil
		}, nil
	}
	ctx, mode := e.Reader.Call.Context, gapped.Mode(slices.Index(gapped.Modes, o.mode))
	explainer, err := gkmexplain.New(ctx, e.Model, e.Classifier)
	return o.mode, func(x []byte) ([]float64, bool, error) {
		x, others := gkmexplain.AsRead(x)
		e.others.Add(int64(others))
		class := e.explainer.Class
		if class < 0 {
			class = e.explainer.Decide(x).Class
		}
		values, err := explainer.Explain(ctx, mode, class, x)
		return values, !slices.ContainsFunc(values, func(v float64) bool { return v != 0 }), err
	}, cli.InFile(cli.InputName(o.Path), err)
}

// eachSubstituted replaces the letters of all operands, batch by batch, and calls visit for each record in order.
func (o *explainOptions) eachSubstituted(
	e *explanation, name string, bases []byte, of func(x []byte) ([]float64, bool, error),
	visit func(data *input.Records, i int, r substituted) error,
) error {
	err := e.eachBatch(func(data *input.Records) error {
		return eachOf(e.Reader.Call.Context, e, data.Corpus, func(x []byte) (s substituted, unknown bool, err error) {
			s.x = x
			s.values, unknown, err = of(x)
			return s, unknown, err
		}, func(i int, r substituted) error {
			e.tracks.add(len(r.x), figure.RowLetters, func(n int, more string) figure.Figure {
				return figure.Changes{
					Title: data.Corpus.Name(i), Note: name + " by each base" + more, Letters: slices.Clone(r.x[:n]), Others: bases,
					Values: slices.Clone(r.values[:n*len(bases)]),
				}
			})
			return visit(data, i, r)
		})
	})
	if n := e.others.Load(); n > 0 {
		e.Reader.Call.Warn("letters other than A, C, G and T were read as A, as gkmexplain does: %d", n)
	}
	return err
}

// writeSubstitutions writes a row per position.
func (o *explainOptions) writeSubstitutions(e *explanation, bases []byte, t *cli.Table) error {
	name, of, err := o.substituter(e, bases)
	if err != nil {
		return err
	}
	columns := cli.Columns{Name: name}
	for _, base := range bases {
		columns.Of = append(columns.Of, string(base))
	}
	t.Header(append(e.Names.Columns(), "position", "letter", columns)...)
	return o.eachSubstituted(e, name, bases, of, func(_ *input.Records, _ int, r substituted) error {
		name := e.Names.Next()
		for p, letter := range r.x {
			t.Row(e.Names.Cells(name, p+1, stringkernel.Readable(string(letter)),
				r.values[p*len(bases):(p+1)*len(bases)])...)
		}
		return t.Err
	})
}

// arrays are the values of records of one length, and their bases.
type arrays struct {
	length int
	values [][]float64 // of each record, of shape bases × length
	oneHot [][]float32 // of the same shape
}

// writeArrays writes the values of all records as an array for NumPy, and with --one-hot the bases as another.
func (o *explainOptions) writeArrays(e *explanation, bases []byte) error {
	a := arrays{length: o.center}
	name, of, err := o.substituter(e, bases)
	if err != nil {
		return err
	}
	err = o.eachSubstituted(e, name, bases, of, func(data *input.Records, i int, r substituted) error {
		switch n := len(r.x); {
		case o.center > n:
			return data.Errorf(i, "%d letters, fewer than --center %d", n, o.center)
		case o.center == 0 && len(a.values) > 0 && n != a.length:
			return data.Errorf(i, "%d letters, and the records before it have %d; --center W takes W from the middle",
				n, a.length)
		case o.center == 0:
			a.length = n
		}
		a.add(r, bases, o.oneHot.Given())
		letters := float64(len(bases) * a.length)
		return memory.Check(letters * float64(8*len(a.values)+4*len(a.oneHot)))
	})
	if err != nil {
		return err
	}
	shape := []int{len(a.values), len(bases), a.length}
	err = o.output.Write(func(w io.Writer) error { return matrix.WriteNPZ(w, shape, a.values...) })
	if err != nil {
		return err
	}
	return o.oneHot.Write(func(w io.Writer) error { return matrix.WriteNPZ(w, shape, a.oneHot...) })
}

// add adds the middle of a record.
func (a *arrays) add(r substituted, bases []byte, oneHot bool) {
	start, n := (len(r.x)-a.length)/2, len(bases)*a.length
	if oneHot {
		hot := make([]float32, n)
		for b, base := range bases {
			for p := range a.length {
				if r.x[start+p] == base {
					hot[b*a.length+p] = 1
				}
			}
		}
		a.oneHot = append(a.oneHot, hot)
	}
	values := r.values
	if a.length < len(r.x) {
		values = make([]float64, n) // what is around is not held
	}
	middle := scratch.Borrow(&scratch.Pool, n)
	defer scratch.Pool.Put(middle)
	copy(*middle, r.values[len(bases)*start:])
	for b := range bases {
		for p := range a.length {
			values[b*a.length+p] = (*middle)[p*len(bases)+b]
		}
	}
	a.values = append(a.values, values)
}

// genomeTrack collects the contributions of records that were cut from a genome.
type genomeTrack struct {
	*explanation
	regions []genome.Interval // of the records, in their order; nil: the ids have them
	next    int               // record
	letters int
	track   genome.Track
}

// writeGenome writes the contributions of letters at their positions of the genome.
func (e *explanation) writeGenome(o *explainOptions) error {
	g := &genomeTrack{explanation: e}
	chroms, err := o.browser.Sizes()
	if err == nil && o.regions != "" {
		g.regions, err = genome.ReadBED(nil, o.regions)
	}
	if err != nil {
		return err
	}
	if o.format == genomic.BigWig && chroms == nil {
		return cli.Usagef("--format bigwig needs --sizes FILE: the lengths of the chromosomes")
	}
	if err := g.collect(); err != nil {
		return err
	}
	return o.output.Write(func(w io.Writer) error {
		if o.format == genomic.BigWig {
			return g.writeBigWig(w, chroms)
		}
		return g.writeBedGraph(w, o)
	})
}

// collect explains the operands.
func (g *genomeTrack) collect() error {
	return g.eachBatch(func(data *input.Records) error {
		g.letters += data.Corpus.Letters()
		const point = 32 // bytes, while a list grows
		if err := memory.Check(point * float64(g.letters)); err != nil {
			return err
		}
		i := 0
		return g.eachRecord(g.Reader.Call.Context, data.Corpus, func(r explained) error {
			at, err := g.place(data, i)
			if err != nil {
				return err
			}
			g.track.Add(at.Seq, at.Start, at.Strand, r.Contributions)
			i++
			return nil
		})
	})
}

// place returns where record i of a batch is in the genome.
func (g *genomeTrack) place(data *input.Records, i int) (genome.Interval, error) {
	letters := len(data.Corpus.Seq(i))
	defer func() { g.next++ }()
	if g.regions != nil {
		if g.next >= len(g.regions) {
			return genome.Interval{}, data.Errorf(i, "--regions has %d intervals, and there are more records",
				len(g.regions))
		}
		at := g.regions[g.next]
		if at.Len() != letters {
			return at, data.Errorf(i, "%d letters, and its interval, %s:%d-%d on line %d of --regions, has %d", letters,
				at.Seq, at.Start+1, at.End, at.Line, at.Len())
		}
		return at, nil
	}
	id := data.Corpus.Name(i)
	region, ok := genome.ParseRegion(id)
	if !ok {
		return genome.Interval{}, data.Errorf(i, "the id is no place of a genome such as chr1:100-200(+); "+
			"--regions FILE has the places in BED")
	}
	start, end, ok := region.Bounds(letters)
	if !ok {
		return genome.Interval{}, data.Errorf(i, "%d letters, which is not the length of its place", letters)
	}
	return genome.Interval{Seq: region.Seq, Span: genome.Span{Start: start, End: end}, Strand: region.Strand}, nil
}

func (g *genomeTrack) writeBigWig(w io.Writer, chroms []bigwig.Chromosome) error {
	out, err := genomic.NewBigWig(w, chroms)
	if err != nil {
		return err
	}
	for _, seq := range g.track.Sequences() {
		err := g.track.Each(seq, func(at int, value float64) error { return out.Add(seq, at, at+1, value) })
		if err != nil {
			return err
		}
	}
	return out.Close()
}

func (g *genomeTrack) writeBedGraph(w io.Writer, o *explainOptions) error {
	if _, err := io.WriteString(w, o.browser.TrackLine(o.format)); err != nil {
		return err
	}
	var line []byte
	for _, seq := range g.track.Sequences() {
		err := g.track.Each(seq, func(at int, value float64) error {
			line = genome.AppendBedGraph(line[:0], &genome.Site{
				Record: seq, Start: at, End: at + 1, Value: value, Q: math.NaN(), Digits: g.Reader.Call.Digits(),
			})
			_, err := w.Write(line)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
