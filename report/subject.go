package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/internal/table"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/report/motif"
	"github.com/seqsvm/seqsvm/report/page"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

// Subject is what a page is about: a model, records that it is applied to, and what was predicted and measured. Of a
// cross-validation, the predictions for each record are those of a model of the other folds, and the model is one of
// all records.
type Subject struct {
	Title, Lead string
	Name        string      // of the model, where there are two
	Foot        string      // what wrote the page
	Facts       []page.Fact // of the model, besides those that Model tells
	Warnings    []string    // on the data

	Model       *model.Model
	Corpus      *stringkernel.Corpus
	Labels      []string // as they are written
	Data        *dataset.Dataset
	Predictions []decide.Prediction
	Measured    metrics.Report     // of all records, with the intervals of the metrics if they are known
	Validation  *Validation        // nil: the model is measured on records that it is meant to be new to
	Duplicates  *duplicates.Groups // of the records, nil if they were not looked for
	Known       string             // which part of the records was in the model's training data, "" if none is known to be

	KnownMotifs []motif.Known // to name motifs by; nil: none

	Other       *Subject             // a second model on the same records, nil: none
	Differences []measure.Difference // of the metrics of both

	// Classifier is that of the model, with the confidence that predictions were made at; it lists features and
	// explains decisions as far as the kernel can. Nil: neither.
	Classifier *decide.Classifier

	Records, Tracks int    // most of them on the page; zero: DefaultRecords, DefaultTracks; Tracks below zero: none
	Replicates      int    // samples for the bands of curves; zero: no bands
	Seed            uint64 // of what is drawn at random

	// called with how many decisions are explained, of how many, by several goroutines at once; may be nil
	Progress func(done, of int)
}

// Validation is what a Subject has of a cross-validation.
type Validation struct {
	*classify.CVResult
	Folds    []metrics.Report
	Mean, SD metrics.Scalars // over the folds

	Baselines []Baseline // measured on the same folds
}

// Baseline is a simple method, which a model should be better than.
type Baseline struct {
	Name, Meaning string
	Mean, SD      metrics.Scalars // over the folds; it may lack metrics that the model has
}

// The default limits of a page.
const (
	DefaultRecords = 10_000
	DefaultTracks  = 200
)

// Page makes the page. Time and memory are linear in the records, besides those of explaining the
// decisions on some of them.
func (s *Subject) Page(ctx context.Context) (*page.Page, error) {
	if n := s.Corpus.Len(); n != len(s.Predictions) || n != len(s.Labels) {
		return nil, fmt.Errorf("report: %d records, %d predictions, %d labels", n, len(s.Predictions), len(s.Labels))
	}
	b := &builder{Subject: s, labelling: s.Data.Labelling()}
	b.assess()
	if s.Other != nil {
		b.other = &builder{Subject: s.Other, labelling: b.labelling}
		b.other.assess()
	}
	b.choose()
	p := &page.Page{Title: s.Title, Lead: s.Lead, Foot: s.Foot, Tiles: b.tiles(), Notes: b.notes()}
	pictures, err := b.pictures(ctx)
	if err != nil {
		return nil, err
	}
	motifs := b.beside(func(b *builder) *page.Section {
		section, failed := b.motifs(ctx)
		if failed != nil {
			err = failed
		}
		return section
	})
	if err != nil {
		return nil, err
	}
	overview := (*builder).metrics
	if b.other != nil {
		overview = (*builder).comparison
	}
	for _, section := range []*page.Section{
		overview(b), b.beside((*builder).classes), b.beside((*builder).regions), b.beside((*builder).shifts), pictures,
		motifs, b.beside((*builder).features), b.beside((*builder).errors), b.duplicates(), b.beside((*builder).about),
	} {
		if section != nil {
			p.Sections = append(p.Sections, *section)
		}
	}
	p.Records = b.records()
	p.Tracks = b.tracks()
	return p, ctx.Err()
}

// builder makes the parts of a page.
type builder struct {
	*Subject
	other     *builder // of the second model, nil: there is none
	labelling dataset.Labelling
	assessed  []assessment // of each record
	listed    []int        // the records of the table, in order
	row       map[int]int  // the row of a record in the table
}

func (b *builder) mostRecords() int { return cmp.Or(b.Subject.Records, DefaultRecords) }

func (b *builder) mostTracks() int { return cmp.Or(b.Subject.Tracks, DefaultTracks) }

// labelText is the label of a record for people.
func (b *builder) labelText(i int) string {
	if b.labelling == dataset.Numbers {
		return minus(b.Labels[i])
	}
	return cmp.Or(b.Labels[i], "(none)")
}

// predictedText is what was predicted for a record.
func (b *builder) predictedText(i int) string {
	p := b.Predictions[i]
	switch b.labelling {
	case dataset.Numbers, dataset.Grades:
		return number(p.Scores[0])
	case dataset.LabelSets:
		return b.joined(p.Labels)
	}
	return b.Data.Classes[p.Class]
}

// scalars are the metrics of all records or, of a cross-validation, their means over the folds.
func (b *builder) scalars() metrics.Scalars {
	if b.Validation != nil {
		return b.Validation.Mean
	}
	return b.Measured.Scalars
}

// assessment says how right a prediction is.
type assessment struct {
	wrong bool
	// margin is how far the prediction is on the right side: the score of the true class less the greatest of the
	// others or, of two classes, the distance of the decision value from the threshold, towards the true class; of
	// numbers minus the error, of label sets minus the number of wrong labels. NaN where nothing is right or wrong.
	margin float64
}

// assess assesses every prediction.
func (b *builder) assess() {
	b.assessed = make([]assessment, len(b.Predictions))
	for i := range b.assessed {
		b.assessed[i] = b.assessOne(i)
	}
}

