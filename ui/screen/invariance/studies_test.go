package invariance

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/ui/widget"
)

// examined makes a study or ends the test.
func examined(t *testing.T, p Plan) Examined {
	t.Helper()
	p.Options.Resamples = 50
	made, err := p.Examine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestStudyOverModels(t *testing.T) {
	v := viewOf(made(12, 3))
	if c := v.OverModels; c.Suite != "hash s0" || c.Family != "rot90" || c.Score != measure.ScoreEI {
		t.Fatalf("the usual choice is %+v", c)
	}
	v.OverModels.Column = "optimizer"
	e := examined(t, v.ModelsPlan())
	d := e.Scatter()
	if len(d.Points) != 12 || len(d.Groups) != 2 || d.Groups[0].Name != "Adam" || !d.Logit || len(d.Trends) != 1 || len(d.Trends[0].Low) != len(d.Trends[0].X) {
		t.Fatalf("%d points, groups %v, %d trends", len(d.Points), d.Groups, len(d.Trends))
	}
	for k, p := range d.Points {
		r := e.Rows[k]
		if p.Name != r.Model.ID || p.X != r.Mean[measure.EI] || math.Abs(p.Y-math.Log(r.Accuracy/(1-r.Accuracy))) > 1e-12 || d.Groups[p.Group].Name != r.Model.Value("optimizer") {
			t.Errorf("point %d is %+v for %s", k, p, r.Model.ID)
		}
	}
	facts := e.Facts()
	for _, want := range []string{"Pearson r 0.99", "Spearman ρ ", "(p ", "n 12"} {
		if !strings.Contains(facts[0], want) {
			t.Errorf("%q does not say %q", facts[0], want)
		}
	}
	if !strings.Contains(facts[1], "50 of 50 resamples, seed 1") || !strings.Contains(d.Note, facts[0]) || d.Title != "Accuracy and EI, s0, rot90" {
		t.Errorf("%q; %q; %q", facts[1], d.Title, d.Note)
	}
}

// TestUsualFamily: turned images, else what the workspace looks at, else the first that there is.
func TestUsualFamily(t *testing.T) {
	d := made(1, 1)
	d.Current.Family = rotation
	if v := viewOf(d); v.OverModels.Family != "rot90" || v.OverSuites.Family != "rot90" {
		t.Errorf("%+v", v.OverModels)
	}
	d.Rows = d.Rows[1:]
	other := d.Rows[0]
	other.Family, other.FamilyName = "shear:-0.1:0.1:0.1;interpolation=bilinear;border=zero", "a"
	d.Rows = append(d.Rows, other)
	if v := viewOf(d); v.OverModels.Family != rotation || v.Forecast.Family != rotation {
		t.Errorf("%+v", v.OverModels)
	}
	d.Current.Family = "gone"
	if v := viewOf(d); v.OverModels.Family != other.Family {
		t.Errorf("%+v", v.OverModels)
	}
}

func TestStudyUnscaled(t *testing.T) {
	v := viewOf(made(6, 1))
	v.OverModels.Unscaled, v.OverModels.Seed = true, 7
	e := examined(t, v.ModelsPlan())
	if d := e.Scatter(); d.Logit || d.Points[2].Y != e.Rows[2].Accuracy || !strings.Contains(d.Note, "seed 7") {
		t.Errorf("logit %v, y %v, %q", d.Logit, d.Points[2].Y, d.Note)
	}
}

func TestStudyOverSuites(t *testing.T) {
	v := viewOf(made(2, 7))
	if v.OverSuites.Model != "hash m0" || v.OverSuites.Family != "rot90" {
		t.Fatalf("the usual choice is %+v", v.OverSuites)
	}
	e := examined(t, v.SuitesPlan())
	d := e.Scatter()
	var names []string
	for _, g := range d.Groups {
		names = append(names, g.Name)
	}
	if !slices.Equal(names, []string{"no corruption", "contrast", "fog"}) || d.Groups[0].Look != widget.LookNone || len(d.Points) != 7 {
		t.Errorf("groups %v, %d points", names, len(d.Points))
	}
	if e.Dropped != 1 || !strings.Contains(e.Facts()[1], "1 suite without score or accuracy") {
		t.Errorf("%v", e.Facts())
	}
	if !math.IsNaN(d.Points[6].Y) {
		t.Errorf("a suite without labels lies at %v", d.Points[6].Y)
	}
}

func TestStudiesOfTooLittle(t *testing.T) {
	for want, p := range map[string]Plan{
		"no correlation":                         viewOf(made(2, 1)).ModelsPlan(),
		"no suite has both EI and accuracy":      func() Plan { v := viewOf(made(1, 2)); v.Rows = v.Rows[2:]; return v.SuitesPlan() }(),
		"nothing was measured for this choice":   viewOf(Data{}).ModelsPlan(),
		"no model has both EI and accuracy":      func() Plan { v := viewOf(made(3, 2)); v.OverModels.Suite = "hash s1"; return v.ModelsPlan() }(),
		"no line: fewer than 3 points":           viewOf(made(2, 1)).ModelsPlan(),
		"3 models without score or accuracy":     func() Plan { v := viewOf(made(3, 2)); v.OverModels.Suite = "hash s1"; return v.ModelsPlan() }(),
		"1 suite without score or accuracy":      viewOf(made(1, 2)).SuitesPlan(),
		"no correlation: fewer than 3":           viewOf(made(2, 1)).ModelsPlan(),
		"Accuracy and EI of m0 over suites, rot": viewOf(made(1, 2)).SuitesPlan(),
	} {
		e := examined(t, p)
		d := e.Scatter()
		text := strings.Join(e.Facts(), "\n") + "\n" + d.Empty + "\n" + d.Title
		if !strings.Contains(text, want) || len(d.Trends) > 0 {
			t.Errorf("%q does not say %q; %d trends", text, want, len(d.Trends))
		}
	}
}

func TestColoursOnlyWhereTheyTell(t *testing.T) {
	d := made(20, 1)
	if got := d.columns(); !slices.Equal(got, []string{"optimizer"}) { // 20 numbers are too many, one value too few
		t.Errorf("columns %v", got)
	}
	groups, at := groupsOf([]measure.Point{{Group: "b"}, {Group: "a"}, {Group: "b"}}, "x")
	if len(groups) != 2 || groups[0].Name != "a" || !slices.Equal(at, []int{1, 0, 1}) || groups[0].Look == groups[1].Look {
		t.Errorf("%v, %v", groups, at)
	}
	if groups, _ := groupsOf([]measure.Point{{}, {}}, "x"); len(groups) != 1 || groups[0].Name != "" {
		t.Errorf("%v", groups)
	}
}

// forecastOf predicts or ends the test.
func forecastOf(t *testing.T, v *View) Forecast {
	t.Helper()
	p := v.ForecastPlan()
	p.Options.Resamples = 60
	f, err := p.Predict(t.Context(), engine.NoProgress{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestForecast(t *testing.T) {
	v := viewOf(made(2, 8))
	f := forecastOf(t, v)
	lines := f.Lines()
	if len(lines) != 8 || lines[0].Role != Unlabeled || lines[0].Name != "s7" || lines[1].Role != InFit {
		t.Fatalf("lines %+v", lines)
	}
	for _, l := range lines {
		if math.IsNaN(l.Predicted) || !(l.Low <= l.Predicted && l.Predicted <= l.High) || math.IsNaN(l.True) != (l.Role == Unlabeled) {
			t.Errorf("%+v", l)
		}
	}
	if !lines[0].Extrapolated || lines[0].Remark() != "extrapolated" || lines[0].Cell(1) != "no labels, extrapolated" || lines[0].Cell(6) != "-" {
		t.Errorf("the suite of the lowest score: %+v, %q", lines[0], lines[0].Cell(1))
	}
	if got := f.Facts(); !strings.Contains(got[1], "leaving one suite out: error ") || !strings.Contains(got[1], " pp at worst; ") {
		t.Errorf("%q", got)
	}
	d := f.Scatter()
	if len(d.Points) != 8 || len(d.Groups) != 2 || len(d.Trends) != 1 {
		t.Fatalf("%d points, groups %v", len(d.Points), d.Groups)
	}
	if p := d.Points[7]; p.Name != "s7" || d.Groups[p.Group].Name != "predicted" || !(p.Low < p.Y && p.Y < p.High) {
		t.Errorf("the predicted suite is drawn as %+v", p)
	}
}

// TestHeldBackSuitesArePredicted: as if they had no labels, with the truth beside it.
func TestHeldBackSuitesArePredicted(t *testing.T) {
	v := viewOf(made(2, 8))
	before := v.Forecast.Out
	v.Forecast.Toggle("hash s3")
	if len(before) != 0 {
		t.Error("a choice that is at work was changed")
	}
	f := forecastOf(t, v)
	lines := f.Lines()
	if lines[1].Name != "s3" || lines[1].Role != HeldBack || len(f.LeaveOneOut) != 6 || math.IsNaN(lines[1].Error()) {
		t.Fatalf("%+v", lines[1])
	}
	if d := f.Scatter(); len(d.Points) != 9 || len(d.Groups) != 3 {
		t.Errorf("%d points, groups %v", len(d.Points), d.Groups)
	}
	head, rows := f.Table()
	if len(rows) != 8 || len(rows[0]) != len(head) || rows[1][6] != "held back" || rows[0][6] != "unlabelled" || rows[0][8] != "" || rows[0][12] != "yes" {
		t.Errorf("%v\n%v", head, rows)
	}
	v.Forecast.Toggle("hash s3")
	if len(v.Forecast.Out) != 0 {
		t.Errorf("out are %v", v.Forecast.Out)
	}
}

func TestForecastOfTooLittle(t *testing.T) {
	f := forecastOf(t, viewOf(made(1, 3)))
	if f.Reason.Code != measure.FewLabelled || !strings.Contains(f.Facts()[0], "fewer than 4 labelled suites") || len(f.Lines()) != 3 || len(f.Scatter().Trends) != 0 {
		t.Errorf("%q, %v", f.Reason, f.Facts())
	}
	if got := forecastOf(t, viewOf(Data{})); len(got.Lines()) != 0 || got.Reason.None() {
		t.Errorf("%+v", got)
	}
}

func TestLinesSayWhatIsWrong(t *testing.T) {
	l := Line{Name: "s1", Role: InFit, True: 0.5, Predicted: 0.7, Low: 0.6, High: 0.8}
	if l.Remark() != "beyond the interval" || l.Cell(6) != "+20.0 pp" || l.Cell(5) != "60.0 to 80.0 %" || l.Cell(4) != "70.0 %" || l.Cell(99) != "" {
		t.Errorf("%q, %q", l.Remark(), l.Cell(6))
	}
	if got := l.Detail(); got != "s1, in the fit: predicted 70.0 % (60.0 % to 80.0 %); beyond the interval" {
		t.Errorf("%q", got)
	}
	for role, want := range map[Role]string{HeldBack: "held back", Unlabeled: "no labels", Scoreless: "no score"} {
		if role.Word() != want {
			t.Errorf("%d is %q", role, role.Word())
		}
	}
}

func TestFewSuitesAskForShiftedOnes(t *testing.T) {
	v := viewOf(made(6, 1))
	facts := examined(t, v.SuitesPlan()).Facts()
	if !strings.HasPrefix(facts[1], "no line: ") || !strings.Contains(facts[1], "Shifted suites") {
		t.Errorf("%q", facts)
	}
}
