// Package matrix writes matrices row by row: NumPy's .npy, tab-separated values, lines of JSON and LIBSVM's
// precomputed kernels; and whole arrays as NumPy's .npz.
package matrix

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Writer writes a matrix of fixed shape a row at a time, so that a Gram matrix never has to fit in memory.
type Writer interface {
	// WriteRow writes row i (0-based). Rows come in order, each with as many entries as the matrix has columns.
	WriteRow(i int, row []float64) error
	// Close writes out what is buffered. It is an error if rows are missing. It does not close the underlying writer.
	Close() error
}

// NewNPY returns a writer of NumPy's .npy format, version 1.0: rows × cols float64, little-endian, C order. The header
// is written at once.
func NewNPY(w io.Writer, rows, cols int) (Writer, error) {
	if err := checkShape(rows, cols); err != nil {
		return nil, err
	}
	m := newMatrix(w, rows, cols, appendNPY)
	m.out.WriteString(NPYHeader("<f8", rows, cols))
	return m, m.out.Flush()
}

// NewTSV returns a writer of tab-separated values: unless it is left out, a header line with an empty cell and the column
// ids, then per row its id and its values, each with a number of significant digits or, if that is −1, the shortest
// decimal that reads back as the same float64.
func NewTSV(w io.Writer, header bool, rowIDs, colIDs []string, digits int) (Writer, error) {
	for _, ids := range [][]string{rowIDs, colIDs} {
		if i := slices.IndexFunc(ids, func(id string) bool { return strings.ContainsAny(id, "\t\r\n") }); i >= 0 {
			return nil, fmt.Errorf("matrix: id %s has a tab or line end, which TSV cannot hold", lines.Quote(ids[i]))
		}
	}
	m := newMatrix(w, len(rowIDs), len(colIDs), func(dst []byte, i int, row []float64) ([]byte, error) {
		return appendTSV(dst, rowIDs[i], row, digits), nil
	})
	if header {
		fmt.Fprintf(m.out, "\t%s\n", strings.Join(colIDs, "\t"))
	}
	return m, m.out.Flush()
}

// NewJSON returns a writer of a JSON object per row and line, with the row's id and its values: the shortest decimals
// that read back as the same float64. A value that is not finite is null.
func NewJSON(w io.Writer, rowIDs []string, cols int) (Writer, error) {
	if err := checkShape(len(rowIDs), cols); err != nil {
		return nil, err
	}
	return newMatrix(w, len(rowIDs), cols, func(dst []byte, i int, row []float64) ([]byte, error) {
		return appendJSON(dst, rowIDs[i], row)
	}), nil
}

// NewLIBSVM returns a writer of LIBSVM's format for precomputed kernels (svm-train -t 4): per row “label 0:i 1:k1 2:k2
// …” with the row number i, which begins at first, and every value, zeros too, since LIBSVM finds them by position.
// Labels are numbers, "" is written as 0; see [ClassNumbers] for names. A value that is not finite is an error.
func NewLIBSVM(w io.Writer, labels []string, first, cols int) (Writer, error) {
	if err := checkShape(len(labels), cols); err != nil {
		return nil, err
	}
	if err := checkNumbers(labels); err != nil {
		return nil, err
	}
	m := newMatrix(w, len(labels), cols, func(dst []byte, i int, row []float64) ([]byte, error) {
		return appendLIBSVM(dst, labels[i], first+i, row)
	})
	return m, nil
}

// checkNumbers returns an error unless all labels are numbers or "".
func checkNumbers(labels []string) error {
	if i := slices.IndexFunc(labels, func(label string) bool { return label != "" && !isNumber(label) }); i >= 0 {
		return fmt.Errorf("matrix: label %s of row %d is not a number, as LIBSVM needs", lines.Quote(labels[i]), i+1)
	}
	return nil
}

