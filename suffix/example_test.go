package suffix_test

import (
	"context"
	"fmt"
	"log"

	"github.com/seqsvm/seqsvm/suffix"
)

// symbols maps a … z to 1 … 26 and everything else to a break.
func symbols(s string) []byte {
	out := make([]byte, len(s))
	for i := range len(s) {
		if 'a' <= s[i] && s[i] <= 'z' {
			out[i] = s[i] - 'a' + 1
		}
	}
	return out
}

// The suffix array of banana: a, ana, anana, banana, na, nana.
func ExampleArray() {
	sa, err := suffix.Array(context.Background(), symbols("banana"), 27)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sa)
	// Output: [5 3 1 0 4 2]
}

// The strings that occur at least twice in a collection and branch, with their
// number of occurrences and of documents.
func ExampleNewTree() {
	text := byteText(27, symbols("banana"), symbols("bandana"))
	tree, err := suffix.NewTree(context.Background(), text, 0)
	if err != nil {
		log.Fatal(err)
	}
	docs := make([]int32, tree.Len())
	tree.DocFreq(docs)
	for v := 1; v < tree.Len(); v++ {
		word := []byte{}
		for _, c := range text.Symbols[tree.SA[tree.Lo[v]]:][:tree.Depth[v]] {
			word = append(word, c+'a'-1)
		}
		fmt.Printf("%s %d %d\n", word, tree.Hi[v]-tree.Lo[v], docs[v])
	}
	// Output:
	// a 6 2
	// ban 2 2
	// n 4 2
	// an 4 2
	// na 3 2
	// ana 3 2
}

// The longest match from every letter of a query that arrives in pieces.
func ExampleMatcher() {
	text := byteText(27, symbols("banana"), symbols("bandana"))
	index, err := suffix.NewIndex(context.Background(), text, 0)
	if err != nil {
		log.Fatal(err)
	}
	m := index.NewMatcher()
	show := func(x suffix.Match) { fmt.Printf("%d:%d ", x.Start, x.Length) }
	m.Feed(symbols("ana"), show)
	m.Feed(symbols("s-ban"), show)
	m.Flush(show)
	// Output: 0:3 1:2 2:1 3:0 4:0 5:3 6:2 7:1
}

// The example of the package's page.
func Example() {
	text := byteText(4, []byte{2, 1, 3}, []byte{1, 3, 1})
	index, err := suffix.NewIndex(context.Background(), text, 0)
	if err != nil {
		log.Fatal(err)
	}
	tree := index.Tree()
	fmt.Println(text.Symbols, tree.SA)
	fmt.Println(tree.Depth, tree.Lo, tree.Hi, tree.Parent)
	m := index.NewMatcher()
	show := func(x suffix.Match) { fmt.Print(x.Length, " ") }
	m.Feed([]byte{3, 1, 2}, show)
	m.Flush(show)
	// Output:
	// [2 1 3 0 1 3 1 0] [6 1 4 0 2 5]
	// [0 1 1 2] [0 0 4 1] [6 3 6 3] [0 0 0 1]
	// 2 1 1
}

// byteText collects documents one by one.
func byteText(sigma int, docs ...[]byte) *suffix.Text[byte] {
	b := suffix.NewBuilder[byte](sigma)
	for _, d := range docs {
		if err := b.Append(d); err != nil {
			log.Fatal(err)
		}
	}
	text, err := b.Text()
	if err != nil {
		log.Fatal(err)
	}
	return text
}
