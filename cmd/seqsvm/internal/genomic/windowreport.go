package genomic

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/windows"
)

// report writes every count as class, part, item, count.
func (r *windowRequest) report(t *cli.Table, result *windows.Result) {
	t.Header("class", "part", "item", "count")
	for _, class := range []struct {
		label  string
		counts *windows.Counts
	}{{windows.TrueLabel, &result.True}, {windows.DecoyLabel, &result.Decoy}} {
		t.Row(class.label, "all", "found", class.counts.Found)
		for _, part := range []struct {
			name  string
			tally *windows.Tally
		}{{"train", &class.counts.Train}, {"test", &class.counts.Test}, {"none", &class.counts.Unassigned}} {
			if n := part.tally.Written; n > 0 {
				t.Row(class.label, part.name, "written", n)
			}
			for reason, n := range part.tally.Dropped {
				if n > 0 {
					t.Row(class.label, part.name, "dropped: "+windows.Reason(reason).String(), n)
				}
			}
		}
	}
	for _, line := range r.remarks() {
		t.Row("", "all", line.text, line.count)
	}
}

// remark is a number of parts of the annotation that gave no site.
type remark struct {
	text  string
	count int
}

// remarks lists what was skipped in the files of sites.
func (r *windowRequest) remarks() []remark {
	all := []remark{
		{"skipped: transcripts or places on sequences that the genome lacks",
			r.misfits.Counts[genome.UnknownSequence]},
		{"skipped: transcripts or places beyond the end of their sequence", r.misfits.Counts[genome.BeyondEnd]},
		{"skipped: places without letters", r.misfits.Counts[genome.WithoutLetters]},
		{"skipped: gaps between exons that are too short for an intron", r.skipped.ShortIntrons},
		{"skipped: transcripts whose start is not annotated, only coding parts", r.skipped.Incomplete},
	}
	if a := r.annotation; a != nil {
		all = append(all, remark{"skipped: exons and coding parts without a transcript", a.Orphans},
			remark{"skipped: transcripts without a strand", a.Unstranded},
			remark{"skipped: transcripts with exons on both strands", a.BothStrands})
	}
	return slices.DeleteFunc(all, func(x remark) bool { return x.count == 0 })
}

// tell prints on standard error what was written and what was not.
func (r *windowRequest) tell(c *cli.Call, result *windows.Result) {
	for _, x := range r.remarks() {
		c.Say("seqsvm: %s: %d", x.text, x.count)
	}
	text := fmt.Sprintf("%s: windows of %d letters, %d of them before the anchor", cmp.Or(r.options.site, "site"),
		r.plan.Upstream+r.plan.Downstream, r.plan.Upstream)
	if r.plan.Motif != "" {
		text += fmt.Sprintf("; to scan for such: --anchor %s --offset %d", r.plan.Motif, r.plan.Upstream)
	}
	c.Say("seqsvm: %s", text)
	tellClass(c, "true sites", &result.True, r.plan.Split.Two())
	tellClass(c, "decoys", &result.Decoy, r.plan.Split.Two())
	if r.misfits.LeftOut() > r.misfits.Counts[genome.UnknownSequence] { // more than --unknown skip asks for
		c.Warn("%s", r.misfits.Text("transcripts or places", r.options.genome))
	}
	for _, t := range []*windows.Tally{&result.Decoy.Train, &result.Decoy.Test} {
		if t.Written < t.Asked {
			c.Warn("%d decoys requested, %d found", t.Asked, t.Written)
		}
	}
}

// tellClass prints the counts of a class.
func tellClass(c *cli.Call, name string, counts *windows.Counts, split bool) {
	text := strconv.Itoa(counts.Train.Written) + " written"
	if split {
		text = fmt.Sprintf("%d for training, %d for testing", counts.Train.Written, counts.Test.Written)
	}
	if dropped := counts.Explain(); dropped != "" {
		text += "; dropped: " + dropped
	}
	c.Say("seqsvm: %s: %d found, %s", name, counts.Found, text)
}
