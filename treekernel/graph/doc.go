// Package graph is the notation of labelled graphs as text: graph kernels parse it. It imports only the standard
// library.
//
// # The notation
//
// A record is one undirected graph, in one of two forms. In the first, the labels of the vertices 1, 2, … stand before
// a semicolon, separated by white space, and the edges after it:
//
//	C C O ; 1-2 2-3:double
//
//	record = { label } ";" { edge }
//	edge   = number "-" number [ ":" label ]
//
// A label is a run of bytes other than white space; that of a vertex has no semicolon and does not begin with a colon.
// An edge of a vertex with itself, or a second one between the same vertices, is an error: most often it is a mistake,
// as where a file lists each edge in both directions.
//
// The second form is RNA: a sequence, and its secondary structure in dots and brackets.
//
//	GGCAAGCC ((....))
//
// Letters are the vertices, in upper case; edges without a label join neighbours in the sequence, edges with the label
// pair the bases of a pair. The structure may have pseudoknots, in which one of the kinds (), [], {}, <>, Aa, Bb, …, Zz
// crosses another.
package graph
