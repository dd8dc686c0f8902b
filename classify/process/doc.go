// Package process has the learning machines that are linear systems in the Gram matrix, one or a few of them, solved by
// products K·v alone.
//
//	[Ridge]        kernel ridge regression
//	[LeaveOneOut]  its predictions of records left out
//	[Gaussian]     Gaussian process regression: a mean, which is a ridge machine, and a variance
//	[Likelihood]   its evidence, to choose hyperparameters by
//	[Logistic]     kernel logistic regression: two classes, with probabilities; with landmarks an import vector machine
//	[Multinomial]  the same of several classes
//	[Relevance]    the relevance vector machine: numbers or two classes by few records, chosen by evidence
//
// Conjugate gradients go without a preconditioner. On k-mers of 2,000 sequences that of a pivoted Cholesky factor of
// rank 100 or 400 took as many products or more than none at every λ from 0.1 to 1e-4, and always longer.
//
// A machine is f(x) = Σ_i Coef_i·k(x_i, x) − Rho, as in package svm, and comes with the same certificate: primal and
// dual objective and their relative gap, recomputed at the end.
//
// Sources: Saunders, Gammerman & Vovk 1998 (ridge regression in dual variables); Rasmussen & Williams 2006, Gaussian
// Processes for Machine Learning; Zhu & Hastie 2005, doi:10.1198/106186005X25619 (kernel logistic regression); Lin,
// Weng & Keerthi 2008, J. Mach. Learn. Res. 9:627–650 (Newton's method with conjugate gradients); Tipping 2001, J.
// Mach. Learn. Res. 1:211–244, and Tipping & Faul 2003 (relevance vector machines).
package process
