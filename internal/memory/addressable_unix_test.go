//go:build linux || darwin || freebsd

package memory

import "testing"

// What a limit on addresses leaves is what is not mapped, in whole arenas, but for those of threads.
func TestLeftOf(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct{ limit, mapped, spare, want int64 }{
		{1024 * mib, 320 * mib, 0, 640 * mib},
		{1024 * mib, 321 * mib, 5 * mib, 581 * mib},
		{1024 * mib, 1020 * mib, 3 * mib, 3 * mib},
		{1024 * mib, 1024 * mib, 0, 1},
		{1024 * mib, 1 << 40, 0, 1},
	} {
		if got := leftOf(c.limit+threads, c.mapped, c.spare); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	if got := mapped(); got < 0 || got > 0 && got < mib {
		t.Errorf("%d bytes are mapped", got)
	}
}
