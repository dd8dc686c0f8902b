package genomic

import (
	"sync/atomic"
	"time"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/seqio"
)

// scanProgress shows how many bases of a pass have been scanned, and how fast.
type scanProgress struct {
	call  *cli.Call
	size  int64 // bytes of the operands, 0 if it is not known
	read  atomic.Int64
	bases int
	start time.Time
}

// begin begins a pass.
func (p *scanProgress) begin(stage string) {
	p.call.Stage(stage)
	p.bases, p.start = 0, time.Now()
	p.read.Store(0)
}

// add counts letters.
func (p *scanProgress) add(bases int) {
	p.bases += bases
	share := 0.0
	if p.size > 0 {
		share = float64(p.read.Load()) / float64(p.size)
	}
	millions := float64(p.bases) / 1e6
	p.call.Show(share, "%.1f million bases, %.2f million bases/s", millions, millions/time.Since(p.start).Seconds())
}

// account counts the records and bases of a batch.
func (r *scanRun) account(b *scan.Batch) {
	r.progress.add(b.Bases)
	if b.Last {
		r.records++
	}
	if b.Short {
		r.short++
	}
}

// take keeps the first letters, to check whether they are in the kernel's alphabet.
func (r *scanRun) take(x []byte) {
	const enough = 1 << 20
	if r.sampled < enough {
		r.sample.Add("", x)
		r.sampled += len(x)
	}
}

// remark warns of sequences that look wrong.
func (r *scanRun) remark() {
	a := r.scanner.Alphabet
	if r.foreign > 0 {
		input.NoteForeign(r.c, a)
	}
	input.WarnShareOutside(r.c, seqio.ShareOutside(r.sample.Corpus(), a), r.c.OperandNames(), a)
	if r.short > 0 {
		r.c.Warn("%d of %d records are shorter than the window of %d letters, and have none", r.short, r.records,
			r.scanner.Window)
	}
}
