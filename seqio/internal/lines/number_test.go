package lines_test

import (
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

func TestCanonicalNumber(t *testing.T) {
	big1, zeros := strings.Repeat("1234567890", 12)+"1", strings.Repeat("0", 1000)
	for text, want := range map[string]string{
		"1": "1", "1.0": "1", "1e0": "1", "10E-1": "1", "+1": "1", "01": "1", "1.": "1", "0.1e1": "1", "-1.0": "-1",
		"0": "0", "-0": "0", "0.0": "0", "0e99999999": "0", "-0.00e-5": "0",
		"0.50": "0.5", ".5": "0.5", "5e-1": "0.5", "12.340": "12.34", "1234e-2": "12.34", "1e-3": "0.001",
		"1.5e3": "1500", "9007199254740993": "9007199254740993", "9007199254740993.0": "9007199254740993",
		big1: big1, big1 + ".00": big1, "1e1000": "1" + zeros, "1" + zeros + "0": "1e1001", "1e1001": "1e1001",
		"10e1000": "1e1001", "1e-1001": "0." + zeros + "1", "1e-1002": "1e-1002", "0.1e-1001": "1e-1002",
	} {
		if got, ok := lines.CanonicalNumber(text); !ok || got != want {
			t.Errorf("%.40s: %.40s, want %.40s", text, got, want)
		}
	}
	for _, text := range []string{"", ".", "-", "e1", "1e", "1e+", "0x1", "1_0", "NaN", "inf", "1 ", "1,0", "1e99999999999999999999",
		"10e9223372036854775807", "1e-9223372036854775808"} {
		if got, ok := lines.CanonicalNumber(text); ok {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// The canonical number has the value of the text, exactly, and is its own canonical number.
func FuzzCanonicalNumber(f *testing.F) {
	for _, text := range []string{"1.0", "-0.0e5", "12.50e-3", "1e1001", "00.100", "+7"} {
		f.Add(text)
	}
	long := regexp.MustCompile(`[eE][+-]?0*[0-9]{5,}`)
	f.Fuzz(func(t *testing.T, text string) {
		canonical, ok := lines.CanonicalNumber(text)
		if !ok {
			return
		}
		if again, ok := lines.CanonicalNumber(canonical); !ok || again != canonical {
			t.Fatalf("%q: %q, of which %q", text, canonical, again)
		}
		if long.MatchString(text) {
			return
		}
		want, _ := new(big.Rat).SetString(text)
		got, _ := new(big.Rat).SetString(canonical)
		if want == nil || got == nil || got.Cmp(want) != 0 {
			t.Fatalf("%q: %q", text, canonical)
		}
	})
}
