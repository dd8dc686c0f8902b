package genomic

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/model/kmers"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/shards"
)

// variantRun reads, scores and writes variants a batch at a time.
type variantRun struct {
	options *variantsOptions
	c       *cli.Call
	in      *genome.VCFReader
	genome  *genome.Renamed
	models  []*variantModel
	scores  []variantScore
	around  int // letters that are looked up on either side
	skipped int // alleles
	misfits genome.Misfits
	leftOut *cli.Table // of alleles without a score; nil if it is not wanted
	size    int64      // bytes of the input, 0 if it is not known
	read    int        // lines
	seen    shards.Input
	sites   []kmers.Site // of the batch, without Alts where no allele is to be scored
	texts   [][]byte     // the lines themselves, if they are kept
	table   *cli.Table   // of Parquet, else nil
	blocks  [variantPiece / variantBlock]bytes.Buffer
}

const (
	variantPiece = 1 << 12 // lines of a piece of a shard
	variantBlock = 64      // lines that one task scores
	variantBytes = 1 << 24 // at which a batch of long lines ends
)

// variantColumns are the columns before the scores.
var variantColumns = []any{"id", "chrom", "pos", "ref", "alt"}

// header gives a table its columns.
func (r *variantRun) header(t *cli.Table) {
	columns := slices.Clone(variantColumns)
	for _, m := range r.models {
		var names []string
		for _, score := range r.scores {
			names = append(names, score.name)
		}
		if m.name != "" {
			columns = append(columns, cli.Columns{Name: m.name, Of: names})
			continue
		}
		for _, name := range names {
			columns = append(columns, name)
		}
	}
	t.Header(columns...)
}

func (r *variantRun) writeAll(w io.Writer) error {
	shard := &r.options.shard
	if shard.Given() {
		shard.Begin(w)
		w = shard
	}
	for first, more := true, true; more; first = false {
		var err error
		if more, err = r.readBatch(); err != nil {
			return err
		}
		if first {
			if err := r.writeHead(w); err != nil {
				return err
			}
			if shard.Given() {
				shard.EndHead(nil)
			}
		}
		if err := r.writeBatch(w); err != nil {
			return err
		}
		if ended := r.read%variantPiece == 0; shard.Given() && more == ended && shard.Has((r.read-1)/variantPiece) {
			shard.EndPiece()
		}
		share := 0.0
		if r.size > 0 {
			share = float64(r.in.BytesRead()) / float64(r.size)
		}
		r.c.Show(share, "%d variants", r.read)
	}
	if shard.Given() { // others may have variants that fit
		return nil
	}
	return r.misfits.Check("variants")
}

// readBatch reads the next batch, which ends with a piece or before, and reports whether there may be more.
func (r *variantRun) readBatch() (more bool, err error) {
	shard := &r.options.shard
	r.sites, r.texts = r.sites[:0], r.texts[:0]
	for held := 0; held < variantBytes; {
		v, err := r.in.Next()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if shard.Given() {
			r.seen.Begin(v.Chrom)
			r.seen.Add(r.in.Text())
		}
		if !shard.Given() || shard.Has(r.read/variantPiece) {
			n := len(r.sites)
			r.sites = slices.Grow(r.sites, 1)[:n+1] // whose memory is used again
			if err := r.look(&r.sites[n], v); err != nil {
				return false, err
			}
			if text := r.in.Text(); r.in.Keep {
				r.texts = append(r.texts, bytes.Clone(text))
				held += len(text)
			}
			const letter = 10 // bytes of what is around: the letters, those with the allele, contributions
			held += 2 * letter * r.around
			for _, a := range v.Alt {
				held += len(v.Ref) + len(a.Text)
			}
		}
		if r.read++; r.read%variantPiece == 0 {
			break
		}
	}
	return true, r.c.Context.Err()
}

