package figure

import "gonum.org/v1/plot/vg"

// halfOf and times are products that are rounded before anything is added to them, so that a processor that fuses the
// two draws the same picture.
func halfOf(x vg.Length) vg.Length { return vg.Length(float64(x / 2)) }

func times(n int, x vg.Length) vg.Length { return vg.Length(float64(vg.Length(n) * x)) }

// side is the room on either side of a letter in a cell.
func side(wide vg.Length) vg.Length { return vg.Length(float64(wide * 0.03)) }
