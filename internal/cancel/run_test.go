package cancel

import (
	"context"
	"errors"
	"testing"
)

func TestRun(t *testing.T) {
	open, cancel := context.WithCancel(t.Context())
	for name, ctx := range map[string]context.Context{"for ever": context.Background(), "for now": open} {
		worked := false
		if err := Run(ctx, func() { worked = true }); err != nil || !worked {
			t.Errorf("%s: worked %t, error %v", name, worked, err)
		}
	}
	release, worked := make(chan struct{}), make(chan struct{})
	err := Run(open, func() {
		cancel()
		<-release
		close(worked)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled on the way: error %v", err)
	}
	close(release)
	<-worked
	if err := Run(open, func() { t.Error("cancelled before, but works") }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: error %v", err)
	}
}

func TestRunPassesPanicsOn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	unwound := func() (err error) {
		defer Catch(&err)
		return Run(ctx, func() { panic(done{context.DeadlineExceeded}) })
	}
	if err := unwound(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the inner context", err)
	}
	defer func() {
		if p := recover(); p != "broken" {
			t.Errorf("recovered %v, want the panic of the work", p)
		}
	}()
	_ = Run(ctx, func() { panic("broken") })
}
