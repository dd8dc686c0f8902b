package model

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/classify"
)

// readDecision decodes the decision. Classes and machines are looked at one by one first, so that lists of elements that cannot
// be, or of more than belong together, are refused before memory is taken for them, and then none is taken that they do not fill.
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
	classes, err := countClasses(raw.Classes)
	if err != nil {
		return classify.Rule{}, err
	}
	machines, err := countMachines(raw.Machines, classes)
	if err != nil {
		return classify.Rule{}, err
	}
	d := classify.Rule{
		Classes: make([]string, classes), Scheme: raw.Scheme, Positive: raw.Positive, Separator: raw.Separator, Machines: make([]classify.Binary, machines),
	}
	err = eachElement("model header: classes", raw.Classes, func(i int, next *json.Decoder) error { return next.Decode(&d.Classes[i]) })
	if err != nil {
		return classify.Rule{}, err
	}
	err = eachElement("model header: machines", raw.Machines, func(i int, next *json.Decoder) error { return next.Decode(&d.Machines[i]) })
	return d, err
}

// countClasses decodes the classes once to see that they can be, and returns their number.
func countClasses(list json.RawMessage) (count int, err error) {
	var class string
	err = eachElement("model header: classes", list, func(i int, next *json.Decoder) error {
		if err := next.Decode(&class); err != nil {
			return fmt.Errorf("model header: class %d: %w", i, err)
		}
		if class == "" {
			return fmt.Errorf("model header: class %d has no name", i)
		}
		count++
		return nil
	})
	return count, err
}

// countMachines decodes the machines once to see that they can be, and returns their number.
func countMachines(list json.RawMessage, classes int) (count int, err error) {
	k := int64(classes)
	most := max(k, k*(k-1)/2)
	var m classify.Binary
	err = eachElement("model header: machines", list, func(i int, next *json.Decoder) error {
		if int64(i) >= most {
			return fmt.Errorf("model header: more than %d machines for %d classes", most, k)
		}
		m = classify.Binary{}
		if err := next.Decode(&m); err != nil {
			return fmt.Errorf("model header: machine %d: %w", i, err)
		}
		if m.Positive == m.Negative {
			return fmt.Errorf("model header: machine %d decides between class %d and itself", i, m.Positive)
		}
		count++
		return nil
	})
	return count, err
}
