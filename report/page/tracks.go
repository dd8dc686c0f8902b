package page

import (
	"fmt"
	"math"
)

// Tracks are contributions to the decisions on some records, in groups that the reader chooses from.
type Tracks struct {
	Text   string
	Groups []string
	Tracks []Track
}

// Track is what each letter, or each word, of a record adds to its decision.
type Track struct {
	Title  string
	Text   string // what is known of the record
	Group  int    // index into Tracks.Groups
	Record int    // row of Page.Records, counted from 0, −1 if it is not among them
	First  int    // position of the first unit in the record, counted from 1
	Of     int    // units of the record, of which the track may show a part
	// Either Letters, one byte per unit, or Words is given.
	Letters string
	Words   []string
	Values  []float64 // of each unit
}

// check returns an error unless each track has a value per unit.
func (t *Tracks) check() error {
	for i := range t.Tracks {
		one := &t.Tracks[i]
		if n := len(one.Letters) + len(one.Words); n != len(one.Values) || one.Letters != "" && one.Words != nil {
			return fmt.Errorf("page: track %d has %d units and %d values", i, n, len(one.Values))
		}
		if one.Group < 0 || one.Group >= len(t.Groups) {
			return fmt.Errorf("page: track %d is in group %d of %d", i, one.Group, len(t.Groups))
		}
	}
	return nil
}

// trackJSON is a track as the script reads it. The contribution of a unit is its value times the scale.
type trackJSON struct {
	Title   string   `json:"title"`
	Text    string   `json:"text"`
	Group   int      `json:"group"`
	Record  int      `json:"record"`
	First   int      `json:"first"`
	Of      int      `json:"of"`
	Letters string   `json:"letters,omitempty"`
	Words   []string `json:"words,omitempty"`
	Scale   float64  `json:"scale"`
	Values  []int    `json:"values"`
}

// steps is what the greatest contribution of a track is divided into.
const steps = 999

func (t *Tracks) json() []trackJSON {
	if t == nil {
		return nil
	}
	list := make([]trackJSON, len(t.Tracks))
	for i, one := range t.Tracks {
		list[i] = trackJSON{
			Title: clip(one.Title), Text: clip(one.Text), Group: one.Group, Record: one.Record, First: one.First, Of: one.Of,
			Letters: printable(one.Letters), Words: clipAll(one.Words),
		}
		list[i].Values, list[i].Scale = quantised(one.Values)
	}
	return list
}

// quantised returns whole numbers of which each times the scale is a value, to a part in 2·steps of the greatest.
func quantised(values []float64) (whole []int, scale float64) {
	greatest := 0.0
	for _, v := range values {
		greatest = max(greatest, math.Abs(v))
	}
	whole = make([]int, len(values))
	if greatest == 0 || math.IsInf(greatest, 0) || math.IsNaN(greatest) {
		return whole, 0
	}
	scale = rounded(greatest / steps)
	for i, v := range values {
		whole[i] = int(math.Round(v / scale))
	}
	return whole, scale
}

// printable replaces bytes that are no printable ASCII by a dot, so that a letter is a character.
func printable(letters string) string {
	text := []byte(letters)
	for i, b := range text {
		if b < ' ' || b > '~' {
			text[i] = '.'
		}
	}
	return string(text)
}
