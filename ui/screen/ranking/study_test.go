package ranking

import (
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
)

func TestCurvesThatAreShown(t *testing.T) {
	curves := []rank.Curve{{Method: rank.CRC}, {Method: rank.LaFMethod}, {Method: rank.Random}, {Method: rank.EI}}
	if got := curvesShown(curves, false); len(got) != 2 || got[0].Method != rank.LaFMethod ||
		got[1].Method != rank.Random {
		t.Errorf("%v", got)
	}
	if got := curvesShown(curves, true); len(got) != 4 || got[0].Method != rank.LaFMethod || got[2].Method != rank.CRC {
		t.Errorf("%v", got)
	}
	if got := curvesShown(curves[:1], false); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func TestCurvesNeedTheTruth(t *testing.T) {
	d := crowd(4, 60, 1)
	if why := noCurves(Outcome{Answer: answerOf(t, d, nil)}); why != "" {
		t.Errorf("%q", why)
	}
	d.Truth = slices.Clone(d.Truth)
	d.Truth[7] = -1
	if noCurves(Outcome{Answer: answerOf(t, d, nil)}) == "" || noCurves(Outcome{}) == "" {
		t.Error("curves without the truth")
	}
}

// shiftedSources are a suite, two forms of it and one of another suite.
func shiftedSources() []Source {
	return []Source{
		{ID: "a", Name: "digits", Labels: true},
		{
			ID: "a-fog-1", Name: "digits, fog 1", Base: "a",
			Change: corrupt.Setting{Name: "fog", Severity: 1, Seed: 1}.String(), Labels: true,
		},
		{
			ID: "a-fog-3", Name: "digits, fog 3", Base: "a",
			Change: corrupt.Setting{Name: "fog", Severity: 3, Seed: 1}.String(), Labels: true,
		},
		{ID: "b", Name: "other", Labels: true},
		{
			ID: "b-snow", Name: "other, snow 1", Base: "b",
			Change: corrupt.Setting{Name: "snow", Severity: 1, Seed: 1}.String(),
		},
	}
}

func TestShiftedSuites(t *testing.T) {
	from := &crowded{data: map[string]rank.Data{"a": crowd(8, 120, 1), "a-fog-1": crowd(8, 120, 2)}}
	list := shiftedSources()
	for k, want := range []int{3, 3, 3, 2, 2} {
		if got := family(list, list[k]); len(got) != want || got[0].Base != "" {
			t.Errorf("family of %s: %v", list[k].ID, got)
		}
	}
	got, err := measureShifted(context.Background(), from, family(list, list[0]), few(), engine.NoProgress{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 2 || len(got.Left) != 1 || got.Left[0].Suite != "digits, fog 3" {
		t.Fatalf("%d rows, left out %v", len(got.Rows), got.Left)
	}
	plain, fog := got.Rows[0], got.Rows[1]
	if plain.Corruption != "" || fog.Corruption != "fog" || fog.Severity != 1 {
		t.Errorf("%+v and %+v", plain, fog)
	}
	accuracy := from.data["a"].Accuracy()
	if plain.Lowest != slices.Min(accuracy) || plain.Highest != slices.Max(accuracy) {
		t.Errorf("%v..%v, want %v..%v", plain.Lowest, plain.Highest, slices.Min(accuracy), slices.Max(accuracy))
	}
	d := rank.ConditionsFigure(got.Rows, rank.Measure{Key: "spearman"}, false)
	if len(d.Points) != 2 || len(d.Groups) != 2 || d.Points[0].X != got.Rows[0].MeanAccuracy {
		t.Errorf("%+v", d)
	}
	if d := rank.ConditionsFigure(got.Rows, rank.Measure{Key: "kendall"},
		true); d.Points[0].X != got.Rows[0].Diversity || d.Points[0].Y != got.Rows[0].Quality.Kendall.Mean {
		t.Errorf("%+v", d.Points[0])
	}
	if text := measuredText(got.Left, len(got.Rows)); !strings.HasPrefix(text, "1 suite left out: digits, fog 3: ") {
		t.Errorf("%q", text)
	}
	if text := measuredText(nil, 1); !strings.Contains(text, "make shifted suites") || measuredText(nil, 2) != "" {
		t.Errorf("%q", text)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := measureShifted(ctx, from, list, few(), engine.NoProgress{}); err == nil {
		t.Error("a cancelled study has an answer")
	}
}

// TestRankersOverSuites: averages are those over the suites and budgets that a slow sum finds, by
// the chosen measure; the files have the same tables.
func TestRankersOverSuites(t *testing.T) {
	r := newRig(t, func(r *rig) {
		for severity := 1; severity <= 3; severity++ {
			fog := r.ws.Shift(r, "fog", severity)
			r.store.data[fog.Hash] = crowd(12, sample.Images, uint64(2+severity))
		}
	})
	r.set(func(s *Settings) { s.Methods = []rank.Method{rank.LaFMethod, rank.CRC, rank.Random} })
	r.tab("suites")
	r.press("Rank on suites")
	p := r.screen.suites
	r.stage.Until("all suites are ranked on", func() bool { return len(p.got().On) == 4 && p.Idle() })
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SCREENS"), "ranking-suites-ranked")
	p.tables.SelectIndex(1)
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SCREENS"), "ranking-suites-two-by-two")
	rows := p.averages.Shown()
	if len(rows) != 6 || len(p.differences.Shown()) != 3 || len(p.shifts.Shown()) != 5 { // with one of their mean
		t.Fatalf("%d averages, %d pairs, %d suites", len(rows), len(p.differences.Shown()), len(p.shifts.Shown()))
	}
	sum, n := 0.0, 0.0
	for _, on := range p.got().On[1:] {
		for _, q := range on.Curves[2].Quality {
			sum, n = sum+q.Spearman.Mean, n+1
		}
	}
	at := slices.IndexFunc(rows, func(a rank.Averaged) bool {
		return a.Ranker == "random" && a.Of == "shifted from shapes"
	})
	if got := rows[at]; got.Suites != 3 || got.Budgets != 7 || math.Abs(got.Average-sum/n) > 1e-12 {
		t.Errorf("%+v, want %v", got, sum/n)
	}
	if err := p.form.Put("measure", "kendall"); err != nil || p.differences.Shown()[0].Measure.Key != "kendall" ||
		p.averages.Shown()[at].Average == rows[at].Average {
		t.Errorf("%+v, %v", p.averages.Shown()[at], err)
	}
	want := "variscope rank " + r.ws.Path() + " --suite shapes"
	if got := p.averages.Command(); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, " --curves --shifted") {
		t.Errorf("%s, want %s", got, want)
	}
	labels := func(items []*fyne.MenuItem) (list []string) {
		for _, item := range items {
			list = append(list, item.Label)
		}
		return list
	}
	menu := r.screen.exportMenu()
	over := menu[len(menu)-1]
	for _, table := range []string{rank.Averages.Title, rank.Differences.Title, rank.Shifts.Title} {
		if list := labels(over.ChildMenu.Items); over.Label != "Over suites" ||
			!slices.Contains(list, table+" (CSV)…") {
			t.Errorf("%q has no %s", list, table)
		}
		if list := labels(menu); slices.Contains(list, table+" (CSV)…") {
			t.Errorf("%q has %s, which does not rest on its true classes", list, table)
		}
	}
}

// TestSuitesWithOtherModels: who takes no part on a suite is said, but for those that a person
// leaves out; the suite that others are made from need not be ranked, and progress comes to its
// end.
func TestSuitesWithOtherModels(t *testing.T) {
	r := newRig(t, func(r *rig) {
		r.store.data[r.ws.Shapes.Hash] = crowd(2, sample.Images, 1)
		for severity := 1; severity <= 2; severity++ {
			r.store.data[r.ws.Shift(r, "fog", severity).Hash] = crowd(8+severity, sample.Images, uint64(severity))
		}
		for _, id := range []string{"m10", "m11"} {
			r.store.left = append(r.store.left, rank.LeftOut{
				ID: id, Suite: "shapes, fog 1", Reason: result.Because("none", "not run"),
			})
		}
	})
	list := family(r.idle().Sources, r.idle().Material.Source)
	s := few()
	s.Methods, s.Without = []rank.Method{rank.LaFMethod}, []string{"m11"}
	var p counter
	got, err := rankOn(t.Context(), r.store, list, s, predictions.Ask{}, &p)
	if err != nil || len(got.On) != 3 || got.On[0].Rankings != nil || p.total != 3 || p.done != 3 {
		t.Fatalf("%d suites, %+v, %v", len(got.On), p, err)
	}
	if l := got.LeftOut; len(l) != 3 || l[0].ID != "" || l[0].Suite != "shapes" || l[1].ID != "m10" ||
		l[2].ID != "m10" {
		t.Errorf("left out: %+v", l)
	}
	text := measuredText(got.LeftOut, 2)
	if !strings.Contains(text, "1 suite left out: shapes: ") ||
		!strings.HasSuffix(text, "Models left out on 2 suites: shapes, fog 1: m10 (not run).") {
		t.Error(text)
	}
	if text := rank.Uneven(got.On); !strings.Contains(text, "9 to 10 on each") {
		t.Error(text)
	}
}

// counter is progress that counts.
type counter struct{ total, done int64 }

func (c *counter) SetTotal(n int64) { c.total = n }
func (c *counter) Add(n int64)      { c.done += n }

func TestSources(t *testing.T) {
	derived := func(name, of string) suite.Manifest {
		return suite.Manifest{
			Hash: name + "-hash", Name: name, Derived: &suite.Derived{Of: of, Change: "corruption:fog:1;seed=1"},
		}
	}
	list := sources([]suite.Manifest{
		derived("digits, fog 10", "1"),
		{Hash: "1", Name: "digits", Classes: []string{"0", "1"}, Images: 5},
		derived("digits, fog 2", "1"),
		{Hash: "2", Name: "digits"},
		derived("lost", "3"),
	}, []store.PredictionTable{
		{ID: "T1", Name: "text models", Samples: 9, Truth: true, ClassNames: []string{"a", "b"}},
		{ID: "T2", Name: "more of digits", Suite: "1"},
	})
	var titles []string
	for _, s := range list {
		titles = append(titles, s.title())
	}
	want := []string{"digits (1)", "digits, fog 2", "digits, fog 10", "digits (2)", "lost", "text models (imported)"}
	if !slices.Equal(titles, want) {
		t.Errorf("%q, want %q", titles, want)
	}
	if s, ok := sourceWith(list, "T1"); !ok || !s.Table || !s.Labels || s.Images != 9 {
		t.Errorf("%+v", s)
	}
	for _, c := range []struct{ id, current, want string }{
		{"2", "1", "2"},
		{"", "2", "2"},
		{"gone", "gone", "1"},
		{"T1", "1", "T1"},
	} {
		if got, ok := choose(list, c.id, c.current); !ok || got.ID != c.want {
			t.Errorf("%q with %q current is %q", c.id, c.current, got.ID)
		}
	}
	if _, ok := choose(nil, "", ""); ok {
		t.Error("something to rank on where nothing is")
	}
}
