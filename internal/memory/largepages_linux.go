package memory

import "golang.org/x/sys/unix"

// advise asks for large pages. A system without them refuses, and goes on with small ones.
func advise(pages []byte) { _ = unix.Madvise(pages, unix.MADV_HUGEPAGE) }
