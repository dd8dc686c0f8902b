// Package treekernel compares trees: parse trees, documents, anything with labels and children; and graphs. A record is
// one or several trees in the notation of package bracket, (S (NP it) (VP rains)); the kernel of two records is the sum
// over pairs of their trees.
//
//	kernel     features                                                    weight            training, scoring
//	[Subtree]  complete subtrees t                                         λ^|t|             linear
//	[Tag]      substrings of the string [S[NP[it]][VP[rains]]]            any of Substring  linear, a suffix structure
//	[SST]      subset trees: all children of a node, or none               λ^productions     linear with Depth or Size
//	[PTK]      partial trees: any children of a node, in order, with gaps  μ^nodes λ^(…)     linear with Depth or Size
//
// Graphs, such as RNA with pseudoknots and molecules, have kernels of the same kind; a record is one graph in the
// notation of package graph:
//
//	[WL]    labels of vertices, refined round by round by those around them   1           linear
//	[Walk]  labels along walks of bounded length                               λ^edges     linear in different walks
//
// [Labels] controls what a kernel sees of labels, order and depth: trees may be unordered, labels cut to what follows
// or precedes some characters, kept or blanked, and levels cut off.
//
// # Unordered trees
//
// With Unordered, children are first sorted by their tags,
//
//	tag(node) = [ label tag(c_1) … tag(c_m) ]   with tag(c_1) ≤ … ≤ tag(c_m),
//
// so that two trees that differ only in the order of children are the same to every kernel. No tags are built for this:
// the nodes of a level are ranked by label and by the ranks of their children, from the deepest level up, in O(l log l)
// for l nodes and without recursion. The kernels above then apply as to ordered trees.
//
// # Fragments as features
//
// A fragment is built from smaller ones step by step: a node, one more child, a fragment attached at one of its leaves.
// A step is a pair of numbers, that of the fragment so far and that of the addition, and a table numbers pairs in order
// of first occurrence. So equal fragments have equal numbers, whatever their size, at the cost of one table look-up,
// and without collisions, because tables compare pairs (hash consing).
//
// Each record is first counted in its own small tables, which stay in the cache. Then its distinct fragments are looked
// up in the table of the corpus or model: one look-up per distinct fragment, none for those built from a missing one.
// The counts are sparse rows ([stringkernel.FeatureRows]) to train on, and a merged scorer is a weight per fragment and
// output: the time to score a record does not depend on the number of support vectors.
//
// The number of fragments at a node grows exponentially with its children. Bounds on depth and size make it polynomial;
// a further limit, part of the definition of [SST], makes time and memory linear in the nodes for any tree.
//
// # Pairs of nodes
//
// Without bounds [SST] and [PTK] are Σ Δ(a, b) over the pairs of nodes with the same production, or label, which are
// found from lists of nodes sorted by class, children before parents (Moschitti 2006). A matrix computes and keeps
// rows, one for all equal records; a score costs one value per distinct support vector.
//
// # Cost
//
// On the dependency trees of the TREC questions (5,452 trees of 24 nodes) and the XML structures of INEX 2005 (4,820 of
// 26), see docs/trees.md for training times and scoring rates. Training takes 12 bytes per distinct fragment of each
// record, and about 25 per distinct fragment of the corpus; a model takes 8 bytes per fragment and 8 for each of its
// weights.
//
// # Contributions
//
// Scorers of all linear kernels are [stringkernel.Explainer]: the contribution of an occurrence of a fragment is spread
// evenly over its nodes, and that of a node over the bytes of its label.
//
// # References
//
// S. V. N. Vishwanathan, A. J. Smola, Fast kernels for string and tree matching, NIPS 15 (2002). M. Collins, N. Duffy,
// Convolution kernels for natural language, NIPS 14 (2001). A. Moschitti, Efficient convolution kernels for dependency
// and constituent syntactic trees, ECML 2006, doi:10.1007/11871842_32. A. Moschitti, Making tree kernels practical for
// natural language learning, EACL 2006. K. Rieck, T. Krueger, U. Brefeld, K.-R. Müller, Approximate tree kernels, JMLR
// 11 (2010). N. Shervashidze et al., Weisfeiler-Lehman graph kernels, JMLR 12 (2011). T. Gärtner, P. Flach, S. Wrobel,
// On graph kernels: hardness results and efficient alternatives, COLT 2003. A. V. Aho, J. E. Hopcroft, J. D. Ullman,
// The design and analysis of computer algorithms, 1974, section 3.2 (ranking of trees by levels).
package treekernel
