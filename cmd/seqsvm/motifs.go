package main

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/report"
	"github.com/seqsvm/seqsvm/report/motif"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/wdk/poim"
)

// motifsOptions are the options of model motifs.
type motifsOptions struct {
	input.Model
	input.Reading
	class      string
	top, kmers int
	format     string
	output     cli.Output
	sites      cli.Output
	known      knownMotifs
	pictures   cli.Pictures
}

// knownMotifs is a file of known motifs.
type knownMotifs struct{ path string }

func (o *knownMotifs) flags(f *cli.Flags) {
	f.String(&o.path, "motifs", "", "`FILE` of known motifs (MEME) to name those found by").Reads(&o.path)
}

// read reads the motifs, none without a file.
func (o *knownMotifs) read(a stringkernel.Alphabet) (list []motif.Known, err error) {
	if o.path == "" {
		return nil, nil
	}
	in, err := seqio.OpenText(nil, o.path)
	if err != nil {
		return nil, fmt.Errorf("--motifs: %w", err)
	}
	defer in.Close()
	if list, err = motif.ReadMEME(in, a); err != nil {
		err = cli.InFile("--motifs "+o.path, err)
	}
	return list, err
}

func (o *motifsOptions) Flags(f *cli.Flags) {
	o.Model.Flags(f)
	f.Section("Motifs")
	f.String(&o.class, "class", "", "`CLASS` that the k-mers speak for").Default("the positive one of two")
	f.Int(&o.top, "top", 10, "most motifs to write, the strongest first").AtLeast(1)
	f.Int(&o.kmers, "kmers", 500, "number of k-mers to join, the strongest first").AtLeast(1)
	o.known.flags(f)
	o.Reading.Flags(f)
	f.Format(&o.format, "format: tsv, json (docs/json.md), meme or jaspar", cli.TSV, cli.JSON, "meme", "jaspar")
	f.Output(&o.output, "output,o", "`FILE` to write")
	o.pictures.Flags(f, "`FILE` for sequence logos of the motifs")
	f.File(&o.sites, "sites", "`FILE` for a table of the sites in the records, 1-based")
}

func (o *motifsOptions) Run(c *cli.Call) error {
	if o.sites.Given() && len(c.Args) == 0 {
		return cli.Usagef("--sites without records to find them in")
	}
	set, records, err := o.find(c)
	if err != nil {
		return err
	}
	if err := o.writeSites(set, records); err != nil {
		return err
	}
	known, err := o.known.read(set.Alphabet)
	if err != nil {
		return err
	}
	var matches []motif.Match
	if len(known) > 0 {
		matches = set.Matches(known)
	}
	if err := o.pictures.Draw(set.Logos(matches)); err != nil {
		return err
	}
	return o.write(set, matches)
}

// find reads the model and the records, if there are any, and finds the motifs.
func (o *motifsOptions) find(c *cli.Call) (*motif.Set, *input.Records, error) {
	a, err := input.NewApplication(c, &o.Model, &o.Reading)
	if err != nil {
		return nil, nil, err
	}
	d := motif.Decision{Classifier: a.Classifier, Kernel: a.Model.Kernel, Kmers: o.kmers}
	if d.Class, err = input.ChosenClass(c, o.class, &a.Classifier.Rule); err != nil {
		return nil, nil, err
	}
	o.class = a.Classifier.Classes[d.Class]
	var records *input.Records
	if len(c.Args) > 0 {
		if records, err = a.Reader.Unlabelled(); err != nil {
			return nil, nil, err
		}
		if err := a.Check(records); err != nil {
			return nil, nil, err
		}
		d.Records = records.Corpus
	}
	c.Stage("finding motifs")
	set, err := d.Find(c.Context, motif.Options{Most: o.top})
	if err != nil {
		return nil, nil, cli.InFile(cli.InputName(o.Path), err)
	}
	if len(set.Motifs) == 0 {
		c.Warn("no motif of class %.80s found", o.class)
	}
	return set, records, nil
}

