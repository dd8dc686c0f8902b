// Package suffix holds collections of sequences in a form that string kernels can
// walk: suffix arrays, longest common prefixes, the intervals that are the nodes of
// the generalised suffix tree, and matching statistics of a query against them.
// Everything takes time linear in the letters.
//
// # What it computes
//
// A Text is documents x_1 … x_n laid end to end, each followed by the separator 0;
// the letters of the user's alphabet are 1 … sigma-1. For the suffix at position p
// let rest(p) be the number of letters before the next 0. Then
//
//	SA[r]  = start of the r-th smallest suffix
//	LCP[r] = greatest l ≤ rest(SA[r-1]), rest(SA[r]), maxDepth with
//	         text[SA[r-1]:][:l] = text[SA[r]:][:l]
//
// A node v of the Tree is an LCP interval: a string s(v) of Depth[v] letters that
// occurs at least twice and is not always followed by the same letter; the suffixes that begin
// with s(v) are the ranks Lo[v] ≤ r < Hi[v]. A string kernel needs nothing else. With
// W(l) the weight of the l prefixes of a string of l letters, and a_d the
// coefficient of document d,
//
//	c(v)   = Σ a_Docs[r] over Lo[v] ≤ r < Hi[v]                     (SumDocs)
//	val(v) = val(Parent[v]) + c(v)·(W(Depth[v]) - W(Depth[Parent[v]]))
//
// and Σ_i a_i k(x_i, x) is the sum over the starts of x of val at the node where the
// longest match from there ends (Matcher), plus its part on the edge below.
//
// Sums over the substrings of one short text, as k(x, x) is, need no nodes: Edges yields what they are made of.
//
// A Compact has the same tree in a few bytes per letter, for queries that are matched from their end and for sums over
// documents; it can be stored and read back by anyone who trusts nothing.
//
// # Conventions
//
// Positions, ranks, nodes and documents are 0-based int32; intervals are half-open.
// A 0 never matches, itself included: no match crosses a document's end, and a letter
// outside the alphabet is a 0 inside a document (a break). No value is stolen from
// the alphabet, for the caller maps its letters to 1, 2, …: up to 255 of them fit
// uint8 symbols; all 256 byte values, words or tags take int32. As 0 is smallest,
// suffixes that are equal up to their separators are neighbours, whatever follows.
// Ranks count only suffixes that begin with a letter.
//
// maxDepth cuts the tree: kernels on substrings of at most k letters need no deeper
// one. Everything equals the unbounded structure truncated at that depth.
//
// # Time and space
//
// Per letter, one thread of a 2-core AMD EPYC (Zen 5, 32 MB L3), Go 1.26, median of 3 runs,
// documents of 500 letters; "prose" is text of words by Zipf's law over bytes.
//
//	                     DNA 10⁶   DNA 10⁷   prose 10⁶  prose 10⁷   bytes
//	Array                35 ns     43 ns     28 ns      36 ns       4
//	 index/suffixarray   45 ns     49 ns     31 ns      37 ns       4
//	LCP                  9 ns      17 ns     7 ns       15 ns       4, and 4 while it runs
//	intervals            15 ns     22 ns     15 ns      21 ns       4 + 16 per node
//	NewTree, all in all  62 ns     78 ns     54 ns      74 ns       23 (prose 20), hardly more while it is built
//	Index of a Tree      42 ns     83 ns     32 ns      63 ns       34 more (prose 26)
//	SumDocs              1.1 ns    1.8 ns    0.9 ns     1.9 ns      –
//	DocFreq              20 ns     21 ns     20 ns      22 ns       –
//	Matcher, per letter of the query
//	  letters at random  41 ns     118 ns    51 ns      60 ns       –
//	  a quarter copied   85 ns     156 ns    68 ns      132 ns      –
//
// The text of a Tree, if it has at least 16,384 symbols, at most 256 different ones and few repeats longer than some 50
// letters, is sorted by its first letters rather than by Array: suffixes and common prefixes of 10⁷ letters then take
// 31 ns for DNA and 55 for prose, and all processors sort.
//
// Reproduce with go test -tags long -run '^$' -bench . ./suffix, which needs 2 GB. Random reads
// set these times: those of the index leave the cache between 10⁶ and 10⁷
// letters. Bytes are those of one-byte symbols, without the text's own; there are 0.69 nodes
// per letter of that DNA, 0.50 of that prose. The Tree needs no text and no links.
//
// # Example
//
// The text ban$ana$ over a = 1, b = 2, n = 3 is [2 1 3 0 1 3 1 0]. Ranks 0 to 5 are the suffixes a, an, ana, ban, n,
// na. Its nodes are the root, a (ranks 0 to 2), n (ranks 4 and 5) and, under a, an (ranks 1 and 2). From the starts of
// the query nab the longest matches are na, a and b.
//
// # Limits
//
// A text holds at most 2³¹-2 symbols, separators included. Methods on whole
// arrays panic if a slice has the wrong length, as indexing would; all else that can
// be wrong with an input is an error.
//
// # References
//
// G. Nong, S. Zhang & W. H. Chan, IEEE Trans. Computers 60 (2011) 1471–1484,
// doi:10.1109/TC.2010.188 (suffix array). J. Kärkkäinen, G. Manzini & S. J. Puglisi,
// CPM 2009, doi:10.1007/978-3-642-02441-2_17 (LCP). M. I. Abouelhoda, S. Kurtz & E.
// Ohlebusch, J. Discrete Algorithms 2 (2004) 53–86, doi:10.1016/S1570-8667(03)00065-0
// (intervals). W. I. Chang & E. L. Lawler, Algorithmica 12 (1994) 327–344,
// doi:10.1007/BF01185431 (matching statistics). L. C. K. Hui, CPM 1992,
// doi:10.1007/3-540-56024-6_19 (document frequencies). C. H. Teo & S. V. N.
// Vishwanathan, ICML 2006, doi:10.1145/1143844.1143961 (string kernels on suffix arrays).
package suffix
