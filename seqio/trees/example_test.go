package trees_test

import (
	"fmt"
	"log"

	"github.com/seqsvm/seqsvm/seqio/trees"
)

func ExampleConverter() {
	for _, example := range []struct {
		options trees.Options
		text    string
	}{
		{trees.Options{Syntax: trees.Penn}, "( (S (NP (PRP it)) (VP (VBZ is))) )"},
		{trees.Options{Syntax: trees.Newick}, "((human:0.1,chimp:0.1):0.3,mouse);"},
		{trees.Options{Syntax: trees.XML, Labels: "names,attributes,words"}, `<p lang="en">Hello, <b>world</b></p>`},
		{trees.Options{Syntax: trees.JSON}, `{"name": "Ada", "born": {"year": 1815}}`},
		{trees.Options{Syntax: trees.DotBracket}, "GAAACAU (...).."},
	} {
		c, err := trees.New(example.options)
		if err != nil {
			log.Fatal(err)
		}
		record, err := c.Append(nil, []byte(example.text))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", record)
	}
	_, err := converted(trees.New(trees.Options{Syntax: trees.XML})).Append(nil, []byte("<a><b></a>"))
	fmt.Println(err)
	// Output:
	// (S (NP (PRP it)) (VP (VBZ is)))
	// ( ( (human) chimp) mouse)
	// (p @lang Hello (b world))
	// ({} (name Ada) (born (year 1815)))
	// (RNA (GC A A A) A U)
	// trees: byte 7: </a>, want </b>
}

func converted(c *trees.Converter, err error) *trees.Converter {
	if err != nil {
		log.Fatal(err)
	}
	return c
}
