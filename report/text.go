package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// acronyms are names of metrics that are not words.
var acronyms = map[string]string{
	"auroc": "AUROC", "auprc": "AUPRC", "mcc": "MCC", "f1_macro": "F1, macro", "f1_micro": "F1, micro", "rmse": "RMSE",
	"mae": "MAE", "r2": "R²", "ndcg": "NDCG", "brier": "Brier score",
}

// title is the name of a metric for people.
func title(name string) string {
	if known := acronyms[name]; known != "" {
		return known
	}
	return capital(strings.ReplaceAll(name, "_", " "))
}

// capital begins a text with a capital letter.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// decimals writes a metric as other commands do, NA where it is undefined.
func decimals(x float64) string { return places(x, 4) }

// threeDecimals writes a metric to see first.
func threeDecimals(x float64) string { return places(x, 3) }

func places(x float64, n int) string {
	if math.IsNaN(x) {
		return "NA"
	}
	return minus(strconv.FormatFloat(x, 'f', n, 64))
}

// number writes a number with few digits.
func number(x float64) string { return minus(fmt.Sprintf("%.4g", x)) }

// minus writes the sign of a number as it is printed.
func minus(text string) string { return strings.ReplaceAll(text, "-", "−") }

// thousands writes a whole number in groups of three digits.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// some lists names, the first of many.
func some(names []string) string {
	const most = 12
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// counted writes how many of a thing there are.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}
