// Package online learns from a stream: one record at a time, predicted before it is learned from, and then forgotten.
//
// A [Learner] holds scores f_m(x) = ⟨w_m, φ(x)⟩ + b_m: one for two classes, for a number and for novelty, one per class
// of more. A record asks for a direction d of the scores and has a loss ℓ; a rule answers with a step α and a decay δ,
//
//	w_m ← δ·w_m + α·d_m·φ(x),   b_m ← b_m + α·d_m·β²
//
// where β is the value of a feature that all records have, and b_m = β·(its weight). A small one (0.3 for normalised
// kernels) keeps b from swinging.
//
//	task       d                                           ℓ
//	classify   y ∈ {−1, 1}; of more classes +1 for y,       max(0, 1 − ⟨d, f⟩)
//	           −1 for the best of the others
//	regress    the sign of y − f                           max(0, |y − f| − ε)
//	novelty    1                                           max(0, ρ − ⟨w, φ(x)⟩), with ρ = −b
//
//	algorithm            α                              δ           by
//	passive-aggressive   min(C, ℓ/(|d|²(k(x,x) + β²)))  1           Crammer et al. 2006, PA-I
//	perceptron           1 if ℓ ≥ 1                     1           Rosenblatt 1958; averaged: Freund & Schapire 1999
//	norma                η_t if ℓ > 0                   1 − η_t·λ   Kivinen, Smola & Williamson 2004, η_t = 1/√t
//
// For novelty ρ rises by η_t·ν·β² at every record besides, so that a share ν of the records is below it. In the papers
// β is 1.
//
// The weights learned are those after the last record or, for the perceptron and the passive–aggressive rule, an
// average over all records, in which those after record t count t times: they swing less than the last ones, and what
// was learned of few records is soon forgotten (Lacoste-Julien et al. 2012). The average costs a second table and no
// more: with w_t = s_t·v_t, where s_t is the product of the decays and v_t = Σ_i a_i φ(x_i), the sum of all t·w_t is
// S_T·v_T − Σ_i a_i S_{i−1} φ(x_i), S_i = s_1 + 2·s_2 + … + i·s_i.
//
// # Weights
//
// A kernel that folds into a table ([stringkernel.Fold]) has w as that table times the scalar s. A record costs its
// score and a step O(|x|), a decay O(1), and nothing grows. Such are spectrum kernels up to 12 letters of dna; gapped
// and mismatch kernels on dna whose k-mers have at most 1,024 neighbours, as a step visits them all; words, once their
// vocabulary is known; all with norms, on both strands and averaged.
//
// Of any other kernel the learner keeps the records that it learned from. The last few are compared one by one, those
// before are merged in runs of 2⁵, 2⁶, … records ([stringkernel.Kernel.Merge]), and two runs of a size become one. With
// T records kept, a score costs log T scores and up to 31 kernel values, and a step a share of log T merges.
//
// # Cost
//
// A million sequences of 100 bases at spectrum:k=8 take 4 to 5 s on one core of a server, reading included. The same
// stream gives the same bits, however it is cut into reads; nothing runs in parallel.
//
// # References
//
//   - Freund & Schapire 1999, Large margin classification using the perceptron algorithm, doi:10.1023/A:1007662407062
//   - Crammer, Dekel, Keshet, Shalev-Shwartz & Singer 2006, Online passive-aggressive algorithms, J. Mach. Learn. Res.
//     7:551–585
//   - Lacoste-Julien, Schmidt & Bach 2012, A simpler approach to obtaining an O(1/t) convergence rate for the projected
//     stochastic subgradient method, arXiv:1212.2002
//   - Kivinen, Smola & Williamson 2004, Online learning with kernels, doi:10.1109/TSP.2004.830991
package online
