package table

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
)

// A row in JSON is an object by the names of the header, with numbers that read back as the same float64.
func TestTableJSON(t *testing.T) {
	var b strings.Builder
	tab := &Table{w: &b, json: true}
	tab.Header("id", Columns{"raw", []string{"a\"", "b"}}, "score", "n", "auroc", "none")
	third := 1.0 / 3
	tab.Row("<x>\t", []float64{third, math.NaN()}, 5e-324, 7, Metric(third), nil)
	const want = `{"id":"<x>\t","raw":{"a\"":0.3333333333333333,"b":null},"score":5e-324,"n":7,` +
		`"auroc":0.3333333333333333,"none":null}` + "\n"
	if b.String() != want || tab.Err != nil {
		t.Errorf("%s, %v, want %s", b.String(), tab.Err, want)
	}
	var back struct{ Raw map[string]float64 }
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back.Raw[`a"`] != third {
		t.Errorf("read back: %v, %v", back, err)
	}
}

// Tables have nine significant digits, or those of --digits; with 17 every number reads back.
func TestDigits(t *testing.T) {
	tenth := 0.1
	x := tenth + 0.2 // not the constant 0.3
	for digits, want := range map[int]string{
		0: "0.3\t0.3000\n", 3: "0.3\t0.3\n", 17: "0.30000000000000004\t0.30000000000000004\n",
	} {
		var b strings.Builder
		tab := &Table{w: &b, digits: digits}
		tab.Row(x, Metric(x))
		if b.String() != want {
			t.Errorf("%d digits: %q, want %q", digits, b.String(), want)
		}
	}
	if y, err := strconv.ParseFloat("0.30000000000000004", 64); err != nil || y != x {
		t.Errorf("%v reads back as %v, %v", x, y, err)
	}
}

// A metric below 1 is not written as 1, unless it is as near as rounding.
func TestDecimals(t *testing.T) {
	for x, want := range map[float64]string{
		1: "1.000", 0.9994: "0.999", 0.9995: "0.9995", 0.99996: "0.99996", 1 - 1e-7: "0.9999999", 1 - 1e-16: "1.000",
		0.5: "0.500", -0.9999: "-1.000", 1.5: "1.500", 0: "0.000",
	} {
		if got := Decimals(x, 3); got != want {
			t.Errorf("%v is %s, want %s", x, got, want)
		}
	}
}
