// Package unmask estimates whether two texts have the same author by unmasking: how fast the accuracy of distinguishing
// chunks of one text from chunks of the other falls as the most informative words are removed, round after round.
//
// Two works of one author differ in few words, those of their topics and people; once these are gone, the chunks look
// alike. Works of two authors differ in many. So a steep fall speaks for one author:
//
//  1. Each text is cut into chunks of 500 words; the remainder is dropped. From the text with more chunks as many are
//     drawn as the other has, anew in each of several runs.
//  2. The features are the 250 most frequent words, by the mean of both texts' relative frequencies; a chunk's values
//     are its relative frequencies.
//  3. A linear support vector machine is trained on nine tenths of the chunks and decides on the others, for each of
//     ten folds.
//  4. In each fold the three words with the greatest positive weights are removed, and the three with the greatest
//     negative ones.
//  5. Steps 3 and 4 are repeated ten times. The curve is the mean accuracy by number of rounds.
//
// Koppel and Schler do not say how values are scaled. Here each word's frequencies have mean 0 and deviation 1 over the
// training chunks of a fold, then are divided by the root of the number of words, so that all words have the same
// chance and C means the same for any number of them.
//
// What a curve says, a [Judge] can learn from pairs of texts whose authors are known: a linear machine on the curve and
// its falls, which is how Koppel and Schler decided.
//
// # Cost
//
// A run of a fold is Rounds + 1 trainings on rows of as many numbers as there are words left.
// Memory is 8 bytes per word and chunk for each processor.
//
// # References
//
// M. Koppel, J. Schler, Authorship verification as a one-class classification problem, ICML 2004,
// doi:10.1145/1015330.1015448. M. Koppel, J. Schler, E. Bonchek-Dokow, Measuring differentiability: unmasking
// pseudonymous authors, Journal of Machine Learning Research 8 (2007) 1261–1276.
package unmask
