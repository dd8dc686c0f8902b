package classify

// OneVsRest is the scheme with a machine per class against all others: k machines on all records.
const OneVsRest = "one-vs-rest"

type oneVsRest struct{ perClass }

func (s oneVsRest) plan(t Trainer, p *plan, d *Dataset, rows []int) {
	y, counts := d.classesOf(rows)
	p.jobs = s.jobs(t, rows, y, counts)
}

func (oneVsRest) jobs(t Trainer, index, y, counts []int) []job {
	jobs := make([]job, len(counts))
	for c := range jobs {
		jobs[c] = t.job(Binary{Positive: c, Negative: Rest}, index, y, counts)
	}
	return jobs
}

func (oneVsRest) probabilities(r *Rule, decisions []float64) []float64 {
	out, sum := make([]float64, len(r.Classes)), 0.0
	for c := range out {
		out[c] = r.Machines[c].Sigmoid.Probability(decisions[c])
		sum += out[c]
	}
	for c := range out {
		if sum > 0 {
			out[c] /= sum
		} else {
			out[c] = 1 / float64(len(out))
		}
	}
	return out
}
