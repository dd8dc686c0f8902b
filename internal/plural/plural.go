// Package plural writes numbers of things.
package plural

import (
	"fmt"
	"strings"
)

// Of writes how many of a thing there are: 1 record, 2 records, 2 classes.
func Of(n int, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "s"):
		return fmt.Sprintf("%d %ses", n, thing)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Quoted joins names for a message: the first of them, each cut if it is long.
func Quoted(names []string) string {
	const most = 12
	text := fmt.Sprintf("%.80q", names[:min(most, len(names))])
	if len(names) > most {
		text += fmt.Sprintf(" … (%d in all)", len(names))
	}
	return text
}

// Beginning quotes the first bytes of a piece of a text.
func Beginning(piece []byte) string {
	const most = 40
	if len(piece) > most {
		return fmt.Sprintf("%q…", piece[:most])
	}
	return fmt.Sprintf("%q", piece)
}
