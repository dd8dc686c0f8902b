package bigwig_test

import (
	"fmt"

	"github.com/seqsvm/seqsvm/internal/bigwigtest"
	"github.com/seqsvm/seqsvm/seqio/bigwig"
)

func Example() {
	var file memory // an *os.File, usually
	w, err := bigwig.NewWriter(&file, []bigwig.Chromosome{{Name: "chr1", Length: 1000}})
	if err != nil {
		panic(err)
	}
	for i, value := range []float64{0.5, 2, -1} {
		if err := w.Add("chr1", 100+10*i, 110+10*i, value); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	f, err := bigwigtest.Read(file.bytes)
	for _, i := range f.Intervals {
		fmt.Println(i.Start, i.End, i.Value)
	}
	fmt.Println(f.Summary.Sum, err)
	// Output:
	// 100 110 0.5
	// 110 120 2
	// 120 130 -1
	// 15 <nil>
}
