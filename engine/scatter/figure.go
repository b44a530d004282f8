package scatter

import "github.com/variscope/variscope/engine/result"

// Figure is an interpolated matrix, or a picture of the points, as it is drawn: the distances of
// both images of a point from their target, from 0 to far, with the origin at the bottom-left
// (spec/background.md sections 9 to 11). value names the numbers, such as the measure.
func (m Matrix) Figure(far float64, colours result.Colours, value string) result.Figure {
	axis := func(name string) result.Axis { return result.Axis{Name: name, High: far} }
	return result.Figure{
		X: axis("semantic distance of image i"), Y: axis("semantic distance of image j"),
		Matrix: &result.Matrix{
			Rows: m.R, Columns: m.R, Values: m.Values, Colours: colours, Value: result.Axis{Name: value},
		},
	}
}
