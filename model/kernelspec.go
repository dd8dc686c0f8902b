package model

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// MaxTerms bounds the number of kernels in a sum. A term may need a table of some megabytes however little of it a file stores, so
// that without a bound a small file could ask for any amount of memory.
const MaxTerms = 64

// KernelSpec is the kernel as the catalogue knows it: one or more terms, each normalised or none. Several terms are a sum (their mean).
type KernelSpec struct {
	Terms     []catalog.Spec `json:"terms"`
	Normalize bool           `json:"normalize"`
}

// ParseKernel reads specifications as --kernel of the tool takes them, NAME:KEY=VALUE,FLAG, for example
// "spectrum:k=6,rc,alphabet=dna". Several are the terms of a sum. An alphabet may be left open for [KernelSpec.SetAlphabet] to fill in.
func ParseKernel(normalize bool, terms ...string) (KernelSpec, error) {
	spec := KernelSpec{Normalize: normalize}
	for _, text := range terms {
		term, err := catalog.Parse(text)
		if err != nil {
			return KernelSpec{}, err
		}
		spec.Terms = append(spec.Terms, term)
	}
	return spec, nil
}

// SetAlphabet fills in the alphabet of every term that left it open.
func (s *KernelSpec) SetAlphabet(a stringkernel.Alphabet) {
	for i := range s.Terms {
		s.Terms[i].SetAlphabet(a)
	}
}

// UnmarshalJSON reads {"terms": […], "normalize": …} and stops at the first term that is unknown, out of range or beyond [MaxTerms].
func (s *KernelSpec) UnmarshalJSON(text []byte) error {
	var raw struct {
		Terms     json.RawMessage `json:"terms"`
		Normalize bool            `json:"normalize"`
	}
	if err := strictDecode(text, &raw); err != nil {
		return err
	}
	*s = KernelSpec{Normalize: raw.Normalize}
	return eachElement("kernel terms", raw.Terms, func(i int, next *json.Decoder) error {
		if i >= MaxTerms {
			return fmt.Errorf("a sum of more than %d kernels", MaxTerms)
		}
		var term catalog.Spec
		if err := next.Decode(&term); err != nil {
			return err
		}
		s.Terms = append(s.Terms, term)
		return nil
	})
}

// Build makes the kernel. It returns an error if there is no term, if there are more than [MaxTerms], or if a parameter is out of range.
// Alphabets still open count every byte as a letter.
func (s KernelSpec) Build() (stringkernel.Kernel, error) {
	if len(s.Terms) > MaxTerms {
		return nil, fmt.Errorf("a sum of %d kernels, want at most %d", len(s.Terms), MaxTerms)
	}
	return catalog.Build(s.Terms, s.Normalize)
}

// String returns the terms as --kernel takes them, separated by " + ".
func (s KernelSpec) String() string {
	terms := make([]string, len(s.Terms))
	for i, t := range s.Terms {
		terms[i] = t.String()
	}
	return strings.Join(terms, " + ")
}
