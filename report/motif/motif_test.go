package motif_test

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/report/motif"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// containsEither reports whether a consensus has a k-mer or its reverse complement.
func containsEither(consensus, kmer string) bool {
	other := string(stringkernel.DNA.ReverseComplementTo(nil, []byte(kmer)))
	return strings.Contains(consensus, kmer) || strings.Contains(consensus, other)
}

// A planted motif is the first, has the planted matrix, and its sites are the planted ones.
func TestPlantedMotif(t *testing.T) {
	for _, c := range []struct {
		kernel, motif string
		mutations     int
		both          bool
	}{
		{"spectrum:k=6,rc", "TGACGTCATTGC", 1, true},
		{"gapped:l=7,k=5,rc", "CCATRTTGGATA", 1, true},
		{"spectrum:k=6", "GATAAGCCGTAT", 0, false},
		{"substring:weight=bounded,k=8", "TTGACCATWAAC", 1, false},
	} {
		set := must.Get(planted.Generate(planted.Options{
			N: 200, Length: 80, Motif: c.motif, Mutations: c.mutations, BothStrands: c.both, Seed: 5,
		}))(t)
		d, want := motif.Trained(t, c.kernel, set), motif.PlantedMatrix(c.motif, c.mutations)
		found := must.Get(d.Find(t.Context(), motif.Options{}))(t)
		m := &found.Motifs[0]
		if r, consensus := motif.Likeness(m.Matrix, want), found.Consensus(m); !containsEither(consensus, c.motif) || r < 0.97 {
			t.Errorf("%s: %s has the correlation %.3f, want %s", c.kernel, consensus, r, c.motif)
		}
		if c.both {
			checkStrand(t, found, m, set)
		}
		if share := recovered(set, m); share < 0.8 {
			t.Errorf("%s: %.2f of the planted sites are found", c.kernel, share)
		}
		d.Records = nil
		found = must.Get(d.Find(t.Context(), motif.Options{Most: 1}))(t)
		if r := motif.Likeness(found.Motifs[0].Matrix, want); r < 0.85 || len(found.Motifs) != 1 ||
			found.Motifs[0].Sites != nil {
			t.Errorf("%s without records: %s has the correlation %.3f with %s", c.kernel,
				found.Consensus(&found.Motifs[0]), r, c.motif)
		}
	}
}

// checkStrand checks that a motif is on the strand with more A and C, and that the letters of its sites are those of the
// motif on the strands that they name.
func checkStrand(t *testing.T, found *motif.Set, m *motif.Motif, set *planted.Set) {
	t.Helper()
	excess, agree, against := 0.0, 0.0, 0.0
	for _, row := range m.Matrix {
		excess += row[0] + row[1] - row[2] - row[3]
	}
	for _, s := range m.Sites {
		x := []byte(set.Seqs[s.Record])[s.Start : s.Start+len(m.Matrix)]
		other := stringkernel.DNA.ReverseComplementTo(nil, x)
		if s.Reverse {
			x, other = other, x
		}
		for j, row := range m.Matrix {
			agree += row[strings.IndexByte(found.Alphabet.Letters(), x[j])]
			against += row[strings.IndexByte(found.Alphabet.Letters(), other[j])]
		}
	}
	if columns := float64(len(m.Sites) * len(m.Matrix)); excess < 0 || agree < 0.7*columns || against > 0.5*columns {
		t.Errorf("%s: A and C exceed G and T by %.2f; a column of a site has the probability %.2f, %.2f on the other strand",
			found.Consensus(m), excess, agree/columns, against/columns)
	}
}

// recovered is the share of planted sites that overlap a site by more than half.
func recovered(set *planted.Set, m *motif.Motif) float64 {
	hits, all := 0, 0
	for i, s := range set.Sites {
		if s == nil {
			continue
		}
		all++
		if slices.ContainsFunc(m.Sites, func(f motif.Site) bool {
			return f.Record == i && min(f.Start+len(m.Matrix), s.Start+len(set.Motif))-max(f.Start, s.Start) > 6
		}) {
			hits++
		}
	}
	return float64(hits) / float64(all)
}

// The information of a column is that of the definition, at both ends of its range and between.
func TestInformation(t *testing.T) {
	m := motif.Motif{Matrix: [][]float64{{1, 0, 0, 0}, {0.25, 0.25, 0.25, 0.25}, {0.5, 0.5, 0, 0}, {0.5, 0.25, 0.125, 0.125}}}
	for j, want := range []float64{2, 0, 1, 0.25} {
		if got := m.Information()[j]; math.Abs(got-want) > 1e-12 {
			t.Errorf("column %d has %v bits, want %v", j, got, want)
		}
	}
	if math.Abs(m.Bits()-3.25) > 1e-12 {
		t.Errorf("%v bits", m.Bits())
	}
	set := motif.Set{Alphabet: stringkernel.DNA}
	if consensus := set.Consensus(&m); consensus != "ANMN" {
		t.Errorf("consensus %s, want ANMN", consensus)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		opt     motif.Options
		records []motif.Record
		want    string
	}{
		{motif.Options{Alphabet: stringkernel.Bytes}, nil, "alphabet bytes, want dna, rna or protein"},
		{motif.Options{Alphabet: stringkernel.Protein, BothStrands: true}, nil, "both strands of protein"},
		{motif.Options{Alphabet: stringkernel.DNA}, []motif.Record{{Letters: []byte("AC")}}, "record 1 has 2 letters and 0 contr"},
	} {
		_, err := motif.Find(t.Context(), nil, c.records, c.opt)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := motif.Find(ctx, []motif.Kmer{{"ACGTA", 1}}, nil, motif.Options{Alphabet: stringkernel.DNA}); err != context.Canceled {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
	// no k-mer, no letter of the alphabet, weights of no use
	kmers := []motif.Kmer{{"ACNTA", 1}, {"", 2}, {"ACGTAC", -1}, {"ACGTAC", 0}}
	set, err := motif.Find(t.Context(), kmers, []motif.Record{{}}, motif.Options{Alphabet: stringkernel.DNA})
	if err != nil || len(set.Motifs) != 0 {
		t.Errorf("%v, %v", set, err)
	}
	set = trainedProteins(t)
	if err := set.WriteJASPAR(new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "not of protein") {
		t.Errorf("JASPAR of proteins: %v", err)
	}
}

// trainedProteins is a motif of proteins.
func trainedProteins(t *testing.T) *motif.Set {
	t.Helper()
	set := must.Get(motif.Find(t.Context(), []motif.Kmer{{"HEADS", 3}, {"EADSW", 2}, {"WWWWW", 1}}, nil,
		motif.Options{Alphabet: stringkernel.Protein}))(t)
	if consensus := set.Consensus(&set.Motifs[0]); consensus != "HEADSW" || set.Motifs[0].Kmers != 2 ||
		math.Abs(set.Motifs[0].Share-5./6) > 1e-12 {
		t.Errorf("%s of %d k-mers, share %v", consensus, set.Motifs[0].Kmers, set.Motifs[0].Share)
	}
	return set
}

// Contributions that would not fit into memory are refused before any is computed.
func TestMemory(t *testing.T) {
	set := must.Get(planted.Generate(planted.Options{N: 20, Length: 50, Seed: 1}))(t)
	d := motif.Trained(t, "spectrum:k=4", set)
	defer memory.SetLimit(memory.SetLimit(8000))
	if _, err := d.Find(t.Context(), motif.Options{}); err == nil || !strings.Contains(err.Error(),
		"motif: contributions of 1000 letters: ") {
		t.Errorf("%v", err)
	}
}