// look looks a variant up, and counts and lists the alleles without a score. If it does not fit the genome the site has
// no alleles.
func (r *variantRun) look(site *kmers.Site, v genome.Variant) error {
	err := site.Look(r.genome, v, r.around)
	if err != nil && !errors.As(err, new(*genome.Misfit)) {
		return err
	}
	next := 0
	for i, a := range v.Alt {
		first := next
		for next < len(site.Alts) && site.Alts[next].Of == i {
			next++
		}
		switch {
		case next == first:
			r.skipped++
			r.list(v, a, "REF or ALT is not a sequence of A, C, G and T")
		case err != nil:
			r.list(v, a, err.Error())
		}
	}
	switch {
	case len(site.Alts) == 0:
		return nil
	case err != nil:
		site.Alts = site.Alts[:0]
		err = r.in.Errorf(v.Line, "%w", err)
	}
	return r.misfits.Take(err)
}

// list lists an allele without a score.
func (r *variantRun) list(v genome.Variant, a genome.Allele, reason string) {
	if r.leftOut != nil {
		r.leftOut.Row(v.Line, v.ID, v.Chrom, v.Pos, v.Ref, a.Text, reason)
	}
}

// writeHead writes what is before the variants, once the first of them were read.
func (r *variantRun) writeHead(w io.Writer) error {
	if r.table != nil {
		r.header(r.table)
		r.table.WriteHeader()
		return nil
	}
	if r.options.format != VCF {
		return r.c.WriteTable(w, r.options.format, r.header)
	}
	head, err := r.headVCF(r.in.Header())
	if err == nil {
		_, err = w.Write(head)
	}
	return err
}

// writeBatch scores a batch on all processors and writes it in order.
func (r *variantRun) writeBatch(w io.Writer) error {
	blocks := (len(r.sites) + variantBlock - 1) / variantBlock
	all := make([][]float64, blocks) // scores, for a table
	block := func(b int) (from, to int) { return b * variantBlock, min(len(r.sites), (b+1)*variantBlock) }
	err := parallel.Do(r.c.Context, blocks, func(b int) error {
		from, to := block(b)
		r.blocks[b].Reset()
		sites, scores := r.sites[from:to], r.score(r.sites[from:to])
		if r.table != nil {
			all[b] = scores
			return nil
		}
		if r.options.format == VCF {
			r.appendVCF(&r.blocks[b], sites, r.texts[from:to], scores)
			return nil
		}
		return r.c.WriteTable(&r.blocks[b], r.options.format, func(t *cli.Table) { r.rows(t, sites, scores) })
	})
	for b := 0; b < blocks && err == nil; b++ {
		if r.table != nil {
			from, to := block(b)
			r.rows(r.table, r.sites[from:to], all[b])
			err = r.table.Err
			continue
		}
		_, err = w.Write(r.blocks[b].Bytes())
	}
	return err
}

// score returns the scores of each allele of sites, of each model in turn.
func (r *variantRun) score(sites []kmers.Site) (scores []float64) {
	deltas := make([][]float64, len(r.models))
	for i, m := range r.models {
		deltas[i] = m.scorer.Deltas(nil, sites)
	}
	number := 0 // of the allele
	for i := range sites {
		for _, a := range sites[i].Alts {
			for k, m := range r.models {
				for _, score := range r.scores {
					scores = append(scores, score.of(m, &sites[i], a.Text, deltas[k][number]))
				}
			}
			number++
		}
	}
	return scores
}

// rows writes the rows of alleles, below a header.
func (r *variantRun) rows(t *cli.Table, sites []kmers.Site, scores []float64) {
	if t.JSON() {
		r.header(t)
	}
	each := len(r.models) * len(r.scores)
	for i := range sites {
		v := &sites[i].Variant
		for _, a := range sites[i].Alts {
			if t.JSON() {
				cells := []any{v.ID, v.Chrom, v.Pos, v.Ref, a.Text}
				for of := range slices.Chunk(scores[:each], len(r.scores)) {
					if r.models[0].name != "" {
						cells = append(cells, of)
						continue
					}
					for _, score := range of {
						cells = append(cells, score)
					}
				}
				t.Row(cells...)
			} else {
				t.Text(v.ID)
				t.Text(v.Chrom)
				t.Integer(v.Pos)
				t.Text(v.Ref)
				t.Text(a.Text)
				t.Number(scores[:each]...)
				t.End()
			}
			scores = scores[each:]
		}
	}
}
