package serve

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
)

// loadService serves a model of gapped 11-mers, as those of regulatory DNA.
func loadService(t testing.TB) *Service {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, "model")
	records := filepath.Join(folder, "train.fa")
	must.Succeed(t, os.WriteFile(records, []byte(fasta(200, 100)), 0o666))
	inputs := []seqio.Input{{Path: records, Label: "+"}, {Path: "../../testdata/fasta/promoters.fa", Label: "-"}}
	m := must.Get(seqsvm.Fit(t.Context(), "gapped:l=11,k=7,rc", inputs, seqsvm.Options{}))(t)
	must.Succeed(t, m.Save(path))
	return must.Get(New(t.Context(), []Source{{Name: "m", Path: path}}, Options{}))(t)
}

// Batches of 100 records of 100 bases: the handler alone, and with a client and the network between them.
func BenchmarkBatch(b *testing.B) {
	s := loadService(b)
	text := []byte(fasta(100, 100))
	for _, c := range []struct{ name, path string }{{"predict", "/v1/predict"}, {"explain", "/v1/explain"}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest("POST", "http://localhost"+c.path, bytes.NewReader(text))
				w := httptest.NewRecorder()
				if s.ServeHTTP(w, r); w.Code != http.StatusOK {
					b.Fatal(w.Code, w.Body)
				}
			}
			b.ReportMetric(100*float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
	b.Run("network", func(b *testing.B) {
		address, _ := serving(b, s, time.Second)
		for b.Loop() {
			answer := must.Get(http.Post("http://"+address+"/v1/predict", "text/x-fasta", bytes.NewReader(text)))(b)
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
		b.ReportMetric(100*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	})
}

// A thousand clients at a time, a hundred without the build tag long, are answered without an error by the default
// limits: each with two batches of 10 records, or with batch after batch of 100 for the time of $SEQSVM_LOAD. Memory
// stays bounded, and all that was taken is given back.
func TestLoad(t *testing.T) {
	clients := long.Or(1000, 100)
	lasts, records := time.Duration(0), 10
	if text := os.Getenv("SEQSVM_LOAD"); text != "" {
		var err error
		if lasts, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
		records = 100
	}
	batch := []byte(fasta(records, 100))
	s := loadService(t)
	address, end := serving(t, s, time.Minute)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	ask := func() error {
		answer, err := client.Post("http://"+address+"/v1/predict", "text/x-fasta", bytes.NewReader(batch))
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		n, err := io.Copy(io.Discard, answer.Body)
		if err == nil && (answer.StatusCode != http.StatusOK || n < 500) {
			t.Errorf("status %d, %d bytes", answer.StatusCode, n)
		}
		return err
	}
	must.Succeed(t, ask())
	client.CloseIdleConnections()
	goroutines, heap := settled()
	most := watchHeap(t.Context())

	begun := time.Now()
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for i := 0; i < 2 || time.Since(begun) < lasts; i++ {
				if err := ask(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	client.CloseIdleConnections()
	peak := most()
	nowGoroutines, nowHeap := settled()
	t.Logf("heap %d MB at most, %d MB before, %d MB after; goroutines %d before, %d after", peak>>20, heap>>20, nowHeap>>20,
		goroutines, nowGoroutines)
	if nowGoroutines > goroutines+5 || nowHeap > heap+16<<20 || peak > heap+512<<20 {
		t.Error("more is held than before, or than there should be")
	}
	if s.held.Load() != 0 || s.bodies.free != s.limits.Bodies || s.working.free != int64(s.limits.Working) {
		t.Error("requests have not given back what they held")
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}

// settled returns the goroutines and the bytes in use when connections that were closed are gone.
func settled() (goroutines int, heap uint64) {
	goroutines = runtime.NumGoroutine()
	for last := 0; last != goroutines; {
		time.Sleep(100 * time.Millisecond)
		last, goroutines = goroutines, runtime.NumGoroutine()
	}
	runtime.GC()
	runtime.GC() // pools are emptied by the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return goroutines, m.HeapAlloc
}

// watchHeap returns a function that returns the most bytes that were in use.
func watchHeap(ctx context.Context) func() uint64 {
	ctx, stop := context.WithCancel(ctx)
	most := make(chan uint64)
	go func() {
		var peak uint64
		for ctx.Err() == nil {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
			time.Sleep(20 * time.Millisecond)
		}
		most <- peak
	}()
	return func() uint64 { stop(); return <-most }
}
