package scatter

import (
	"bytes"
	"fmt"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"
)

// random draws points of some classes.
func random(n, classes int) Picture {
	rng := rand.New(rand.NewPCG(1, 2))
	p := Picture{XName: "pc1 (40.0 %)", YName: "pc2 (10.0 %)"}
	for i := range n {
		p.X, p.Y = append(p.X, rng.NormFloat64()), append(p.Y, rng.NormFloat64())
		if classes > 0 {
			p.Labels = append(p.Labels, fmt.Sprintf("class %02d <&>", i%classes))
		}
	}
	return p
}

// TestSVG: the axes and every class are named, every point is drawn, and the bytes repeat.
func TestSVG(t *testing.T) {
	for _, classes := range []int{0, 1, 2, 8, 32, 100} {
		p := random(200, classes)
		var first, again bytes.Buffer
		if err := p.Draw(&first, "svg"); err != nil {
			t.Fatal(err)
		}
		if err := p.Draw(&again, "svg"); err != nil || !bytes.Equal(first.Bytes(), again.Bytes()) {
			t.Errorf("%d classes: other bytes, %v", classes, err)
		}
		text := first.String()
		want := []string{p.XName, p.YName}
		for c := range min(classes, mostEntries) {
			want = append(want, fmt.Sprintf("class %02d &lt;&amp;&gt;", c))
		}
		if classes > mostEntries {
			want = append(want, fmt.Sprintf("… %d more", classes-mostEntries))
		}
		for _, name := range want {
			if !strings.Contains(text, name) {
				t.Errorf("%d classes: no %q in the picture", classes, name)
			}
		}
		if drawn := strings.Count(text, "<path"); drawn < 200 {
			t.Errorf("%d classes: %d paths for 200 points", classes, drawn)
		}
	}
}

// TestPNG: a picture of the size that the legend needs.
func TestPNG(t *testing.T) {
	var b bytes.Buffer
	if err := random(50, 3).Draw(&b, "png"); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&b)
	if err != nil || picture.Bounds().Dx() < 500 {
		t.Errorf("%v, %v", picture, err)
	}
}

func TestFormatOf(t *testing.T) {
	for path, want := range map[string]string{"a.svg": "svg", "b/C.PNG": "png", "x.pdf": "", "svg": "", "": ""} {
		if got := FormatOf(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
