package genomic

import (
	"fmt"
	"io"
	"strconv"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/seqio/windows"
)

// report writes every count as class, part, item, count.
func (r *windowRequest) report(w io.Writer, result *windows.Result) error {
	if err := cli.Row(w, "class", "part", "item", "count"); err != nil {
		return err
	}
	for _, class := range []struct {
		label  string
		counts *windows.Counts
	}{{windows.TrueLabel, &result.True}, {windows.DecoyLabel, &result.Decoy}} {
		if err := cli.Row(w, class.label, "all", "found", strconv.Itoa(class.counts.Found)); err != nil {
			return err
		}
		for _, p := range []struct {
			name  string
			tally *windows.Tally
		}{{"train", &class.counts.Train}, {"test", &class.counts.Test}, {"none", &class.counts.Unassigned}} {
			if err := writeTally(w, class.label, p.name, p.tally); err != nil {
				return err
			}
		}
	}
	for _, line := range r.remarks() {
		if err := cli.Row(w, "", "all", line.text, strconv.Itoa(line.count)); err != nil {
			return err
		}
	}
	return nil
}

// writeTally writes the counts of a class in a part that are not 0.
func writeTally(w io.Writer, label, part string, t *windows.Tally) error {
	if t.Written > 0 {
		if err := cli.Row(w, label, part, "written", strconv.Itoa(t.Written)); err != nil {
			return err
		}
	}
	for reason, n := range t.Dropped {
		if n == 0 {
			continue
		}
		if err := cli.Row(w, label, part, "dropped: "+windows.Reason(reason).String(), strconv.Itoa(n)); err != nil {
			return err
		}
	}
	return nil
}

// remark is a number of things of the annotation that gave no site.
type remark struct {
	text  string
	count int
}

// remarks lists what the files of sites have beside sites.
func (r *windowRequest) remarks() []remark {
	all := []remark{
		{"skipped: transcripts or places on sequences that the genome lacks", r.unknown},
		{"skipped: gaps between exons that are too short for an intron", r.skipped.ShortIntrons},
		{"skipped: transcripts whose start is not annotated, only coding parts", r.skipped.Incomplete},
	}
	if a := r.annotation; a != nil {
		all = append(all, remark{"skipped: exons and coding parts without a transcript", a.Orphans},
			remark{"skipped: transcripts without a strand", a.Unstranded},
			remark{"skipped: transcripts with exons on both strands", a.BothStrands})
	}
	var some []remark
	for _, x := range all {
		if x.count > 0 {
			some = append(some, x)
		}
	}
	return some
}

// tell prints on standard error what was written and what was not.
func (r *windowRequest) tell(c *cli.Call, result *windows.Result) {
	for _, x := range r.remarks() {
		c.Say("seqsvm: %s: %d", x.text, x.count)
	}
	text := fmt.Sprintf("%s: windows of %d letters, %d of them before the anchor", r.name,
		r.plan.Upstream+r.plan.Downstream, r.plan.Upstream)
	if r.plan.Motif != "" {
		text += fmt.Sprintf("; to scan for such: --anchor %s --offset %d", r.plan.Motif, r.plan.Upstream)
	}
	c.Say("seqsvm: %s", text)
	tellClass(c, "true sites", &result.True, r.plan.Split.Two())
	tellClass(c, "decoys", &result.Decoy, r.plan.Split.Two())
	for _, t := range []*windows.Tally{&result.Decoy.Train, &result.Decoy.Test} {
		if t.Written < t.Asked {
			c.Warn("%d decoys requested, %d found", t.Asked, t.Written)
		}
	}
}

// tellClass says what became of the places of a class.
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
