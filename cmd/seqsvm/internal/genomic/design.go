package genomic

import (
	"fmt"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/iupac"
	"github.com/seqsvm/seqsvm/model/kmers"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// designOptions are the options of model design.
type designOptions struct {
	input.Model
	input.Reading
	length, changes int
	template        string
	least           bool
	format          string
	output          cli.Output
}

// Design is the command model design.
func Design() cli.Options { return new(designOptions) }

func (o *designOptions) Flags(f *cli.Flags) {
	o.Model.Flags(f)
	o.Reading.Flags(f)
	f.Section("Design")
	f.Int(&o.length, "length", 0, "`N` letters, in place of a file").AtLeast(1)
	f.Int(&o.changes, "changes", 3, "most letters that may differ from a record").AtLeast(0)
	f.String(&o.template, "template", "", "`LETTERS` that every place may have, as NNNTGASTCANNN: IUPAC codes, N or X for any")
	f.Bool(&o.least, "least", "the least score, in place of the greatest")
	f.Format(&o.format, "format: tsv, or json (docs/json.md)", cli.TSV, cli.JSON)
	f.Output(&o.output, "output,o", "`FILE` to write")
}

func (o *designOptions) Run(c *cli.Call) error {
	scorer, m, err := loadKmers(c, &o.Model)
	if err != nil {
		return err
	}
	length := max(o.length, len(o.template))
	if (length > 0) == (len(c.Args) > 0) && o.template == "" || o.length > 0 && (len(c.Args) > 0 || o.template != "") {
		return cli.Usagef("want one of --length N, --template LETTERS or files whose records are changed")
	}
	from := []*seqio.Set{nil}
	if len(c.Args) > 0 {
		r, err := input.ForModel(c, &o.Reading, m)
		if err != nil {
			return err
		}
		records, err := r.Files(c.Args)
		if err != nil {
			return err
		}
		from = records.Sets
	}
	c.Stage("designing")
	designer, err := scorer.NewDesigner(c.Context)
	if err != nil {
		return err
	}
	return o.output.WriteTable(o.format, func(t *cli.Table) {
		t.Header("id", "sequence", "score", "before", "changes")
		for _, set := range from {
			if set == nil {
				t.Err = o.design(c, t, scorer, designer, "design", length, nil)
				continue
			}
			for i := 0; i < set.Len() && t.Err == nil; i++ {
				if err := o.design(c, t, scorer, designer, set.Corpus.Name(i), len(set.Corpus.Seq(i)), set.Corpus.Seq(i)); err != nil {
					t.Err = set.Errorf(i, "%w", err)
				}
			}
		}
	})
}

// design writes the best sequence of a length, or with few changes of another.
func (o *designOptions) design(c *cli.Call, t *cli.Table, s *kmers.Scorer, designer *kmers.Designer, id string,
	length int, from []byte) error {
	if o.template != "" && len(o.template) != length {
		return fmt.Errorf("%d letters, and the template has %d", length, len(o.template))
	}
	goal := kmers.Goal{Least: o.least, From: from, Changes: o.changes}
	for at := range length {
		letters := s.Alphabet().Letters()
		if o.template != "" {
			letters = allowedBy(o.template[at], s.Alphabet())
		}
		goal.Allowed = append(goal.Allowed, letters)
	}
	x, score, err := designer.Best(c.Context, goal)
	if err != nil {
		return err
	}
	if from == nil {
		t.Row(id, string(x), score, nil, nil)
		return nil
	}
	changes := 0
	for at := range x {
		if x[at] != from[at] {
			changes++
		}
	}
	t.Row(id, string(x), score, s.Sum(from), changes)
	return nil
}

// allowedBy returns the letters that a code of a template stands for.
func allowedBy(code byte, a stringkernel.Alphabet) string {
	code = strings.ToUpper(string(code))[0]
	if a.Complementary() {
		bases := iupac.Bases(code)
		if a == stringkernel.RNA {
			bases = strings.ReplaceAll(bases, "T", "U")
		}
		return bases
	}
	if code == 'X' {
		return a.Letters()
	}
	return string(code)
}
