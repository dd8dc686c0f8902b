package motif

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"github.com/seqsvm/seqsvm/internal/iupac"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// countsWithoutSites is what a column of a count matrix sums to if a motif has no sites.
const countsWithoutSites = 100

// Count is what the motif stands for in formats that have counts: its sites, 100 without.
func (m *Motif) Count() int {
	if m.Sites == nil {
		return countsWithoutSites
	}
	return len(m.Sites)
}

// Name names motif i, from 0.
func (s *Set) Name(i int) string { return fmt.Sprintf("motif-%d", i+1) }

// WriteMEME writes the motifs in the minimal format of MEME, version 4, which the programs of the MEME suite, TOMTOM
// and FIMO among them, and Biopython read: probabilities with six decimals, nsites = Count, E = 0.
//
// https://meme-suite.org/meme/doc/meme-format.html
func (s *Set) WriteMEME(w io.Writer) error {
	out := bufio.NewWriter(w) // errors stay until Flush
	names := s.Alphabet.Letters()
	fmt.Fprintf(out, "MEME version 4\n\nALPHABET= %s\n\n", names)
	if s.Alphabet.Complementary() {
		strands := "+"
		if s.BothStrands {
			strands = "+ -"
		}
		fmt.Fprintf(out, "strands: %s\n\n", strands)
	}
	fmt.Fprintf(out, "Background letter frequencies\n")
	for c, f := range s.Background {
		fmt.Fprintf(out, "%c %.4f%s", names[c], f, separator(c, len(names)))
	}
	for i := range s.Motifs {
		m := &s.Motifs[i]
		fmt.Fprintf(out, "\nMOTIF %s %s\nletter-probability matrix: alength= %d w= %d nsites= %d E= 0\n",
			s.Name(i), s.Consensus(m), len(names), len(m.Matrix), m.Count())
		for _, row := range m.Matrix {
			for c, p := range row {
				fmt.Fprintf(out, " %.6f%s", p, separator(c, len(names)))
			}
		}
	}
	return out.Flush()
}

// separator ends item c of n on a line.
func separator(c, n int) string {
	if c == n-1 {
		return "\n"
	}
	return " "
}

// WriteJASPAR writes the motifs as JASPAR does: a row of counts for each of A, C, G and T (also in RNA). The counts of
// a column sum to Count. It returns an error for proteins.
func (s *Set) WriteJASPAR(w io.Writer) error {
	if !s.Alphabet.Complementary() {
		return fmt.Errorf("motif: JASPAR has matrices of nucleotides, not of %s", s.Alphabet)
	}
	out := bufio.NewWriter(w)
	for i := range s.Motifs {
		m := &s.Motifs[i]
		fmt.Fprintf(out, ">%s\t%s\n", s.Name(i), s.Consensus(m))
		counts := make([][]int, len(m.Matrix))
		for j, row := range m.Matrix {
			counts[j] = rounded(row, m.Count())
		}
		for c, name := range stringkernel.DNA.Letters() {
			fmt.Fprintf(out, "%c  [", name)
			for j := range counts {
				fmt.Fprintf(out, " %6d", counts[j][c])
			}
			fmt.Fprintf(out, " ]\n")
		}
	}
	return out.Flush()
}

// rounded returns whole numbers in the proportions p that sum to n: those with the largest remainders are rounded up.
func rounded(p []float64, n int) []int {
	whole, rest := make([]int, len(p)), make([]float64, len(p))
	left := n
	for c, x := range p {
		floor := math.Floor(float64(x * float64(n)))
		whole[c], rest[c] = int(floor), float64(x*float64(n))-floor
		left -= whole[c]
	}
	for ; left > 0; left-- {
		most := 0
		for c := range rest {
			if rest[c] > rest[most] {
				most = c
			}
		}
		whole[most]++
		rest[most] = -1
	}
	return whole
}

// Consensus writes a motif with one letter per position, by the rule of Cavener (1987): a letter that is more than half
// of all and more than twice as frequent as the next; the code for two nucleotides that are more than three quarters
// together; otherwise N, or x in proteins.
//
// D. R. Cavener, Comparison of the consensus sequence flanking translational start sites in Drosophila and vertebrates,
// Nucleic Acids Research 15 (1987), doi:10.1093/nar/15.4.1353.
func (s *Set) Consensus(m *Motif) string {
	names := s.Alphabet.Letters()
	letters := make([]byte, len(m.Matrix))
	for j, row := range m.Matrix {
		first, second := leading(row)
		switch {
		case row[first] > 0.5 && row[first] > 2*row[second]:
			letters[j] = names[first]
		case !s.Alphabet.Complementary():
			letters[j] = 'x'
		case row[first]+row[second] > 0.75:
			letters[j] = either(names[first], names[second])
		default:
			letters[j] = 'N'
		}
	}
	return string(letters)
}

// leading returns the two codes of the highest probabilities.
func leading(row []float64) (first, second int) {
	second = 1
	if row[1] > row[0] {
		first, second = 1, 0
	}
	for c := 2; c < len(row); c++ {
		switch {
		case row[c] > row[first]:
			first, second = c, first
		case row[c] > row[second]:
			second = c
		}
	}
	return first, second
}

// either returns the code for two nucleotides.
func either(a, b byte) byte {
	if a > b {
		a, b = b, a
	}
	want := iupac.Bases(a) + iupac.Bases(b)
	for _, code := range []byte("RYSWKM") {
		if iupac.Bases(code) == want {
			return code
		}
	}
	return 'N'
}

// Logos are the motifs as sequence logos, one below the other, each with its match below it if there are matches.
func (s *Set) Logos(matches []Match) figure.Figure {
	grid := figure.Grid{Columns: 1}
	for i := range s.Motifs {
		if matches != nil {
			grid.Panels = append(grid.Panels, s.LogoBeside(i, matches[i]))
			continue
		}
		grid.Panels = append(grid.Panels, s.Logo(i))
	}
	return grid
}

// Logo is motif i, from 0, as a sequence logo.
func (s *Set) Logo(i int) figure.Logo {
	m := &s.Motifs[i]
	sites := ""
	if m.Sites != nil {
		sites = ", " + plural.Of(len(m.Sites), "site")
	}
	return figure.Logo{
		Title: s.Name(i), Consensus: s.Consensus(m),
		Note:     fmt.Sprintf("%.1f bits%s, share %.3f", m.Bits(), sites, m.Share),
		Alphabet: s.Alphabet, Letters: s.Alphabet.Letters(), Matrix: m.Matrix, Bits: m.Information(),
	}
}
