// Package chain labels every token of a sequence with a state, all tokens of a sequence at once: names in sentences,
// structure in proteins, exons in genes. It knows tokens by their features alone ([Rows]).
//
// # The model
//
// With one vector w_s for each state s, a score u_ab for each pair of neighbouring states and u_s for the first one,
// the score of the states y of a sequence of tokens x is
//
//	F(x, y) = Σ_t ⟨w_{y_t}, φ(x_t)⟩ + Σ_t u_{y_{t−1} y_t} + u_{y_1}.
//
// [Links] may forbid that a state follows another, or begins a sequence. [Machine.Tag] finds the best states (Viterbi),
// [Machine.Marginals] the probability of each state of each token (forward–backward). Both take S² operations per
// token.
//
// # Learning
//
// A sequence is one point of a function of scores: those of each token for each state, and the S² + S of the links. So
// learning is
//
//	min over w, u of  ½‖w‖² + ½‖u‖² + R(f),
//
// the problem of package risk, with a record for every token and state, and one for every link:
//
//	Margin       C Σ max over y of (wrong tokens of y + F(x, y) − F(x, right))    structural support vector machine
//	Likelihood   C Σ log Σ_y exp(F(x, y) − F(x, right))                           conditional random field
//
// [Blocks] minimises the first, a sequence at a time, by loss-augmented Viterbi. [LBFGS] minimises the second by
// forward–backward; as the objective is strongly convex, ½‖gradient‖² bounds its distance from the optimum, so that it
// has a certificate too. [Perceptron] is the averaged structured perceptron, which has none.
//
// [Data.Windows] makes each token a sequence of its own: what is learned then looks at a token's own features alone, as
// the multiclass machine of Crammer and Singer or multinomial regression.
//
// # References
//
//   - Lafferty, McCallum & Pereira 2001, Conditional random fields, ICML 18:282–289
//   - Collins 2002, Discriminative training methods for hidden Markov models, doi:10.3115/1118693.1118694
//   - Tsochantaridis, Joachims, Hofmann & Altun 2005, Large margin methods for structured and interdependent output
//     variables, J. Mach. Learn. Res. 6:1453–1484
//   - Lacoste-Julien, Jaggi, Schmidt & Pletscher 2013, Block-coordinate Frank-Wolfe optimization for structural SVMs,
//     ICML 30:53–61
//   - Osokin, Alayrac, Lukasewitz, Dokania & Lacoste-Julien 2016, Minding the gaps for block Frank-Wolfe optimization of
//     structured SVMs, ICML 33:593–602
//   - Taskar, Guestrin & Koller 2003, Max-margin Markov networks, NIPS 16
package chain
