package lsgkm_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/lsgkm"
	"github.com/seqsvm/seqsvm/seqio"
)

// typed is a model typed by hand: gapped 3-mers of words of 4 letters.
const typed = `svm_type c_svc
kernel_type gkm_cnt
L 4
k 3
d 2
norc NORC
nr_class 2
total_sv 3
rho -0.25
label 7 -3
nr_sv 2 1
SV
0.5 ACGTTGCA
1.25e-1 ggaTTacaG
-2 CCATGN
`

// TestTypedModel computes decisions of a model typed by hand by the definition: pairs of words that share C(4 − m, 3)
// gapped 3-mers at m mismatches.
func TestTypedModel(t *testing.T) {
	for _, both := range []bool{true, false} {
		text := strings.Replace(typed, "norc NORC", "norc 0", 1)
		if !both {
			text = strings.Replace(typed, "norc NORC", "norc 1", 1)
		}
		f := must.Get(lsgkm.Read(strings.NewReader(text), "typed"))(t)
		if f.Replaced != 1 || string(f.Support.Seq(1)) != "GGATTACAG" || string(f.Support.Seq(2)) != "CCATGA" {
			t.Errorf("%d letters replaced, sequences %q and %q", f.Replaced, f.Support.Seq(1), f.Support.Seq(2))
		}
		m := must.Get(f.Model(t.Context(), model.Options{}))(t)
		c := must.Get(m.Classifier(t.Context()))(t)
		if got := c.Classes[c.Positive]; got != "7" || c.Classes[1-c.Positive] != "-3" {
			t.Errorf("classes %q, positive %q", c.Classes, got)
		}
		for _, x := range []string{"ACGTTGCA", "TTACAGGA", "GGNATTACAG", "CATG", "ACG", ""} {
			want := 0.25
			for i, coef := range []float64{0.5, 0.125, -2} {
				want += coef * cosine(string(f.Support.Seq(i)), x, both)
			}
			if got := c.Decide([]byte(x)).Scores[0]; math.Abs(got-want) > 1e-12 {
				t.Errorf("both strands %v, %q: %v, want %v", both, x, got, want)
			}
		}
	}
}

// cosine is the normalised kernel of the typed model.
func cosine(x, y string, both bool) float64 {
	norm := math.Sqrt(shared(x, x, both) * shared(y, y, both))
	if norm == 0 {
		return 0
	}
	return shared(x, y, both) / norm
}

// shared counts the gapped 3-mers that words of x and y share, on both strands of y if asked: as many as on both
// strands of both, but for a factor.
func shared(x, y string, both bool) float64 {
	if both {
		return shared(x, y, false) + shared(x, complement(y), false)
	}
	sum := 0.0
	for i := 0; i+4 <= len(x); i++ {
		for j := 0; j+4 <= len(y); j++ {
			u, v := x[i:i+4], y[j:j+4]
			same := 0
			for p := range 4 {
				if u[p] == v[p] {
					same++
				}
			}
			if !strings.Contains(u+v, "N") {
				sum += map[int]float64{4: 4, 3: 1}[same]
			}
		}
	}
	return sum
}

