package figure

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// halfOf, times, across and upward round their product before they add to it: a processor that would fuse the two then
// draws the same picture.
func halfOf(x vg.Length) vg.Length { return vg.Length(float64(x / 2)) }

func times(n int, x vg.Length) vg.Length { return vg.Length(float64(vg.Length(n) * x)) }

// across is the place at a share of the width of a canvas, upward that at a share of its height.
func across(c draw.Canvas, share float64) vg.Length {
	return c.Min.X + vg.Length(float64(share*float64(c.Max.X-c.Min.X)))
}

func upward(c draw.Canvas, share float64) vg.Length {
	return c.Min.Y + vg.Length(float64(share*float64(c.Max.Y-c.Min.Y)))
}

// side is the room on either side of a letter in a cell.
func side(wide vg.Length) vg.Length { return vg.Length(float64(wide * 0.03)) }
