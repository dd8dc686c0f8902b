package serve

import (
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

func textLogger(to io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(to, nil)) }

// Names of hosts that are not known are refused, so that another site cannot reach the service under its own name.
func TestHosts(t *testing.T) {
	s := newService(t, Options{Hosts: []string{"Models.Example.org"}}, "kmers")
	for host, want := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "LOCALHOST.": 200, "127.0.0.1:1": 200, "[::1]:8080": 200, "::1": 200,
		"192.168.1.2": 200, "models.example.org:443": 200,
		"evil.example": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example:8080": 421, "": 421, "2130706433": 421,
		"example.org": 421, "[::1].evil.example": 421, "0x7f.1": 421,
	} {
		for _, path := range []string{"/", "/v1/models", "/healthz"} {
			if w := ask(s, "GET", path, "", "Host: "+host); w.Code != want {
				t.Errorf("host %q, %s: status %d, want %d", host, path, w.Code, want)
			}
		}
	}
}

// With a token all but the page, the description and the health need it.
func TestToken(t *testing.T) {
	s := newService(t, Options{Token: "0123456789abcdef"}, "kmers")
	for path, at := range s.routes {
		method := "GET"
		if at.post != nil {
			method = "POST"
		}
		for header, right := range map[string]bool{
			"Authorization: Bearer 0123456789abcdef": true, "Authorization: bearer 0123456789abcdef": true,
			"Authorization: Bearer 0123456789abcde": false, "Authorization: Bearer ": false, "X: y": false,
			"Authorization: Basic 0123456789abcdef": false, "Authorization: Bearer 0123456789abcdef0": false,
		} {
			w := ask(s, method, path, ">a\nACGT\n", header)
			if admitted := w.Code == http.StatusOK; admitted != (right || at.open) {
				t.Errorf("%s with %s: status %d", path, header, w.Code)
			}
			if w.Code != 200 && (w.Code != 401 || !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Bearer ")) {
				t.Errorf("%s with %s: status %d, %v", path, header, w.Code, w.Header())
			}
		}
	}
}

// Requests from pages of other sites are refused, and none is told that it may read an answer.
func TestOtherSites(t *testing.T) {
	s := newService(t, Options{}, "kmers")
	for header, want := range map[string]int{
		"Sec-Fetch-Site: cross-site": 403, "Sec-Fetch-Site: same-site": 403, "Origin: https://evil.example": 403,
		"Origin: null": 403, "Sec-Fetch-Site: same-origin": 200, "Origin: http://localhost:8080": 200,
	} {
		w := ask(s, "POST", "/v1/predict", ">a\nACGT\n", header)
		if w.Code != want {
			t.Errorf("%s: status %d, want %d", header, w.Code, want)
		}
	}
	preflight := ask(s, "OPTIONS", "/v1/predict", "", "Origin: https://evil.example", "Access-Control-Request-Method: POST")
	if preflight.Code != http.StatusMethodNotAllowed {
		t.Errorf("preflight: status %d", preflight.Code)
	}
	for name := range preflight.Header() {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("header %s", name)
		}
	}
}

// Every answer has the headers that protect the page, which loads nothing from elsewhere and runs no script of its own
// text.
func TestHeaders(t *testing.T) {
	s := newService(t, Options{}, "kmers")
	for path := range s.routes {
		w := ask(s, "GET", path, "")
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
			"Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
		} {
			if got := w.Header().Get(name); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if csp := w.Header().Get("Content-Security-Policy"); strings.Contains(csp, "unsafe") || strings.Contains(csp, "*") {
			t.Errorf("%s: %s", path, csp)
		}
	}
	for _, name := range []string{"page.html", "page.css", "page.js"} {
		text := must.Get(files.ReadFile(name))(t)
		for _, foreign := range []string{"://", "url(", "innerHTML", "style=", "onclick", "<script>", "eval("} {
			if strings.Contains(string(text), foreign) {
				t.Errorf("%s has %s", name, foreign)
			}
		}
	}
}

// HEAD is GET without the body; other methods are refused with those that there are.
func TestMethods(t *testing.T) {
	s := newService(t, Options{}, "kmers")
	if w := ask(s, "HEAD", "/", ""); w.Code != 200 || w.Body.Len() > 0 {
		t.Errorf("HEAD: status %d, %d bytes", w.Code, w.Body.Len())
	}
	for _, c := range []struct{ method, path, allow string }{{"DELETE", "/", "GET, HEAD"}, {"PUT", "/v1/predict", "POST"}} {
		w := ask(s, c.method, c.path, "")
		if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != c.allow {
			t.Errorf("%s %s: status %d, %v", c.method, c.path, w.Code, w.Header())
		}
	}
}
