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
