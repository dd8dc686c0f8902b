package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/seqio/atomicfile"
)

// write writes the tables and, if there are published figures, the picture.
func write(prefix string, results []result) error {
	if err := writeFile(prefix+".tsv", tsv(results)); err != nil {
		return err
	}
	if err := writeFile(prefix+".md", markdown(results)); err != nil {
		return err
	}
	c := newComparison(results)
	if c.tasks == 0 {
		return nil
	}
	var svg bytes.Buffer
	if err := figure.Write(&svg, "svg", figure.Light, c.chart()); err != nil {
		return err
	}
	return writeFile(prefix+".svg", svg.String())
}

func writeFile(path, text string) error {
	return atomicfile.WriteTo(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

func tsv(results []result) string {
	var t strings.Builder
	t.WriteString("task\tsetting\tkernel\tn\tmcc\tauroc\taccuracy\tf1\tcpu_seconds\tmegabytes\tmodel_bytes\t" +
		"near\tmcc_distant")
	for _, m := range models {
		t.WriteString("\t" + m.name)
	}
	t.WriteByte('\n')
	for _, r := range results {
		fmt.Fprintf(&t, "%s\t%s\t%s\t%d\t%.4f\t%.4f\t%.4f\t%.4f\t%.1f\t%d\t%d\t%d\t%.4f", r.task.name, r.setting, r.kernel,
			r.n, r.MCC, r.AUROC, r.Accuracy, r.f1(), r.seconds, r.memory>>20, r.size, r.near, r.distant.MCC)
		for _, v := range published[r.task.name] {
			t.WriteString("\t" + figureOr(v, "NA"))
		}
		t.WriteByte('\n')
	}
	return t.String()
}

// figureOr returns a figure, or what stands for none.
func figureOr(v float64, none string) string {
	if v == 0 {
		return none
	}
	return fmt.Sprintf("%.3f", v)
}

// markdown has a row per task, the best figure of each in bold, and the means.
func markdown(results []result) string {
	var t strings.Builder
	t.WriteString("| task | MCC | AUROC | accuracy | F1 | CPU s | MB | model KB | near, MCC of the others |")
	rule := "|---|---|---|---|---|---|---|---|---|"
	for _, m := range models {
		t.WriteString(" " + m.name + " |")
		rule += "---|"
	}
	t.WriteString("\n" + rule + "\n")
	mean, seconds := 0.0, 0.0
	for _, r := range results {
		best := r.MCC
		for _, v := range published[r.task.name] {
			best = max(best, v)
		}
		fmt.Fprintf(&t, "| %s | %s | %.3f | %.3f | %.3f | %.1f | %d | %d | %d, %.3f |", r.task.name, bold(r.MCC, best),
			r.AUROC, r.Accuracy, r.f1(), r.seconds, r.memory>>20, r.size>>10, r.near, r.distant.MCC)
		for _, v := range published[r.task.name] {
			t.WriteString(" " + bold(v, best) + " |")
		}
		t.WriteByte('\n')
		mean += r.MCC / float64(len(results))
		seconds += r.seconds
	}
	fmt.Fprintf(&t, "| mean, sum | %.3f | | | | %.0f | | | |", mean, seconds)
	for _, v := range newComparison(results).published {
		t.WriteString(" " + figureOr(v, "") + " |")
	}
	t.WriteString("\n\n")
	for _, r := range results {
		fmt.Fprintf(&t, "* %s: %s\n", r.task.name, r.kernel)
	}
	t.WriteByte('\n')
	for _, m := range models {
		fmt.Fprintf(&t, "* %s: %s\n", m.name, m.source)
	}
	return t.String()
}

func bold(v, best float64) string {
	text := figureOr(v, "")
	if v == best {
		return "**" + text + "**"
	}
	return text
}

// comparison is the picture: the mean MCC of the tasks that all of the models with a known size have, against the
// number of parameters; those of seqsvm are the numbers in its model.
type comparison struct {
	tasks     int
	own       float64
	size      float64 // mean of the models' bytes over 8
	seconds   float64
	published [nModels]float64 // means over all tasks, 0 where one is missing
}

func newComparison(results []result) comparison {
	c := comparison{}
	missing := [nModels]bool{}
	for _, r := range results {
		figures, known := published[r.task.name]
		if !known {
			continue
		}
		c.tasks++
		c.own += r.MCC
		c.size += float64(r.size) / 8
		c.seconds += r.seconds
		for m, v := range figures {
			c.published[m] += v
			missing[m] = missing[m] || v == 0
		}
	}
	for m := range c.published {
		if c.published[m] /= float64(c.tasks); missing[m] || c.tasks < len(results) {
			c.published[m] = 0
		}
	}
	c.own, c.size = c.own/float64(c.tasks), c.size/float64(c.tasks)
	return c
}

// chart returns the picture.
func (c comparison) chart() figure.Chart {
	chart := figure.Chart{
		Title: fmt.Sprintf("Mean MCC of %d tasks", c.tasks), XName: "numbers in the model", YName: "MCC", LogX: true,
		Wide: true,
	}
	add := func(name string, size, mcc float64) {
		chart.Layers = append(chart.Layers, figure.Layer{
			Name: name, Series: len(chart.Layers), X: []float64{size}, Y: []float64{mcc}, Kind: figure.Marked,
		})
	}
	add(fmt.Sprintf("seqsvm, %.0f s of CPU", c.seconds), c.size, c.own)
	for m, of := range models {
		if of.parameters > 0 && c.published[m] > 0 {
			add(of.name, of.parameters, c.published[m])
		}
	}
	return chart
}
