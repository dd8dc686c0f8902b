package hadamard_test

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/spectrum/hadamard"
)

// The words of three letters within one mismatch of AAA or ACG: A = 0, C = 1, G = 2, T = 3.
func Example() {
	const sigma, length = 4, 3
	words, err := hadamard.Size(sigma, length)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := make([]float64, words)
	x[0] = 1      // AAA
	x[1<<2|2] = 1 // ACG
	eigen := hadamard.Eigenvalues(sigma, length, []float64{1, 1, 0, 0})
	hadamard.Convolve(context.Background(), x, sigma, length, eigen)
	near := 0
	for _, v := range x {
		if v > 0 {
			near++
		}
	}
	fmt.Println("eigenvalues", eigen)
	fmt.Println("ACA", x[1<<2], "ACC", x[1<<2|1], "TTT", x[words-1])
	fmt.Println(near, "words")
	// Output:
	// eigenvalues [10 6 2 -2]
	// ACA 2 ACC 1 TTT 0
	// 18 words
}

// A function of distance is a kernel if none of its eigenvalues is negative. The eigenvalues of the clipped one give
// its h.
func ExampleEigenvalues() {
	h := []float64{1, 1, 0, 0}
	eigen := hadamard.Eigenvalues(4, 3, h)
	fmt.Println(eigen)
	for j, v := range eigen {
		eigen[j] = max(v, 0)
	}
	clipped := hadamard.Eigenvalues(4, 3, eigen)
	for m := range clipped {
		clipped[m] /= 64
	}
	fmt.Println(clipped)
	// Output:
	// [10 6 2 -2]
	// [1.84375 0.71875 0.09375 -0.03125]
}
