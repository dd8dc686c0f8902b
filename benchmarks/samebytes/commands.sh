# shellcheck shell=bash
# The commands of run.sh, one call each:
#
#	run NAME ARGUMENT…             seqsvm ARGUMENT… in a folder NAME of its own, with the inputs in ../in
#	model NAME ARGUMENT…           the same, and -o m.seqsvm
#	use NAME MODEL COMMAND …       seqsvm COMMAND … -m ../MODEL/m.seqsvm, MODEL being the NAME of an earlier model
#	fails NAME ARGUMENT…           as run, for a command that must not succeed
#
# Every folder compares as a whole: exit status, standard output, files. A command that is not listed is not compared.

# family NAME TRAINING TEST OPTION… trains, predicts, describes the model and writes a raw Gram matrix.
family() {
  local name=$1 training=$2 test=$3
  shift 3
  model "$name" train --threads 2 --predictions p.tsv "$@" "../in/$training"
  use "$name.predict" "$name" predict --threads 1 --format json "../in/$test"
  use "$name.info" "$name" model info
  run "$name.gram" matrix gram --no-normalize "$@" "../in/$test"
}

commands() {
  kernels_of_strings
  kernels_of_positions
  kernels_of_texts
  kernels_of_trees
  sums
  labels
  learning
  formats
  estimates
  explanations
  genomes
  tool
  mistakes
  if [ -n "${SEQSVM_DATA:-}" ]; then data; fi
}

kernels_of_strings() {
  local k
  family spectrum dna.fa dna.test.fa -k spectrum:k=6
  family spectrum-rc dna.fa dna.test.fa -k spectrum:k=5,bounded,rc
  family spectrum-long dna.fa dna.test.fa -k spectrum:k=12,rc
  family spectrum-rbf dna.fa dna.test.fa -k spectrum:k=4,rbf=0.5
  family spectrum-protein protein.fa protein.test.fa -k spectrum:k=3
  family spectrum-bytes docs.tsv test.tsv -k spectrum:k=3,alphabet=bytes
  for k in constant fixed,k=5 bounded,k=6,rc decay,lambda=0.5 decay,lambda=1.2,k=6 length,weights=1:0:2:3 tfidf \
    tfidf,k=6,lambda=0.7 constant,ends bounded,k=5,rbf=0.5; do
    family "substring-${k//:/-}" dna.fa dna.test.fa -k "substring:weight=$k"
  done
  family substring-list dna.fa dna.test.fa -k substring:weight=length,weights=@../in/weights.txt
  family substring-protein protein.fa protein.test.fa -k substring:weight=bounded,k=4,ends
  family gapped dna.fa dna.test.fa -k gapped
  family gapped-rc promoters.fa dna.test.fa -k gapped:l=8,k=5,d=3,rc
  family gapped-gapped dna.fa dna.test.fa -k gapped:l=6,k=4,filter=gapped
  family gapped-full dna.fa dna.test.fa -k gapped:l=6,k=4,d=6,filter=full
  family gapped-wildcard dna.fa dna.test.fa -k gapped:l=6,k=4,filter=wildcard,lambda=0.7
  family gapped-center dna.fa dna.test.fa -k gapped:l=7,k=4,d=3,center=50:10,rc
  family gapped-clip dna.fa dna.test.fa -k gapped:l=6,k=4,d=1,clip
  family gapped-long dna.fa dna.test.fa -k gapped:l=15,k=12,d=2,rc
  family gapped-rbf dna.fa dna.test.fa -k gapped:l=6,k=4,rc,rbf=0.3
  family gapped-protein protein.fa protein.test.fa -k gapped:l=4,k=2,filter=gapped,d=2
  family mismatch dna.fa dna.test.fa -k mismatch:k=5,m=1
  family mismatch-rc dna.fa dna.test.fa -k mismatch:k=6,m=2,rc
  family mismatch-protein protein.fa protein.test.fa -k mismatch:k=4,m=1
}

