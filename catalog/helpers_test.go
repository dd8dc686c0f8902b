package catalog

import (
	"encoding/json"

	"github.com/seqsvm/seqsvm/internal/strictjson"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// parse reads one kernel.
func parse(text string) (Term, error) {
	spec, err := Parse(text)
	if err != nil {
		return Term{}, err
	}
	return spec.Terms[0], nil
}

// build compiles terms with alphabets as they are.
func build(terms []Term, normalize bool) (stringkernel.Kernel, error) {
	return Spec{Terms: terms, Normalize: normalize}.Compile("")
}

// decode reads the JSON of one kernel.
func decode(text []byte) (Term, error) {
	var raw termJSON
	if err := strictjson.Decode(text, &raw); err != nil {
		return Term{}, err
	}
	t, err := kernels.decodeTerm(raw)
	if err != nil {
		return Term{}, err
	}
	_, err = kernels.Decode([]byte(`{"normalize":false,"terms":[` + string(text) + `]}`))
	return t, err
}

var _ json.Marshaler = Term{}
