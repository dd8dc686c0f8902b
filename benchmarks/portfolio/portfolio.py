"""Compares the search of seqsvm tune without --kernel with the best kernel known for each of some data sets.

    python3 portfolio.py table SEQSVM RECORDS >table.tsv      every kernel of the lists below on every set: score, CPU
    python3 portfolio.py leave table.tsv                      portfolios learned from all sets but one, tested on that
    python3 portfolio.py search SEQSVM RECORDS BUDGET         the search, the best kernel and the usual one of train, by
                                                              outer folds, and a summary by kind, also of sets of few,
                                                              long or rare records

Sets are files of $SEQSVM_DATA, training parts only, of which at most RECORDS are taken, evenly; $ONLY is a regular
expression of their names. Scores are the metric that tune chooses by where none is given. A kernel that takes more than
LIMIT seconds of CPU for a set has none. Without $SEQSVM_DATA nothing is done."""

import collections
import gzip
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile

SIZE = 12  # kernels of a portfolio
LIMIT = 25  # CPU seconds of a kernel
LEAST = {"intents": 2500, "worm-acceptors-rare": 1500}  # records where a class has few
CLASSES = ["-C", "0.1,0.3,1,3"]
TREES = ["-C", "1,10,100"]
NUMBERS = ["--task", "regress", "-C", "0.1,1,10"]
TSV = ["--input", "tsv:text=2,label=1"]

