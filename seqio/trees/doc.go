// Package trees turns the syntaxes in which trees are written into the notation of package bracket: bracketed parse
// trees, Newick, XML, HTML, JSON and the dot-bracket strings of RNA. It knows texts and no files; package seqio applies
// it to the records of any format.
//
// A text is any number of trees, one after another, and becomes one record. A [Converter] is one pass without
// recursion, in time linear in the text but for the sorting of attributes, and its memory is a small multiple of the
// text whatever the text says: a million levels or attributes are read like anything else, and there is nothing in any
// syntax that expands.
//
// # What becomes a node
//
// Labels of [Options] say which labels count; in parentheses is what each syntax has by default. What does not count is
// left out where it would be a leaf, and is an empty label where it is the name of a node.
//
//	names       labels of inner nodes: categories, element names, keys, clades, pairs (all)
//	text        the text of a leaf as one label (penn, newick, json, dot-bracket)
//	words       the same, cut into words (xml, html): UAX #29 segments with a letter, number or pictograph
//	attributes  an attribute is a child with the label @name
//	values      the attribute's value is a child of that; values without attributes mean both
//	lengths     Newick: a branch length is part of the label, as in name:0.1
//
// “none” is the shape alone.
//
// Penn. (S (NP it) (VP is)), on any number of lines; the trees of KeLP and of SVM-light-TK are written so, too. A
// bracket around a whole tree that has no label, as in ( (S …)), is not a node. Without text the bare words are left
// out. In words the escapes of package bracket hold, \/ and \* are / and * as in the Penn Treebank, any other backslash
// is itself.
//
// Newick. ((a,b)c:0.1,'it”s')root; with comments in square brackets, which may be nested. A name that is not quoted has
// blanks for its underscores. Text is the names of leaves, names those of inner nodes.
//
// XML. Elements in their order, their names with the prefix as written; attributes by name, without declarations of
// namespaces. Comments, instructions and the document type are skipped. References are those of XML and HTML; an entity
// that a document declares for itself is an error, not expanded. The text is UTF-8 by now, whatever encoding it
// declares. Tags must be closed. Several elements may follow each other. White space at the ends of a text does not
// count.
//
// HTML. Anything is HTML. Tags follow each other as they do; elements are closed where the standard implies it (p, li,
// td, option …), end tags that fit nothing are skipped, and what is not written (html, head, body, tbody) is not added.
// Overlapping tags such as <b><i></b></i> are nested instead, without the second copy that a browser makes. Scripts and
// styles are elements without text.
//
// JSON. An object or a list at the top or in a list is a node {} or []. A member is a node with its key for a label,
// and what its value holds are its children: {"a": [1, 2], "b": {"c": null}} is ({} (a 1 2) (b (c null))). Members stay
// in their order. Numbers are labels as they are written. Several values may follow each other.
//
// Dot-bracket. A sequence and a structure with white space between them, or a structure alone; a line that begins with
// > is skipped, and so is an energy after the structure. The root is RNA, a pair of bases a node with both for a
// label, an unpaired base a leaf: GGAC (..) is (RNA (GC G A)). Without a sequence the labels are P and U. Brackets are
// ( ), [ ], { } and < >, unpaired bases any of . , : _ - ~. Letters become upper case. Pairs that cross are an error: a
// pseudoknot is not a tree.
//
// # References
//
// M. P. Marcus, B. Santorini, M. A. Marcinkiewicz, Building a large annotated corpus of English: the Penn Treebank,
// Computational Linguistics 19 (1993) 313–330. G. Olsen, “Newick's 8:45” tree format standard (1990). T. Bray et al.,
// Extensible Markup Language (XML) 1.0, fifth edition, W3C (2008). WHATWG, HTML Living Standard, 13.2. T. Bray, RFC
// 8259 (2017), doi:10.17487/RFC8259. R. Lorenz et al., ViennaRNA Package 2.0, Algorithms for Molecular Biology 6
// (2011), doi:10.1186/1748-7188-6-26.
package trees
