package shipped

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/stringkernel"
)

const (
	chromosomes = 8
	length      = 60_000 // of a chromosome
	spacing     = 1_500  // a gene and a peak in each such stretch
	exon        = 150
	intron      = 180
	around      = 75 // letters on either side of a summit in bound.fa
)

// The motifs: of the factor that binds, of its partner, and of splice sites.
var (
	site = matrix{"AG", "CCCCT", "CCCCCT", "AG", "CCCCG", "TTTCA", "AAG", "GGGGG", "GGGGA", "GGGC", "GGGG", "GGGT",
		"CCCA", "AGGG"}
	partner  = matrix{"TTTA", "GGGG", "AAAA", "CGCG", "TTTT", "CCCA", "AAAA"}
	donor    = matrix{"AAC", "AAAG", "GGGGA", "G", "T", "AAAG", "AAAT", "GGGA", "TTAG"}
	acceptor = matrix{"CT", "CTT", "CTT", "TTCA", "CTT", "TTC", "CTCTG", "TTTC", "CTC", "TTCA", "CTT", "ACGT", "CCCT",
		"A", "G", "GGA"}
)

// chromosome draws letters of changing composition: stretches of 500 have 36 to 60 % of G and C.
func (m maker) chromosome() []byte {
	var x []byte
	for len(x) < length {
		gc := 9 + m.IntN(7)
		of := strings.Repeat("GC", gc) + strings.Repeat("AT", 25-gc)
		x = append(x, m.letters(500, of)...)
	}
	return x
}

// put writes a motif into a chromosome, on either strand.
func (m maker) put(x []byte, at int, motif matrix, minus bool) {
	w := m.draw(motif)
	if minus {
		w = stringkernel.DNA.ReverseComplementTo(nil, w)
	}
	copy(x[at:], w)
}

// addGenome adds a genome with genes of three exons, and peaks in which a factor binds: each has its site near the
// summit, and half of them the site of a partner within 30 letters. Windows of the same length without a peak are
// unbound. Variants are in peaks, half of them in the site.
func addGenome(m maker) {
	var genome, genes, peaks, variants strings.Builder
	var bound, unbound []string
	var boundLetters, unboundLetters [][]byte
	genes.WriteString("##gff-version 3\n")
	variants.WriteString("##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n")
	for c := range chromosomes {
		name, x := fmt.Sprintf("chr%d", c+1), m.chromosome()
		for start := 0; start+spacing <= length; start += spacing {
			m.addGene(&genes, x, name, start+50+m.IntN(30))
			summit := start + 1150 + m.IntN(100)
			at := summit - 30 + m.IntN(40)
			m.put(x, at, site, m.IntN(2) == 0)
			if m.IntN(2) == 0 {
				m.put(x, at+len(site)+4+m.IntN(12), partner, m.IntN(2) == 0)
			}
			id := fmt.Sprintf("%s:%d-%d", name, summit-around, summit+around)
			bound, boundLetters = append(bound, id), append(boundLetters, x[summit-around:summit+around])
			other := start + 780 + m.IntN(100)
			id = fmt.Sprintf("%s:%d-%d", name, other, other+2*around)
			unbound, unboundLetters = append(unbound, id), append(unboundLetters, x[other:other+2*around])
			low, high := summit-90-m.IntN(60), summit+90+m.IntN(60)
			fmt.Fprintf(&peaks, "%s\t%d\t%d\tpeak%d\t0\t.\t%d\t-1\t-1\t%d\n", name, low, high, len(bound),
				10+m.IntN(90), summit-low)
			place := at + m.IntN(len(site))
			if m.IntN(2) == 0 {
				place = low + m.IntN(high-low)
			}
			ref, alt := string(x[place]), m.pick(strings.Split(strings.ReplaceAll("ACGT", string(x[place]), ""), "")...)
			if kind := m.IntN(12); kind == 0 {
				alt = ref + string(m.letters(1+m.IntN(3), "ACGT"))
			} else if kind == 1 {
				ref, alt = string(x[place:place+3]), ref
			}
			fmt.Fprintf(&variants, "%s\t%d\tv%d\t%s\t%s\t.\t.\t.\n", name, place+1, len(bound), ref, alt)
		}
		fmt.Fprintf(&genome, ">%s\n", name)
		for line := range slices.Chunk(x, 60) {
			fmt.Fprintf(&genome, "%s\n", line)
		}
	}
	m.files["dna/genome.fa"], m.files["dna/genes.gff3"] = genome.String(), genes.String()
	m.files["dna/peaks.narrowPeak"], m.files["dna/variants.vcf"] = peaks.String(), variants.String()
	m.files["dna/bound.fa"], m.files["dna/unbound.fa"] = fasta(bound, boundLetters), fasta(unbound, unboundLetters)
}