# name, file, options, kind, kernels of the docs and benchmarks that are best for it
SETS = [
    ("worm-acceptors", "splice-celegans-acc-2200/all.fa.gz", [], "aligned", ["wd:d=8", "wd:d=20"]),
    ("primate-splice", "splice-uci-primate/all.fa.gz", [], "aligned", ["wd:d=8", "wd:d=20"]),
    ("bsubtilis", "promoter-bsubtilis/all.fa.gz", [], "aligned", ["spectrum:k=4,bounded", "wd:d=6"]),
    ("human-tata", "promoter-human-tata/all.fa.gz", [], "aligned", ["wd:d=6", "spectrum:k=4,bounded"]),
    ("mouse-tata", "promoter-mouse-tata/all.fa.gz", [], "aligned", ["spectrum:k=6,rc,count=sqrt", "wd:d=6"]),
    ("ecoli-promoters", "promoter-uci-ecoli/all.fa.gz", [], "aligned", ["wd:d=6"]),
    ("ctcf", "tfbs-fastsk-a/CTCF.train.fa.gz", [], "aligned", ["gapped:rc", "gapped:l=8,k=5,d=3,rc"]),
    ("ep300", "tfbs-fastsk-a/EP300.train.fa.gz", [], "aligned", ["gapped:rc", "gapped:l=10,k=6,d=4,rc"]),
    ("jund", "tfbs-fastsk-a/JUND.train.fa.gz", [], "aligned", ["gapped:rc", "gapped:l=8,k=5,d=3,rc"]),
    ("enhancers-mouse", "tfbs-kebabs-enhancer/all.fa.gz", [], "dna", ["spectrum:k=6,rc,count=sqrt"]),
    ("enhancers-layer1", "enhancer-layer1/train.fa.gz", [], "aligned", ["spectrum:k=4,rc,count=sqrt"]),
] + [
    ("gue-" + s, "gue/%s.train.fa.gz" % s, [], "aligned",
     ["gapped:l=10,k=6", "gapped:l=8,k=5,d=3"])
    for s in ["mouse-0", "mouse-2", "mouse-4", "tf-0", "tf-1", "tf-3"]
] + [
    ("gue-" + s, "gue/%s.train.fa.gz" % s, [], "aligned",
     ["wd:d=6", "wd:d=8,shift=2", "wd:d=6,shift=1+spectrum:k=6,bounded"])
    for s in ["prom-300-tata", "prom-core-all", "prom-core-notata"]
] + [
    ("gue-dev-" + s, "gue-dev/%s.dev.fa.gz" % s, [], "aligned", known)
    for s, known in [
        ("splice", ["wd:d=10,shift=2,from=171,to=231+gapped:l=8,k=5,d=3,to=201+gapped:l=8,k=5,d=3,from=202"]),
        ("prom-300-all", ["wd:d=8,shift=8+gapped:l=8,k=5,d=3"]),
        ("emp-H3", ["gapped:l=10,k=6,rc", "gapped:l=8,k=5,d=3,rc"]),
        ("emp-H3K4me1", ["gapped:l=10,k=6,rc", "gapped:l=8,k=5,d=3,rc"]),
        ("emp-H3K36me3", ["gapped:l=10,k=6,rc", "gapped:l=8,k=5,d=3,rc"]),
    ]
] + [
    ("rbp-" + s, "rbp-graphprot-a/%s.train.fa.gz" % s, ["--input", "soft-mask=break"], "dna",
     ["gapped:l=8,k=5,d=3", "gapped:l=8,k=5,d=3+gapped:l=8,k=5,d=3,anycase"])
    for s in ["ALKBH5", "C22ORF28", "CLIP-ELAVL1", "PUM2", "QKI"]
] + [
    (s, "methylation-a/%s.train.fa.gz" % s, [], "aligned", ["wd:d=6,shift=1"])
    for s in ["4mC_F.vesca", "4mC_S.cerevisiae", "5hmC_M.musculus", "6mA_A.thaliana", "6mA_C.elegans", "6mA_F.vesca",
              "6mA_H.sapiens", "6mA_Tolypocladium"]
] + [
    ("coiled-coil", "protein-coiled-coil/all.fa.gz", [], "protein",
     ["spectrum:k=2,bounded", "mismatch:k=4,m=1"]),
    ("cpp", "protein-cpp/all.fa.gz", [], "protein", ["spectrum:k=2,bounded", "spectrum:k=3,bounded"]),
    ("hemolytic", "protein-hemolytic/all.fa.gz", [], "protein", ["spectrum:k=2,bounded"]),
    ("multiloc", "protein-multiloc/all.fa.gz", [], "protein",
     ["spectrum:k=3,bounded", "gapped:l=5,k=3,filter=gapped,d=2"]),
] + [
    ("scop-" + s, "protein-scop-a/%s.train.fa.gz" % s, [], "protein",
     ["spectrum:k=3", "mismatch:k=5,m=1", "gapped:l=8,k=4,d=4,filter=gapped"])
    for s in ["1.1", "2.1", "2.8", "3.33", "3.50"]
] + [
    ("names", "text-names/all.tsv.gz", TSV, "text",
     ["substring:weight=tfidf,k=4,ends"]),
    ("r8", "text-reuters-r8/train.tsv.gz", TSV, "text",
     ["words:sublinear,tfidf", "words:ngram=1-2,binary,tfidf+spectrum:k=5,bounded"]),
    ("sms", "text-sms-spam/all.tsv.gz", TSV, "text",
     ["spectrum:k=4", "words:ngram=1-2,binary,tfidf+spectrum:k=5,bounded"]),
    ("subjectivity", "text-subjectivity/all.tsv.gz", TSV, "text",
     ["words:ngram=1-2,binary,tfidf", "words:ngram=1-2,binary,tfidf+spectrum:k=5,bounded"]),
    ("questions", "tree-qc-kelp/train.text.tsv.gz", TSV, "text",
     ["words:ngram=1-2,binary", "words:ngram=1-2,binary,tfidf+spectrum:k=5,bounded"]),
    ("languages", "text-udhr-langid/all.tsv.gz", TSV, "text",
     ["spectrum:k=3,count=presence"]),
] + [
    ("ppi-" + s, "text-ppi/%s.train.tsv.gz" % s, TSV, "text",
     ["words:ngram=1-2", "gapped:l=6,k=4,d=2", "substring:weight=bounded,k=8"])
    for s in ["AImed", "BioInfer", "LLL"]
] + [
    ("gb1-two", "regression-gb1/two_vs_rest.sites.train.fa.gz", ["--input", "alphabet=protein"] + NUMBERS, "proteinaligned",
     ["wd:d=1", "wd:d=1,rbf=1"]),
    ("gb1-three", "regression-gb1/three_vs_rest.sites.train.fa.gz", ["--input", "alphabet=protein"] + NUMBERS,
     "proteinaligned", ["wd:d=1", "wd:d=1,rbf=1"]),
    ("guides", "regression-guides/all.fa.gz", NUMBERS, "aligned", ["wd:d=3", "wd:d=2,rbf=0.5"]),
    ("sirna", "regression-sirna/train.fa.gz", NUMBERS, "aligned", ["wd:d=2+spectrum:k=2", "wd:d=3"]),
] + [
    ("peptides-" + s, "peptides-a/%s.train.fa.gz" % s, [], "protein",
     ["gapped:l=5,k=2,filter=gapped+oligo:k=1,sigma=8+substring:weight=bounded,k=3,ends", "spectrum:k=2,bounded"])
    for s in ["ace", "bitter", "quorum", "acp-alt", "neuro", "av", "dppiv", "ttca"]
] + [
    ("gue-" + s, "gue-dev/%s.dev.fa.gz" % s, [], "aligned", known)
    for s, known in [("splice", ["wd:d=10,shift=5+oligo:k=3,sigma=2", "wd:d=8,shift=8+gapped:l=8,k=5,d=3"]),
                     ("prom-300-all", ["wd:d=8,shift=8+gapped:l=8,k=5,d=3"]),
                     ("emp-H3", ["gapped:l=10,k=6,rc", "wd:d=20"]),
                     ("emp-H3K4me1", ["gapped:l=10,k=6,rc"]), ("emp-H3K36me3", ["gapped:l=10,k=6,rc"])]
] + [
    ("rbp-" + s, "rbp-graphprot-a/%s.train.fa.gz" % s, [], "dna", ["gapped:l=8,k=5,d=3", "gapped:l=10,k=6"])
    for s in ["ALKBH5", "C22ORF28", "CLIP-ELAVL1", "PUM2", "QKI"]
] + [
    ("rna-families", "rna-families/train.fa.gz", [], "dna", ["gapped:l=8,k=5,d=3", "spectrum:k=6,bounded"]),
    ("intents", "text-intents/train.tsv.gz", TSV, "text",
     ["words:ngram=1-2,binary,tfidf+spectrum:k=5,bounded", "words:sublinear,tfidf"]),
    ("worm-acceptors-rare", "splice-celegans-acc-100k-b/all.fa.gz", [], "aligned", ["wd:d=8", "wd:d=20"]),
] + [
    ("question-trees-" + s, "tree-qc-kelp/train.%s.tsv.gz" % s, TSV + TREES, "tree",
     ["sst:lambda=0.4,size=3,leaves", "ptk:lambda=1,size=3"])
    for s in ["grct", "lct", "loct"]
] + [
    ("document-trees", "tree-inex2005/train.tsv.gz", TSV + TREES, "tree", ["ptk:lambda=1,size=3", "subtree:lambda=0.4"]),
]

