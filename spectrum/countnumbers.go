package spectrum

import (
	"fmt"
	"slices"
	"sync"
)

// countNumbers gives counts numbers of 16 bits, and lists the value of each number: small counts are their own numbers,
// others have those that follow.
type countNumbers struct {
	presence bool // every count has the number 1, which is its value
	value    func(n uint32) float64
	values   []float64

	lock  sync.Mutex // of what follows, and of values
	large map[uint32]uint16
	err   error
}

// Counts below smallCounts are their own numbers.
const smallCounts = 1 << 11

func newCountNumbers(value func(n uint32) float64) *countNumbers {
	v := &countNumbers{value: value, values: make([]float64, smallCounts), large: map[uint32]uint16{}}
	for n := range v.values[1:] {
		v.values[n+1] = value(uint32(n + 1))
	}
	return v
}

// of returns the number of a count; without countNumbers it is the count itself.
func (v *countNumbers) of(n uint32) uint32 {
	switch {
	case v == nil || n < smallCounts && !v.presence:
		return n
	case v.presence:
		return min(n, 1)
	}
	v.lock.Lock()
	defer v.lock.Unlock()
	at, known := v.large[n]
	if !known {
		if len(v.values) > maxCount {
			v.err = fmt.Errorf("spectrum: k-mers occur in records in more than %d different numbers, want shorter records",
				maxCount)
			return 0
		}
		at = uint16(len(v.values))
		v.values, v.large[n] = append(v.values, v.value(n)), at
	}
	return uint32(at)
}

// square returns the square of the value of a count; without countNumbers it is that of the count.
func (v *countNumbers) square(n uint32) float64 {
	value := float64(n)
	if v != nil {
		value = v.value(n)
	}
	return float64(value * value)
}

// weigh lets numbers of counts, where an incidence has them, stand for their values.
func (v *countNumbers) weigh(inc *incidence) {
	if v != nil && len(inc.counts) > 0 {
		inc.values = v.values[:1+int(slices.Max(inc.counts))]
	}
}

// listed reports whether an incidence needs numbers.
func (v *countNumbers) listed() bool { return v != nil && !v.presence }
