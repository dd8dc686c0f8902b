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
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

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
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "million letters of the training set", label
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{}, ticks{}
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	if err := addLines(p, rows, column); err != nil {
		return fmt.Errorf("%s: %w", files[0], err)
	}
	widen(&p.X)
	widen(&p.Y)
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(output)), ".")
	picture, err := p.WriterTo(18*vg.Centimeter, 12*vg.Centimeter, format)
	if err != nil {
		return fmt.Errorf("%s: %w", output, err)
	}
	return atomicfile.WriteTo(output, func(w io.Writer) error {
		_, err := picture.WriteTo(w)
		return err
	})
}

// widen gives an axis of one value a width, by factors: the library would subtract 1, and a logarithm has to be of a
// number above 0.
func widen(axis *plot.Axis) {
	if axis.Min == axis.Max {
		axis.Min, axis.Max = axis.Min/2, axis.Max*2
	}
}

// addLines draws a line with points per kernel, in the order of the table.
func addLines(p *plot.Plot, rows []map[string]any, column string) error {
	var kernels []string
	points := map[string]plotter.XYs{}
	for _, r := range rows {
		kernel, _ := r["kernel"].(string)
		letters, _ := r["letters"].(float64)
		value, _ := r[column].(float64)
		if !slices.Contains(kernels, kernel) {
			kernels = append(kernels, kernel)
		}
		if !(letters > 0 && value > 0) {
			return fmt.Errorf("kernel %s, %v letters: value %v, want > 0 for a logarithmic axis", kernel, letters,
				value)
		}
		points[kernel] = append(points[kernel], plotter.XY{X: letters / 1e6, Y: value})
	}
	var arguments []any
	for _, k := range kernels {
		arguments = append(arguments, k, points[k])
	}
	return plotutil.AddLinePoints(p, arguments...)
}

// ticks are those of a logarithmic axis, with numbers at 1, 2 and 5 times the powers of ten: an axis may have one power
// alone.
type ticks struct{}

// Ticks returns the ticks from least to most.
func (ticks) Ticks(least, most float64) []plot.Tick {
	var all []plot.Tick
	for decade := math.Floor(math.Log10(least)); decade <= math.Log10(most); decade++ {
		for digit := 1; digit <= 9; digit++ {
			t := plot.Tick{Value: float64(digit) * math.Pow(10, decade)}
			if digit == 1 || digit == 2 || digit == 5 {
				t.Label = strconv.FormatFloat(t.Value, 'g', 3, 64)
			}
			if t.Value >= least && t.Value <= most {
				all = append(all, t)
			}
		}
	}
	return all
}
