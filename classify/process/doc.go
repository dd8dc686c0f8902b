// Package process has the learning machines that are linear systems in the Gram matrix, solved by products K·v alone
// with package krylov.
//
//	[Ridge]   kernel ridge regression: the mean of a Gaussian process
//
// A machine is f(x) = Σ_i Coef_i·k(x_i, x) − Rho, as in package svm, and comes with the same certificate: primal and
// dual objective and their relative gap, recomputed at the end.
//
// Sources: Saunders, Gammerman & Vovk 1998 (ridge regression in dual variables); Rasmussen & Williams 2006, Gaussian
// Processes for Machine Learning.
package process
