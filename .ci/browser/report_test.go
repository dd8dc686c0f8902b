package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hostile are ids that a page must show as they are.
var hostile = []string{"</script><script>alert(1)</script>", `"><img/src=x/onerror=alert(1)>`, "\u202egnihtyreve"}

// writePage makes a report on promoters, four of which have other names, one of 10 kB.
func writePage(t *testing.T) (path string, records int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "fasta", "promoters.fa"))
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Split(strings.TrimPrefix(string(text), ">"), "\n>")
	for i, name := range append(hostile, strings.Repeat("long", 2500)) {
		_, rest, _ := strings.Cut(list[i], " ")
		list[i] = name + " " + rest
	}
	folder := t.TempDir()
	data, path := filepath.Join(folder, "data.fa"), filepath.Join(folder, "report.html")
	if err := os.WriteFile(data, []byte(">"+strings.Join(list, "\n>")), 0o666); err != nil {
		t.Fatal(err)
	}
	tool(t, "report", "--kernel", "spectrum:k=3", "--folds", "3", "-o", path, data)
	return path, len(list)
}

// The page loads without an error or a request, shows what it was given, and its controls do what they say, by mouse
// and by keyboard, in both themes.
func TestReport(t *testing.T) {
	b := start(t, 1000, 900)
	path, records := writePage(t)
	b.colours("light")
	b.run(chromedp.Navigate("file://" + path))
	b.want(`document.querySelector("#record-status").textContent`, fmt.Sprintf("1 to 50 of %d", records))
	b.want(`document.scripts.length`, "2")
	b.want(`document.images.length`, "0")
	for k, name := range hostile {
		b.want(fmt.Sprintf(`document.querySelectorAll("#record-body tr")[%d].querySelector("bdi").textContent`, k), name)
	}
	b.want(`document.documentElement.scrollWidth <= innerWidth`, "true")
	search(b, records)
	sortRows(b)
	choose(b, records)
	tracks(b)
	themes(b)
	pdf := result(b, chromedp.PrintToPDF())
	if len(pdf) < 10_000 {
		t.Errorf("a PDF of %d bytes", len(pdf))
	}
	b.noFaults()
}

// search finds records by / and a part of the name; Escape ends the search.
func search(b *browser, records int) {
	b.t.Helper()
	b.press("/")
	b.want(`document.activeElement.id`, "search")
	b.run(chromedp.KeyEvent("MOTER10"))
	b.want(`document.querySelector("#record-body tr bdi").textContent.includes("promoter10")`, "true")
	b.want(`[...document.querySelectorAll("#record-body tr")].every((r) => r.textContent.includes("moter10"))`, "true")
	b.want(`document.querySelector("#record-status").textContent.endsWith("found of `+fmt.Sprint(records)+`")`, "true")
	b.run(chromedp.KeyEvent("nothing"))
	b.want(`document.querySelector("#record-status").textContent`, fmt.Sprintf("none found of %d", records))
	b.run(chromedp.KeyEvent(kb.Escape))
	b.want(`document.querySelector("#record-status").textContent`, fmt.Sprintf("1 to 50 of %d", records))
}

// column is the numbers shown in the column of decisions.
const column = `[...document.querySelectorAll("#record-body tr")].map((r) => Number(r.children[4].textContent.replace("−", "-")))`

// sortRows sorts by decision, first up, then down, and turns the page.
func sortRows(b *browser) {
	b.t.Helper()
	const head = `document.querySelectorAll("#record-head th")[4]`
	b.want(head+`.textContent`, "decision")
	b.run(chromedp.Click(chromedp.CSS(`#record-head th:nth-child(5) button`)))
	b.want(head+`.getAttribute("aria-sort")`, "ascending")
	b.want(column+`.every((x, i, all) => i === 0 || all[i - 1] <= x)`, "true")
	least := b.text(column + `[0]`)
	b.run(chromedp.Focus(chromedp.CSS(`#record-head th:nth-child(5) button`)), chromedp.KeyEvent(kb.Enter))
	b.want(head+`.getAttribute("aria-sort")`, "descending")
	b.want(column+`.every((x, i, all) => i === 0 || all[i - 1] >= x)`, "true")
	b.run(chromedp.Click(chromedp.CSS(`#after`)), chromedp.Click(chromedp.CSS(`#after`)))
	b.want(column+`.at(-1)`, least)
	b.want(`document.querySelector("#after").disabled`, "true")
	b.run(chromedp.Click(chromedp.CSS(`#before`)))
	b.want(`document.querySelector("#record-status").textContent.startsWith("51 to 100")`, "true")
}

