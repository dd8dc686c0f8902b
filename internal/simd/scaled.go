package simd

// AddScaled adds Σ_s weights[s]·vectors[s][from+i] to dst[i] for every i, in order of s.
// It panics if a vector ends before that.
func AddScaled(dst []float64, vectors [][]float64, from int, weights []float64) {
	for _, v := range vectors[:len(weights)] {
		if from < 0 || from > len(v) || len(dst) > len(v)-from {
			panic("simd: entries outside a vector")
		}
	}
	addScaled(dst, vectors, from, weights)
}

// goAddScaled takes two vectors at a time: half as many sums are written.
func goAddScaled(dst []float64, vectors [][]float64, from int, weights []float64) {
	if len(weights)%2 == 1 {
		weight := weights[0]
		for i, x := range vectors[0][from:][:len(dst)] {
			dst[i] += float64(weight * x)
		}
		vectors, weights = vectors[1:], weights[1:]
	}
	for s := 0; s < len(weights); s += 2 {
		a, b, weightA, weightB := vectors[s][from:][:len(dst)], vectors[s+1][from:][:len(dst)], weights[s], weights[s+1]
		for i, sum := range dst {
			dst[i] = sum + float64(weightA*a[i]) + float64(weightB*b[i])
		}
	}
}
