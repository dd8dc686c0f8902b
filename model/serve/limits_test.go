package serve

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/strictjson"
)

// fasta makes records of random letters.
func fasta(records, letters int) string {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range records {
		fmt.Fprintf(&b, ">r%d\n", i)
		for range letters {
			b.WriteByte("ACGT"[random.IntN(4)])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// A request beyond a limit is refused with the limit's name and value, and counted; one within is answered.
func TestLimits(t *testing.T) {
	s := newService(t, Options{Limits: Limits{Body: 2000, Records: 10, Letters: 1000}}, "kmers")
	for _, c := range []struct {
		name, body string
		status     int
		limit      string
		value      int64
	}{
		{"within", fasta(10, 100), 200, "", 0},
		{"body", fasta(2, 1000), 413, "body", 2000},
		{"records", fasta(11, 1), 413, "records", 10},
		{"letters", fasta(1, 1001), 413, "letters", 1000},
	} {
		w := ask(s, "POST", "/v1/predict", c.body)
		checkFault(t, c.name, w.Code, w.Body.Bytes(), c.status, c.limit, c.value)
		if metrics := ask(s, "GET", "/metrics", "").Body.String(); c.limit != "" &&
			!strings.Contains(metrics, `seqsvm_refused_total{limit="`+c.limit+`"} 1`) {
			t.Errorf("%s is not counted", c.name)
		}
	}
	if w := ask(s, "POST", "/v1/explain", fasta(1, 125)); w.Code != 200 {
		t.Errorf("explained within: status %d", w.Code)
	}
	w := ask(s, "POST", "/v1/explain", fasta(1, 126))
	checkFault(t, "explained", w.Code, w.Body.Bytes(), 413, "letters", 125)
	w = ask(s, "POST", "/v1/predict", fasta(1, 1001), "Accept: "+typeLines)
	checkFault(t, "stream", w.Code, w.Body.Bytes(), 413, "letters", 1000)
	unknown := httptest.NewRequest("POST", "http://localhost/v1/predict", io.MultiReader(strings.NewReader(fasta(2, 1000))))
	unknown.ContentLength = -1
	w = httptest.NewRecorder()
	s.ServeHTTP(w, unknown)
	checkFault(t, "chunked", w.Code, w.Body.Bytes(), 413, "body", 2000)
	if s.bodies.free != s.limits.Bodies || s.working.free != int64(s.limits.Working) || s.held.Load() != 0 {
		t.Error("what requests held was not given back")
	}
}

func checkFault(t *testing.T, name string, code int, body []byte, status int, limit string, value int64) {
	t.Helper()
	var f faultJSON
	if err := json.Unmarshal(body, &f); err != nil {
		t.Fatalf("%s: %v in %s", name, err, body)
	}
	if code != status || f.Error.Limit != limit || f.Error.Value != value || limit != "" && f.Error.Status != status {
		t.Errorf("%s: status %d, %s, want %d of %s = %d", name, code, body, status, limit, value)
	}
}

// A request that cannot be answered in full is refused before anything is sent of its answer.
func TestNothingBeforeAllIsChecked(t *testing.T) {
	s := newService(t, Options{}, "kmers")
	good := strings.Repeat(">r\nACGTAC\n", 12_289)
	for _, c := range []struct {
		path, body string
		status     int
		limit      string
		value      int64
	}{
		{"/v1/predict", strings.Repeat(">r\nA\n", 50_001), 413, "records", 50_000},
		{"/v1/predict", good + ">r\nA C\n", 400, "", 0},
		{"/v1/explain", good + ">r\nA C\n", 400, "", 0},
		{"/v1/explain", strings.Repeat(">r\n"+strings.Repeat("ACGT", 25)+"\n", 10_001), 413, "letters", 1_000_000},
		{"/v1/predict", good, 200, "", 0},
	} {
		w := ask(s, "POST", c.path, c.body)
		checkFault(t, c.path, w.Code, w.Body.Bytes(), c.status, c.limit, c.value)
	}
}

// begin opens a connection and sends the beginning of a request that announces the length of its body.
func begin(t *testing.T, address string, announced int, body, header string) net.Conn {
	t.Helper()
	connection := must.Get(net.Dial("tcp", address))(t)
	t.Cleanup(func() { connection.Close() })
	fmt.Fprintf(connection, "POST /v1/predict HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", header,
		announced, body)
	return connection
}

// Clients that send little of what they announce, or much and no more, keep nobody else waiting.
func TestDawdlers(t *testing.T) {
	limits := Limits{Body: 1 << 20, Bodies: 2 << 20, Streams: 2, Time: time.Minute}
	s := newService(t, Options{Limits: limits}, "kmers")
	address, _ := serving(t, s, time.Millisecond)
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	post := func(body, accept string) {
		t.Helper()
		r := must.Get(http.NewRequest("POST", "http://"+address+"/v1/predict", strings.NewReader(body)))(t)
		r.Header.Set("Accept", accept)
		answer := must.Get(client.Do(r))(t)
		defer answer.Body.Close()
		if text := readAll(t, answer.Body); answer.StatusCode != 200 {
			t.Errorf("status %d: %.200s", answer.StatusCode, text)
		}
	}
	for range 17 {
		begin(t, address, 1<<20, ">a\n", "")
		begin(t, address, 1<<20, ">a\n", "Accept: "+typeLines+"\r\n")
	}
	for s.held.Load() < 2*17 {
		time.Sleep(time.Millisecond)
	}
	post(fasta(1000, 900), "")
	post(fasta(1000, 900), typeLines)
	for range 4 {
		begin(t, address, 1<<20, fasta(1000, 900), "")
	}
	for s.bodies.queued() == 0 {
		time.Sleep(time.Millisecond)
	}
	post(fasta(100, 100), "") // small ones do not wait for large ones
}

// A client that sends a body that is too large, and reads only then, sees the answer.
func TestLargeBodyIsAnswered(t *testing.T) {
	s := newService(t, Options{Limits: Limits{Body: 1 << 10, Time: time.Minute}}, "kmers")
	address, _ := serving(t, s, time.Millisecond)
	const size = 32 << 20
	connection := begin(t, address, size, "", "")
	must.Get(connection.Write(make([]byte, size)))(t)
	answer := must.Get(http.ReadResponse(bufio.NewReader(connection), nil))(t)
	defer answer.Body.Close()
	if text := readAll(t, answer.Body); answer.StatusCode != 413 || !strings.Contains(text, `"limit":"body"`) {
		t.Errorf("status %d: %s", answer.StatusCode, text)
	}
}

// Bodies that have come in part, and together take all the room, end nevertheless: one after the other.
func TestLargeBodiesTogether(t *testing.T) {
	s := newService(t, Options{Limits: Limits{Body: 1 << 20, Bodies: 2 << 20, Time: time.Minute}}, "kmers")
	address, _ := serving(t, s, time.Millisecond)
	body := fasta(1000, 1000)
	var connections []net.Conn
	for range 6 {
		connections = append(connections, begin(t, address, len(body), body[:len(body)/2], "Connection: close\r\n"))
	}
	var all sync.WaitGroup
	for _, c := range connections {
		all.Go(func() {
			c.SetDeadline(time.Now().Add(30 * time.Second))
			io.WriteString(c, body[len(body)/2:])
			answer, err := io.ReadAll(c)
			if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 200 ") {
				t.Errorf("%.200s, %v", answer, err)
			}
		})
	}
	all.Wait()
	if s.bodies.free != s.limits.Bodies || s.bodies.lent {
		t.Error("what bodies held was not given back")
	}
}

// A client has its time again for every so many bytes, so that one that is slow and steady is heard to its end.
func TestPace(t *testing.T) {
	const seconds = 2
	set := 0
	in := &incoming{
		body: strings.NewReader(strings.Repeat("A", 5*seconds*pace)), part: 1 << 30, time: seconds * time.Second,
		deadline: func(time.Duration) error { set++; return nil },
	}
	if n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, in, make([]byte, 1000)); n != 5*seconds*pace || err != nil {
		t.Fatal(n, err)
	}
	if set != 5 {
		t.Errorf("the deadline was set %d times for five times as many bytes as it is for", set)
	}
}

// While all places at work are taken requests wait; one more than may wait is refused, with the time after which to try
// again.
func TestQueue(t *testing.T) {
	s := newService(t, Options{Limits: Limits{Queue: 2, Working: 1}}, "kmers")
	must.Succeed(t, s.working.enter(t.Context(), 1))
	var waiting sync.WaitGroup
	for range 2 {
		waiting.Go(func() {
			if w := ask(s, "POST", "/v1/predict", ">a\nACGT\n"); w.Code != 200 {
				t.Errorf("waiting: status %d", w.Code)
			}
		})
	}
	for s.held.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	w := ask(s, "POST", "/v1/predict", ">a\nACGT\n")
	checkFault(t, "one more", w.Code, w.Body.Bytes(), 429, "queue", 2)
	if w.Header().Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	if w := ask(s, "GET", "/healthz", ""); w.Code != 200 {
		t.Errorf("health: status %d", w.Code)
	}
	s.working.leave(1)
	waiting.Wait()
}

// A request that waits too long is refused, and leaves no trace.
func TestWaitingTooLong(t *testing.T) {
	s := newService(t, Options{Limits: Limits{Working: 1, Time: 50 * time.Millisecond}}, "kmers")
	must.Succeed(t, s.working.enter(t.Context(), 1))
	w := ask(s, "POST", "/v1/predict", ">a\nACGT\n")
	checkFault(t, "waiting", w.Code, w.Body.Bytes(), 503, "time", 0)
	if w.Header().Get("Retry-After") == "" || s.working.queued() != 0 || s.held.Load() != 0 {
		t.Errorf("%v, %d wait", w.Header(), s.working.queued())
	}
}

// At most the units of a gate are in at a time, all get in in the order of their arrival, and those that give up leave
// nothing behind.
func TestGate(t *testing.T) {
	const units = 10
	g := newGate(units)
	var in, most atomic.Int64
	var all sync.WaitGroup
	for i := range 400 {
		all.Go(func() {
			n := int64(i%units + 1)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%3 == 0 {
				time.AfterFunc(time.Duration(i)*time.Microsecond, cancel)
			}
			if g.enter(ctx, n) != nil {
				return
			}
			for now := in.Add(n); ; {
				if before := most.Load(); now <= before || most.CompareAndSwap(before, now) {
					break
				}
			}
			in.Add(-n)
			g.leave(n)
		})
	}
	all.Wait()
	if most.Load() > units || g.free != units || g.queued() != 0 {
		t.Errorf("%d units in at once, %d free at the end, %d wait", most.Load(), g.free, g.queued())
	}
	g.enter(t.Context(), units)
	var order []int
	for i := range 3 {
		all.Go(func() {
			g.enter(t.Context(), units)
			order = append(order, i)
			g.leave(units)
		})
		for g.queued() <= i {
			time.Sleep(time.Millisecond)
		}
	}
	g.leave(units)
	all.Wait()
	if fmt.Sprint(order) != "[0 1 2]" {
		t.Errorf("let in in the order %v", order)
	}
}

// serving starts a server on a port of its own and returns its address and a function that ends it.
func serving(t testing.TB, s *Service, grace time.Duration) (address string, end func() error) {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l, grace) }()
	end = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { end() })
	return l.Addr().String(), end
}