kernels_of_positions() {
  local k
  for k in d=6 d=8 d=5,shift=2 d=5,shift=3,ramp=0.5,anchor=5 d=4,shift=2,shogun d=3,weights=1:1:1:2:2:2:2:2:2:1:1:0 \
    d=4,rc d=4,rbf=0.5; do
    family "wd-${k//:/-}" sites.fa sites.test.fa -k "wd:$k"
  done
  family wd-splice splice300.fa splice.test.fa -k wd:d=10
  family wd-rna rna.fa rna.fa -k wd:d=5
  family wd-protein peptides.fa peptides.fa -k wd:d=3
  for k in d=3,c=1 d=2,c=0,rc d=2,rbf=0.01; do
    family "poly-$k" sites.fa sites.test.fa -k "poly:$k"
  done
  for k in window=3 window=2,inner=2,outer=2 inner=3,weights=uniform,rc window=2,inner=2,rbf=0.01; do
    family "locality-$k" sites.fa sites.test.fa -k "locality:$k"
  done
  for k in k=3,sigma=2 k=2,sigma=1.5,rc k=2,rbf=0.01; do
    family "oligo-$k" sites.fa sites.test.fa -k "oligo:$k"
  done
  family oligo-splice splice300.fa splice.test.fa -k oligo:k=3,sigma=4
  family oligo-protein peptides.fa peptides.fa -k oligo:k=1,sigma=4
}

kernels_of_texts() {
  local k
  for k in words words:ngram=1-2,tfidf,stem=english,stop=english words:letters,ngram=1-3,sublinear,tfidf \
    words:ngram=2,skip=2 words:binary,mindf=2,maxdf=0.8 words:logentropy words:laplace words:l1 words:case,nfkc \
    words:stop=@../in/stop.txt words:dict=@../in/dict.txt words:ngram=1-2,rbf=0.5; do
    family "${k//[^a-z0-9=.,-]/-}" docs.tsv test.tsv -k "$k"
  done
  for k in unit=rune,ends,weight=bounded,k=4 unit=word,weight=decay,lambda=0.8,stem=english,stop=english \
    unit=word,case,nfkc,ends,weight=constant unit=word,weight=tfidf unit=rune,weight=tfidf,k=4 \
    unit=word,weight=fixed,k=2 weight=decay,lambda=0.7; do
    family "substring-$k" docs.tsv test.tsv -k "substring:$k"
  done
}

kernels_of_trees() {
  local k
  for k in subtree subtree:lambda=0.8,unordered subtree:cut=3,levels=2 subtree:before=:: subtree:keep=NP:S \
    tag tag:weight=decay,lambda=0.7 tag:weight=bounded,k=9,unordered tag:weight=tfidf,k=9 tag:weight=fixed,k=4 \
    tag:weight=length,weights=1:2:3 tag:rbf=0.5 sst sst:size=3,leaves sst:depth=3,lambda=0.6 sst:size=2,unordered \
    sst:size=3,after=:: ptk ptk:size=3,lambda=1 ptk:depth=3,mu=0.5 ptk:terminal=0.5,before=:: ptk:size=3,unordered \
    ptk:size=3,rbf=0.5; do
    family "${k//[^a-z0-9=.,A-Z-]/-}" trees.tsv trees.tsv -k "$k"
  done
  family tree-leaves trees.tsv trees.tsv -k words:leaves,before=::,ngram=1-2
  family tree-penn penn.tsv penn.tsv -k sst:size=3 --input tree=penn
  family tree-newick newick.tsv newick.tsv -k ptk:size=3 --input tree=newick
  family tree-xml xml.tsv xml.tsv -k tag:weight=bounded,k=8 --input tree=xml,tree-labels=names+attributes
  family tree-html xml.tsv xml.tsv -k sst:size=3 --input tree=html
  family tree-json json.jsonl json.jsonl -k subtree:lambda=0.8 --input tree=json
  family tree-kelp trees.klp trees.klp -k ptk:size=3 --input text=first,tree=penn
  family tree-folder xml xml -k sst:depth=2 --input tree=xml
  family tree-rna rna.dbn rna.dbn -k ptk:size=3
}

