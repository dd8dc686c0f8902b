package model

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/strictjson"
)

// readDecision decodes the decision. Machines are checked one by one, so that memory is allocated only for those that
// are possible, and for no more than the classes can have.
func readDecision(text json.RawMessage) (decide.Rule, error) {
	if len(text) == 0 {
		return decide.Rule{}, errors.New("decision: missing")
	}
	var raw struct {
		decide.Rule
		Machines json.RawMessage `json:"machines"`
	}
	if err := strictjson.Decode(text, &raw); err != nil {
		return decide.Rule{}, fmt.Errorf("decision: %w", err)
	}
	d := raw.Rule
	k := int64(len(d.Classes))
	most := max(k, k*(k-1)/2)
	if d.Process != nil {
		most = 1 + int64(d.Process.Rank)
	}
	err := strictjson.List(raw.Machines, "machine", func(i int, m decide.Binary) error {
		if int64(i) >= most {
			return fmt.Errorf("more than %d machines for %d classes", most, k)
		}
		if m.Positive == m.Negative {
			return fmt.Errorf("machine %d decides between class %d and itself", i, m.Positive)
		}
		d.Machines = append(d.Machines, m)
		return nil
	})
	return d, err
}
