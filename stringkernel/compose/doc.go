// Package compose makes kernels of kernels. [Linear] ones have the features of others, side by side and scaled:
// [Normalized] (the cosine), [BothStrands] of DNA or RNA, [Part] of each sequence, the [Mean] of several. A [Function]
// of values and norms, such as [RBF] (the Gaussian of the distance) or the [Product] of several, has rows alone.
// A [Pair] multiplies kernels of the two sequences of a record. [LowRank] and [Fourier] approximate these by rows of
// numbers.
//
// Each class is a type that has the options of package stringkernel which all kernels inside have, each written once.
package compose