// choose shows the records that are predicted wrongly, of which there are as many as outside the diagonal of the
// confusion matrix.
func choose(b *browser, records int) {
	b.t.Helper()
	const wrong = `(() => {
		const rows = [...document.querySelectorAll("#classes table")].at(-1).tBodies[0].rows;
		let n = 0;
		[...rows].forEach((r, i) => [...r.cells].slice(1).forEach((c, j) => { if (i !== j) n += Number(c.textContent); }));
		return n;
	})()`
	n := b.text(wrong)
	b.do(`
		const choice = document.querySelectorAll("#filters select")[2];
		choice.value = "1";
		choice.dispatchEvent(new Event("change"))`)
	b.want(`document.querySelector("#record-status").textContent`, fmt.Sprintf("1 to %s of %[1]s found of %d", n, records))
	b.want(`[...document.querySelectorAll("#record-body tr")].every((r) => r.textContent.includes("wrong"))`, "true")
}

// tracks opens the contributions of a record by the keyboard, and another group of them.
func tracks(b *browser) {
	b.t.Helper()
	b.run(chromedp.Focus(chromedp.CSS(`#record-body .open`)), chromedp.KeyEvent(kb.Enter))
	b.want(`document.querySelector("#record-body .track svg").getAttribute("role")`, "img")
	b.want(`document.querySelectorAll("#record-body .track text").length > 57`, "true") // a letter each, and drawn ones
	b.picture("open")
	b.run(chromedp.KeyEvent(kb.Enter))
	b.want(`document.querySelector("#record-body .track")`, "null")
	shown := b.text(`document.querySelector("#track-list h4").textContent`)
	b.run(chromedp.Focus(chromedp.CSS(`#track-group`)), chromedp.KeyEvent(kb.ArrowDown))
	if b.text(`document.querySelector("#track-list h4").textContent`) == shown {
		b.t.Error("the same contributions in another group")
	}
	b.run(chromedp.Click(chromedp.CSS(`#track-more`)))
	b.want(`document.querySelectorAll("#track-list .track").length`, "10")
}

// themes looks at the page in light and dark, as the system and as the switch have it, and as it is printed.
func themes(b *browser) {
	b.t.Helper()
	const paper, pressed = `getComputedStyle(document.body).backgroundColor`, `document.querySelector("#theme").ariaPressed`
	light, figures := b.text(paper), b.text(`getComputedStyle(document.querySelector(".figure text")).fill`)
	b.want(contrasts, "")
	b.picture("light")
	b.run(chromedp.Click(chromedp.CSS(`#theme`)))
	dark := b.text(paper)
	b.want(pressed, "true")
	b.want(contrasts, "")
	b.picture("dark")
	b.run(chromedp.Click(chromedp.CSS(`#theme`)))
	b.want(paper, light)
	b.do(`delete document.documentElement.dataset.theme`)
	b.colours("dark")
	b.want(paper, dark)
	b.wait(pressed + ` === "true"`) // the page hears of it later than its style
	if light == dark {
		b.t.Errorf("light and dark are %s", light)
	}
	b.media("print", "dark")
	b.want(paper, light)
	b.want(`getComputedStyle(document.querySelector(".figure text")).fill`, figures)
	b.want(`[...document.querySelectorAll("details:not([open]) table")].some((t) => t.checkVisibility())`, "false")
	b.picture("print")
	b.colours("dark")
}
