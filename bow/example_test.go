package bow_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/seqsvm/seqsvm/bow"
)

func ExampleTokenizer() {
	t := bow.Tokenizer{Stop: []string{bow.English}, Stem: "english"}
	fmt.Println(strings.Join(t.Terms([]byte("The well-known #cats were running 3.5 km, weren't they? 猫!")), "|"))
	// Output: well|known|cat|run|3.5|km|猫
}

func ExampleKernel() {
	k := bow.Kernel{NGram: "1-2"}
	fmt.Println(k.Eval([]byte("To be, or not to be"), []byte("to be is to do")))
	// Output: 8
}

func ExampleKernel_Fit() {
	k := bow.Kernel{Dict: []string{"heart attack", "immun*"}}
	fitted, err := k.Fit(context.Background(), corpusOf([]string{"a heart attack", "immune or immunised"}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fitted.Eval([]byte("Immunity, immune cells and the heart"), []byte("immunology of the heart attack")))
	// Output: 2
}
