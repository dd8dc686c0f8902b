package windows_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/windows"
)

func TestPlanErrors(t *testing.T) {
	g := memory{[]string{"a", "b"}, map[string]string{"a": strings.Repeat("CAGT", 20), "b": strings.Repeat("C", 80)}}
	good := windows.Plan{Upstream: 3, Downstream: 4, Motif: "AG", Sites: []windows.Site{{Seq: "a", Pos: 21, Strand: genome.Plus}},
		Train: windows.Decoys{Number: 1}, Anywhere: true, KeepDuplicates: true}
	mustCut(t, &good, g)
	for _, c := range []struct {
		why    string
		change func(p *windows.Plan)
		want   string
	}{
		{"upstream", func(p *windows.Plan) { p.Upstream = -1 }, "-1 letters upstream, want 0 to"},
		{"downstream", func(p *windows.Plan) { p.Downstream = 0 }, "0 letters downstream, want 1 to"},
		{"far downstream", func(p *windows.Plan) { p.Downstream = 1 << 40 }, "letters downstream, want 1 to"},
		{"motif longer", func(p *windows.Plan) { p.Downstream = 1 },
			"1 letters downstream, want at least the 2 of the consensus AG"},
		{"motif", func(p *windows.Plan) { p.Motif = "AX" }, `consensus "AX", want IUPAC codes`},
		{"distance", func(p *windows.Plan) { p.Distance = -1 }, "distance -1"},
		{"number", func(p *windows.Plan) { p.Train.Number = -1 }, "-1 decoys"},
		{"ratio", func(p *windows.Plan) { p.Test.Ratio = -1 }, "-1 per true window"},
		{"two splits", func(p *windows.Plan) { p.Split = windows.Split{Records: []string{"a"}, Block: 10} }, "cannot be combined"},
		{"short blocks", func(p *windows.Plan) { p.Split = windows.Split{Block: 6, Fraction: 0.5} },
			"blocks of 6 letters are shorter than windows of 7"},
		{"fraction", func(p *windows.Plan) { p.Split = windows.Split{Block: 10, Fraction: 1} }, "fraction of blocks for testing = 1"},
		// two records are two blocks, one without a site
		{"one block", func(p *windows.Plan) { p.Split = windows.Split{Block: 1000, Fraction: 0.5} }, ""},
		{"unknown record", func(p *windows.Plan) { p.Split = windows.Split{Records: []string{"c"}} }, `no record "c"`},
		{"unknown sequence", func(p *windows.Plan) { p.Sites[0].Seq = "c" }, `a site is on "c"`},
		{"no sites", func(p *windows.Plan) { p.Sites = nil }, "no true window for training; of 0 sites: none is there"},
		{"no consensus", func(p *windows.Plan) { p.Motif = "GG" },
			"no true window for training; of 1 sites: 1 without the consensus"},
		{"nothing to train on", func(p *windows.Plan) { p.Split = windows.Split{Records: []string{"a"}} },
			"no true window for training; of 1 sites: 1 in the other part"},
		{"nothing to test on", func(p *windows.Plan) { p.Split = windows.Split{Records: []string{"b"}} },
			"no true window for testing; of 1 sites"},
		{"no decoys", func(p *windows.Plan) { p.Anywhere = false },
			"no decoy for training; of 0 places with the consensus that are not sites: none is there"},
		{"too many", func(p *windows.Plan) { p.Train.Number = math.MaxInt },
			"9223372036854775807 decoys and 0 per true window, want numbers from 0 to 1099511627776"},
		{"all decoys nearer than any distance", func(p *windows.Plan) { p.Distance = math.MaxInt }, "too near a site"},
		{"all decoys near", func(p *windows.Plan) { p.Distance = 100 }, "too near a site"},
		{"a distance beyond the genome", func(p *windows.Plan) { p.Distance = math.MaxInt }, "too near a site"},
		{"a block beyond the genome", func(p *windows.Plan) { p.Split = windows.Split{Block: math.MaxInt, Fraction: 0.5} },
			"no true window for"},
	} {
		p := good
		p.Sites = slices.Clone(good.Sites)
		c.change(&p)
		_, err := p.Cut(t.Context(), g)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.why, err, c.want)
		}
		if err != nil && strings.HasSuffix(err.Error(), ", ") {
			t.Errorf("%s: %q ends in a comma", c.why, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := good.Cut(ctx, g); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}
