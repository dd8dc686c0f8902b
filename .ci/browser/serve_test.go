package browser

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// serve trains a model and starts a service of it, which wants a token; it returns the address of the page.
func serve(t *testing.T, token string) string {
	t.Helper()
	folder := t.TempDir()
	promoters := filepath.Join("..", "..", "testdata", "fasta", "promoters.fa")
	for _, name := range []string{"a", "b"} {
		tool(t, "train", "-q", "--kernel", "spectrum:k=4", "-o", filepath.Join(folder, name+".seqsvm"), promoters)
	}
	secret := filepath.Join(folder, "token")
	if err := os.WriteFile(secret, []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	service := exec.Command(binary, "serve", "-q", "-m", "a.seqsvm", "-m", "b.seqsvm", "--listen", "localhost:0",
		"--token-file", secret)
	service.Dir, service.Stderr = folder, os.Stderr
	out, err := service.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		service.Process.Signal(syscall.SIGTERM)
		service.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// The page of a service asks for the token, predicts what is typed, pasted or opened, by mouse and keyboard, shows
// contributions and errors, and asks nobody but its own service.
func TestServe(t *testing.T) {
	const token = "0123456789abcdef"
	b := start(t, 800, 800)
	b.site = serve(t, token)
	b.colours("light")
	b.run(chromedp.Navigate(b.site))
	b.wait(`!document.querySelector("#secret").hidden`)
	b.want(`document.activeElement.id`, "token")
	b.refused() // the answer that asked for the token
	b.run(chromedp.KeyEvent(token), chromedp.KeyEvent(kb.Enter))
	b.wait(`document.querySelectorAll("#model option").length === 2`)
	b.do(`document.querySelector("#records").value = ">x\nTTGACATATAATGC\n>y <b>\nACGTTTACG\nACG\n"`)
	b.do(`document.querySelector("#model").value = "b"`)
	b.run(chromedp.Click(chromedp.CSS("#run")))
	b.wait(`document.querySelectorAll("tr.record").length === 2`)
	b.want(`document.querySelector("#message").hidden`, "true")
	b.want(`document.querySelectorAll(".letters").length`, "2")
	b.want(`document.querySelectorAll(".letters")[1].textContent`, "ACGTTTACGACG")
	b.want(`document.querySelectorAll(".letters span[class]").length > 5`, "true")
	b.want(`getComputedStyle(document.querySelector(".p6, .n6")).backgroundColor !== "rgba(0, 0, 0, 0)"`, "true")
	b.want(`document.documentElement.scrollWidth <= innerWidth`, "true")
	b.picture("serve-light")
	b.colours("dark")
	b.want(`getComputedStyle(document.body).backgroundColor`, "rgb(22, 24, 27)")
	b.picture("serve-dark")
	b.do(`document.querySelector("#records").value = "id,label,text\nu,+1,TTGACATA\nv,-1,ACGTTTACGACG\nw,-1,ACGTTTAC\n"`)
	b.run(chromedp.Click(chromedp.CSS("#run")))
	b.wait(`document.querySelectorAll("tr.record").length === 3`)
	b.want(`document.querySelectorAll("tr.record td")[0].textContent`, "u")
	b.want(`document.querySelectorAll(".letters")[1].textContent`, "ACGTTTACGACG")
	b.want(`document.querySelector("#summary").textContent.startsWith("3 records read as csv")`, "true")
	b.do(`document.querySelector("#records").value = ">x\nTT GACA\n"`)
	b.run(chromedp.Focus(chromedp.CSS("#records")))
	b.do(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", ctrlKey: true, bubbles: true}))`)
	b.wait(`document.querySelector("#message").textContent.includes("white space")`)
	b.want(`document.querySelector("#answer").hidden`, "true")
	b.refused()
	b.run(chromedp.Click(chromedp.CSS("#clear")))
	b.want(`document.querySelector("#records").value + document.activeElement.id`, "records")
	b.noFaults()
}
