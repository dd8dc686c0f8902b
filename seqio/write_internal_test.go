package seqio

import (
	"strings"
	"testing"
)

func TestIDTable(t *testing.T) {
	var table idTable
	known := map[string]int{}
	for i := range 20000 {
		id := strings.Repeat("x", i%3) + string(rune('0'+i%7919))
		first, isNew := table.add(id)
		want, found := known[id]
		if !found {
			want = len(known)
			known[id] = want
		}
		if first != want || isNew == found {
			t.Fatalf("%q: %d %t, want %d %t", id, first, isNew, want, !found)
		}
	}
}
