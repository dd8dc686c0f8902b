// Package process has the learning machines that are linear systems in the Gram matrix, one or a few of them, solved by
// products K·v alone.
//
//	[Ridge]        kernel ridge regression
//	[LeaveOneOut]  its predictions of records left out
//	[Gaussian]     Gaussian process regression: a mean, which is a ridge machine, and a variance
//	[Likelihood]   its evidence, to choose hyperparameters by
//	[Logistic]     kernel logistic regression: two classes, with probabilities
//	[Multinomial]  the same of several classes
//
// A machine is f(x) = Σ_i Coef_i·k(x_i, x) − Rho, as in package svm, and comes with the same certificate: primal and
// dual objective and their relative gap, recomputed at the end.
//
// Sources: Saunders, Gammerman & Vovk 1998 (ridge regression in dual variables); Rasmussen & Williams 2006, Gaussian
// Processes for Machine Learning; Zhu & Hastie 2005, doi:10.1198/106186005X25619 (kernel logistic regression); Lin,
// Weng & Keerthi 2008, J. Mach. Learn. Res. 9:627–650 (Newton's method with conjugate gradients).
package process
