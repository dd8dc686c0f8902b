// Command plot draws the table that seqsvm bench --format json writes: a column against the number of letters, a line
// per kernel, both axes logarithmic.
//
//	seqsvm bench -n 1000,2000,4000,8000 --format json -o bench.json
//	go run ./benchmarks/plot -column train_s -o train.svg bench.json
//
// The format of the picture follows from its name: .svg, .png or .pdf.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/seqio/atomicfile"
)

// columns are what can be drawn, with the label of the axis.
var columns = map[string]string{
	"index_s": "index, seconds", "product_s": "product K·v, seconds",
	"train_s":                  "training to a relative gap of 1e-3, seconds",
	"raw_letters_per_s":        "raw scores, letters per second",
	"normalized_letters_per_s": "normalised scores, letters per second",
}

func main() {
	column := flag.String("column", "train_s", "what to draw")
	output := flag.String("o", "", "picture to write: .svg, .png or .pdf")
	flag.Parse()
	if err := draw(*column, *output, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "plot: %v\n", err)
		os.Exit(1)
	}
}

// readRows reads an object per row.
func readRows(path string) (rows []map[string]any, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(text)); d.More(); {
		var row map[string]any
		if err := d.Decode(&row); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func draw(column, output string, files []string) error {
	label, known := columns[column]
	if !known || output == "" || len(files) != 1 {
		return fmt.Errorf("want -column with one of %v, -o and one table in JSON",
			slices.Sorted(maps.Keys(columns)))
	}
	rows, err := readRows(files[0])
	if err != nil {
		return fmt.Errorf("%s: %w", files[0], err)
	}
	chart := figure.Chart{
		XName: "million letters of the training set", YName: label, LogX: true, LogY: true, Wide: true,
	}
	if chart.Layers, err = lines(rows, column); err != nil {
		return fmt.Errorf("%s: %w", files[0], err)
	}
	return atomicfile.WriteTo(output, func(w io.Writer) error {
		return figure.Write(w, figure.FormatOf(output), figure.Light, chart)
	})
}

// lines returns a line with points per kernel, in the order of the table.
func lines(rows []map[string]any, column string) (layers []figure.Layer, err error) {
	at := map[string]int{}
	for _, r := range rows {
		kernel, _ := r["kernel"].(string)
		letters, _ := r["letters"].(float64)
		value, _ := r[column].(float64)
		if !(letters > 0 && value > 0) {
			return nil, fmt.Errorf("kernel %s, %v letters: value %v, want > 0 for a logarithmic axis", kernel, letters,
				value)
		}
		i, known := at[kernel]
		if !known {
			i = len(layers)
			at[kernel] = i
			layers = append(layers, figure.Layer{Name: kernel, Series: i, Kind: figure.Marked})
		}
		layers[i].X, layers[i].Y = append(layers[i].X, letters/1e6), append(layers[i].Y, value)
	}
	return layers, nil
}
