package input

import (
	"bytes"
	"fmt"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/background"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// drawNegatives returns an input of windows of the genome of --input, one for each positive, as genome negatives draws
// them with its defaults.
func (r Reader) drawNegatives(positives []seqio.Input) (drawn seqio.Input, err error) {
	path, c := r.asked.Genome, r.Call
	r.asked.Genome = "" // of which positives in FASTA have no need
	all, err := r.read(positives)
	if err != nil {
		return drawn, err
	}
	reference, err := genome.Open(path, seqio.CaseKept)
	if err != nil {
		return drawn, err
	}
	defer reference.Close() // it was only read
	var places []genome.Interval
	for _, set := range all.Sets {
		found, misfits, err := background.Locate(set, reference)
		if err != nil {
			return drawn, err
		}
		if misfits.LeftOut() > 0 {
			c.Warn("%s", misfits.Text("positives", path))
		}
		places = append(places, found...)
	}
	c.Stage("drawing negatives")
	atlas, err := background.NewAtlas(c.Context, reference)
	if err != nil {
		return drawn, cli.InFile(path, err)
	}
	matcher := background.Usual
	matcher.Seed = c.Seed
	matches, err := matcher.Match(c.Context, atlas, places, nil)
	if err != nil {
		return drawn, cli.InFile(path, err)
	}
	if len(matches.Windows) == 0 {
		return drawn, fmt.Errorf("%s: no window is like a positive; want --neg FILE", path)
	}
	var b stringkernel.CorpusBuilder
	var letters []byte
	for _, w := range matches.Windows {
		if letters, err = background.AppendWindow(letters[:0], reference, w.Seq, w.Span, w.Strand); err != nil {
			return drawn, cli.InFile(path, err)
		}
		b.Add(background.RegionName(w.Seq, w.Span, w.Strand), letters)
	}
	var text bytes.Buffer
	if err := seqio.WriteFASTA(&text, &seqio.Set{Format: seqio.FASTA, Corpus: b.Corpus()}, 0); err != nil {
		return drawn, err
	}
	c.Say("seqsvm: %d negatives for %d positives: windows of %s of their lengths and shares of G, C and repeats, seed %d; "+
		"--neg FILE gives others", len(matches.Windows), len(places), path, c.Seed)
	return seqio.Input{Path: path + " (drawn)", Reader: &text, Label: Negative}, nil
}
