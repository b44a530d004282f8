package findings

import (
	"fmt"
	"math"
	"slices"

	scenes "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
)

// View is what is known of the models, and which of them is looked at. It knows no Fyne and is
// used on one goroutine.
type View struct {
	Data
	selected string // hash
}

const keyWorst = "worst_case_accuracy"

// NewView makes an empty view.
func NewView() *View { return &View{} }

// Take shows other data. The model that is looked at stays; without it, it is the one with the
// best worst case.
func (v *View) Take(d Data) {
	v.Data = d
	if _, ok := v.Selected(); !ok {
		v.selected = ""
		if t := v.table().Sheet(v.Rows); t.Len() > 0 {
			v.selected = t.ID(t.Arrange(result.Filter{}, t.First)[0])
		}
	}
}

// usualRecords are the columns of the training records that are shown where they tell models apart
// and nobody chooses others.
var usualRecords = []string{"architecture", "augmentation", "natural_share"}

// table declares the columns of the models.
func (v *View) table() result.Table[Row] {
	t := result.Table[Row]{
		Name: "scene_models", Title: "Models", Noun: "model", ID: func(r Row) string { return r.Model.Hash },
		First: result.Order{Key: keyWorst, Descending: true},
		Columns: append(result.Lift(scenes.Outcomes.Columns, func(r Row) scenes.InScenes { return r.InScenes }),
			result.Texts("selection_hash", "selection hash", "",
				func(Row) string { return v.Selection.Hash }).In(result.FileOnly),
			result.Counts("n", "N", "testing scenes per target",
				func(Row) int { return v.Selection.N }).In(result.FileOnly)),
		More: func(rows []Row) []result.Column[Row] {
			list := model.RecordColumns(rows, modelOf)
			several := model.RecordNames(models(rows), 2, math.MaxInt)
			for k, c := range list {
				if slices.Contains(usualRecords, c.Title) && slices.Contains(several, c.Title) {
					list[k] = c.In(result.Shown)
				}
			}
			return list
		},
	}.Place(result.FileOnly, "selection").Place(result.Offered, "targets")
	if v.Round.ID != "" {
		t.Columns = append(t.Columns, result.Column[Row]{
			Key: "label", Title: "label", Format: result.Label, Text: func(r Row) string { return string(r.Label) },
			Help: fmt.Sprintf("what the annotators of round %s decided: "+
				"adjudicated, else the majority, ties being borderline", v.Round.Name),
			Why: func(r Row) result.Reason { return result.Because("unlabelled", "%s", r.Basis) },
		})
	}
	return t
}

func models(rows []Row) []model.Model {
	list := make([]model.Model, len(rows))
	for k, r := range rows {
		list[k] = r.Model
	}
	return list
}

func modelOf(r Row) model.Model { return r.Model }
func accuracyOf(r Row) float64  { return r.Outcome.Accuracy }
func worstOf(r Row) float64     { return r.Outcome.WorstCase }

// Select selects a model.
func (v *View) Select(hash string) { v.selected = hash }

// Selected is the selected model's row; ok is false without one.
func (v *View) Selected() (r Row, ok bool) {
	at := slices.IndexFunc(v.Rows, func(r Row) bool { return r.Model.Hash == v.selected })
	if at < 0 {
		return Row{}, false
	}
	return v.Rows[at], true
}

// Caption says what else there is about the models.
func (v *View) Caption() string {
	text := result.Counted(len(v.Rows), "model")
	if n := len(v.Left); n > 0 {
		text = fmt.Sprintf("%s; %s without a run in these scenes", text, result.Whole(n))
	}
	switch {
	case v.Round.ID == "":
		text = fmt.Sprintf("%s; no round of labels yet", text)
	case v.Secret:
		text = fmt.Sprintf("%s; round %s is blind and still open", text, v.Round.Name)
	default:
		text = fmt.Sprintf("%s; %s labelled in round %s", text, result.Whole(v.labelled()), v.Round.Name)
	}
	return text
}

// Line is what is said of a row.
func (v *View) Line(r Row) string {
	text := r.Detail()
	if r.Label != "" {
		text += fmt.Sprintf("; %s (%s)", r.Label, r.Basis)
	}
	return text
}

// groups are the kinds of models by label.
func (v *View) groups() []result.Group { return label.Groups(v.Classes, v.labelled() < len(v.Rows)) }

// Plot is worst-case accuracy over accuracy of rows, coloured by label.
func (v *View) Plot(rows []Row) result.Figure {
	f := result.Figure{
		Title: fmt.Sprintf("Worst case against accuracy in the scenes of %s",
			v.Selection.Name), Note: v.Caption(), Empty: "no model is shown", Groups: v.groups(),
		X: result.Axis{Name: "accuracy of the targets", Format: result.Share},
		Y: result.Axis{Name: "worst-case accuracy", Format: result.Share},
	}
	for _, r := range rows {
		if !math.IsNaN(r.Outcome.Accuracy) && !math.IsNaN(r.Outcome.WorstCase) {
			f.Points = append(f.Points, result.Point{
				Name: r.Model.ID, ID: r.Model.Hash, X: r.Outcome.Accuracy, Y: r.Outcome.WorstCase,
				Group: r.Label.Group(v.Classes),
			})
		}
	}
	return f
}
