package genomic

import (
	"fmt"
	"os"
	"time"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/seqio"
)

// scanProgress shows how many bases have been scanned, and how fast, on a terminal.
type scanProgress struct {
	file        *os.File // nil if nobody looks
	what        string
	bases       int
	start, last time.Time
}

func newScanProgress(c *cli.Call) *scanProgress {
	return &scanProgress{file: c.Terminal()}
}

// begin begins a pass.
func (p *scanProgress) begin(what string) {
	p.what, p.bases, p.start, p.last = what, 0, time.Now(), time.Time{}
}

// add counts letters that are done.
func (p *scanProgress) add(bases int) {
	p.bases += bases
	if p.file == nil {
		return
	}
	if now := time.Now(); now.Sub(p.last) > 100*time.Millisecond {
		p.last = now
		fmt.Fprintf(p.file, "\r\x1b[K%s: %.1f million bases, %.2f million bases/s", p.what, float64(p.bases)/1e6,
			float64(p.bases)/1e6/now.Sub(p.start).Seconds())
	}
}

// clear wipes the line.
func (p *scanProgress) clear() {
	if p.file != nil {
		fmt.Fprint(p.file, "\r\x1b[K")
	}
}

// account counts what a batch holds.
func (r *scanRun) account(b *scan.Batch) {
	r.progress.add(b.Bases)
	if b.Last {
		r.records++
	}
	if b.Short {
		r.short++
	}
}

// take keeps the first letters, to check whether they are of the kernel's alphabet.
func (r *scanRun) take(x []byte) {
	const enough = 1 << 20
	if r.sampled < enough {
		r.sample.Add("", x)
		r.sampled += len(x)
	}
}

// remark says what the user should know when all went well.
func (r *scanRun) remark() {
	a := r.scanner.Alphabet
	input.WarnShareOutside(r.c, seqio.ShareOutside(r.sample.Corpus(), a), r.c.OperandNames(), a)
	if r.short > 0 {
		r.c.Warn("%d of %d records are shorter than the window of %d letters, and have none", r.short, r.records,
			r.scanner.Window)
	}
}
