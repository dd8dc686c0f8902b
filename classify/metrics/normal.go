package metrics

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/elementary"
)

// TwoSided returns the probability that a standard normal variable is at least as far from 0 as z: 2·(1 − Φ(|z|)), to
// twelve digits. NaN for NaN.
func TwoSided(z float64) float64 {
	z = math.Abs(z)
	if z > 1e3 {
		return 0
	}
	density := math.Sqrt(2/math.Pi) * elementary.Exp(-float64(z*z)/2) // of |Z|
	if !(z >= 3) {
		// Φ(z) − ½ = φ(z)·(z + z³/3 + z⁵/(3·5) + …), Abramowitz & Stegun 26.2.11
		term, sum := z, z
		for k := 3.0; term > 1e-17*sum; k += 2 {
			term = float64(term * (float64(z*z) / k))
			sum += term
		}
		return 1 - float64(density*sum)
	}
	// 1 − Φ(z) = φ(z)/(z + 1/(z + 2/(z + 3/(z + …)))), 26.2.14
	fraction := z
	for k := 100.0; k >= 1; k-- {
		fraction = z + k/fraction
	}
	return density / fraction
}
