// Package duplicates finds groups of records that are nearly the same: copies with a few changes, overlapping windows,
// both strands of one locus. With such records on both sides of a split, a test set does not test.
//
// # Definition
//
// W(x) is the set of distinct words of a record: of 16 letters for dna and rna, a word and its reverse complement being
// one; of 5 for protein; of 8 for bytes. A word with a letter outside the alphabet does not count. The similarity of
// two records is the containment of the smaller set in the other,
//
//	s(x, y) = |W(x) ∩ W(y)| / min(|W(x)|, |W(y)|),
//
// and 1 for records of equal letters, however short. Near-duplicates have s ≥ t, by default t = 0.8. A changed letter
// costs up to k words of k letters, so that among records of 200 bases t = 0.8 tolerates two scattered changes, and a
// shift by 37 bases. Groups are the connected components: a and c may be in one because both resemble b.
//
// # Algorithm
//
// Equal records are found by their hash and go on as one. The words of all others are sorted, and those of one record
// only dropped: what remains is an inverted index. A record x that shares fewer than ⌈t·|W(x)|⌉ words with any other is
// done. If y contains x to the share t, it has one at least of any |W(x)| − ⌈t·|W(x)|⌉ + 1 words of x (prefix
// filtering, Chaudhuri et al. 2006); the rarest are looked up, which the unshared ones among them need not be. The
// records found that are no smaller and not in the same group already are compared by the definition.
//
// To stay linear where many records share a word (repeats, families), a look-up tries only the 64 that follow x in
// order, the first after the last; and a record gives up after 64 fruitless comparisons. Where no word is in more than
// 65 records and no record gives up, the groups are exactly those of the definition. Beyond, members of a family are
// found through each other, as members of a chain, but a pair may be missed: never is one reported that is not. Of more
// than 2²⁶ letters, one word in 2, 4, … is indexed, by a hash of the word (FracMinHash, Irber et al. 2022); records
// found are compared by all their words still.
//
// # Cost
//
// O(N) for N letters: 22 to 28 ns per letter of unrelated records, 110 of windows nearly all of which
// overlap others, at worst 64 fruitless comparisons per record. A comparison takes time for the words of the smaller
// record, n, and of the larger, m, or O(n·log(m/n)) if that has 16 times as many: thousands of short records may be
// pieces of a long one. 16 bytes per letter, of at most 2²⁶ words; 8 more per word that records share. Besides, on each
// processor, 24 bytes per letter of the longest record; and 8 per word of records that were compared with far shorter
// ones, up to 2²⁶ words. Results do not depend on the number of processors.
//
// # References
//
// S. Chaudhuri, V. Ganti, R. Kaushik: A primitive operator for similarity joins in data cleaning. ICDE 2006.
// doi:10.1109/ICDE.2006.9.
//
// A. Z. Broder: On the resemblance and containment of documents. SEQUENCES 1997. doi:10.1109/SEQUEN.1997.666900.
//
// L. Irber et al.: Lightweight compositional analysis of metagenomes with FracMinHash and minimum metagenome covers.
// bioRxiv 2022. doi:10.1101/2022.01.11.475838.
package duplicates
