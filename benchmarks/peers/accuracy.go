package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// answers reads a label per record, in the order of the records.
type answers func() ([]string, error)

// compare returns what measures the share of predictions that are the true labels.
func compare(predictions, truth answers) func() (float64, error) {
	return func() (float64, error) {
		predicted, err := predictions()
		if err != nil {
			return 0, err
		}
		labels, err := truth()
		if err != nil {
			return 0, err
		}
		return share(predicted, labels)
	}
}

// share returns the share of predictions that are the labels. "1" is "+1".
func share(predicted, labels []string) (float64, error) {
	if len(predicted) != len(labels) || len(labels) == 0 {
		return 0, fmt.Errorf("%d predictions for %d records", len(predicted), len(labels))
	}
	right := 0
	for i, label := range labels {
		if strings.TrimPrefix(predicted[i], "+") == strings.TrimPrefix(label, "+") {
			right++
		}
	}
	return float64(right) / float64(len(labels)), nil
}

// plainLines are predictions that stand alone on their lines.
func plainLines(path string) answers {
	return func() ([]string, error) { return readLines(path) }
}

// seqsvmClasses are the classes of a table that seqsvm predict wrote.
func seqsvmClasses(path string) answers {
	return func() ([]string, error) {
		column, err := secondColumn(path)
		if err != nil || len(column) == 0 {
			return nil, err
		}
		return column[1:], nil // behind the heading
	}
}

// signs are the classes of a table of ids and scores, as gkmpredict writes it.
func signs(path string) answers {
	return func() ([]string, error) {
		column, err := secondColumn(path)
		for i, score := range column {
			column[i] = "+1"
			if strings.HasPrefix(score, "-") {
				column[i] = "-1"
			}
		}
		return column, err
	}
}

// fastaLabels are what follows label= in the headers of a FASTA file.
func fastaLabels(path string) answers {
	return func() ([]string, error) {
		lines, err := readLines(path)
		var labels []string
		for _, line := range lines {
			if _, label, found := strings.Cut(line, " label="); found {
				labels = append(labels, label)
			}
		}
		return labels, err
	}
}

// documentLabels are what stands before the tabs of a file of documents.
func documentLabels(path string) answers {
	return func() ([]string, error) {
		lines, err := readLines(path)
		for i, line := range lines {
			lines[i], _, _ = strings.Cut(line, "\t")
		}
		return lines, err
	}
}

// secondColumn returns the second field of each line of a table with tabs.
func secondColumn(path string) ([]string, error) {
	lines, err := readLines(path)
	if err != nil {
		return nil, err
	}
	for i, line := range lines {
		fields := strings.Split(line, "\t")
		if len(fields) < 2 {
			return nil, fmt.Errorf("%s:%d: %q has one column, want two or more", path, i+1, line)
		}
		lines[i] = fields[1]
	}
	return lines, nil
}

func readLines(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	var lines []string
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24) // documents are long lines
	for s.Scan() {
		lines = append(lines, s.Text())
	}
	return lines, s.Err()
}
