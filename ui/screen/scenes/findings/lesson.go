package findings

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/widget"
)

// Lesson is how well assessors do the annotators' work, interpolant by interpolant (the paper's
// Table 3), in the form in which the workspace keeps it. Numbers that are undefined are nil.
type Lesson struct {
	Models int           `json:"models"` // with a label
	Scheme assess.Scheme `json:"scheme"`
	Lines  []LessonLine  `json:"lines"`
}

// LessonLine is an algorithm on the matrices of one interpolant.
type LessonLine struct {
	Interpolant  string           `json:"interpolant,omitempty"` // empty for the baseline
	Algorithm    assess.Algorithm `json:"algorithm"`
	Accuracy     *float64         `json:"accuracy"`
	Largest      *float64         `json:"largest_deviation"`
	SD           *float64         `json:"sd"`
	Kappa        *float64         `json:"kappa"`
	KappaLargest *float64         `json:"kappa_largest_deviation"`
	KappaSD      *float64         `json:"kappa_sd"`
	Fit          *float64         `json:"fit_accuracy,omitempty"` // of the baseline, with thresholds found on the models that it judges
	FitKappa     *float64         `json:"fit_kappa,omitempty"`
	Problem      string           `json:"problem,omitempty"`
}

// Task says how assessors are trained and tested; its defaults are the paper's.
type Task struct {
	Repetitions int    `help:"How often the models are shuffled; each time every third of them is judged by what the others teach." default:"10" min:"1" max:"1000"`
	Seed        uint64 `help:"Seed of the training and of the shuffling." default:"1"`
}

// name is the name under which the workspace keeps the lesson of some data: it holds all that it
// depends on.
func (t Task) name(d *Data) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s %d %d", d.Selection.Hash, d.Round.ID, t.Repetitions, t.Seed)
	for _, r := range d.Rows {
		fmt.Fprintf(sum, " %s %s %s", r.Model.Hash, r.Signals, r.Label)
	}
	return "scenes-lesson/1/" + hex.EncodeToString(sum.Sum(nil)[:16])
}

// kept is the lesson that the workspace keeps; ok is false without one. One that cannot be read is
// trained again.
func (t Task) kept(ws *store.Workspace, d *Data) (l Lesson, ok bool) {
	ok, err := ws.KeptValue(t.name(d), &l)
	return l, ok && err == nil && len(l.Lines) > 0
}

// learn measures the matrices, trains and tests, and keeps what came out.
func (t Task) learn(ctx context.Context, ws *store.Workspace, d *Data, p background.Stages) (Lesson, error) {
	layout := feature.DefaultBackgroundLayout()
	ask := training.Ask{Selection: d.Selection.Hash, Layout: layout, Images: variance.AllImages()}
	measured, left, err := training.Measure(ctx, ws, ask, nil, p)
	if err != nil {
		return Lesson{}, err
	}
	if len(measured) == 0 && len(left) > 0 {
		return Lesson{}, fmt.Errorf("no model can take part; %s: %s", left[0].ID, left[0].Reason)
	}
	data, _, err := training.Label(ws, measured, layout, training.Labels{Round: d.Round.ID})
	if err != nil {
		return Lesson{}, err
	}
	scheme := assess.UsualScheme(layout, t.Seed)
	scheme.Repetitions = t.Repetitions
	var settings []assess.Settings
	for _, a := range assess.Algorithms() {
		settings = append(settings, assess.Usual(a, layout, t.Seed))
	}
	lines, err := tables.Table3(ctx, data, settings, scheme, p)
	if err != nil {
		return Lesson{}, err
	}
	l := Lesson{Models: len(data.Labelled()), Scheme: scheme}
	for _, line := range lines {
		l.Lines = append(l.Lines, newLessonLine(line))
	}
	return l, ws.KeepValue(t.name(d), l)
}

func newLessonLine(a tables.Automation) LessonLine {
	l := LessonLine{Interpolant: a.Interpolant, Algorithm: a.Settings.Algorithm}
	if a.Problem != nil {
		l.Problem = a.Problem.Error()
		return l
	}
	l.Accuracy, l.Largest, l.SD = defined(a.Accuracy.Mean), defined(a.Accuracy.Largest), defined(a.Accuracy.SD)
	l.Kappa, l.KappaLargest, l.KappaSD = defined(a.Kappa.Mean), defined(a.Kappa.Largest), defined(a.Kappa.SD)
	if a.Fit != nil {
		l.Fit = defined(a.Fit.Accuracy)
		if a.Fit.Kappa.Defined() {
			l.FitKappa = defined(a.Fit.Kappa.Value)
		}
	}
	return l
}

// defined is a number, nil for NaN.
func defined(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// value is a number, NaN for nil.
func value(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// Automations are the lines as they were before they were kept, without what nobody kept: single
// repetitions and folds.
func (l Lesson) Automations() []tables.Automation {
	list := make([]tables.Automation, len(l.Lines))
	for k, line := range l.Lines {
		list[k] = tables.Automation{
			Interpolant: line.Interpolant, Settings: assess.Usual(line.Algorithm, feature.DefaultBackgroundLayout(),
				l.Scheme.Seed),
			Accuracy:   assess.Repeated{Mean: value(line.Accuracy), Largest: value(line.Largest), SD: value(line.SD)},
			Kappa:      assess.Repeated{Mean: value(line.Kappa), Largest: value(line.KappaLargest), SD: value(line.KappaSD)},
			Evaluation: assess.Evaluation{Scheme: l.Scheme},
		}
		if line.Problem != "" {
			list[k].Problem = errors.New(line.Problem)
		}
		if line.Fit != nil {
			list[k].Fit = &tables.Fit{Accuracy: *line.Fit, Kappa: agreement.Value{Reason: agreement.ExpectedAgreement}}
			if line.FitKappa != nil {
				list[k].Fit.Kappa = agreement.Value{Value: *line.FitKappa}
			}
		}
	}
	return list
}

// Note says what the table rests on.
func (l Lesson) Note() string {
	text := fmt.Sprintf("%s, %s, seed %d", result.Counted(l.Models, "labelled model"),
		result.Counted(l.Scheme.Repetitions, "repetition"), l.Scheme.Seed)
	for _, one := range l.Automations() {
		if one.Fit != nil {
			text += "; " + one.Fit.String()
		}
	}
	return text
}

// Bars are the automation accuracies, algorithm by algorithm, with the largest deviation as a
// whisker.
func (l Lesson) Bars() widget.BarsData {
	d := widget.BarsData{Empty: "no assessor was trained yet"}
	d.Title, d.XName, d.Note = "Automation accuracy", "automation accuracy; whisker: largest deviation", l.Note()
	for _, a := range assess.Algorithms() {
		for _, one := range l.Lines {
			if one.Algorithm != a || one.Accuracy == nil {
				continue
			}
			name := a.Title(true)
			tone := render.Stands
			if one.Interpolant != "" {
				name, tone = fmt.Sprintf("%s, %s", name, one.Interpolant), render.Plain
			}
			text := result.Share.Say(*one.Accuracy, 0)
			d.Bars.Bars = append(d.Bars.Bars, render.Bar{Name: name, To: *one.Accuracy, Spread: value(one.Largest), Text: text, Tone: tone})
			d.Hints = append(d.Hints, fmt.Sprintf("%s: automation accuracy %s, kappa %s", name, text,
				result.Coefficient.Say(value(one.Kappa), 0)))
		}
	}
	return d
}