// motifEntry is a line of model motifs --format json.
type motifEntry struct {
	Motif       string      `json:"motif"`
	Class       string      `json:"class"`
	Consensus   string      `json:"consensus"`
	Width       int         `json:"width"`
	Information float64     `json:"information"`
	Kmers       int         `json:"kmers"`
	Sites       *int        `json:"sites"` // null without records
	Share       float64     `json:"share"`
	Letters     string      `json:"letters"`
	Matrix      [][]float64 `json:"matrix"`
	Known       *knownEntry `json:"known,omitempty"` // with --motifs
}

// knownEntry is the best match of a motif.
type knownEntry struct {
	Name        string  `json:"name"`
	Offset      int     `json:"offset"`
	Reverse     bool    `json:"reverse"`
	Correlation float64 `json:"correlation"`
	Q           float64 `json:"q"`
}

func (o *motifsOptions) write(set *motif.Set, matches []motif.Match) error {
	switch o.format {
	case "meme":
		return o.output.Write(set.WriteMEME)
	case "jaspar":
		return o.output.Write(set.WriteJASPAR)
	}
	return o.output.WriteTable(o.format, func(t *cli.Table) {
		columns := []string{"motif", "consensus", "width", "information", "kmers", "sites", "share"}
		if matches != nil {
			columns = append(columns, "known", "correlation", "q")
		}
		t.Header(columns)
		for i := range set.Motifs {
			e := entryOf(set, i)
			e.Class = o.class
			var named []any
			if matches != nil {
				m := matches[i]
				e.Known = &knownEntry{m.Known.Name, m.Offset, m.Reverse, m.Correlation, m.Q}
				named = []any{m.Known.Name, m.Correlation, m.Q}
			}
			if t.JSON() {
				t.Object(e)
				continue
			}
			var sites any
			if e.Sites != nil {
				sites = *e.Sites
			}
			t.Row(e.Motif, e.Consensus, e.Width, e.Information, e.Kmers, sites, e.Share, named)
		}
	})
}

func entryOf(set *motif.Set, i int) motifEntry {
	m := &set.Motifs[i]
	e := motifEntry{
		Motif: set.Name(i), Consensus: set.Consensus(m), Width: len(m.Matrix), Information: m.Bits(), Kmers: m.Kmers,
		Share: m.Share, Letters: set.Alphabet.Letters(), Matrix: m.Matrix,
	}
	if n := len(m.Sites); n > 0 {
		e.Sites = &n
	}
	return e
}

// writeSites writes a row per site.
func (o *motifsOptions) writeSites(set *motif.Set, records *input.Records) error {
	return o.sites.WriteTable(cli.TSV, func(t *cli.Table) {
		t.Header("motif", "id", "start", "end", "strand", "contribution")
		for i, m := range set.Motifs {
			for _, s := range m.Sites {
				strand := "+"
				if s.Reverse {
					strand = "-"
				}
				id, end := records.Corpus.Name(s.Record), s.Start+len(m.Matrix)
				t.Row(set.Name(i), id, s.Start+1, end, strand, s.Contribution)
			}
		}
	})
}

// poimOptions are the options of model poim.
type poimOptions struct {
	input.Model
	length, top int
	maxima      bool
	class       string
	background  string
	reportOptions
	pictures cli.Pictures
}

func (o *poimOptions) Flags(f *cli.Flags) {
	o.Model.Flags(f)
	f.Section("Importance")
	f.Int(&o.length, "kmer", 0, "letters of a k-mer (required)").AtLeast(1)
	f.Int(&o.top, "top", 0, "number of k-mers to write, the most important first").AtLeast(1).Default("all").
		Excludes("maxima")
	f.Bool(&o.maxima, "maxima", "write the greatest importance per length and position instead of all")
	f.String(&o.class, "class", "", "`CLASS` whose score is explained").Default("the positive one of two")
	f.String(&o.background, "background", "", "`FREQUENCIES` of the letters in alphabetical order, "+
		"separated by colons, such as "+
		"0.3:0.2:0.2:0.3").Default("uniform")
	o.reportOptions.flags(f)
	o.pictures.Flags(f, "`FILE` for a picture of the importances by position, length and k-mer")
}