sums() {
  local k
  family sum-dna dna.fa dna.test.fa -k spectrum:k=5,rc -k substring:weight=decay,lambda=0.5 -k gapped:l=6,k=4,rc
  family sum-raw dna.fa dna.test.fa -k spectrum:k=4 -k mismatch:k=4,m=1
  family sum-rbf dna.fa dna.test.fa -k spectrum:k=4,rbf=0.5 -k substring:weight=bounded,k=4
  family sum-sites sites.fa sites.test.fa -k wd:d=4,shift=1 -k oligo:k=2 -k spectrum:k=3
  family sum-texts docs.tsv test.tsv -k words:tfidf -k substring:unit=word,weight=bounded,k=3 -k spectrum:k=4
  family sum-siblings docs.tsv test.tsv -k words -k words:letters,ngram=1-3 -k substring:unit=word,stem=english
  family sum-trees trees.tsv trees.tsv -k sst -k words:leaves,before=::
  for k in spectrum:k=4 substring:weight=bounded,k=4 gapped:l=6,k=4,rc mismatch:k=4,m=1; do
    model "raw-${k%%:*}" train --no-normalize -k "$k" ../in/dna.fa
    use "raw-${k%%:*}.predict" "raw-${k%%:*}" predict --raw ../in/dna.test.fa
  done
  model raw-words train --no-normalize -k words:l1 ../in/docs.tsv
  use raw-words.predict raw-words predict --raw --format json ../in/test.tsv
  model raw-wd train --no-normalize -k wd:d=4 ../in/sites.fa
  use raw-wd.predict raw-wd predict ../in/sites.test.fa
}

labels() {
  local m
  model files train -k spectrum:k=5 --pos ../in/pos.fa --neg ../in/neg.fa
  use files.evaluate files evaluate --pos ../in/pos.fa --neg ../in/neg.fa
  model files-several train -k spectrum:k=5 --pos ../in/pos.fa --pos ../in/few.fa \
    --neg ../in/neg.fa --neg ../in/sites.fa
  model table train -k spectrum:k=5 --labels ../in/dna.labels ../in/bare.fa
  model positive train -k spectrum:k=5 --positive -1 ../in/dna.fa
  use positive.predict positive predict ../in/dna.test.fa
  for m in ovr ovo crammer-singer auto; do
    model "splice-$m" train -k spectrum:k=4 --multiclass "$m" ../in/splice300.fa
    use "splice-$m.predict" "splice-$m" predict --format json ../in/splice.test.fa
    use "splice-$m.evaluate" "splice-$m" evaluate --predictions p.tsv ../in/splice.test.fa
    use "splice-$m.info" "splice-$m" model info --format json
    model "topics-$m" train -k words --multiclass "$m" ../in/docs.tsv
    use "topics-$m.evaluate" "topics-$m" evaluate --format json ../in/test.tsv
  done
  model gram-ovo train -k gapped:l=4,k=2,filter=gapped --multiclass ovo ../in/protein.fa
  use gram-ovo.predict gram-ovo predict ../in/protein.test.fa
  model multilabel train -k words:ngram=1 --multilabel , --predictions p.tsv ../in/multi.tsv
  use multilabel.predict multilabel predict --format json ../in/test.tsv
  use multilabel.evaluate multilabel evaluate ../in/multi.jsonl
  use multilabel.json multilabel evaluate --format json ../in/multi.tsv
  model multilabel-list train -k substring:unit=word,weight=bounded,k=2 --multilabel , ../in/multi.jsonl
  use multilabel-list.predict multilabel-list predict ../in/multi.tsv
  for m in auto ovr crammer-singer; do
    model "hierarchy-$m" train -k words --hierarchy / --multiclass "$m" ../in/paths.tsv
    use "hierarchy-$m.predict" "hierarchy-$m" predict --format json ../in/paths.tsv
    use "hierarchy-$m.evaluate" "hierarchy-$m" evaluate ../in/paths.tsv
  done
  model hierarchy-spectrum train -k spectrum:k=3 --hierarchy / ../in/paths.tsv
  use hierarchy-spectrum.json hierarchy-spectrum evaluate --format json ../in/paths.tsv
}

