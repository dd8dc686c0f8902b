// Package tree multiplies with the Gram matrices of kernels that count substrings. Of the suffix tree of a corpus the
// nodes that tie documents together by a weight are laid out as flat arrays, which a product streams through.
//
//	letters.go    the symbols of the letters of an alphabet
//	nodes.go      Index: a suffix tree; Weights of its edges; the nodes that several documents have
//	leaves.go     the leaves of documents below these nodes, and counts seen through a function
//	numbering.go  Numbering: few distinct values, numbered
//	flattree.go   flatTree: nodes and leaves as arrays
//	parts.go      its parts, for several processors
//	product.go    K·v by a flatTree
//	gram.go       Gram: the matrix
package tree