// A stream is answered while it comes: part by part. An error is its last line.
func TestStream(t *testing.T) {
	s := newService(t, Options{}, "kmers")
	address, _ := serving(t, s, time.Second)
	in, out := io.Pipe()
	r := must.Get(http.NewRequest("POST", "http://"+address+"/v1/predict", in))(t)
	r.Header.Set("Content-Type", typeLines)
	record := `{"id":"a","text":"` + strings.Repeat("ACGTTGCA", 1<<10) + `"}` + "\n"
	const perPart = streamPart/(8<<10) + 8 // a little more than a part
	go io.WriteString(out, strings.Repeat(record, perPart))
	answer := must.Get(http.DefaultClient.Do(r))(t)
	defer answer.Body.Close()
	lines := bufio.NewReader(answer.Body)
	if line, err := lines.ReadString('\n'); err != nil || !strings.HasPrefix(line, `{"id":"a","class":`) {
		t.Fatalf("before the end of the stream: %q, %v", line, err)
	}
	go func() {
		io.WriteString(out, record+"{\n")
		out.Close()
	}()
	all := strings.Split(strings.TrimSpace(readAll(t, lines)), "\n")
	var f faultJSON
	if err := json.Unmarshal([]byte(all[len(all)-1]), &f); err != nil || f.Error.Status != 400 {
		t.Errorf("the last line is %q", all[len(all)-1])
	}
	if answer.Header.Get("Content-Type") != typeLines {
		t.Errorf("type %q", answer.Header.Get("Content-Type"))
	}
}

