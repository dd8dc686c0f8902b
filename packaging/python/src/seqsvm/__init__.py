"""String-kernel machines in linear time, with the conventions of scikit-learn.

    >>> from seqsvm import SequenceSVC
    >>> machine = SequenceSVC("spectrum:k=2").fit(["ACGTACGT", "ACGAACGA", "TTGGTTGG", "TTGCTTGC"], [0, 0, 1, 1])
    >>> machine.predict(["ACGTACGA", "TTGGTTGC"])
    array([0, 1])

Records are strings: sequences of DNA, RNA or protein, texts, trees. The estimators send them to the tool seqsvm, one
process for all, which is in this package or on the PATH, or which the environment variable SEQSVM names.
"""

from ._estimators import SequenceFeatures, SequenceKernel, SequenceNovelty, SequenceSVC, SequenceSVR
from ._worker import SeqsvmError, Worker, run

__version__ = "0.1.0"
__all__ = [
    "SequenceFeatures",
    "SequenceKernel",
    "SequenceNovelty",
    "SequenceSVC",
    "SequenceSVR",
    "SeqsvmError",
    "Worker",
    "run",
]
