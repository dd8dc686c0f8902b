# shellcheck shell=bash
# inputs HERE REPOSITORY writes everything that commands.sh reads into the current directory: sets of testdata, sets
# that inputs.awk in HERE generates, and small files by hand.
inputs() {
  local here=$1 repository=$2
  mkdir -p folder/{sport,food,news} xml/{deep,flat}
  awk -f "$here/inputs.awk"
  cp "$repository"/testdata/fasta/{promoters,splice}.fa .
  head -n 600 splice.fa >splice300.fa
  sed -n 601,700p splice.fa >splice.test.fa
  head -n 40 splice.fa >splice20.fa
  gzip -nc promoters.fa >promoters.fa.gz
  grep -A 1 '+1$' dna.fa | grep -v '^--$' >pos.fa
  grep -A 1 -- '-1$' dna.fa | grep -v '^--$' >neg.fa
  sed 's/ .*//' dna.fa >bare.fa
  sed -n 's/^>\(d[0-9]*\) .*label=/\1\t/p' dna.fa >dna.labels
  sed -n 's/^>\(d[0-9]*\) .*label=.*/\1/p' dna.fa | awk '{ print $1 "\t" NR % 6 }' >dna.groups
  sed 's/ï/\xef/g; s/é/\xe9/g; s/ü/\xfc/g; s/ã/\xe3/g; s/ﬁ/fi/g' docs.tsv >latin1.tsv
  cut -f 2 docs.tsv >authors.txt
  printf 'team\ngoal\nbread and butter\nmin*\n' >dict.txt
  printf 'the\na\nof\n' >stop.txt
  printf '1\n0.5\n2\n3\n' >weights.txt
  printf 'chr1\t3000\t4000\nchr2\t0\t500\n' >exclude.bed
  lsgkm gkm_esttrunc '' >lsgkm.txt
  lsgkm wgkm $'M 20\nH 3\n' >weighted.txt
  lsgkm gkmrbf $'gamma 2\n' >gaussian.txt
  reuters >reuters.sgm
  printf '>a\nACGT\n>b\n' >truncated.fa
  printf 'not a model\n' >text.seqsvm
}

# lsgkm KERNEL PARAMETERS writes a model as gkmtrain does.
lsgkm() {
  printf 'svm_type c_svc\nkernel_type %s\nL 5\nk 3\nd 2\nnorc 0\n%snr_class 2\ntotal_sv 6\n' "$1" "$2"
  printf 'rho 0.433222\nlabel 1 -1\nnr_sv 3 3\nSV\n'
  printf '%s\n' '0.6634970116790284 TTGACGTCATCAGT' '0.522006568969397 GGATGACGTCATTC' '1 CATGACGTAAGGCTA' \
    '-0.9324632765559402 GCGCTTAAGCCATT' '-0.6921310135307165 ATTTCGGCCNCAAG' '-0.5609092905617687 CCATAGAGAGTTCA'
}

# reuters writes six documents of the SGML of Reuters-21578.
reuters() {
  local i topics=(ship earn)
  printf '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n'
  for i in 1 2 3 4 5 6; do
    printf '<REUTERS TOPICS="YES" LEWISSPLIT="%s" NEWID="%d">\n' "$([ "$i" -lt 5 ] && echo TRAIN || echo TEST)" "$i"
    printf '<TOPICS><D>%s</D></TOPICS><TEXT><TITLE>Title %d</TITLE>' "${topics[i % 2]}" "$i"
    printf '<BODY>%s of %d, %d.</BODY></TEXT>\n</REUTERS>\n' "${topics[i % 2]}" "$i" $((i * i))
  done
}
