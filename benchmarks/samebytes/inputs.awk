# Writes the generated inputs of run.sh into the current directory. The random numbers are those of a linear
# congruential generator whose products stay below 2^53, so every awk writes the same bytes.

function below(n) { # an integer from 0 to n - 1
  seed = seed * 16807 % 2147483647
  return int(seed / 8) % n
}

function pick(list, array, n) { # a word of a list with spaces between
  n = split(list, array, " ")
  return array[1 + below(n)]
}

function letters(n, alphabet, s) {
  s = ""
  while (length(s) < n) s = s substr(alphabet, 1 + below(length(alphabet)), 1)
  return s
}

function plant(s, motif, at) { # the sequence with the motif somewhere, one letter of it replaced now and then
  at = below(length(s) - length(motif) + 1)
  if (below(4) == 0) motif = substr(motif, 1, 2) "A" substr(motif, 4)
  return substr(s, 1, at) motif substr(s, at + length(motif) + 1)
}

function complement(s, i, out) {
  out = ""
  for (i = length(s); i > 0; i--) out = out substr("TGCA", index("ACGT", substr(s, i, 1)), 1)
  return out
}

# DNA of two classes; some records have lower case, some N, and the motif is on either strand.
function dna(file, n, prefix, i, s, motif) {
  for (i = 1; i <= n; i++) {
    s = letters(50 + below(40), "ACGT")
    motif = below(2) ? "TGACTCATT" : complement("TGACTCATT")
    if (i % 2) s = plant(s, motif)
    if (i % 7 == 0) s = substr(s, 1, 10) tolower(substr(s, 11, 15)) substr(s, 26)
    if (i % 11 == 0) s = substr(s, 1, 30) "NN" substr(s, 33)
    printf ">%s%d chr%d:%d label=%s\n%s\n", prefix, i, i % 5, i, i % 2 ? "+1" : "-1", s > file
  }
  close(file)
}

# Proteins of three classes, each with a motif; X now and then.
function protein(file, n, prefix, i, s) {
  for (i = 0; i < n; i++) {
    s = letters(30 + below(30), "ACDEFGHIKLMNPQRSTVWY")
    s = plant(s, pick(substr("KKRKRP KRKRPKKLLRALSLLRSLSMKWVTF KWVTFA", 1 + 14 * (i % 3), 13)))
    if (i % 13 == 0) s = substr(s, 1, 8) "X" substr(s, 10)
    printf ">%s%d %s\n%s\n", prefix, i, place[1 + i % 3], s > file
  }
  close(file)
}

# Windows of one length: 12 letters, of which those around the middle tell the class.
function windows(file, alphabet, middle, n, i, s) {
  for (i = 0; i < n; i++) {
    s = letters(12, alphabet)
    if (i % 2) s = substr(s, 1, 5) (below(5) ? middle : letters(length(middle), alphabet)) substr(s, 6 + length(middle))
    printf ">w%d label=%s\n%s\n", i, i % 2 ? "site" : "other", s > file
  }
  close(file)
}

function fastq(file, n, i, s) {
  for (i = 0; i < n; i++) {
    s = letters(36, "ACGT")
    if (i % 2) s = plant(s, "GGATCC")
    printf "@read%d %s\n%s\n+\n%s\n", i, i % 2 ? "site" : "none", s, letters(36, "!#5AI") > file
  }
  close(file)
}

function sentence(class, n, s) {
  s = ""
  while (n-- > 0) s = s " " pick(below(3) ? vocabulary[class] : "the a of and in at with not it is was on for")
  s = toupper(substr(s, 2, 1)) substr(s, 3)
  return s (below(3) ? "." : below(2) ? ", again!" : "")
}

# The same documents as TSV, CSV, JSON lines, lines with a table of labels, HTML and a folder per class.
function documents(n, prefix, i, class, text, quoted) {
  printf "id,class,body\n" > (prefix ".csv")
  for (i = 1; i <= n; i++) {
    class = topic[1 + i % 3]
    text = sentence(class, 5 + below(9))
    printf "%s\t%s\n", class, text > (prefix ".tsv")
    printf "k%d,%s,\"%s\"\n", i, class, text > (prefix ".csv")
    printf "{\"label\": \"%s\", \"text\": \"%s\", \"doc\": {\"key\": \"k%d\"}}\n", class, text, i > (prefix ".jsonl")
    printf "%s\n", text > (prefix ".txt")
    printf "%d\t%s\n", i, class > (prefix ".labels")
    printf "%s\t<p class=x>%s</p><!-- %s -->\n", class, text, class > (prefix ".html.tsv")
    if (prefix == "docs") printf "%s\n", text > ("folder/" class "/" i ".txt")
    if (class != "news") printf "%s\t%s\n", class, text > (prefix ".two.tsv")
  }
}

