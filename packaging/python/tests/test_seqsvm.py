"""Tests of the package against the tool, named by $SEQSVM, and scikit-learn, if that is there."""

import faulthandler
import importlib.metadata
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
if not os.environ.get("SEQSVM_INSTALLED"):
    sys.path.insert(0, str(HERE.parent / "src"))

import numpy as np

import seqsvm
from seqsvm import (SequenceFeatures, SequenceGaussianProcess, SequenceKernel, SequenceLogistic, SequenceNovelty,
                    SequenceQuantile, SequenceRanker, SequenceSVC, SequenceSVR, SeqsvmError, Worker, _worker)

try:
    import sklearn
except ImportError:
    sklearn = None

faulthandler.dump_traceback_later(300, exit=True)  # tests that hang say where

FASTA = HERE.parents[2] / "testdata" / "fasta" / "promoters.fa"


def promoters():
    records, labels = [], []
    for line in FASTA.read_text().splitlines():
        if line.startswith(">"):
            labels.append(line.split()[1])
            records.append("")
        else:
            records[-1] += line
    return records, np.array(labels)


def tool(*args):
    """What a command prints, run as a process of its own."""
    return subprocess.run([_worker.find_tool(), *args], check=True, capture_output=True, text=True).stdout


class Machines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.records, cls.labels = promoters()

    def test_predictions_are_the_command_s(self):
        machine = SequenceSVC("spectrum:k=5").fit(self.records, self.labels)
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "m")
            tool("train", "-q", "--kernel", "spectrum:k=5", "--positive", "-1", "-o", model, str(FASTA))
            lines = tool("predict", "-q", "--digits", "17", "-m", model, str(FASTA)).splitlines()[1:]
            want = [line.split("\t") for line in lines]
            self.assertEqual([float(cells[2]) for cells in want], machine.decision_function(self.records).tolist())
            self.assertEqual([cells[1] for cells in want], machine.predict(self.records).tolist())
            machine.save(model)
            self.assertEqual(len(tool("predict", "-q", "-m", model, str(FASTA)).splitlines()), 107)

    def test_a_saved_model_has_the_names_of_the_classes(self):
        for names, want in [(["crude oil", "-grain"], ["-grain", "crude oil"]), ([True, False], ["False", "True"]),
                            ([3, 12], ["3", "12"]), ([" a", "b"], ["c0", "c1"]), (["", "b"], ["c0", "c1"])]:
            y = [names[label == "+1"] for label in self.labels]
            for machine in [SequenceSVC("spectrum:k=5"), SequenceSVC("spectrum:k=5,alphabet=bytes", text=True)]:
                machine.fit(self.records, y)
                self.assertEqual(machine.predict(self.records).tolist(), y)
                decisions = machine.decision_function(self.records)
                self.assertEqual((decisions > 0).tolist(), [label == machine.classes_[1] for label in y])
                with tempfile.TemporaryDirectory() as folder:
                    model = os.path.join(folder, "m")
                    machine.save(model)
                    rows = dict(line.split("\t", 1) for line in tool("model", "info", model).splitlines()[:6])
                    self.assertEqual(rows["classes"].split("\t"), want)

    def test_the_second_class_is_positive(self):
        y = ["active" if label == "+1" else "inactive" for label in self.labels]
        machine = SequenceSVC("spectrum:k=5", probability=True).fit(self.records, y)
        self.assertEqual(machine.classes_.tolist(), ["active", "inactive"])
        decisions, probabilities = machine.decision_function(self.records), machine.predict_proba(self.records)
        inactive = np.array([label == "inactive" for label in y])
        self.assertGreater(decisions[inactive].min(), 0)
        self.assertLess(decisions[~inactive].max(), 0)
        self.assertGreater(probabilities[inactive, 1].mean(), 0.5)
        self.assertGreater(probabilities[~inactive, 0].mean(), 0.5)

    def test_many_classes(self):
        y = np.arange(len(self.records)) % 12 * 10
        machine = SequenceSVC("spectrum:k=4", C=100, probability=True).fit(self.records, y)
        decisions = machine.decision_function(self.records)
        self.assertEqual(decisions.shape, (106, 12))
        self.assertEqual(machine.decision_function([]).shape, (0, 12))
        self.assertTrue((machine.classes_[decisions.argmax(axis=1)] == machine.predict(self.records)).all())
        probabilities = machine.predict_proba(self.records)
        self.assertTrue(np.allclose(probabilities.sum(axis=1), 1))
        self.assertGreater(machine.score(self.records, y), 0.9)

    def test_numbers(self):
        y = np.array([x.upper().count("A") for x in self.records], dtype=float)
        machine = SequenceSVR("spectrum:k=1", C=1000, epsilon=0.01, normalize=False).fit(self.records, y)
        self.assertLess(abs(machine.predict(self.records) - y).max(), 0.1)

    def predicted(self, machine, *options):
        """The rows that the tool predicts for the records by a model, without a header."""
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "m")
            machine.save(model)
            lines = tool("predict", "-q", "--digits", "17", "-m", model, *options, str(FASTA)).splitlines()[1:]
            return [line.split("\t") for line in lines]

    def test_deviations_are_the_command_s(self):
        y = np.array([x.upper().count("A") for x in self.records], dtype=float)
        for noise in 0.1, None:
            process = SequenceGaussianProcess("spectrum:k=2", noise=noise).fit(self.records, y)
            values, deviations = process.predict(self.records, return_std=True)
            self.assertEqual([[float(cell) for cell in row[1:]] for row in self.predicted(process)],
                             np.stack([values, deviations], axis=1).tolist())
        gram = SequenceKernel("spectrum:k=2").fit(self.records).transform(self.records)
        process = SequenceGaussianProcess("spectrum:k=2", noise=0.1, options={"tol": 1e-9}).fit(self.records, y)
        want = y.mean() + gram @ np.linalg.solve(gram + 0.1 * np.eye(len(y)), y - y.mean())
        self.assertLess(abs(process.predict(self.records) - want).max(), 1e-3 * y.std())

    def test_log_odds(self):
        machine = SequenceLogistic("spectrum:k=5").fit(self.records, self.labels)
        rows = self.predicted(machine)
        self.assertEqual([float(row[2]) for row in rows], machine.decision_function(self.records).tolist())
        self.assertTrue(np.allclose(machine.predict_proba(self.records).sum(axis=1), 1))

    def test_sets_and_intervals(self):
        machine = SequenceSVC("spectrum:k=5", conformal=True).fit(self.records, self.labels)
        for confidence in (0.5, 0.9):
            sets = machine.predict_set(self.records, confidence)
            rows = self.predicted(machine, "--confidence", str(confidence))
            self.assertEqual(["|".join(sorted(own)) for own in sets], ["|".join(sorted(filter(None, r[3].split("|"))))
                                                                     for r in rows])
        y = np.array([x.upper().count("A") for x in self.records], dtype=float)
        machine = SequenceSVR("spectrum:k=1", C=100, conformal=True).fit(self.records, y)
        intervals = machine.predict_interval(self.records, 0.9)
        self.assertEqual(intervals.tolist(), [[float(cell) for cell in row[2:4]]
                                              for row in self.predicted(machine, "--confidence", "0.9")])
        self.assertGreaterEqual(((intervals[:, 0] <= y) & (y <= intervals[:, 1])).mean(), 0.85)
        with self.assertRaises(AttributeError):
            machine.as_model().predict_set(self.records)
        with self.assertRaisesRegex(ValueError, "conformal"):
            SequenceSVC("spectrum:k=5").fit(self.records, self.labels).predict_set(self.records)

    def test_novelty(self):
        machine = SequenceNovelty("spectrum:k=2", nu=0.2).fit(self.records)
        found = machine.predict(self.records)
        self.assertLessEqual((found < 0).mean(), 0.2 + 0.05)
        decisions = machine.decision_function(self.records)
        self.assertTrue((decisions[found < 0] <= 0).all() and (decisions[found > 0] >= -1e-12).all())
        self.assertEqual(machine.predict(["AAAAAAAAAAAAAAAAAAAAAAAA"]).tolist(), [-1])

    def test_features_multiply_to_the_kernel(self):
        kernel = SequenceKernel("spectrum:k=3,rc").fit(self.records[:50])
        values = kernel.transform(self.records)
        self.assertEqual(values.shape, (106, 50))
        self.assertTrue(np.allclose(np.diag(values[:50]), 1))
        self.assertEqual(kernel.transform([]).shape, (0, 50))
        try:
            import scipy.sparse
        except ImportError:
            self.skipTest("SciPy is not installed")
        features = SequenceFeatures("spectrum:k=3,rc").fit(self.records)
        rows = features.transform(self.records)
        self.assertIsInstance(rows, scipy.sparse.csr_matrix)
        self.assertEqual(rows.shape[1], len(features.get_feature_names_out()))
        self.assertLess(abs((rows @ rows[:50].T).toarray() - values).max(), 1e-12)
        self.assertEqual(features.transform(self.records[:3]).shape, (3, rows.shape[1]))
        self.assertEqual(features.transform([]).shape, (0, rows.shape[1]))

    def test_texts(self):
        texts = ["the cat\nsat", "a dog > ran", "the cat ran", "a dog; sat"]
        machine = SequenceSVC("words").fit(texts, ["cat", "dog", "cat", "dog"])
        self.assertEqual(machine.predict(["cat cat", "dog"]).tolist(), ["cat", "dog"])
        self.assertEqual(SequenceSVC("spectrum:k=2,alphabet=bytes", text=True).fit(texts, [0, 1, 0, 1]).predict(texts)
                         .tolist(), [0, 1, 0, 1])

    def test_copies(self):
        machine = SequenceSVC("spectrum:k=4").fit(self.records, self.labels)
        copy = pickle.loads(pickle.dumps(machine))
        decisions = [m.decision_function(self.records).tolist() for m in (copy, machine)]
        self.assertEqual(decisions[0], decisions[1])
        again = SequenceSVC("spectrum:k=4", threads=1).fit(self.records, self.labels)
        self.assertEqual(again.model_, machine.model_)

    def test_shapes_of_records(self):
        machine = SequenceSVC("spectrum:k=4").fit(np.array(self.records, dtype=object).reshape(-1, 1), self.labels)
        want = machine.predict(self.records).tolist()
        self.assertEqual(machine.predict([x.encode() for x in self.records]).tolist(), want)
        self.assertEqual(machine.predict([]).tolist(), [])
        self.assertEqual(machine.predict(np.array(self.records)).tolist(), want)

    def test_parameters(self):
        machine = SequenceSVC(C=3)
        self.assertEqual(machine.get_params()["C"], 3)
        self.assertEqual(machine.set_params(C=4, kernel="words").get_params()["kernel"], "words")
        with self.assertRaises(ValueError):
            machine.set_params(c=4)


