package kerneltest

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// ParameterCase is a kernel and a part of the error of its Check, empty for none.
type ParameterCase struct {
	Kernel stringkernel.Kernel
	Want   string
}

// Parameters demands the error of each case from Check, and an error from Gram and Merge.
func Parameters(t *testing.T, cases []ParameterCase) {
	t.Helper()
	for _, c := range cases {
		err := c.Kernel.Check()
		if c.Want == "" && err != nil || c.Want != "" && (err == nil || !strings.Contains(err.Error(), c.Want)) {
			t.Errorf("%+v: got %v, want %q", c.Kernel, err, c.Want)
		}
		if c.Want == "" {
			continue
		}
		if _, err := c.Kernel.Gram(t.Context(), &stringkernel.Corpus{}); err == nil {
			t.Errorf("%+v: Gram takes it", c.Kernel)
		}
		if _, err := stringkernel.Merge(t.Context(), c.Kernel, &stringkernel.Corpus{}, []float64{}); err == nil {
			t.Errorf("%+v: Merge takes it", c.Kernel)
		}
	}
}
