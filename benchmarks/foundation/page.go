package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/report/figure"
)

// row writes a row of a Markdown table.
func row(w io.Writer, cells ...string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }

// print writes the results as a table, and one that compares.
func (b *board) print(w io.Writer, results []result) {
	row(w, "task", "setting", "MCC", "AUROC", "accuracy", "CPU s", "MB", "near", "MCC without", "kernel")
	row(w, slices.Repeat([]string{"---"}, 10)...)
	for _, r := range results {
		fmt.Fprintf(w, "| %s | %s | %.3f | %.3f | %.3f | %.1f | %.1f | %d | %.3f | `%s` |\n", r.Task, r.Setting, r.MCC,
			r.AUROC, r.Accuracy, r.CPU, float64(r.Bytes)/1e6, r.Near, r.Apart, r.Kernel)
	}
	heading, costs := []string{"task"}, []string{"CPU s, parameters"}
	for _, m := range slices.Concat(b.settings, b.tuned) {
		heading = append(heading, m+": "+cmp.Or(choices[m], "all weights"))
		time, size := dashed("%.0f", b.figures[key{m, seconds}]), dashed("%.0f M", b.figures[key{m, parameters}]/1e6)
		costs = append(costs, time+", "+size)
	}
	fmt.Fprintln(w)
	row(w, append(heading, "best frozen model of GENEB: weights of a probe")...)
	row(w, slices.Repeat([]string{"---"}, len(heading)+1)...)
	var all []string
	for _, category := range b.categories {
		run := b.known(b.of[category], b.settings)
		for i, id := range run {
			b.compare(w, id, run[i:i+1], id)
		}
		if len(run) > 0 {
			name := fmt.Sprintf("**%s**, %d of %d (frozen: all)", category, len(run), len(b.of[category]))
			b.compare(w, name, run, category)
		}
		all = append(all, run...)
	}
	b.compare(w, "**mean**", all, "")
	row(w, append(costs, "–, 2 M to 7000 M")...)
}

// compare writes means over tasks, and the best frozen model in a task or category.
func (b *board) compare(w io.Writer, name string, ids []string, of string) {
	cells, best := []string{name}, ""
	for _, m := range slices.Concat(b.settings, b.tuned) {
		mean, _ := b.mean(m, ids)
		cells = append(cells, dashed("%.3f", mean))
	}
	for _, m := range b.frozen {
		if b.figures[key{m, of}] > b.figures[key{best, of}] {
			best = m
		}
	}
	row(w, append(cells, dashed("%.3f ", b.figures[key{best, of}])+best)...)
}

// dashed is a figure, or a dash for 0, which stands for one that is not known.
func dashed(format string, x float64) string {
	if x == 0 {
		return "–"
	}
	return fmt.Sprintf(format, x)
}

// picture sets mean MCC against size and time: over the categories that are whole, or if none is, over the tasks that
// others' figures are known of.
func (b *board) picture() figure.Figure {
	what, of := "categories", b.known(b.known(b.categories, b.settings), b.frozen)
	if len(of) == 0 {
		what = "tasks"
		for _, category := range b.categories {
			of = append(of, b.known(b.known(b.of[category], b.settings), slices.Concat(b.frozen, b.tuned))...)
		}
	}
	title := fmt.Sprintf("Mean MCC of %d %s", len(of), what)
	size := figure.Chart{Title: title, XName: "parameters (seqsvm: bytes / 4)", YName: "MCC", LogX: true}
	time := figure.Chart{Title: title, XName: "CPU seconds of training", LogX: true, XRange: [2]float64{1, 1e4}}
	best, least := 0.0, 1.0
	add := func(chart *figure.Chart, name, x string, models ...string) {
		l := figure.Layer{Name: name, Series: len(chart.Layers), Kind: figure.Points}
		for _, m := range models {
			if mean, all := b.mean(m, of); all && b.figures[key{m, x}] > 0 {
				l.X, l.Y = append(l.X, b.figures[key{m, x}]), append(l.Y, mean)
				best, least = max(best, mean+0.01), min(least, mean-0.01)
			}
		}
		chart.Layers = append(chart.Layers, l)
	}
	for _, s := range b.settings {
		add(&size, "seqsvm "+s, parameters, s)
		add(&time, "seqsvm "+s, seconds, s)
	}
	add(&size, "fine-tuned", parameters, b.tuned...)
	add(&size, "GENEB, frozen", parameters, b.frozen...)
	size.YRange, time.YRange = [2]float64{least, best}, [2]float64{least, best}
	return figure.Grid{Panels: []figure.Figure{size, time}}
}
