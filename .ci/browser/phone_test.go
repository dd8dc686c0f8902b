package browser

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// On a phone no page is wider than the screen, metrics are not scrolled sideways, pictures say that they are if
// they are, and sequences are in letters of one width: a report, one on two models, and the pages of a service.
func TestPhone(t *testing.T) {
	b := start(t, 390, 800)
	b.run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error { // windows are at least 500 wide
		_, err := cdp.Call(ctx, t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: 390, Height: 800, DeviceScaleFactor: 2, Mobile: true,
		})
		return err
	}))
	b.colours("light")
	path, _ := writePage(t)
	data := filepath.Join(filepath.Dir(path), "data.fa")
	models := []string{filepath.Join(t.TempDir(), "a.seqsvm"), filepath.Join(t.TempDir(), "another.seqsvm")}
	for k, kernel := range []string{"spectrum:k=3", "gapped:l=5,k=3,rc"} {
		tool(t, "train", "-q", "--kernel", kernel, "-o", models[k], data)
	}
	both := filepath.Join(t.TempDir(), "both.html")
	tool(t, "report", "-q", "--bootstrap", "100", "-o", both, models[0], models[1], data)
	const narrow = `document.documentElement.scrollWidth <= innerWidth`
	for _, page := range []string{path, both} {
		b.run(chromedp.Navigate("file://" + page))
		b.want(`innerWidth`, "390")
		b.want(narrow, "true")
		b.want(`[...document.querySelectorAll("#metrics .stacked, #comparison .stacked, #errors .stacked")].every(
			(t) => t.scrollWidth <= t.parentElement.clientWidth)`, "true")
		b.want(`document.querySelectorAll("td.code, th.code").length > 20`, "true")
		b.want(`[...document.querySelectorAll(".code, .track svg text")].every(
			(e) => getComputedStyle(e).fontFamily.includes("monospace"))`, "true")
		b.want(`[...document.querySelectorAll("figure.scroll")].filter((f) => f.hasAttribute("data-wide") !==
			[...f.querySelectorAll("svg > *")].some((e) => e.getBoundingClientRect().right > innerWidth)).length`, "0")
		b.want(`document.querySelectorAll("figure.scroll").length > 0`, "true")
		b.picture("phone-" + filepath.Base(page))
	}
	b.site = serve(t, "0123456789abcdef")
	b.run(chromedp.Navigate(b.site + "docs"))
	b.want(narrow, "true")
	b.want(`document.querySelector("pre").textContent.includes(location.host)`, "true")
	b.picture("phone-docs")
	b.noFaults()
}
