package memory

import "golang.org/x/sys/unix"

// adviseBytes asks for large pages. A system without them refuses, and goes on with small ones.
func adviseBytes(b []byte) {
	if pages := wholePages(b); len(pages) > 0 {
		_ = unix.Madvise(pages, unix.MADV_HUGEPAGE)
	}
}
