package invariance

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// ForecastChoice is what the prediction of accuracies works with: one model over its suites.
type ForecastChoice struct {
	Score         measure.Score
	Model, Family string
	Unscaled      bool
	Seed          uint64
	// Out are suites (hashes) with labels that the fit does not use, so that their accuracy is predicted as if they had none.
	Out map[string]bool
}

func newForecastChoice() ForecastChoice {
	return ForecastChoice{Score: measure.ScoreEI, Seed: 1, Out: map[string]bool{}}
}

func (c *ForecastChoice) settle(d Data) {
	c.Model = settled(d.modelChoices(), c.Model, d.mostSuites())
	c.Family = settled(d.familiesOf(c.Model), c.Family, transform.Rot90, d.Current.Family)
}

// Toggle takes a suite out of the fit, or back in.
func (c *ForecastChoice) Toggle(suiteHash string) {
	out := map[string]bool{}
	for hash := range c.Out {
		out[hash] = true
	}
	if out[suiteHash] {
		delete(out, suiteHash)
	} else {
		out[suiteHash] = true
	}
	c.Out = out // not changed in place: a forecast under way reads the old one
}

// ForecastPlan is what accuracies are predicted from: the points of suites that are out of the fit have no accuracy, which
// True keeps.
type ForecastPlan struct {
	Plan
	True []float64
}

// ForecastPlan takes the choice together.
func (v *View) ForecastPlan() ForecastPlan {
	c := v.Forecast
	p := ForecastPlan{Plan: v.suitesPlan(c.Model, c.Family, c.Score)}
	p.Options = options(p.Rows, c.Unscaled, c.Seed)
	for k, point := range p.Points {
		p.True = append(p.True, point.Accuracy)
		if c.Out[p.Rows[k].Suite] {
			p.Points[k].Accuracy = math.NaN()
		}
	}
	if len(p.Rows) > 0 {
		p.Title = fmt.Sprintf("Accuracy of %s predicted by %s, %s", p.Rows[0].Model.ID, ScoreTitle(c.Score), p.Rows[0].FamilyName)
	}
	return p
}

// Forecast is a prediction and the plan that it was made by.
type Forecast struct {
	ForecastPlan
	measure.Prediction
}

// Predict makes the forecast. It is slow: each suite with labels is left out once, with a thousand fits; progress counts them.
func (p ForecastPlan) Predict(ctx context.Context, progress engine.Progress) (Forecast, error) {
	made, err := measure.Predict(ctx, p.Points, p.Options, progress)
	return Forecast{p, made}, err
}

// Role is what a suite does in a forecast.
type Role int

// The roles.
const (
	InFit     Role = iota // with labels, part of the fit
	HeldBack              // with labels, out of the fit by choice
	Unlabeled             // without labels: this is what the forecast is for
	Scoreless             // without the score
)

// Word is the role for people.
func (r Role) Word() string {
	switch r {
	case InFit:
		return "in the fit"
	case HeldBack:
		return "held back"
	case Unlabeled:
		return "no labels"
	}
	return "no score"
}

// Line is a suite of a forecast.
type Line struct {
	Suite, Name          string // hash and name
	Role                 Role
	Score                float64
	True                 float64 // NaN where it is not known
	Predicted, Low, High float64 // of a suite in the fit: by the fit without it; NaN where there is none
	Extrapolated         bool
}

// Error is how far the prediction is off, NaN where that is not known.
func (l Line) Error() float64 { return l.Predicted - l.True }

// Lines are the suites of a forecast: those that are predicted first, then those of the fit.
func (f Forecast) Lines() []Line {
	estimates := map[string]measure.Estimate{}
	for _, e := range slices.Concat(f.LeaveOneOut, f.Estimates) {
		estimates[e.Hash] = e
	}
	var list []Line
	for k, r := range f.Rows {
		l := Line{
			Suite: r.Suite, Name: r.SuiteName, Role: f.role(k), Score: f.Points[k].Score, True: f.True[k],
			Predicted: math.NaN(), Low: math.NaN(), High: math.NaN(),
		}
		if e, ok := estimates[r.Suite]; ok {
			l.Predicted, l.Low, l.High, l.Extrapolated = e.Accuracy, e.Low, e.High, e.Extrapolated
		}
		list = append(list, l)
	}
	slices.SortStableFunc(list, func(a, b Line) int {
		if a.Role != b.Role {
			return roleRank(a.Role) - roleRank(b.Role)
		}
		return result.Natural(a.Name, b.Name)
	})
	return list
}

func roleRank(r Role) int { return slices.Index([]Role{Unlabeled, HeldBack, InFit, Scoreless}, r) }

func (f Forecast) role(k int) Role {
	switch {
	case math.IsNaN(f.Points[k].Score):
		return Scoreless
	case math.IsNaN(f.True[k]):
		return Unlabeled
	case math.IsNaN(f.Points[k].Accuracy):
		return HeldBack
	}
	return InFit
}