learning() {
  local m
  for m in smo cutting-plane dual-coordinate; do
    model "solver-$m" train -k spectrum:k=5 --solver "$m" --format json ../in/dna.fa
    use "solver-$m.predict" "solver-$m" predict ../in/dna.test.fa
  done
  model solver-substring train -k substring:weight=bounded,k=5 --solver smo ../in/promoters.fa
  model solver-planes train -k substring:weight=bounded,k=5 --solver cutting-plane ../in/promoters.fa
  model solver-splice train -k wd:d=8 --solver smo ../in/splice300.fa
  model sparse train -k wd:d=5,shift=1 --sparse --solver cutting-plane ../in/splice300.fa
  use sparse.predict sparse predict ../in/splice.test.fa
  for m in smo dual-coordinate auto; do
    model "squared-$m" train -k words --loss squared-hinge --solver "$m" ../in/docs.two.tsv
  done
  model squared-spectrum train -k spectrum:k=4 --loss squared-hinge ../in/splice300.fa
  use squared-spectrum.predict squared-spectrum predict ../in/splice.test.fa
  model balanced train -k spectrum:k=4 --class-weight balanced -C 0.3 --tol 1e-5 ../in/splice300.fa
  use balanced.predict balanced predict ../in/splice.test.fa
  model balanced-words train -k words --class-weight balanced -C 5 ../in/docs.tsv
  model balanced-smo train -k poly:d=2 --class-weight balanced ../in/splice300.fa
  for m in ovr ovo; do
    model "probability-$m" train -k spectrum:k=4 --probability --multiclass "$m" --seed 3 ../in/splice300.fa
    use "probability-$m.predict" "probability-$m" predict --format json ../in/splice.test.fa
  done
  model probability train -k substring:weight=bounded,k=5 --probability ../in/promoters.fa
  use probability.predict probability predict ../in/promoters.fa
  model probability-trees train -k ptk --probability ../in/trees.tsv
  for m in spectrum:k=5 gapped:l=6,k=4,rc words wd:d=4 mismatch:k=4,m=1 oligo:k=2 sst:size=3; do
    local set=sites.fa
    case $m in words) set=docs.tsv ;; sst*) set=trees.tsv ;; esac
    model "kept-${m%%:*}" train --keep-sequences -k "$m" "../in/$set"
    use "kept-${m%%:*}.predict" "kept-${m%%:*}" predict "../in/$set"
  done
  for m in 1 2 3; do
    model "threads-$m" train --threads "$m" --multiclass ovo -k gapped:l=8,k=5,rc ../in/splice300.fa
    use "threads-$m.predict" threads-1 predict --threads "$m" ../in/splice.test.fa
    model "threads-substring-$m" train --threads "$m" -k substring:weight=decay,lambda=0.5,rc ../in/splice300.fa
    model "threads-words-$m" train --threads "$m" -k words -k substring:unit=word,weight=tfidf ../in/docs.tsv
    run "threads-cv-$m" cv --threads "$m" -k gapped:l=4,k=2,filter=gapped --folds 4 --predictions p.tsv ../in/protein.fa
  done
}

