package invariance

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/result"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Resamples is how many times the points are drawn anew for the band of a line, as in the paper.
const Resamples = 1000

// StudyChoice is what the study over models shows: one suite, one family, one score.
type StudyChoice struct {
	Score         measure.Score
	Suite, Family string
	Column        string // of the training records, for colours; "" for none
	Unscaled      bool   // accuracy itself in place of its logit
	Seed          uint64 // of the band
}

func newStudyChoice() StudyChoice { return StudyChoice{Score: measure.ScoreEI, Seed: 1} }

// settle keeps what is possible and replaces the rest by what is usual: the current suite, and turned images.
func (c *StudyChoice) settle(d Data) {
	c.Suite = settled(d.suiteChoices(), c.Suite, d.Current.Suite)
	c.Family = settled(d.familiesOn(c.Suite), c.Family, transform.Rot90, d.Current.Family)
	if !slices.Contains(d.columns(), c.Column) {
		c.Column = ""
	}
}

// settled is the first of the wanted keys that is among the choices, else the first choice; "" without any.
func settled(list []widget.Option, wanted ...string) string {
	for _, key := range wanted {
		if has(list, key) {
			return key
		}
	}
	if len(list) == 0 {
		return ""
	}
	return list[0].Key
}

// familiesOn are the families that something was measured under on a suite.
func (d Data) familiesOn(suiteHash string) []widget.Option {
	return slices.DeleteFunc(d.familyChoices(), func(c widget.Option) bool {
		return !slices.ContainsFunc(d.Rows, func(r Row) bool { return r.Suite == suiteHash && r.Family == c.Key })
	})
}

// familiesOf are the families that a model was measured under.
func (d Data) familiesOf(modelHash string) []widget.Option {
	return slices.DeleteFunc(d.familyChoices(), func(c widget.Option) bool {
		return !slices.ContainsFunc(d.Rows, func(r Row) bool { return r.Model.Hash == modelHash && r.Family == c.Key })
	})
}

// Plan is what a study is made of: rows, points in their order, options, and how the figure is called.
type Plan struct {
	Rows          []Row
	Points        []measure.Point
	Options       measure.StudyOptions
	Score         measure.Score
	Title, Groups string // Groups says what the colours tell, "" for nothing
	OverSuites    bool
}

// ModelsPlan is the study over models: point k is row k.
func (v *View) ModelsPlan() Plan {
	c := v.OverModels
	p := Plan{Score: c.Score, Groups: c.Column}
	for _, r := range v.Rows {
		if r.Suite == c.Suite && r.Family == c.Family {
			p.Rows = append(p.Rows, r)
		}
	}
	p.Points = measure.Points(measuredOf(p.Rows), c.Score, c.Column, false)
	p.Options = options(p.Rows, c.Unscaled, c.Seed)
	if len(p.Rows) > 0 {
		p.Title = fmt.Sprintf("Accuracy and %s, %s, %s", ScoreTitle(c.Score), p.Rows[0].SuiteName, p.Rows[0].FamilyName)
	}
	return p
}

// options of a study; without labels there is nothing to clip, and any number of images will do.
func options(rows []Row, unscaled bool, seed uint64) measure.StudyOptions {
	images := max(1, measure.FewestImages(measuredOf(rows)))
	return measure.StudyOptions{Unscaled: unscaled, Images: images, Resamples: Resamples, Seed: seed}
}

func measuredOf(rows []Row) []measure.Measured {
	list := make([]measure.Measured, len(rows))
	for k, r := range rows {
		list[k] = r.Measured
	}
	return list
}

// SuitesChoice is what the study over suites shows: one model, one family, one score.
type SuitesChoice struct {
	Score         measure.Score
	Model, Family string
	Unscaled      bool
	Seed          uint64
}

func newSuitesChoice() SuitesChoice { return SuitesChoice{Score: measure.ScoreEI, Seed: 1} }

func (c *SuitesChoice) settle(d Data) {
	c.Model = settled(d.modelChoices(), c.Model, d.mostSuites())
	c.Family = settled(d.familiesOf(c.Model), c.Family, transform.Rot90, d.Current.Family)
}

// mostSuites is the model that was measured on most suites, the first of several.
func (d Data) mostSuites() string {
	seen := map[string]map[string]bool{}
	for _, r := range d.Rows {
		if seen[r.Model.Hash] == nil {
			seen[r.Model.Hash] = map[string]bool{}
		}
		seen[r.Model.Hash][r.Suite] = true
	}
	best := ""
	for _, c := range d.modelChoices() {
		if best == "" || len(seen[c.Key]) > len(seen[best]) {
			best = c.Key
		}
	}
	return best
}

// SuitesPlan is the study over suites, coloured by corruption: point k is row k.
func (v *View) SuitesPlan() Plan {
	c := v.OverSuites
	p := v.suitesPlan(c.Model, c.Family, c.Score)
	p.Options = options(p.Rows, c.Unscaled, c.Seed)
	if len(p.Rows) > 0 {
		p.Title = fmt.Sprintf("Accuracy and %s of %s over suites, %s", ScoreTitle(c.Score), p.Rows[0].Model.ID, p.Rows[0].FamilyName)
	}
	return p
}