// A stream has a limit for all and, so that memory is bounded, for the bytes of a record, whatever its format.
func TestStreamLimits(t *testing.T) {
	s := newService(t, Options{Limits: Limits{Body: 1 << 16, Stream: 4 << 20, Streams: 1, Time: 5 * time.Second}}, "kmers")
	for name, body := range map[string]string{
		"fasta": ">a\n" + strings.Repeat("ACGT\n", 1<<21), "header": ">" + strings.Repeat("x", 1<<21),
		"jsonl": `{"text":"` + strings.Repeat("A", 1<<21), "csv": "text\n\"" + strings.Repeat("A\n", 1<<20),
		"tsv": "text\n" + strings.Repeat("A", 1<<21), "text": strings.Repeat("A", 1<<21),
	} {
		format := name
		if name == "header" {
			format = "fasta"
		}
		w := ask(s, "POST", "/v1/predict?input="+format, body, "Accept: "+typeLines)
		var f faultJSON
		if err := json.Unmarshal(w.Body.Bytes(), &f); err != nil || w.Code != 413 && w.Code != 400 {
			t.Errorf("%s: status %d, %.200s", name, w.Code, w.Body)
		}
	}
	w := ask(s, "POST", "/v1/predict", fasta(50_000, 100), "Accept: "+typeLines)
	lines := strings.Split(strings.TrimSpace(w.Body.String()), "\n")
	checkFault(t, "stream", 413, []byte(lines[len(lines)-1]), 413, "body", 4<<20)
	if len(lines) < 1000 {
		t.Errorf("%d lines", len(lines))
	}
	if s.streams.free != 1 {
		t.Error("the place of a stream was not given back")
	}
}

