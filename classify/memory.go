package classify

import (
	"fmt"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// The memory that a record costs per binary machine: its sign, coefficient and decision value, and copies of them in a
// model and in its merged scorer; with a calibration, its place and sign in each fold too.
const (
	machineRecordBytes    = 64
	calibratedRecordBytes = 224
)

// recordBytes returns the memory of a record of a machine.
func (t Trainer) recordBytes() float64 {
	if t.Probability || t.Loss == LossLogistic {
		return calibratedRecordBytes
	}
	return machineRecordBytes
}

// machineBytes estimates the memory of the machines of a data set. It is the product of two figures of the data, which
// a wrong column of labels makes larger than any computer.
func (t Trainer) machineBytes(d *Dataset) float64 {
	return t.scheme(d).bytes(t, float64(d.Len()), float64(len(d.Classes)))
}

// checkSize refuses data whose machines would not fit into memory.
func (t Trainer) checkSize(d *Dataset) error {
	if err := memory.Check(t.machineBytes(d)); err != nil {
		return fmt.Errorf("classify: %d classes of %d records (%s) need %w", len(d.Classes), d.Len(),
			t.scheme(d).name, err)
	}
	return nil
}
