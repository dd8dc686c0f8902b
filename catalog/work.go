package catalog

import "slices"

// Work is the nanoseconds of CPU time that a training of one machine takes, with testing the records left out, on one
// core of an AMD EPYC (Zen 5) in a virtual machine: a third of a cross-validation of three folds with C = 1.
type Work struct {
	Fixed  float64 // of tables of all words, as of many letters
	Letter float64 // per letter of the records
	Pair   float64 // per pair of records, of kernels that are evaluated for each
	// per pair of records and letter of one
	PairLetter float64
}

// WorkOf returns the work of a kernel of the portfolio or of the mean of several, on records of a length, in which a
// term counts once, however often it comes, and one on a part of the records by its letters. It is zero for terms of
// which nothing is known.
func WorkOf(terms []string, length int) (sum Work) {
	for i, term := range terms {
		if !slices.Contains(terms[:i], term) {
			whole, share := part(term, length)
			w := works[whole]
			sum = Work{sum.Fixed + w.Fixed, sum.Letter + float64(w.Letter*share), sum.Pair + w.Pair,
				sum.PairLetter + float64(w.PairLetter*share)}
		}
	}
	return sum
}

// works has every term of the portfolio.
var works = map[string]Work{
	"gapped:l=6,k=4,d=2,rc":               {Fixed: 1e6, Letter: 60},
	"gapped:l=8,k=6,d=2,filter=gapped,rc": {Fixed: 4e6, Letter: 100},
	"gapped:l=8,k=5,d=3":                  {Fixed: 5e6, Letter: 80},
	"gapped:l=8,k=5,d=3,rc":               {Fixed: 4e6, Letter: 100},
	"gapped:l=10,k=6,rc":                  {Fixed: 37e6, Letter: 250},
	"gapped:l=10,k=6,d=4,rc":              {Fixed: 95e6, Letter: 280},
	"gapped:l=12,k=6,d=4":                 {Fixed: 1100e6, Letter: 2200},
	"gapped:rc":                           {Fixed: 270e6, Letter: 400},
	profile:                               {Fixed: 5e6, Letter: 190},
	"oligo:k=3,sigma=2":                   {Fixed: 3e6, Letter: 90},
	"spectrum:k=4,bounded,rc":             {Fixed: 1e6, Letter: 65},
	"spectrum:k=6,bounded":                {Fixed: 1e6, Letter: 35},
	"spectrum:k=6,bounded,rc":             {Fixed: 1e6, Letter: 60},
	"spectrum:k=6,rc,count=sqrt":          {Fixed: 1e6, Letter: 48},
	"spectrum:k=8,bounded,rc,count=sqrt":  {Fixed: 10e6, Letter: 200},
	composition:                           {Fixed: 10e6, Letter: 400},
	"wd:d=8,shift=8":                      {Fixed: 5e6, Letter: 1900},
	"wd:d=10,shift=2":                     {Fixed: 5e6, Letter: 550},
	strand:                                {Fixed: 10e6, Letter: 200},
	"wd:d=6":                              {Fixed: 1e6, Letter: 95},
	"wd:d=6,shift=1":                      {Fixed: 25e6, Letter: 105},
	"wd:d=8,shift=20":                     {Fixed: 5e6, Letter: 4000},
	"wd:d=10,shift=5":                     {Fixed: 5e6, Letter: 1300},
	"wd:d=20":                             {Fixed: 1e6, Letter: 130},
	"wd:d=2,rbf=0.5":                      {Fixed: 1e6, Pair: 40, PairLetter: 0.12},

	"gapped:l=6,k=3,d=3,filter=gapped":  {Fixed: 5e6, Letter: 1300},
	"gapped:l=8,k=4,d=4,filter=gapped":  {Fixed: 5e6, Letter: 3500},
	"mismatch:k=3,subst=blosum62":       {Fixed: 15e6, Letter: 400},
	"mismatch:k=4,m=1":                  {Fixed: 15e6, Letter: 240},
	"oligo:k=1,sigma=4":                 {Fixed: 1e6, Letter: 80},
	"oligo:k=2,sigma=4":                 {Fixed: 1e6, Letter: 280},
	"poly:d=3":                          {Fixed: 1e6, Pair: 40},
	"spaced:pair=1,gap=10":              {Fixed: 5e6, Letter: 750},
	"spectrum:k=3":                      {Fixed: 3e6, Letter: 35},
	"spectrum:k=3,bounded":              {Fixed: 3e6, Letter: 35},
	"substring:weight=bounded,k=4,ends": {Fixed: 3e6, Letter: 110},
	"wd:d=1":                            {Fixed: 1e6, Letter: 75},
	"wd:d=1,rbf=1":                      {Fixed: 1e6, Pair: 60},

	"spectrum:k=3,count=presence":             {Fixed: 1e6, Letter: 31},
	"spectrum:k=5,bounded":                    {Fixed: 5e6, Letter: 250},
	"substring:weight=constant":               {Fixed: 5e6, Letter: 270},
	"substring:weight=decay,lambda=0.5,ends":  {Fixed: 5e6, Letter: 150},
	"substring:weight=tfidf,k=4,ends":         {Fixed: 5e6, Letter: 560},
	"substring:weight=tfidf,k=6":              {Fixed: 5e6, Letter: 680},
	"words:letters,ngram=1-3,sublinear,tfidf": {Fixed: 5e6, Letter: 175},
	"words:letters,ngram=2-5,sublinear,tfidf": {Fixed: 5e6, Letter: 270},
	"words:ngram=1-2,binary":                  {Fixed: 3e6, Letter: 32},
	"words:ngram=1-2,binary,tfidf":            {Fixed: 2e6, Letter: 35},
	"words:stem=english,sublinear,tfidf":      {Fixed: 2e6, Letter: 29},
	"words:sublinear,tfidf":                   {Fixed: 2e6, Letter: 24},

	"(spectrum:k=1 * spectrum:k=1):pair":                 {Fixed: 3e6, Letter: 35, Pair: 2},
	"(spectrum:k=3,bounded * spectrum:k=3,bounded):pair": {Fixed: 6e6, Letter: 70, Pair: 2},
	"(spectrum:k=3,bounded):pair=symmetric":              {Fixed: 6e6, Letter: 70, Pair: 4},

	"ptk:lambda=1,size=3":          {Fixed: 2e6, Letter: 90},
	"sst:lambda=0.4,leaves":        {Fixed: 2e6, Pair: 300},
	"sst:lambda=0.4,size=3,leaves": {Fixed: 2e6, Letter: 60},
	"subtree:lambda=0.4":           {Fixed: 2e6, Letter: 40},
	"tag:weight=bounded,k=12":      {Fixed: 2e6, Letter: 70},
	"walk:length=4,lambda=0.5":     {Fixed: 2e6, Letter: 1000},
	"wl:h=1":                       {Fixed: 2e6, Letter: 100},
	"wl:h=3":                       {Fixed: 2e6, Letter: 200},
}
