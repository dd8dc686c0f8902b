package serve

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics counts what happens, for Prometheus.
type metrics struct {
	requests *prometheus.CounterVec
	refused  *prometheus.CounterVec
	records  *prometheus.CounterVec
	letters  *prometheus.CounterVec
	reloads  *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	handler  http.Handler
}

func newMetrics(s *Service) *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "seqsvm", Name: name, Help: help}, labels)
	}
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "seqsvm", Name: name, Help: help}, value)
	}
	m := &metrics{
		requests: counter("requests_total", "Requests that were answered.", "path", "status"),
		refused:  counter("refused_total", "Requests that exceeded a limit.", "limit"),
		records:  counter("records_total", "Records that were answered.", "model"),
		letters:  counter("letters_total", "Letters of these.", "model"),
		reloads:  counter("model_reloads_total", "Model files that changed.", "model", "result"),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "seqsvm", Name: "request_seconds", Help: "Times of requests, waiting included.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 8),
		}, []string{"path"}),
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.requests, m.refused, m.records, m.letters, m.reloads, m.seconds,
		gauge("requests_held", "Requests at work or waiting.", func() float64 { return float64(s.held.Load()) }),
		gauge("requests_waiting", "Requests that wait to be scored.",
			func() float64 { return float64(s.working.queued()) }),
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m
}

// answered counts a request.
func (m *metrics) answered(path string, status int, took time.Duration) {
	m.requests.WithLabelValues(path, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(path).Observe(took.Seconds())
}
