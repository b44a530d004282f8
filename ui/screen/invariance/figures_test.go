package invariance

import (
	"cmp"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// plotted is a point of a figure, whoever draws it.
type plotted struct {
	name, group     string
	x, y, low, high float64
	crossed         bool
}

func sorted(list []plotted) []plotted {
	slices.SortFunc(list, func(a, b plotted) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.name, b.name))
	})
	return list
}

// sameScatter compares the engine's figure with what this screen draws.
func sameScatter(t *testing.T, f result.Figure, d widget.ScatterData) {
	t.Helper()
	if err := f.Check(); err != nil {
		t.Error(err)
	}
	var got, want []plotted
	for _, p := range f.Points {
		got = append(got, plotted{p.Name, f.Groups[p.Group].Name, p.X, p.Y, p.Low, p.High, p.Crossed})
	}
	for _, p := range d.Points {
		if !math.IsNaN(p.X) && !math.IsNaN(p.Y) {
			want = append(want, plotted{p.Name, d.Groups[p.Group].Name, p.X, p.Y, p.Low, p.High, p.Crossed})
		}
	}
	if diff := gocmp.Diff(sorted(want), sorted(got), gocmp.AllowUnexported(plotted{})); diff != "" {
		t.Error(diff)
	}
	trends := []render.Trend{}
	for _, l := range f.Trends {
		trends = append(trends, render.Trend(l))
	}
	if diff := gocmp.Diff(append([]render.Trend{}, d.Trends...), trends); diff != "" || f.Title != d.Title || f.Y.Logit != d.Logit {
		t.Errorf("%s%q, want %q", diff, f.Title, d.Title)
	}
	if f.Drawable() != (len(want) > 0) || !f.Drawable() && f.Empty != d.Empty {
		t.Errorf("empty: %q, want %q", f.Empty, d.Empty)
	}
}

func measuredOf2(v *View) []measure.Measured {
	list := measuredOf(v.Rows)
	for k := range list {
		list[k].FamilyName = v.Rows[k].FamilyName
	}
	return list
}

// The engine's figures have the points, lines and bands that this screen draws.
func TestFiguresAreThoseOfTheEngine(t *testing.T) {
	v := viewOf(made(12, 9))
	rows := measuredOf2(v)
	for _, score := range []measure.Score{measure.ScoreEI, measure.ScoreJS, measure.ScoreConsistencyMean} {
		for _, unscaled := range []bool{false, true} {
			for _, column := range []string{"", "optimizer"} {
				v.OverModels.Score, v.OverModels.Unscaled, v.OverModels.Column = score, unscaled, column
				c := v.OverModels
				s, err := measure.ModelsStudy{
					Score: score, Suite: c.Suite, Family: c.Family, Column: column, Fit: measure.Fit{Unscaled: unscaled, Resamples: 50, Seed: c.Seed},
				}.Study(t.Context(), rows)
				if err != nil {
					t.Fatal(err)
				}
				sameScatter(t, s.Figure(), examined(t, v.ModelsPlan()).Scatter())
			}
			v.OverSuites.Score, v.OverSuites.Unscaled = score, unscaled
			v.Forecast.Score, v.Forecast.Unscaled = score, unscaled
			o := measure.SuitesStudy{
				Score: score, Model: v.OverSuites.Model, Family: v.OverSuites.Family, Fit: measure.Fit{Unscaled: unscaled, Resamples: 50, Seed: 1},
			}
			s, err := o.Study(t.Context(), rows)
			if err != nil {
				t.Fatal(err)
			}
			want := examined(t, v.SuitesPlan()).Scatter()
			for k := range want.Groups {
				if want.Groups[k].Name == "no corruption" {
					want.Groups[k].Name = "not corrupted"
				}
			}
			sameScatter(t, s.Figure(), want)
			for hash := range v.Forecast.Out {
				o.HeldBack = append(o.HeldBack, hash)
			}
			if s, err = o.Forecast(t.Context(), rows, nil); err != nil {
				t.Fatal(err)
			}
			plan := v.ForecastPlan()
			plan.Options.Resamples = 50
			f, err := plan.Predict(t.Context(), progress.None{})
			if err != nil {
				t.Fatal(err)
			}
			sameScatter(t, s.ForecastFigure(), f.Scatter())
			if score == measure.ScoreEI {
				v.Forecast.Toggle("hash s2")
			}
		}
	}
	for _, r := range v.Rows[:4] {
		m := r.Measured
		m.FamilyName = r.FamilyName
		for k, c := range measure.Courses() {
			f, d := c.Figure(m), r.Chart(Strands()[k])
			if err := f.Check(); err != nil || len(f.Lines) != len(d.Series) || f.X.Name != d.XName || f.X.Unit != d.XUnit || f.Y.Name != d.YName ||
				f.Title != d.Title || f.Empty != d.Empty || !slices.Equal(f.X.Ticks, d.XTicks) {
				t.Errorf("%+v, want %+v, %v", f, d, err)
				continue
			}
			for k, l := range f.Lines {
				if diff := gocmp.Diff(widget.Series{Name: l.Name, X: l.X, Y: l.Y}, d.Series[k]); diff != "" {
					t.Error(diff)
				}
			}
		}
	}
}

// The engine's table has this screen's columns in the same order with the same numbers.
func TestColumnsAreThoseOfTheEngine(t *testing.T) {
	v := viewOf(made(4, 3))
	s := measure.Results.Sheet(measuredOf2(v))
	var shown []result.Field
	for _, f := range s.Fields {
		if f.Show == result.Shown {
			shown = append(shown, f)
		}
	}
	for k, c := range Columns() {
		f := &shown[k]
		if want := c.Title; f.Title != want && want != "correct product" {
			t.Errorf("column %d is %s, want %s", k, f.Title, want)
		}
		for row, r := range v.Rows {
			if want := c.whole(r); c.Value != nil && f.Write(row) != want || c.Text != nil && c.Key != keyChance && f.Write(row) != want && f.Say(row) != want {
				t.Errorf("%s of %s is %s, want %s", f.Key, r.Model.ID, f.Write(row), want)
			}
			if why := f.Why(row).Text; c.Value != nil && why != c.reason(r) {
				t.Errorf("%s of %s is missing because %q, want %q", f.Key, r.Model.ID, why, c.reason(r))
			}
		}
	}
}
