package training

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
)

// Automated is how well assessors do the annotators' work, interpolant by interpolant (the paper's
// Table 3), in the form in which the workspace keeps it. Numbers that are undefined are nil.
type Automated struct {
	Models int             `json:"models"` // with a label
	Scheme assess.Scheme   `json:"scheme"`
	Lines  []AutomatedLine `json:"lines"`
}

// AutomatedLine is an algorithm on the matrices of one interpolant.
type AutomatedLine struct {
	Interpolant  string           `json:"interpolant,omitempty"` // empty for the baseline
	Algorithm    assess.Algorithm `json:"algorithm"`
	Accuracy     *float64         `json:"accuracy"`
	Largest      *float64         `json:"largest_deviation"`
	SD           *float64         `json:"sd"`
	Kappa        *float64         `json:"kappa"`
	KappaLargest *float64         `json:"kappa_largest_deviation"`
	KappaSD      *float64         `json:"kappa_sd"`
	// Fit is of the baseline, with thresholds found on the models that it judges.
	Fit      *float64 `json:"fit_accuracy,omitempty"`
	FitKappa *float64 `json:"fit_kappa,omitempty"`
	Problem  string   `json:"problem,omitempty"`
}

// AutomationOptions say how assessors are trained and tested; their defaults are the paper's.
type AutomationOptions struct {
	Repetitions int    `help:"How often the models are shuffled; each time every third of them is judged by what the others teach." default:"10" min:"1" max:"1000"`
	Seed        uint64 `help:"Seed of the training and of the shuffling." default:"1"`
}

// AutomationOf is what assessors learn from: the labels of a round for the matrices of models in
// the scenes of a selection.
type AutomationOf struct {
	Selection, Round string      // hash and ID
	Models           [][3]string // hash, key of the signals, and label
}

// name is the name under which the workspace keeps what came out: it holds all that it depends on.
func (o AutomationOptions) name(of AutomationOf) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s %d %d", of.Selection, of.Round, o.Repetitions, o.Seed)
	for _, m := range of.Models {
		fmt.Fprintf(sum, " %s %s %s", m[0], m[1], m[2])
	}
	return "scenes-lesson/1/" + hex.EncodeToString(sum.Sum(nil)[:16])
}

// Kept is what the workspace keeps of a training; ok is false without one. One that cannot be read
// is trained again.
func (o AutomationOptions) Kept(ws *store.Workspace, of AutomationOf) (a Automated, ok bool) {
	ok, err := ws.KeptValue(o.name(of), &a)
	return a, ok && err == nil && len(a.Lines) > 0
}

// Train measures the matrices, trains and tests every assessor, and keeps what came out. It sets
// the total of its progress for each of its stages.
func (o AutomationOptions) Train(
	ctx context.Context, ws *store.Workspace, of AutomationOf, p engine.Progress,
) (Automated, error) {
	layout := feature.DefaultBackgroundLayout()
	ask := Ask{Selection: of.Selection, Layout: layout, Images: variance.AllImages()}
	g, err := Gather(ctx, ws, ask, Labels{Round: of.Round}, nil, p)
	if err != nil {
		return Automated{}, err
	}
	scheme := assess.UsualScheme(layout, o.Seed)
	scheme.Repetitions = o.Repetitions
	var settings []assess.Settings
	for _, a := range assess.Algorithms() {
		settings = append(settings, assess.Usual(a, layout, o.Seed))
	}
	lines, err := tables.Table3(ctx, g.Data, settings, scheme, p)
	if err != nil {
		return Automated{}, err
	}
	a := Automated{Models: len(g.Data.Labelled()), Scheme: scheme}
	for _, line := range lines {
		a.Lines = append(a.Lines, newAutomatedLine(line))
	}
	return a, ws.KeepValue(o.name(of), a)
}

func newAutomatedLine(a tables.Automation) AutomatedLine {
	l := AutomatedLine{Interpolant: a.Interpolant, Algorithm: a.Settings.Algorithm}
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
func (l Automated) Automations() []tables.Automation {
	list := make([]tables.Automation, len(l.Lines))
	for k, line := range l.Lines {
		list[k] = tables.Automation{
			Interpolant: line.Interpolant, Settings: assess.Usual(line.Algorithm, feature.DefaultBackgroundLayout(),
				l.Scheme.Seed),
			Accuracy: assess.Repeated{Mean: value(line.Accuracy), Largest: value(line.Largest), SD: value(line.SD)},
			Kappa: assess.Repeated{
				Mean: value(line.Kappa), Largest: value(line.KappaLargest), SD: value(line.KappaSD),
			},
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
func (l Automated) Note() string {
	text := fmt.Sprintf("%s, %s, seed %d", result.Counted(l.Models, "labelled model"),
		result.Counted(l.Scheme.Repetitions, "repetition"), l.Scheme.Seed)
	for _, one := range l.Automations() {
		if one.Fit != nil {
			text += "; " + one.Fit.String()
		}
	}
	return text
}
