// Command variants measures how well models of sequences predict the effects of human variants, on the sets
// variants-ctcf-asb, variants-cagi4 and variants-cagi5 of the data folder, beside published figures:
//
//	SEQSVM_DATA=FOLDER go run ./benchmarks/variants [-set ctcf-asb,cagi4,cagi5] [-o FOLDER]
//
// The score that finds variants with an effect is chosen on the training parts of the CAGI sets, and used on the CTCF
// set. Predictions of CAGI are of folds that were left out. With -o predictions of the test parts, whose values are not
// there, are written too: the difference in log2 expression, of cagi5 over its root mean square in the experiment.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/seqsvm/seqsvm/seqio"
)

var (
	background = context.Background()
	data       = os.Getenv("SEQSVM_DATA")
	output     = flag.String("o", "", "folder for predictions of the test parts")
	out        = tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
)

const heading = "\tAUROC\tauPRC\tPearson"

func main() {
	log.SetFlags(0)
	log.SetPrefix("variants: ")
	sets := flag.String("set", "ctcf-asb,cagi4,cagi5", "sets, separated by commas")
	flag.Parse()
	var models []*scorer
	for _, files := range others {
		models = append(models, learn(func(x []byte) []byte { return x }, files...))
	}
	four, folds := readCagi4(models)
	five, _, element, stretch := readCagi5("train", append(cagi5Columns, "value", "confidence"), models)
	for name := range strings.SplitSeq(*sets, ",") {
		switch name {
		case "ctcf-asb":
			runCtcf(chooseForm(models, four, five))
		case "cagi4":
			runCagi4(models, four, folds)
		case "cagi5":
			runCagi5(models, five, element, stretch)
		default:
			log.Fatalf("set %q, want ctcf-asb, cagi4 or cagi5", name)
		}
	}
	must(0, out.Flush())
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// columns returns the values of columns of a file of a set.
func columns(set, file string, names ...string) [][]string {
	return must(seqio.ReadFile(filepath.Join(data, "variants-"+set, file), seqio.Options{
		Format: seqio.TSV, Columns: seqio.Columns{Text: "ref"}, Fields: names, RepeatedIDs: true, OptionalLabels: true,
	})).Fields
}

// each returns f of all values.
func each[T any](values []T, f func(v T) float64) []float64 {
	numbers := make([]float64, len(values))
	for i, v := range values {
		numbers[i] = f(v)
	}
	return numbers
}

func numbers(texts []string) []float64 {
	return each(texts, func(text string) float64 { return must(strconv.ParseFloat(text, 64)) })
}

// write writes columns and predictions of the test part of a set.
func write(set string, names []string, values [][]string, predictions []float64) {
	var text bytes.Buffer
	fmt.Fprintln(&text, strings.Join(names, "\t")+"\tpredicted")
	for i, p := range predictions {
		for _, column := range values {
			text.WriteString(column[i] + "\t")
		}
		fmt.Fprintf(&text, "%.5f\n", p)
	}
	must(0, os.MkdirAll(*output, 0o777))
	must(0, os.WriteFile(filepath.Join(*output, "variants-"+set+".test.tsv"), text.Bytes(), 0o666))
}