formats() {
  local k=substring:weight=decay,lambda=0.5
  model tsv train -k $k ../in/docs.tsv
  model csv train -k $k --input text=body,label=class,id=id ../in/docs.csv
  use csv.predict csv predict --input text=body,id=id ../in/test.csv
  use csv.number csv predict --input text=3,id=1,header=yes ../in/test.csv
  model jsonl train -k $k --input id=doc.key ../in/docs.jsonl
  use jsonl.predict jsonl predict --input id=doc.key ../in/test.jsonl
  model text train -k $k --labels ../in/docs.labels ../in/docs.txt
  use text.predict text predict --input text ../in/test.txt
  model folder train -k $k ../in/folder
  use folder.predict folder predict ../in/folder
  use folder.one folder predict --input documents ../in/folder/sport/3.txt
  model html train -k words --input html ../in/docs.html.tsv
  use html.predict html predict ../in/test.html.tsv
  model latin1 train -k words --input encoding=latin1 ../in/latin1.tsv
  model bytes train -k $k --input encoding=bytes ../in/latin1.tsv
  model reuters train -k words:ngram=1 --multilabel , ../in/reuters.sgm
  use reuters.predict reuters predict ../in/reuters.sgm
  model fastq train -k spectrum:k=4 ../in/reads.fq
  use fastq.predict fastq predict ../in/reads.fq
  model gzip train -k spectrum:k=4 ../in/promoters.fa.gz
  model stdin train -k spectrum:k=4 - <../in/promoters.fa
  use stdin.predict stdin predict - <../in/promoters.fa.gz
  run stdout train --quiet -k spectrum:k=4 -o - ../in/promoters.fa
  model two-files train -k spectrum:k=4 ../in/dna.fa ../in/dna.test.fa
  model masked train -k spectrum:k=4 --input soft-mask=break ../in/dna.fa
  use masked.predict masked predict ../in/dna.test.fa
  model alphabet train -k substring:weight=bounded,k=4 --input alphabet=bytes ../in/dna.fa
}

estimates() {
  run cv cv -k substring:weight=bounded,k=6 --predictions p.tsv ../in/promoters.fa
  run cv-json cv -k spectrum:k=4,rc --folds 3 --format json --seed 2 ../in/splice300.fa
  run cv-ovo cv -k wd:d=5 --folds 3 --multiclass ovo -o metrics.tsv ../in/splice300.fa
  run cv-group cv -k spectrum:k=4 --folds 3 --group ../in/dna.groups --predictions p.tsv ../in/dna.fa
  run cv-regex cv -k spectrum:k=4 --folds 3 --group 'regex:chr([0-9])' ../in/dna.fa
  run cv-near cv -k spectrum:k=4 --folds 3 --group near-duplicates --similarity 0.5 ../in/promoters.fa
  run cv-pairs cv -k spectrum:k=4 --folds 3 --similarity 0.5 --near-duplicates pairs.tsv ../in/promoters.fa
  run cv-balanced cv -k words --folds 3 --class-weight balanced --probability ../in/docs.tsv
  run cv-baseline cv -k words --folds 3 --baseline ../in/docs.tsv
  run cv-multilabel cv -k words:ngram=1 --folds 3 --multilabel , --predictions p.tsv ../in/multi.tsv
  run cv-hierarchy cv -k words --folds 3 --hierarchy / --format json ../in/paths.tsv
  run cv-trees cv -k sst -k ptk:size=3 --folds 4 ../in/trees.tsv
  run cv-poly cv -k poly:d=2 -k locality:window=2,inner=2 --folds 4 ../in/sites.fa
  model tune tune -k 'spectrum:k=3..5' -k substring:weight=bounded,k=4/6 -C 0.1,1,10 --folds 3 ../in/promoters.fa
  use tune.predict tune predict ../in/promoters.fa
  run tune-nested tune -k 'spectrum:k=3/5' -C 0.1,1 --folds 3 --nested 3 --format json ../in/promoters.fa
  run tune-random tune -k 'spectrum:k=2..6' --random 5 --seed 4 --pick 1se --metric mcc ../in/promoters.fa
  run tune-sums tune -k words:tfidf/-+substring:unit=word,weight=bounded,k=2/3 -k words -C 1 --folds 3 \
    ../in/docs.two.tsv
  run tune-options tune -k words:ngram=1 --multiclass ovr,ovo --class-weight none,balanced \
    --loss hinge,squared-hinge -C 1 --folds 3 ../in/docs.tsv
  run tune-schemes tune -k words:ngram=1 --multiclass crammer-singer,ovr -C 1 --folds 3 ../in/docs.tsv
  run tune-multilabel tune -k words:ngram=1/1-2 -C 0.1,1 --folds 3 --multilabel , --metric hamming_loss ../in/multi.tsv
  run tune-hierarchy tune -k words:ngram=1 -C 1,5 --folds 3 --hierarchy / --metric accuracy_level_2 ../in/paths.tsv
  run tune-names tune -k spectrum -C 1 --folds 3 --group ../in/dna.groups ../in/dna.fa
  run rfe text rfe -k words:ngram=1 --folds 3 --features kept.txt ../in/docs.two.tsv
  run rfe-json text rfe -k words --folds 3 --drop 40 --keep 6 --features kept.txt --format json ../in/docs.tsv
  run rfe-spectrum text rfe -k spectrum:k=3,rc --folds 4 --least 4 --metric mcc ../in/promoters.fa
  run rfe-multilabel text rfe -k words:ngram=1 --folds 3 --multilabel , ../in/multi.tsv
  run rfe-hierarchy text rfe -k words:ngram=1 --folds 3 --hierarchy / --metric accuracy_level_1 ../in/paths.tsv
  run kernel-npy matrix gram -k spectrum:k=5,rc --format npy -o gram.npy ../in/dna.test.fa
  run kernel-libsvm matrix gram -k gapped:l=6,k=4,rc --format libsvm -o gram.libsvm ../in/dna.test.fa
  run kernel-cross matrix gram -k words:tfidf ../in/test.tsv ../in/docs.tsv
  run kernel-cross-npy matrix gram -k wd:d=4 --format npy -o cross.npy ../in/splice20.fa ../in/splice.test.fa
  run kernel-cross-libsvm matrix gram -k ptk:size=3 --format libsvm ../in/trees.tsv ../in/trees.tsv
  run kernel-dense matrix gram -k gapped:l=5,k=3,filter=gapped --format npy -o gram.npy ../in/protein.fa
  run unmask text unmask --chunk 50 --words 30 --rounds 4 --folds 5 --runs 2 ../in/author.{a,b,c}.txt
  run unmask-json text unmask --chunk 50 --words 30 --rounds 3 --folds 5 --runs 1 --format json ../in/author.{a,c}.txt
}

