// Package markov compares sequences by what they say about the probabilities of Markov chains: Fisher kernels, and TOP
// kernels of one chain per class. The chains themselves ([Chain]) are the classical models of sites and of coding DNA.
//
// # Chains
//
// A chain of order m gives the letter b at a place the probability θ_{b|a}, which depends on the context a, the m
// letters before it; at the first m places, on all letters before it. So the probabilities of all sequences of one
// length sum to 1. A positional chain has a θ^p_{b|a} for each place p of windows of one length: with m = 0 a position
// weight matrix, with m = 1 a weight array (Zhang & Marr 1993). Orders are interpolated (compare Salzberg et al. 1998):
// from the counts N_ab of n records,
//
//	θ_{b|a} = (N_ab + ασ·θ_{b|a'})/(N_a + ασ),   N_a = Σ_b N_ab,
//
// with σ letters, the pseudocount α, and a' the context a without its first letter. θ_{b|a'} follows in the same way
// from the counts summed over that letter; order 0 has 1/σ in its place. So a context that is rare in training has
// about the probabilities of the next shorter one. A letter does not count, in N or in a probability, if it or its
// context has letters outside the alphabet; nor do places after the longest of the n records.
//
// # Fisher kernel
//
// The derivative of ln p(x) along the probabilities of one context, which sum to 1, depends on x by
// #_ab(x) − #_a(x)·θ_{b|a}, where # counts in x. Contexts are uncorrelated under the chain, and within one
// the Fisher information is that of ν_a draws from θ_{·|a}, with ν_a the expected number of a in a record. So the
// kernel U(x)ᵀI⁻¹U(y) of Jaakkola & Haussler is exactly, not only by the diagonal of I,
//
//	k(x, y) = Σ_ab s_ab(x)·s_ab(y),   s_ab(x) = (#_ab(x) − #_a(x)·θ_{b|a})/√(ν_a·θ_{b|a}),
//
// whatever the parameters are. The information is that of the training records, ν_a = (N_a + ασ)/n: what is rare in
// training weighs most. A positional chain thus gives a weighted degree
// kernel of one length with weights that are learned.
//
// # TOP kernel
//
// With a chain for each of K classes, the tangent vectors of posterior log odds (Tsuda et al. 2002) are the log odds
// v_cd(x) = ln p_c(x) − ln p_d(x) and their derivatives, those of each chain in the scale of its information:
//
//	k(x, y) = 1/(K−1)·Σ_{c<d} v_cd(x)·v_cd(y) + Σ_c Σ_ab s^c_ab(x)·s^c_ab(y).
//
// The prior odds of the classes are left to the bias. So a linear machine of two classes can take the odds as they are,
// the Bayes classifier, and correct the chains. Odds weighs the v. The chains know the records of training, whose odds
// are better than those of new records: the more so, the greater the order.
//
// # Cost
//
// Learning counts the letters once. A record of n letters has up to σ·n features for each chain, in explicit rows, 12
// bytes each; a merged scorer has one weight per k-mer (and place), so that a score is a look-up for each letter, and
// k(x, x) takes σ·n steps for each chain. Memory: 32 bytes for each k-mer of m + 1 letters (and each place) and chain.
//
// # References
//
// T. Jaakkola, D. Haussler: Exploiting generative models in discriminative classifiers. NIPS 11 (1999) 487–493.
// K. Tsuda, M. Kawanabe, G. Rätsch, S. Sonnenburg, K.-R. Müller: A new discriminative kernel from probabilistic models.
// Neural Computation 14 (2002) 2397–2414. S. L. Salzberg, A. L. Delcher, S. Kasif, O. White: Microbial gene
// identification using interpolated Markov models. Nucleic Acids Research 26 (1998) 544–548. M. Q. Zhang, T. G. Marr: A
// weight array method for splicing signal analysis. Computer Applications in the Biosciences 9 (1993) 499–509.
package markov