// lineTitles are the columns of the table of suites.
func lineTitles() []string {
	return []string{
		"suite", "role", "score", "accuracy", "predicted", "95 % interval", "error",
	}
}

// Cell is a cell of the table of suites.
func (l Line) Cell(col int) string {
	switch col {
	case 0:
		return l.Name
	case 1:
		if remark := l.Remark(); remark != "" {
			return l.Role.Word() + ", " + remark
		}
		return l.Role.Word()
	case 2:
		return present.Number(l.Score)
	case 3, 4:
		return present.Percent([]float64{l.True, l.Predicted}[col-3])
	case 5:
		if math.IsNaN(l.Low) {
			return present.None
		}
		return fmt.Sprintf("%.1f to %s", 100*l.Low, present.Percent(l.High))
	case 6:
		if math.IsNaN(l.Error()) {
			return present.None
		}
		return fmt.Sprintf("%+.1f pp", 100*l.Error())
	}
	return ""
}

// Remark is what to know about a line before it is believed, "" for nothing.
func (l Line) Remark() string {
	switch {
	case l.Extrapolated:
		return "extrapolated"
	case !math.IsNaN(l.Error()) && (l.True < l.Low || l.True > l.High):
		return "beyond the interval"
	}
	return ""
}

// Facts are the lines about a forecast.
func (f Forecast) Facts() []string {
	if !f.Reason.None() {
		return []string{fmt.Sprintf("no prediction: %s", f.Reason.Text), "Shifted suites of a suite with labels give more points to fit on."}
	}
	first := together(f.Fit.Correlations)
	second := fmt.Sprintf("leaving one suite out: error %s on average, %s at worst; %s of the 95 %% intervals hold the true accuracy",
		points(f.MeanAbsoluteError), points(f.WorstError), present.Percent(f.Covered))
	return []string{first, second}
}

// points are percentage points.
func points(share float64) string { return fmt.Sprintf("%.1f pp", 100*share) }

// Scatter is the figure of a forecast: the points of the fit with its line, the predicted ones with their intervals.
func (f Forecast) Scatter() widget.ScatterData {
	facts := f.Facts()
	d := widget.ScatterData{
		Title: f.Title, Note: facts[len(facts)-1], XName: ScoreTitle(f.Score), YName: "accuracy", Logit: !f.Options.Unscaled, Empty: facts[0],
	}
	group := func(name string, look widget.Look) int {
		at := slices.IndexFunc(d.Groups, func(g widget.Group) bool { return g.Name == name })
		if at < 0 {
			at = len(d.Groups)
			d.Groups = append(d.Groups, widget.Group{Name: name, Look: look})
		}
		return at
	}
	for _, l := range slices.Backward(f.Lines()) { // what is predicted lies over the rest
		at := func(accuracy float64) float64 { return scale(f.Fit, accuracy) }
		if l.Role == InFit || l.Role == HeldBack {
			name, look := "in the fit", widget.LookInvariant
			if l.Role == HeldBack {
				name, look = "true, held back", widget.LookNone
			}
			d.Points = append(d.Points, widget.ScatterPoint{X: l.Score, Y: at(l.True), Group: group(name, look), Name: l.Name})
		}
		if l.Role == Unlabeled || l.Role == HeldBack {
			d.Points = append(d.Points, widget.ScatterPoint{
				X: l.Score, Y: at(l.Predicted), Low: at(l.Low), High: at(l.High), Group: group("predicted", widget.LookVariant), Name: l.Name,
			})
		}
	}
	if f.Fit.Line.Defined() && len(f.Fit.Fitted) > 0 {
		d.Trends = []render.Trend{{X: f.Fit.Grid, Y: f.Fit.Fitted, Low: f.Fit.Low, High: f.Fit.High}}
	}
	return d
}

// Table is a forecast for a file.
func (f Forecast) Table() (head []string, rows [][]string) {
	head = []string{"model_id", "model_hash", "suite", "suite_hash", "family", "score", "role", "value", "accuracy", "predicted", "low", "high", "extrapolated"}
	for _, l := range f.Lines() {
		extrapolated := "no"
		if l.Extrapolated {
			extrapolated = "yes"
		}
		rows = append(rows, []string{
			f.Rows[0].Model.ID, f.Rows[0].Model.Hash, l.Name, l.Suite, f.Rows[0].Family, string(f.Score), roleKey(l.Role), number(l.Score), number(l.True),
			number(l.Predicted), number(l.Low), number(l.High), extrapolated,
		})
	}
	return head, rows
}

// roleKey is the role in files.
func roleKey(r Role) string { return [...]string{"fit", "held back", "unlabelled", "no score"}[r] }
