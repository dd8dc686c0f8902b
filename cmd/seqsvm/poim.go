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
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/wdk/poim"
)

// poimOptions are the options of poim.
type poimOptions struct {
	input.Model
	length, top int
	maxima      bool
	class       string
	background  string
	reportOptions
	pictures cli.Pictures
}

func poimCommand() *cli.Command {
	o := new(poimOptions)
	return &cli.Command{
		Name:  "poim",
		Usage: "importance of every k-mer at every position to a weighted degree model (POIM)",
		Example: "seqsvm train --kernel wd:d=5 testdata/fasta/promoters.fa -o positions.seqsvm\n" +
			"seqsvm poim -m positions.seqsvm --kmer 3 --top 10",
		Operands: "-m MODEL --kmer K",
		Description: `Writes position, oligomer and importance of all k-mers of K letters, by position and k-mer, or the
--top of them by absolute value. Positions are those of first letters, 1-based. The importance is what
the k-mer at the position adds to the expected raw score (predict --raw) of a random window with
independent letters. With --maxima: for each length 1 to K and position the k-mer with the greatest
absolute importance, and the differential importance: by how much it exceeds the k-mers contained in it
that are one letter shorter, which shows how long a motif is.`,
		Flags: func(f *cli.Flags) {
			o.Model.Flags(f)
			f.Section("Importance")
			f.Int(&o.length, "kmer", 0, "letters of a k-mer (required)").AtLeast(1)
			f.Int(&o.top, "top", 0, "number of k-mers to write, the most important first").AtLeast(1).Default("all")
			f.Bool(&o.maxima, "maxima", "write the greatest importance per length and position instead of all")
			f.String(&o.class, "class", "", "`CLASS` whose score is explained").Default("the positive one of two")
			f.String(&o.background, "background", "", "`FREQUENCIES` of the letters in alphabetical order, "+
				"separated by colons, such as "+
				"0.3:0.2:0.2:0.3").Default("uniform")
			o.reportOptions.flags(f)
			o.pictures.Flags(f, "`FILE` for a picture of the importances by position, length and k-mer")
		},
		Run: o.run,
	}
}

func (o *poimOptions) run(c *cli.Call) error {
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
	q, err := matricesOf(c.Context, m, classifier.Scorer, terms,
		poim.Options{Length: o.length, Background: background})
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
	case c.Given("top") && o.maxima:
		return nil, cli.Usagef("--top cannot be used with --maxima")
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
