package treekernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/treekernel"
	"github.com/seqsvm/seqsvm/treekernel/graph"
)

// drawGraph draws a graph of few labels, half of them with labelled edges, some with isolated vertices.
func drawGraph(r *rand.Rand) []byte {
	n := r.IntN(9)
	var b strings.Builder
	for range n {
		b.WriteString([]string{"C ", "O ", "Cl ", "e "}[r.IntN(4)])
	}
	b.WriteString(";")
	density, labelled := r.IntN(4), r.IntN(2) == 0
	for v := range n {
		for u := range v {
			if r.IntN(5) >= density {
				continue
			}
			ends := [2]int{u + 1, v + 1}
			r.Shuffle(2, func(i, j int) { ends[i], ends[j] = ends[j], ends[i] })
			fmt.Fprintf(&b, " %d-%d", ends[0], ends[1])
			if labelled {
				b.WriteString([]string{"", ":=", ":e"}[r.IntN(3)])
			}
		}
	}
	return []byte(b.String())
}

func TestConformanceOfGraphs(t *testing.T) {
	options := kerneltest.Options{Letters: "C;12-", Draw: drawGraph}
	kerneltest.Run(t, treekernel.WL{Rounds: 3}, options)
	kerneltest.Run(t, compose.Normalized(treekernel.WL{Rounds: 0}), options)
	kerneltest.Run(t, treekernel.Walk{Length: 4, Lambda: 0.3}, options)
	kerneltest.Run(t, compose.Normalized(treekernel.Walk{Length: 2, Lambda: 1}), options)
}

func parsed(t testing.TB, record []byte) *graph.Graph {
	g := new(graph.Graph)
	if err := g.Parse(record); err != nil {
		t.Fatalf("%q: %v", record, err)
	}
	return g
}

// colours counts the colours of each round, spelled out (Shervashidze et al. 2011, algorithm 1).
func colours(g *graph.Graph, rounds int) map[string]float64 {
	counts := map[string]float64{}
	colour := make([]string, len(g.Labels))
	for v, label := range g.Labels {
		colour[v] = string(label)
		counts[colour[v]]++
	}
	for range rounds {
		next := make([]string, len(colour))
		for v := range colour {
			var around []string
			for _, e := range g.Ends[g.First[v]:g.First[v+1]] {
				around = append(around, fmt.Sprintf("%s>%s", e.Label, colour[e.Vertex]))
			}
			slices.Sort(around)
			next[v] = fmt.Sprintf("(%s %q)", colour[v], around)
			counts[next[v]]++
		}
		colour = next
	}
	return counts
}

func TestColoursAreThoseOfTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		x, y, rounds := drawGraph(r), drawGraph(r), r.IntN(5)
		a, b := colours(parsed(t, x), rounds), colours(parsed(t, y), rounds)
		want := 0.0
		for colour, count := range a {
			want += count * b[colour]
		}
		if got := (treekernel.WL{Rounds: rounds}).Eval(x, y); got != want {
			t.Fatalf("%d rounds: k(%s, %s) = %v, want %v", rounds, x, y, got, want)
		}
	}
}

// commonWalks counts walks on the product graph, whose vertices are pairs with equal labels.
func commonWalks(a, b *graph.Graph, length int, lambda float64) float64 {
	n, m := len(a.Labels), len(b.Labels)
	walks := make([]float64, n*m)
	for u := range n {
		for v := range m {
			if string(a.Labels[u]) == string(b.Labels[v]) {
				walks[u*m+v] = 1
			}
		}
	}
	sum, factor, equal := 0.0, 1.0, slices.Clone(walks)
	for l := 0; ; l++ {
		for _, w := range walks {
			sum += factor * w
		}
		if l == length {
			return sum
		}
		factor *= lambda
		next := make([]float64, n*m)
		for u := range n {
			for v := range m {
				for _, e := range a.Ends[a.First[u]:a.First[u+1]] {
					for _, f := range b.Ends[b.First[v]:b.First[v+1]] {
						if string(e.Label) == string(f.Label) {
							next[u*m+v] += equal[u*m+v] * walks[int(e.Vertex)*m+int(f.Vertex)]
						}
					}
				}
			}
		}
		walks = next
	}
}

func TestWalksAreThoseOfTheProductGraph(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		x, y := drawGraph(r), drawGraph(r)
		k := treekernel.Walk{Length: r.IntN(6), Lambda: 0.1 + 0.9*r.Float64()}
		want := commonWalks(parsed(t, x), parsed(t, y), k.Length, k.Lambda)
		if got := k.Eval(x, y); math.Abs(got-want) > 1e-12*want {
			t.Fatalf("%+v: k(%s, %s) = %v, want %v", k, x, y, got, want)
		}
	}
}

func TestRNAIsAGraph(t *testing.T) {
	same := [][2]string{
		{"GGCAAGCC ((....))", "G G C A A G C C; 1-2 2-3 3-4 4-5 5-6 6-7 7-8 1-8:pair 2-7:pair"},
		{"ggaccau (.[.).]", "G G A C C A U; 1-2 2-3 3-4 4-5 5-6 6-7 1-5:pair 3-7:pair"},
		{"AACAAA A.Ba.b", "A A C A A A; 1-2 2-3 3-4 4-5 5-6 1-4:pair 3-6:pair"},
	}
	for _, s := range same {
		for _, k := range []interface{ Eval(x, y []byte) float64 }{
			treekernel.WL{Rounds: 4}, treekernel.Walk{Length: 5, Lambda: 0.5},
		} {
			xx, xy := k.Eval([]byte(s[0]), []byte(s[0])), k.Eval([]byte(s[0]), []byte(s[1]))
			if xx != xy || xx == 0 {
				t.Errorf("%s: k(x, x) = %v, with %s %v", s[0], xx, s[1], xy)
			}
		}
	}
}

func TestTooManyWalks(t *testing.T) {
	if !long.Tests {
		t.Skip("millions of walks are counted with the tag long alone")
	}
	const n = 256 // vertices, each beside two with one label and two with the other
	var labels, edges strings.Builder
	for v := range n {
		fmt.Fprintf(&labels, "v%d ", v/2%2)
		fmt.Fprintf(&edges, " %d-%d %d-%d", v+1, (v+1)%n+1, v+1, (v+2)%n+1)
	}
	k := treekernel.Walk{Length: 16, Lambda: 0.5}
	x := []byte(labels.String() + ";" + edges.String())
	_, err := k.Gram(t.Context(), stringkernel.View(x))
	if err == nil || !strings.Contains(err.Error(), "more than 4194304 walks") {
		t.Errorf("error %v", err)
	}
}
