package metrics

import (
	"encoding/json"
	"fmt"
	"math"
)

// Float is a float64 whose NaN is null in JSON: the undefined value of a metric.
// It prints with the verbs of a float64.
type Float float64

// Defined reports whether f is a value, not NaN.
func (f Float) Defined() bool { return !math.IsNaN(float64(f)) }

// MarshalJSON writes the shortest decimal that reads back to the same float64,
// or null for NaN. An infinite value, which no metric of a Report takes, is an
// error.
func (f Float) MarshalJSON() ([]byte, error) {
	if !f.Defined() {
		return []byte("null"), nil
	}
	text, err := json.Marshal(float64(f))
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	return text, nil
}
