package main_test

import (
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// Commands of the scripts about k-mers: they compute from the table of k-mers what the tool computes from the model.

// cut1 FILE > OUT writes the first cell of every line.
func cut1Command(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || args[1] != ">" {
		ts.Fatalf("usage: cut1 FILE > OUT")
	}
	var out strings.Builder
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		cell, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		out.WriteString(cell + "\n")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(out.String()), 0o666))
}

// pack FILE OUT compresses a file with gzip.
func packCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: pack FILE OUT")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), gzipped([]byte(ts.ReadFile(args[0]))), 0o666))
}

// kmerTable is a table of k-mers on both strands.
type kmerTable map[string]float64

func readKmers(ts *testscript.TestScript, file string) kmerTable {
	table := kmerTable{}
	complement := strings.NewReplacer("A", "T", "C", "G", "G", "C", "T", "A")
	for line := range strings.Lines(ts.ReadFile(file)) {
		word, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		score, err := strconv.ParseFloat(text, 64)
		ts.Check(err)
		letters := []byte(complement.Replace(word))
		for i, j := 0, len(letters)-1; i < j; i, j = i+1, j-1 {
			letters[i], letters[j] = letters[j], letters[i]
		}
		table[word], table[string(letters)] = score, score
	}
	return table
}

// sum adds the scores of all k-mers of a sequence; broken ones are not in the table.
func (table kmerTable) sum(x string) float64 {
	sum := 0.0
	for length := range 12 {
		for i := 0; i+length <= len(x); i++ {
			sum += table[x[i:i+length]]
		}
	}
	return sum
}

// readRecords maps the ids of a FASTA file to sequences.
func readRecords(ts *testscript.TestScript, file string) map[string]string {
	records := map[string]string{}
	for _, text := range strings.Split(ts.ReadFile(file), ">")[1:] {
		header, seq, _ := strings.Cut(text, "\n")
		records[strings.Fields(header)[0]] = strings.ReplaceAll(seq, "\n", "")
	}
	return records
}

// addup KMERS FASTA RAW checks that the second column of RAW is, for each record, the sum of its k-mers' scores.
func addUpCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: addup KMERS FASTA RAW")
	}
	kmers, records := readKmers(ts, args[0]), readRecords(ts, args[1])
	table := readTable(ts, args[2])
	if len(table) != len(records)+1 {
		ts.Fatalf("%d rows for %d records", len(table)-1, len(records))
	}
	for _, cells := range table[1:] {
		got, err := strconv.ParseFloat(cells[1], 64)
		ts.Check(err)
		if want := kmers.sum(records[cells[0]]); math.Abs(got-want) > 1e-9 {
			ts.Fatalf("%s: %v, the k-mers sum to %v", cells[0], got, want)
		}
	}
}

// haplotypes KMERS GENOME DELTA checks each row of DELTA: the sum over the k-mers of the chromosome with the
// alternative, less that with the reference.
func haplotypesCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: haplotypes KMERS GENOME DELTA")
	}
	kmers, genome := readKmers(ts, args[0]), readRecords(ts, args[1])
	table := readTable(ts, args[2])
	if len(table) < 2 {
		ts.Fatalf("no variants")
	}
	for _, cells := range table[1:] {
		chrom, ref, alt := genome[cells[1]], cells[3], cells[4]
		pos, err := strconv.Atoi(cells[2])
		ts.Check(err)
		got, err := strconv.ParseFloat(cells[5], 64)
		ts.Check(err)
		changed := chrom[:pos-1] + alt + chrom[pos-1+len(ref):]
		if want := kmers.sum(changed) - kmers.sum(chrom); math.Abs(got-want) > 1e-9 {
			ts.Fatalf("%s %s>%s: %v, the chromosomes differ by %v", cells[0], ref, alt, got, want)
		}
	}
}
