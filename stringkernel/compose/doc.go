// Package compose makes kernels of kernels: [Normalized] (the cosine), [BothStrands] of DNA or RNA, [Part] of each
// sequence, the [Mean] and the [Product] of several, a [Function] such as [RBF] (the Gaussian of the distance), and the
// approximations [LowRank] and [Fourier].
//
// Each wrapper is a file with all its methods. It has the options of package stringkernel that the kernel inside has:
// of its scorers and matrices scorerOptions and gramOptions (inside.go) see to that, and the wrapper has the methods.
// To add a wrapper, add a file, and a line to the check "wrappers" of package kerneltest.
package compose
