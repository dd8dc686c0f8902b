package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/seqsvm/seqsvm/internal/usage"
)

// messages is what a run says on standard error besides its error, one line each: remarks and cautions about options,
// which --quiet silences, and warnings about the data, which nothing silences because they say that the results may not
// be what the user takes them for.
type messages struct {
	to       io.Writer
	name     string // of the tool
	quiet    bool
	notes    notes
	warnings []string
	progress *Progress // nil with --quiet
}

// Say prints a remark at once, after the notes: what was done, chosen or found. --quiet silences it.
func (m *messages) Say(format string, args ...any) {
	if !m.quiet {
		m.flushNotes()
		m.print(format, args...)
	}
}

func (m *messages) print(format string, args ...any) {
	m.progress.print(m.to, oneLine(fmt.Sprintf(format, args...))+"\n")
}

// Note keeps a remark on the data, such as what they were taken for, to be printed with the progress of the run, if it
// takes that long, or when it has succeeded: one that fails prints its error alone. --quiet silences it.
func (m *messages) Note(format string, args ...any) {
	if !m.quiet {
		m.notes.add(m.name + ": " + oneLine(fmt.Sprintf(format, args...)) + "\n")
	}
}

// notes are the lines of remarks that have not been printed.
type notes struct {
	mutex sync.Mutex
	lines string
}

func (n *notes) add(line string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.lines += line
}

