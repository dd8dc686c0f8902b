package treekernel_test

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/treekernel"
)

// Fragments of a model that are made of what they cannot be made of are refused, before anything lists them.
func TestFragmentsThatNoTreeHas(t *testing.T) {
	const start, label, place = 0xfffffffe << 32, 1 << 31, 1 << 30
	for name, fragments := range map[string][]uint64{
		"a node alone with a fragment for a label": {start | label, start},
		"a node alone with a place for a label":    {start | label, start | place},
		"a label that is not there":                {start | label | 1},
		"a child that comes later":                 {start | label, 0<<32 | 1},
		"a fragment that comes later":              {start | label, 1<<32 | label},
		"a place that is not there":                {start | label, 0<<32 | place | 1},
		"a place of a later fragment":              {start | label, 0<<32 | place, 1 << 32, 2<<32 | label},
	} {
		places := []uint64{0}
		if strings.HasPrefix(name, "a place of") {
			places[0] = 3
		}
		_, err := treekernel.PTK{Lambda: 1, Mu: 1, Terminal: 1, Size: 3}.Restorer().Restore([]stringkernel.Array{
			{Name: "outputs", Data: []int32{1}},
			{Name: "labels", Data: []uint8("a")},
			{Name: "ends", Data: []uint64{1}},
			{Name: "fragments", Data: fragments},
			{Name: "places", Data: places},
			{Name: "weights", Data: make([]float64, len(fragments))},
		})
		if err == nil || !strings.Contains(err.Error(), "want earlier numbers") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
