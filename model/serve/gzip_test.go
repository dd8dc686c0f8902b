package serve

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/net/html"

	"github.com/seqsvm/seqsvm/internal/must"
)

// packed is a text in gzip.
func packed(t *testing.T, text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	must.Get(w.Write([]byte(text)))(t)
	must.Succeed(t, w.Close())
	return b.String()
}

// A body in gzip is answered as it is without, and what comes out of it counts against the limits, however small it is.
func TestGzip(t *testing.T) {
	const body = 1 << 20
	s := newService(t, Options{Limits: Limits{Body: body, Stream: 4 * body, Letters: 8 * body}}, "kmers")
	small, bomb := fasta(20, 100), ">a\n"+strings.Repeat("A", 2*body)+"\n"
	for _, accept := range []string{"Accept: */*", "Accept: " + typeLines} {
		want := ask(s, "POST", "/v1/predict", small, accept).Body.String()
		w := ask(s, "POST", "/v1/predict", packed(t, small[:700])+packed(t, small[700:]), accept, "Content-Encoding: gzip")
		if w.Code != 200 || w.Body.String() != want {
			t.Errorf("%s: status %d, %.200s, want %.200s", accept, w.Code, w.Body, want)
		}
	}
	if len(packed(t, bomb)) > body/100 {
		t.Fatal("the body is large before it is decompressed")
	}
	w := ask(s, "POST", "/v1/predict", packed(t, bomb), "Content-Encoding: gzip")
	checkFault(t, "body", w.Code, w.Body.Bytes(), 413, "body", body)
	w = ask(s, "POST", "/v1/predict", packed(t, strings.Repeat(small, 2500)), "Content-Encoding: gzip", "Accept: "+typeLines)
	if last := strings.TrimSuffix(w.Body.String(), "\n"); !strings.Contains(last[strings.LastIndex(last, "\n"):], `"value":4194304`) {
		t.Errorf("a stream of more than its limit ends with %s", last[strings.LastIndex(last, "\n"):])
	}
	for _, wrong := range []string{small, packed(t, small)[:50], packed(t, small)[:30] + strings.Repeat("x", 100)} {
		if w := ask(s, "POST", "/v1/predict", wrong, "Content-Encoding: gzip"); w.Code != 400 {
			t.Errorf("%.10q: status %d, %s", wrong, w.Code, w.Body)
		}
	}
	if w := ask(s, "POST", "/v1/predict", small, "Content-Encoding: br"); w.Code != 415 {
		t.Errorf("brotli: status %d", w.Code)
	}
}

// The page of the API is HTML with the host of the request, escaped, and loads nothing from elsewhere; the service is
// ready until it stops, or is full.
func TestDocsAndReadiness(t *testing.T) {
	s := newService(t, Options{Hosts: []string{"a&b"}}, "kmers")
	text := ask(s, "GET", "/docs", "", "Host: a&b").Body.String()
	if !strings.Contains(text, "curl --data-binary @new.fa a&amp;b/v1/predict") || strings.Contains(text, "//") {
		t.Errorf("the page is %s", text)
	}
	must.Get(html.Parse(strings.NewReader(text)))(t)
	ready := func() int { return ask(s, "GET", "/readyz", "").Code }
	if code := ready(); code != http.StatusOK {
		t.Errorf("status %d when ready", code)
	}
	s.held.Add(int64(s.limits.Queue))
	if code := ready(); code != http.StatusServiceUnavailable {
		t.Errorf("status %d when full", code)
	}
	s.held.Add(-int64(s.limits.Queue))
	s.ending.Store(true)
	if code := ready(); code != http.StatusServiceUnavailable {
		t.Errorf("status %d when stopping", code)
	}
}
