// Package suggest finds the name that a mistyped one may stand for.
package suggest

import (
	"fmt"
	"slices"
	"strings"
)

// Hint is a question to put after an error about an unknown name, such as “; did you mean "spectrum"?”, or "" if none
// of the known names is near.
func Hint(unknown string, known []string) string {
	if name := Nearest(unknown, known); name != "" {
		return fmt.Sprintf("; did you mean %q?", name)
	}
	return ""
}

// Nearest returns the known name with the least distance from an unknown one, the first of several, or "" if about a
// third of its letters or more would have to change. Case does not count. A name of which the unknown one is the
// beginning is near, too, and before all others what a name of other programs is here.
//
// Time: O(len(unknown) · len(name)) per name.
func Nearest(unknown string, known []string) string {
	x := []rune(strings.ToLower(unknown))
	if len(x) == 0 {
		return ""
	}
	ours := foreign[string(x)]
	if name, _, _ := strings.Cut(strings.ReplaceAll(ours, " ", ":"), ":"); slices.Contains(known, name) {
		return ours
	}
	nearest, least := "", (len(x)+1)/3+1
	for _, name := range known {
		if d := distance(x, []rune(strings.ToLower(name))); d < least {
			nearest, least = name, d
		}
	}
	if nearest != "" || len(x) < 3 {
		return nearest
	}
	for _, name := range known {
		if strings.HasPrefix(strings.ToLower(name), string(x)) {
			return name
		}
	}
	return ""
}

// distance is the least number of letters to insert, drop, replace or exchange with the next that makes b of a, no
// letter being touched twice: the optimal string alignment distance (Boytsov 2011, doi:10.1145/1963190.1963191).
func distance(a, b []rune) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i, x := range a {
		row[0] = i + 1
		for j, y := range b {
			cost := 1
			if x == y {
				cost = 0
			}
			row[j+1] = min(above[j]+cost, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x == b[j-1] && a[i-1] == y {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