// take returns the lines, and forgets them.
func (n *notes) take() string {
	if n == nil {
		return ""
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	lines := n.lines
	n.lines = ""
	return lines
}

// Warn keeps a warning about the data or the results, to be printed when the command has succeeded: one that fails
// prints its error alone. --quiet does not silence it. Equal warnings are one.
func (m *messages) Warn(format string, args ...any) {
	if warning := fmt.Sprintf(format, args...); !slices.Contains(m.warnings, warning) {
		m.warnings = append(m.warnings, warning)
	}
}

// Warnings returns the warnings so far, for results that have a place for them.
func (m *messages) Warnings() []string { return slices.Clone(m.warnings) }

// Caution keeps a warning about an option that the user may have chosen knowingly, as Warn does. --quiet silences it.
func (m *messages) Caution(format string, args ...any) {
	if !m.quiet {
		m.Warn(format, args...)
	}
}

// Quiet reports whether remarks are silenced.
func (m *messages) Quiet() bool { return m.quiet }

func (m *messages) flushNotes() {
	if lines := m.notes.take(); lines != "" {
		m.progress.print(m.to, lines)
	}
}

// flush prints the notes and the warnings.
func (m *messages) flush() {
	m.flushNotes()
	for _, line := range m.warnings {
		m.progress.print(m.to, m.name+": "+paint(m.to, "33", "warning:")+" "+oneLine(line)+"\n")
	}
	m.warnings = nil
}

// remarks is where a summary goes that must not be on standard output: standard error, or nowhere with --quiet.
func (m *messages) remarks() io.Writer {
	if m.quiet {
		return io.Discard
	}
	return m.to
}

// longestLine is the number of characters of a message; of a longer one, the middle is left out.
const longestLine = 500

// oneLine makes a message one line of at most longestLine characters, all of which can be seen, whatever it quotes.
func oneLine(message string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(message, "\n", "; ") {
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xff: // U+009B starts an escape sequence
			fmt.Fprintf(&b, "\\x%02x", r)
		default: // marks of direction and byte order, among others
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	line := []rune(b.String())
	if over := len(line) - longestLine; over > 0 {
		line = slices.Replace(line, longestLine/2, longestLine/2+over+1, '…')
	}
	return string(line)
}

// packages are those of the library that begin their errors with their names, as is usual in Go, but for those of
// kernels, whose names are a user's words.
var packages = strings.Fields("atomicfile background bigwig bracket chain classify components compose conformal " +
	"curves discrepancy drift duplicates figure gkmexplain hadamard kerneltest kmers krylov lasso matrix metrics " +
	"model motif online packed page parquet poim process report risk scan search seqio seqsvm serve shard sharded " +
	"shards simd stringkernel suffix svm tabix tagging trees unmask windows")

var packagePrefixes = regexp.MustCompile(`(^|: )(?:(?:` + strings.Join(packages, "|") + `): )+`)

// withoutPackages leaves the names of packages, which are none of a user's words, out of the message of an error. They
// stay if a word of the command line, perhaps a file, is one of them.
func withoutPackages(message string, command []string) string {
	named := func(word string) bool { return slices.Contains(packages, word) }
	if len(command) > 1 && slices.ContainsFunc(command[1:], named) {
		return message
	}
	return packagePrefixes.ReplaceAllString(message, "$1")
}

// Progress says how far a run has come while it takes its time: on a terminal in a line that is replaced again and
// again, elsewhere in one line a minute. It names the stage of the run, what has been done, and how long the rest of
// the stage may take if the share of the work is known. A nil one shows nothing. It is safe for concurrent use.
type Progress struct {
	to       io.Writer
	prefix   string // of a line
	terminal bool
	report   func(share float64, text string) // told in place of lines; may be nil
	now      func() time.Time
	notes    *notes // printed before the progress
	stop     func() // ends the goroutine

	mutex  sync.Mutex
	stage  string
	detail string
	share  float64                               // of the stage that is done, 0 if it is not known
	moved  time.Time                             // the share was another before
	begun  time.Time                             // the stage
	last   time.Time                             // detail was set
	shown  bool                                  // a line is on the terminal
	hidden bool                                  // since the results go to the same terminal
	poll   func() (share float64, detail string) // asked before a line, in place of Show; may be nil
}

// Times between lines, and between two details.
const (
	onTerminal  = 200 * time.Millisecond
	offTerminal = time.Minute
	reported    = time.Second / 2
	detailAge   = 100 * time.Millisecond
)

// newProgress returns the progress of a run that begins now, and shows it until it is ended: on a stream or, if it is
// not nil, by report.
func newProgress(to io.Writer, report func(share float64, text string), name string, notes *notes) *Progress {
	p := &Progress{to: to, report: report, prefix: name + ": ", now: time.Now, notes: notes}
	every := offTerminal
	if report != nil {
		p.prefix, every = "", reported
	}
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
	p.stage, p.detail, p.share, p.begun, p.last, p.poll = stage, "", 0, p.now(), time.Time{}, nil
	p.moved = p.begun
}

// Show says what has been done of the stage and, if it is above 0, which share that is of all its work.
func (p *Progress) Show(share float64, format string, args ...any) {
	if p == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if now := p.now(); now.Sub(p.last) >= detailAge {
		p.set(share, fmt.Sprintf(format, args...))
		p.last = now
	}
}

func (p *Progress) set(share float64, detail string) {
	if share != p.share {
		p.moved = p.now()
	}
	p.share, p.detail = share, detail
}

// show prints the line.
func (p *Progress) show() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.stage == "" || p.hidden {
		return
	}
	if p.poll != nil {
		p.set(p.poll())
	}
	text := p.prefix + p.stage
	if p.detail != "" {
		text += ": " + p.detail
	}
	if p.report != nil {
		p.report(p.share, text)
		return
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

// times says how long the stage takes: so far and, if its share is known, from now on at the speed until the share last
// changed. Steps may be long: what is left falls until the next one, and is not said when it should be over.
func (p *Progress) times() string {
	text := p.now().Sub(p.begun).Round(time.Second).String()
	if p.share <= 0 || p.share >= 1 { // the stage has not begun to count, or finishes after the last step
		return text
	}
	left := time.Duration(float64(p.moved.Sub(p.begun))*(1-p.share)/p.share) - p.now().Sub(p.moved)
	text = fmt.Sprintf("%.0f %%, %s", math.Floor(100*p.share), text)
	if left = left.Round(time.Second); left > 0 {
		text += fmt.Sprintf(", %v left", left)
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

// Watch has progress ask for what Show says, until the next stage begins.
func (c *Call) Watch(poll func() (share float64, detail string)) {
	if p := c.progress; p != nil {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.poll = poll
	}
}

// end prints the last line of --verbose: version, command, wall-clock and processor time, and peak memory. It does
// nothing if there was no call.
func (c *Call) end() {
	if c == nil || !c.verbose {
		return
	}
	all := usage.Now()
	seed := ""
	if command := c.App.command(c.command); command != nil && command.Random {
		seed = fmt.Sprintf(", seed %d", c.Seed)
	}
	c.print("%s %s: %s wall, %s CPU, %s%s", c.name, strings.TrimSpace(c.App.Version+" "+c.command),
		seconds(time.Since(c.begun)), seconds(all.CPU), peak(all), seed)
}

func seconds(t time.Duration) string { return fmt.Sprintf("%.3f s", t.Seconds()) }

// peak writes the largest resident set in units of 10⁶ bytes.
func peak(u usage.Usage) string { return fmt.Sprintf("peak memory %.1f MB", float64(u.Peak)/1e6) }
