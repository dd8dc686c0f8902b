package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk"
	"github.com/seqsvm/seqsvm/wdk/poim"
)

func poimCommand() *cli.Command {
	return &cli.Command{
		Name:      "poim",
		Usage:     "importance of every word at every position to a weighted degree model (POIM)",
		ArgsUsage: "-m MODEL --length K",
		Description: "Writes position, oligomer and importance of all words of K letters, by position and word, or the --top of them by absolute value. Positions are those of\n" +
			"first letters, from 1. The importance is what the word at the position adds to the expected raw score (predict --raw) of a random window, whose\n" +
			"letters are independent. With --maxima: for each length 1 to K and position the word of the greatest absolute importance, and the\n" +
			"differential importance: by how much it exceeds the words of a letter less within, which tells how long a motif is.",
		Flags: join([]cli.Flag{
			modelFlag(),
			&cli.IntFlag{Name: "length", Usage: "letters of a word (required)"},
			&cli.IntFlag{Name: "top", Usage: "how many words to write, the most important first; 0 for all"},
			&cli.BoolFlag{Name: "maxima", Usage: "the greatest importance per length and position in place of all"},
			&cli.StringFlag{Name: "class", Usage: "`CLASS` to whose score words matter; by default the positive one of two"},
			&cli.StringFlag{Name: "background", Usage: "`FREQUENCIES` of the letters in alphabetical order with colons between, for example 0.3:0.2:0.2:0.3; uniform by default"},
			outputFlag("`FILE` to write, standard output by default"),
		}, sharedFlags()),
		Action: importances,
	}
}

func importances(c *cli.Context) error {
	background, err := checkPOIM(c)
	if err != nil {
		return err
	}
	out, err := openOutputs(c, "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	path := c.String("model")
	m, classifier, err := loadModel(c, path)
	if err != nil {
		return err
	}
	class, err := chosenClass(c, &classifier.Rule)
	if err != nil {
		return err
	}
	terms, _ := classifier.Rule.Terms(class)
	q, err := matricesOf(c.Context, m, classifier.Scorer, terms, poim.Options{Length: c.Int("length"), Background: background})
	if err != nil {
		return inFile(inputName(path), err)
	}
	if err := out.write("output", func(w io.Writer) error { return writeImportances(c, w, q) }); err != nil {
		return err
	}
	return out.commit()
}

// checkPOIM checks the options that no model is needed for, and returns the background.
func checkPOIM(c *cli.Context) (background []float64, err error) {
	switch {
	case c.NArg() > 0:
		return nil, usagef("operand %q, want none", c.Args().First())
	case c.String("model") == "":
		return nil, usagef("no --model, want a file that train wrote")
	case !c.IsSet("length"):
		return nil, usagef("no --length, want the number of letters of the words")
	case c.Int("length") < 1:
		return nil, usagef("--length %d, want 1 or more", c.Int("length"))
	case c.Int("top") < 0:
		return nil, usagef("--top %d, want 0 (all) or more", c.Int("top"))
	case c.IsSet("top") && c.Bool("maxima"):
		return nil, usagef("--top beside --maxima, want one or the other")
	}
	text := c.String("background")
	if text == "" {
		return nil, nil
	}
	for _, item := range strings.Split(text, ":") {
		f, err := strconv.ParseFloat(item, 64)
		if err != nil || !(f >= 0) || f > 1e100 {
			return nil, usagef("--background %.80q: frequency %.40q, want a number ≥ 0", text, item)
		}
		background = append(background, f)
	}
	return background, nil
}

// positional is a scorer whose scores are sums of weights of words at positions.
type positional interface {
	WindowLength() int
	Weights(m int) iter.Seq[poim.Weight]
}

// matricesOf returns the importances to the signed sum of a model's machines. The kernel must be a single weighted degree kernel.
func matricesOf(ctx context.Context, m *model.Model, scorer stringkernel.Scorer, terms []classify.Term, opt poim.Options) (*poim.Matrices, error) {
	term := m.Kernel.Terms[0]
	if _, ok := term.Kernel.(wdk.Kernel); !ok || len(m.Kernel.Terms) > 1 || term.RC || term.RBF != 0 {
		return nil, fmt.Errorf("the kernel is %s; importances are those of words at positions: want wd alone, without rc and rbf", kernelText(m.Kernel.Terms))
	}
	weights, ok := stringkernel.Raw(scorer).(positional)
	if !ok {
		return nil, fmt.Errorf("the scorer of %s does not tell its weights", kernelText(m.Kernel.Terms)) // none of this version
	}
	opt.Alphabet, opt.Window = term.Alphabet(), weights.WindowLength()
	return poim.Compute(ctx, signed(weights, terms), opt)
}

// signed yields the weights of all machines in the sum.
func signed(weights positional, terms []classify.Term) iter.Seq[poim.Weight] {
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

func writeImportances(c *cli.Context, w io.Writer, q *poim.Matrices) error {
	if c.Bool("maxima") {
		return writeMaxima(w, q)
	}
	if err := row(w, "position", "oligomer", "importance"); err != nil {
		return err
	}
	if top := c.Int("top"); top > 0 {
		for _, i := range q.Strongest(q.Length(), top) {
			if err := writeImportance(w, q, i); err != nil {
				return err
			}
		}
		return nil
	}
	for position := range q.Window() - q.Length() + 1 {
		if err := c.Context.Err(); err != nil {
			return err
		}
		for n, value := range q.Row(q.Length(), position) {
			if err := writeImportance(w, q, poim.Importance{Position: position, Number: n, Value: value}); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeImportance(w io.Writer, q *poim.Matrices, i poim.Importance) error {
	return row(w, strconv.Itoa(i.Position+1), string(q.Word(q.Length(), i.Number)), number(i.Value))
}

func writeMaxima(w io.Writer, q *poim.Matrices) error {
	if err := row(w, "length", "position", "oligomer", "importance", "differential"); err != nil {
		return err
	}
	for k := 1; k <= q.Length(); k++ {
		differences := q.Differential(k)
		for p, best := range q.Maxima(k) {
			err := row(w, strconv.Itoa(k), strconv.Itoa(p+1), string(q.Word(k, best.Number)), number(best.Value), number(differences[p]))
			if err != nil {
				return err
			}
		}
	}
	return nil
}
