package treekernel_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
	"github.com/seqsvm/seqsvm/treekernel"
)

// node is a tree as the definitions have it.
type node struct {
	label    string
	children []*node
}

// String is the tree in brackets, every node with its own.
func (n *node) String() string { return "(" + n.label + forest(n.children) + ")" }

func forest(trees []*node) string {
	var b strings.Builder
	for _, t := range trees {
		b.WriteString(t.String())
	}
	return b.String()
}

func (n *node) size() int {
	sum := 1
	for _, c := range n.children {
		sum += c.size()
	}
	return sum
}

// each visits all nodes.
func (n *node) each(visit func(*node)) {
	visit(n)
	for _, c := range n.children {
		c.each(visit)
	}
}

// fragment is one occurrence of a fragment at a node.
type fragment struct {
	name                      string
	productions, nodes, depth int
	leaves, gaps              int
}

// subsetTrees lists the subset trees rooted at a node: of each of its children the label, or a subset tree. depth
// counts levels of productions.
func (n *node) subsetTrees() []fragment {
	if len(n.children) == 0 {
		return nil
	}
	list := []fragment{{name: n.label, productions: 1, depth: 1}}
	for _, c := range n.children {
		var longer []fragment
		for _, f := range list {
			longer = append(longer, fragment{f.name + "(" + c.label + ")", f.productions, 0, f.depth, 0, 0})
			for _, g := range c.subsetTrees() {
				longer = append(
					longer,
					fragment{f.name + g.name, f.productions + g.productions, 0, max(f.depth, g.depth+1), 0, 0},
				)
			}
		}
		list = longer
	}
	for i := range list {
		list[i].name = "(" + list[i].name + ")"
	}
	return list
}

// partialTrees lists the partial trees rooted at a node: any of its children in order, a partial tree of each.
func (n *node) partialTrees() []fragment {
	var list []fragment
	for subset := range 1 << len(n.children) {
		found := []fragment{{name: n.label, nodes: 1, depth: 1}}
		last := -1
		for i, c := range n.children {
			if subset>>i&1 == 0 {
				continue
			}
			gaps := 0
			if last >= 0 {
				gaps = i - last - 1
			}
			last = i
			var longer []fragment
			for _, f := range found {
				for _, g := range c.partialTrees() {
					longer = append(
						longer,
						fragment{
							f.name + g.name,
							0,
							f.nodes + g.nodes,
							max(f.depth, g.depth+1),
							f.leaves + g.leaves,
							f.gaps + g.gaps + gaps,
						},
					)
				}
			}
			found = longer
		}
		for _, f := range found {
			if last < 0 {
				f.leaves = 1
			}
			f.name = "(" + f.name + ")"
			list = append(list, f)
		}
	}
	return list
}

// phi is the feature vector of a tree by definition.
func phi(k stringkernel.Kernel, tree *node) map[string]float64 {
	features := map[string]float64{}
	tree.each(func(n *node) {
		switch k := k.(type) {
		case treekernel.Subtree:
			features[n.String()] += math.Pow(k.Lambda, float64(n.size())/2)
		case treekernel.SST:
			if len(n.children) == 0 && k.Leaves {
				features[n.label] += math.Sqrt(k.Lambda)
			}
			for _, f := range n.subsetTrees() {
				if within(f.depth, k.Depth) && within(f.productions, k.Size) {
					features[f.name] += math.Pow(k.Lambda, float64(f.productions)/2)
				}
			}
		case treekernel.PTK:
			for _, f := range n.partialTrees() {
				if within(f.depth, k.Depth) && within(f.nodes, k.Size) {
					features[f.name] += math.Pow(k.Mu, float64(f.nodes)/2) * math.Pow(k.Lambda,
						float64(f.leaves+f.gaps))
				}
			}
		}
	})
	return features
}

func within(n, bound int) bool { return bound == 0 || n <= bound }

func dot(a, b map[string]float64) float64 {
	sum := 0.0
	for f, value := range a {
		sum += value * b[f]
	}
	return sum
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-10*(math.Abs(a)+math.Abs(b)) }

// byDefinition are kernels whose features can be listed, bounded and not.
var byDefinition = []stringkernel.Kernel{
	treekernel.Subtree{Lambda: 0.6},
	treekernel.SST{Lambda: 0.4},
	treekernel.SST{Lambda: 0.4, Leaves: true},
	treekernel.SST{Lambda: 0.4, Size: 2, Leaves: true},
	treekernel.SST{Lambda: 0.7, Depth: 2},
	treekernel.SST{Lambda: 1, Depth: 3, Size: 3},
	treekernel.PTK{Lambda: 0.4, Mu: 0.7, Terminal: 1},
	treekernel.PTK{Lambda: 0.4, Mu: 0.7, Terminal: 1, Size: 3},
	treekernel.PTK{Lambda: 0.8, Mu: 0.5, Terminal: 1, Depth: 2},
	treekernel.PTK{Lambda: 0.8, Mu: 0.5, Terminal: 1, Depth: 3, Size: 4},
}

