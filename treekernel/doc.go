// Package treekernel compares trees: parse trees, documents, anything with labels and children. A record is one or
// several trees in the notation of package bracket, (S (NP it) (VP rains)); the kernel of two records is the sum over
// pairs of their trees.
//
//	kernel     features                                                         weight             training, scoring
//	[Subtree]  complete subtrees t                                              λ^|t|              linear
//	[Tag]      substrings of the string [S[NP[it]][VP[rains]]]                  any of Substring   linear, a suffix structure
//	[SST]      subset trees: all children of a node, or none                    λ^productions      linear with Depth or Size; else by pairs of nodes
//	[PTK]      partial trees: any children of a node, in order, with gaps       μ^nodes λ^(…)      linear with Depth or Size; else by pairs of nodes
//
// What a kernel sees of labels, order and depth is a matter of [Labels]: unordered trees, labels cut to what follows or
// precedes some characters, kept or blank, levels cut off.
//
// # Unordered trees
//
// With Unordered, children are first sorted by their tags,
//
//	tag(node) = [ label tag(c_1) … tag(c_m) ]   with tag(c_1) ≤ … ≤ tag(c_m),
//
// so that two trees that differ by the order of children are the same to every kernel. No tag is built to do so: the
// nodes of a level are ranked by label and by the ranks of their children, from the deepest level up, in O(l log l) for
// l nodes and without recursion. Then the kernels above are those of ordered trees.
//
// # Fragments as features
//
// A fragment is made from smaller ones step by step: a node, with one more child, with a fragment hung at one of its
// leaves. A step is a pair of two numbers, of the fragment so far and of what is added, and a table numbers pairs as it
// meets them. So equal fragments have equal numbers, whatever their size, at the price of one look-up in a table, and
// without collisions, for tables compare the pairs they find (hash consing).
//
// Each record is first counted in small tables of its own, which stay in the cache. Then its different fragments are
// looked up in the table of the corpus or model: one look-up per different fragment, none for those made of one that is
// missing. The counts are sparse rows ([stringkernel.FeatureRows]) to train on, and a merged scorer is a weight per
// fragment and output: to score a record takes time by the record alone, however many support vectors there were.
//
// The number of fragments at a node grows exponentially with its children. Bounds on depth and size make it polynomial;
// a last limit, part of the definition of [SST], makes time and memory linear in the nodes for any tree.
//
// # Pairs of nodes
//
// Without bounds [SST] and [PTK] are Σ Δ(a, b) over the pairs of nodes with one production, or one label, which is
// found from lists of nodes sorted by class, children before parents (Moschitti 2006). A matrix computes and keeps
// rows, one for records that are equal; a score costs a value per different support vector.
//
// # Cost
//
// On the dependency trees of the TREC questions (5,452 trees of 24 nodes) and the XML structures of INEX 2005 (4,820 of
// 26), see docs/trees.md for times of training and rates. Memory while training is 12 bytes per different fragment of
// each record, and about 25 per different fragment of the corpus; a model has 8 bytes for a fragment and for each of
// its weights.
//
// # Contributions
//
// Scorers of all linear kernels are [stringkernel.Explainer]: what an occurrence of a fragment adds is spread evenly
// over its nodes, and what a node is given over the bytes of its label.
//
// # References
//
// S. V. N. Vishwanathan, A. J. Smola, Fast kernels for string and tree matching, NIPS 15 (2002). M. Collins, N. Duffy,
// Convolution kernels for natural language, NIPS 14 (2001). A. Moschitti, Efficient convolution kernels for dependency
// and constituent syntactic trees, ECML 2006, doi:10.1007/11871842_32. A. Moschitti, Making tree kernels practical for
// natural language learning, EACL 2006. K. Rieck, T. Krueger, U. Brefeld, K.-R. Müller, Approximate tree kernels, JMLR
// 11 (2010). A. V. Aho, J. E. Hopcroft, J. D. Ullman, The design and analysis of computer algorithms, 1974, section 3.2
// (ranking of trees by levels).
package treekernel
