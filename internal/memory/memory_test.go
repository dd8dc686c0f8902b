package memory

import (
	"errors"
	"math"
	"testing"
	"testing/fstest"
)

func TestLimit(t *testing.T) {
	defer SetLimit(SetLimit(3 << 30))
	if got := Limit(); got != 3<<30 {
		t.Errorf("Limit() = %d after SetLimit(3 GiB)", got)
	}
	if before := SetLimit(0); before != 3<<30 {
		t.Errorf("SetLimit returns %d, want the setting before, 3 GiB", before)
	}
	want := physical() / 2
	if left := Addresses(); left > 0 && (want == 0 || left/2 < want) {
		want = left / 2
	}
	if want == 0 {
		want = unknown
	}
	if got := Limit(); got != want {
		t.Errorf("Limit() = %d by default, want %d, half of what the process may have", got, want)
	}
}

func TestHalf(t *testing.T) {
	for _, c := range []struct {
		sizes []int64
		want  int64
	}{
		{nil, unknown}, {[]int64{0, 0}, unknown}, {[]int64{8, 0}, 4}, {[]int64{0, 6}, 3}, {[]int64{8, 6}, 3},
		{[]int64{64 << 30, 128 << 30}, 32 << 30},
	} {
		if got := half(c.sizes...); got != c.want {
			t.Errorf("half of %v is %d, want %d", c.sizes, got, c.want)
		}
	}
}

// The formats are those of cgroups(7) and of the kernel's documents on both versions.
func TestGroupLimit(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no groups": {nil, 0},
		"version 2": {map[string]string{
			"proc/self/cgroup": "0::/user.slice/job\n", "sys/fs/cgroup/user.slice/job/memory.max": "1073741824\n",
		}, 1 << 30},
		"version 2, a limit above": {map[string]string{
			"proc/self/cgroup": "0::/user.slice/job\n", "sys/fs/cgroup/user.slice/job/memory.max": "max\n",
			"sys/fs/cgroup/user.slice/memory.max": "2147483648\n",
		}, 2 << 30},
		"version 2, in a container": {map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1024\n",
		}, 1024},
		"version 2, no limit": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"},
			0},
		"version 1": {map[string]string{
			"proc/self/cgroup": "5:cpu:/other\n4:memory:/docker/abc\n0::/\n",
			"sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": "4096\n",
			"sys/fs/cgroup/memory/other/memory.limit_in_bytes":      "1\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":            "9223372036854771712\n",
		}, 4096},
		"version 1, as a container sees it": {map[string]string{
			"proc/self/cgroup": "4:memory:/docker/abc\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "8192\n",
		}, 8192},
	} {
		root := fstest.MapFS{}
		for path, text := range c.files {
			root[path] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := groupLimit(root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	defer SetLimit(SetLimit(1 << 30))
	if err := Check(1 << 30); err != nil {
		t.Errorf("what the limit allows: %v", err)
	}
	for bytes, want := range map[float64]string{
		1<<30 + 1<<20:    "more memory than the 1 GiB that --max-memory allows",
		3.25 * (1 << 40): "about 3328 GiB of memory, more than the 1 GiB that --max-memory allows",
	} {
		err := Check(bytes)
		var large *Error
		if !errors.As(err, &large) || err.Error() != want {
			t.Errorf("Check(%g) = %v, want %s", bytes, err, want)
		}
	}
	if Check(math.Inf(1)) == nil || Check(math.NaN()) == nil {
		t.Error("Check allows what is no number of bytes")
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "65536": 65536, "32K": 32 << 10, "512M": 512 << 20, "4G": 4 << 30, "1.5G": 3 << 29, "2T": 2 << 40,
		"1e6": 1e6,
	} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "G", "4GB", "4GiB", "4g", "0.5", "NaN", "Inf", "9E", "1e30",
		"8388608T", "4 G", "four"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("ParseSize(%q) = %d, want an error", text, got)
		}
	}
}

func TestText(t *testing.T) {
	for bytes, want := range map[float64]string{
		0: "0 bytes", 999.4: "999 bytes", 999.5: "0.976 KiB", 1 << 10: "1 KiB", 999.4 * (1 << 20): "999 MiB",
		999.9 * (1 << 20): "0.976 GiB",
		999.4 * (1 << 30): "999 GiB", 999.9 * (1 << 30): "1000 GiB", 1 << 50: "1048576 GiB",
	} {
		if got := text(bytes); got != want {
			t.Errorf("%v bytes are written %q, want %q", bytes, got, want)
		}
	}
}
