package page

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Records is the table of records, which can be searched and sorted.
type Records struct {
	Text    string // what it shows
	Columns []Values
}

// Values are a column of the table of records, of one of three kinds, by what is not nil: texts, numbers, or classes,
// which can be chosen from a list.
type Values struct {
	Name    string
	Help    string
	Texts   []string
	Numbers []float64 // NaN is shown as no value
	Classes []string  // names
	Of      []int     // the class of each record
	Flag    int       // the class that is marked in the table, −1 for none
}

// len returns the number of records.
func (v *Values) len() int { return max(len(v.Texts), len(v.Numbers), len(v.Of)) }

// check returns an error unless the columns have a value of one kind for each record.
func (r *Records) check() error {
	if len(r.Columns) == 0 {
		return errors.New("page: records without columns")
	}
	n := r.Columns[0].len()
	for k := range r.Columns {
		v := &r.Columns[k]
		if v.len() != n || len(v.Texts)+len(v.Numbers)+len(v.Of) != n {
			return fmt.Errorf("page: column %q of %d records has %d values", v.Name, n,
				len(v.Texts)+len(v.Numbers)+len(v.Of))
		}
		for i, class := range v.Of {
			if class < 0 || class >= len(v.Classes) {
				return fmt.Errorf("page: record %d has class %d of %d in column %q", i, class, len(v.Classes), v.Name)
			}
		}
	}
	return nil
}

// valuesJSON is a column as the script reads it.
type valuesJSON struct {
	Name    string          `json:"name"`
	Help    string          `json:"help,omitempty"`
	Texts   []string        `json:"texts,omitempty"`
	Numbers json.RawMessage `json:"numbers,omitempty"`
	Classes []string        `json:"classes,omitempty"`
	Of      []int           `json:"of,omitempty"`
	Flag    int             `json:"flag"`
}

func (r *Records) json() []valuesJSON {
	if r == nil {
		return nil
	}
	list := make([]valuesJSON, len(r.Columns))
	for k := range r.Columns {
		v := &r.Columns[k]
		list[k] = valuesJSON{
			Name: clip(v.Name), Help: v.Help, Texts: clipAll(v.Texts), Classes: clipAll(v.Classes), Of: v.Of, Flag: v.Flag,
		}
		if v.Numbers != nil {
			list[k].Numbers = numbersJSON(v.Numbers)
		}
	}
	return list
}

// digits is the number of significant digits of a number in the table of records.
const digits = 5

// numbersJSON is an array of numbers of a few digits, null for what is not finite.
func numbersJSON(values []float64) json.RawMessage {
	text := []byte{'['}
	for i, x := range values {
		if i > 0 {
			text = append(text, ',')
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			text = append(text, "null"...)
			continue
		}
		text = strconv.AppendFloat(text, rounded(x), 'g', -1, 64)
	}
	return append(text, ']')
}

// rounded rounds to a few significant digits.
func rounded(x float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		return x
	}
	return r
}