explanations() {
  local m
  for m in spectrum spectrum-rc substring-decay,lambda=0.5 substring-constant,ends gapped-rc mismatch sum-dna; do
    use "explain-$m" "$m" explain ../in/few.fa
    use "explain-$m.top" "$m" explain --top 5
    use "explain-$m.features" "$m" explain --top 3 --format json ../in/few.fa
  done
  for m in words sum-texts sum-siblings substring-unit=word,weight=tfidf substring-unit=rune,ends,weight=bounded,k=4; do
    use "explain-$m" "$m" explain ../in/test.tsv
    use "explain-$m.top" "$m" explain --top 4 --min-length 3
  done
  use explain-unit substring-weight=decay,lambda=0.7 explain --unit word ../in/test.tsv
  use explain-position words explain --unit position --format json ../in/test.tsv
  use explain-class splice-ovo explain --class EI --top 3
  use explain-json splice-ovr explain --format json ../in/splice20.fa
  use explain-multilabel multilabel explain --top 3
  use explain-trees sst-size=3,leaves explain --top 4
  use explain-ptk ptk-size=3,lambda=1 explain ../in/trees.tsv
  use explain-wd wd-d=6 explain ../in/sites.test.fa
  use explain-oligo oligo-k=3,sigma=2 explain ../in/sites.test.fa
  use poim wd-d=6 model poim --kmer 2
  use poim-top wd-d=5,shift=2 model poim --kmer 3 --top 10
  use poim-maxima wd-splice model poim --kmer 3 --maxima --class EI
  use poim-background wd-d=6 model poim --kmer 2 --background 0.3:0.2:0.2:0.3 -o poim.tsv
  use kmers spectrum model kmers -o kmers.tsv
  use kmers-gapped gapped-gapped model kmers
  use kmers-center gapped-center model kmers ../in/few.fa
  use kmers-mismatch mismatch-rc model kmers
  use kmers-rc spectrum-long model kmers ../in/few.fa
  use kmers-long gapped-long model kmers ../in/few.fa
}

