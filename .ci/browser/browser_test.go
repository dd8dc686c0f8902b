package browser

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// names are those of Chromium, by which it is looked for.
var names = []string{"chromium", "chromium-browser", "google-chrome"}

// browser is a page in a browser, and what went wrong with it so far.
type browser struct {
	context.Context
	t      *testing.T
	site   string // that pages may load from, besides local files; may be ""
	mutex  sync.Mutex
	faults []string
}

// start opens a browser, and skips the test if none is installed.
func start(t *testing.T, width, height int) *browser {
	t.Helper()
	path := ""
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skipf("none of %s is installed", strings.Join(names, ", "))
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.WindowSize(width, height), chromedp.UserDataDir(t.TempDir()))
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	b := &browser{Context: ctx, t: t}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	return b
}

// listen takes note of errors, and of requests for anything but local files.
func (b *browser) listen(event any) {
	fault := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		fault = "exception: " + e.ExceptionDetails.Text
	case *runtime.EventConsoleAPICalled:
		fault = "console: " + string(e.Type)
	case *log.EventEntryAdded:
		fault = "log: " + e.Entry.Text
	case *network.EventRequestWillBeSent:
		if b.site != "" && strings.HasPrefix(e.Request.URL, b.site) {
			return
		}
		if u, err := url.Parse(e.Request.URL); err != nil || u.Scheme != "file" && u.Scheme != "data" {
			fault = "request: " + e.Request.URL
		}
	}
	if fault != "" {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		b.faults = append(b.faults, fault)
	}
}

// run runs actions, for at most a minute.
func (b *browser) run(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b, time.Minute)
	defer stop()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// result is that of an action.
func result[T any](b *browser, action chromedp.Action[T]) T {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b, time.Minute)
	defer stop()
	value, err := chromedp.Run(ctx, action)
	if err != nil {
		b.t.Fatal(err)
	}
	return value
}

// want checks the value of an expression.
func (b *browser) want(expression, want string) {
	b.t.Helper()
	if got := b.text(expression); got != want {
		b.t.Errorf("%s is %q, want %q", expression, got, want)
	}
}

// wait waits until an expression is true.
func (b *browser) wait(expression string) {
	b.t.Helper()
	for begun := time.Now(); b.text(expression) != "true"; time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			b.t.Fatalf("%s is not true", expression)
		}
	}
}

// refused expects that the browser logged an answer that was an error, and forgets it.
func (b *browser) refused() {
	b.t.Helper()
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if len(b.faults) != 1 || !strings.Contains(b.faults[0], "the server responded with a status of 4") {
		b.t.Errorf("faults %q, want an answer that is an error", b.faults)
	}
	b.faults = nil
}

// text is the value of an expression as text.
func (b *browser) text(expression string) string {
	b.t.Helper()
	return result(b, chromedp.Evaluate[string]("String("+expression+")"))
}

// do runs statements of the page.
func (b *browser) do(statements string) {
	b.t.Helper()
	result(b, chromedp.Evaluate[bool]("(() => {"+statements+"; return true;})()"))
}

// media has the page think that it is on a medium, such as print, "" for a screen, and that the system prefers dark or
// light colours.
func (b *browser) media(medium, scheme string) {
	b.t.Helper()
	b.run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Media:    medium,
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	}))
}

// colours has the page think that the system prefers dark or light colours.
func (b *browser) colours(scheme string) {
	b.t.Helper()
	b.media("", scheme)
}

// press presses a key of a character as a keyboard does: the page may keep it from having an effect, as it cannot with
// chromedp.KeyEvent, which sends the character in any case.
func (b *browser) press(key string) {
	b.t.Helper()
	b.run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Text: key}
		if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, down); err != nil {
			return err
		}
		up := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: key}
		_, err := cdp.Call(ctx, t, input.DispatchKeyEvent, up)
		return err
	}))
}

// picture keeps a picture of the whole page in the folder $SEQSVM_SCREENSHOTS, if that is set.
func (b *browser) picture(name string) {
	b.t.Helper()
	folder := os.Getenv("SEQSVM_SCREENSHOTS")
	if folder == "" {
		return
	}
	png := result(b, chromedp.FullScreenshot(100))
	if err := os.WriteFile(filepath.Join(folder, name+".png"), png, 0o666); err != nil {
		b.t.Fatal(err)
	}
}

// noFaults fails the test if the page had an error or sent a request.
func (b *browser) noFaults() {
	b.t.Helper()
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, fault := range b.faults {
		b.t.Error(fault)
	}
}

// tool builds the tool once, and runs it.
func tool(t *testing.T, args ...string) {
	t.Helper()
	built.Do(func() {
		folder, err := os.MkdirTemp("", "seqsvm")
		if err != nil {
			t.Fatal(err)
		}
		binary = filepath.Join(folder, "seqsvm")
		build := exec.Command("go", "build", "-o", binary, "./cmd/seqsvm")
		build.Dir = filepath.Join("..", "..")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	})
	if out, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", args, err, out)
	}
}

var (
	built  sync.Once
	binary string
)

// TestMain removes the tool.
func TestMain(m *testing.M) {
	code := m.Run()
	if binary != "" {
		os.RemoveAll(filepath.Dir(binary))
	}
	os.Exit(code)
}

// leastContrast is that of WCAG 2.1, level AA, for text of normal size.
const leastContrast = 4.5

// contrasts lists the texts whose colour is too close to what is behind them.
var contrasts = fmt.Sprintf(`(() => {
	const canvas = document.createElement("canvas");
	canvas.width = canvas.height = 1;
	const pen = canvas.getContext("2d", {willReadFrequently: true});
	const mixed = (below, colour) => {
		pen.fillStyle = "rgb(" + below.join() + ")";
		pen.fillRect(0, 0, 1, 1);
		pen.fillStyle = colour;
		pen.fillRect(0, 0, 1, 1);
		return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
	};
	const behind = (e) => mixed(e ? behind(e.parentElement) : [255, 255, 255], e ? getComputedStyle(e).backgroundColor : "#fff");
	const light = (rgb) => {
		const [r, g, b] = rgb.map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const poor = new Set();
	for (const e of document.body.querySelectorAll("*")) {
		const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
		if (!own || !e.checkVisibility() || e.closest("script, noscript, title, .figure, :disabled")) continue;
		const style = getComputedStyle(e), below = behind(e);
		const colour = mixed(below, e.closest("svg") ? style.fill : style.color);
		const [a, b] = [light(colour), light(below)].sort((x, y) => y - x);
		if ((a + 0.05) / (b + 0.05) < %g) poor.add(e.tagName + "." + (e.getAttribute("class") || "") + " " + colour + " on " + below);
	}
	return [...poor].join("; ");
})()`, leastContrast)
