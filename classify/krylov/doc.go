// Package krylov is linear algebra on a symmetric matrix A that is known by its products A·v alone: linear systems,
// eigenvectors, determinants. An [Operator] is usually the Gram matrix of an indexed corpus ([Of]), shifted, scaled or
// projected; nothing here knows of learning.
//
//	[CG]              conjugate gradients: A x = b for several b in one block of products
//	[PivotedCholesky] K ≈ BBᵀ from a few rows of K: the span of landmarks
//	[Tridiagonalise]  Lanczos: Q with orthonormal columns and tridiagonal T = QᵀAQ
//	[Eigen]           the greatest eigenvalues and their vectors: block Lanczos, restarted
//	[LogDet]          log det(A + σI), estimated by stochastic Lanczos quadrature
//
// Every answer comes with its residual norm from a fresh product, or with a standard error. A context is asked between
// products. The bits depend neither on the number of processors nor on their kind.
//
// Sources: Hestenes & Stiefel 1952, doi:10.6028/jres.049.044; Wu & Simon 2000, doi:10.1137/S0895479898334605
// (restarts); Harbrecht, Peters & Schneider 2012, doi:10.1016/j.apnum.2011.10.001 (pivoted Cholesky); Ubaru, Chen &
// Saad 2017, doi:10.1137/16M1104974 (log determinant).
package krylov
