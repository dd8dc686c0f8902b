package classify

import (
	"cmp"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/subset"
)

type hierarchy struct{ perClass }

func (hierarchy) check(t Trainer) error {
	_, perNode := learners[t.multiclass()].(nodeLearner)
	return cmp.Or(
		svm.CheckOption(perNode, "Multiclass", t.Multiclass, "%s or %s in a hierarchy", decide.OneVsRest, decide.CrammerSinger),
		svm.CheckOption(!t.Probability, "Probability", true, "false in a hierarchy"))
}

// plan lists the jobs of each node on the records below it.
func (hierarchy) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	for _, n := range p.rule.Nodes() {
		var index, y []int
		counts := make([]int, n.Children())
		subset.Each(d.Len(), rows, func(i int) {
			if k := n.Of(d.Y[i]); k >= 0 {
				index, y = append(index, i), append(y, k)
				counts[k]++
			}
		})
		if n.Children() == 2 {
			p.jobs = append(p.jobs, t.job(decide.Binary{Positive: 1, Negative: 0}, index, y, counts))
		} else {
			p.jobs = append(p.jobs, learners[t.multiclass()].(nodeLearner).jobs(t, index, y, counts)...)
		}
	}
}
