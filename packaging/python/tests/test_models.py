"""Tests of models: what they predict and why, on records and genomes."""

import contextlib
import doctest
import gzip
import json
import os
import pickle
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
if not os.environ.get("SEQSVM_INSTALLED"):
    sys.path.insert(0, str(HERE.parent / "src"))

import numpy as np

import seqsvm
from seqsvm import (SequenceMultiLabel, SequenceNovelty, SequenceQuantile, SequenceRanker, SequenceSVC, SequenceSVR,
                    SequenceTagger, _estimators, _records, _worker)

PACKAGE = HERE.parent
LETTERS = np.frombuffer(b"ACGT", dtype=np.uint8)


def sequences(n, length, seed, motif=""):
    """Random sequences, with a motif in the middle."""
    found = LETTERS[np.random.default_rng(seed).integers(0, 4, (n, length))]
    found[:, length // 2:length // 2 + len(motif)] = list(motif.encode())
    return [row.tobytes().decode() for row in found]


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name


class Models(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.records = sequences(30, 40, 1, "TGACTCA") + sequences(30, 40, 2)
        cls.y = ["bound"] * 30 + ["free"] * 30
        cls.machine = SequenceSVC("gapped:l=6,k=4,d=2,rc", probability=True).fit(cls.records, cls.y)
        cls.model = cls.machine.as_model()
        cls.hot = seqsvm.one_hot(cls.records)

    def test_a_saved_model_is_the_same(self):
        self.machine.save(self.folder / "m")
        packed = self.folder / "m.gz"
        packed.write_bytes(gzip.compress((self.folder / "m").read_bytes()))
        for path in self.folder / "m", packed:
            model = seqsvm.load(path)
            self.assertEqual(model.classes_.tolist(), ["bound", "free"])
            for of in "predict", "decision_function", "predict_proba":
                self.assertEqual(getattr(model, of)(self.records).tolist(),
                                 getattr(self.machine, of)(self.records).tolist())
        self.assertEqual(pickle.loads(pickle.dumps(model))(self.records).tolist(), model(self.records).tolist())
        with self.assertRaisesRegex(ValueError, "not an LS-GKM model"):
            seqsvm.load(self.write("x.txt", "no model"))

    def test_records_of_all_kinds(self):
        want = self.model(self.records)
        self.assertEqual(want.shape, (60, 1))
        self.assertEqual(want[:, 0].tolist(), self.machine.decision_function(self.records).tolist())

        class Series:  # as pandas and polars have it
            def to_numpy(s):
                return np.array(self.records, dtype=object)

        class Tensor:
            ndim, dtype, shape = 3, "float", self.hot.shape

            def detach(s):
                return s

            def cpu(s):
                return self.hot

            def new_tensor(s, values):
                return values.tolist()

        for X in [[x.encode() for x in self.records], np.array(self.records), np.array(self.records, dtype=bytes),
                  Series(), self.hot, self.hot.astype(np.int8), self.hot.astype(bool), self.hot.astype(np.float16),
                  np.asfortranarray(self.hot), list(self.hot), Tensor()]:
            self.assertEqual(np.asarray(self.model(X)).tolist(), want.tolist(), type(X))
        again = SequenceSVC("gapped:l=6,k=4,d=2,rc").fit(self.hot, self.y)
        self.assertEqual(again.decision_function(self.hot).tolist(), want[:, 0].tolist())
        holes = self.hot.copy()
        holes[:, :, 3] = 0
        gaps = [x[:3] + "N" + x[4:] for x in self.records]
        self.assertEqual(self.model(holes).tolist(), self.model(gaps).tolist())
        self.assertEqual(self.model(self.hot[:0]).shape, (0, 1))
        holes[59, :2, 5] = 1
        with self.assertRaisesRegex(ValueError, "record 119 of X has several ones at position 5"):
            self.model(np.concatenate([self.hot, holes]))

    def test_contributions(self):
        own, hypothetical = self.model.explain(self.records), self.model.explain(self.hot, "hypothetical")
        bias = -self.model.info["decision"]["machines"][0]["rho"]
        self.assertLess(abs(own.sum((1, 2)) + bias - self.model(self.hot)[:, 0]).max(), 1e-12)
        self.assertLess(abs(own - hypothetical * self.hot).max(), 1e-12)
        changes = self.model.mutagenesis(self.records[:2])
        x = self.hot[:1].copy()
        for base in range(4):
            x[0, :, 17] = np.eye(4)[base]
            self.assertAlmostEqual((self.model(x) - self.model(self.hot[:1])).item(), changes[0, base, 17], 12)
        self.assertLess(abs(self.machine.explain(self.records, label="bound") + own).max(), 1e-12)
        shares = self.model.explain(self.hot, "gkmexplain")
        self.assertLess(abs(shares.sum((1, 2)) + bias - self.model(self.hot)[:, 0]).max(), 1e-9)
        several = self.model.explain(["ACGTACGTA", self.records[0], "ACGTACGTC"])
        self.assertEqual([v.shape for v in several], [(4, 9), (4, 40), (4, 9)])
        self.assertLess(abs(several[1] - own[0]).max(), 1e-15)

    def test_contributions_of_other_letters(self):
        texts = ["the cat sat", "a dog ran", "the cat ran", "a dog sat"]
        machine = SequenceSVC("words").fit(texts, [0, 1, 0, 1])
        found = machine.explain(texts[:1])[0]
        self.assertEqual([word for word, _ in found], ["the", "cat", "sat"])
        proteins = SequenceSVC("spectrum:k=2,alphabet=protein").fit(["MKVLAAGH", "WWYPLEFM"] * 3, [0, 1] * 3)
        self.assertEqual([v.shape for v in proteins.explain(["MKVLAAGH", "WWY"])], [(8,), (3,)])
        with self.assertRaisesRegex(ValueError, "DNA or RNA"):
            proteins.mutagenesis(["MKVL"])

    def test_genomes(self):
        chromosome = sequences(1, 300, 5)[0]
        alternative = "A" if chromosome[149] != "A" else "C"
        genome = self.write("g.fa", f">chr1\n{chromosome}\n")
        vcf = f"##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\nchr1\t150\tv\t{chromosome[149]}\t{alternative}\n"
        changed = chromosome[:149] + alternative + chromosome[150:]
        delta = (self.model.raw([changed[139:160]]) - self.model.raw([chromosome[139:160]])).item()
        for file in vcf.encode(), self.write("v.vcf", vcf):
            table = self.model.variants(file, genome, scores=["delta", "site"], context=40)
            self.assertEqual([table["pos"][0], table["alt"][0]], [150, alternative])
            self.assertAlmostEqual(table["delta"][0], delta, 12)
        windows = self.model.scan(genome, window=40, step=50)
        want = self.model([chromosome[lo:lo + 40] for lo in windows["start"]])[:, 0]
        self.assertLess(abs(np.array(windows["score"]) - want).max(), 1e-12)
        self.assertEqual(len(self.model.scan([chromosome], window=40, top=3)["score"]), 3)

    def test_tables(self):
        motifs = self.model.motifs(self.records, top=2, label="bound")
        self.assertEqual(motifs["matrix"][0].shape, (motifs["width"][0], 4))
        self.assertEqual(self.model.features(top=3)["class"][0], "free")
        kmers = self.model.kmers()
        number = dict(zip(kmers["kmer"], kmers["score"]))
        self.assertAlmostEqual(number["AAAAAA"], self.model.raw(["AAAAAA"]).item(), 12)

    def test_without_pandas(self):
        before = sys.modules.get("pandas")
        sys.modules["pandas"] = None
        try:
            table = self.model.features(top=2)
        finally:
            del sys.modules["pandas"]
            if before:
                sys.modules["pandas"] = before
        self.assertIsInstance(table, dict)
        self.assertIn("<th>weight</th>", table._repr_html_())

    def test_pictures_and_pages(self):
        positions = SequenceSVC("wd:d=3").fit(self.records, self.y).as_model()
        pictures = [self.machine.plot_contributions(self.records[:2]),
                    self.model.plot_motifs(self.records, label="bound"),
                    self.machine.plot_scan(["".join(self.records)], window=40, step=10), positions.plot_importance(2)]
        for picture in pictures:
            self.assertTrue(ElementTree.fromstring(picture._repr_svg_()).tag.endswith("svg"))
        page = self.machine.report(self.records, self.y, title="A page", bootstrap=0)
        self.assertIn("A page", page)
        self.assertTrue(page._repr_html_().startswith("<iframe"))
        page.save(self.folder / "page.html")
        self.assertEqual((self.folder / "page.html").read_text(encoding="utf-8"), page)

    def test_formats_of_others(self):
        machine = SequenceSVC("gapped:l=6,k=4,d=2,rc", options={"keep_sequences": True}).fit(self.records, self.y)
        machine.save(self.folder / "m.model.txt", format="lsgkm")
        other = seqsvm.load(self.folder / "m.model.txt")
        self.assertEqual(other.classes_.tolist(), ["-1", "1"])
        self.assertLess(abs(other(self.hot) - machine.as_model()(self.hot)).max(), 1e-6)
        self.model.save(self.folder / "w.txt", format="deltasvm")
        self.assertEqual(len((self.folder / "w.txt").read_text().splitlines()), 1 + 2080)
        weights = seqsvm.load(self.folder / "w.txt")
        self.assertLess(abs(weights(self.hot)[:, 0] - self.model.raw(self.hot)).max(), 1e-12)
        with self.assertRaisesRegex(ValueError, "keep_sequences"):
            self.model.save(self.folder / "x", format="lsgkm")

    def test_other_tasks(self):
        logistic = SequenceSVC("gapped:l=6,k=4,d=2,rc", options=["--task", "logistic"]).fit(self.records, self.y)
        found = logistic.predict_proba(self.records)
        self.assertLess(abs(found.sum(1) - 1).max(), 1e-12)
        self.assertEqual(logistic.classes_[found.argmax(1)].tolist(), logistic.predict(self.records).tolist())
        several = ["c%d" % (i // 20) for i in range(60)]
        ordinal = SequenceSVC("spectrum:k=4", C=10, options={"task": "ordinal", "order": ["c0", "c1", "c2"]})
        self.assertGreater(ordinal.fit(self.records, several).score(self.records, several), 0.9)
        self.assertEqual(ordinal.as_model()(self.hot).shape, (60, 1))

    def test_tools_for_models_of_torch(self):
        model = self.model.to("cpu").eval()
        self.assertEqual([list(model.parameters()), model.training], [[], False])


class Estimators(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.records = sequences(60, 30, 3)
        cls.share = np.array([x.count("G") / 30 for x in cls.records])

    def test_numbers(self):
        for machine in [SequenceSVR("spectrum:k=1", C=100, epsilon=0.01), SequenceRanker("spectrum:k=1")]:
            found = machine.fit(self.records, self.share).predict(self.records)
            self.assertGreater(np.corrcoef(found, self.share)[0, 1], 0.95)
            self.assertEqual(machine.as_model()(seqsvm.one_hot(self.records))[:, 0].tolist(), found.tolist())
        self.assertGreater(machine.score(self.records, self.share), 0.95)
        with self.assertRaises(AttributeError):
            machine.as_model().decision_function(self.records)

    def test_ranks_within_queries(self):
        query = np.arange(60) // 30
        y = self.share + np.where(query, 10, 0)  # which only queries explain
        machine = SequenceRanker("spectrum:k=1", C=0.1).fit(self.records, y, query=["q%d" % q for q in query])
        self.assertGreater(np.corrcoef(machine.predict(self.records), self.share)[0, 1], 0.95)

    def test_quantiles(self):
        noisy = self.share + np.random.default_rng(4).exponential(0.05, 60)
        low, high = [SequenceQuantile("spectrum:k=1", quantile=q, C=100).fit(self.records, noisy) for q in (0.1, 0.9)]
        for machine in low, high:
            self.assertAlmostEqual((noisy < machine.predict(self.records)).mean(), machine.quantile, delta=0.06)
        self.assertGreater(low.score(self.records, noisy), -0.05)

    def test_several_labels(self):
        texts = ["grain wheat", "oil barrel", "wheat oil", "the weather", "oil", "grain"] * 3
        labels = [["farm"], ["energy"], ["farm", "energy"], [], ["energy"], ["farm"]] * 3
        machine = SequenceMultiLabel("words:ngram=1", C=10).fit(texts, labels)
        self.assertEqual(machine.classes_.tolist(), ["energy", "farm"])
        self.assertEqual([sorted(found) for found in machine.predict(texts[:4])], [sorted(own) for own in labels[:4]])
        y = np.array([[name in own for name in machine.classes_] for own in labels], dtype=int)
        machine.fit(texts, y)
        self.assertEqual(machine.predict(texts).tolist(), y.tolist())
        self.assertEqual(machine.decision_function(texts).shape, (18, 2))

    def test_tags(self):
        tagger = SequenceTagger().fit([["the", "cat", "sat"], ["a", "dog"]] * 4,
                                      [["O", "B-PET", "O"], ["O", "B-PET"]] * 4)
        self.assertEqual(tagger.predict([["the", "dog", "sat"], ["a"]]), [["O", "B-PET", "O"], ["O"]])
        self.assertEqual(tagger.score([["the", "dog"]], [["O", "O"]]), 0.5)
        states = ["".join("x" if c in "CG" else "o" for c in x) for x in self.records[:20]]
        self.assertGreater(SequenceTagger().fit(self.records[:20], states).score(self.records[20:], [
            "".join("x" if c in "CG" else "o" for c in x) for x in self.records[20:]]), 0.99)

    def test_novelty(self):
        machine = SequenceNovelty("spectrum:k=2", nu=0.2).fit(self.records)
        model = machine.as_model()
        self.assertEqual(model.predict(self.records).tolist(), machine.predict(self.records).tolist())
        self.assertEqual(model(self.records)[:, 0].tolist(), machine.decision_function(self.records).tolist())


class Errors(unittest.TestCase):
    def test_errors_speak_python(self):
        machine = SequenceSVC("wd:d=2").fit(["ACGT", "TTTT", "AGGT"], [0, 1, 0])
        model = machine.as_model()
        hot = seqsvm.one_hot(["ACGT"])
        for call, want in [
            (lambda: machine.predict(["ACGT", "AC"]), "record 1 of X: 2 letters, want 4"),
            (lambda: machine.predict(np.repeat(hot, 11, axis=0)[:, :, :3]), "record 0 of X: 3 letters, want 4"),
            (lambda: machine.predict(["ACGT", None]), "record 1 of X is missing"),
            (lambda: SequenceSVC("words").fit([float("nan"), "a"], [0, 1]), "record 0 of X is missing"),
            (lambda: SequenceSVC(C=-3).fit(["AC", "GT"], [0, 1]), "C -3, want > 0"),
            (lambda: SequenceSVC(options={"no_such": 3}).fit(["AC", "GT"], [0, 1]), "unknown option no_such"),
            (lambda: model.predict(hot * 0.5), "record 0 of X has 0.5 at position 0, want 0 or 1"),
            (lambda: model.predict(np.ones((1, 4, 4))), "record 0 of X has several ones at position 0"),
            (lambda: model.predict(np.ones((1, 5, 4))), "want numbers (records, 4, positions)"),
            (lambda: model.predict(hot[0]), "4 columns"),
            (lambda: model.explain(["ACGT"], "shap"), "want one of contributions"),
            (lambda: model.explain(["ACGT"], label=7), "label = 7, want one of [0 1]"),
            (lambda: model.scan(["ACGT"], min_score="high"), "min_score"),
            (lambda: SequenceRanker().fit(["ACGT"] * 3, [1, 2, 3], query=[1, 2]), "query has shape (2,), want (3,)"),
            (lambda: SequenceTagger().fit([["a", "b"]], [["O"]]), "y[0] has 1 tags, and X[0] 2 tokens"),
            (lambda: SequenceTagger().fit([["a b"]], [["O"]]), "X[0][0] is 'a b', want a token"),
            (lambda: model.scan(["ACGT"], wndow=3), "did you mean window?"),
            (lambda: model.report(["ACGT"], [0, 1]), "y has 2 labels, want 1"),
            (lambda: model.report(["ACGT"], [2]), "record 0 of X: label \"2\" is not a class"),
        ]:
            with self.assertRaises(ValueError) as caught:
                call()
            self.assertIn(want, str(caught.exception))
            self.assertNotRegex(str(caught.exception), r"--[a-z]|records\.(fa|jsonl)")
        with self.assertRaisesRegex(AttributeError, "probability=True"):
            model.predict_proba(["ACGT"])
        with self.assertRaisesRegex(AttributeError, "model of tags"):
            SequenceTagger().fit([["a", "b"]], [["x", "y"]]).as_model()([["a"]])


class Documents(InFolder):
    def test_the_quick_start(self):
        code = (PACKAGE / "README.md").read_text(encoding="utf-8").split("```python\n")[2].split("```")[0]
        self.assertLessEqual(len(code.strip().splitlines()), 16)  # of the same steps with gkmsvm-lite
        found = {"sequences": sequences(20, 40, 6, "TGACTCAGCA") + sequences(20, 40, 7)}
        found["classes"] = found["numbers"] = [1] * 20 + [0] * 20
        own = SequenceSVC("gapped:l=8,k=5,d=3,filter=truncated,rc", options={"keep_sequences": True})
        own.fit(found["sequences"], found["classes"]).save(self.folder / "m.txt", format="lsgkm")
        (self.folder / "model.txt.gz").write_bytes(gzip.compress((self.folder / "m.txt").read_bytes()))
        with working_in(self.folder):
            exec(code.replace("l=11,k=7,d=3", "l=7,k=5,d=2"), found)  # of 2 million k-mers fewer
        self.assertAlmostEqual(found["score"].item(), own.decision_function(["ACGTACGTACGTACGT"]).item(), 5)
        self.assertAlmostEqual(found["changes"][0, 0, 7], found["delta"], 12)
        importance = found["importance"]  # hypothetical numbers have seven digits of the greatest
        self.assertLess(abs(found["hypothetical"] * found["x"] - importance).max(), 1e-7 * abs(importance).max())
        self.assertLess(abs(seqsvm.load(self.folder / "weights.txt")(found["sequences"])[:, 0]
                            - found["svc"].raw(found["sequences"])).max(), 1e-9)
        self.assertGreater(np.corrcoef(found["svr"].predict(found["sequences"]), found["numbers"])[0, 1], 0.9)

    def test_the_notebook(self):
        cells = json.loads((PACKAGE / "notebooks" / "binding.ipynb").read_text(encoding="utf-8"))["cells"]
        found = {}
        with working_in(PACKAGE / "notebooks"):
            self.addCleanup((PACKAGE / "notebooks" / "binding.seqsvm").unlink)
            for cell in cells:
                if cell["cell_type"] == "code":
                    exec("".join(cell["source"]), found)
            records = self.write("x.fa", "".join(f">{i}\n{x}\n" for i, x in enumerate(found["test"])))
            tool = [_worker.find_tool(), "predict", "-q", "--digits", "17", "-m", "binding.seqsvm", str(records)]
            rows = subprocess.run(tool, check=True, capture_output=True, text=True).stdout.splitlines()[1:]
        self.assertEqual([row.split("\t")[1] for row in rows], found["machine"].predict(found["test"]).tolist())
        self.assertEqual([float(row.split("\t")[2]) for row in rows], found["decisions"][:, 0].tolist())
        self.assertGreater(found["accuracy"], 0.85)
        self.assertEqual(len(found["effects"]["delta"]), 320)
        self.assertEqual(len(found["windows"]["score"]), 20)

    def test_examples(self):
        for module in seqsvm, _estimators, _records, _worker:
            self.assertEqual(doctest.testmod(module).failed, 0)


@unittest.skipUnless(os.environ.get("SEQSVM_GKMEXPLAIN"), "SEQSVM_GKMEXPLAIN does not name models and numbers")
class Oracles(unittest.TestCase):
    def test_gkmexplain(self):
        folder = Path(os.environ["SEQSVM_GKMEXPLAIN"])
        queries = dict(re.findall(r">(\S+).*\n([^>]+)", (folder / "queries.fa").read_text()))
        queries = {name: "".join(x.split()) for name, x in queries.items() if not re.search("[^ACGT\n]", x)}
        modes = ["", "-hypothetical", "-deep-hypothetical", "-perturbation", "-deep-perturbation"]
        for kind in 2, 3:
            model = seqsvm.load(folder / f"t{kind}_l6_k4_d2.model.txt.gz")
            for number, mode in enumerate(modes):
                found = dict(zip(queries, model.explain(list(queries.values()), "gkmexplain" + mode)))
                text = gzip.decompress((folder / f"t{kind}_l6_k4_d2.m{number}.txt.gz").read_bytes()).decode()
                for name, score, values in (line.split("\t") for line in text.splitlines()):
                    if name in queries:
                        want = np.array([cell.split(",") for cell in values.strip(";").split(";")], dtype=float)
                        self.assertLess(abs(found[name] - want.T).max(), 1e-10)
                        self.assertAlmostEqual(model([queries[name]]).item(), float(score), 10)


@contextlib.contextmanager
def working_in(folder):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


if __name__ == "__main__":
    unittest.main()
