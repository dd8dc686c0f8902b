package main

import (
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/report/figure"
)

// trackPicture is the contributions of the first records, as many as there is room for.
type trackPicture struct {
	figure.Grid
	rows, drawn, records int
}

// mostTrackRows is the number of rows of letters in a picture: some thousand pixels of height.
const mostTrackRows = 60

// draw adds the contributions of a record to the picture, if there is one and it has room.
func (e *explanation) draw(id string, r explained) {
	k := e.tracks
	if k == nil {
		return
	}
	k.records++
	rows := figure.Rows(len(r.letters))
	if k.rows+rows > mostTrackRows && k.drawn > 0 || k.drawn < k.records-1 {
		return
	}
	track := figure.Track{
		Title: id, Note: fmt.Sprintf("class %s, decision %.4g", e.Classifier.Classes[r.Class], r.Decision),
		Alphabet: e.Suspects.Spec.Alphabet(), Letters: slices.Clone(r.letters), Values: r.Contributions,
	}
	if rows > mostTrackRows {
		most := mostTrackRows * figure.RowLetters
		track.Letters, track.Values = track.Letters[:most], track.Values[:most]
		track.Note += fmt.Sprintf("; the first %d of %d letters", most, len(r.letters))
		rows = mostTrackRows
	}
	k.Columns = 1
	k.rows, k.drawn, k.Panels = k.rows+rows, k.drawn+1, append(k.Panels, track)
}

// warn says how many records had no room.
func (k *trackPicture) warn(c *cli.Call) {
	if k.drawn < k.records {
		c.Warn("the picture has the first %d of %d records: it has room for %d rows of %d letters", k.drawn, k.records,
			mostTrackRows, figure.RowLetters)
	}
}
