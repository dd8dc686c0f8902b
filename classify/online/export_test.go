package online

// SetLeast sets the scale below which the decay is carried out, and returns that before.
func SetLeast(scale float64) (before float64) {
	before, least = least, scale
	return before
}