func complement(x string) string {
	var out strings.Builder
	for i := len(x) - 1; i >= 0; i-- {
		out.WriteByte(map[byte]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A', 'N': 'N'}[x[i]])
	}
	return out.String()
}

// good is a short model that is in order.
const good = "svm_type c_svc\nkernel_type gkm_esttrunc\nL 4\nk 3\nd 1\nnr_class 2\ntotal_sv 2\nrho 0.1\n" +
	"label 1 -1\nnr_sv 1 1\nSV\n1 ACGTA\n-1 CCGTA\n"

// regression is such a model of numbers.
var regression = strings.NewReplacer("c_svc", "epsilon_svr", "label 1 -1\nnr_sv 1 1\n", "").Replace(good)

func TestRead(t *testing.T) {
	for _, c := range []struct{ why, text string }{
		{"plain", good},
		{"CRLF", strings.ReplaceAll(good, "\n", "\r\n")},
		{"no last line end", strings.TrimSuffix(good, "\n")},
		{"blank lines", strings.ReplaceAll(good, "\n", "\n\n")},
		{"tabs", strings.ReplaceAll(good, " ", "\t")},
		{"gzip", gzipped(good)},
	} {
		f, err := lsgkm.Read(strings.NewReader(c.text), "m")
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		if f.KernelType != "gkm_esttrunc" || f.L != 4 || f.K != 3 || f.D != 1 || f.OneStrand || f.Rho != 0.1 ||
			f.Labels != [2]string{"1", "-1"} ||
			f.Counts != [2]int{1, 1} || len(f.Coef) != 2 || f.Coef[1] != -1 || string(f.Support.Seq(1)) != "CCGTA" ||
			f.Sigmoid != nil {
			t.Errorf("%s: %+v", c.why, f)
		}
	}
}

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func TestProbabilities(t *testing.T) {
	f := must.Get(lsgkm.Read(strings.NewReader(strings.Replace(good, "nr_sv", "probA -2\nprobB 0.5\nnr_sv", 1)), "m"))(t)
	m := must.Get(f.Model(t.Context(), model.Options{}))(t)
	c := must.Get(m.Classifier(t.Context()))(t)
	p := c.Decide([]byte("ACGTA"))
	if want := 1 / (1 + math.Exp(-2*p.Scores[0]+0.5)); math.Abs(p.Probabilities[0]-want) > 1e-12 {
		t.Errorf("probability of the first label %v, want %v", p.Probabilities[0], want)
	}
}

func TestReadRefuses(t *testing.T) {
	replace := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for _, c := range []struct{ why, text, want string }{
		{"empty", "", "m: the file is empty"},
		{"something else", ">a\nACGT\n", `m:1: not an LS-GKM model: it begins with ">a", want svm_type`},
		{"our own model", "SEQSVM\n\x1a", `begins with "SEQSVM"`},
		{"cut in the header", good[:43], "m:3: the file ends before the SV line"},
		{"another type", replace("c_svc", "nu_svr"), `m:1: svm_type "nu_svr", want c_svc (gkmtrain) or epsilon_svr`},
		{"labels of a regression", replace("c_svc", "epsilon_svr"),
			"m:11: key label on line 9 does not belong to a regression"},
		{"probabilities of a regression", strings.Replace(regression, "rho 0.1", "rho 0.1\nprobA 1", 1),
			"probA and probB are of classes"},
		{"an unknown kernel", replace("gkm_esttrunc", "gkm"), `m:2: kernel_type "gkm", want gkm_cnt`},
		{"an unknown key", replace("d 1", "e 1"), `m:5: unknown key "e"`},
		{"a key twice", replace("d 1", "k 1"), "m:5: key k is given twice, first on line 4"},
		{"no value", replace("d 1", "d"), "m:5: key d has 0 values, want 1"},
		{"two values", replace("L 4", "L 4 5"), "m:3: key L has 2 values, want 1"},
		{"no integer", replace("L 4", "L 4.5"), `m:3: L "4.5", want an integer`},
		{"L zero", replace("L 4", "L 0"), `m:3: L "0", want an integer, 1…`},
		{"d negative", replace("d 1", "d -1"), `m:5: d "-1"`},
		{"three classes", replace("nr_class 2", "nr_class 3"), `m:6: nr_class "3", want 2`},
		{"rho NaN", replace("rho 0.1", "rho nan"), `m:8: rho "nan", want a finite number`},
		{"one label", replace("label 1 -1", "label 1"), "m:9: key label has 1 values, want 2"},
		{"equal labels", replace("label 1 -1", "label 1 1"), `m:9: label "1" is given twice`},
		{"a label of letters", replace("label 1 -1", "label 1 b"), `m:9: label "b", want an integer`},
		{"norc two", replace("d 1\n", "d 1\nnorc 2\n"), `m:6: norc "2", want 0 (both strands) or 1`},
		{"a key missing", replace("rho 0.1\n", ""), "m:10: the header ends without key rho"},
		{"no weights of wgkm", replace("gkm_esttrunc", "wgkm"), "the header ends without key M"},
		{"weights of another kernel", replace("d 1\n", "d 1\nM 50\n"),
			"key M on line 6 does not belong to kernel_type gkm_esttrunc"},
		{"M too great", replace("gkm_esttrunc\n", "wgkm\nM 256\nH 1\n"), `m:3: M "256", want an integer, 1…255`},
		{"H zero", replace("gkm_esttrunc\n", "wgkm\nM 25\nH 0\n"), "H is 0 on line 4, want > 0"},
		{"probA alone", replace("rho 0.1\n", "rho 0.1\nprobA 1\n"), "probA and probB must be given together"},
		{"counts", replace("nr_sv 1 1", "nr_sv 1 2"), "nr_sv 1 2 on line 10 do not sum to total_sv 2"},
		{"negative counts", replace("nr_sv 1 1", "nr_sv 3 -1"), `m:10: nr_sv "-1"`},
		{"too few vectors", replace("-1 CCGTA\n", ""), "the file ends after 1 of 2 support vectors"},
		{"too many vectors", good + "1 AAAA\n", "m:14: more than the 2 support vectors"},
		{"no coefficient", replace("-1 CCGTA", "CCGTA"), "m:13: 1 fields, want 2"},
		{"coefficient NaN", replace("-1 CCGTA", "nan CCGTA"), `m:13: coefficient "nan"`},
		{"coefficient of letters", replace("-1 CCGTA", "x CCGTA"), `m:13: coefficient "x"`},
		{"a digit", replace("CCGTA", "CC9TA"), `m:13: '9' in the sequence, letter 3`},
		{"too short", replace("CCGTA", "CCG"), "m:13: a sequence of 3 letters, want at least L = 4"},
		{"white space", replace("CCGTA", "CC GTA"), "m:13: 3 fields"},
		{"cut gzip", gzipped(good)[:30], "m: the gzip stream is cut off"},
	} {
		_, err := lsgkm.Read(strings.NewReader(c.text), "m")
		var located *seqio.Error
		if err == nil || !errors.As(err, &located) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.why, err, c.want)
		}
	}
	if _, err := lsgkm.Read(nil, "testdata/none"); err == nil {
		t.Error("a missing file: no error")
	}
}

