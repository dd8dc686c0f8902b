package main_test

import (
	"strings"
	"testing"
)

// TestScanContainers: the same letters in FASTA, FASTQ and 2bit give the same lines, whatever the options.
func TestScanContainers(t *testing.T) {
	inGoodFolder(t)
	twoBit := []byte{0x43, 0x27, 0x41, 0x1a, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, // magic, version, one record
		1, 'c', 22, 0, 0, 0, // its name and place
		10, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // letters, N from 4 on, none in lower case
		0b10_01_11_00, 0b00_10_01_11, 0b00_00_00_00} // ACGT NACG TT, where T is 0, C 1, A 2, G 3
	writeFiles(t, map[string]string{"g.fa": ">c\nACGTNACGTT\n", "g.fq": "@c\nACGTNACGTT\n+\nIIIIIIIIII\n",
		"g.2bit": string(twoBit)})
	mustTool(t, "train", "-q", "--kernel", "spectrum:k=2", "-o", "x.seqsvm", "two.fa")
	for _, options := range []string{"", "--anchor AC --offset 1", "--fdr 0.9 --shuffles 2", "--shard 1/2 -o 1.bed",
		"--format json --top 2"} {
		args := append([]string{"scan", "-q", "-m", "x.seqsvm", "--window", "3"}, strings.Fields(options)...)
		want := mustTool(t, append(args, "g.fa")...)
		for _, name := range []string{"g.fq", "g.2bit"} {
			if got := mustTool(t, append(args, name)...); got != want {
				t.Errorf("%s %s: %q, want %q", options, name, got, want)
			}
		}
	}
}
