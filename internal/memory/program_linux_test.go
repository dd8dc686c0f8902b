package memory

import "testing"

func TestMappingOf(t *testing.T) {
	for line, want := range map[string]mapping{
		"00400000-01194000 r-xp 00000000 08:01 12                     /a/se q": {0x400000, 0x1194000, true, "/a/se q"},
		"01eb7000-0247c000 rw-p 01ab7000 08:01 12                     /a/b":    {0x1eb7000, 0x247c000, false, "/a/b"},
		"c000000000-c004000000 rw-p 00000000 00:00 0 ":                         {0xc000000000, 0xc004000000, false, ""},
		"7ffc0000-7ffd0000 r-xp 00000000 00:00 0                      [vdso]":  {0x7ffc0000, 0x7ffd0000, true, ""},
	} {
		if got, is := mappingOf(line); !is || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", line, got, is, want)
		}
	}
	for _, line := range []string{"", "Anonymous:             0 kB", "VmFlags: rd ex mr mw me sd", "x-y r-xp 0 08:01 12 /a"} {
		if got, is := mappingOf(line); is {
			t.Errorf("%q: got %+v, want no mapping", line, got)
		}
	}
}

func TestUnchanged(t *testing.T) {
	for line, want := range map[string]bool{
		"Anonymous:             0 kB": true, "Anonymous:             8 kB": false, "AnonHugePages:         0 kB": false,
	} {
		if got := unchanged(line); got != want {
			t.Errorf("%q: got %v, want %v", line, got, want)
		}
	}
}

// The program runs on, and its constants are what they were.
func TestForgetProgram(t *testing.T) {
	for range 3 {
		ForgetProgram()
		TestMappingOf(t)
	}
}
