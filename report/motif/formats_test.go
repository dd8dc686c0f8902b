package motif_test

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/report/motif"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// twoMotifs is a set to write.
func twoMotifs(a stringkernel.Alphabet) *motif.Set {
	return &motif.Set{
		Alphabet: a, BothStrands: true, Background: []float64{0.3, 0.2, 0.2, 0.3},
		Motifs: []motif.Motif{
			{
				Matrix: [][]float64{{0.97, 0.01, 0.01, 0.01}, {1. / 3, 1. / 3, 1. / 3, 0}, {0.1, 0.2, 0.3, 0.4}},
				Sites:  make([]motif.Site, 7),
			},
			{Matrix: [][]float64{{0, 0, 0, 1}, {0.5, 0, 0.5, 0}}},
		},
	}
}

// memeFile is what a reader of the minimal format finds.
type memeFile struct {
	alphabet, strands string
	background        map[string]float64
	names             []string
	sites             []int
	matrices          [][][]float64
}

// readMEME reads the minimal format by its description: lines with a keyword, a line of frequencies after
// "Background letter frequencies", and w lines of alength numbers after a header of KEY= VALUE.
func readMEME(text string) (f memeFile, err error) {
	lines := strings.Split(text, "\n")
	if !strings.HasPrefix(lines[0], "MEME version 4") {
		return f, fmt.Errorf("first line %q", lines[0])
	}
	for i := 1; i < len(lines); i++ {
		line, fields := lines[i], strings.Fields(lines[i])
		switch {
		case strings.HasPrefix(line, "ALPHABET="):
			f.alphabet = strings.TrimSpace(strings.TrimPrefix(line, "ALPHABET="))
		case strings.HasPrefix(line, "strands:"):
			f.strands = strings.TrimSpace(strings.TrimPrefix(line, "strands:"))
		case strings.HasPrefix(line, "Background letter frequencies"):
			i++
			f.background = map[string]float64{}
			pairs := strings.Fields(lines[i])
			for k := 0; k < len(pairs); k += 2 {
				if f.background[pairs[k]], err = strconv.ParseFloat(pairs[k+1], 64); err != nil {
					return f, err
				}
			}
		case strings.HasPrefix(line, "MOTIF "):
			f.names = append(f.names, fields[1])
		case strings.HasPrefix(line, "letter-probability matrix:"):
			header := map[string]int{}
			for k := 2; k < len(fields); k += 2 {
				if header[fields[k]], err = strconv.Atoi(fields[k+1]); err != nil {
					return f, err
				}
			}
			f.sites = append(f.sites, header["nsites="])
			var matrix [][]float64
			for range header["w="] {
				i++
				row, err := numbers(strings.Fields(lines[i]), header["alength="])
				if err != nil {
					return f, err
				}
				matrix = append(matrix, row)
			}
			f.matrices = append(f.matrices, matrix)
		case line != "":
			return f, fmt.Errorf("line %q", line)
		}
	}
	return f, nil
}

// numbers reads n numbers.
func numbers(fields []string, n int) (row []float64, err error) {
	if len(fields) != n {
		return nil, fmt.Errorf("%q, want %d numbers", fields, n)
	}
	for _, field := range fields {
		x, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return nil, err
		}
		row = append(row, x)
	}
	return row, nil
}

func TestWriteMEME(t *testing.T) {
	for _, set := range []*motif.Set{twoMotifs(stringkernel.DNA), twoMotifs(stringkernel.RNA), trainedProteins(t)} {
		var b bytes.Buffer
		must.Succeed(t, set.WriteMEME(&b))
		f := must.Get(readMEME(b.String()))(t)
		strands := map[bool]string{true: "+ -"}[set.BothStrands]
		if f.alphabet != set.Alphabet.Letters() || f.strands != strands || len(f.matrices) != len(set.Motifs) ||
			len(f.background) != len(set.Background) {
			t.Errorf("read %+v of %s", f, b.String())
		}
		for c, name := range set.Alphabet.Letters() {
			if math.Abs(f.background[string(name)]-set.Background[c]) > 5e-5 {
				t.Errorf("%c has the frequency %v, want %v", name, f.background[string(name)], set.Background[c])
			}
		}
		for i, m := range set.Motifs {
			if f.names[i] != fmt.Sprintf("motif-%d", i+1) || f.sites[i] != m.Count() ||
				len(f.matrices[i]) != len(m.Matrix) {
				t.Errorf("%s has %d sites and %d columns", f.names[i], f.sites[i], len(f.matrices[i]))
			}
			for j, row := range m.Matrix {
				for c, p := range row {
					if math.Abs(f.matrices[i][j][c]-p) > 5e-7 {
						t.Errorf("probability %v, want %v", f.matrices[i][j][c], p)
					}
				}
			}
		}
	}
}

// JASPAR: a line > with id and name, and a line LETTER [ counts ] for each of A, C, G and T.
func TestWriteJASPAR(t *testing.T) {
	set := twoMotifs(stringkernel.RNA)
	var b bytes.Buffer
	must.Succeed(t, set.WriteJASPAR(&b))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 5*len(set.Motifs) {
		t.Fatalf("%d lines:\n%s", len(lines), b.String())
	}
	for i := range set.Motifs {
		m := &set.Motifs[i]
		part := lines[5*i : 5*i+5]
		if want := fmt.Sprintf(">motif-%d\t%s", i+1, set.Consensus(m)); part[0] != want {
			t.Errorf("%q, want %q", part[0], want)
		}
		sums := make([]float64, len(m.Matrix))
		for c, line := range part[1:] {
			letter, rest, _ := strings.Cut(line, "[")
			if strings.TrimSpace(letter) != string("ACGT"[c]) || !strings.HasSuffix(rest, "]") {
				t.Errorf("line %q", line)
			}
			row := must.Get(numbers(strings.Fields(strings.TrimSuffix(rest, "]")), len(m.Matrix)))(t)
			for j, count := range row {
				sums[j] += count
				if math.Abs(count-m.Matrix[j][c]*float64(m.Count())) >= 1 || count != math.Floor(count) {
					t.Errorf("count %v of probability %v", count, m.Matrix[j][c])
				}
			}
		}
		for _, sum := range sums {
			if sum != float64(m.Count()) {
				t.Errorf("%s: a column of %v, want %d", part[0], sum, m.Count())
			}
		}
	}
}