genomes() {
  local g=../in/genome.fa
  use scan spectrum scan --window 60 --min-score 0.5 $g
  use scan-top gapped-rc scan --window 50 --top 20 --suppress 30 --format gff3 $g
  use scan-merge sum-dna scan --window 40 --min-score 0.5 --merge -o hits.bed $g
  use scan-graph spectrum-rc scan --window 60 --step 10 --format bedgraph $g
  use scan-raw mismatch-rc scan --window 60 --raw --min-score 0.5 --skip-ambiguous $g
  use scan-anchor wd-d=6 scan --anchor GT --offset 5 --top 40 --threads 1 $g
  use scan-threads wd-d=6 scan --anchor GT --offset 5 --top 40 --threads 2 $g
  use scan-strand wd-d=5,shift=2 scan --strand - --min-score 0.5 $g
  use scan-class splice-ovr scan --class EI --window 60 --step 7 --min-score 0 $g
  use scan-fdr spectrum scan --window 60 --fdr 0.5 $g
  use scan-calibrated spectrum scan --window 60 --fdr 0.5 --calibrate ../in/dna.fa --force $g
  use scan-probability probability scan --step 5 --min-score 0 $g
  use scan-substring substring-bounded,k=6,rc scan --window 60 --step 9 --top 50 $g
  use scan-stdin oligo-k=3,sigma=2 scan --step 6 - <../in/genome.fa
  use variants gapped-rc variants --genome $g ../in/variants.vcf
  use variants-spectrum spectrum variants --genome $g -o delta.tsv ../in/variants.vcf
  use variants-mismatch mismatch-rc variants --genome $g - <../in/variants.vcf
  use variants-masked masked variants --genome $g ../in/variants.vcf
  run windows genome windows --genome $g --annotation ../in/genes.gff3 --site donor --report report.tsv -o w.fa
  run windows-acceptor genome windows --genome $g --annotation ../in/genes.gtf --site acceptor --window 60 --offset 30 \
    --decoys all
  run windows-bed genome windows --genome $g --annotation ../in/genes.bed --site start --upstream 20 --downstream 30
  run windows-tss genome windows --genome $g --annotation ../in/genes.gff3 --site tss --upstream 50 --downstream 20
  run windows-split genome windows --genome $g --annotation ../in/genes.gff3 --site donor --split chrom=chr2 \
    --test-decoys 5x --train train.fa --test test.fa --seed 3
  run windows-block genome windows --genome $g --annotation ../in/genes.gff3 --site donor --split block=2000,test=0.3 \
    --train train.fa --test test.fa --report report.tsv
  run windows-list genome windows --genome $g --list ../in/places.tsv --upstream 20 --downstream 20 --decoys 30
  run windows-points genome windows --genome $g --bed ../in/peaks.bed --at centre --upstream 20 --downstream 20 \
    --distance 0
  run shuffle genome negatives --shuffle ../in/dna.fa
  run shuffle-masked genome negatives --shuffle --kmer 3 --copies 2 --input soft-mask=break --seed 5 -o neg.fa ../in/dna.fa
  run shuffle-protein genome negatives --shuffle ../in/protein.fa
  run shuffle-text genome negatives --shuffle --input alphabet=bytes ../in/docs.txt
  run background genome negatives --genome $g --positives ../in/peaks.bed --gc-tolerance 0.1 \
    --ratio 2 --exclude ../in/exclude.bed --negatives-bed n.bed --positives-fasta p.fa --report report.tsv -o n.fa
  model lsgkm model convert ../in/lsgkm.txt
  use lsgkm.predict lsgkm predict ../in/dna.test.fa
  use lsgkm.info lsgkm model info
  use lsgkm.kmers lsgkm model kmers
  model lsgkm-kept model convert --keep-sequences ../in/weighted.txt
  use lsgkm-kept.predict lsgkm-kept predict ../in/dna.test.fa
  model lsgkm-gaussian model convert - <../in/gaussian.txt
  use lsgkm-gaussian.predict lsgkm-gaussian predict ../in/dna.test.fa
}

