package genomic

import (
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/shards"
)

// checkShard finds options that need to see more than a shard has.
func (o *scanOptions) checkShard(c *cli.Call) error {
	if !o.shard.Given() {
		return nil
	}
	if o.format == BigWig {
		return cli.Usagef("--format bigwig cannot be used with --shard: a bigWig file is not made of pieces; write and " +
			"merge bedgraph")
	}
	for _, name := range []string{"fdr", "plot"} {
		if c.Given(name) {
			return cli.Usagef("--%s cannot be used with --shard: it needs the windows of all shards; --min-score can, and "+
				"merge does what --top, --suppress, --merge and --site say", name)
		}
	}
	return nil
}

// compares reports whether windows of different shards are compared, which merge does.
func (s *shown) compares() bool { return s.Top > 0 || s.Suppress > 0 || s.Merge || s.Site != "" }

// scanPieces are the chunks of a genome as pieces of a shard: each window is in one of them.
type scanPieces struct {
	shard  *cli.Shard
	seen   shards.Input
	number int // of the next chunk
}

// write writes all windows, or those of a shard.
func (r *scanRun) write() error {
	o := r.options
	if !o.shard.Given() {
		return o.output.Write(r.writeAll)
	}
	r.pieces = &scanPieces{shard: &o.shard}
	if err := o.output.Write(r.writeAll); err != nil {
		return err
	}
	more := []shards.Value{{Name: "input", Value: r.pieces.seen.String()}}
	if len(r.c.Args) > 1 {
		more = append(more, shards.Value{Name: "files", Value: strings.Join(r.c.Args, " ")})
	}
	return o.shard.End(r.c, r.pieces.number, o.Path, more...)
}

// of passes on those chunks of a source that are the shard's.
func (p *scanPieces) of(source scan.Source, window int) scan.Source {
	return func(visit func(seqio.Chunk) error) error {
		return source(func(chunk seqio.Chunk) error {
			fresh := chunk.Seq
			if chunk.Start == 0 {
				p.seen.Begin(chunk.Record)
			} else {
				fresh = fresh[min(window-1, len(fresh)):]
			}
			p.seen.Add(fresh)
			p.number++
			if !p.shard.Has(p.number - 1) {
				return nil
			}
			return visit(chunk)
		})
	}
}
