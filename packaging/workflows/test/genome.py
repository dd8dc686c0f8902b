#!/usr/bin/env python3
"""Write a small random genome, genome.fa, with genes of two exons, genes.gff3.

    genome.py [CHROMOSOMES [LETTERS [GENES]]]

An intron begins with GTAAGT, and ends with pyrimidines and CAG: what splice sites look like. The same numbers give the
same files.
"""
import random
import sys


def gene(rng):
    """Return the letters of a gene and where its intron begins and ends."""
    def letters(n, of="ACGT"):
        return "".join(rng.choices(of, k=n))
    first, second = letters(rng.randrange(120, 200)), letters(rng.randrange(120, 200))
    intron = "GTAAGT" + letters(rng.randrange(80, 160)) + letters(18, "CTTTTG") + "CAG"
    return first + intron + second, len(first), len(first) + len(intron)


def main(chromosomes=4, length=120_000, genes=80):
    rng = random.Random(1)
    with open("genome.fa", "w") as fasta, open("genes.gff3", "w") as gff:
        gff.write("##gff-version 3\n")
        for c in range(1, chromosomes + 1):
            letters = rng.choices("ACGT", k=length)
            room = length // genes
            for g in range(genes):
                text, begin, end = gene(rng)
                at = g * room + rng.randrange(room - len(text))
                letters[at:at + len(text)] = text
                exons = [(at + 1, at + begin), (at + end + 1, at + len(text))]
                name = f"c{c}g{g}"
                gff.write(f"chr{c}\ttest\tmRNA\t{at + 1}\t{at + len(text)}\t.\t+\t.\tID={name}\n")
                for first, last in exons:
                    gff.write(f"chr{c}\ttest\texon\t{first}\t{last}\t.\t+\t.\tParent={name}\n")
            fasta.write(f">chr{c}\n")
            for i in range(0, length, 60):
                fasta.write("".join(letters[i:i + 60]) + "\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
