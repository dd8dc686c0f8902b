package figure

import (
	"math"
	"strconv"
)

// Ticks labels about so many round values of an axis: multiples of 1, 2 or 5 times a power of ten.
type Ticks int

// Ticks returns the ticks from least to most.
func (n Ticks) Ticks(least, most float64) []Tick {
	if !(most > least) || math.IsInf(most-least, 0) {
		return []Tick{{Value: least, Label: label(least, 0)}}
	}
	power := math.Floor(float64(math.Log10((most-least)/float64(n))) + 1e-9)
	for ; ; power++ {
		for _, leading := range []float64{1, 2, 5} {
			if ticks := every(leading, int(power), least, most); len(ticks) <= int(n)+1 {
				return ticks
			}
		}
	}
}

// every returns ticks at the multiples of leading·10^power.
func every(leading float64, power int, least, most float64) (ticks []Tick) {
	scale := math.Pow10(-power) // of values, so that multiples are whole
	slack := float64(1e-9 * (most - least) * scale)
	for k := math.Ceil((float64(least*scale) - slack) / leading); float64(k*leading) <= float64(most*scale)+slack; k++ {
		value := float64(k*leading) / scale
		ticks = append(ticks, Tick{Value: value, Label: label(value, max(0, -power))})
	}
	return ticks
}

// label writes a value of an axis, with a true minus.
func label(x float64, decimals int) string {
	if x == 0 {
		return "0"
	}
	format, size := byte('f'), math.Abs(x)
	if size >= 1e6 || decimals > 5 {
		format, decimals = 'g', -1
		x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	}
	s := strconv.FormatFloat(x, format, decimals, 64)
	if s[0] == '-' {
		return "\u2212" + s[1:]
	}
	return s
}
