package page

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/vectors"
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
	Code    bool      // texts are sequences: letters of one width
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
	Code    bool            `json:"code,omitempty"`
	Numbers json.RawMessage `json:"numbers,omitempty"`
	Places  int             `json:"places,omitempty"` // decimals of the numbers
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
			Code: v.Code,
		}
		if v.Numbers != nil {
			list[k].Numbers, list[k].Places = numbersJSON(v.Numbers), Decimals(v.Numbers)
		}
	}
	return list
}

// digits is the number of significant digits of the greatest number of a column.
const digits = 5

// Decimals returns the number of decimals of all numbers of a column: as many as the greatest has with 5 significant
// digits, 0 if all are whole. What is not finite does not count.
func Decimals(values []float64) int {
	greatest, whole := 0.0, true
	for _, x := range values {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			greatest, whole = max(greatest, math.Abs(x)), whole && x == math.Trunc(x)
		}
	}
	if whole {
		return 0
	}
	_, exponent, _ := strings.Cut(strconv.FormatFloat(greatest, 'e', digits-1, 64), "e")
	e, _ := strconv.Atoi(exponent) // a number: it was written above
	return min(most, max(0, digits-1-e))
}

// most is the greatest number of decimals, beside which nothing is left of numbers near 1.
const most = 15

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
	greatest := vectors.Greatest(values)
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
