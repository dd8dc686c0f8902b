package windows_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/windows"
)

// Donors of a gene of two exons, with every other GT of the gene as a decoy.
func Example() {
	dir, err := os.MkdirTemp("", "windows")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "genome.fa")
	if err := os.WriteFile(path, []byte(">chr1\nCCATGGCAGGTAAGTCCTTGTCAGGATAA\n"), 0o666); err != nil {
		fmt.Println(err)
		return
	}
	reference, err := genome.Open(path, seqio.CaseUpper)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reference.Close()
	const gff = "chr1\thand\texon\t3\t9\t.\t+\t.\tParent=t1\nchr1\thand\texon\t25\t29\t.\t+\t.\tParent=t1\n"
	annotation, err := genome.ReadAnnotation(strings.NewReader(gff), "genes.gff3")
	if err != nil {
		fmt.Println(err)
		return
	}
	plan := windows.Plan{Upstream: 3, Downstream: 5, Motif: "GT", Regions: windows.Transcribed(annotation.Transcripts),
		Train: windows.Decoys{All: true}}
	plan.Sites, _, err = windows.Sites(annotation.Transcripts, windows.Donor, plan.Motif, 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := plan.Cut(context.Background(), reference)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range result.Train {
		fmt.Println(w.Place(), w.Letters, w.True)
	}
	// Output:
	// chr1:7-14(+) CAGGTAAG true
	// chr1:11-18(+) TAAGTCCT false
	// chr1:17-24(+) CTTGTCAG false
}