// ClassNumbers returns labels as LIBSVM wants them: the labels themselves if all are numbers or "", else the 1-based
// rank of each among the sorted distinct names, which are returned too ("" keeps "").
func ClassNumbers(labels []string) (numbers, names []string) {
	names = slices.DeleteFunc(slices.Clone(labels), func(label string) bool { return label == "" })
	if !slices.ContainsFunc(names, func(label string) bool { return !isNumber(label) }) {
		return slices.Clone(labels), nil
	}
	slices.Sort(names)
	names = slices.Compact(names)
	numbers = make([]string, len(labels))
	for i, label := range labels {
		if rank, found := slices.BinarySearch(names, label); found {
			numbers[i] = strconv.Itoa(rank + 1)
		}
	}
	return numbers, names
}

// isNumber reports whether s is a finite decimal number.
func isNumber(s string) bool {
	v, err := strconv.ParseFloat(s, 64)
	return err == nil && !math.IsInf(v, 0) && !math.IsNaN(v) && !strings.ContainsAny(s, "xX_")
}

// matrix implements Writer for any way to encode a row.
type matrix struct {
	out        *bufio.Writer
	rows, cols int
	next       int // row expected next
	encode     func(dst []byte, i int, row []float64) ([]byte, error)
	line       []byte
}

func newMatrix(w io.Writer, rows, cols int, encode func([]byte, int, []float64) ([]byte, error)) *matrix {
	return &matrix{out: bufio.NewWriterSize(w, 64<<10), rows: rows, cols: cols, encode: encode}
}

func checkShape(rows, cols int) error {
	if rows < 0 || cols < 0 {
		return fmt.Errorf("matrix: matrix of %d × %d, want ≥ 0", rows, cols)
	}
	return nil
}

// WriteRow implements Writer.
func (m *matrix) WriteRow(i int, row []float64) error {
	if i >= m.rows {
		return fmt.Errorf("matrix: row %d written, want no more than %d rows", i, m.rows)
	}
	if i != m.next {
		return fmt.Errorf("matrix: row %d of %d written, want row %d", i, m.rows, m.next)
	}
	if len(row) != m.cols {
		return fmt.Errorf("matrix: row %d has %d entries, want %d", i, len(row), m.cols)
	}
	line, err := m.encode(m.line[:0], i, row)
	if err != nil {
		return err
	}
	m.line = line
	m.next++
	_, err = m.out.Write(line)
	return err
}

// Close implements Writer.
func (m *matrix) Close() error {
	if m.next < m.rows {
		return fmt.Errorf("matrix: %d of %d rows written", m.next, m.rows)
	}
	return m.out.Flush()
}

func appendNPY(dst []byte, _ int, row []float64) ([]byte, error) {
	for _, v := range row {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	return dst, nil
}

func appendTSV(dst []byte, id string, row []float64, digits int) []byte {
	dst = append(dst, id...)
	for _, v := range row {
		dst = append(dst, '\t')
		dst = strconv.AppendFloat(dst, v, 'g', digits, 64)
	}
	return append(dst, '\n')
}

func appendJSON(dst []byte, id string, row []float64) ([]byte, error) {
	name, err := json.Marshal(id)
	if err != nil {
		return nil, err
	}
	dst = append(append(append(dst, `{"id":`...), name...), `,"values":[`...)
	for j, v := range row {
		if j > 0 {
			dst = append(dst, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			dst = append(dst, "null"...)
		} else {
			dst = strconv.AppendFloat(dst, v, 'g', -1, 64)
		}
	}
	return append(dst, "]}\n"...), nil
}

func appendLIBSVM(dst []byte, label string, number int, row []float64) ([]byte, error) {
	label = cmp.Or(label, "0")
	dst = append(dst, label...)
	dst = append(dst, " 0:"...)
	dst = strconv.AppendInt(dst, int64(number), 10)
	for j, v := range row {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("matrix: entry %d of row %d is %v, which LIBSVM cannot read", j, number-1, v)
		}
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, int64(j+1), 10)
		dst = append(dst, ':')
		dst = strconv.AppendFloat(dst, v, 'g', -1, 64)
	}
	return append(dst, '\n'), nil
}
