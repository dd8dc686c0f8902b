package simd

// RowWidth is what the number of columns of a table of rows must be a multiple of: see [GatherRows].
const RowWidth = 4

// rowLoops are the loops over rows of a table, on blocks of columns: of a multiple of RowWidth, at most rowBlock.
type rowLoops struct {
	gather  func(dst, table []float64, stride int, ids []uint32, values []float64)
	scatter func(table []float64, stride int, ids []uint32, values, by []float64)
}

// rowBlock is the number of columns whose sums are kept in registers.
const rowBlock = 32

// GatherRows writes Σ_e values[e]·row(ids[e]) into dst, where row i of the table is its len(dst) numbers from
// i·len(dst) on. Each sum is in order of e. len(dst) is a multiple of RowWidth.
func GatherRows(dst, table []float64, ids []uint32, values []float64) {
	width := len(dst)
	checkTable(width, table, ids, values)
	for lo := 0; lo < width; lo += rowBlock {
		hi := min(lo+rowBlock, width)
		if len(ids) == 0 {
			clear(dst[lo:hi])
			continue
		}
		rows.gather(dst[lo:hi], table[lo:], width, ids, values)
	}
}

// ScatterRows adds values[e]·by to row(ids[e]) for every e, in order: see [GatherRows]. len(by) is a multiple of
// RowWidth.
func ScatterRows(table []float64, ids []uint32, values, by []float64) {
	width := len(by)
	checkTable(width, table, ids, values)
	if len(ids) == 0 {
		return
	}
	for lo := 0; lo < width; lo += rowBlock {
		rows.scatter(table[lo:], width, ids, values, by[lo:min(lo+rowBlock, width)])
	}
}

// checkTable panics unless all rows are in the table, and each has a value.
func checkTable(width int, table []float64, ids []uint32, values []float64) {
	if width%RowWidth != 0 || width == 0 || len(values) < len(ids) {
		panic("simd: rows of another width")
	}
	most := uint32(0)
	for _, id := range ids {
		most = max(most, id)
	}
	if len(ids) > 0 && (int(most)+1)*width > len(table) {
		panic("simd: a row beyond the table")
	}
}

var goRows = rowLoops{
	gather: func(dst, table []float64, stride int, ids []uint32, values []float64) {
		values = values[:len(ids)]
		for ; len(dst) > 0; dst, table = dst[RowWidth:], table[min(RowWidth, len(table)):] {
			var s0, s1, s2, s3 float64
			for e, id := range ids {
				w, v := (*[RowWidth]float64)(table[int(id)*stride:]), values[e]
				s0 += float64(w[0] * v)
				s1 += float64(w[1] * v)
				s2 += float64(w[2] * v)
				s3 += float64(w[3] * v)
			}
			*(*[RowWidth]float64)(dst) = [RowWidth]float64{s0, s1, s2, s3}
		}
	},
	scatter: func(table []float64, stride int, ids []uint32, values, by []float64) {
		for e, id := range ids {
			row, value := table[int(id)*stride:][:len(by)], values[e]
			for m, b := range by {
				row[m] += float64(b * value)
			}
		}
	},
}
