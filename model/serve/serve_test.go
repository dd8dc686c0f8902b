package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/internal/must"
)

// trained returns the files of models: of promoters, on k-mers and on their positions, and of a sum whose Gaussian has
// no contributions.
var trained = sync.OnceValues(func() (map[string][]byte, error) {
	files := map[string][]byte{}
	folder, err := os.MkdirTemp("", "serve")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	for name, kernel := range map[string]string{
		"kmers": "spectrum:k=4", "sites": "wd:d=3", "gaussian": "spectrum:k=3,rbf=1",
	} {
		data := seqsvm.Files("../../testdata/fasta/promoters.fa")
		m, err := seqsvm.Fit(context.Background(), kernel, data, seqsvm.Options{})
		if err != nil {
			return nil, err
		}
		path := filepath.Join(folder, name)
		if err := m.Save(path); err != nil {
			return nil, err
		}
		if files[name], err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	return files, nil
})

// newService serves models by their names in trained.
func newService(t testing.TB, o Options, names ...string) *Service {
	t.Helper()
	files := must.Get(trained())(t)
	var sources []Source
	for _, name := range names {
		path := filepath.Join(t.TempDir(), name)
		must.Succeed(t, os.WriteFile(path, files[name], 0o666))
		sources = append(sources, Source{Name: name, Path: path})
	}
	return must.Get(New(t.Context(), sources, o))(t)
}

// ask has a service answer a request in this process. Header lines are NAME: VALUE.
func ask(s http.Handler, method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "localhost:8080"
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		if r.Header.Set(name, value); name == "Host" {
			r.Host = value
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

const isJSON = "Content-Type: application/json"

// The description of the API has every path and method that there is, and answers are as it says.
func TestOpenAPI(t *testing.T) {
	s := newService(t, Options{Limits: Limits{Records: 2}}, "kmers", "gaussian")
	described := ask(s, "GET", "/openapi.json", "").Body.Bytes()
	var api struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	must.Succeed(t, json.Unmarshal(described, &api))
	paths, routes := slices.Sorted(maps.Keys(api.Paths)), slices.Sorted(maps.Keys(s.routes))
	if !slices.Equal(paths, routes) {
		t.Errorf("described are %v, there are %v", paths, routes)
	}
	for path, at := range s.routes {
		_, get := api.Paths[path]["get"]
		_, post := api.Paths[path]["post"]
		if get != (at.get != nil) || post != (at.post != nil) {
			t.Errorf("%s: methods %v", path, api.Paths[path])
		}
	}
	for _, c := range []struct {
		method, path, body string
		status             int
		schema             string
	}{
		{"POST", "/v1/predict", `{"model": "kmers", "records": ["TTGACA", {"id": "a", "text": "acgta"}]}`, 200,
			"components/schemas/PredictionAnswer"},
		{"POST", "/v1/explain", `{"model": "kmers", "class": "-1", "records": ["TTGACA"]}`, 200,
			"components/schemas/ExplanationAnswer"},
		{"GET", "/v1/models", "", 200, "paths/~1v1~1models/get/responses/200/content/application~1json/schema"},
		{"POST", "/v1/predict", `{"model": "kmers", "records": ["A", "C", "G"]}`, 413, "components/schemas/Error"},
		{"POST", "/v1/explain", `{"model": "gaussian", "records": ["ACGT"]}`, 422, "components/schemas/Error"},
		{"POST", "/v1/predict", `{"model": "x", "records": ["ACGT"]}`, 404, "components/schemas/Error"},
		{"POST", "/v1/predict", `{"records": ["ACGT"]}`, 400, "components/schemas/Error"},
		{"GET", "/v1/predict", ``, 405, "components/schemas/Error"},
		{"GET", "/etc/passwd", ``, 404, "components/schemas/Error"},
	} {
		w := ask(s, c.method, c.path, c.body, isJSON)
		if w.Code != c.status || w.Header().Get("Content-Type") != typeJSON {
			t.Errorf("%s %s: status %d, %s", c.path, c.body, w.Code, w.Body)
		}
		if err := schemaAt(t, described, c.schema).Validate(decoded(t, w.Body.Bytes())); err != nil {
			t.Errorf("%s %s: %v", c.path, c.body, err)
		}
	}
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	return must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(text)))(t)
}

func schemaAt(t *testing.T, document []byte, place string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	must.Succeed(t, c.AddResource("file:///api.json", decoded(t, document)))
	return must.Get(c.Compile("file:///api.json#/" + place))(t)
}

// Requests that are not what they should be are refused with a status and a reason.
func TestRefused(t *testing.T) {
	s := newService(t, Options{}, "kmers", "sites")
	const post = "POST"
	for _, c := range []struct {
		path, body, kind string
		status           int
		says             string
	}{
		{"/v1/predict?model=kmers", "", "text/plain", 400, "empty"},
		{"/v1/predict?model=kmer", ">a\nACGT\n", "", 404, `did you mean \"kmers\"?`},
		{"/v1/predict?model=kmers&x=1", ">a\nACGT\n", "", 400, `parameter \"x\"`},
		{"/v1/predict?model=kmers&model=sites", ">a\nACGT\n", "", 400, `parameter \"model\"`},
		{"/v1/predict?model=kmers&input=documents", ">a\nACGT\n", "", 400, "input"},
		{"/v1/predict?model=kmers&letters=0", ">a\nACGT\n", "", 400, `letters = \"0\", want a number from 1`},
		{"/v1/predict?model=kmers&class=x", ">a\nACGT\n", "", 400, "class"},
		{"/v1/explain?model=kmers&class=1", ">a\nACGT\n", "", 400, `class \"1\", want one of: -1, +1`},
		{"/v1/predict?model=kmers", ">a\nAC GT\n", "text/x-fasta", 400, `body:2: record \"a\"`},
		{"/v1/predict?model=sites", ">a\nACGT\n", "", 400, `want 57, the window length of the model`},
		{"/v1/predict?model=kmers", "x", "image/png", 415, "curl --data-binary"},
		{"/v1/predict?model=kmers", ">aACGT>bACGT", typeForm, 400, "curl --data-binary"},
		{"/v1/predict?model=kmers", "\x1f\x8b\x08", "", 415, "compressed"},
		{"/v1/predict?model=kmers", "\x28\xb5\x2f\xfd", "application/x-ndjson", 415, "compressed"},
		{"/v1/predict", "{", "application/json", 400, "JSON ends too early"},
		{"/v1/predict", "{} {}", "application/json", 400, "more than one"},
		{"/v1/predict", "{}", "application/json", 400, "no records"},
		{"/v1/predict", `["ACGT"]`, "application/json", 400, `body: unexpected array; want {\"records\": [\"a\", \"b\"]}`},
		{"/v1/predict", `{"text":"ACGT"}`, "application/json", 400, `\"text\"; want {\"records\": [\"a\", \"b\"]} or {`},
		{"/v1/predict", `{"records":5}`, "application/json", 400, `unexpected number in records; want`},
		{"/v1/predict", `{"sequences":["A"]}`, "application/json", 400, `\"sequences\"; want {\"records\"`},
		{"/v1/predict", `{"model":"kmers","records":[1]}`, "application/json", 400, `record 1 is 1, want \"a\" or {\"text\": \"a\"}`},
		{"/v1/predict", `{"model":"kmers","records":[null]}`, "application/json", 400, "record 1 is null"},
		{"/v1/predict", `{"model":"kmers","records":[{"id":"a"}]}`, "application/json", 400, "text"},
		{"/v1/predict", `{"model":"sites","model":"kmers","records":["A"]}`, "application/json", 400,
			`\"model\" occurs twice`},
		{"/v1/predict", `{"records":["A"],"model":"kmers","Records":["C"]}`, "application/json", 400,
			`\"Records\" occurs twice`},
		{"/v1/predict", `{"model":"kmers","records":["A",{"text":"A","id":1,"id":2}]}`, "application/json", 400,
			`\"records[1].id\" occurs twice`},
		{"/v1/predict?model=kmers", `{"text":"A","text":"C"}`, typeLines, 400, `body:1: field \"text\" occurs twice`},
		{"/v1/predict?model=kmers&input=jsonl", `{"text":"A","id":1,"id":2}`, "", 400, `field \"id\" occurs twice`},
		{"/v1/predict", `{"modl":"kmers"}`, "application/json", 400, "modl"},
	} {
		w := ask(s, post, c.path, c.body, "Content-Type: "+c.kind)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s %q: status %d, want %d with %s: %s", c.path, c.body, w.Code, c.status, c.says, w.Body)
		}
	}
}