func (b *builder) assessOne(i int) assessment {
	p := &b.Predictions[i]
	switch b.labelling {
	case dataset.Numbers:
		return assessment{margin: -math.Abs(p.Scores[0] - b.Data.Targets[i])}
	case dataset.Grades:
		return assessment{margin: math.NaN()}
	case dataset.LabelSets:
		wrong := different(p.Labels, b.Data.LabelSets[i])
		return assessment{wrong: wrong > 0, margin: -float64(wrong)}
	}
	truth := b.Data.Y[i]
	a := assessment{wrong: p.Class != truth}
	switch {
	case len(p.Scores) == 1 && len(b.Data.Classes) == 2:
		a.margin = p.Scores[0] - b.threshold(i)
		if truth != b.Data.Positive {
			a.margin = -a.margin
		}
	case len(p.Scores) == len(b.Data.Classes):
		a.margin = p.Scores[truth] - greatestBut(p.Scores, truth)
	default: // classes in order
		a.margin = -math.Abs(float64(p.Class - truth))
	}
	return a
}

// threshold returns the decision value above which a record is of the positive class of two.
func (b *builder) threshold(i int) float64 {
	rule := &b.Model.Decision
	if b.Validation != nil {
		rule = &b.Validation.Rules[b.Validation.Fold[i]]
	}
	return rule.Machines[0].Threshold
}

// greatestBut returns the greatest score but that of one class.
func greatestBut(scores []float64, class int) float64 {
	greatest := math.Inf(-1)
	for c, score := range scores {
		if c != class {
			greatest = max(greatest, score)
		}
	}
	return greatest
}

// different counts what is in one of two ascending lists alone.
func different(a, b []int) (n int) {
	for _, x := range a {
		if !slices.Contains(b, x) {
			n++
		}
	}
	for _, x := range b {
		if !slices.Contains(a, x) {
			n++
		}
	}
	return n
}

// hasErrors reports whether predictions are right or wrong, rather than more or less so.
func (b *builder) hasErrors() bool {
	return b.labelling != dataset.Numbers && b.labelling != dataset.Grades
}

// byMargin returns the records that keep accepts, those of the least margin first.
func (b *builder) byMargin(keep func(assessment) bool) (list []int) {
	for i, a := range b.assessed {
		if !math.IsNaN(a.margin) && keep(a) {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(i, j int) int { return cmp.Compare(b.assessed[i].margin, b.assessed[j].margin) })
	return list
}

// wrongest returns the records whose predictions are furthest from right, the worst first.
func (b *builder) wrongest() []int {
	return b.byMargin(func(a assessment) bool { return a.wrong || !b.hasErrors() })
}

// surest returns the records that a model is surest of, the surest first: of classes those that are right.
func (b *builder) surest() []int {
	if b.hasErrors() {
		list := b.byMargin(func(a assessment) bool { return !a.wrong })
		slices.Reverse(list)
		return list
	}
	list := subset.Whole(len(b.Predictions))
	slices.SortStableFunc(list, func(i, j int) int {
		return cmp.Compare(b.Predictions[j].Scores[0], b.Predictions[i].Scores[0])
	})
	return list
}

// drawn returns all records in random order.
func (b *builder) drawn() []int { return rand.New(rand.NewPCG(b.Seed, 1)).Perm(len(b.Predictions)) }

// choose chooses the records of the table: all or, of too many, half of them those that are furthest from right, as far
// as there are any, and the rest at random.
func (b *builder) choose() {
	n, most := len(b.Predictions), b.mostRecords()
	chosen := make([]bool, n)
	left := min(n, most)
	for _, list := range [][]int{b.wrongest(), b.drawn()} {
		if room := max(1, left/2); n > most && len(list) > room && left == most {
			list = list[:room]
		}
		for _, i := range list {
			if left > 0 && !chosen[i] {
				chosen[i] = true
				left--
			}
		}
	}
	b.row = map[int]int{}
	for i, c := range chosen {
		if c {
			b.row[i] = len(b.listed)
			b.listed = append(b.listed, i)
		}
	}
}

// joined returns the names of classes, with the separator of labels between them.
func (b *builder) joined(classes []int) string {
	return strings.Join(subset.At(b.Data.Classes, classes), cmp.Or(b.Model.Input.Separator, ", "))
}

// acronyms are names of metrics that are not words.
var acronyms = map[string]string{
	"auroc": "AUROC", "auprc": "AUPRC", "mcc": "MCC", "f1_macro": "F1, macro", "f1_micro": "F1, micro", "rmse": "RMSE",
	"mae": "MAE", "r2": "R²", "ndcg": "NDCG", "brier": "Brier score",
}

// title is the name of a metric for people.
func title(name string) string {
	if known := acronyms[name]; known != "" {
		return known
	}
	return capital(strings.ReplaceAll(name, "_", " "))
}

// capital begins a text with a capital letter.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// decimals writes a metric as other commands do, NA where it is undefined.
func decimals(x float64) string { return places(x, 4) }

// threeDecimals writes a metric to see first.
func threeDecimals(x float64) string { return places(x, 3) }

func places(x float64, n int) string {
	if math.IsNaN(x) {
		return "NA"
	}
	text := table.Decimals(x, n)
	if strings.Trim(text, "-0.") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	return minus(text)
}

// number writes a number with few digits.
func number(x float64) string { return minus(fmt.Sprintf("%.4g", x)) }

// minus writes the sign of a number as it is printed.
func minus(text string) string { return strings.ReplaceAll(text, "-", "−") }

// thousands writes a whole number in groups of three digits.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// some lists names, the first of many.
func some(names []string) string {
	const most = 12
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// counted writes how many of a thing there are.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}
