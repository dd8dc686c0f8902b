// Command shipped writes the generated sets of testdata, which the pages of docs use: what is in them is stated here,
// so that a reader knows what a model has to find.
//
//	go run ./benchmarks/shipped testdata
//
// The same program gives the same bytes on every platform: random numbers are those of math/rand/v2's PCG.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: shipped FOLDER")
		os.Exit(2)
	}
	for name, text := range Files() {
		path := filepath.Join(os.Args[1], name)
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o666)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "shipped:", err)
			os.Exit(1)
		}
	}
}

// Files returns the contents of all sets by file name.
func Files() map[string]string {
	files := map[string]string{}
	for i, add := range []func(maker){addGenome, addGuides, addTexts, addTrees, addTags, addPeptides, addVariants,
		addMotifs, addExpression, addPairs} {
		add(maker{rand.New(rand.NewPCG(uint64(i), 0x73657173766d)), files})
	}
	return files
}

// maker draws the sets of one kind.
type maker struct {
	*rand.Rand
	files map[string]string
}

// pick draws one of a list.
func (m maker) pick(of ...string) string { return of[m.IntN(len(of))] }

// letters draws n letters.
func (m maker) letters(n int, of string) []byte {
	x := make([]byte, n)
	for i := range x {
		x[i] = of[m.IntN(len(of))]
	}
	return x
}

// matrix holds per place of a motif the letters that may stand there, each as often as it counts.
type matrix []string

// draw draws an occurrence of a motif.
func (m maker) draw(motif matrix) (x []byte) {
	for _, of := range motif {
		x = append(x, m.letters(1, of)...)
	}
	return x
}

// fasta writes records with a header each.
func fasta(headers []string, sequences [][]byte) string {
	var b strings.Builder
	for i, h := range headers {
		fmt.Fprintf(&b, ">%s\n%s\n", h, sequences[i])
	}
	return b.String()
}