func (v *View) suitesPlan(modelHash, family string, score measure.Score) Plan {
	p := Plan{Score: score, Groups: "corruption", OverSuites: true}
	for _, r := range v.Rows {
		if r.Model.Hash == modelHash && r.Family == family {
			p.Rows = append(p.Rows, r)
		}
	}
	p.Points = measure.Points(measuredOf(p.Rows), score, "", true)
	return p
}

// Examined is a study and the plan that it was made by.
type Examined struct {
	Plan
	measure.Study
}

// Examine makes the study of a plan. It is slow: the band takes a thousand fits.
func (p Plan) Examine(ctx context.Context) (Examined, error) {
	s, err := measure.Examine(ctx, p.Points, p.Options)
	return Examined{p, s}, err
}

// Facts are the lines about a study: correlations with p, then what was left out and how the line was made.
func (e Examined) Facts() []string {
	first := together(e.Correlations)
	if !e.Pearson.Defined() {
		first = fmt.Sprintf("no correlation: %s", reasonText(e.Pearson.Reason))
	}
	second := fmt.Sprintf("robust line with a 95 %% band from %s of %s resamples, seed %s", present.Count(int64(e.Defined)), present.Count(int64(e.Options.Resamples)), strconv.FormatUint(e.Options.Seed, 10))
	if !e.Line.Defined() {
		second = fmt.Sprintf("no line: %s", reasonText(e.Line.Reason))
		if e.OverSuites {
			second = fmt.Sprintf("%s. Shifted suites (File, Shifted suites…) give more points, once models are run on them.", second)
		}
	} else if !e.Line.Settled {
		second = fmt.Sprintf("%s; the line did not settle", second)
	}
	if e.Dropped > 0 {
		second = fmt.Sprintf("%s; %s without score or accuracy", second, e.counted(e.Dropped))
	}
	if e.Above == nil {
		return []string{first, second}
	}
	var failed []string
	for k, p := range e.Study.Points {
		if p.AtChance() && !math.IsNaN(e.Y[k]) {
			failed = append(failed, p.ID)
		}
	}
	return []string{first, second, fmt.Sprintf("without %s (accuracy not above chance): %s", present.Some(failed), together(*e.Above))}
}

// together are both correlations of a study in words.
func together(c measure.Correlations) string {
	return fmt.Sprintf("%s; %s; n %d", present.Correlation("Pearson r", c.Pearson), present.Correlation("Spearman ρ", c.Spearman), c.Pearson.N)
}

// counted is a number of points by what they are.
func (p Plan) counted(n int) string {
	if p.OverSuites {
		return present.Counted(int64(n), "suite")
	}
	return present.Counted(int64(n), "model")
}

// Scatter is the figure of a study: point k is row k of the plan.
func (e Examined) Scatter() widget.ScatterData {
	groups, at := groupsOf(e.Study.Points, e.Groups)
	facts := e.Facts()
	d := widget.ScatterData{
		Title: e.Title, Note: e.note(facts), XName: ScoreTitle(e.Score), YName: "accuracy", Groups: groups, Logit: !e.Unscaled,
		Empty: e.empty(), Crossed: "not above chance",
	}
	for k, p := range e.Study.Points {
		d.Points = append(d.Points, widget.ScatterPoint{X: p.Score, Y: e.Y[k], Group: at[k], Name: p.ID, Crossed: p.AtChance()})
	}
	if e.Line.Defined() && len(e.Fitted) > 0 {
		d.Trends = []render.Trend{{X: e.Grid, Y: e.Fitted, Low: e.Low, High: e.High}}
	}
	return d
}

// note is the line below a saved figure: the facts, short enough for its width.
func (e Examined) note(facts []string) string {
	text := facts[0] + "; " + facts[1]
	if e.Line.Defined() && e.Dropped == 0 && e.Line.Settled {
		text = fmt.Sprintf("%s; robust line, 95 %% band, seed %s", facts[0], strconv.FormatUint(e.Options.Seed, 10))
	}
	for _, more := range facts[2:] {
		text += "\n" + more
	}
	return text
}

// empty says why there is no point.
func (e Examined) empty() string {
	if len(e.Rows) == 0 {
		return "nothing was measured for this choice"
	}
	if e.OverSuites {
		return fmt.Sprintf("no suite has both %s and accuracy", ScoreTitle(e.Score))
	}
	return fmt.Sprintf("no model has both %s and accuracy", ScoreTitle(e.Score))
}

// groupsOf are the groups of points by name, with each point's place among them. Points without a group stand first, as one
// without a name where there is no other.
func groupsOf(points []measure.Point, title string) (groups []widget.Group, at []int) {
	var names []string
	for _, p := range points {
		if !slices.Contains(names, p.Group) {
			names = append(names, p.Group)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(boolInt(a != "")-boolInt(b != ""), result.Natural(a, b)) })
	k := 0
	for _, name := range names {
		g := widget.Group{Name: name, Look: widget.Category(k)}
		switch {
		case name != "":
			k++
		case len(names) > 1:
			g = widget.Group{Name: fmt.Sprintf("no %s", title), Look: widget.LookNone}
		}
		groups = append(groups, g)
	}
	for _, p := range points {
		at = append(at, slices.Index(names, p.Group))
	}
	return groups, at
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// scale puts an accuracy on the axis of a study.
func scale(s measure.Study, accuracy float64) float64 {
	if s.Unscaled || math.IsNaN(accuracy) {
		return accuracy
	}
	return measure.Logit(accuracy, s.Eps)
}
