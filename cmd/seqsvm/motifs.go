package main

import (
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/report/motif"
)

// motifsOptions are the options of motifs.
type motifsOptions struct {
	input.Model
	input.Reading
	class      string
	top, kmers int
	format     string
	output     cli.Output
	sites      cli.Output
	pictures   cli.Pictures
}

func motifsCommand() *cli.Command {
	o := new(motifsOptions)
	return &cli.Command{
		Name:  "motifs",
		Usage: "join the strongest k-mers of a model into motifs",
		Example: "seqsvm train --kernel spectrum:k=6,rc testdata/fasta/promoters.fa -o kmers.seqsvm\n" +
			"seqsvm motifs -m kmers.seqsvm --format meme -o motifs.meme testdata/fasta/promoters.fa",
		Operands: "-m MODEL [FILE…]",
		Description: `Joins the k-mers that speak most for a class into motifs, position weight matrices, and
writes them as a table or in the formats of MEME (version 4) and JASPAR. With files, motifs are refined
by their sites in these records: windows that match and that contribute to the decision. A letter of a
site counts by the contribution of the site, the share of a motif is the part of all positive
contributions that is within its sites, and nsites is their number; without files the share is that of
its k-mers in the weights of all that were taken. information is in bits. Kernels: those of k-mers and
substrings, on dna, rna and protein; for wd see poim. docs/motifs.md says how motifs are found.`,
		Flags: func(f *cli.Flags) {
			o.Model.Flags(f)
			f.Section("Motifs")
			f.String(&o.class, "class", "", "`CLASS` that the k-mers speak for").Default("the positive one of two")
			f.Int(&o.top, "top", 10, "most motifs to write, the strongest first").AtLeast(1)
			f.Int(&o.kmers, "kmers", 500, "number of k-mers to join, the strongest first").AtLeast(1)
			o.Reading.Flags(f)
			f.Format(&o.format, "format: tsv, json (docs/json.md), meme or jaspar", cli.TSV, cli.JSON, "meme", "jaspar")
			f.Output(&o.output, "output,o", "`FILE` to write")
			o.pictures.Flags(f, "`FILE` for sequence logos of the motifs")
			f.File(&o.sites, "sites", "`FILE` for a table of the sites in the records, 1-based")
		},
		Run: o.run,
	}
}

func (o *motifsOptions) run(c *cli.Call) error {
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
	if err := o.pictures.Draw(set.Logos()); err != nil {
		return err
	}
	return o.write(set)
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

// motifEntry is a line of motifs --format json.
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
}

func (o *motifsOptions) write(set *motif.Set) error {
	switch o.format {
	case "meme":
		return o.output.Write(set.WriteMEME)
	case "jaspar":
		return o.output.Write(set.WriteJASPAR)
	}
	return o.output.WriteTable(o.format, func(t *cli.Table) {
		t.Header("motif", "consensus", "width", "information", "kmers", "sites", "share")
		for i := range set.Motifs {
			e := entryOf(set, i)
			e.Class = o.class
			if t.JSON() {
				t.Object(e)
				continue
			}
			var sites any
			if e.Sites != nil {
				sites = *e.Sites
			}
			t.Row(e.Motif, e.Consensus, e.Width, e.Information, e.Kmers, sites, e.Share)
		}
	})
}

func entryOf(set *motif.Set, i int) motifEntry {
	m := &set.Motifs[i]
	e := motifEntry{
		Motif: set.Name(i), Consensus: set.Consensus(m), Width: len(m.Matrix), Information: m.Bits(), Kmers: m.Kmers,
		Share: m.Share, Letters: set.Letters(), Matrix: m.Matrix,
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