// Records that cannot be told anything about are answered with a warning.
func TestWarnings(t *testing.T) {
	s := newService(t, Options{}, "kmers")
	w := ask(s, "POST", "/v1/predict", ">a\nMKLVEEQ\n>b\nACGTACGTAA\n")
	for _, want := range []string{"of the letters are outside the kernel's alphabet, dna", "1 of 2 records are too short"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("no warning %q in %s", want, w.Body)
		}
	}
}

// Predictions need no labels: ids that make few classes are ids, and a list of labels is no matter.
func TestOptionalLabels(t *testing.T) {
	s := newService(t, Options{}, "kmers")
	for input, body := range map[string]string{
		"fasta": ">x\nACGTACGTAA\n>x\nACGTACGTAA\n>y\nACGTACGTAC\n>y\nACGTACGTAC\n",
		"jsonl": `{"id":"x","text":"ACGTACGTAA","label":["p","q"]}`,
	} {
		w := ask(s, "POST", "/v1/predict?input="+input, body)
		if w.Code != 200 || !strings.Contains(w.Body.String(), `"id":"x"`) {
			t.Errorf("%q: status %d: %s", body, w.Code, w.Body)
		}
	}
}

// A body is read as standard input is: a table by its header, with the ids of its records, else a sequence per line.
func TestFormats(t *testing.T) {
	s := newService(t, Options{}, "kmers")
	for _, c := range []struct{ body, kind, input, ids string }{
		{">a\nACGTACGTAA\n>b\nACGTTTGACA\n", "text/plain", "fasta", "a b"},
		{"id,label,text\na,+1,ACGTACGTAA\nb,-1,ACGTTTGACA\n", typeForm, "csv", "a b"},
		{"seq,group\nACGTACGTAA,1\nACGTTTGACA,2\n", "text/csv", "", "text"}, // refused: no column text
		{"id\ttext\na\tACGTACGTAA\nb\tACGTTTGACA\n", "", "tsv", "a b"},
		{"ACGTACGTAA\nACGTTTGACA\n", "text/plain", "text", "1 2"},
		{`{"id":"a","text":"ACGTACGTAA"}` + "\n" + `{"id":"b","text":"ACGTTTGACA"}`, "text/plain", "jsonl", "a b"},
	} {
		for _, more := range []string{"", "&letters=19", "&letters=20", "&letters=1"} {
			w := ask(s, "POST", "/v1/predict?model=kmers"+more, c.body, "Content-Type: "+c.kind)
			if c.input == "" {
				if w.Code != 400 || !strings.Contains(w.Body.String(), c.ids) {
					t.Errorf("%q: status %d: %s", c.body, w.Code, w.Body)
				}
				continue
			}
			var answer struct {
				Input   string
				Records []struct{ ID string }
			}
			must.Succeed(t, json.Unmarshal(w.Body.Bytes(), &answer))
			ids := strings.Fields(c.ids)[:map[string]int{"": 2, "&letters=20": 2, "&letters=19": 1}[more]]
			var got []string
			for _, r := range answer.Records {
				got = append(got, r.ID)
			}
			if answer.Input != c.input || !slices.Equal(got, ids) {
				t.Errorf("%q%s is read as %s with %v, want %s with %v", c.body, more, answer.Input, got, c.input, ids)
			}
		}
	}
}

