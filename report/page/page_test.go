package page_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/report/page"
)

// hostile are names that try to leave their place: to end the script, to begin one, to turn the text around, to break
// UTF-8, and to be longer than the page.
var hostile = []string{
	"</script><script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "\u202egnihtyreve\u2066", "bad\xff\x00utf8",
	strings.Repeat("long ", 2000), "{{.}} ${1} `x` <!-- ]]> &lt;", "line\nfeed\u2028separator", "",
}

// sample is a page with everything.
func sample(records int) *page.Page {
	r := rand.New(rand.NewPCG(1, 2))
	ids, excerpts, scores := make([]string, records), make([]string, records), make([]float64, records)
	label, right := make([]int, records), make([]int, records)
	for i := range ids {
		ids[i] = fmt.Sprintf("chr%d:%d-%d", i%22+1, i*1000, i*1000+200)
		if i < len(hostile) {
			ids[i] = hostile[i]
		}
		excerpts[i] = strings.Repeat("ACGTTGCA", 8)
		scores[i], label[i], right[i] = r.NormFloat64(), i%2, i%7/6
	}
	scores[1] = math.NaN()
	tracks := &page.Tracks{Text: "What each letter adds.", Groups: []string{"most wrong", "drawn at random"}}
	for i := range 12 {
		t := page.Track{Title: ids[i], Text: "label +1, predicted −1, decision 0.12", Group: i % 2, Record: i, First: 1, Of: 100,
			Letters: strings.Repeat("ACGTN", 20)}
		if i == 2 {
			t.Letters, t.Words = "", strings.Fields("the bank raised its interest rate "+strings.ReplaceAll(hostile[0], " ", ""))
		}
		for range len(t.Letters) + len(t.Words) {
			t.Values = append(t.Values, r.NormFloat64()*math.Exp(r.NormFloat64()))
		}
		tracks.Tracks = append(tracks.Tracks, t)
	}
	return &page.Page{
		Title: "promoters.seqsvm on held-out.fa", Lead: hostile[0],
		Tiles: []page.Tile{{"records", "10,000", "5,000 +1, 5,000 −1"}, {"AUROC", "0.972", "0.953 to 0.985"}},
		Notes: []page.Note{{true, hostile[1]}, {false, "No near-duplicates."}},
		Sections: []page.Section{{ID: "model", Title: "Model", Text: "What was trained.", Blocks: []page.Block{
			{Facts: []page.Fact{{"kernel", "spectrum:k=6"}, {"options", hostile[4][:400]}}},
			{Title: "Machines", Folded: true, Table: &page.Table{Caption: "Certificates", Columns: []page.Column{{Name: "machine"},
				{Name: "gap", Number: true, Help: "relative"}}, Rows: [][]page.Cell{
				{{Text: "+1"}, {Text: "0.972", Range: &page.Span{0.95, 0.972, 0.985}}}, {{Text: hostile[0]}, {Text: "12", Shade: 3, Good: true}}}}},
			{Figures: []page.Figure{{Title: "ROC", Alt: "a curve", Picture: figure.Scatter{X: []float64{1, 2}, Y: []float64{3, 4}, Labels: hostile[:2]}}}},
		}}},
		Tracks: tracks,
		Records: &page.Records{Text: "All records.", Columns: []page.Values{
			{Name: "id", Texts: ids}, {Name: "decision", Numbers: scores, Help: "above 0 speaks for +1"},
			{Name: "label", Classes: []string{"−1", "+1"}, Of: label, Flag: -1},
			{Name: "outcome", Classes: []string{"right", "wrong"}, Of: right, Flag: 1}, {Name: "letters", Texts: excerpts}}},
		Foot: "seqsvm",
	}
}

func write(t *testing.T, p *page.Page) string {
	t.Helper()
	var b bytes.Buffer
	must.Succeed(t, p.Write(&b))
	return b.String()
}

// Hostile names add no element and no attribute: the page has the same elements as with plain names, and the script's
// data are JSON with the names in it.
func TestHostileNames(t *testing.T) {
	text := write(t, sample(20))
	root := must.Get(html.Parse(strings.NewReader(text)))(t)
	scripts, images := 0, 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "script":
			scripts++
		case "img":
			images++
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	}
	if scripts != 2 || images != 0 {
		t.Errorf("%d scripts and %d images, want 2 and none", scripts, images)
	}
	payload := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`).FindStringSubmatch(text)[1]
	if i := strings.IndexAny(payload, "<>&\u2028"); i >= 0 {
		t.Errorf("the data have %q", payload[i:i+10])
	}
	var data struct{ Columns []struct{ Texts []string } }
	must.Succeed(t, json.Unmarshal([]byte(payload), &data))
	if got := data.Columns[0].Texts; got[0] != hostile[0] || len([]rune(got[4])) != page.MaxText+1 {
		t.Errorf("names %.300q", got)
	}
}

// Columns and tracks that do not fit together are errors.
func TestMisfits(t *testing.T) {
	for name, spoil := range map[string]func(p *page.Page){
		"no columns":     func(p *page.Page) { p.Records.Columns = nil },
		"short column":   func(p *page.Page) { p.Records.Columns[1].Numbers = p.Records.Columns[1].Numbers[1:] },
		"two kinds":      func(p *page.Page) { p.Records.Columns[1].Texts = []string{"x"} },
		"unknown class":  func(p *page.Page) { p.Records.Columns[2].Of[0] = 2 },
		"missing value":  func(p *page.Page) { p.Tracks.Tracks[0].Values = p.Tracks.Tracks[0].Values[1:] },
		"unknown group":  func(p *page.Page) { p.Tracks.Tracks[0].Group = 9 },
		"words, letters": func(p *page.Page) { p.Tracks.Tracks[0].Words = []string{} },
	} {
		p := sample(20)
		spoil(p)
		if err := p.Write(new(bytes.Buffer)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The policy names the style and the script that are in the page.
func TestPolicy(t *testing.T) {
	text := write(t, sample(20))
	content := html.UnescapeString(regexp.MustCompile(`Policy" content="(.*?)"`).FindStringSubmatch(text)[1])
	for tag, directive := range map[string]string{"style": "style-src", "script": "script-src"} {
		for _, part := range regexp.MustCompile(`(?s)<`+tag+`>(.*?)</`+tag+`>`).FindAllStringSubmatch(text, -1) {
			sum := sha256.Sum256([]byte(part[1]))
			want := directive + " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
			if !strings.HasPrefix(content, "default-src 'none'; ") || !strings.Contains(content, want) {
				t.Errorf("the policy %s lacks %s", content, want)
			}
		}
	}
}

// 10,000 records with names and excerpts stay far below 5 MB.
func TestSize(t *testing.T) {
	if n := len(write(t, sample(10_000))); n > 2<<20 {
		t.Errorf("%d bytes", n)
	}
}
