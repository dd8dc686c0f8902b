package scan

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sort"
)

// FDR has the q-values of the discoveries in a genome.
//
// A discovery is a peak: a window that no better one is near, chosen as [Suppressor] does with both strands together.
// What is near a site is thus one discovery, and the rate is one of discoveries, not of windows, which come in clumps.
// Peaks are found in the same way where there is nothing to be found, under a [Null]. With M windows scored and H(t)
// peaks at t or above in the genome, n windows and D(t) peaks under the null,
//
//	F(t)   = (1 + D(t))/(1 + n)               false peaks per window, never estimated as 0
//	FDR(t) = min(1, M·F(t)/H(t))              expected share of false ones among the peaks at t or above
//	q(s)   = min over t ≤ s of FDR(t)         of a peak with score s
//
// M·F(t) takes all windows of the genome for windows without a site, which is nearly so and errs on the safe side. If
// the genome's false peaks and those of the null are exchangeable, this is the procedure of Benjamini and Hochberg with
// empirical p-values, and the peaks with q ≤ α have an expected share of at most α of false ones, however many
// negatives there are; if nothing is to be found, there is a discovery with a probability of at most α. The least q
// that a null can give rises with M/(n + 1): one that is as large as the genome finds ten sites at q ≤ 0.1, or none.
//
// Memory is 24 bytes per peak of the genome.
//
// Y. Benjamini, Y. Hochberg, Journal of the Royal Statistical Society B 57 (1995),
// doi:10.1111/j.2517-6161.1995.tb02031.x; S. Bates et al., Testing for outliers with conformal p-values, Annals of
// Statistics 51 (2023), doi:10.1214/22-AOS2244; A. Schwartzman et al., Multiple testing of local maxima for detection
// of peaks in 1D, Annals of Statistics 39 (2011), doi:10.1214/11-AOS943; J. E. Elias, S. P. Gygi, Nature Methods 4
// (2007), doi:10.1038/nmeth1019 (decoys); B. V. North et al., American Journal of Human Genetics 71 (2002),
// doi:10.1086/341527 (the 1 in F).
type FDR struct {
	peaks []float64 // scores of the genome's peaks, descending
	q     []float64 // of each
}

// EstimateFDR scans a genome and a null for their peaks: windows that begin less than distance letters, at least 1,
// from a better one are none. It returns an error if the null has no window. The genome is scanned once, its shuffles
// once for each copy.
func (s *Scanner) EstimateFDR(ctx context.Context, genome Source, null Null, distance int) (*FDR, error) {
	f := new(FDR)
	windows, err := s.peaks(ctx, genome, distance, func(score float64) { f.peaks = append(f.peaks, score) })
	if err != nil {
		return nil, err
	}
	slices.SortFunc(f.peaks, func(a, b float64) int { return cmp.Compare(b, a) })
	decoys := make([]int64, len(f.peaks)+1)
	nullWindows, err := s.nullPeaks(ctx, null, distance, func(score float64) { decoys[f.from(score)]++ })
	if err != nil {
		return nil, err
	}
	if nullWindows == 0 && windows > 0 {
		return nil, ErrNoNull
	}
	f.estimate(windows, decoys, nullWindows)
	return f, nil
}

// ErrNoNull is returned if there is no window to estimate false-discovery rates from.
var ErrNoNull = errors.New("scan: no window to estimate false-discovery rates from")

// from returns the index of the first peak with the score or a lower one.
func (f *FDR) from(score float64) int {
	return sort.Search(len(f.peaks), func(i int) bool { return f.peaks[i] <= score })
}

// estimate computes q, given how many peaks of the null have scores below the previous peak's and not below this one's.
func (f *FDR) estimate(windows int64, decoys []int64, nullWindows int64) {
	f.q = make([]float64, len(f.peaks))
	above := int64(0)
	for i := range f.peaks {
		above += decoys[i]
		rate := float64(1+above) / float64(1+nullWindows)
		f.q[i] = min(1, float64(float64(windows)*rate)/float64(i+1))
	}
	for i := len(f.q) - 2; i >= 0; i-- { // of peaks with one score the last counts them all, and has the least
		f.q[i] = min(f.q[i], f.q[i+1])
	}
}

// Q returns the q-value of a peak's score.
func (f *FDR) Q(score float64) float64 {
	if i := f.from(score); i < len(f.q) {
		return f.q[i]
	}
	return 1
}

// Least returns the least q-value of a peak, 1 if there is none.
func (f *FDR) Least() float64 {
	if len(f.q) == 0 {
		return 1
	}
	return f.q[0]
}

// Discoveries returns the number of peaks with a q-value of at most rate.
func (f *FDR) Discoveries(rate float64) int {
	return sort.Search(len(f.q), func(i int) bool { return f.q[i] > rate })
}

// Threshold returns the least score of a peak with a q-value of at most rate, +Inf if there is none.
func (f *FDR) Threshold(rate float64) float64 {
	if n := f.Discoveries(rate); n > 0 {
		return f.peaks[n-1]
	}
	return math.Inf(1)
}
