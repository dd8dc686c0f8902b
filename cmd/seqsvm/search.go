package main

import (
	"fmt"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// searchOptions are the options of search.
type searchOptions struct {
	pairOptions
	reportOptions
	top int
}

func searchCommand() *cli.Command {
	o := new(searchOptions)
	return &cli.Command{
		Name:     "search",
		Usage:    "find the records of a corpus that are most similar by a kernel",
		Example:  "seqsvm search --kernel spectrum:k=6,rc --top 3 testdata/fasta/promoters.fa",
		Operands: "QUERY CORPUS  or  CORPUS",
		Description: `For each record of QUERY the --top records of CORPUS with the greatest kernel values: id, rank, other
(the id in CORPUS), similarity and, if CORPUS has labels, the label there. Of one file, each record is compared
with all others. Nothing is approximated: the corpus is indexed once, and a query is compared with all of
it in one walk where the kernel has an index, as those of k-mers, substrings, words and trees have.

Values are k(x, y)/√(k(x, x)·k(y, y)), at most 1, or k(x, y) with --no-normalize. Records with the value
0 are not listed: they have nothing in common. Standard error says how many queries found nothing.
Document frequencies, as of words, are those of CORPUS.`,
		Flags: func(f *cli.Flags) {
			o.pairOptions.flags(f)
			f.Section(cli.OfOutput)
			f.Int(&o.top, "top", 10, "number of records for each query").AtLeast(1)
			o.reportOptions.flags(f)
		},
		Run: o.run,
	}
}

func (o *searchOptions) run(c *cli.Call) error {
	spec, r, err := o.open(c, "queries and a corpus, or a corpus alone")
	if err != nil {
		return err
	}
	if kernel, err := spec.Compile(stringkernel.DNA); err == nil && compose.IsApproximated(kernel) {
		return cli.Usagef("kernel %s: rank and fourier make training faster and search slower, want the kernel itself",
			spec)
	}
	all, err := r.Files(c.Args)
	if err != nil {
		return err
	}
	s, err := newSearch(c, &spec, all)
	if err != nil {
		return all.Located(err)
	}
	return o.output.WriteTable(o.format, func(t *cli.Table) { t.Err = s.write(c, t, o.top) })
}

// corpusSearch is queries and the corpus to find their neighbours in.
type corpusSearch struct {
	queries, corpus *seqio.Set
	nearest         *compose.Nearest
	labels          bool
	lost            int // queries that found nothing
}

func newSearch(c *cli.Call, spec *catalog.Spec, all *input.Records) (*corpusSearch, error) {
	s := &corpusSearch{queries: all.Part(0), corpus: all.Part(len(c.Args) - 1)}
	if err := all.CheckMemory("features", 48); err != nil {
		return nil, err
	}
	kernel, err := buildKernel(c, spec, all)
	if err != nil {
		return nil, err
	}
	corpus, err := fitTo(spec, all, s.corpus.Corpus)
	if err != nil {
		return nil, err
	}
	c.Stage("indexing")
	if s.nearest, err = compose.NewNearest(c.Context, kernel, corpus); err != nil {
		return nil, err
	}
	if all.KnownLabels() != nil {
		for i := range s.corpus.Len() {
			s.labels = s.labels || s.corpus.Label(i) != ""
		}
	}
	return s, nil
}

// write finds and writes the neighbours of a few queries at a time.
func (s *corpusSearch) write(c *cli.Call, t *cli.Table, top int) error {
	const together = 1024 // queries
	header := []any{"id", "rank", "other", "similarity"}
	if s.labels {
		header = append(header, "label")
	}
	t.Header(header...)
	c.Stage("comparing")
	n := s.queries.Len()
	for first := 0; first < n; first += together {
		c.Show(float64(first)/float64(n), "%d of %d queries", first, n)
		part := s.queries.Corpus.Slice(first, min(first+together, n))
		itself := -1
		if len(c.Args) == 1 {
			itself = first
		}
		found, err := s.nearest.OfEach(c.Context, part, top, itself)
		if err != nil {
			return err
		}
		for i, neighbours := range found {
			s.rows(t, part, i, neighbours)
		}
	}
	if s.lost > 0 {
		c.Warn("%s no feature in common with any other record, and no rows", queriesHave(s.lost))
	}
	return t.Err
}

func (s *corpusSearch) rows(t *cli.Table, queries *stringkernel.Corpus, i int, found []compose.Neighbour) {
	if len(found) == 0 {
		s.lost++
	}
	for rank, x := range found {
		cells := []any{queries.Name(i), rank + 1, s.corpus.Corpus.Name(x.Record), x.Similarity}
		if s.labels {
			cells = append(cells, s.corpus.Label(x.Record))
		}
		t.Row(cells...)
	}
}

func queriesHave(n int) string {
	if n == 1 {
		return "1 query has"
	}
	return fmt.Sprintf("%d queries have", n)
}