class Errors(unittest.TestCase):
    def test_wrong_calls(self):
        for call, want in [
            (lambda: SequenceSVC("spectrm").fit(["AC", "GT"], [0, 1]), "did you mean"),
            (lambda: SequenceSVC().fit(["AC", "GT"], [0, 0]), "want 2 or more"),
            (lambda: SequenceSVC().fit(["AC", "GT"], [0]), "a class for each record"),
            (lambda: SequenceSVC().fit("ACGT", [0]), "want a list"),
            (lambda: SequenceSVC().fit(["AC", 3], [0, 1]), "record 1 of X is int"),
            (lambda: SequenceSVC().fit(["AC\n", "GT"], [0, 1]), "record 0 has '\\n' at position 2"),
            (lambda: SequenceSVC().fit(["AC", "GT", "AA"], [0, 1, np.nan]), "y[2] is nan"),
            (lambda: SequenceSVC().fit(["AC", "GT"], ["a", float("nan")]), "y[1] is nan"),
            (lambda: SequenceSVC().fit(["AC", "GT"], [None, "a"]), "y[0] is None"),
            (lambda: SequenceSVC().fit(["AC", "GT"], np.array(["a", np.nan], dtype=object)), "y[1] is nan"),
            (lambda: SequenceSVR().fit(["AC", "GT"], [1, np.nan]), "y[1] is nan"),
            (lambda: SequenceSVC(class_weight={0: 1}).fit(["AC", "GT"], [0, 1]), "balanced"),
            (lambda: SequenceSVC(options=["--no-such"]).fit(["AC", "GT"], [0, 1]), "no_such"),
            (lambda: SequenceSVC().predict(["AC"]), "not fitted"),
            (lambda: SequenceNovelty().fit([]), "no records"),
            (lambda: SequenceSVC().fit(np.zeros((3, 2)), [0, 1, 0]), "2 columns"),
        ]:
            with self.assertRaises(ValueError) as caught:
                call()
            self.assertIn(want, str(caught.exception))

    def test_exit_code(self):
        with self.assertRaises(SeqsvmError) as caught:
            seqsvm.run(["predict", "-m", "none.seqsvm", "none.fa"])
        self.assertEqual(caught.exception.code, 1)
        with self.assertRaises(SeqsvmError) as caught:
            seqsvm.run(["predict", "--none"])
        self.assertEqual(caught.exception.code, 2)

    def test_warnings(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            SequenceSVC("spectrum:k=6").fit(["ACGTACGTAC", "GGTTGGTTGG", "AC"], [0, 1, 1])
        self.assertIn("too short", " ".join(str(w.message) for w in caught))


@unittest.skipUnless(os.environ.get("SEQSVM_INSTALLED"), "the package is not installed")
class Licences(unittest.TestCase):
    def test_licences(self):
        package = importlib.metadata.distribution("seqsvm")
        self.assertEqual(package.metadata["License"], "BSD-3-Clause")
        texts = {path.name: path.read_text() for path in package.files if path.parent.suffix == ".dist-info"}
        self.assertIn("Redistribution and use", texts["LICENSE"])
        self.assertIn("github.com/urfave/cli/v2", texts["THIRD-PARTY-NOTICES"])


class Workers(unittest.TestCase):
    def test_threads_share_a_worker(self):
        records, labels = promoters()
        machine = SequenceSVC("spectrum:k=3").fit(records, labels)
        want, got = machine.predict(records).tolist(), []
        threads = [threading.Thread(target=lambda: got.append(machine.predict(records).tolist())) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(got, [want] * 4)

    def test_a_worker_that_ended_is_started_again(self):
        seqsvm.run(["about", "version"])
        process = _worker.shared()._process
        process.kill()
        process.wait()
        self.assertIn(b"version", seqsvm.run(["about", "version"])[0])

    def test_own_worker(self):
        worker = Worker()
        out, written = worker.run(["about", "version", "-o", "v"], outputs=["v"])
        self.assertEqual(out, b"")
        self.assertIn(worker.version.encode(), written["v"])
        worker.close()
        self.assertTrue(worker.closed)


@unittest.skipIf(sklearn is None, "scikit-learn is not installed")
class ScikitLearn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.records, cls.labels = promoters()

    def test_model_selection(self):
        from sklearn.base import clone
        from sklearn.model_selection import GridSearchCV, cross_val_score

        machine = SequenceSVC("spectrum:k=4")
        scores = cross_val_score(machine, self.records, self.labels, cv=3, scoring="roc_auc")
        self.assertGreater(scores.mean(), 0.9)
        grid = {"C": [0.1, 1], "kernel": ["spectrum:k=3", "spectrum:k=5"]}
        search = GridSearchCV(clone(machine), grid, cv=3, n_jobs=2)
        search.fit(self.records, self.labels)
        self.assertEqual(search.best_params_["kernel"], "spectrum:k=5")

    def test_pipelines(self):
        from sklearn.model_selection import cross_val_predict
        from sklearn.pipeline import make_pipeline
        from sklearn.svm import SVC

        own = cross_val_predict(SequenceSVC("spectrum:k=4"), self.records, self.labels, cv=3)
        for pipeline in [
            make_pipeline(SequenceKernel("spectrum:k=4"), SVC(kernel="precomputed")),
            make_pipeline(SequenceFeatures("spectrum:k=4"), SVC(kernel="linear")),
        ]:
            other = cross_val_predict(pipeline, self.records, self.labels, cv=3)
            self.assertGreater((own == other).mean(), 0.98)

    def test_check_estimator(self):
        from sklearn.utils.estimator_checks import check_estimator

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what takes numbers is left out, and says so
            for estimator in [SequenceSVC(), SequenceSVR(), SequenceQuantile(), SequenceRanker(), SequenceNovelty(),
                              SequenceKernel()]:
                check_estimator(estimator)


if __name__ == "__main__":
    unittest.main()
