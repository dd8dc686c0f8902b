package serve

import (
	"regexp"
	"strings"
	"testing"
)

// Every line of the metrics is one of the text format, and the last bucket of a histogram holds all.
func TestMetricsFormat(t *testing.T) {
	s := newService(t, Options{}, "kmers")
	ask(s, "GET", "/healthz", "")
	ask(s, "GET", "/no\"where", "")
	text := ask(s, "GET", "/metrics", "").Body.String()
	format := regexp.MustCompile(`^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+)$`)
	for line := range strings.Lines(text) {
		if !format.MatchString(strings.TrimSuffix(line, "\n")) {
			t.Errorf("line %q", line)
		}
	}
	for _, want := range []string{
		"# TYPE seqsvm_request_seconds histogram\n", `seqsvm_requests_total{path="/healthz",status="200"} 1` + "\n",
		`seqsvm_request_seconds_bucket{path="/healthz",le="+Inf"} 1` + "\n",
		`seqsvm_request_seconds_count{path="other"} 1` + "\n", "seqsvm_requests_held 0\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
