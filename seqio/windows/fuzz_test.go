package windows_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/windows"
)

// FuzzWindows: whatever an annotation says, windows are within the genome, every site is written or dropped for one
// reason, and no decoy is at a site.
func FuzzWindows(f *testing.F) {
	f.Add([]byte("c\tx\tregion\t1\t24\t.\t+\t.\tIs_circular=true\nc\tx\texon\t2\t5\t.\t+\t.\tParent=a\n"+
		"c\tx\texon\t20\t30\t.\t+\t.\tParent=a\nc\tx\tCDS\t20\t30\t.\t+\t2\tParent=a;partial=true\n"), uint8(0))
	f.Add([]byte("d\tx\texon\t9\t12\t.\t-\t.\ttranscript_id \"a\"; tag \"mRNA_start_NF\";\n"+
		"d\tx\tCDS\t9\t12\t.\t-\t0\ttranscript_id \"a\"; tag \"cds_start_NF\";\n"), uint8(7))
	f.Add([]byte("d\tx\tCDS\t2\t4\t.\t-\t0\tID=a;partial=10\nc\tx\tCDS\t2\t40\t.\t-\t0\tID=b\n"), uint8(2))
	g := memory{[]string{"c", "d"}, map[string]string{"c": "ATGTAAGTNAGATGCATGTAGCAT", "d": "CATGGTAATGAG"}}
	f.Fuzz(func(t *testing.T, data []byte, option uint8) {
		a, err := genome.ReadAnnotation(bytes.NewReader(data), "x.gff")
		if err != nil {
			return
		}
		fit, misfits, err := windows.FitTranscripts("x.gff", a.Transcripts, g, windows.SkipUnknown)
		if misfits.Lines != len(a.Transcripts) || len(fit)+misfits.LeftOut() != misfits.Lines ||
			(err != nil) != (len(fit) == 0) {
			t.Fatalf("%d of %d fit, %+v, %v", len(fit), len(a.Transcripts), misfits, err)
		}
		kind := windows.Kinds[option%4]
		p := windows.Plan{Upstream: 1, Downstream: 3, Motif: kind.Consensus(), Regions: windows.Transcribed(fit), Anywhere: option&4 > 0,
			Train: windows.Decoys{Ratio: 2}, KeepDuplicates: true}
		p.Sites, _, err = windows.Sites(fit, kind, p.Motif, 1)
		if (err != nil) != (len(p.Sites) == 0 && len(fit) > 0) {
			t.Fatal(p.Sites, err)
		}
		result, err := p.Cut(t.Context(), g)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatal(err)
			}
			return
		}
		dropped := 0
		for reason := range windows.Reasons {
			dropped += result.True.Dropped(reason)
		}
		if result.True.Found != result.True.Train.Written+dropped {
			t.Fatalf("%+v", result.True)
		}
		sites := map[windows.Site]bool{}
		for _, s := range p.Sites {
			sites[windows.Site{Seq: s.Seq, Pos: s.Pos, Strand: s.Strand}] = true
		}
		for _, w := range result.Train {
			n, _ := g.Length(w.Seq)
			if w.Start < 0 || w.End > n || w.Len() != len(w.Letters) {
				t.Fatalf("%+v", w)
			}
			at := windows.Site{Seq: w.Seq, Pos: w.Start + 1, Strand: w.Strand}
			if w.Strand == genome.Minus {
				at.Pos = w.End - 2
			}
			if sites[at] != w.True {
				t.Fatalf("%+v", w)
			}
		}
	})
}
