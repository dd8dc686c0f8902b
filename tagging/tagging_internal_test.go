package tagging

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/tokens"
)

func corpusOf(t testing.TB, text string) *tokens.Corpus {
	t.Helper()
	return must.Get(tokens.ReadColumns(strings.NewReader(text), "a.txt", 0))(t)
}

const some = "The\tDT\tO\nWilms\tNNP\tB-D\ntumour\tNN\tI-D\n.\t.\tO\n\nBRCA1\tNN\tO\ncancer\tNN\tB-D\n\n" +
	"breast\tNN\tB-D\ncancer\tNN\tI-D\ncells\tNN\tO\n\nThe\tDT\tO\ncells\tNN\tO\n"

// TestWordFeatures lists the features of a token by their names.
func TestWordFeatures(t *testing.T) {
	c := corpusOf(t, some)
	for text, want := range map[string]string{
		"words:width=1,lower=off,shape=off,prefix=0,suffix=0,pairs=0,grams=0,classes=off": "word[-1]=The word[+0]=Wilms " +
			"all[+0]= word[+1]=tumour",
		"words:width=off,lower=0,shape=0,prefix=2,suffix=1,pairs=0,grams=0,classes=off": "prefix[-1]=t prefix[-1]=th " +
			"suffix[-1]=e lower[+0]=wilms shape[+0]=Xxxxx shape[+0]=~Xx prefix[+0]=w prefix[+0]=wi suffix[+0]=s all[+0]= " +
			"prefix[+1]=t prefix[+1]=tu suffix[+1]=r",
		"words:width=off,lower=off,shape=off,prefix=0,suffix=0,grams=2,pairs=1,classes=off": "pair[-1]=the wilms " +
			"gram[+0]=^w gram[+0]=wi gram[+0]=il gram[+0]=lm gram[+0]=ms gram[+0]=s$ pair[+0]=wilms tumour all[+0]=",
		"words:width=0,lower=off,shape=off,prefix=0,suffix=0,pairs=0,columns=1,grams=0,classes=off": "column[-1]=2=DT " +
			"word[+0]=Wilms column[+0]=2=NNP all[+0]= column[+1]=2=NN",
		"words:width=0,lower=off,shape=off,prefix=0,suffix=0,pairs=0,min=2,grams=0,classes=off": "all[+0]=",
		"words:width=off,lower=off,shape=off,prefix=0,suffix=0,pairs=0,grams=0,classes=0": "shapes[-1]=Xx Xx " +
			"shapes[-1]=Xx Xx x class[+0]=letters 5 class[+0]=~wilms shapes[+0]=Xx x shapes[+0]=Xx x . all[+0]=",
	} {
		f := must.Get(ParseFeatures(text))(t)
		must.Succeed(t, f.of.fit(c, 3))
		var names []string
		for _, feature := range f.of.rows(c).Row(1, nil) {
			names = append(names, f.of.name(feature))
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	f, _ := ParseFeatures("words:width=0,lower=off,shape=off,prefix=0,suffix=0,pairs=0,grams=0,classes=off")
	must.Succeed(t, f.of.fit(c, 3))
	if got := f.of.name(f.of.rows(c).Row(0, nil)[0]); got != "edge[-1]=" {
		t.Errorf("the first feature of the first word is %s", got)
	}
}

func TestWordClasses(t *testing.T) {
	for word, want := range map[string]string{
		"kappa": "greek, letters 5", "IV": "roman, capitals, letters 2", "21": "number, letters 2",
		"p53": "digits, letters 3", "TGF-beta1": "digits, hyphen, capitals inside, capitals with digits, letters 9",
		"mRNA": "capitals inside, letters 4", "The": "letters 3", ",": "signs, letters 1",
		"BRCA1": "digits, capitals with digits, letters 5", "counterproductive": "letters 12",
	} {
		var got []string
		eachClass(word, strings.ToLower(word), func(name string) { got = append(got, name) })
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
}

func TestLetterFeatures(t *testing.T) {
	set := must.Get(seqio.Read(strings.NewReader(">a\nACX\n>b\nWW\n"), "a.fa", seqio.Options{}))(t)
	c := tokens.FromSet(set)
	for text, want := range map[string][]string{
		"letters:width=1,pairs=0": {"letter[-1]=A letter[+0]=C letter[+1]=other all", "letter[-1]=W letter[+0]=W letter[+1]=beyond all"},
		"letters:width=1,pairs=1": {"letter[-1]=A letter[+0]=C letter[+1]=other pair[-1,+0]=A,C pair[+0,+1]=C,other all",
			"letter[-1]=W letter[+0]=W letter[+1]=beyond pair[-1,+0]=W,W pair[+0,+1]=W,beyond all"},
	} {
		f := must.Get(ParseFeatures(text))(t)
		rows := f.of.rows(c)
		for i, token := range []int{1, 4} {
			var names []string
			for _, feature := range rows.Row(token, nil) {
				names = append(names, f.of.name(feature))
			}
			if got := strings.Join(names, " "); got != want[i] {
				t.Errorf("%s: %s, want %s", text, got, want[i])
			}
		}
	}
	f, _ := ParseFeatures("letters:width=0,composition=3")
	list := f.of.rows(c).Row(3, nil)
	if got := f.of.name(list[len(list)-2-1]); got != "share[W]=3" && got != "share[Y]=0" {
		t.Errorf("a share is %s", got)
	}
}

// TestExplain adds up the terms of a token, which are its score.
func TestExplain(t *testing.T) {
	c := corpusOf(t, some)
	features, _ := ParseFeatures("words")
	m := must.Get(Trainer{Features: features, Tag: 3}.Train(context.Background(), c))(t)
	e := must.Get(m.Explainer(c))(t)
	want := m.Machine.Tagger().Score(m.Features.of.rows(c), 1, 2)
	for state, tag := range m.Tags {
		list := must.Get(e.Token(1, tag))(t)
		sum := 0.0
		for _, w := range list {
			sum += w.Weight
		}
		if math.Abs(sum-want[state]) > 1e-12 {
			t.Errorf("%s: terms add up to %v, want %v", tag, sum, want[state])
		}
	}
	if _, err := e.Token(1, "Z"); err == nil {
		t.Error("no error of an unknown tag")
	}
}

func TestDictionary(t *testing.T) {
	d := &dictionary{names: []string{"breast cancer", "cancer", "wilms tumour"}}
	d.index()
	w := &words{options: options{column: 1}, dictionaries: []*dictionary{d}}
	var got []string
	c := corpusOf(t, "Breast O\ncancer O\nand O\nCancer O\nWilms O\nx O\n")
	w.listed(c.Sequence(0), func(token int, term []byte) {
		got = append(got, c.Tokens[token].Fields[0]+"/"+string(term[1:]))
	})
	if want := "Breast/0B cancer/0I Cancer/0S"; strings.Join(got, " ") != want {
		t.Errorf("listed %v, want %s", got, want)
	}
}

func FuzzRead(f *testing.F) {
	features, _ := ParseFeatures("words")
	m := must.Get(Trainer{Features: features, Tag: 3}.Train(context.Background(), corpusOf(f, some)))(f)
	var file bytes.Buffer
	must.Succeed(f, m.Write(&file))
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := Read(resum(data)); err == nil {
			c := corpusOf(t, some)
			if _, err := m.Tag(context.Background(), c, true); err == nil && len(m.Tags) == 0 {
				t.Error("a model without tags")
			}
		}
	})
}

// resum gives damaged bytes a right checksum, so that what comes after it is tried.
func resum(data []byte) []byte {
	if len(data) < 4 {
		return data
	}
	body := data[: len(data)-4 : len(data)-4]
	return binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, castagnoli))
}