func (o *poimOptions) Run(c *cli.Call) error {
	background, err := o.check(c)
	if err != nil {
		return err
	}
	m, classifier, err := input.LoadModel(c, &o.Model)
	if err != nil {
		return err
	}
	class, err := input.ChosenClass(c, o.class, &classifier.Rule)
	if err != nil {
		return err
	}
	c.Stage("computing importances")
	terms, _ := classifier.Rule.Terms(class)
	q, err := matricesOf(c.Context, m, classifier.Scorer, terms, poim.Options{Length: o.length, Background: background})
	if err != nil {
		return cli.InFile(cli.InputName(o.Path), err)
	}
	if err := o.pictures.Draw(report.Importance(q)); err != nil {
		return err
	}
	return o.output.WriteTable(o.format, func(t *cli.Table) { o.write(c, t, q) })
}

// check checks the options that need no model, and returns the background.
func (o *poimOptions) check(c *cli.Call) (background []float64, err error) {
	switch err := c.NoOperands(); {
	case err != nil:
		return nil, err
	case o.length == 0:
		return nil, cli.Usagef("--kmer is required: the number of letters of the k-mers")
	}
	if o.background == "" {
		return nil, nil
	}
	for _, item := range strings.Split(o.background, ":") {
		f, err := strconv.ParseFloat(item, 64)
		if err != nil || !(f >= 0) || f > 1e100 {
			return nil, cli.Usagef("--background %.80q: frequency %.40q, want a number ≥ 0", o.background, item)
		}
		background = append(background, f)
	}
	return background, nil
}

// positional is a scorer whose scores are sums of weights of k-mers at positions.
type positional interface {
	Weights(m int) iter.Seq[poim.Weight]
}

// matricesOf returns the importances to the signed sum of a model's machines. The kernel must be a single weighted
// degree kernel.
func matricesOf(ctx context.Context, m *model.Model, scorer stringkernel.Scorer, terms []decide.Term,
	opt poim.Options) (*poim.Matrices, error) {
	term := m.Kernel.Terms[0]
	raw := compose.Raw(scorer)
	weights, ok := raw.(positional)
	if !ok {
		return nil, fmt.Errorf("the kernel is %s; importances are those of k-mers at positions: want wd alone, "+
			"without rc and rbf", m.Kernel)
	}
	opt.Alphabet, opt.Window = term.Alphabet(), stringkernel.WindowLength(raw)
	return poim.Compute(ctx, signed(weights, terms), opt)
}

// signed yields the weights of all machines in the sum.
func signed(weights positional, terms []decide.Term) iter.Seq[poim.Weight] {
	return func(yield func(poim.Weight) bool) {
		for _, t := range terms {
			for w := range weights.Weights(t.Machine) {
				w.Value *= t.Sign
				if !yield(w) {
					return
				}
			}
		}
	}
}

func (o *poimOptions) write(c *cli.Call, t *cli.Table, q *poim.Matrices) {
	if o.maxima {
		writeMaxima(t, q)
		return
	}
	k := q.Length()
	t.Header("position", "oligomer", "importance")
	if o.top > 0 {
		for _, i := range q.Strongest(k, o.top) {
			t.Row(i.Position+1, string(q.Word(k, i.Number)), i.Value)
		}
		return
	}
	for position := 0; position <= q.Window()-k && t.Err == nil; position++ {
		for n, value := range q.Row(k, position) {
			t.Row(position+1, string(q.Word(k, n)), value)
		}
		t.Err = cmp.Or(t.Err, c.Context.Err())
	}
}

func writeMaxima(t *cli.Table, q *poim.Matrices) {
	t.Header("length", "position", "oligomer", "importance", "differential")
	for k := 1; k <= q.Length(); k++ {
		differences := q.Differential(k)
		for p, best := range q.Maxima(k) {
			t.Row(k, p+1, string(q.Word(k, best.Number)), best.Value, differences[p])
		}
	}
}
