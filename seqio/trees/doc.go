// Package trees converts the syntaxes of trees to the notation of package bracket: bracketed parse trees, Newick, XML,
// HTML, JSON and the dot-bracket strings of RNA. It works on texts, not files; package seqio applies it to the records
// of any format.
//
// A text is any number of trees, one after another, and becomes one record. A [Converter] makes one pass without
// recursion, in time linear in the text except for sorting attributes, with memory that is a small multiple of the text
// whatever its content: a million levels or attributes are read like anything else, and no syntax has anything that
// expands.
//
// # What becomes a node
//
// Options.Labels says which labels count; the defaults of each syntax are in parentheses. A label that does not count
// is dropped if it is a leaf, and is empty if it is the name of a node.
//
//	names       labels of inner nodes: categories, element names, keys, clades, pairs (all)
//	text        the text of a leaf as one label (penn, newick, json, dot-bracket)
//	words       the same, cut into words (xml, html): UAX #29 segments with a letter, number or pictograph
//	attributes  an attribute is a child with the label @name
//	values      the attribute's value is a child of that; values without attributes mean both
//	lengths     Newick: a branch length is part of the label, as in name:0.1
//
// “none” keeps the shape alone.
//
// Penn. (S (NP it) (VP is)), on any number of lines, as in KeLP and SVM-light-TK. A bracket without a label around a
// whole tree, as in ( (S …)), is not a node. Without text the bare words are dropped. Words have the escapes of package
// bracket; \/ and \* are / and * as in the Penn Treebank, any other backslash is itself.
//
// Newick. ((a,b)c:0.1,'d e')root; with comments in square brackets, which may be nested. In an unquoted name
// underscores are blanks; a quote in a quoted name is doubled. Text is the names of leaves, names those of inner nodes.
//
// XML. Elements in document order, their names with the prefix as written; attributes by name, without declarations of
// namespaces. Comments, instructions and the document type are skipped. References are those of XML and HTML; an entity
// that the document declares is an error and is not expanded. The text is UTF-8 already, whatever encoding it declares.
// Tags must be closed. Several elements may follow each other. White space at the ends of a text does not count.
//
// HTML. Any text is HTML. Elements are closed where the standard implies it (p, li, td, option …), end tags that match
// nothing are skipped, and omitted elements (html, head, body, tbody) are not added. Overlapping tags such as
// <b><i></b></i> are nested, without the second copy that a browser makes. Scripts and styles are elements without
// text.
//
// JSON. An object or a list at the top or in a list is a node {} or []. A member is a node with its key as label and
// the content of its value as children: {"a": [1, 2], "b": {"c": null}} is ({} (a 1 2) (b (c null))). Members keep
// their order. Numbers are labels as written. Several values may follow each other.
//
// Dot-bracket. A sequence and a structure with white space between them, or a structure alone; a line that begins with
// > is skipped, and so is an energy after the structure. The root is RNA, a pair of bases a node labelled with both, an
// unpaired base a leaf: GGAC (..) is (RNA (GC G A)). Without a sequence the labels are P and U. Brackets are ( ), [ ],
// { } and < >, unpaired bases any of . , : _ - ~. Letters become upper case. Crossing pairs are an error: a pseudoknot
// is not a tree.
//
// # References
//
// M. P. Marcus, B. Santorini, M. A. Marcinkiewicz, Building a large annotated corpus of English: the Penn Treebank,
// Computational Linguistics 19 (1993) 313–330. G. Olsen, “Newick's 8:45” tree format standard (1990). T. Bray et al.,
// Extensible Markup Language (XML) 1.0, fifth edition, W3C (2008). WHATWG, HTML Living Standard, 13.2. T. Bray, RFC
// 8259 (2017), doi:10.17487/RFC8259. R. Lorenz et al., ViennaRNA Package 2.0, Algorithms for Molecular Biology 6
// (2011), doi:10.1186/1748-7188-6-26.
package trees
