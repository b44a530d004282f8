package invariance

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
)

// Figure is a study as a scatter plot: its points by group, its line with the band, lines of the
// groups, and predicted suites without labels with their intervals. Points at chance are crossed. A
// point's ID is that of its row (Measured.ID).
func (s *Studied) Figure() result.Figure {
	title := "Accuracy and %[1]s, %[2]s, %[3]s"
	if s.Over == OverSuites {
		title = "Accuracy and %[1]s of %[2]s over suites, %[3]s"
	}
	f := s.frame(title)
	f.Crossed = chance.NotAbove.Word()
	groups, of := s.groups()
	f.Groups = groups
	for _, g := range s.Groups {
		at := slices.IndexFunc(groups, func(shown result.Group) bool { return shown.Name == g.Group })
		if at >= 0 && g.Line.Defined() { // groups beyond the looks have none of their own
			f.Trends = append(f.Trends, result.Trend{X: g.Grid, Y: g.Fitted, Group: g.Group, Look: groups[at].Look})
		}
	}
	for k, p := range s.Points {
		if !math.IsNaN(p.Score) && !math.IsNaN(s.Y[k]) {
			f.Points = append(f.Points, result.Point{
				Name: p.ID, ID: s.Rows[k].ID(), X: p.Score, Y: s.Y[k], Group: of[k], Crossed: p.AtChance(),
			})
		}
	}
	s.predicted(&f, Unlabelled)
	return f
}

// ForecastFigure is a forecast as a scatter plot: the suites of the fit and its line, and the
// predicted ones, without labels or held back, with their intervals.
func (s *Studied) ForecastFigure() result.Figure {
	f := s.frame("Accuracy of %[2]s predicted by %[1]s, %[3]s")
	for _, role := range []Role{InFit, HeldBack} {
		g := result.Group{Name: "in the fit", Look: result.LookInvariant}
		if role == HeldBack {
			g = result.Group{Name: "true, held back", Look: result.LookNone}
		}
		for k, p := range s.Points {
			if s.role(k) == role {
				at := result.Point{
					Name: p.ID, ID: s.Rows[k].ID(), X: p.Score, Y: s.scaled(s.True[k]), Group: len(f.Groups),
				}
				f.Points = append(f.Points, at)
			}
		}
		if n := len(f.Points); n > 0 && f.Points[n-1].Group == len(f.Groups) {
			f.Groups = append(f.Groups, g)
		}
	}
	s.predicted(&f, Unlabelled, HeldBack)
	return f
}

// frame is what both figures have in common: texts, axes, the line, why there is nothing to draw.
func (s *Studied) frame(title string) result.Figure {
	f := result.Figure{
		Note:  strings.Join(s.Facts(), "\n"),
		X:     result.Axis{Name: s.Score.Name(), Format: result.Number},
		Y:     result.Axis{Name: "accuracy", Format: result.Share, Logit: !s.Unscaled},
		Empty: fmt.Sprintf("no %s has both %s and accuracy", strings.TrimSuffix(s.Over, "s"), s.Score.Title()),
		Title: fmt.Sprintf(title, s.Score.Title(), s.named(), s.Rows[0].FamilyName),
	}
	if f.Y.Logit {
		f.Y.Unit = "logit scale"
	}
	if s.Line.Defined() && len(s.Fitted) > 0 {
		f.Trends = []result.Trend{{X: s.Grid, Y: s.Fitted, Low: s.Low, High: s.High}}
	}
	return f
}

// predicted adds the predicted suites with these roles over all other points.
func (s *Studied) predicted(f *result.Figure, roles ...Role) {
	first := len(f.Points)
	for _, p := range PredictedOf([]*Studied{s}) {
		if slices.Contains(roles, p.Role) && !math.IsNaN(p.Accuracy) {
			f.Points = append(f.Points, result.Point{
				Name: p.ID, ID: s.Rows[p.K].ID(), X: p.Score, Y: s.scaled(p.Accuracy), Group: len(f.Groups),
				Low: s.scaled(p.Low), High: s.scaled(p.High),
			})
		}
	}
	if len(f.Points) > first {
		f.Groups = append(f.Groups, result.Group{Name: "predicted", Look: result.LookVariant})
	}
}

// scaled is an accuracy on the scale of the study, NaN for NaN.
func (s *Studied) scaled(accuracy float64) float64 {
	return data{unscaled: s.Unscaled, eps: s.Eps}.scaled(accuracy)
}

// groups are the groups of the points in natural order of their names, with each point's place
// among them. Points without a group stand first, as one without a name where there is no other.
// Groups beyond what looks tell apart share the last.
func (s *Studied) groups() (groups []result.Group, of []int) {
	var names []string
	for _, p := range s.Points {
		if !slices.Contains(names, p.Group) {
			names = append(names, p.Group)
		}
	}
	slices.SortFunc(names, result.Natural)
	nameless := 0
	if len(names) > 1 && names[0] == "" {
		nameless = 1
	}
	if most := result.Categories + nameless; len(names) > most {
		names = append(names[:most-1], "others")
	}
	for k, name := range names {
		groups = append(groups, result.Group{Name: name, Look: result.Category(k - nameless)})
	}
	if nameless > 0 && s.Over == OverSuites {
		groups[0] = result.Group{Name: "not corrupted"}
	} else if nameless > 0 {
		groups[0] = result.Group{Name: "no " + s.Column}
	}
	for _, p := range s.Points {
		at := slices.Index(names, p.Group)
		if at < 0 {
			at = len(names) - 1
		}
		of = append(of, at)
	}
	return groups, of
}

// Curve is what a figure over the transformations of a row shows.
type Curve struct {
	Name  string
	lines []curveLine
}

type curveLine struct {
	name  string
	value func(Step) float64
}

func meanOf(s Score) curveLine {
	return curveLine{s.Title(), func(step Step) float64 { return step.Mean[s.measure()] }}
}

// Curves are all of them, in the order of menus.
func Curves() []Curve {
	return []Curve{
		{"EI, consistency, accuracy", []curveLine{
			meanOf(ScoreEI), meanOf(ScoreConsistent), {"accuracy", func(s Step) float64 { return s.Accuracy }},
		}},
		{"JS divergence", []curveLine{meanOf(ScoreJS)}},
		{"KL, both ways", []curveLine{meanOf(ScoreKL), meanOf(ScoreKLReverse)}},
		{"L2 distance", []curveLine{meanOf(ScoreL2)}},
		{"accuracy drop", []curveLine{{"drop", func(s Step) float64 { return s.AccuracyDrop }}}},
	}
}

// At is where the step stands on the axis of a curve.
func (s Step) At() float64 { return transform.AxisAt(s.Of.Family, s.V, s.Transformation) }

// Figure draws the curve of a row over its transformations. A line without any value is left away.
func (c Curve) Figure(m Measured) result.Figure {
	f := result.Figure{
		Title: m.Model.ID + " on " + m.SuiteName, Note: fmt.Sprintf("%s, %s images", m.FamilyName, count(m.Images)),
		X: result.Axis{Format: result.Number}, Y: result.Axis{Name: c.Name, Format: result.Number},
		Empty: "no values: " + c.Name,
	}
	f.X.Name, f.X.Unit = transform.Axis(m.Family)
	steps := Steps([]Measured{m}, false)
	for _, part := range c.lines {
		var x, y []float64
		for _, s := range steps {
			x, y = append(x, s.At()), append(y, part.value(s))
		}
		f.AddLine(part.name, x, y)
		if len(c.lines) == 1 {
			f.Y.Name = part.name
		}
	}
	return f
}
