// Package evidence gathers and shows what there is to see about one model under one family: its
// variance matrices, each with its colour range, the accuracy per transformation, loss curves and
// training record. Several screens share it. Evidence and Load know nothing of Fyne;
// Matrices, Charts and Facts are the widgets.
package evidence

import (
	"cmp"
	"fmt"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/present"
)

// Tile is one matrix of a model, or the reason why there is none.
type Tile struct {
	Modality string          // canonical text, max@CONF
	Matrix   variance.Matrix // N is 0 when the matrix is absent
	Reason   string          // why it is absent, for people; empty when Matrix is there
	// Interpolant is what a tile of a background round shows of its measure: I1, or store.Points
	// for the scatter plot. Its matrix has distances on both axes. It is empty for a variance
	// matrix.
	Interpolant string
}

// Absent tells whether the tile has no matrix to show.
func (t Tile) Absent() bool { return t.Matrix.N == 0 }

// Evidence is everything about one model under one suite and family. It is immutable after Load
// returned it.
type Evidence struct {
	Model    model.Model
	Suite    string       // name
	Family   string       // for people
	Variable string       // name of the sampling variable's family, "rotation"
	Values   []float64    // V_i, one per row of a matrix; nil when the family is unknown
	Unit     string       // of Values
	Tiles    []Tile       // in the order asked for
	Classes  []string     // class names of the suite, nil without labels
	MappedBy string       // how they were matched with the model's, see engine.ByName; "" without signals
	Accuracy []float64    // share of right predictions per transformation, nil without labels or signals
	Robust   float64      // correct_product, spec/assessors.md; only where Accuracy is there
	Chance   chance.Level // over all images of the suite; of scenes nothing is known
	Device   string       // the kind that has computed the signals, empty for the processor
	Looks    chance.Looks // whether it looks as if it wants another recipe
	Images   int          // images that the matrices are made from
	Total    int          // images of the suite
	Skipped  int          // images that the suite left out as corrupt
	Excluded int          // images that a person left out
	Filter   string       // which images and part of the family, for people; "" for all
	State    string       // "" when there are signals, else why there are none
	// Scenes is there for a background round, whose Robust is worst-case accuracy; nil for variance
	// matrices.
	Scenes *Scenery
}

// Ready tells whether at least one matrix can be seen.
func (e Evidence) Ready() bool {
	for _, t := range e.Tiles {
		if !t.Absent() {
			return true
		}
	}
	return false
}

// Modalities are those of the tiles.
func (e Evidence) Modalities() (names []string) {
	for _, t := range e.Tiles {
		names = append(names, t.Modality)
	}
	return names
}

// Badge is the word of a badge on the model and what it means; both are empty without one.
func (e Evidence) Badge() (word, hint string) {
	if wanted, ok := e.Looks.Wanted(); ok && !e.Chance.Flagged() {
		return "wants " + wanted.Name + "?", e.Looks.Sentence()
	}
	if e.Chance.Flagged() || e.Device == "" {
		return e.Chance.Code.Word(), e.Chance.Sentence()
	}
	return device.Badge(e.Device)
}

// Counts is the line about images: how many, of how many, how many were skipped and excluded.
func (e Evidence) Counts() string {
	if e.Total == 0 {
		return ""
	}
	text := result.Counted(e.Total, "image")
	if e.Images != e.Total {
		text = fmt.Sprintf("%s of %s", result.Whole(e.Images), text)
	}
	text = fmt.Sprintf("%s, %s skipped", text, result.Whole(e.Skipped))
	if e.Excluded > 0 {
		text = fmt.Sprintf("%s, %s excluded", text, result.Whole(e.Excluded))
	}
	return text
}

// Note is the line below a figure: Counts, and what was chosen.
func (e Evidence) Note() string {
	if e.Filter == "" {
		return e.Counts()
	}
	return e.Counts() + ": " + e.Filter
}

