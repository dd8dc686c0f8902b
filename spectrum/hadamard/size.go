package hadamard

import "fmt"

// MaxWords is the largest number of entries of a table, 10⁸ (800 MB).
const MaxWords = 100_000_000

// Size returns the number of words of the given length on sigma letters, sigma^length: the length of the table Convolve
// works on. It refuses sigma < 2, length < 1 and tables of more than MaxWords entries.
func Size(sigma, length int) (int, error) {
	switch {
	case sigma < 2:
		return 0, fmt.Errorf("hadamard: sigma = %d letters, want ≥ 2", sigma)
	case length < 1:
		return 0, fmt.Errorf("hadamard: length = %d, want ≥ 1", length)
	}
	words := 1
	for range length {
		if words > MaxWords/sigma {
			return 0, fmt.Errorf("hadamard: sigma = %d, length = %d: more than %d words, want fewer or shorter",
				sigma, length, MaxWords)
		}
		words *= sigma
	}
	return words, nil
}
