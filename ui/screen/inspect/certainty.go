package inspect

import (
	"context"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

// precisions are the half-widths of delta that can be wanted, as shares of delta; the first menu
// entry is the default.
var precisions = []float64{variance.Precision, 0.05, 0.2, 0.5}

// precisionNames are the menu's words for precisions.
func precisionNames() []string {
	names := make([]string, len(precisions))
	for k, p := range precisions {
		names[k] = fmt.Sprintf("δ to within ±%g %%", 100*p)
	}
	return names
}

// judged is what the Hoeffding bound says of one tile.
type judged struct {
	variance.Certainty
	modality string
	there    bool
	cell     bool // the element in focus, else the largest one
	banded   bool // its band is wanted
	band     band
}

// band is the 95 % interval of the element in focus of a matrix over resamples of the images
// (variance.Differences.Band), or why there is none, or whether it is coming; it is empty for the
// diagonal, and for the largest element, since resamples of a maximum tell nothing.
type band struct {
	ends, why string
	coming    bool // it is being computed
}

// bands are those of all matrices of a frame.
func (x *session) bands(ctx context.Context, f frame, i, j int, b variance.Bootstrap) ([]band, error) {
	list := make([]band, len(x.parts))
	for k, p := range x.parts {
		if f.shown.Tiles[k].Absent() || i == j {
			continue
		}
		d, err := variance.DifferencesOf(x.set, p.modality)
		if err != nil {
			return nil, err
		}
		of, err := d.Pair(max(i, j), min(i, j)).Band(ctx, f.chosen, b, nil)
		switch {
		case errors.Is(err, variance.ErrFewImages):
			list[k].why = fmt.Sprintf("fewer than %d images", variance.LeastImages)
		case err != nil:
			return nil, err
		default:
			list[k].ends = result.Significant(of.Low.At(1, 0), 3) + ".." + result.Significant(of.High.At(1, 0), 3)
		}
	}
	return list, nil
}

// judge asks the bound about the element in focus, or about the largest element of each matrix.
func judge(f frame, focus pane.Focus, precision float64) []judged {
	list := make([]judged, len(f.shown.Tiles))
	for k, t := range f.shown.Tiles {
		list[k].modality = t.Modality
		if t.Absent() || len(f.chosen) == 0 {
			continue
		}
		delta := t.Matrix.Max()
		i, j := focus.I-f.first, focus.J-f.first
		if focus.Cell() && inside(i, j, t.Matrix.N) {
			delta, list[k].cell = t.Matrix.At(i, j), true
		}
		list[k].there = true
		list[k].Certainty = variance.Certain(len(f.chosen), delta, f.largest[k], variance.Confidence, precision)
		m, err := signal.ParseModality(t.Modality)
		if err == nil {
			_, known := m.Bound()
			list[k].Estimated = !known
		}
	}
	return list
}

func inside(i, j, n int) bool { return i >= 0 && j >= 0 && i < n && j < n }

// lines stand below the tile: the half-width of delta at 95 %, and the band if it is wanted.
func (j judged) lines() []string {
	lines := []string{j.bound()}
	if j.banded {
		words := j.band.words()
		if j.there && !j.cell {
			words = "click an element for its resamples"
		}
		lines = append(lines, words)
	}
	return lines
}

// words are the band in a line, "" where there is nothing to say.
func (b band) words() string {
	switch {
	case b.ends != "":
		return "by resamples " + b.ends
	case b.why != "":
		return "no resamples: " + b.why
	case b.coming:
		return "resampling…"
	}
	return ""
}

// bound is delta with its half-width, "" where there is no matrix.
func (j judged) bound() string {
	switch {
	case !j.there:
		return ""
	case j.Needed == 0:
		return "δ is 0 for every image"
	}
	text := "δ " + result.Significant(j.Delta, 3) + " ± " + result.Significant(j.HalfWidth, 3)
	if !j.cell {
		text = "largest " + text
	}
	if j.Estimated {
		text = fmt.Sprintf("%s est.", text)
	}
	return text
}

// manyText is a number of images; beyond a million nobody needs the digits.
func manyText(n int) string {
	switch {
	case n >= 1e9:
		return "over 1,000 million"
	case n >= 1e6:
		return fmt.Sprintf("%s million", result.Significant(float64(n)/1e6, 3))
	}
	return result.Whole(n)
}

// certaintyLines are the same as a table, with what the figures rest on (spec/variance.md section
// 9).
func certaintyLines(list []judged) []evidence.Fact {
	var lines []evidence.Fact
	for _, j := range list {
		if !j.there {
			continue
		}
		largest, needed := result.Significant(j.Largest, 3), present.None
		if j.Estimated {
			largest = fmt.Sprintf("%s, estimate: largest |dif| seen", largest)
		}
		if j.Needed > 0 {
			needed = manyText(j.Needed)
		}
		which := "largest element"
		if j.cell {
			which = "element in focus"
		}
		lines = append(lines,
			evidence.Fact{Name: j.modality, Value: which},
			evidence.Fact{Name: "δ at 95 %", Value: result.Significant(j.Delta, 3) + " ± " +
				result.Significant(j.HalfWidth, 3)},
			evidence.Fact{Name: "δ² at 95 %", Value: result.Significant(j.Delta*j.Delta, 3) + " ± " +
				result.Significant(j.EpsSquares, 3)},
			evidence.Fact{Name: "f+", Value: largest},
			evidence.Fact{Name: "images", Value: result.Whole(j.Images)},
			evidence.Fact{Name: fmt.Sprintf("needed for ±%g %%", 100*j.Share), Value: needed})
		if words := j.band.words(); words != "" {
			lines = append(lines, evidence.Fact{Name: "δ at 95 %", Value: words})
		}
	}
	return lines
}
