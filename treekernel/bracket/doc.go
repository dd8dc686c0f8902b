// Package bracket is the notation of trees as byte sequences: readers write it, tree kernels parse it. It imports only
// the standard library.
//
// # The notation
//
// A record is any number of consecutive trees, such as the sentences of a document. White space (space and \t, \n, \v,
// \f, \r) is allowed between (, ) and words.
//
//	record = { node }
//	node   = "(" [ word ] { child } ")"
//	child  = node | word
//
// If ( is followed by a word, that is the node's label, else the label is empty. A child that is a bare word is a leaf
// with that label: (S (NP it)), (S (NP (it))) and (S(NP(it))) are the same tree. A bare word alone is not a tree, so
// plain text read as trees is an error. This is the bracketed form of the Penn Treebank, the form of KeLP's trees and
// of most published tree sets.
//
// A word is a run of bytes other than white space and brackets, in which \( \) \\ \s (space) \t \n \v \f \r stand for
// single bytes; no other backslash is allowed. Each byte has only one spelling: two labels are equal if and only if
// their escaped bytes are. No encoding is assumed.
//
// # Canonical form
//
// [Writer] and [Forest.Append] write every forest in one way: one space before every node except the record's first; a
// leaf is a bare word unless it is a root, has an empty label, or is the first child of a node with an empty label. In
// these cases it is in brackets.
//
// # Cost
//
// Parsing is one pass without recursion, so depth is limited only by memory: 16 bytes per node, and a record of n bytes
// has at most n nodes.
package bracket
