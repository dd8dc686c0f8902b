// Package bracket is the notation in which trees travel as byte sequences: readers write it, tree kernels parse it. It
// imports the standard library only.
//
// # The notation
//
// A record is any number of trees one after another, which is a set of trees such as the sentences of a document.
// Between (, ) and words, white space (space and \t, \n, \v, \f, \r) may stand.
//
//	record = { node }
//	node   = "(" [ word ] { child } ")"
//	child  = node | word
//
// The first thing behind ( is the node's label if it is a word, else the label is empty. A child that is a bare word is
// a leaf with that label: (S (NP it)), (S (NP (it))) and (S(NP(it))) are the same tree. A bare word is no tree by
// itself, so plain text taken for trees is an error. This is the bracketed form of the Penn Treebank, the form of
// KeLP's trees and of most published tree sets.
//
// A word is a run of bytes other than white space and brackets, in which \( \) \\ \s (space) \t \n \v \f \r stand for
// single bytes; no other backslash is allowed. Each byte has one spelling only: two labels are equal exactly if their
// escaped bytes are. Nothing is assumed of the encoding.
//
// # Canonical form
//
// [Writer] and [Forest.Append] write every forest in one way: one space before every node except the record's first; a
// leaf is a bare word unless it is a root, has an empty label, or is the first child of a node with an empty label.
// Then it stands in brackets.
//
// # Cost
//
// Parsing is one pass without recursion, so depth is limited by memory only: 16 bytes per node, and a record of n bytes
// has at most n nodes.
package bracket
