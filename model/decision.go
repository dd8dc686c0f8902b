package model

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/classify"
)

// readDecision decodes the decision. Classes and machines are checked one by one, so that memory is allocated only for
// elements that are possible, and for no more machines than the classes can have.
func readDecision(text json.RawMessage) (classify.Rule, error) {
	if len(text) == 0 {
		return classify.Rule{}, errors.New("model header: decision: missing")
	}
	var raw struct {
		Classes   json.RawMessage `json:"classes"`
		Scheme    string          `json:"scheme"`
		Positive  int             `json:"positive"`
		Separator string          `json:"separator"`
		Machines  json.RawMessage `json:"machines"`
	}
	if err := strictDecode(text, &raw); err != nil {
		return classify.Rule{}, fmt.Errorf("model header: decision: %w", err)
	}
	d := classify.Rule{Scheme: raw.Scheme, Positive: raw.Positive, Separator: raw.Separator}
	err := eachElement("model header: classes", raw.Classes, func(i int, next *json.Decoder) error {
		var class string
		if err := next.Decode(&class); err != nil {
			return fmt.Errorf("model header: class %d: %w", i, err)
		}
		if class == "" {
			return fmt.Errorf("model header: class %d has no name", i)
		}
		d.Classes = append(d.Classes, class)
		return nil
	})
	if err != nil {
		return classify.Rule{}, err
	}
	k := int64(len(d.Classes))
	most := max(k, k*(k-1)/2)
	err = eachElement("model header: machines", raw.Machines, func(i int, next *json.Decoder) error {
		if int64(i) >= most {
			return fmt.Errorf("model header: more than %d machines for %d classes", most, k)
		}
		var m classify.Binary
		if err := next.Decode(&m); err != nil {
			return fmt.Errorf("model header: machine %d: %w", i, err)
		}
		if m.Positive == m.Negative {
			return fmt.Errorf("model header: machine %d decides between class %d and itself", i, m.Positive)
		}
		d.Machines = append(d.Machines, m)
		return nil
	})
	return d, err
}
