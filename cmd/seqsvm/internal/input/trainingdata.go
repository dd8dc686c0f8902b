package input

import (
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TrainingData tells whether records are those that a model was trained on: by the model's sketch or, without one, by
// the checksum of all training data.
type TrainingData struct {
	model      *model.Model
	comparison *model.Comparison // nil without a sketch
	same       bool              // as the checksum says
}

// NewTrainingData begins a comparison with the training data of a model.
func NewTrainingData(m *model.Model) *TrainingData {
	d := &TrainingData{model: m}
	if m.Sketch != nil {
		d.comparison = m.Sketch.Compare()
	}
	return d
}

// Add adds records, of which a part is to be compared: all or some. The checksum is that of all.
func (d *TrainingData) Add(r *Records, part *stringkernel.Corpus) {
	if d.comparison != nil {
		d.comparison.Add(part)
		return
	}
	d.same = d.same || model.Checksum(r.Corpus, r.Labels) == d.model.Training.Checksum
}

// AddPiece adds a piece of a sequence that is not a record.
func (d *TrainingData) AddPiece(x []byte) {
	if d.comparison != nil {
		d.comparison.AddKmers(x)
	}
}

// Covered returns the share, in percent, of the k-mers of the training data that are in what was added; 0 if it is
// small, or not known.
func (d *TrainingData) Covered() float64 {
	if d.comparison == nil {
		return 0
	}
	if overlap := d.comparison.Overlap(); overlap.Covers() {
		return 100 * overlap.Covered
	}
	return 0
}

// Known says how much of what was added is training data, as in “3 of 10 records (30 %)”; "" if that is nothing, or by
// chance.
func (d *TrainingData) Known() string {
	if d.same {
		return "all records"
	}
	if d.comparison == nil {
		return ""
	}
	if overlap := d.comparison.Overlap(); overlap.Found() {
		return overlap.String()
	}
	return ""
}
