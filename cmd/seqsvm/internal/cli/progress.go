package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Progress says how far a run has come while it takes its time: on a terminal in a line that is replaced again and
// again, elsewhere in one line a minute. It names the stage of the run, what has been done, and how long the rest of
// the stage may take if the share of the work is known. A nil one shows nothing. It is safe for concurrent use.
type Progress struct {
	to       io.Writer
	prefix   string // of a line
	terminal bool
	now      func() time.Time
	notes    *notes // printed before the progress
	stop     func() // ends the goroutine

	mutex  sync.Mutex
	stage  string
	detail string
	share  float64   // of the stage that is done, 0 if it is not known
	begun  time.Time // the stage
	last   time.Time // detail was set
	shown  bool      // a line is on the terminal
	hidden bool      // since the results go to the same terminal
}

// Times between lines, and between two details.
const (
	onTerminal  = 200 * time.Millisecond
	offTerminal = time.Minute
	detailAge   = 100 * time.Millisecond
)

// newProgress returns the progress of a run that begins now, and shows it until it is ended.
func newProgress(to io.Writer, name string, notes *notes) *Progress {
	p := &Progress{to: to, prefix: name + ": ", now: time.Now, notes: notes}
	every := offTerminal
	if isTerminal(to) {
		p.prefix, p.terminal, every = wipe, true, onTerminal
	}
	ticker, ended := time.NewTicker(every), make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		for {
			select {
			case <-ticker.C:
				p.show()
			case <-ended:
				return
			}
		}
	})
	p.stop = func() {
		ticker.Stop()
		close(ended)
		running.Wait()
	}
	return p
}

// wipe empties the line of a terminal.
const wipe = "\r\x1b[K"

// isTerminal reports whether a stream is a terminal, or looks like one.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// begin begins a stage.
func (p *Progress) begin(stage string) {
	if p == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.stage, p.detail, p.share, p.begun, p.last = stage, "", 0, p.now(), time.Time{}
}

// Show says what has been done of the stage and, if it is above 0, which share that is of all its work.
func (p *Progress) Show(share float64, format string, args ...any) {
	if p == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if now := p.now(); now.Sub(p.last) >= detailAge {
		p.detail, p.share, p.last = fmt.Sprintf(format, args...), share, now
	}
}

// show prints the line.
func (p *Progress) show() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.stage == "" || p.hidden {
		return
	}
	text := p.prefix + p.stage
	if p.detail != "" {
		text += ": " + p.detail
	}
	text += " (" + p.times() + ")"
	if !p.terminal {
		text += "\n"
	}
	if notes := p.notes.take(); notes != "" {
		p.clear()
		text = notes + text
	}
	io.WriteString(p.to, text)
	p.shown = p.terminal
}

// times says how long the stage takes: so far and, if its share is known, from now on at the same speed.
func (p *Progress) times() string {
	elapsed := p.now().Sub(p.begun)
	text := elapsed.Round(time.Second).String()
	if p.share > 0 && p.share <= 1 {
		left := time.Duration(float64(elapsed) * (1 - p.share) / p.share)
		text = fmt.Sprintf("%.0f %%, %s, %v left", 100*p.share, text, left.Round(time.Second))
	}
	return text
}

// print writes a message in place of the line on the terminal.
func (p *Progress) print(to io.Writer, line string) {
	if p == nil {
		io.WriteString(to, line)
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.clear()
	io.WriteString(to, line)
}

// hide ends the line on a terminal that the results go to.
func (p *Progress) hide(results io.Writer) {
	if p == nil || !p.terminal || !isTerminal(results) {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.clear()
	p.hidden = true
}

func (p *Progress) clear() {
	if p.shown {
		io.WriteString(p.to, wipe)
		p.shown = false
	}
}

// end shows nothing more.
func (p *Progress) end() {
	if p == nil {
		return
	}
	p.stop()
	p.clear()
}
