// Package must ends tests whose set-up fails.
package must

import "runtime/debug"

// Tests allocate much and keep little: garbage is collected less often in them.
func init() { debug.SetGCPercent(400) }

// A Test is a *testing.T, a *testing.B or a test of another library.
type Test interface {
	Helper()
	Fatal(...any)
}

// Get returns the value of a call, and ends the test if the call fails: must.Get(call())(t).
func Get[T any](value T, err error) func(Test) T {
	return func(t Test) T {
		t.Helper()
		Succeed(t, err)
		return value
	}
}

// Succeed ends the test if there is an error.
func Succeed(t Test, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
