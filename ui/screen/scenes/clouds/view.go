package clouds

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/ui/present"
)

// View is what is known of the models, and which of them is looked at. It knows no Fyne and is
// used on one goroutine.
type View struct {
	Data
	selected string
}

// NewView makes an empty view.
func NewView() *View { return &View{} }

// table declares the columns of the models. What did not run in the scenes has no numbers.
func (v *View) table() result.Table[Row] {
	share := func(key, title, help string, value func(r Row) float64) result.Column[Row] {
		return result.Numbers(key, title, help, result.Share, func(r Row) float64 {
			if !r.Ran() {
				return math.NaN()
			}
			return value(r)
		}).Because(func(r Row) result.Reason { return result.Because("no_run", "%s", r.Reason) })
	}
	return result.Table[Row]{
		Name: "scene_outcomes", Title: "Models and accuracies", Noun: "model", ID: func(r Row) string { return r.Model.Hash },
		First: result.Order{Key: "model_id"},
		Columns: []result.Column[Row]{
			result.Texts("model_id", "model", "", func(r Row) string { return r.Model.ID }),
			result.Texts("model_hash", "hash", "", func(r Row) string { return r.Model.Hash }).In(result.FileOnly),
			result.Texts("selection", "selection", "", func(Row) string { return v.Selection.Name }).In(result.FileOnly),
			result.Counts("targets", "targets", "", func(r Row) int { return r.Outcome.Targets }).In(result.FileOnly),
			share("accuracy", "clean", "accuracy on the targets as they are", func(r Row) float64 { return r.Outcome.Accuracy }),
			share("mean_composite_accuracy", "scenes", "mean accuracy on the targets in their testing scenes",
				func(r Row) float64 { return r.Outcome.MeanComposite }),
			share("worst_case_accuracy", "worst", "worst-case accuracy: targets that are right as they are and in every scene",
				func(r Row) float64 { return r.Outcome.WorstCase }),
			share("changed_share", "changed", "share of composites whose prediction is not that of their target",
				func(r Row) float64 { return r.Outcome.ChangedShare }).In(result.Offered),
		},
		More: func(rows []Row) []result.Column[Row] {
			return model.RecordColumns(rows, func(r Row) model.Model { return r.Model })
		},
	}
}

// Take shows other data. What is selected stays where it is still there, else wanted comes in its
// place, else the first with a run.
func (v *View) Take(d Data, wanted string) {
	v.Data = d
	for _, hash := range []string{v.selected, wanted} {
		if r, ok := v.of(hash); ok && r.Ran() {
			v.selected = hash
			return
		}
	}
	v.selected = ""
	if list := v.others(); len(list) > 0 {
		v.selected = list[0].Model.Hash
	}
}

func (v *View) of(hash string) (r Row, ok bool) {
	at := slices.IndexFunc(v.Rows, func(r Row) bool { return r.Model.Hash == hash })
	if at < 0 {
		return Row{}, false
	}
	return v.Rows[at], true
}

// Select selects a model.
func (v *View) Select(hash string) { v.selected = hash }

// Selected is the selected model's row; ok is false without one.
func (v *View) Selected() (r Row, ok bool) { return v.of(v.selected) }

// Detail is the line about a model.
func (r Row) Detail() string {
	if !r.Ran() {
		return fmt.Sprintf("%s: %s", r.Model.ID, r.Reason)
	}
	return fmt.Sprintf("%s: %s clean, %s in scenes, worst case %s; the prediction changes in %s of the composites", r.Model.ID,
		present.Percent(r.Outcome.Accuracy), present.Percent(r.Outcome.MeanComposite), present.Percent(r.Outcome.WorstCase),
		present.Percent(r.Outcome.ChangedShare))
}

// others are the models with a run that the selected one can be compared with, by name.
func (v *View) others() []Row {
	var list []Row
	for _, r := range v.Rows {
		if r.Ran() && r.Model.Hash != v.selected {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b Row) int { return result.Natural(a.Model.ID, b.Model.ID) })
	return list
}

// second is the model that the selected one is compared with: wanted where it can be, else the
// first.
func (v *View) second(wanted string) (r Row, ok bool) {
	list := v.others()
	if at := slices.IndexFunc(list, func(r Row) bool { return r.Model.Hash == wanted }); at >= 0 {
		return list[at], true
	}
	if len(list) == 0 {
		return Row{}, false
	}
	return list[0], true
}

// vacancy says why there is nothing to look at; ok is false when there is something.
func (v *View) vacancy() (text string, ok bool) {
	switch {
	case v.Selection.Hash == "":
		return "There are no testing scenes yet: choose some on the page Scenes.", true
	case len(v.Rows) == 0:
		return "This workspace has no models yet. Import some.", true
	case len(v.without()) == len(v.Rows):
		return fmt.Sprintf("No model ran in the scenes of %s yet. A run puts every target into its scenes and keeps what the models say.", v.Selection.Name), true
	}
	return "", false
}