// forestsOf lists all ordered forests of n nodes with labels a and b.
func forestsOf(n int) [][]*node {
	if n == 0 {
		return [][]*node{nil}
	}
	var list [][]*node
	for first := 1; first <= n; first++ {
		for _, below := range forestsOf(first - 1) {
			for _, others := range forestsOf(n - first) {
				for _, label := range []string{"a", "b"} {
					list = append(list, append([]*node{{label, below}}, others...))
				}
			}
		}
	}
	return list
}

// All trees of up to 4 nodes (5 with the build tag long) with two labels, every pair of them.
func TestAllSmallTrees(t *testing.T) {
	var trees []*node
	most, want := 4, 102 // 2·1 + 4·1 + 8·2 + 16·5: labels times Catalan numbers
	if long.Tests {
		most, want = 5, 550 // and 32·14
	}
	for n := 1; n <= most; n++ {
		for _, below := range forestsOf(n - 1) {
			trees = append(trees, &node{"a", below}, &node{"b", below})
		}
	}
	if len(trees) != want {
		t.Fatalf("%d trees", len(trees))
	}
	var b stringkernel.CorpusBuilder
	for _, tree := range trees {
		b.Add("", []byte(tree.String()))
	}
	c := b.Corpus()
	for _, k := range byDefinition {
		t.Run(fmt.Sprintf("%T%+v", k, k), func(t *testing.T) {
			features := make([]map[string]float64, len(trees))
			for i, tree := range trees {
				features[i] = phi(k, tree)
			}
			g := must.Get(k.Gram(t.Context(), c))(t)
			row, products := make([]float64, c.Len()), make([][]float64, len(trees))
			for i := range trees {
				g.Row(row, i)
				products[i] = make([]float64, len(trees))
				for j := range trees {
					if j < i {
						products[i][j] = products[j][i]
					} else {
						products[i][j] = dot(features[i], features[j])
					}
					want := products[i][j]
					if !near(row[j], want) {
						t.Fatalf("k(%s, %s) = %v in a row, want %v", c.Seq(i), c.Seq(j), row[j], want)
					}
					if max(i, j) < 102 && (i+j)%3 == 0 { // trees of up to 4 nodes
						if got := k.Eval(c.Seq(i), c.Seq(j)); !near(got, want) {
							t.Fatalf("k(%s, %s) = %v, want %v", c.Seq(i), c.Seq(j), got, want)
						}
					}
				}
			}
		})
	}
}

// drawNode draws a tree of up to most nodes.
func drawNode(t *rapid.T, most int) *node {
	n := &node{label: rapid.SampledFrom([]string{"a", "b", "ab"}).Draw(t, "label")}
	for most--; most > 0 && rapid.IntRange(0, 3).Draw(t, "more") > 0; {
		c := drawNode(t, most)
		n.children = append(n.children, c)
		most -= c.size()
	}
	return n
}

// Larger trees, several in a record.
func TestRandomTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records [2][]*node
		for i := range records {
			for range rapid.IntRange(1, 2).Draw(t, "trees") {
				records[i] = append(records[i], drawNode(t, 9))
			}
		}
		for _, k := range byDefinition {
			want := 0.0
			for _, x := range records[0] {
				for _, y := range records[1] {
					want += dot(phi(k, x), phi(k, y))
				}
			}
			if got := k.Eval([]byte(forest(records[0])), []byte(forest(records[1]))); !near(got, want) {
				t.Fatalf("%T%+v: k(%s, %s) = %v, want %v", k, k, forest(records[0]), forest(records[1]), got, want)
			}
		}
	})
}

// sorted returns the tree with children in the order of their tags, by recursion.
func (n *node) sorted() *node {
	s := &node{label: n.label}
	for _, c := range n.children {
		s.children = append(s.children, c.sorted())
	}
	slices.SortStableFunc(s.children, compareNodes)
	return s
}

func compareNodes(a, b *node) int {
	return cmp.Or(cmp.Compare(a.label, b.label), slices.CompareFunc(a.children, b.children, compareNodes))
}

func (n *node) shuffled(t *rapid.T) *node {
	s := &node{label: n.label}
	for _, c := range n.children {
		s.children = append(s.children, c.shuffled(t))
	}
	s.children = rapid.Permutation(s.children).Draw(t, "order")
	return s
}

