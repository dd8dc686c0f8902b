package metrics

// McNemar returns the two-sided p-value of the exact test that two classifiers are equally often right, by the records
// that only the first and only the second gets right: the probability that a fair coin is as uneven or more. O(n).
//
// Q. McNemar, Note on the sampling error of the difference between correlated proportions or percentages, Psychometrika
// 12 (1947), doi:10.1007/BF02295996.
func McNemar(onlyA, onlyB int) float64 {
	n := onlyA + onlyB
	tail, all, term := 0.0, 0.0, 1.0 // term: the binomial coefficient of k over the middle one
	for k := n / 2; k >= 0; k-- {
		if all += term; 2*k != n {
			all += term
		}
		if k <= min(onlyA, onlyB) {
			tail += term
		}
		term *= float64(k) / float64(n-k+1)
	}
	return min(1, 2*tail/all)
}
