package findings

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// View is what is known of the models, and which of them is looked at. It knows no Fyne and is used on one goroutine.
type View struct {
	Data
	selected string // hash
}

const keyWorst = "worst_case_accuracy"

// NewView makes an empty view.
func NewView() *View { return &View{} }

// Take shows other data. The model that is looked at stays; without it, it is the one with the best worst case.
func (v *View) Take(d Data) {
	v.Data = d
	if _, ok := v.Selected(); !ok {
		v.selected = ""
		if t := v.table().Sheet(v.Rows); t.Len() > 0 {
			v.selected = t.ID(t.Arrange(result.Filter{}, t.First)[0])
		}
	}
}

// usualRecords are the columns of the training records that are shown where nobody chooses others.
var usualRecords = []string{"architecture", "augmentation", "natural_share"}

// recordColumns are the columns of the training records that tell models apart, in the order in which they are met.
func recordColumns(rows []Row) []string {
	var order []string
	first := map[string]string{}
	several := map[string]bool{}
	for _, r := range rows {
		for _, f := range r.Model.Record {
			value, met := first[f.Name]
			if !met {
				first[f.Name] = f.Value
				order = append(order, f.Name)
			}
			several[f.Name] = several[f.Name] || met && value != f.Value
		}
	}
	return slices.DeleteFunc(order, func(name string) bool { return !several[name] })
}

// table declares the columns of the models.
func (v *View) table() result.Table[Row] {
	text := func(key, title, of string) result.Column[Row] {
		return result.Column[Row]{Key: key, Title: title, Show: result.FileOnly, Text: func(Row) string { return of }}
	}
	share := func(key, title, help string, value func(Row) float64) result.Column[Row] {
		return result.Column[Row]{Key: key, Title: title, Help: help, Format: result.Share, Descending: true, Value: value}
	}
	t := result.Table[Row]{
		Name: "scene_models", Title: "Models", Noun: "model", ID: func(r Row) string { return r.Model.Hash },
		First: result.Order{Key: keyWorst, Descending: true},
		Columns: []result.Column[Row]{
			{Key: "model_id", Title: "model", Text: func(r Row) string { return r.Model.ID }},
			{Key: "model_hash", Title: "hash", Format: result.ID, Show: result.FileOnly, Text: func(r Row) string { return r.Model.Hash }},
			text("selection", "selection", v.Selection.Name),
			text("selection_hash", "selection hash", v.Selection.Hash),
			{Key: "targets", Title: "targets", Format: result.Count, Show: result.Offered, Value: func(r Row) float64 { return float64(r.Outcome.Targets) }},
			{Key: "n", Title: "N", Help: "testing scenes per target", Format: result.Count, Show: result.FileOnly, Value: func(Row) float64 { return float64(v.Selection.N) }},
			share("accuracy", "accuracy", "share of the targets themselves that are classified rightly", accuracyOf),
			share("mean_composite_accuracy", "in scenes", "accuracy of the composites: mean over all scenes of all targets", compositeOf),
			share(keyWorst, "worst case", "share of targets that are right in all their images, the target itself and every scene", worstOf),
			share("changed_share", "changed", "share of composites whose prediction is not that of their target", func(r Row) float64 { return r.Outcome.ChangedShare }),
		},
		More: func(rows []Row) []result.Column[Row] {
			var list []result.Column[Row]
			for _, name := range recordColumns(rows) {
				c := result.Column[Row]{Key: result.RecordKey(name), Title: name, Show: result.Offered, Text: func(r Row) string { return r.Model.Value(name) }}
				if slices.Contains(usualRecords, name) {
					c.Show = result.Shown
				}
				list = append(list, c)
			}
			return list
		},
	}
	if v.Round.ID != "" {
		t.Columns = append(t.Columns, result.Column[Row]{
			Key: "label", Title: "label", Format: result.Label, Text: func(r Row) string { return string(r.Label) },
			Help: fmt.Sprintf("what the annotators of round %s decided: adjudicated, else the majority, ties being borderline", v.Round.Name),
			Why:  func(r Row) result.Reason { return result.Because("unlabelled", "%s", r.Basis) },
		})
	}
	return t
}

func accuracyOf(r Row) float64  { return r.Outcome.Accuracy }
func compositeOf(r Row) float64 { return r.Outcome.MeanComposite }
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
	text := present.Counted(int64(len(v.Rows)), "model")
	if n := len(v.Left); n > 0 {
		text = fmt.Sprintf("%s; %s without a run in these scenes", text, present.Count(int64(n)))
	}
	switch {
	case v.Round.ID == "":
		text = fmt.Sprintf("%s; no round of labels yet", text)
	case v.Secret:
		text = fmt.Sprintf("%s; round %s is blind and still open", text, v.Round.Name)
	default:
		text = fmt.Sprintf("%s; %s labelled in round %s", text, present.Count(int64(v.labelled())), v.Round.Name)
	}
	return text
}

// Line is what is said of a row.
func (v *View) Line(r Row) string {
	text := fmt.Sprintf("%s: accuracy %s, in scenes %s, worst case %s", r.Model.ID, present.Percent(r.Outcome.Accuracy), present.Percent(r.Outcome.MeanComposite), present.Percent(r.Outcome.WorstCase))
	if r.Label != "" {
		return fmt.Sprintf("%s; %s (%s)", text, string(r.Label), r.Basis)
	}
	return text
}

// whole is a number in a file, with all digits; empty where there is none.
func whole(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// groups are the kinds of models: the labels, then those without one where there are any.
func (v *View) groups() []widget.Group {
	var list []widget.Group
	for _, l := range v.Classes {
		list = append(list, widget.Group{Name: string(l), Look: lookOf(l)})
	}
	if v.labelled() < len(v.Rows) {
		list = append(list, widget.Group{Name: "unlabelled"})
	}
	return list
}

// groupOf is the row's index among groups.
func (v *View) groupOf(r Row) int {
	if at := slices.Index(v.Classes, r.Label); at >= 0 {
		return at
	}
	return len(v.Classes)
}

func lookOf(l label.Value) widget.Look {
	switch l {
	case label.Invariant:
		return widget.LookInvariant
	case label.Borderline:
		return widget.LookBorderline
	case label.Variant:
		return widget.LookVariant
	}
	return widget.LookNone
}

// Plot is worst-case accuracy over accuracy of rows, coloured by label; point k is row k.
func (v *View) Plot(rows []Row) widget.ScatterData {
	d := widget.ScatterData{
		Title: fmt.Sprintf("Worst case against accuracy in the scenes of %s", v.Selection.Name), Note: v.Caption(),
		XName: "accuracy of the targets", YName: "worst-case accuracy", Groups: v.groups(),
		Empty: "no model is shown",
	}
	for _, r := range rows {
		d.Points = append(d.Points, widget.ScatterPoint{X: r.Outcome.Accuracy, Y: r.Outcome.WorstCase, Group: v.groupOf(r), Name: r.Model.ID})
	}
	return d
}
