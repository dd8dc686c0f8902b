package page

import (
	"crypto/sha256"
	_ "embed" // the template, the style and the script
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/report/figure"
)

var (
	//go:embed page.html
	layout string
	//go:embed page.css
	rules string
	//go:embed page.js
	script string
)

// style makes the style of the page and the colours of pictures. Made when it is wanted, as the others are, so that
// programs that write no page start as fast.
var style = sync.OnceValue(func() string { return rules + figure.StyleSheet() })

var document = sync.OnceValue(func() *template.Template {
	functions := template.FuncMap{"clip": clip, "inline": inline, "long": long}
	return template.Must(template.New("page").Funcs(functions).Parse(layout))
})

// MaxText is the number of characters that names and texts are cut at.
const MaxText = 160

// Write writes the page. A table of records or a track whose columns do not fit together is an error.
func (p *Page) Write(w io.Writer) error {
	if p.Records != nil {
		if err := p.Records.check(); err != nil {
			return err
		}
	}
	if p.Tracks != nil {
		if err := p.Tracks.check(); err != nil {
			return err
		}
	}
	payload, err := p.payload()
	if err != nil {
		return err
	}
	return document().Execute(w, struct {
		*Page
		Policy  string
		Style   template.CSS
		Script  template.JS
		Payload template.JS
	}{p, policy(), template.CSS(style()), template.JS(script), payload})
}

// policy admits nothing but the style, the script and pictures of the file.
func policy() string {
	return "default-src 'none'; img-src data:; style-src " + hash(style()) + "; script-src " + hash(script) +
		"; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// payload is what the script reads. Characters with a meaning in HTML are escaped.
func (p *Page) payload() (template.JS, error) {
	var groups []string
	if p.Tracks != nil {
		groups = p.Tracks.Groups
	}
	text, err := json.Marshal(struct {
		Columns []valuesJSON `json:"columns,omitempty"`
		Groups  []string     `json:"groups,omitempty"`
		Tracks  []trackJSON  `json:"tracks,omitempty"`
	}{p.Records.json(), groups, p.Tracks.json()})
	return template.JS(text), err
}

// inline returns a picture as an element, whose colours are those of the style.
func inline(f Figure) (template.HTML, error) {
	var b strings.Builder
	err := figure.Inline(&b, clip(f.Alt), f.Picture)
	return template.HTML(b.String()), err
}

// clip returns valid UTF-8 of at most MaxText characters, with an ellipsis for what was cut.
func clip(text string) string {
	if len(text) > MaxText*utf8.UTFMax {
		text = text[:MaxText*utf8.UTFMax+1]
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	n := 0
	for at := range text {
		if n++; n > MaxText {
			return text[:at] + "…"
		}
	}
	return text
}

func clipAll(texts []string) []string {
	if texts == nil {
		return nil
	}
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = clip(text)
	}
	return list
}

// Index lists the anchors of the page with the headings that they lead to.
func (p *Page) Index() (list []Section) {
	list = append(list, p.Sections...)
	if p.Tracks != nil {
		list = append(list, Section{ID: "tracks", Title: "Contributions"})
	}
	if p.Records != nil {
		list = append(list, Section{ID: "records", Title: "Records"})
	}
	return list
}

// longText is the number of bytes of a text from which on it may be broken anywhere.
const longText = 48

func long(text string) bool { return len(text) >= longText }