// With a certificate it speaks TLS, to HTTP/2 too.
func TestTLS(t *testing.T) {
	made := httptest.NewTLSServer(nil) // for its certificate, and a client that trusts it
	defer made.Close()
	s := newService(t, Options{TLS: &tls.Config{Certificates: made.TLS.Certificates}, Token: "0123456789abcdef"}, "kmers")
	address, _ := serving(t, s, time.Second)
	client := made.Client()
	client.Transport.(*http.Transport).ForceAttemptHTTP2 = true
	r := must.Get(http.NewRequest("POST", "https://"+address+"/v1/predict", strings.NewReader(fasta(3, 50))))(t)
	r.Header.Set("Authorization", "Bearer 0123456789abcdef")
	r.Header.Set("Accept", typeLines)
	answer := must.Get(client.Do(r))(t)
	defer answer.Body.Close()
	text := readAll(t, answer.Body)
	if answer.StatusCode != 200 || answer.ProtoMajor != 2 || strings.Count(text, "\n") != 3 {
		t.Errorf("%s, status %d: %s", answer.Proto, answer.StatusCode, text)
	}
	if answer, err := http.Get("http://" + address + "/healthz"); err == nil && answer.StatusCode == 200 {
		t.Error("it answers without TLS")
	}
}

// A client that sends its body, or its header, too slowly is cut off.
func TestSlowClients(t *testing.T) {
	before := headerTime
	headerTime = 300 * time.Millisecond
	defer func() { headerTime = before }()
	s := newService(t, Options{Limits: Limits{Time: 50 * time.Millisecond}}, "kmers")
	address, end := serving(t, s, time.Second)
	defer end()
	for name, c := range map[string]struct{ begin, want string }{
		"header": {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX", ""},
		"body":   {"POST /v1/predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n>a", "HTTP/1.1 408 "},
		"stream": {"POST /v1/predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n" +
			"Accept: " + typeLines + "\r\n\r\n>a",
			"HTTP/1.1 408 "},
	} {
		connection := must.Get(net.Dial("tcp", address))(t)
		defer connection.Close()
		connection.SetDeadline(time.Now().Add(10 * time.Second))
		io.WriteString(connection, c.begin)
		got, err := io.ReadAll(connection)
		if errors.Is(err, os.ErrDeadlineExceeded) || !strings.HasPrefix(string(got), c.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// The work of a client that went away is cancelled.
func TestClientGone(t *testing.T) {
	s := newService(t, Options{Limits: Limits{Working: 1}}, "kmers")
	address, _ := serving(t, s, time.Second)
	if err := s.working.enter(t.Context(), 1); err != nil { // so that the request waits
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := must.Get(http.NewRequestWithContext(ctx, "POST", "http://"+address+"/v1/predict", strings.NewReader(">a\nACGT\n")))(t)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if answer, err := http.DefaultClient.Do(r); err == nil {
			answer.Body.Close()
		}
	}()
	for s.working.queued() == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-gone
	for begun := time.Now(); s.held.Load() > 0; time.Sleep(time.Millisecond) {
		if time.Since(begun) > 10*time.Second {
			t.Fatal("the request goes on")
		}
	}
}

// At the end requests that have begun are answered, if they take no longer than the time of grace.
func TestGrace(t *testing.T) {
	for _, c := range []struct {
		grace  time.Duration
		status int
	}{{10 * time.Second, 200}, {time.Millisecond, 0}} {
		s := newService(t, Options{Limits: Limits{Working: 1}}, "kmers")
		address, end := serving(t, s, c.grace)
		must.Succeed(t, s.working.enter(t.Context(), 1))
		status := make(chan int)
		go func() {
			answer, err := http.Post("http://"+address+"/v1/predict", "text/plain", strings.NewReader(">a\nACGT\n"))
			if err != nil {
				status <- 0
				return
			}
			answer.Body.Close()
			status <- answer.StatusCode
		}()
		for s.working.queued() == 0 {
			time.Sleep(time.Millisecond)
		}
		if c.status == 200 {
			time.AfterFunc(20*time.Millisecond, func() { s.working.leave(1) })
		}
		go end()
		if got := <-status; got != c.status {
			t.Errorf("grace of %v: status %d, want %d", c.grace, got, c.status)
		}
		if err := end(); err != nil {
			t.Error(err)
		}
		if _, err := http.Get("http://" + address + "/healthz"); err == nil {
			t.Error("it still answers")
		}
	}
}

// No bytes of a request make the service fail: it answers, or refuses.
func FuzzRequest(f *testing.F) {
	s := newService(f, Options{Limits: Limits{Body: 1 << 14, Records: 50, Time: time.Minute}}, "kmers", "sites")
	for _, kind := range []string{
		typeJSON, typeLines, "text/plain", "text/csv", "text/x-fasta; charset=utf-8", "", "a/b/c",
	} {
		f.Add("model=kmers", kind, []byte(`{"model":"kmers","records":["ACGT",{"id":"a","text":"TTGA"}]}`), "")
		f.Add("model=kmers&input=fasta", kind, []byte(">a\nACGT\n>b\nTT\n"), typeLines)
		f.Add("class=%2b1", kind, []byte("id,text\na,\"AC\nGT\"\n"), "*/*")
		f.Add("input=kelp&model=sites", kind, []byte("label\t|BT:t| (a b) |ET|\n"), "")
		f.Add("model=kmers", kind, []byte(`{"model":"kmers","model":"sites","records":[{"text":"A","text":"C","id":1}]}`), "")
		f.Add("model=kmers&input=jsonl", kind, []byte("{\"text\":\"ACGT\"}\n{\"text\":\"AC\",\"id\":1,\"id\":2}\n"), typeLines)
		f.Add("model=kmers", kind, []byte(strings.Repeat(">r\nACGT\n", 60)), "")
		f.Add("model=kmers", kind, []byte(strings.Repeat(">r\nACGT\n", 40)+">r\nA C\n"), "")
		f.Add(";%", kind, []byte(`{"records":[{"text":`+strings.Repeat("[", 100)+"\n"), "")
	}
	f.Fuzz(func(t *testing.T, query, kind string, body []byte, accept string) {
		for _, path := range []string{"/v1/predict", "/v1/explain"} {
			r := httptest.NewRequest("POST", "http://localhost"+path, bytes.NewReader(body))
			r.URL.RawQuery = query
			r.Header.Set("Content-Type", kind)
			r.Header.Set("Accept", accept)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			checkAnswer(t, w)
		}
	})
}

// checkAnswer wants status 200 with a whole answer, of which only a stream ends with an error, or one error.
func checkAnswer(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	lines, stream := bytes.SplitAfter(w.Body.Bytes(), []byte("\n")), w.Header().Get("Content-Type") == typeLines
	if last := len(lines) - 1; last < 1 || len(lines[last]) > 0 {
		t.Fatalf("status %d, no whole line: %q", w.Code, w.Body)
	}
	switch w.Code {
	case 200:
		var whole struct {
			Model    *string
			Records  []map[string]any
			Warnings []string
			Error    any
		}
		if stream {
			for _, line := range lines[:len(lines)-1] {
				var object map[string]any
				if err := json.Unmarshal(line, &object); err != nil || object["error"] == nil && object["id"] == nil {
					t.Fatalf("line %q, %v", line, err)
				}
			}
		} else if err := json.Unmarshal(w.Body.Bytes(), &whole); err != nil || whole.Model == nil ||
			len(whole.Records) == 0 || whole.Warnings == nil || whole.Error != nil {
			t.Fatalf("%q: %v", w.Body, err)
		}
	case 400, 404, 413, 415, 422:
		var f faultJSON
		if err := strictjson.Decode(w.Body.Bytes(), &f); err != nil || f.Error.Status != w.Code || f.Error.Message == "" {
			t.Fatalf("status %d, %q: %v", w.Code, w.Body, err)
		}
	default:
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
}