tool() {
  local shell command words
  run kernels about kernels
  run kernels-json about kernels --format json
  for shell in bash zsh fish; do run "completion-$shell" about completion "$shell"; done
  run version --version
  run help --help
  for command in train predict evaluate cv tune "text rfe" "matrix gram" scan explain "model poim" "model kmers" \
    variants "model convert" "genome windows" "genome negatives" "text unmask" "about kernels" "model info" "about bench" \
    "about completion" genome model matrix text about; do
    read -ra words <<<"$command"
    run "help-${words[-1]}" "${words[@]}" --help
  done
  run bench about bench -k spectrum:k=4 -k gapped:l=6,k=4 -k wd:d=4 -n 30,60 --length 40 --repeats 1
  run bench-json about bench -k mismatch:k=4,m=1,rc -n 30 --length 40 --repeats 1 --format json
}

mistakes() {
  fails no-kernel train -k nothing:k=3 -o m.seqsvm ../in/dna.fa
  fails no-parameter train -k spectrum:k=99 -o m.seqsvm ../in/dna.fa
  fails no-file train -k spectrum -o m.seqsvm ../in/absent.fa
  fails no-option train -k spectrum --absent -o m.seqsvm ../in/dna.fa
  fails no-model predict -m ../in/text.seqsvm ../in/dna.fa
  fails no-records train -k spectrum -o m.seqsvm ../in/truncated.fa
  fails no-labels train -k spectrum -o m.seqsvm ../in/bare.fa
  fails ambiguous train -k spectrum --input ambiguous=error -o m.seqsvm ../in/dna.fa
  fails lengths train -k wd -o m.seqsvm ../in/dna.fa
  fails loss train -k words --loss squared-hinge --solver cutting-plane -o m.seqsvm ../in/docs.two.tsv
  fails scheme train -k words --multilabel , --multiclass ovo -o m.seqsvm ../in/multi.tsv
  fails brackets train -k sst -o m.seqsvm ../in/docs.tsv
  fails other-length predict -m ../wd-d=6/m.seqsvm ../in/dna.fa
  fails no-contributions explain -m ../gapped-rbf/m.seqsvm ../in/few.fa
  fails folds cv -k spectrum --folds 1 ../in/dna.fa
  fails command absent
}

# Real sets, where $SEQSVM_DATA has them.
data() {
  local d=$SEQSVM_DATA
  model data-reuters train -k words "$d/text-reuters-r8/train.tsv.gz"
  use data-reuters.predict data-reuters predict "$d/text-reuters-r8/test.tsv.gz"
  model data-questions train -k words:tfidf -k substring:unit=word,ends,weight=bounded,k=3 \
    "$d/text-trec-qc/train.tsv.gz"
  use data-questions.evaluate data-questions evaluate --predictions p.tsv "$d/text-trec-qc/test.tsv.gz"
  model data-trees train -k sst:size=3,leaves "$d/tree-qc-kelp/train.grct.tsv.gz"
  use data-trees.evaluate data-trees evaluate --predictions p.tsv "$d/tree-qc-kelp/test.grct.tsv.gz"
  model data-gapped train -k gapped:rc "$d/tfbs-fastsk-a/EP300.train.fa.gz"
  use data-gapped.predict data-gapped predict "$d/tfbs-fastsk-a/EP300.test.fa.gz"
  use data-gapped.scan data-gapped scan --window 100 --top 1000 --suppress 100 "$d/genome-ecoli-k12/genome.fa.gz"
  run data-splice cv -k wd:d=20 --folds 5 --predictions p.tsv "$d/splice-celegans-acc-2200/all.fa.gz"
  run data-proteins cv -k gapped:l=5,k=3,filter=gapped,d=2 --folds 3 --predictions p.tsv \
    "$d/protein-scop-a/3.33.train.fa.gz"
  run data-languages cv -k words:letters,ngram=1-3,sublinear,tfidf --folds 3 --multiclass ovr --predictions p.tsv \
    "$d/text-udhr-langid/all.tsv.gz"
  run data-windows genome windows --genome "$d/scan-drosophila-chr2L-train/genes.fa.gz" \
    --annotation "$d/scan-drosophila-chr2L-train/genes.gff3.gz" --site donor -o w.fa
}
