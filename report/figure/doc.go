// Package figure draws the pictures of this module in one style: type that is legible where a picture is shown at 800
// pixels, colours that people who see colours differently can tell apart, a light and a dark theme.
//
// A [Figure] draws itself; [Write] writes it as SVG, PNG or PDF, the same bytes for the same figure on every processor:
//
//	err := figure.Write(w, figure.FormatOf("map.svg"), figure.Light, figure.Scatter{X: x, Y: y, Labels: labels})
//
// [Grid] puts figures side by side. [Inline] writes one for an HTML page, whose colours follow the page by way of
// [StyleSheet].
//
// # A picture of your own
//
// Implement Size and Draw. Lengths are points, 600 ([Width]) to 800 CSS pixels; positions grow to the right and up.
// Take colours from the theme alone, so that both themes and Inline work, and type from [Text], [Bold] and [Mono].
// What has axes begins with [Theme.Plot]; add layers to it and have it draw on the canvas:
//
//	func (f Mine) Draw(c draw.Canvas, t *figure.Theme) {
//		p := t.Plot("Title", "x axis", "y axis")
//		p.Add(…)
//		p.Draw(c)
//	}
//
// What has none draws on the canvas (draw.Canvas: Fill, StrokeLines, FillText, …). Letters stretched to a height are
// text under Push, Translate, Scale and Pop. There are no images.
//
// Drawing takes time and memory linear in what is drawn.
package figure
