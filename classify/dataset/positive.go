package dataset

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Words of class names that tell which of two classes is the positive one.
var (
	affirming = strings.Fields("yes true positive pos active case cases patient patients disease diseased sick affected " +
		"infected cancer tumor tumour malignant pathogenic abnormal mutant mutated bound binding binder binders signal " +
		"hit hits target present foreground fg peak peaks treated treatment responder responders resistant expressed " +
		"disordered on high strong")
	denying = strings.Fields("0 none false negative neg control controls background bg healthy normal benign " +
		"wild wildtype wt mock unlabeled unlabelled unknown other others rest random shuffled scrambled decoy decoys " +
		"noise absent silent susceptible off low weak")
	turningWords = strings.Fields("no not non without free") // deny the next word; free, at the end, the one before
	passedWords  = strings.Fields("a an any of the")         // between these and the word that they deny
	turningHeads = strings.Fields("non not no un in dis")    // deny the rest of a word
)

// PositiveOf returns the index of the positive one of two classes, given as [SortedClasses] returns them; of more, 1.
// The names decide, whatever their case; what is neither letter nor digit separates words:
//
//  1. Of two numbers the greater is positive: 1 of 0 and 1, or of -1 and 1.
//  2. Words that affirm (positive, active, case, disease, bound, signal, …), a number above 0, and a + at either end
//     of a name (+, +1, CD4+) are positive. Words that deny (negative, inactive, control, background, healthy, normal,
//     wild type, other, …), a number that is not above 0, and a - at either end are negative. So is a word
//     after no, not, non, without or free, the word before free at the end of a name (disease-free), and a known word
//     after in, un, non, no, not or dis, unless what is denied is negative itself: "not normal" is positive. An
//     affirming class wins over any other, and any other over a denying one.
//  3. A class named like the other one, but for non, not, no, un, in or dis before a word, is negative: nonbinding,
//     in-soluble, unstable.
//  4. Otherwise the second is positive.
func PositiveOf(classes []string) int {
	if len(classes) != 2 || isNumber(classes[0]) && isNumber(classes[1]) {
		return 1
	}
	first, second := meaning(classes[0]), meaning(classes[1])
	if first > second || first == second && denies(classes[1], classes[0]) {
		return 0
	}
	return 1
}

func isNumber(name string) bool {
	_, err := strconv.ParseFloat(name, 64)
	return err == nil
}

// meaning is 1 of a name that affirms, -1 of one that denies and 0 of any other.
func meaning(name string) int {
	name = strings.ReplaceAll(strings.TrimSpace(name), "−", "-")
	if x, err := strconv.ParseFloat(name, 64); err == nil {
		return cmp.Or(cmp.Compare(x, 0), -1)
	}
	switch {
	case strings.HasPrefix(name, "+") || strings.HasSuffix(name, "+"):
		return 1
	case strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-"):
		return -1
	}
	sum, last, denied := 0, 0, false // last is the meaning of the word before
	for _, word := range wordsOf(name) {
		switch {
		case slices.Contains(turningWords, word):
			denied = !denied
			continue
		case denied && slices.Contains(passedWords, word):
			continue
		}
		last = meaningOfWord(word)
		if denied {
			last, denied = cmp.Or(-last, -1), false
		}
		sum += last
	}
	if denied { // disease-free
		sum += cmp.Or(-2*last, -1)
	}
	return cmp.Compare(sum, 0)
}

func meaningOfWord(word string) int {
	switch {
	case slices.Contains(affirming, word):
		return 1
	case slices.Contains(denying, word):
		return -1
	}
	for _, head := range turningHeads {
		if rest, found := strings.CutPrefix(word, head); found {
			if m := meaningOfWord(rest); m != 0 {
				return -m
			}
		}
	}
	return 0
}

// denies reports whether name is that of the other class but for a denial before a word.
func denies(name, other string) bool {
	a, b := wordsOf(name), wordsOf(other)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	rest, denied := strings.Join(a, ""), strings.Join(b, "")
	return denied != "" && slices.ContainsFunc(turningHeads, func(head string) bool { return rest == head+denied })
}

// wordsOf returns the words of a name in lower case.
func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
