package genome

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
)

// readVCF reads all variants of a text.
func readVCF(r io.Reader) ([]Variant, error) {
	v, err := NewVCFReader(r, "v.vcf")
	if err != nil {
		return nil, err
	}
	defer v.Close()
	var all []Variant
	for {
		variant, err := v.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, variant)
	}
}

func FuzzVCF(f *testing.F) {
	f.Add([]byte("##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\n1\t2\t.\tA\tC,<DEL>,*\n"))
	f.Add([]byte("1\t2\trs1\tACG\tA\t.\t.\t.\r\n\n1\t3\tx\tN\t."))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := readVCF(bytes.NewReader(data))
		if err != nil {
			var e *seqio.Error
			if !errors.As(err, &e) || strings.ContainsAny(err.Error(), "\n\r\x00") {
				t.Fatalf("error %T %q", err, err)
			}
			return
		}
		for _, v := range all {
			if v.Chrom == "" || v.ID == "" || !isAlleleSequence(v.Ref) || v.Pos < 0 || v.Line < 1 {
				t.Fatalf("%+v", v)
			}
			for _, a := range v.Alt {
				if a.Symbolic == isAlleleSequence(a.Text) {
					t.Fatalf("%+v", v)
				}
			}
		}
	})
}
