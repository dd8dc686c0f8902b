package duplicates

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// DefaultSimilarity is how similar near-duplicates are unless the user says otherwise.
const DefaultSimilarity = 0.8

// Finder finds near-duplicates.
type Finder struct {
	Alphabet   stringkernel.Alphabet
	Similarity float64 // t: from what on records are near-duplicates, 0 < t ≤ 1

	mostInVain int // comparisons of a record; 0: the usual number
}

// Check returns an error if the alphabet is unknown or the similarity out of range.
func (f Finder) Check() error {
	if err := f.Alphabet.Check(); err != nil {
		return fmt.Errorf("duplicates: %w", err)
	}
	if !(f.Similarity > 0 && f.Similarity <= 1) {
		return fmt.Errorf("duplicates: similarity = %v, want above 0 and at most 1", f.Similarity)
	}
	return nil
}

// Groups says which records of a corpus are near-duplicates.
type Groups struct {
	Of    []int  // per record: the first record (0-based) of its group, which is the record itself if it is alone
	Pairs []Pair // one fewer than there are records in a group, which they connect; in order of I, then J
}

// Names returns the groups as names, that of each record.
func (g *Groups) Names() []string {
	names := make([]string, len(g.Of))
	for i, first := range g.Of {
		names[i] = strconv.Itoa(first)
	}
	return names
}

// Pair is two near-duplicates, I < J.
type Pair struct {
	I, J       int
	Similarity float64 // s of the package comment
}

// Division says how folds divide groups. The zero value says that they divide none.
type Division struct {
	Groups, Records int  // divided groups, and the records in these
	First           Pair // the first that connects two folds
}

// DividedBy returns how folds divide the groups. fold has the fold of each record.
func (g *Groups) DividedBy(fold []int) (d Division) {
	divided := map[int]bool{}
	for i, first := range g.Of {
		if fold[i] != fold[first] {
			divided[first] = true
		}
	}
	d.Groups = len(divided)
	for _, first := range g.Of {
		if divided[first] {
			d.Records++
		}
	}
	across := func(p Pair) bool { return fold[p.I] != fold[p.J] }
	if first := slices.IndexFunc(g.Pairs, across); first >= 0 { // one at least in each divided group
		d.First = g.Pairs[first]
	}
	return d
}

// Find returns the groups of a corpus. It ends early, with the context's error, when the context ends.
func (f Finder) Find(ctx context.Context, c *stringkernel.Corpus) (*Groups, error) {
	return f.find(ctx, c, mostIndexed)
}

// find is Find with another limit of letters above which only some of the words are indexed.
func (f Finder) find(ctx context.Context, c *stringkernel.Corpus, mostIndexed int) (*Groups, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	s := &search{forest: newForest(c.Len()), similarity: f.Similarity, mostInVain: cmp.Or(f.mostInVain, mostInVain)}
	records := s.joinEqual(c)
	var err error
	if s.index, err = newIndex(ctx, c, records, f, mostIndexed); err != nil {
		return nil, err
	}
	if err := s.joinSimilar(ctx); err != nil {
		return nil, err
	}
	slices.SortFunc(s.pairs, func(a, b Pair) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) })
	g := &Groups{Of: make([]int, c.Len()), Pairs: s.pairs}
	for i := range g.Of {
		g.Of[i] = int(s.forest.root(int32(i)))
	}
	return g, nil
}

// search is the state of one run.
type search struct {
	*index
	similarity float64
	mostInVain int
	forest     forest // of records
	pairs      []Pair

	set     wordSet // of the record that is being looked up
	scratch []uint64
	sorted  sortedWords
	seen    []int32 // per number: 1 + the last number it was compared with
}

// join records a pair of near-duplicates of different groups.
func (s *search) join(i, j int32, similarity float64) {
	s.forest.join(i, j)
	s.pairs = append(s.pairs, Pair{I: int(min(i, j)), J: int(max(i, j)), Similarity: similarity})
}

// joinEqual joins records of equal letters, and returns the first of each.
func (s *search) joinEqual(c *stringkernel.Corpus) (distinct []int32) {
	for i, first := range firstEqual(c) {
		if i := int32(i); first != i {
			s.join(first, i, 1)
		} else {
			distinct = append(distinct, i)
		}
	}
	return distinct
}

