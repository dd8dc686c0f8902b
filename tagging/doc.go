// Package tagging gives every token of a sequence a tag: whether a word is part of a name, which structure a residue
// has. It joins what a token and its neighbours look like ([Features]) with the machines of classify/chain, which see
// numbers of features and nothing else.
//
// # Features
//
// A text names them, with a switch for each kind: words:KEY=VALUE,… of tokens in columns, or letters:KEY=VALUE,… of
// records.
//
//	words    width    words at offsets up to it (2)
//	         lower    words in lower case (2)
//	         shape    shapes, as Xx-0 of Beta-2, and with runs as one letter (2)
//	         prefix   first letters, up to it, of the word and of its neighbours (4)
//	         suffix   last letters (4)
//	         grams    letters anywhere in the word, 2 to it (4)
//	         pairs    pairs of neighbouring words: with the next one, and at offsets up to it less one (2)
//	         classes  Greek, Roman, number, hyphen, capitals inside, …, length and digits alike at offsets up to it, and
//	                  runs of two and three shapes (1)
//	         columns  values of all other columns at offsets up to it (off)
//	         list     FILE of names, one per line: whether the word is in one of them, at its begin, inside or alone
//	         min      attributes of fewer tokens of training are left out (1)
//	         column   that of the word (1)
//	letters  width    letters at offsets up to it (8)
//	         pairs    pairs of letters in the window that are at most so far apart (4)
//	         composition  classes of the share of each letter in the record (0: none)
//	         alphabet protein, dna, rna or one of reduced amino acids (protein)
//
// A width of 0 is the token alone, off leaves the kind out. Every feature is there or not; rows have the norm 1.
//
// # Tags
//
// Tags mark spans by one of several schemes, or are states ([Scheme]). A scheme is four letters, for the first, inner,
// last and only token of a span; tags have a letter and a kind in one spelling. [SchemeOf] finds both. Whatever the
// scheme, spans are learned with a state for each of the four, as in IOBES, and the links between states allow nothing
// but spans: on names of diseases that gave 0.833 of F1 where the three states of IOB2 gave 0.814.
package tagging