// addMotifs adds a collection of motifs in the format of MEME: those of the genome, and twenty others.
func addMotifs(m maker) {
	var w strings.Builder
	w.WriteString("MEME version 4\n\nALPHABET= ACGT\n")
	add := func(name string, motif matrix) {
		fmt.Fprintf(&w, "\nMOTIF %s\nletter-probability matrix: alength= 4 w= %d\n", name, len(motif))
		for _, of := range motif {
			for _, c := range "ACGT" {
				share := float64(strings.Count(of, string(c))) / float64(len(of))
				fmt.Fprintf(&w, " %.3f", 0.02+float64(0.92*share))
			}
			w.WriteString("\n")
		}
	}
	add("G1 factor", site)
	add("G2 partner", partner)
	add("G3 donor", donor)
	add("G4 acceptor", acceptor)
	for i := range 20 {
		motif := make(matrix, 7+m.IntN(8))
		for k := range motif {
			motif[k] = string(m.letters(2, "ACGT"))
		}
		add(fmt.Sprintf("G%d other", i+5), motif)
	}
	m.files["dna/motifs.meme"] = w.String()
}

// addGene writes a gene of three exons into a chromosome from a place on, on either strand.
func (m maker) addGene(w *strings.Builder, x []byte, name string, start int) {
	minus, strand := m.IntN(2) == 0, "+"
	if minus {
		strand = "-"
	}
	id := fmt.Sprintf("g%s.%d", name[3:], start)
	for e := range 3 {
		low := start + e*(exon+intron)
		fmt.Fprintf(w, "%s\tgenerated\texon\t%d\t%d\t.\t%s\t.\tParent=%s\n", name, low+1, low+exon, strand, id)
		before, after := low-len(acceptor)+1, low+exon-3
		first, last := acceptor, donor
		if minus { // the letters of a motif that are exon stand at its other end
			before, after, first, last = low+3-len(donor), low+exon-1, donor, acceptor
		}
		if e > 0 {
			m.put(x, before, first, minus)
		}
		if e < 2 {
			m.put(x, after, last, minus)
		}
	}
}

// addGuides adds guides of 30 letters for ten genes with their activity in 0 … 1: G and C near the end of the guide
// help, T there hurts, GG after it is always there, and every gene has its own level.
func addGuides(m maker) {
	var headers []string
	var sequences [][]byte
	for i := range 400 {
		gene := i % 10
		x := m.letters(30, "ACGT")
		copy(x[25:], "GG")
		z := 0.3*float64(gene-5)/5 + 0.5*m.NormFloat64()
		for at, c := range x[14:24] {
			z += 0.08 * float64(at) * float64(strings.Count("GC", string(c))-strings.Count("T", string(c)))
		}
		headers = append(headers, fmt.Sprintf("guide%d %.3f gene=gene%d", i+1, 1/(1+math.Exp(-z)), gene+1))
		sequences = append(sequences, x)
	}
	m.files["dna/guides.fa"] = fasta(headers, sequences)
}

// addVariants adds variants of four sites of a protein with their fitness: effects of the sites add up, and two large
// residues at the first two sites cost 4.
func addVariants(m maker) {
	const amino = "ACDEFGHIKLMNPQRSTVWY"
	var headers []string
	var sequences [][]byte
	var effect [4][20]float64
	for s := range effect {
		for a := range effect[s] {
			effect[s][a] = m.NormFloat64()
		}
	}
	for i := range 600 {
		x := m.letters(4, amino)
		y := 0.2 * m.NormFloat64()
		for s, c := range x {
			y += effect[s][strings.IndexByte(amino, c)]
		}
		if bytes.ContainsAny(x[:1], "FWYILMRK") && bytes.ContainsAny(x[1:2], "FWYILMRK") {
			y -= 4
		}
		headers, sequences = append(headers, fmt.Sprintf("variant%d %.3f", i+1, y)), append(sequences, x)
	}
	m.files["protein/variants.fa"] = fasta(headers, sequences)
}

// addPeptides adds families of two to four related peptides: four in ten residues of the active ones follow the turns
// of a helix, with positive ones on one side.
func addPeptides(m maker) {
	const amino = "AACDEEFGGHIKKLLMNPPQRSSTTVVWY"
	var headers []string
	var sequences [][]byte
	for family := range 160 {
		x := m.letters(12+m.IntN(18), amino)
		label := [2]string{"inactive", "active"}[family%2]
		if family%2 == 1 {
			for i := range x {
				if turn := i % 7; m.IntN(10) < 4 {
					x[i] = "KLAKLLR"[turn]
				}
			}
		}
		for copies := range 2 + m.IntN(3) {
			headers = append(headers, fmt.Sprintf("family%d.%d %s", family+1, copies+1, label))
			sequences = append(sequences, bytes.Clone(x))
			x[m.IntN(len(x))] = amino[m.IntN(len(amino))]
		}
	}
	m.files["protein/peptides.fa"] = fasta(headers, sequences)
}