NUCLEIC = [
    "spectrum:k=4,bounded,rc", "spectrum:k=6,bounded,rc", "spectrum:k=6,bounded", "spectrum:k=4,bounded",
    "spectrum:k=6,rc,count=sqrt", "spectrum:k=4,rc,count=sqrt", "gapped:l=6,k=4,d=2,rc",
    "gapped:l=8,k=5,d=3,rc", "gapped:l=8,k=5,d=3", "gapped:l=8,k=6,d=2,rc", "gapped:l=10,k=6,d=4,rc",
    "gapped:l=10,k=6,d=4", "gapped:rc", "spaced:pair=2,gap=10,rc", "mismatch:k=6,m=1,rc",
    "gapped:l=8,k=5,d=3+spectrum:k=6,bounded", "gapped:l=10,k=6,d=4+spectrum:k=6,bounded",
    "gapped:l=10,k=6,d=4+gapped:l=6,k=4,d=2+spectrum:k=4,bounded",
]
ALIGNED = [
    "wd:d=1", "wd:d=3", "wd:d=6", "wd:d=8", "wd:d=20", "wd:d=6,shift=1", "wd:d=8,shift=2", "wd:d=10,shift=5",
    "wd:d=8,shift=20", "wd:d=6+spectrum:k=4,bounded", "wd:d=6,shift=1+spectrum:k=6,bounded",
    "wd:d=6+gapped:l=8,k=5,d=3", "oligo:k=3,sigma=2", "oligo:k=3,sigma=10", "oligo:k=6,sigma=10", "poly:d=2",
    "wd:d=2,rbf=0.5", "wd:d=3,rbf=1", "locality:window=4,inner=4",
]
PROTEIN = [
    "spectrum:k=1", "spectrum:k=2,bounded", "spectrum:k=3,bounded", "spectrum:k=3", "spectrum:k=2,bounded,rbf=1",
    "spectrum:k=2,count=sqrt", "mismatch:k=4,m=1", "mismatch:k=5,m=1", "mismatch:k=3,m=1",
    "mismatch:k=3,subst=blosum62", "gapped:l=5,k=3,filter=gapped,d=2", "gapped:l=4,k=2,d=2,filter=gapped",
    "gapped:l=8,k=4,d=4,filter=gapped", "gapped:l=6,k=3,d=3,filter=gapped", "spaced:pair=1,gap=10",
    "spaced:pair=1,gap=5", "subsequence:k=3,span=6,lambda=0.5", "substring:weight=decay,lambda=0.5",
    "substring:weight=bounded,k=4,ends", "substring:weight=bounded,k=3,ends",
    "spectrum:k=3,bounded,alphabet=murphy10", "spectrum:k=3,bounded+spaced:pair=1,gap=10", "oligo:k=3,sigma=10",
]
PROTEINALIGNED = [
    "wd:d=1", "wd:d=2", "wd:d=3", "wd:d=1,rbf=0.3", "wd:d=1,rbf=1", "poly:d=2", "poly:d=3", "wd:d=1,subst=blosum62",
    "wd:d=1+spectrum:k=1", "spectrum:k=2,bounded",
]
TEXT = [
    "words", "words:sublinear,tfidf", "words:binary,tfidf", "words:ngram=1-2,binary",
    "words:ngram=1-2,sublinear,tfidf", "words:ngram=1-2,binary,tfidf", "words:stem=english,sublinear,tfidf",
    "words:ngram=1-2,skip=1,binary", "words:letters,ngram=1-3,sublinear,tfidf",
    "words:letters,ngram=2-5,sublinear,tfidf", "spectrum:k=3,bounded", "spectrum:k=5,bounded", "spectrum:k=4",
    "spectrum:k=3,count=presence", "spectrum:k=5,count=presence", "substring:weight=tfidf,k=4,ends",
    "substring:weight=tfidf,k=6", "substring:weight=decay,lambda=0.5,ends", "substring:weight=bounded,k=8",
    "substring:weight=constant", "substring:unit=word,weight=bounded,k=3", "gapped:l=6,k=4,d=2,filter=gapped",
    "words:ngram=1-2,binary,tfidf+spectrum:k=5,bounded",
    "words:sublinear,tfidf+words:letters,ngram=2-5,sublinear,tfidf",
    "words:ngram=1-2,binary,tfidf+substring:weight=tfidf,k=6",
]
TREE = [
    "ptk:lambda=1,size=3", "ptk:lambda=0.4", "sst:lambda=0.4,size=3,leaves", "sst:lambda=0.4,leaves", "sst:lambda=0.4",
    "subtree:lambda=0.4", "subtree", "tag:weight=bounded,k=12", "tag:weight=bounded,k=6",
    "sst:lambda=0.4,size=3,leaves+tag:weight=bounded,k=12",
]
KERNELS = {
    "dna": NUCLEIC, "aligned": NUCLEIC + ALIGNED, "protein": PROTEIN, "proteinaligned": PROTEINALIGNED, "text": TEXT,
    "tree": TREE,
}