// Axis is the axis of the matrices: V_i with its unit.
func (e Evidence) Axis() render.Axis {
	return render.Axis{Name: e.Variable, Unit: e.Unit, Values: e.Values}
}

// ReadOut is the line under the pointer: modality, V_i, V_j and delta of cell (i, j) of tile t; ""
// outside.
func (e Evidence) ReadOut(t, i, j int) string {
	if t < 0 || t >= len(e.Tiles) || e.Tiles[t].Absent() {
		return ""
	}
	text := present.Hover(e.Axis(), e.Tiles[t].Matrix, i, j)
	if text == "" {
		return ""
	}
	return e.Tiles[t].Modality + "   " + text
}

// Ranges are the colour ranges by modality, and whether each is the shared one.
type Ranges map[string]label.Range

// Preset is how the colour range of the matrices is chosen (DESIGN.md section 7).
type Preset int

// The presets: the shared range of the round or workspace, the papers' 0..0.15, and one's own.
const (
	Shared Preset = iota
	Paper
	Own
)

// PaperRange is the range of the papers' figures.
var PaperRange = label.Range{Low: 0, High: 0.15}

// The workspace settings of how matrices look, which all screens share: the name of the colour
// map, the Preset, and the label.Range of the preset Own.
const (
	SettingMap    = "view.map"
	SettingPreset = "view.preset"
	SettingOwn    = "view.own"
)

// OfPerson is the workspace setting with what an annotator (an id) has chosen while labelling in
// place of what the setting says for everybody.
func OfPerson(setting, annotator string) string { return setting + "." + annotator }

// DefaultMap is the colour map where none was chosen.
const DefaultMap = "viridis"

// View is a choice of colour ranges and map.
type View struct {
	Preset Preset
	Own    label.Range
	Shared Ranges
	// Was are the shared ranges before they changed, because other models were computed; nil where
	// that is not to be said. Fresh are those that they would have now, while they are kept because
	// somebody looks at them.
	Was, Fresh Ranges
	// Single are the ranges of modalities that have no shared one, made from the one model that is
	// shown.
	Single Ranges
	Map    string // name of a render map
	// FieldMap is the map of interpolated matrices, "" for the usual one.
	FieldMap string
	// OfPaper is the range of the preset Paper, the zero Range for PaperRange.
	OfPaper label.Range
}

// Range is the range of a modality under the view, with the badge to show: "" for the shared one.
func (v View) Range(modality string) (r label.Range, badge string) {
	shared, known := v.Shared[modality]
	if single, ok := v.Single[modality]; !known && ok {
		if v.Preset == Shared {
			return single, fmt.Sprintf("not shared: %s", present.RangeText(single.Low, single.High))
		}
	} else if !known {
		shared = label.Range{Low: 0, High: 0.3}
	}
	switch v.Preset {
	case Paper:
		r = cmp.Or(v.OfPaper, PaperRange)
	case Own:
		r = v.Own
	default:
		return shared, v.change(modality, shared)
	}
	if r == shared {
		return r, ""
	}
	return r, fmt.Sprintf("not shared: %s", present.RangeText(r.Low, r.High))
}

// change says that the shared range of a modality is another than before, or would be another by
// now; "" for neither.
func (v View) change(modality string, shared label.Range) string {
	if fresh, ok := v.Fresh[modality]; ok && fresh != shared {
		return fmt.Sprintf("shared range is now %s, here %s: click", present.RangeText(fresh.Low, fresh.High),
			present.RangeText(shared.Low, shared.High))
	}
	if was, ok := v.Was[modality]; ok && was != shared {
		return fmt.Sprintf("shared range was %s, is %s", present.RangeText(was.Low, was.High),
			present.RangeText(shared.Low, shared.High))
	}
	return ""
}

// Seen are the ranges in force for the modalities, what a label event records.
func (v View) Seen(modalities []string) map[string]label.Range {
	seen := make(map[string]label.Range, len(modalities))
	for _, m := range modalities {
		seen[m], _ = v.Range(m)
	}
	return seen
}