// A model that is copied over is served as soon as it is whole; a bad file, or none, changes nothing and is counted.
func TestReload(t *testing.T) {
	var log bytes.Buffer
	s := newService(t, Options{Log: textLogger(&log)}, "kmers")
	path := s.shelves[0].source.Path
	kernel := func() string {
		var list struct{ Models []modelJSON }
		must.Succeed(t, json.Unmarshal(ask(s, "GET", "/v1/models", "").Body.Bytes(), &list))
		return list.Models[0].Kernel
	}
	before := kernel()
	files, _ := trained()
	for i, c := range []struct {
		content []byte
		changes bool
	}{{files["sites"][:1000], false}, {[]byte("no model"), false}, {nil, false}, {files["sites"], true}} {
		if err := os.Remove(path); err != nil && i != 3 {
			t.Fatal(err)
		}
		if c.content != nil {
			must.Succeed(t, os.WriteFile(path, c.content, 0o666))
		}
		s.Reload(t.Context())
		s.Reload(t.Context()) // nothing has changed
		if now := kernel(); (now != before) != c.changes {
			t.Errorf("%d: served is %s, before %s", i, now, before)
		}
	}
	metrics := ask(s, "GET", "/metrics", "").Body.String()
	for _, want := range []string{`seqsvm_model_reloads_total{model="kmers",result="failed"} 3`,
		`seqsvm_model_reloads_total{model="kmers",result="loaded"} 1`} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(log.String(), "the old one stays"); n != 3 {
		t.Errorf("%d messages of 3: %s", n, &log)
	}
}

// Models must be named, once each, and predict something.
func TestNewRefuses(t *testing.T) {
	path := newService(t, Options{}, "kmers").shelves[0].source.Path
	for _, c := range []struct {
		models []Source
		limits Limits
		want   string
	}{
		{nil, Limits{}, "no model"},
		{[]Source{{Path: path}}, Limits{}, "no name"},
		{[]Source{{Name: "a", Path: path}, {Name: "a", Path: path}}, Limits{}, "same name"},
		{[]Source{{Name: "a", Path: path + "x"}}, Limits{}, "no such file"},
		{[]Source{{Name: "a", Path: "serve_test.go"}}, Limits{}, "not a seqsvm model"},
		{[]Source{{Name: "a", Path: path}}, Limits{Queue: -1}, "below 1"},
		{[]Source{{Name: "a", Path: path}}, Limits{Bodies: 1}, "want at least"},
	} {
		_, err := New(t.Context(), c.models, Options{Limits: c.limits})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.models, err, c.want)
		}
	}
}

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	text := must.Get(io.ReadAll(r))(t)
	return string(text)
}
