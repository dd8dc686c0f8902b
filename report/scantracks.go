package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/scan"
)

// ScanTracks is a picture of the windows of a scan: for each record the greatest score of the windows that begin at a
// position, or in a bin of positions, and marks where windows are if they are few. Add windows in any order. Memory is
// that of a few hundred numbers per record.
type ScanTracks struct {
	Title     string   // what the scores are of
	Threshold *float64 // drawn as a line
	records   []*scanTrack
	left      int // records without room
	last      string
}

const (
	mostBins   = 480 // of a record
	mostMarks  = 60  // of a record
	mostTracks = 24
)

// scanTrack is the windows of one record.
type scanTrack struct {
	name  string
	step  int       // positions of a bin
	bins  []float64 // greatest score; NaN without a window
	spans [][2]int  // of windows, in letters; nil if there are too many
	count int
	end   int // of the last window
}

// Add adds a window.
func (s *ScanTracks) Add(r scan.Region) {
	i := slices.IndexFunc(s.records, func(k *scanTrack) bool { return k.name == r.Record })
	if i < 0 {
		if len(s.records) == mostTracks {
			if r.Record != s.last {
				s.left, s.last = s.left+1, r.Record
			}
			return
		}
		i, s.records = len(s.records), append(s.records, &scanTrack{name: r.Record, step: 1})
	}
	s.records[i].add(r)
}

// Left returns the number of records for which there was no room.
func (s *ScanTracks) Left() int { return s.left }

func (k *scanTrack) add(r scan.Region) {
	for r.Start/k.step >= mostBins {
		k.coarsen()
	}
	for r.Start/k.step >= len(k.bins) {
		k.bins = append(k.bins, math.NaN())
	}
	bin := &k.bins[r.Start/k.step]
	if math.IsNaN(*bin) || r.Score > *bin {
		*bin = r.Score
	}
	if k.count++; k.count <= mostMarks {
		k.spans = append(k.spans, [2]int{r.Start, r.End})
	} else {
		k.spans = nil
	}
	k.end = max(k.end, r.End)
}

// coarsen joins bins in pairs.
func (k *scanTrack) coarsen() {
	joined := make([]float64, (len(k.bins)+1)/2)
	for i := range joined {
		joined[i] = k.bins[2*i]
		if 2*i+1 < len(k.bins) && !(joined[i] >= k.bins[2*i+1]) && !math.IsNaN(k.bins[2*i+1]) {
			joined[i] = k.bins[2*i+1]
		}
	}
	k.bins, k.step = joined, 2*k.step
}

// Figure is the picture.
func (s *ScanTracks) Figure() figure.Figure {
	grid := figure.Grid{Columns: 1}
	for _, k := range s.records {
		grid.Panels = append(grid.Panels, k.profile(s))
	}
	return grid
}

func (k *scanTrack) profile(s *ScanTracks) figure.Profile {
	p := figure.Profile{
		Title: k.name, Note: fmt.Sprintf("%s, %d windows", s.Title, k.count), XName: "position of the first letter",
		YName: "score", Step: k.step, Values: slices.Clone(k.bins), Threshold: s.Threshold,
	}
	for len(p.Values)*k.step < k.end {
		p.Values = append(p.Values, math.NaN())
	}
	for _, span := range k.spans {
		p.Spans = append(p.Spans, figure.Span{From: span[0] / k.step, To: (span[1]-1)/k.step + 1})
	}
	return p
}
