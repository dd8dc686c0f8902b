"""Writes golden.json: what scikit-learn says of a Gaussian kernel on points of the plane that anyone can recompute.

    python3 golden.py > golden.json    # made with scikit-learn 1.2.1, numpy 1.24.2
"""
import json
import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge

n, others = 30, 8
i = np.arange(n + others)
points = np.stack([2 * np.sin(i * i), 2 * np.cos(3 * i)], axis=1)
kernel = np.exp(-((points[:, None] - points[None]) ** 2).sum(-1) / 2)
y = np.sin(5.0 * i[:n]) + points[:n, 0]
weights = 1 + i[:n] % 4

out = {}
for alpha in (0.01, 1.0):
    for name, w in (("plain", None), ("weighted", weights)):
        ridge = KernelRidge(alpha=alpha, kernel="precomputed").fit(kernel[:n, :n], y, sample_weight=w)
        out[f"ridge {name} {alpha:g}"] = ridge.dual_coef_.tolist()
    process = GaussianProcessRegressor(RBF(1.0), alpha=alpha, optimizer=None).fit(points[:n], y - y.mean())
    mean, sd = process.predict(points[n:], return_std=True)
    out[f"process mean of centred targets {alpha:g}"] = mean.tolist()
    out[f"process latent sd {alpha:g}"] = sd.tolist()
    out[f"process evidence {alpha:g}"] = [process.log_marginal_likelihood_value_]
print(json.dumps(out, indent=1))