# Several labels per record, and paths of labels.
function labelled(n, i, one, other, text) {
  for (i = 0; i < n; i++) {
    one = pick("sport food news")
    other = pick("sport food news")
    text = sentence(one, 6) " " sentence(other, 5)
    printf "%s\t%s\n", one == other ? one : one "," other, text > "multi.tsv"
    printf "{\"label\": [\"%s\"], \"text\": \"%s\"}\n", one == other ? one : one "\", \"" other, text > "multi.jsonl"
    one = pick("sport/ball/foot sport/ball/hand sport/run food/soup food/bread news")
    text = sentence(substr(one, 1, index(one "/", "/") - 1), 6)
    gsub("/", " ", one)
    text = text " " one
    gsub(" ", "/", one)
    printf "%s\t%s\n", one, text > "paths.tsv"
  }
}

# A tree in one of five syntaxes. Trees of the class deep grow in depth, those of flat in breadth.
function tree(class, depth, syntax, n, i, label, part, s) {
  if (depth == 0) {
    label = pick("ball soup vote dog cat") "::" pick("n v")
    if (syntax == "newick") sub("::", "_", label)
    return syntax == "json" ? "\"" label "\"" : label
  }
  label = pick("S NP VP PP")
  n = class == "deep" ? 1 + below(2) : 2 + below(2)
  s = ""
  for (i = 1; i <= n; i++) {
    part = tree(class, i == n || class == "deep" ? depth - 1 : below(depth), syntax)
    if (syntax == "newick" || syntax == "json") s = s (i > 1 ? "," : "") part
    else s = s (syntax == "xml" && depth > 1 ? "" : " ") part
  }
  if (syntax == "newick") return "(" s ")" label
  if (syntax == "json") return "{\"" label "\": [" s "]}"
  if (syntax == "xml") return "<" label " k='" below(3) "'>" s "</" label ">"
  return "(" label s ")"
}

function trees(n, i, class, depth) {
  for (i = 1; i <= n; i++) {
    class = i % 2 ? "deep" : "flat"
    depth = i % 2 ? 3 + below(2) : 2
    printf "%s\t%s\n", class, tree(class, depth, "penn") > "trees.tsv"
    printf "%s\t( %s )\n", class, tree(class, depth, "penn") > "penn.tsv"
    printf "%s |BT:first| %s |ET| |BT:second| (x) |ET|\n", class, tree(class, depth, "penn") > "trees.klp"
    printf "%s\t%s;\n", class, tree(class, depth, "newick") > "newick.tsv"
    printf "{\"label\": \"%s\", \"text\": %s}\n", class, tree(class, depth, "json") > "json.jsonl"
    printf "%s\t%s\n", class, tree(class, depth, "xml") > "xml.tsv"
    printf "<?xml version=\"1.0\"?>\n%s\n", tree(class, depth, "xml") > ("xml/" class "/" i ".xml")
  }
}

# Secondary structures of RNA: a stem with a loop, or none.
function hairpins(file, n, i, k, stem, loop, s, open) {
  for (i = 1; i <= n; i++) {
    k = 3 + below(4)
    stem = letters(k, "ACGU")
    loop = letters(4, "ACGU")
    s = complement(replaced(stem))
    gsub("T", "U", s)
    open = substr("((((((((", 1, k)
    printf ">r%d %s\n%s%s%s\n", i, i % 2 ? "hairpin" : "loose", stem, loop, s > file
    if (i % 2) printf "%s....%s\n", open, substr("))))))))", 1, k) > file
    else printf "%s\n", substr("........................", 1, 2 * k + 4) > file
  }
  close(file)
}

function replaced(s) {
  gsub("U", "T", s)
  return s
}

# Longer texts: every author has a preference among the words.
function author(file, favourite, n) {
  while (n-- > 0) printf "%s %s.\n", sentence(pick("sport food news " favourite), 9), sentence(favourite, 3) > file
  close(file)
}

