package variance

import "github.com/variscope/variscope/engine/result"

// Figure is the matrix as it is drawn: V_j from left to right and V_i upwards over a sampling
// variable, delta_00 at the bottom-left (spec/variance.md section 7). value names the numbers, such
// as the modality.
func (m Matrix) Figure(v result.Axis, colours result.Colours, value string) result.Figure {
	axis := func(name string) result.Axis {
		if v.Name != "" {
			name += ": " + v.Name
		}
		return result.Axis{Name: name, Unit: v.Unit, Values: v.Values}
	}
	return result.Figure{
		X: axis("V_j"), Y: axis("V_i"),
		Matrix: &result.Matrix{Rows: m.N, Columns: m.N, Values: m.Data, Colours: colours, Value: result.Axis{Name: value}},
	}
}
