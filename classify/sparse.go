package classify

import (
	"github.com/seqsvm/seqsvm/stringkernel"
)

// sparse is the Gram matrix of explicit rows, of which some columns may be left out. It is a stringkernel.Features.
type sparse struct {
	width  int
	ends   []int // behind row i
	ids    []uint32
	values []float64
}

// vocabulary numbers features in the order in which training records have them.
type vocabulary struct {
	names  []string
	number map[string]uint32
}

// rowsOf lists the features of the records of a corpus. Features that are new are added to the vocabulary if it is open, else left out.
func (v *vocabulary) rowsOf(k stringkernel.Enumerator, c *stringkernel.Corpus, open bool) *sparse {
	s := new(sparse)
	for i := range c.Len() {
		k.EachFeature(c.Seq(i), func(name string, value float64) {
			id, known := v.number[name]
			if !known && open {
				id, known = uint32(len(v.names)), true
				v.number[name] = id
				v.names = append(v.names, name)
			}
			if known {
				s.ids, s.values = append(s.ids, id), append(s.values, value)
			}
		})
		s.ends = append(s.ends, len(s.ids))
	}
	s.width = len(v.names)
	return s
}

// without returns the matrix of the columns that are kept, under the same numbers.
func (s *sparse) without(kept []bool) *sparse {
	r := &sparse{width: s.width}
	for i := range s.ends {
		ids, values := s.row(i)
		for e, id := range ids {
			if kept[id] {
				r.ids, r.values = append(r.ids, id), append(r.values, values[e])
			}
		}
		r.ends = append(r.ends, len(r.ids))
	}
	return r
}

func (s *sparse) row(i int) (ids []uint32, values []float64) {
	lo := 0
	if i > 0 {
		lo = s.ends[i-1]
	}
	return s.ids[lo:s.ends[i]], s.values[lo:s.ends[i]]
}

// Len returns the number of rows.
func (s *sparse) Len() int { return len(s.ends) }

// Width returns the number of columns, those left out included.
func (s *sparse) Width() int { return s.width }

// FeatureRows returns the rows, which the matrix is itself.
func (s *sparse) FeatureRows() stringkernel.FeatureRows { return s }

// Scatter adds a times row i.
func (s *sparse) Scatter(t []float64, i int, a float64) {
	ids, values := s.row(i)
	for e, id := range ids {
		t[id] += float64(a * values[e])
	}
}

// Gather returns the inner product of a table and row i.
func (s *sparse) Gather(t []float64, i int) (sum float64) {
	ids, values := s.row(i)
	for e, id := range ids {
		sum += float64(t[id] * values[e])
	}
	return sum
}

// Own writes zeros: every feature is in the rows.
func (s *sparse) Own(dst []float64) { clear(dst[:s.Len()]) }

// AppendRow appends row i.
func (s *sparse) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	rowIDs, rowValues := s.row(i)
	return append(ids, rowIDs...), append(values, rowValues...)
}

// Diag writes the squares of the rows' lengths.
func (s *sparse) Diag(dst []float64) {
	for i := range s.ends {
		_, values := s.row(i)
		dst[i] = dot(values, values)
	}
}

// Row writes the inner products with row i.
func (s *sparse) Row(dst []float64, i int) {
	t := make([]float64, s.width)
	s.Scatter(t, i, 1)
	for j := range s.ends {
		dst[j] = s.Gather(t, j)
	}
}

// MulVecTo writes K·v.
func (s *sparse) MulVecTo(dst, v []float64) {
	t := make([]float64, s.width)
	for i, a := range v {
		if a != 0 {
			s.Scatter(t, i, a)
		}
	}
	for j := range s.ends {
		dst[j] = s.Gather(t, j)
	}
}

// DenseRows returns the Gram matrix of rows of numbers, all of one length, as explicit features. It copies what is not 0.
func DenseRows(rows [][]float64) stringkernel.Features {
	s := new(sparse)
	for _, row := range rows {
		s.width = max(s.width, len(row))
		for id, value := range row {
			if value != 0 {
				s.ids, s.values = append(s.ids, uint32(id)), append(s.values, value)
			}
		}
		s.ends = append(s.ends, len(s.ids))
	}
	return s
}
