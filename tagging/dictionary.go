package tagging

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/armon/go-radix"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/tokens"
)

// dictionary is a list of names of one or more words, one per line of a file, in any case.
type dictionary struct {
	name  string // of the file
	names []string
	tree  *radix.Tree // names with a blank after each word
}

func readDictionary(path string) (*dictionary, error) {
	in, err := seqio.OpenText(nil, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	d := &dictionary{name: path}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if words := strings.Fields(lines.Text()); len(words) > 0 {
			d.names = append(d.names, strings.ToLower(strings.Join(words, " ")))
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(d.names) == 0 {
		return nil, fmt.Errorf("%s: no names, want one per line", path)
	}
	d.index()
	return d, nil
}

func (d *dictionary) index() {
	d.tree = radix.New()
	for _, name := range d.names {
		d.tree.Insert(name+" ", nil)
	}
}

// longest returns how many words from t on are a name: the most, 0 if none.
func (d *dictionary) longest(text string, words int) int {
	key, _, found := d.tree.LongestPrefix(text)
	if !found {
		return 0
	}
	return min(words, strings.Count(key, " "))
}

// listed calls visit with the attributes of the tokens that are in names of dictionaries: the first, another or the
// only word of one.
func (w *words) listed(sentence []tokens.Token, visit func(t int, term []byte)) {
	if len(w.dictionaries) == 0 {
		return
	}
	var text strings.Builder
	begins := make([]int, len(sentence))
	for t := range sentence {
		begins[t] = text.Len()
		text.WriteString(strings.ToLower(w.word(sentence[t])))
		text.WriteByte(' ')
	}
	for number, d := range w.dictionaries {
		for t := 0; t < len(sentence); t++ {
			n := d.longest(text.String()[begins[t]:], len(sentence)-t)
			for i := range n {
				part := byte('I')
				switch {
				case n == 1:
					part = 'S'
				case i == 0:
					part = 'B'
				}
				visit(t+i, []byte{kindListed, byte('0' + number), part})
			}
			t += max(0, n-1)
		}
	}
}
