// Package svm solves the quadratic programmes of support vector machines on an implicit Gram matrix K, K_ij = k(x_i,
// x_j) = ⟨φ(x_i), φ(x_j)⟩. It knows nothing of sequences: all that it asks for is a [stringkernel.Gram].
//
// # The problem
//
// A [Problem] is data: a linear term p, a bound c_i for each coefficient (a weight times a cost) and the sum s of the
// coefficients,
//
//	min over β of  ½ βᵀKβ − pᵀβ   subject to  Σ_i β_i = s  and  β_i between 0 and c_i.
//
// With p_i = y_i = ±1, c_i = y_i C_i and s = 0, which [Classify] states, it is the dual of the C-SVM (Cortes & Vapnik
// 1995)
//
//	min over w, b of  ½‖w‖² + Σ_i C_i max(0, 1 − y_i(⟨w, φ(x_i)⟩ + b))
//
// with a cost C_i per class and a bias b that is not regularised, as in LIBSVM. The solution is w = Σ_i β_i φ(x_i), and
// the decision value of x is Σ_i β_i k(x_i, x) − ρ with ρ = −b. Regression and one class are other data: see [Problem].
// Any other convex function of the scores may take the place of the losses: package risk has them, and package
// bundle minimises them, hinges among them.
//
// With the squared hinge, C_i max(0, …)² in place of C_i max(0, …) ([SquaredHinge]; the default of LIBLINEAR and of
// scikit-learn's LinearSVC), the bounds C_i disappear and Σ_i β_i²/(4 C_i) is subtracted from the dual objective. Large
// errors cost more, and no error is free at the margin's edge: more records are support vectors.
//
// Conventions: coefficients are signed (y_i α_i, LIBSVM's sv_coef) everywhere, and records are numbered from 0.
//
// # Solvers
//
// Each is a package: smo asks for rows of the matrix, bundle (cutting planes) for products K·v, descent (dual
// coordinate descent) for explicit feature rows, and auto chooses. They treat the bias exactly, or do without
// (Problem.NoBias), and reach the same objective. A solver's fields are the options of its algorithm; what is solved,
// how accurately, from which start and in how much memory belongs to the Problem. [Precomputed] wraps a dense matrix.
//
//	solver    asks for                          time besides           memory besides
//	smo       at most n rows, cached            n reads per step       CacheBytes + 60 n
//	bundle    10 to 30 products (C = 1)         n · planes per plane   9 to 16 n · planes + 100 n
//	descent   10 to 40 passes of rows (C = 1)   nothing                8 features + 80 n
//
// On 2,000 sequences of 200 letters with a planted motif (400,000 letters, 6-spectrum, 10 % wrong labels, relative gap
// 1e-3, one core), the cutting planes take 33 products at C = 1 and 210 at C = 10, two thirds of the time in the
// products themselves: per product 1.8 ns per letter there. SMO takes 1,400 rows. Memory of the cutting planes: 2 to 12
// MB, that is, 5 to 30 bytes per letter of short sequences, less of long ones.
//
// # Certificates
//
// Every solution carries its primal and dual value and the relative gap (primal − dual)/|primal| ([Certificate]),
// recomputed at the end from fresh products: for a positive semidefinite kernel that proves how far from the optimum it
// can be at most. The bias is the exact minimiser of the primal for the scores reached, a weighted quantile of p − Kβ.
//
// The same input and seed give the same bits.
//
// # Limits
//
// At C ≥ 100 the cutting planes need several hundred products and SMO may be faster; on classes that overlap, SMO may
// run out of steps where kernel values times C exceed 1e6, and the cutting planes are the better choice. An indefinite
// kernel needs SMO, and its solution is then a stationary point only. The cutting planes do
// not solve the squared hinge.
//
// # References
//
//   - Cortes & Vapnik 1995, doi:10.1007/BF00994018
//   - Crammer & Singer 2001, On the algorithmic implementation of multiclass kernel-based vector machines, J. Mach.
//     Learn. Res. 2:265–292
//   - Fan, Chen & Lin 2005, Working set selection using second order information, J. Mach. Learn. Res. 6:1889–1918
//   - Teo, Vishwanathan, Smola & Le 2010, Bundle methods for regularized risk minimization, J. Mach. Learn. Res.
//     11:311–365
//   - Franc & Sonnenburg 2008, Optimized cutting plane algorithm, doi:10.1145/1390156.1390197
//   - Hsieh, Chang, Lin, Keerthi & Sundararajan 2008, A dual coordinate descent method for large-scale linear SVM,
//     doi:10.1145/1390156.1390208
//   - Keerthi, Sundararajan, Chang, Hsieh & Lin 2008, A sequential dual method for large scale multi-class linear SVMs,
//     doi:10.1145/1401890.1401942
package svm
