package genome_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// readVCF reads all variants of a text.
func readVCF(r io.Reader) ([]genome.Variant, error) {
	v, err := genome.NewVCFReader(r, "v.vcf")
	if err != nil {
		return nil, err
	}
	defer v.Close()
	var all []genome.Variant
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

func TestVCF(t *testing.T) {
	const text = "##fileformat=VCFv4.2\n" + "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n" +
		"20\t14370\trs6054257\tG\tA\t29\tPASS\tNS=3\n" +
		"\n" +
		"20\t1110696\trs6040355\ta\tG,t\t67\tPASS\tNS=2\r\n" +
		"20\t1230237\t.\tT\t.\n" +
		"20\t1234567\tm1\tGTC\tG,GTCT,*,<DEL>,C<ctg1>\n" +
		"2\t321681\tb\tG\tG]17:198982],]13:123456]T,C[2:321682[,.A,G.,C[<ctg1>:1[,]<ctg1>:329]A\n" +
		"x\t0\tt\tN\t.[13:123457[\n" +
		"x\t8\tcodes\tGr\tR,TYA,G\n"
	want := []genome.Variant{
		{"20", 14370, "rs6054257", "G", []genome.Allele{{"A", false}}, 3},
		{"20", 1110696, "rs6040355", "A", []genome.Allele{{"G", false}, {"T", false}}, 5},
		{"20", 1230237, ".", "T", nil, 6},
		{"20", 1234567, "m1", "GTC", []genome.Allele{{"G", false}, {"GTCT", false}, {"*", true}, {"<DEL>", true},
			{"C<ctg1>", true}}, 7},
		{"2", 321681, "b", "G", []genome.Allele{{"G]17:198982]", true}, {"]13:123456]T", true}, {"C[2:321682[", true},
			{".A", true}, {"G.", true}, {"C[<ctg1>:1[", true}, {"]<ctg1>:329]A", true}}, 8},
		{"x", 0, "t", "N", []genome.Allele{{".[13:123457[", true}}, 9},
		{"x", 8, "codes", "GR", []genome.Allele{{"R", false}, {"TYA", false}, {"G", false}}, 10},
	}
	for _, data := range []string{text, gzipText(text)} {
		got, err := readVCF(strings.NewReader(data))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
}

// TestVCFLongLine: genotypes of any length follow the five columns.
func TestVCFLongLine(t *testing.T) {
	genotypes := strings.Repeat("\t0|1", 400_000)
	got, err := readVCF(strings.NewReader("1\t5\ta\tC\tG\t.\t.\t." + genotypes + "\n1\t6\tb\tC\tG" + genotypes + "\n"))
	if err != nil || len(got) != 2 || got[1].ID != "b" || got[1].Line != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = readVCF(strings.NewReader("1\t5\ta\tC\t" + strings.Repeat("G", 1<<20)))
	if err == nil || !strings.Contains(err.Error(), "v.vcf:1: columns CHROM to ALT take 512 KiB or more") {
		t.Errorf("a long allele: %v", err)
	}
}

// TestVCFText: lines that are kept are those of the file, however long.
func TestVCFText(t *testing.T) {
	header := "##fileformat=VCFv4.2\n##x=" + strings.Repeat("y", 700_000) + "\n#CHROM\tPOS\tID\tREF\tALT\n"
	lines := []string{"1\t5\ta\tC\tG", "1\t6\tb\tC\tG\t.\t.\t." + strings.Repeat("\t0|1", 400_000), "1\t7\tc\tC\tG\t \t",
		"1\t8\td\tC\tG\tx" + strings.Repeat(" ", 1_100_000) + "x"}
	for _, end := range []string{"\n", "\r\n"} {
		text := strings.ReplaceAll(header+strings.Join(lines, "\n")+"\n", "\n", end)
		v := must.Get(genome.NewVCFReader(strings.NewReader(text), "v.vcf"))(t)
		v.Keep = true
		for i, line := range lines {
			if _, err := v.Next(); err != nil || string(v.Text()) != line {
				t.Errorf("line %d: %d letters, want %d, %v", i, len(v.Text()), len(line), err)
			}
		}
		if _, err := v.Next(); err != io.EOF || string(v.Header()) != header {
			t.Errorf("%v, header of %d letters, want %d", err, len(v.Header()), len(header))
		}
		v.Close()
	}
}

func TestVCFErrors(t *testing.T) {
	for _, c := range []struct{ why, text, want string }{
		{"empty", "", "v.vcf: the file is empty"},
		{"four columns", "1\t2\t.\tA\n", "v.vcf:1: 4 columns, want at least 5"},
		{"blanks for tabs", "1 2 . A C\n", "v.vcf:1: 1 column, want at least 5"},
		{"no position", "#x\n1\tx\t.\tA\tC\n", `v.vcf:2: POS is "x"`},
		{"a negative position", "1\t-2\t.\tA\tC\n", `POS is "-2"`},
		{"a huge position", "1\t99999999999999999999\t.\tA\tC\n", `POS is "99999999999999999999"`},
		{"no reference", "1\t2\t.\t.\tC\n", `REF is "."`},
		{"no base for reference", "1\t2\t.\tI\tC\n", `REF is "I"`},
		{"a deletion without the base before it", "1\t2\t.\tA\t-\n", `ALT is "-"`},
		{"a zero", "1\t2\t.\tA\t0\n", `ALT is "0"`},
		{"an empty column", "1\t2\t\tA\tC\n", "column ID is empty"},
		{"an empty allele", "1\t2\t.\tA\tC,\n", `ALT is ""`},
		{"a digit", "1\t2\t.\tA\tC1\n", `ALT is "C1"`},
		{"half a symbol", "1\t2\t.\tA\t<DEL\n", `ALT is "<DEL"`},
		{"half a breakend", "1\t2\t.\tA\tA[2:3\n", `ALT is "A[2:3"`},
		{"white space", "1 1\t2\t.\tA\tC\n", "white space in column CHROM"},
		{"other columns", "#CHROM\tPOS\tREF\tALT\tID\n", `v.vcf:1: column 3 is named "REF", want ID`},
		{"lone CR", "#CHROM\tPOS\tID\tREF\tALT\r1\t2\t.\tA\tC\r", "lone CR"},
		{"NUL", "1\t2\t\x00\tA\tC\n", "NUL byte in column ID"},
		{"truncated gzip", gzipText(strings.Repeat("1\t2\t.\tA\tC\n", 1000))[:40], "v.vcf: the gzip stream is cut off"},
	} {
		if _, err := readVCF(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.why, err, c.want)
		}
	}
	if _, err := genome.NewVCFReader(nil, "none.vcf"); err == nil || !strings.Contains(err.Error(), "none.vcf: no such file") {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := genome.NewVCFReader(nil, "."); err == nil {
		t.Error("a folder: no error")
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
			if v.Chrom == "" || v.ID == "" || !isSequence(v.Ref) || v.Pos < 0 || v.Line < 1 {
				t.Fatalf("%+v", v)
			}
			for _, a := range v.Alt {
				if a.Symbolic == isSequence(a.Text) {
					t.Fatalf("%+v", v)
				}
			}
		}
	})
}

// isSequence reports whether an allele is written in IUPAC letters.
func isSequence(allele string) bool {
	return allele != "" && strings.Trim(allele, "ACGTUNRYSWKMBDHVacgtunryswkmbdhv") == ""
}
