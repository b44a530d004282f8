package variance

import (
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"
)

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
		Matrix: &result.Matrix{
			Rows: m.N, Columns: m.N, Values: m.Data, Colours: colours, Value: result.Axis{Name: value},
		},
	}
}

// TypicalFigure is how the typical differences of images (Typical) are distributed, with the
// extreme ones apart and the limit from which the rule flags an image: Fig. 4b of the ML4ML paper.
// Counts stand on a logarithmic axis, since extreme images are few.
func (d Differences) TypicalFigure(modality string, images, extreme []int) result.Figure {
	const fewest, most = 12, 48 // bins
	f := result.Figure{
		Title: "Typical dif of images, " + modality, Empty: "no image differs", Over: true,
		X:      result.Axis{Name: "dif of an image, root mean square", Format: result.Number},
		Y:      result.Axis{Name: "images", Log: true, Low: result.LogCount(0), High: result.LogCount(1)},
		Groups: []result.Group{{Name: "images", Look: result.Category(0)}},
	}
	if len(extreme) > 0 {
		f.Groups = append(f.Groups, result.Group{Name: "extreme", Look: result.LookVariant})
	}
	typical := d.Typical(images)
	sum, largest := 0.0, 0.0
	for _, v := range typical {
		sum += v * v
		largest = max(largest, v)
	}
	if largest == 0 {
		return f
	}
	if limit := FlagLimit(len(images)); limit > 0 {
		if at := math.Sqrt(limit * sum); at <= 2*largest { // far away, it would squeeze the bars
			f.Rules = []result.Rule{{Name: "flagged from here", X: at}}
			largest = max(largest, at*1.02)
		}
	}
	bins := min(most, max(fewest, len(images)/4))
	edges, counts := result.Edges(0, largest, bins), [2][]int{make([]int, bins), make([]int, bins)}
	for x, v := range typical {
		bin := min(bins-1, int(v/largest*float64(bins)))
		counts[0][bin]++
		if slices.Contains(extreme, images[x]) {
			counts[1][bin]++
		}
	}
	for g, list := range counts {
		for b, n := range list {
			if n > 0 || g == 0 {
				f.Boxes = append(f.Boxes, result.Box{
					X0: edges[b], X1: edges[b+1], Y0: result.LogCount(0), Y1: result.LogCount(float64(n)), Group: g,
				})
			}
		}
	}
	return f
}
