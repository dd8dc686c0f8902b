package main_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestEmbedLanguages: the nearest neighbour of a paragraph, on 10 components of a kernel that was chosen on every other
// one, is in the same language for more than 0.86 of them: without labels, in 32 languages.
func TestEmbedLanguages(t *testing.T) {
	data := os.Getenv("SEQSVM_DATA")
	if data == "" || testing.Short() {
		t.Skip("needs text-udhr-langid of $SEQSVM_DATA, and time")
	}
	path := filepath.Join(data, "text-udhr-langid", "all.tsv.gz")
	table := mustTool(t, "embed", "-q", "--kernel", "words:ngram=1-1,binary,tfidf,mindf=3,maxdf=0.025", path)
	var labels []string
	var points [][]float64
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		point := make([]float64, len(cells)-2)
		for j, cell := range cells[2:] {
			point[j], _ = strconv.ParseFloat(cell, 64) // 0 in the header
		}
		labels, points = append(labels, cells[1]), append(points, point)
	}
	labels, points = labels[1:], points[1:]
	right := 0
	for i := range points {
		if labels[nearest(points, i)] == labels[i] {
			right++
		}
	}
	if share := float64(right) / float64(len(points)); len(points) != 1881 || share < 0.86 {
		t.Errorf("the nearest of %d paragraphs is in the same language for %.4f of them, want 0.86", len(points), share)
	}
}

// nearest returns the point nearest to point i.
func nearest(points [][]float64, i int) int {
	best, least := -1, 0.0
	for j, other := range points {
		sum := 0.0
		for k, x := range points[i] {
			sum += (x - other[k]) * (x - other[k])
		}
		if j != i && (best < 0 || sum < least) {
			best, least = j, sum
		}
	}
	return best
}