func TestModelRefuses(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"L 4\nk 3", "L 4\nk 5", "m: gapped: k = 5, want 1…4"},
		{"d 1", "d 5", "m: gapped: d = 5, want 0…l − k = 1"},
	} {
		f := must.Get(lsgkm.Read(strings.NewReader(strings.Replace(good, c.old, c.new, 1)), "m"))(t)
		if _, err := f.Model(t.Context(), model.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
}

// TestPlainDistance: LS-GKM takes any d with gkm_cnt; beyond L − k nothing is shared.
func TestPlainDistance(t *testing.T) {
	text := strings.Replace(strings.Replace(good, "gkm_esttrunc", "gkm_cnt", 1), "d 1", "d 4", 1)
	f := must.Get(lsgkm.Read(strings.NewReader(text), "m"))(t)
	if spec, err := f.Kernel(); err != nil || spec.String() != "gapped:l=4,k=3,d=1,filter=gapped,alphabet=dna,rc" ||
		!spec.Normalize {
		t.Errorf("%s, %v", spec, err)
	}
}

// A small compressed file may hold more support vectors than any machine: they are refused, with the line, before they
// take its memory.
func TestTooManyVectors(t *testing.T) {
	heaptest.Limit(t, 8<<20)
	const vectors = 200_000
	head, _, _ := strings.Cut(strings.NewReplacer("total_sv 2", "total_sv 200000", "nr_sv 1 1",
		"nr_sv 100000 100000").Replace(good), "SV\n")
	_, err := lsgkm.Read(strings.NewReader(head+"SV\n"+strings.Repeat("1 ACGTACGT\n", vectors)), "m")
	var large *memory.Error
	var located *seqio.Error
	if !errors.As(err, &large) || !errors.As(err, &located) || located.Line == 0 {
		t.Errorf("%v, want what memory is needed, and the line", err)
	}
}

// FuzzRead reads any bytes: an error of one line, or a model that scores.
func FuzzRead(f *testing.F) {
	f.Add([]byte(good))
	for _, name := range []string{"t0", "t1-R", "t2", "t3", "t4"} {
		text := must.Get(os.ReadFile("testdata/" + name + ".model.txt"))(f)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := lsgkm.Read(bytes.NewReader(data), "m")
		if err != nil {
			var located *seqio.Error
			if !errors.As(err, &located) || strings.ContainsAny(err.Error(), "\n\r\x00") {
				t.Fatalf("error %T %q", err, err)
			}
			return
		}
		if file.L > 6 {
			return // the table takes too long for a fuzzer
		}
		m, err := file.Model(t.Context(), model.Options{KeepSequences: len(data)%2 == 0})
		if err != nil {
			return
		}
		c := must.Get(m.Classifier(t.Context()))(t)
		for _, x := range []string{"", "ACGTNACGTACGTA", "acgt"} {
			if score := c.Decide([]byte(x)).Scores[0]; math.IsNaN(score) {
				t.Fatalf("score of %q is NaN", x)
			}
		}
	})
}