def sample(path, most, target):
    """Writes every so manieth record, as many as most, to the file target."""
    records = []
    with gzip.open(path, "rb") as f:
        for line in f:
            if path.endswith(".tsv.gz") or line.startswith(b">"):
                records.append(line)
            else:
                records[-1] += line
    if records[0] == b"label\ttext\n":
        del records[0]
    take = min(most, len(records))
    # the golden ratio, so that no order of classes is kept
    chosen = sorted(sorted(range(len(records)), key=lambda i: (i * 0.6180339887498949) % 1)[:take])
    with open(target, "wb") as f:
        for i in chosen:
            f.write(records[i])


def tool(seqsvm, arguments, limited=False):
    """Returns what the tool reports, or nothing if it took too long, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = lambda: limited and resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    done = subprocess.run([seqsvm, *arguments], capture_output=True, text=True, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode < 0 and limited:
        return None, cpu
    if done.returncode:
        sys.exit("%s: %s" % (" ".join(arguments), done.stderr))
    return json.loads(done.stdout), cpu


def options_of(options):
    return options if "-C" in options else options + CLASSES


def sets(most):
    data = os.environ["SEQSVM_DATA"]
    only = os.environ.get("ONLY", "")
    with tempfile.TemporaryDirectory() as folder:
        for name, path, options, kind, known in SETS:
            if not re.search(only, name):
                continue
            file = os.path.join(folder, os.path.basename(path)[:-3])
            sample(os.path.join(data, path), max(most, LEAST.get(name, 0)), file)
            yield name, file, options, kind, known


def table(seqsvm, most):
    print("set\tkind\tkernel\tC\tmetric\tmean\tse\tcpu\tletters", flush=True)
    for name, file, options, kind, known in sets(most):
        letters = sum(len(line.strip()) for line in open(file, "rb") if not line.startswith(b">"))
        for kernel in dict.fromkeys(KERNELS[kind] + known):
            report, cpu = tool(seqsvm, ["tune", "--threads", "1", "-q", "--similarity", "0", "--format", "json",
                                        "-k", kernel, *options_of(options), file], limited=True)
            if report is None:
                continue
            best = report["candidates"][0]
            metric = report["metric"]
            se = best["sd"][metric] / math.sqrt(report["folds"])
            print(name, kind, kernel, best["settings"]["C"], metric, "%.5f" % best["mean"][metric], "%.5f" % se,
                  "%.2f" % cpu, letters, sep="\t", flush=True)


def leave(path):
    """Learns a portfolio for each set from the others of its kind, the kernel that helps them most first, and prints
    what the best of that portfolio lacks to the best of all kernels on the set."""
    score, error, kinds = collections.defaultdict(dict), {}, collections.defaultdict(list)
    for line in open(path):
        name, kind, kernel, _, _, mean, se, _, _ = line.rstrip("\n").split("\t")
        if name == "set":
            continue
        score[name][kernel] = float(mean)
        if float(mean) == max(score[name].values()):
            error[name] = float(se)
        if name not in kinds[kind]:
            kinds[kind].append(name)
    print("set\tkind\tbest\tscore\tportfolio\tscore\tlacks\tallowed\twithin")
    for kind, names in kinds.items():
        for left in names:
            others = [n for n in names if n != left]
            chosen = []
            while others and len(chosen) < min(SIZE, len(KERNELS[kind])):
                def lack(extra):
                    tried = chosen + [extra]
                    return sum(max(score[n].values()) - max(score[n].get(k, 0) for k in tried) for n in others)
                chosen.append(min((k for k in KERNELS[kind] if k not in chosen), key=lack))
            if not others:
                continue
            best = max(score[left], key=score[left].get)
            pick = max(chosen, key=lambda k: score[left].get(k, 0))
            lacks, allowed = score[left][best] - score[left][pick], max(0.005, error[left])
            print(left, kind, best, "%.4f" % score[left][best], pick, "%.4f" % score[left][pick], "%.4f" % lacks,
                  "%.4f" % allowed, lacks <= allowed, sep="\t")


def traits(file):
    """Returns what is special about the records of a sample."""
    lines = open(file, "rb").read().split(b"\n")
    headers = [line for line in lines if line.startswith(b">")]
    labels = [line.split()[1] for line in headers] or [line.split(b"\t")[0] for line in lines if line]
    rarest = min(collections.Counter(labels).values())
    letters = sum(len(line) for line in lines if not line.startswith(b">"))
    found = {"few": len(labels) < 200, "long": letters > 3000 * len(labels), "rare": 10 * rarest < len(labels)}
    return [name for name, holds in found.items() if holds and (name != "rare" or len(set(labels)) == 2)]


def search(seqsvm, most, budget):
    print("set\tmetric\tbest known\tmean\tse\tsearch\tmean\tlacks\twithin\tusual\tbelow\twork\tcpu", flush=True)
    summary = collections.defaultdict(list)
    for name, file, options, kind, known in sets(most):
        common = ["--threads", "1", "--similarity", "0", "--folds", "3", "--format", "json"]
        nested = common + ["--nested", "3"]
        scores = []
        for kernel in known:
            report, _ = tool(seqsvm, ["tune", "-k", kernel, *nested, *options_of(options), file])
            metric = report["metric"]
            scores.append((report["nested"]["mean"][metric], report["nested"]["sd"][metric] / math.sqrt(3), kernel))
        mean, se, kernel = max(scores)
        one = [o if o not in (NUMBERS[-1], TREES[-1]) else "1" for o in options]
        usual, _ = tool(seqsvm, ["cv", *common, *one, file])
        plain = usual["mean"][metric]
        report, cpu = tool(seqsvm, ["tune", "--budget", budget, *nested, *options_of(options), file])
        found = report["nested"]["mean"][metric]
        error = max(usual["sd"][metric], report["nested"]["sd"][metric]) / math.sqrt(3)
        picked = "; ".join(f["options"].replace("--kernel ", "") for f in report["nested"]["folds"])
        within, below = mean - found <= max(0.005, se), plain - found > error
        print(name, metric, kernel, "%.4f" % mean, "%.4f" % se, picked, "%.4f" % found, "%.4f" % (mean - found),
              within, "%.4f" % plain, below, "%.1f" % report["search"]["work"], "%.1f" % cpu, sep="\t", flush=True)
        for group in [kind, "all", *traits(file)]:
            summary[group].append((within, below))
    for group, sets_of in summary.items():
        within, below = map(sum, zip(*sets_of))
        print("%s: within the margin of the best known on %d of %d sets, more than a standard error below the usual "
              "kernel on %d" % (group, within, len(sets_of), below))


if "SEQSVM_DATA" not in os.environ:
    print("portfolio: nothing is done without $SEQSVM_DATA, the folder of data sets")
elif len(sys.argv) < 3:
    sys.exit(__doc__)
elif sys.argv[1] == "table":
    table(sys.argv[2], int(sys.argv[3]))
elif sys.argv[1] == "leave":
    leave(sys.argv[2])
else:
    search(sys.argv[2], int(sys.argv[3]), sys.argv[4])
