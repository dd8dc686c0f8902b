package main

import (
	"cmp"
	_ "embed"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// geneb has the tasks of GENEB (2026, github.com/darlednik/GENEB): category, what ids begin with, and how they go on,
// with other names of a task after "=".
//
//go:embed geneb.txt
var geneb string

// published has MCC of models that were fine-tuned on tasks of GUE, as papers and later comparisons quote them.
//
//go:embed published.tsv
var published string

// board has the figures of all models, settings of seqsvm among them.
type board struct {
	categories              []string
	of                      map[string][]string // ids of the tasks of a category
	ids                     map[string]string   // by names, spelled
	frozen, tuned, settings []string            // models
	figures                 map[key]float64
}

// key is a model, and the id of a task or the name of a category or of what else is known of the model.
type key struct{ model, of string }

// What else is known of a model, and the category of tasks that GENEB does not have.
const parameters, seconds, others = "parameters", "CPU s", "others"

// newBoard sets results beside what is known, with GENEB's figures if they are there.
func newBoard(results []result) *board {
	b := &board{of: map[string][]string{}, ids: map[string]string{}, figures: map[key]float64{}}
	for line := range strings.Lines(geneb) {
		fields := strings.Fields(line)
		if b.of[fields[0]] == nil {
			b.categories = append(b.categories, fields[0])
		}
		for _, rest := range fields[2:] {
			names := strings.Split(rest, "=")
			id := fields[1] + names[0]
			b.of[fields[0]], b.ids[spelled(id)] = append(b.of[fields[0]], id), id
			for _, name := range names[1:] {
				b.ids[spelled(name)] = id
			}
		}
	}
	b.categories = append(b.categories, others)
	b.tuned = b.read(published)
	folder := filepath.Join(os.Getenv("SEQSVM_DATA"), "geneb")
	leaderboard, _ := os.ReadFile(filepath.Join(folder, "leaderboard.tsv"))
	tasks, _ := os.ReadFile(filepath.Join(folder, "task-figures.tsv"))
	b.frozen = b.read(string(leaderboard))
	b.read(string(tasks))
	b.add(results)
	return b
}

// read adds the numbers of a table that has models in rows, or tasks in rows and models in columns.
func (b *board) read(text string) (rows []string) {
	var head []string
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if head == nil {
			head = cells
		}
		rows = append(rows, cells[0])
		for i, cell := range cells[1:] {
			k := key{cells[0], b.id(head[i+1])}
			if head[0] == "task" {
				k = key{head[i+1], cells[0]}
			}
			if x, err := strconv.ParseFloat(cell, 64); err == nil {
				b.figures[k] = x
			}
		}
	}
	return rows[min(1, len(rows)):]
}

// id returns the id of a task; its name if GENEB does not have it.
func (b *board) id(name string) string { return cmp.Or(b.ids[spelled(name)], name) }

// spelled is a name as a path or with other signs between words.
func spelled(name string) string {
	return strings.NewReplacer("/", "_", "-", "_", ".", "_").Replace(strings.ToLower(name))
}

// add adds results, and the means of categories that are whole.
func (b *board) add(results []result) {
	for _, r := range results {
		id, size := b.id(r.Task), key{r.Setting, parameters}
		if !slices.Contains(b.settings, r.Setting) {
			b.settings = append(b.settings, r.Setting)
		}
		if b.ids[spelled(id)] == "" {
			b.ids[spelled(id)], b.of[others] = id, append(b.of[others], id)
		}
		b.figures[key{r.Setting, id}] = r.MCC
		b.figures[key{r.Setting, seconds}] += r.CPU
		b.figures[size] = max(b.figures[size], float64(r.Bytes)/4) // a parameter of a network has four bytes
	}
	for _, s := range b.settings {
		for _, category := range b.categories {
			if mean, all := b.mean(s, b.of[category]); all {
				b.figures[key{s, category}] = mean
			}
		}
	}
}

// known are the tasks or categories that a model, of several, has a figure for.
func (b *board) known(names, models []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !slices.ContainsFunc(models, func(m string) bool { return b.figures[key{m, name}] != 0 })
	})
}

// mean is the mean of the figures of a model, if it has all.
func (b *board) mean(model string, of []string) (mean float64, all bool) {
	for _, name := range of {
		x, ok := b.figures[key{model, name}]
		if !ok {
			return 0, false
		}
		mean += x
	}
	return mean / float64(len(of)), len(of) > 0
}
