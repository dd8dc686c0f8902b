package must_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// ended notes what ends a test.
type ended struct{ with []any }

func (*ended) Helper()            {}
func (e *ended) Fatal(all ...any) { e.with = all }

func TestGet(t *testing.T) {
	var e ended
	if got := must.Get(strconv.Atoi("7"))(&e); got != 7 || e.with != nil {
		t.Errorf("%v, ended with %v; want 7", got, e.with)
	}
	if must.Get(strconv.Atoi("seven"))(&e); len(e.with) != 1 || !errors.Is(e.with[0].(error), strconv.ErrSyntax) {
		t.Errorf("ended with %v, want %v", e.with, strconv.ErrSyntax)
	}
}
