package cli

import (
	"fmt"
	"os"
	"time"
)

// Progress is a line on the terminal that is replaced again and again. A nil one is not shown.
type Progress struct {
	file *os.File
	last time.Time
}

// Progress returns a line on standard error, nil with --quiet or if that is not a terminal.
func (c *Call) Progress() *Progress {
	file, ok := c.Err.(*os.File)
	if !ok || c.quiet {
		return nil
	}
	if info, err := file.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return &Progress{file: file}
}

// Show replaces the line, at most ten times a second.
func (p *Progress) Show(format string, args ...any) {
	if p == nil || time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last = time.Now()
	fmt.Fprintf(p.file, "\r\x1b[K"+format, args...)
}

// Clear wipes the line.
func (p *Progress) Clear() {
	if p != nil {
		fmt.Fprint(p.file, "\r\x1b[K")
	}
}
