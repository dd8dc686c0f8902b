package simd

// Counts are 32 numbers of 16 bits, number i in bits 16·(i mod 4) and up of word i/4.
type Counts [8]uint64

// SumCounts writes Σ_e times[e]·table[rows[e]], number by number, into sum; times nil: once each. No number of it may
// be 2¹⁶ or more.
func SumCounts(sum *Counts, table *[1 << 16]Counts, rows, times []uint16) {
	if len(rows) == 0 {
		*sum = Counts{}
		return
	}
	if times != nil {
		times = times[:len(rows)]
	}
	sumCounts(sum, table, rows, times)
}

// goSumCounts adds four numbers of a word at a time: none carries into the next.
func goSumCounts(sum *Counts, table *[1 << 16]Counts, rows, times []uint16) {
	var s0, s1, s2, s3, s4, s5, s6, s7 uint64
	if times == nil {
		for _, r := range rows {
			row := &table[r]
			s0 += row[0]
			s1 += row[1]
			s2 += row[2]
			s3 += row[3]
			s4 += row[4]
			s5 += row[5]
			s6 += row[6]
			s7 += row[7]
		}
	}
	for e, n := range times {
		row, n := &table[rows[e]], uint64(n)
		s0 += row[0] * n
		s1 += row[1] * n
		s2 += row[2] * n
		s3 += row[3] * n
		s4 += row[4] * n
		s5 += row[5] * n
		s6 += row[6] * n
		s7 += row[7] * n
	}
	*sum = Counts{s0, s1, s2, s3, s4, s5, s6, s7}
}
