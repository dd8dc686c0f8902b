package documents_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/seqio/internal/documents"
)

// HTML is turned into what a reader sees.
func TestStripHTML(t *testing.T) {
	for in, want := range map[string]string{
		"":                    "",
		"plain < 3 & 4 > 2":   "plain < 3 & 4 > 2",
		"  a \n\t b\u00a0c  ": "a b c",
		"<p>a<p>b":            "a b",
		"a<b>b</b>c<br/>d":    "abc d",
		"x<script>if (a<b) c</script>y<style>p{}</style>z":      "x y z",
		"x<SCRIPT src=a></SCRIPT >y":                            "x y",
		"x<template><p>no<template>no</template>no</template>y": "x y",
		"a<!-- b -- > c -->d":                                   "ad",
		"<!DOCTYPE html><a href='x>y'>link</a>":                 "link",
		"&eacute;&#233;&#xe9;&nosuch;&amp;lt;":                  "ééé&nosuch;&lt;",
		"<textarea><b>x</b></textarea>":                         "<b>x</b>",
		"<td>1</td><td>2</td>":                                  "1 2",
		"caf\xe9 <b>\xff":                                       "caf\xe9 \xff",
		"unclosed <b":                                           "unclosed",
		"</script>a":                                            "a",
	} {
		if got := documents.StripHTML([]byte("pre"), []byte(in)); string(got) != "pre"+want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzHTML: the text has no blanks but single ones inside, and nothing comes of nothing.
func FuzzHTML(f *testing.F) {
	for _, seed := range []string{"<p>a<p>b", "x<script>y</script>z", "&amp;&nGt;", "<![CDATA[x]]>", "<plaintext>x</p>",
		"<template></template></template>"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got := string(documents.StripHTML(nil, data))
		if got != strings.Join(strings.Fields(got), " ") && utf8.ValidString(got) {
			t.Fatalf("%q of %q", got, data)
		}
		if again := string(documents.StripHTML([]byte("pre"), data)); again != "pre"+got {
			t.Fatalf("%q after other text, want %q", again, got)
		}
	})
}
