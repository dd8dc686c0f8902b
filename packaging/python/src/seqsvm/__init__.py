"""String-kernel machines in linear time, with the conventions of scikit-learn.

    >>> from seqsvm import SequenceSVC
    >>> machine = SequenceSVC("spectrum:k=2").fit(["ACGTACGT", "ACGAACGA", "TTGGTTGG", "TTGCTTGC"], [0, 0, 1, 1])
    >>> machine.predict(["ACGTACGA", "TTGGTTGC"])
    array([0, 1])
    >>> machine.explain(["ACGTACGA", "TTGGTTGC"]).shape
    (2, 4, 8)

load opens models, of other programs for gapped k-mers too. Records are strings: sequences of DNA, RNA or protein,
texts, trees; or one-hot arrays of the shape (records, 4, positions). They go to the tool seqsvm, one process for all,
which is in this package or on the PATH, or which the environment variable SEQSVM names.
"""

from ._estimators import (SequenceFeatures, SequenceGaussianProcess, SequenceKernel, SequenceLogistic,
                          SequenceMultiLabel, SequenceNovelty, SequenceQuantile, SequenceRanker, SequenceSVC,
                          SequenceSVR, SequenceTagger)
from ._model import Model, load
from ._records import one_hot
from ._worker import SeqsvmError, Worker, run

__version__ = "0.1.0"
__all__ = [
    "Model",
    "SequenceFeatures",
    "SequenceGaussianProcess",
    "SequenceKernel",
    "SequenceLogistic",
    "SequenceMultiLabel",
    "SequenceNovelty",
    "SequenceQuantile",
    "SequenceRanker",
    "SequenceSVC",
    "SequenceSVR",
    "SequenceTagger",
    "SeqsvmError",
    "Worker",
    "load",
    "one_hot",
    "run",
]
