package main_test

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
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

// TestWeightsAddUp: the array of all k-mers adds up to the raw score of every record.
func TestWeightsAddUp(t *testing.T) {
	fasta := must.Get(filepath.Abs("../../testdata/fasta/promoters.fa"))(t)
	t.Chdir(t.TempDir())
	mustTool(t, "train", "-q", "--kernel", "gapped:l=5,k=3,rc", "-o", "m", fasta)
	mustTool(t, "model", "kmers", "-q", "-m", "m", "-o", "w.npy")
	array := must.Get(os.ReadFile("w.npy"))(t)
	array = array[10+int(binary.LittleEndian.Uint16(array[8:])):] // behind the header
	set := must.Get(seqio.ReadFile(fasta, seqio.Options{}))(t)
	rows := strings.Split(strings.TrimSpace(mustTool(t, "predict", "-q", "--raw", "--digits", "17", "-m", "m", fasta)), "\n")
	for i := range set.Len() {
		x, sum, number := set.Corpus.Seq(i), 0.0, 0
		for at, letter := range x {
			number = (number*4 + strings.IndexByte("ACGT", letter)) % 1024
			if at >= 4 {
				sum += math.Float64frombits(binary.LittleEndian.Uint64(array[8*number:]))
			}
		}
		raw := must.Get(strconv.ParseFloat(strings.Split(rows[i+1], "\t")[1], 64))(t)
		if math.Abs(sum-raw) > 1e-9 {
			t.Errorf("record %d: %v, want %v", i+1, sum, raw)
		}
	}
}
