package browser

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The page without a service opens models, shows the decisions of seqsvm predict and contributions, and says what is
// wrong; it asks for nothing but its own files.
func TestPageWithoutService(t *testing.T) {
	b := start(t, 800, 800)
	folder := t.TempDir()
	build := exec.Command(filepath.Join("..", "..", "packaging", "wasm", "build"), folder)
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	promoters := filepath.Join("..", "..", "testdata", "fasta", "promoters.fa")
	for name, kernel := range map[string]string{"a": "spectrum:k=4", "b": "substring:weight=bounded,k=6"} {
		tool(t, "train", "-q", "--kernel", kernel, "-o", filepath.Join(folder, name+".seqsvm"), promoters)
	}
	site := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(site.Close)
	b.site = site.URL
	b.colours("light")
	b.run(chromedp.Navigate(site.URL + "/index.html?model=a.seqsvm"))
	b.wait(`document.querySelectorAll("#model option").length === 1`)
	b.do(`document.querySelector("#records").value = ">x\nTTGACATATAATGC\n>y\nACGTTTACG\n"`)
	b.run(chromedp.Click(chromedp.CSS("#run")))
	b.wait(`document.querySelectorAll("tr.record").length === 2`)
	b.want(`document.querySelectorAll(".letters").length`, "2")
	b.picture("wasm")

	records := filepath.Join(folder, "records.fa")
	if err := os.WriteFile(records, []byte(">x\nTTGACATATAATGC\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	tool(t, "predict", "-q", "--digits", "17", "-m", filepath.Join(folder, "a.seqsvm"), "-o", records+".tsv", records)
	table, err := os.ReadFile(records + ".tsv")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(strings.Split(string(table), "\n")[1])[2]
	b.do(`window.got = ""; fetch("v1/predict", {method: "POST", body: ">x\nTTGACATATAATGC\n"}).then(async (r) => {
		window.got = (await r.json()).records[0].decision; })`)
	b.wait(`window.got !== ""`)
	b.want(`Math.abs(window.got - `+want+`) === 0`, "true")

	// How long a request takes, which is not tested.
	b.do(`window.took = ""; const body = (">x\n" + "TTGACATATAATGC".repeat(20) + "\n").repeat(2000), begun = performance.now();
		fetch("v1/predict", {method: "POST", body}).then((r) => { window.took = r.status + " " + (performance.now() - begun); })`)
	b.wait(`window.took !== ""`)
	t.Logf("2,000 records of 280 letters: status and milliseconds %s", b.text("window.took"))

	// A second model from a file, and a file that is none.
	give := func(name, from string) {
		b.do(`fetch("` + from + `").then(async (r) => {
			const files = new DataTransfer();
			files.items.add(new File([await r.arrayBuffer()], "` + name + `"));
			document.querySelector("#modelfile").files = files.files;
			document.querySelector("#modelfile").dispatchEvent(new Event("change")); })`)
	}
	give("second.seqsvm", "b.seqsvm")
	b.wait(`document.querySelectorAll("#model option").length === 2`)
	b.do(`document.querySelector("#model").value = "second"; describe()`)
	b.want(`document.querySelector("#about").textContent.slice(0, 17)`, "second: substring")
	give("wrong.seqsvm", "page.css")
	b.wait(`!document.querySelector("#message").hidden`)
	b.want(`document.querySelector("#message").textContent`, "wrong.seqsvm: not a seqsvm model")
	b.want(`document.querySelectorAll("#model option").length`, "2")
	b.noFaults()
}