// firstEqual returns the first record with the letters of each.
func firstEqual(c *stringkernel.Corpus) []int32 {
	seed, of := maphash.MakeSeed(), make([]int32, c.Len())
	first := make(map[uint64]int32, c.Len())
	for i := range int32(c.Len()) {
		x := c.Seq(int(i))
		hash := maphash.Bytes(seed, x)
		j, met := first[hash]
		for met && !bytes.Equal(x, c.Seq(int(j))) { // different letters of one hash
			hash++
			j, met = first[hash]
		}
		if !met {
			first[hash], j = i, i
		}
		of[i] = j
	}
	return of
}

// Contradictions returns how many sequences have records of different classes, in linear time, and two of the first.
func Contradictions(c *stringkernel.Corpus, class []int) (sequences int, pair Pair) {
	met := map[int32]bool{}
	for i, first := range firstEqual(c) {
		if class[i] != class[first] && !met[first] {
			if len(met) == 0 {
				pair = Pair{int(first), i, 1}
			}
			met[first] = true
		}
	}
	return len(met), pair
}

// What keeps the search linear where a word is in many records.
const (
	mostTried  = 64 // members of a run
	mostInVain = 64 // comparisons of a record
)

// joinSimilar looks up every record.
func (s *search) joinSimilar(ctx context.Context) error {
	s.seen = make([]int32, len(s.records))
	for x := range s.records {
		if err := ctx.Err(); err != nil {
			return err
		}
		if words := s.list(x); len(words) > 0 {
			// The words of x that no other record has are rarer than these, and come first.
			s.lookUp(int32(x), words[:len(words)-int(needed(s.similarity, s.kept[x]))+1])
		}
	}
	return nil
}

// lookUp joins a number with the near-duplicates that are found by some of its words.
func (s *search) lookUp(x int32, words []int32) {
	shared, inVain := s.comparer(x), 0
	try := func(y int32) bool {
		if y == x || s.seen[y] == x+1 || s.size[y] < s.size[x] || s.size[y] == s.size[x] && y < x {
			return true
		}
		s.seen[y] = x + 1
		i, j := s.records[x], s.records[y]
		if s.forest.root(i) == s.forest.root(j) {
			return true
		}
		if common := shared(y); common >= needed(s.similarity, s.size[x]) {
			s.join(i, j, float64(common)/float64(s.size[x]))
			return true
		}
		inVain++
		return inVain < s.mostInVain
	}
	for _, r := range words {
		run := s.run(r)
		at, _ := slices.BinarySearch(run, x)
		for k := 1; k <= min(mostTried, len(run)-1); k++ {
			if !try(run[(at+k)%len(run)]) {
				return
			}
		}
	}
}

// comparer returns a function that counts the words which number x shares with another that has no fewer. By hashing,
// it takes time for the words of both; in order, for those of x, which may be one of thousands of pieces of a long
// record.
func (s *search) comparer(x int32) func(y int32) int32 {
	var own []uint64 // the words of x in order, once they are needed
	filled := false
	return func(y int32) int32 {
		const farLarger = 16
		if s.size[y] <= fewWords || s.size[x] <= mostHashed && s.size[y]/farLarger < s.size[x] {
			if !filled {
				s.set.fill(s.wordsOf(x))
				filled = true
			}
			return int32(s.set.common(s.wordsOf(y)))
		}
		if own == nil {
			own = s.wordsInOrder(x)
		}
		return int32(sharedWords(own, s.wordsInOrder(y)))
	}
}

// wordsInOrder returns the distinct words of a number, ascending. Those of a long record are kept.
func (s *search) wordsInOrder(x int32) []uint64 {
	list := func() []uint64 { return slices.Clone(s.coder.sort(s.wordsOf(x))) }
	if s.size[x] <= fewWords {
		return list()
	}
	return s.sorted.of(x, list)
}

// wordsOf returns the words of a number. They are valid until the next call.
func (s *search) wordsOf(x int32) []uint64 {
	s.scratch = s.coder.append(s.scratch[:0], s.corpus.Seq(int(s.records[x])))
	return s.scratch
}

// forest is a union–find structure whose roots are the lowest members.
type forest []int32

func newForest(n int) forest { return subset.Numbers[int32](n) }

func (f forest) root(i int32) int32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

func (f forest) join(i, j int32) {
	a, b := f.root(i), f.root(j)
	f[max(a, b)] = min(a, b)
}
