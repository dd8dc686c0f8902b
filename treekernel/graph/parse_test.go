package graph

import (
	"fmt"
	"strings"
	"testing"
)

// written is a graph in the form with a semicolon.
func written(g *Graph) string {
	var b strings.Builder
	for _, label := range g.Labels {
		fmt.Fprintf(&b, "%s ", label)
	}
	b.WriteString(";")
	for v := range g.Labels {
		for _, e := range g.Ends[g.First[v]:g.First[v+1]] {
			if int(e.Vertex) > v {
				fmt.Fprintf(&b, " %d-%d", v+1, e.Vertex+1)
				if len(e.Label) > 0 {
					fmt.Fprintf(&b, ":%s", e.Label)
				}
			}
		}
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for record, want := range map[string]string{
		"":                            ";",
		" ; ":                         ";",
		"C;":                          "C ;",
		"C  C\tO ;3-2:double 1-2":     "C C O ; 1-2 2-3:double",
		"a b;1-2:x:y;z":               "a b ; 1-2:x:y;z",
		"gac (.)":                     "G A C ; 1-2 1-3:pair 2-3",
		"C C 1-2":                     `byte 5: "1-2" after a sequence and its structure, want the end; or a semicolon between vertices and edges`,
		"CCO":                         "byte 4: unexpected end, want a semicolon between vertices and edges, or a structure after a sequence",
		"C C; 1-3":                    `byte 6: the edge "1-3", want numbers from 1 to 2, that of the last vertex`,
		"C C; 0-1":                    `byte 6: the edge "0-1", want numbers from 1 to 2, that of the last vertex`,
		"C C; 1-99999999999999999999": `byte 6: the edge "1-99999999999999999999", want numbers from 1 to 2, that of the last vertex`,
		"C C; 1-1":                    `byte 6: the edge "1-1" of a vertex with itself, want two vertices`,
		"C C; 1-2 2-1":                "byte 10: a second edge between the vertices 2 and 1, want one",
		"C C; 1-2:":                   `byte 6: "1-2:", want an edge such as 1-2 or 1-2:double`,
		"C C; 1=2":                    `byte 6: "1=2", want an edge such as 1-2 or 1-2:double`,
		"C :C; 1-2":                   `byte 3: the vertex ":C", want a label that does not begin with a colon, as those of edges do`,
		"GACC (..":                    "byte 6: a structure of 3 positions for a sequence of 4 letters; or a semicolon is missing between vertices and edges",
		"GACC (..(":                   "byte 9: ( is not closed",
		"GACC .).(":                   "byte 7: ) without its opening (",
		"GACC .().":                   "byte 8: a pair of neighbours, want an unpaired base between them",
		"GA-C (..)":                   `byte 3: '-' in a sequence, want letters`,
		"GAAC (\x00.)":                `byte 7: '\x00' in a structure, want dots and brackets`,
		"GGAACCC ([A)]a.":             "G G A A C C C ; 1-2 1-4:pair 2-3 2-5:pair 3-4 3-6:pair 4-5 5-6 6-7",
	} {
		g := new(Graph)
		got := ""
		if err := g.Parse([]byte(record)); err != nil {
			got = err.Error()
			if len(g.Labels)+len(g.Ends) > 0 {
				t.Errorf("%q: an error, but a graph of %d vertices", record, len(g.Labels))
			}
		} else {
			got = written(g)
		}
		if got != want {
			t.Errorf("%q is %s, want %s", record, got, want)
		}
	}
}

// FuzzParse: what is accepted is the same graph when it is written and parsed again.
func FuzzParse(f *testing.F) {
	for _, record := range []string{"C C O ; 1-2 2-3:double", "GGCAAGCC ((....))", "; 1-2", "a;", "CC ()"} {
		f.Add([]byte(record))
	}
	f.Fuzz(func(t *testing.T, record []byte) {
		g, again := new(Graph), new(Graph)
		if g.Parse(record) != nil {
			return
		}
		for v := range g.Labels {
			for _, e := range g.Ends[g.First[v]:g.First[v+1]] {
				if int(e.Vertex) >= len(g.Labels) || int(e.Vertex) == v {
					t.Fatalf("%q: an edge from %d to %d of %d vertices", record, v, e.Vertex, len(g.Labels))
				}
			}
		}
		text := written(g)
		if err := again.Parse([]byte(text)); err != nil || written(again) != text {
			t.Fatalf("%q is %s, which is %s, %v", record, text, written(again), err)
		}
	})
}
