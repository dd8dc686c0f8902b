package canvas

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// matrix maps (x, y) to (a·x + c·y + e, b·x + d·y + f).
type matrix struct{ a, b, c, d, e, f float64 }

var identity = matrix{1, 0, 0, 1, 0, 0}

// times returns the matrix that applies n, then m.
func (m matrix) times(n matrix) matrix {
	e, f := m.apply(n.e, n.f)
	return matrix{
		float64(m.a*n.a) + float64(m.c*n.b), float64(m.b*n.a) + float64(m.d*n.b),
		float64(m.a*n.c) + float64(m.c*n.d), float64(m.b*n.c) + float64(m.d*n.d), e, f,
	}
}

func (m matrix) apply(x, y float64) (float64, float64) {
	return float64(m.a*x) + float64(m.c*y) + m.e, float64(m.b*x) + float64(m.d*y) + m.f
}

// rigid reports whether circles stay circles of their size.
func (m matrix) rigid() bool { return m.a == m.d && m.b == -m.c && math.Abs(m.a)+math.Abs(m.b) == 1 }

// rotation turns by a multiple of a right angle, the nearest.
func rotation(angle float64) matrix {
	return [4]matrix{
		identity, {0, 1, -1, 0, 0, 0}, {-1, 0, 0, -1, 0, 0}, {0, -1, 1, 0, 0, 0},
	}[int(math.Round(angle/(math.Pi/2)))&3]
}

// sinCos is the sine and cosine, rounded so that they are the same on all processors.
func sinCos(angle float64) (sin, cos float64) {
	const places = 1 << 24
	sin, cos = math.Sincos(angle)
	return math.Round(sin*places) / places, math.Round(cos*places) / places
}

// snap rounds to 1/128 of a point, with halves a little moved: positions that are halves by design would be rounded by
// the last bit of how they were computed.
func snap(x float64) float64 { return math.Floor(float64(x*128)+0.5+1e-6) / 128 }

func (m matrix) point(p vg.Point) vg.Point {
	x, y := m.apply(snap(p.X.Points()), snap(p.Y.Points()))
	return vg.Point{X: vg.Length(snap(x)), Y: vg.Length(snap(y))}
}

// path maps a path, with arcs as lines.
func (m matrix) path(p vg.Path) vg.Path {
	out := make(vg.Path, 0, len(p))
	for _, step := range p {
		switch step.Type {
		case vg.MoveComp:
			out.Move(m.point(step.Pos))
		case vg.LineComp:
			out.Line(m.point(step.Pos))
		case vg.CurveComp:
			controls := make([]vg.Point, len(step.Control))
			for i, control := range step.Control {
				controls[i] = m.point(control)
			}
			if len(controls) == 1 {
				out.QuadTo(controls[0], m.point(step.Pos))
			} else {
				out.CubeTo(controls[0], controls[1], m.point(step.Pos))
			}
		case vg.ArcComp:
			m.arc(&out, step)
		case vg.CloseComp:
			out.Close()
		}
	}
	return out
}

// arc adds an arc as lines that each turn by at most 7.5 degrees.
func (m matrix) arc(out *vg.Path, step vg.PathComp) {
	lines := max(1, math.Ceil(math.Abs(step.Angle)/(math.Pi/24)-1e-9))
	for i := range int(lines) + 1 {
		sin, cos := sinCos(step.Start + float64(step.Angle*float64(i))/lines)
		at := m.point(vg.Point{
			X: step.Pos.X + vg.Length(float64(cos*step.Radius.Points())),
			Y: step.Pos.Y + vg.Length(float64(sin*step.Radius.Points())),
		})
		if len(*out) == 0 {
			out.Move(at)
		} else {
			out.Line(at)
		}
	}
}