// unordered are kernels that do not see the order of children, each with the one that does.
var unordered = [][2]stringkernel.Kernel{
	{treekernel.Subtree{Lambda: 0.6, Labels: treekernel.Labels{Unordered: true}}, treekernel.Subtree{Lambda: 0.6}},
	{
		treekernel.Tag{Weight: substring.Constant, Labels: treekernel.Labels{Unordered: true}},
		treekernel.Tag{Weight: substring.Constant},
	},
	{treekernel.SST{Lambda: 0.4, Labels: treekernel.Labels{Unordered: true}}, treekernel.SST{Lambda: 0.4}},
	{
		treekernel.SST{Lambda: 0.4, Size: 3, Labels: treekernel.Labels{Unordered: true}},
		treekernel.SST{Lambda: 0.4, Size: 3},
	},
	{
		treekernel.PTK{Lambda: 0.4, Mu: 0.7, Terminal: 1, Labels: treekernel.Labels{Unordered: true}},
		treekernel.PTK{Lambda: 0.4, Mu: 0.7, Terminal: 1},
	},
	{
		treekernel.PTK{Lambda: 0.4, Mu: 0.7, Terminal: 1, Size: 3, Labels: treekernel.Labels{Unordered: true}},
		treekernel.PTK{Lambda: 0.4, Mu: 0.7, Terminal: 1, Size: 3},
	},
}

// An unordered kernel is the ordered one on sorted trees, so that permuting children changes nothing.
func TestUnordered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawNode(t, 25), drawNode(t, 25)
		for _, k := range unordered {
			want := k[1].Eval([]byte(x.sorted().String()), []byte(y.sorted().String()))
			for range 2 {
				if got := k[0].Eval([]byte(x.String()), []byte(y.String())); !near(got, want) {
					t.Fatalf("%T%+v: k(%s, %s) = %v, of sorted trees %v", k[0], k[0], x, y, got, want)
				}
				x, y = x.shuffled(t), y.shuffled(t)
			}
		}
	})
}

// Labels by what they should make of a tree, written as the tree that the plain kernel sees.
func TestLabels(t *testing.T) {
	x := "(S (LEX##how::w (POS##WRB x)) (LEX##do::v y) q)"
	for _, c := range []struct {
		labels treekernel.Labels
		seen   string
	}{
		{treekernel.Labels{}, x},
		{treekernel.Labels{After: "##", Before: "::"}, "(S (how (WRB x)) (do y) q)"},
		{treekernel.Labels{Cut: 2}, "(S LEX##how::w LEX##do::v q)"},
		{treekernel.Labels{Cut: 1}, "(S)"},
		{treekernel.Labels{Levels: 2}, "(S (LEX##how::w (())) (LEX##do::v ()) q)"},
		{treekernel.Labels{Keep: []string{"S", "LEX*"}}, "(S (LEX##how::w (())) (LEX##do::v ()) ())"},
		{treekernel.Labels{Keep: []string{"LEX*", "q"}, After: "##", Unordered: true}, "((do::v ()) (how::w (())) q)"},
	} {
		k, plain := treekernel.Tag{Weight: substring.Constant, Labels: c.labels}, treekernel.Tag{Weight: substring.Constant}
		if got, want := k.SelfEval([]byte(x)), plain.SelfEval([]byte(c.seen)); got != want {
			t.Errorf("%+v: k(x, x) = %v of tags, want %v", c.labels, got, want)
		}
		coarse, subtrees := treekernel.Subtree{Lambda: 1, Labels: c.labels}, treekernel.Subtree{Lambda: 1}
		if got, want := coarse.SelfEval([]byte(x)), subtrees.SelfEval([]byte(c.seen)); got != want {
			t.Errorf("%+v: k(x, x) = %v of subtrees, want %v", c.labels, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for want, k := range map[string]stringkernel.Kernel{
		"subtree: lambda = 0, want":   treekernel.Subtree{},
		"subtree: lambda = 1.5, want": treekernel.Subtree{Lambda: 1.5},
		"subtree: cut = -1":           treekernel.Subtree{Lambda: 1, Labels: treekernel.Labels{Cut: -1}},
		"subtree: levels = -1":        treekernel.Subtree{Lambda: 1, Labels: treekernel.Labels{Levels: -1}},
		"subtree: keep has an": treekernel.Subtree{Lambda: 1,
			Labels: treekernel.Labels{Keep: []string{""}}},
		"tag: weight = ": treekernel.Tag{},
		`tag: count = "max", want one of: raw, presence`: treekernel.Tag{Weight: substring.Constant, Count: "max"},
		"sst: lambda = NaN": treekernel.SST{Lambda: math.NaN()},
		"sst: size = 33":    treekernel.SST{Lambda: 1, Size: 33},
		"sst: depth = -2":   treekernel.SST{Lambda: 1, Depth: -2},
		"ptk: mu = 0":       treekernel.PTK{Lambda: 1, Terminal: 1},
		"ptk: terminal = 0": treekernel.PTK{Lambda: 1, Mu: 1},
		"ptk: terminal = 5 with depth or size, want 1": treekernel.PTK{Lambda: 1, Mu: 1, Terminal: 5, Size: 2},
	} {
		if err := k.Check(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%T%+v: %v, want %s…", k, k, err, want)
		}
	}
}
