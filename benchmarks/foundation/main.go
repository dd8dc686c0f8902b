// Command foundation measures seqsvm on folders of tasks that foundation models of DNA are measured by, and sets it
// beside published figures:
//
//	go run ./benchmarks/foundation [-setting fixed,probe,searched] [-tool seqsvm] [-log FILE] [-picture FILE] FOLDER…
//
// A task is files NAME.train, NAME.test and perhaps NAME.dev (or NAME/train and so on) of FASTA, or of CSV with columns
// sequence and label; or NAME.csv with columns text, label and split: the 100 tasks of GENEB, as it has them, are one
// folder. A machine is trained on train and dev, and tested once for each setting: what the log has is not run again,
// so that it lists all looks at a test. It is printed as tables. Figures of GENEB are those of $SEQSVM_DATA/geneb, if
// it is there, those of fine-tuned models those of published.tsv.
package main

import (
	"encoding/json"
	"flag"
	"io"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/report/figure"
)

var (
	chosen  = flag.String("setting", "fixed,probe,searched", "settings, separated by commas")
	tool    = flag.String("tool", "seqsvm", "program whose tune is measured")
	logFile = flag.String("log", "foundation.json", "file of results")
	picture = flag.String("picture", "", "file of the picture, in SVG, PNG or PDF")
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("foundation: ")
	flag.Parse()
	run(os.Stdout, flag.Args())
}

// run tests what has not been tested, and prints all.
func run(w io.Writer, folders []string) {
	var results []result
	if text, err := os.ReadFile(*logFile); err == nil {
		must(0, json.Unmarshal(text, &results))
	}
	for _, folder := range folders {
		for _, t := range findTasks(folder) {
			for setting := range strings.SplitSeq(*chosen, ",") {
				if slices.ContainsFunc(results, func(r result) bool { return r.Task == t.name && r.Setting == setting }) {
					continue
				}
				results = append(results, t.measure(setting))
				must(0, os.WriteFile(*logFile, must(json.MarshalIndent(results, "", " ")), 0o666))
			}
		}
	}
	b := newBoard(results)
	b.print(w, results)
	if *picture != "" {
		file := must(os.Create(*picture))
		must(0, figure.Write(file, figure.FormatOf(*picture), figure.Light, b.picture()))
		must(0, file.Close())
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
