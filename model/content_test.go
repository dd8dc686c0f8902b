package model

import (
	"testing"

	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// What can be read of training records from a compiled model depends on its arrays, those of a term of a mean too.
func TestWhatArraysTell(t *testing.T) {
	for _, c := range []struct {
		names              []string
		rebuildable, lists bool
	}{
		{[]string{"outputs", "codes.8"}, false, false},
		{[]string{"outputs", stored.SparseRows}, false, true},
		{[]string{"outputs", stored.SparseRows, stored.SortedBlocks}, true, false},
		{[]string{"term0/outputs", "term1/" + stored.SparseRows}, false, true},
	} {
		m := new(Model)
		for _, name := range c.names {
			m.Arrays = append(m.Arrays, stringkernel.Array{Name: name})
		}
		if m.Rebuildable() != c.rebuildable || m.Listed() != c.lists {
			t.Errorf("%v: rebuildable %v, lists %v", c.names, m.Rebuildable(), m.Listed())
		}
	}
}
