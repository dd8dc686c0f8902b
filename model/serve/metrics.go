package serve

import (
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seqsvm/seqsvm/internal/usage"
)

// metrics counts what happens and writes it in the text format of Prometheus.
type metrics struct {
	requests, refused, records, letters, reloads *counter

	sync.Mutex
	seconds map[string]*histogram // by path
}

// counter is a family of numbers that only grow.
type counter struct {
	name, help string
	labels     []string

	sync.Mutex
	values map[string]float64 // by the labels as they are written
}

// bounds are seconds.
var bounds = [...]float64{0.001, 0.004, 0.016, 0.064, 0.256, 1.024, 4.096, 16.384, math.Inf(1)}

// histogram counts times by the first of bounds that is not less.
type histogram struct {
	counts [len(bounds)]int
	sum    float64
}

func newMetrics() *metrics {
	count := func(name, help string, labels ...string) *counter {
		return &counter{name: name, help: help, labels: labels, values: map[string]float64{}}
	}
	return &metrics{
		requests: count("requests_total", "Requests that were answered.", "path", "status"),
		refused:  count("refused_total", "Requests that exceeded a limit.", "limit"),
		records:  count("records_total", "Records that were answered.", "model"),
		letters:  count("letters_total", "Letters of these.", "model"),
		reloads:  count("model_reloads_total", "Model files that changed.", "model", "result"),
		seconds:  map[string]*histogram{},
	}
}

// answered counts a request.
func (m *metrics) answered(path string, status int, took time.Duration) {
	m.requests.add(1, path, strconv.Itoa(status))
	m.Lock()
	defer m.Unlock()
	h := m.seconds[path]
	if h == nil {
		h = &histogram{}
		m.seconds[path] = h
	}
	at, _ := slices.BinarySearch(bounds[:], took.Seconds())
	h.counts[at]++
	h.sum += took.Seconds()
}

// add adds to the number with these values of the labels.
func (c *counter) add(n float64, values ...string) {
	c.Lock()
	defer c.Unlock()
	c.values[labelled(c.labels, values)] += n
}

func (c *counter) write(w io.Writer) {
	c.Lock()
	defer c.Unlock()
	head(w, "seqsvm_"+c.name, "counter", c.help)
	for _, labels := range slices.Sorted(maps.Keys(c.values)) {
		fmt.Fprintf(w, "seqsvm_%s{%s} %v\n", c.name, labels, c.values[labels])
	}
}

var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func labelled(names, values []string) string {
	pairs := make([]string, len(names))
	for i, name := range names {
		pairs[i] = name + `="` + escaped.Replace(values[i]) + `"`
	}
	return strings.Join(pairs, ",")
}

func head(w io.Writer, name, kind, help string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// write writes all, with what the service has at work and what the process has taken.
func (m *metrics) write(w io.Writer, s *Service) {
	for _, c := range []*counter{m.requests, m.refused, m.records, m.letters, m.reloads} {
		c.write(w)
	}
	m.writeSeconds(w)
	for _, of := range []struct {
		name, kind, help string
		value            float64
	}{
		{"seqsvm_requests_held", "gauge", "Requests at work or waiting.", float64(s.held.Load())},
		{"seqsvm_requests_waiting", "gauge", "Requests that wait to be scored.", float64(s.working.queued())},
		{"go_goroutines", "gauge", "Goroutines that exist.", float64(runtime.NumGoroutine())},
		{"process_cpu_seconds_total", "counter", "CPU time of the process.", usage.CPU().Seconds()},
		{"process_peak_memory_bytes", "gauge", "Most memory the process has had.", float64(usage.Now().Peak)},
	} {
		head(w, of.name, of.kind, of.help)
		fmt.Fprintf(w, "%s %v\n", of.name, of.value)
	}
}

func (m *metrics) writeSeconds(w io.Writer) {
	const name = "seqsvm_request_seconds"
	m.Lock()
	defer m.Unlock()
	head(w, name, "histogram", "Times of requests, waiting included.")
	for _, path := range slices.Sorted(maps.Keys(m.seconds)) {
		h, label, sum := m.seconds[path], labelled([]string{"path"}, []string{path}), 0
		for i, n := range h.counts {
			sum += n
			fmt.Fprintf(w, "%s_bucket{%s,le=\"%s\"} %d\n", name, label,
				strconv.FormatFloat(bounds[i], 'g', -1, 64), sum)
		}
		fmt.Fprintf(w, "%s_sum{%s} %v\n%s_count{%s} %d\n", name, label, h.sum, name, label, sum)
	}
}