# A genome of two records with genes on both strands, in GFF3, GTF and BED; sites, peaks and variants on it.
function genome(chromosome, length_, genes, i, j, at, strand, exon, name) {
  for (i = 1; i <= length_; i++) base[i] = letters(1, "ACGT")
  for (i = 1; i <= genes; i++) {
    at = i * int(length_ / (genes + 1)) - 200
    strand = i % 2 ? "+" : "-"
    name = chromosome ".g" i
    printf "%s\thand\tmRNA\t%d\t%d\t.\t%s\t.\tID=%s\n", chromosome, at, at + 299, strand, name > "genes.gff3"
    printf "%s\t%d\t%d\t%s\t0\t%s\t%d\t%d\t0\t3\t60,60,60\t0,120,240\n",
      chromosome, at - 1, at + 299, name, strand, at - 1, at + 299 > "genes.bed"
    for (exon = 0; exon < 3; exon++) {
      j = at + 120 * exon
      printf "%s\thand\texon\t%d\t%d\t.\t%s\t.\tParent=%s\n", chromosome, j, j + 59, strand, name > "genes.gff3"
      printf "%s\thand\tCDS\t%d\t%d\t.\t%s\t0\tParent=%s\n", chromosome, j, j + 59, strand, name > "genes.gff3"
      printf "%s\thand\texon\t%d\t%d\t.\t%s\t.\tgene_id \"%s\"; transcript_id \"%s\";\n",
        chromosome, j, j + 59, strand, name, name > "genes.gtf"
      if (exon < 2) put(j + 60, strand == "+" ? "GTAAG" : "CTGCA")
      if (exon < 2) put(j + 115, strand == "+" ? "TGCAG" : "CTTAC")
    }
    put(strand == "+" ? at : at + 297, strand == "+" ? "ATG" : "CAT")
    printf "%s\t%d\t%s\t%s\n", chromosome, at, strand, name > "places.tsv"
    printf "%s\t%d\t%d\t%s\t0\t%s\n", chromosome, at + 30, at + 90, name, strand > "peaks.bed"
    put(at + 50, "TGACTCATT")
  }
  for (i = 1; i <= length_; i++) if (i % 1500 > 1300) base[i] = tolower(base[i])
  put(int(length_ / 2), "NNNNNNNNNNNNNNN")
  printf ">%s made\n", chromosome > "genome.fa"
  for (i = 1; i <= length_; i++) printf "%s%s", base[i], i % 60 && i < length_ ? "" : "\n" > "genome.fa"
  for (i = 100; i <= length_; i += 173) variant(chromosome, i)
}

function put(at, s, i) {
  for (i = 1; i <= length(s); i++) base[at + i - 1] = substr(s, i, 1)
}

function variant(chromosome, i, ref, alt) {
  ref = base[i]
  alt = letters(1, substr("ACGTACGT", index("ACGT", toupper(ref)) + 1, 3))
  if (i % 3 == 0) ref = ref base[i + 1] base[i + 2]
  if (i % 5 == 0) alt = alt letters(1 + below(4), "ACGT") ",<DEL>"
  printf "%s\t%d\tv%d\t%s\t%s\t.\t.\t.\n", chromosome, i, i, toupper(ref), alt > "variants.vcf"
}

BEGIN {
  seed = 20061
  vocabulary["sport"] = "team goal match ball player win lost kick run final race coach scored playing Zürich"
  vocabulary["food"] = "bread soup beans butter sugar cake salt café cooking baked naïve ﬁsh taste plates pan"
  vocabulary["news"] = "minister house vote law tax election court paper signed talks spoke prices market São"
  split("sport food news", topic)
  split("nuc mit cyt", place)
  split("KKRKRP KRKRPK,LLRALS LLRSLS,MKWVTF KWVTFA", signal, ",")
  dna("dna.fa", 120, "d")
  dna("dna.test.fa", 30, "t")
  dna("few.fa", 12, "f")
  protein("protein.fa", 72, "p")
  protein("protein.test.fa", 18, "q")
  windows("sites.fa", "ACGT", "GTAAG", 60)
  windows("sites.test.fa", "ACGT", "GTAAG", 20)
  windows("rna.fa", "ACGU", "GUAAG", 40)
  windows("peptides.fa", "ACDEFGHIKLMNPQRSTVWY", "KRKR", 40)
  fastq("reads.fq", 40)
  documents(90, "docs")
  documents(24, "test")
  labelled(60)
  trees(40)
  hairpins("rna.dbn", 24)
  author("author.a.txt", "sport", 90)
  author("author.b.txt", "food", 80)
  author("author.c.txt", "sport", 70)
  printf "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n" > "variants.vcf"
  printf "##gff-version 3\n" > "genes.gff3"
  genome("chr1", 12000, 10)
  genome("chr2", 6000, 5)
}
