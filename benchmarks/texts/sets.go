package main

// set is a corpus and what is tried on it.
type set struct {
	name   string
	title  string
	folder string
	test   bool   // train.tsv.gz and test.tsv.gz; else all.tsv.gz, which is cross-validated
	folds  string // of cross-validation
	metric string // of the reports of seqsvm; accuracy or mcc
	coarse bool   // labels end before their first colon
	words  bool   // the kernel words by itself is tried, too
	chosen []string
	// how scikit-learn's vectorizer cuts texts: analyzer, least and greatest n; and sublinear, as words by itself
	// weighs them, or plain tf-idf
	peer string
}

// sets are the corpora. The kernels chosen are the best of searches by cross-validation with seqsvm tune; see README.md
// beside this folder.
var sets = []set{
	{name: "r8", title: "Reuters R8", folder: "text-reuters-r8", test: true, metric: "accuracy", words: true, peer: "word 1 2 sublinear",
		chosen: []string{"--kernel", "words:ngram=1,sublinear,tfidf"}},
	{name: "trec-coarse", title: "TREC questions, 6 classes", folder: "text-trec-qc", test: true, metric: "accuracy", coarse: true, words: true, peer: "word 1 2 sublinear",
		chosen: []string{"--kernel", "words:ngram=1-2,tfidf,stem=english", "--kernel", "substring:unit=word,ends,weight=bounded,k=3,stem=english",
			"--kernel", "substring:unit=word,ends,weight=bounded,k=3,case", "--kernel", "substring:ends,weight=decay,lambda=0.8", "-C", "5"}},
	{name: "trec-fine", title: "TREC questions, 50 classes", folder: "text-trec-qc", test: true, metric: "accuracy", words: true, peer: "word 1 2 sublinear",
		chosen: []string{"--kernel", "words:ngram=1-2,tfidf,stem=english", "--kernel", "substring:unit=word,ends,weight=bounded,k=3", "-C", "3"}},
	{name: "subjectivity", title: "subjectivity", folder: "text-subjectivity", folds: "10", metric: "accuracy", words: true, peer: "word 1 2 sublinear",
		chosen: []string{"--kernel", "words:ngram=1-2,binary,tfidf", "--kernel", "spectrum:k=6,bounded", "-C", "3"}},
	{name: "sms", title: "SMS spam", folder: "text-sms-spam", folds: "5", metric: "mcc", words: true, peer: "word 1 2 sublinear",
		chosen: []string{"--kernel", "words:ngram=1-2,binary,tfidf", "--kernel", "spectrum:k=5,bounded", "-C", "3"}},
	{name: "names", title: "names", folder: "text-names", folds: "5", metric: "accuracy", peer: "char_wb 1 4 plain",
		chosen: []string{"--kernel", "substring:weight=tfidf,k=4,ends"}},
	{name: "languages", title: "languages (UDHR)", folder: "text-udhr-langid", folds: "5", metric: "accuracy", peer: "char 1 3 plain",
		chosen: []string{"--kernel", "words:letters,ngram=1-3,sublinear,tfidf", "--multiclass", "ovr"}},
}
