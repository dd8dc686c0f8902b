package cli

import (
	"fmt"
	"time"

	"github.com/seqsvm/seqsvm/internal/usage"
)

// stages times a run for --verbose.
type stages struct {
	verbose bool
	begun   time.Time // of the run
	stage   string    // that is under way, if any
	since   time.Time // when it began
}

// Stage says that another stage of the run begins, such as “training”: progress names it and, with --verbose, a line on
// standard error has its time and the peak memory of the run so far when it ends.
func (c *Call) Stage(name string) {
	c.endStage()
	c.stage, c.since = name, time.Now()
	c.progress.begin(name)
}

func (c *Call) endStage() {
	if c.verbose && c.stage != "" {
		c.print("%s: %s: %s, %s", c.name, c.stage, seconds(time.Since(c.since)), peak(usage.Now()))
	}
	c.stage = ""
}

// Show says what has been done of the stage and, if it is above 0, which share that is of all its work, for progress.
func (c *Call) Show(share float64, format string, args ...any) {
	c.progress.Show(share, format, args...)
}

// end prints the last line of --verbose: version, command, wall-clock and processor time, and peak memory. It does
// nothing if there was no call.
func (c *Call) end() {
	if c == nil || !c.verbose {
		return
	}
	all := usage.Now()
	c.print("%s %s %s: %s wall, %s CPU, %s", c.name, c.App.Version, c.command, seconds(time.Since(c.begun)),
		seconds(all.CPU), peak(all))
}

func seconds(t time.Duration) string { return fmt.Sprintf("%.3f s", t.Seconds()) }

// peak writes the largest resident set in units of 10⁶ bytes.
func peak(u usage.Usage) string { return fmt.Sprintf("peak memory %.1f MB", float64(u.Peak)/1e6) }
