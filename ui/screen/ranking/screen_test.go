package ranking

import (
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
)

func TestScreenRanksTheCurrentSuite(t *testing.T) {
	r := newRig(t, nil)
	out := r.idle()
	if !strings.Contains(r.texts(), "12 models on 60 images of shapes") {
		t.Errorf("it says %q", r.texts())
	}
	if o := r.screen.Options(); o.Source != "" || o.Truth != predictions.OfSuite ||
		len(r.screen.ranking.list.Shown()) != 12 {
		t.Errorf("ranked on %q by %q", o.Source, o.Truth)
	}
	best := r.screen.ranking.list.Shown()[0]
	if laf := out.Board.Rankings[0]; laf.Rank[best.Model] != 1 {
		t.Error("the best model by the first ranker is not first")
	}
	for _, key := range []string{"ranking", "images", "rankers", "budget", "suites", "conditions", "left"} {
		r.tab(key)
		r.stage.Draw(r.window, os.Getenv("VARISCOPE_SCREENS"), "ranking-"+key)
	}
	r.tab("rankers")
	r.press("Save…")
	if len(r.window.Canvas().Overlays().List()) != 1 {
		t.Error("the rankers' agreement has no menu of files")
	}
	if r.store.asked.Load() != 1 {
		t.Errorf("gathered %d times", r.store.asked.Load())
	}
}

func TestSelectAndOpen(t *testing.T) {
	r := newRig(t, nil)
	out := r.idle()
	list := r.screen.ranking.list
	list.Focus()
	r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	first, ok := list.Selected()
	if !ok || !strings.HasPrefix(r.said, out.Board.Models[first.Model].ID+", true accuracy ") ||
		!strings.Contains(r.said, ", LaF 1") {
		t.Errorf("said %q", r.said)
	}
	list.OnOpen(first)
	r.screen.ranking.bars.OnOpen(r.screen.ranking.bars.Data().ItemID(0))
	if want := []string{
		out.Board.Models[first.Model].Hash,
		out.Board.Models[out.byLaF()[0]].Hash,
	}; !slices.Equal(r.opened, want) {
		t.Errorf("opened %v, want %v", r.opened, want)
	}
	r.screen.open(rank.Model{ID: "m03"})
	if len(r.opened) != 2 || !strings.Contains(r.said, "m03 is not in this workspace") {
		t.Errorf("opened %v, said %q", r.opened, r.said)
	}
	if got := r.screen.ranking.quality.Shown(); len(got) != len(out.Board.Rankings) ||
		got[0].Ranking().Method != rank.LaFMethod {
		t.Errorf("qualities %+v", got)
	}
}

func TestImagesTab(t *testing.T) {
	r := newRig(t, nil)
	out := r.idle()
	r.tab("images")
	p := r.screen.images
	r.stage.Until("the pictures are read", func() bool {
		return len(p.hard) > 0 && p.pictures.Picture(p.hard[0].Image) != nil
	})
	p.mosaic.OnTap(result.Whole(p.hard[3].Image))
	if rules := p.spread.Data().Rules; p.wall.Cursor() != 3 || len(rules) != 1 || rules[0].X != p.hard[3].Difficulty ||
		!strings.HasPrefix(r.said, "#") {
		t.Errorf("cursor %d, rules %v, said %q", p.wall.Cursor(), rules, r.said)
	}
	if text := p.mosaic.Tell(len(out.Board.Models)); !strings.Contains(text, "(1 by LaF)") {
		t.Errorf("said %q", text)
	}
	p.judge.SetSelected(p.judge.Options[1])
	if d := p.mosaic.Data(); d.Groups[0].Name != "agrees with LaF's class" {
		t.Errorf("kinds %v", d.Groups)
	}
	p.mosaic.Focus()
	r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	r.press("Inspect it with " + out.Board.Models[out.byLaF()[0]].ID)
	if !slices.Equal(r.looked, []int{p.hard[3].Image}) {
		t.Errorf("looked at %v", r.looked)
	}
	r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	p.wall.OnOpen(p.wall.Cursor())
	r.press("Close")
	if rules := p.spread.Data().Rules; p.wall.Cursor() != 4 || rules[0].X != p.hard[4].Difficulty {
		t.Errorf("cursor %d, rules %v", p.wall.Cursor(), rules)
	}
}

func TestBudgetTab(t *testing.T) {
	r := newRig(t, nil)
	r.idle()
	r.tab("budget")
	p := r.screen.budget
	r.press("Measure curves")
	r.stage.Until("the curves are measured", func() bool { return p.got() != nil && p.Idle() })
	if f := p.chart.Data(); len(f.Lines) == 0 || f.Lines[0].Name != "LaF" {
		t.Errorf("%d curves", len(f.Lines))
	}
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SCREENS"), "ranking-budget-measured")
	if rows := p.table.Shown(); len(rows) < 2 || rows[0].Ranker != "laf" || rows[0].Budgets != 7 {
		t.Errorf("averages %+v", rows)
	}
	line := p.chart.Command()
	if !strings.HasPrefix(line, "variscope rank "+r.ws.Path()+" --suite shapes ") ||
		!strings.HasSuffix(line, " --repetitions 3 --curves") {
		t.Error(line)
	}
	near := len(p.chart.Data().Lines)
	testdata.OK(t, p.form.Put("measure", "kendall"))
	testdata.OK(t, p.form.Put("all", "true"))
	if f := p.chart.Data(); f.Y.Name != "Kendall's τ-b" || len(f.Lines) <= near {
		t.Errorf("axis %q, %d curves", f.Y.Name, len(f.Lines))
	}
	r.tab("ranking")
	r.tab("budget")
	r.stage.Until("it is there", p.Idle)
	if p.got() == nil {
		t.Error("the curves are gone after another tab")
	}
	r.tab("ranking")
	r.set(func(s *Settings) { s.Seed = 7 })
	if p.got() != nil {
		t.Error("curves of another seed stay")
	}
}

func TestConditionsTab(t *testing.T) {
	r := newRig(t, nil)
	r.idle()
	r.tab("conditions")
	p := r.screen.conditions
	r.press("Measure impact")
	r.press("Measure suites")
	r.stage.Until("both are measured", func() bool { return p.impact.got() != nil && len(p.suites.got().Rows) == 1 })
	if d := p.figure.Data(); len(d.Points) != 1 || d.Points[0].Name != "shapes" || len(p.chart.Data().Lines) != 2 {
		t.Errorf("%+v", d.Points)
	}
	names := 0
	for _, item := range r.screen.exportMenu() {
		if strings.HasPrefix(item.Label, "Impact of") || strings.HasPrefix(item.Label, "Conditions of") {
			names++
		}
	}
	if names != 2 {
		t.Errorf("%d studies are exported", names)
	}
	p.table.OnOpen(p.table.Shown()[0])
	r.idle()
	if r.screen.tabs.Front() != "ranking" {
		t.Error("a suite of the table is not opened")
	}
}

func TestStudiesWithoutTruth(t *testing.T) {
	r := newRig(t, func(r *rig) { r.memory["options.ranking"] = `{"repetitions":"3","truth":"none"}` })
	if out := r.idle(); out.Board.Truth != nil || out.Settings.Truth != predictions.NoTruth {
		t.Errorf("truth %v by %q", out.Board.Truth, out.Settings.Truth)
	} else if got := out.Caption(); got != "12 models on 60 images of shapes, without true classes" {
		t.Errorf("caption %q", got)
	}
	r.tab("budget")
	if b := r.button("Measure curves"); !b.Disabled() || !strings.Contains(r.texts(), "need the true classes") {
		t.Error("curves are offered")
	}
	r.tab("conditions")
	if b := r.button("Measure impact"); !b.Disabled() {
		t.Error("the impact is offered")
	}
}

func TestLabelsByHand(t *testing.T) {
	truth := crowd(12, sample.Images, 1).Truth
	r := newRig(t, func(r *rig) {
		r.memory["options.ranking"] = `{"truth":"none","methods":"laf,random","budget":"10"}`
	})
	r.idle()
	if !strings.Contains(r.texts(), "random for 10 images") {
		t.Errorf("it says %q", r.screen.ranking.wanted.Text)
	}
	r.press("Label images…")
	if len(r.asked) != 1 || len(r.asked[0].Images) != 10 || r.asked[0].Suite != r.ws.Shapes.Hash ||
		!slices.Equal(r.asked[0].Classes, sample.Classes) {
		t.Fatalf("asked for %+v", r.asked)
	}
	for _, image := range r.asked[0].Images {
		r.store.hand[image] = truth[image]
	}
	r.done()
	out := r.idle()
	if out.Settings.Truth != predictions.ByHand || !out.Board.Rankings[1].Reason.None() ||
		r.screen.ranking.ask.Visible() {
		t.Errorf("truth %q, random %+v", out.Settings.Truth, out.Board.Rankings[1])
	}
	asked := r.store.asked.Load()
	r.done()
	r.idle()
	if r.store.asked.Load() != asked+1 {
		t.Error("labels that were given again are not read")
	}
}

func TestTooFewModelsSayWhy(t *testing.T) {
	r := newRig(t, func(r *rig) {
		r.store.data = nil
		r.store.left = []rank.LeftOut{{
			ID: "m00", Hash: "h0", Reason: result.Reason{Code: signal.NoSignals, Text: store.ErrNoSignals.Error()},
		}}
	})
	if e, is := r.screen.empty(r.idle()); !is || !strings.Contains(e.Text, "m00: ") {
		t.Errorf("%q", e.Text)
	}
	r.press("Predict with them")
	if !slices.Equal(r.ran, []string{"h0"}) {
		t.Errorf("ran %v", r.ran)
	}
	if e, is := r.screen.empty(Outcome{}); !is || len(e.Help) != 2 ||
		!strings.Contains(e.Text, "Import models and a suite") {
		t.Errorf("%q", e.Text)
	}
}

// What is known before the slow rankers have answered is shown, and says what is still to come.
func TestRankersThatAnswerSoonAreShownFirst(t *testing.T) {
	var parts []Answer
	s := few()
	a, err := rankAll(t.Context(), Material{Data: crowd(5, 80, 1)}, s, engine.NoProgress{},
		func(a Answer) { parts = append(parts, a) })
	if err != nil || len(parts) != 1 {
		t.Fatalf("%d parts, %v", len(parts), err)
	}
	part := parts[0].Board
	if len(part.Rankings) != len(a.Board.Rankings) || part.Rankings[4].Method != rank.CES ||
		part.Rankings[4].Reason.None() || !a.Board.Rankings[4].Reason.None() {
		t.Errorf("before %+v, after %+v", part.Rankings[4], a.Board.Rankings[4])
	}
	if slices.Contains(part.Compared, rank.CES) || !slices.Contains(a.Board.Compared, rank.CES) ||
		len(a.Board.Spearman) != len(a.Board.Compared) {
		t.Errorf("compared %v, then %v", part.Compared, a.Board.Compared)
	}
	all, err := rank.MakeLeaderboard(t.Context(), crowd(5, 80, 1), s.options(), engine.NoProgress{})
	if err != nil || !slices.EqualFunc(all.Rankings, a.Board.Rankings, func(x, y rank.Ranking) bool {
		return x.Method == y.Method && slices.Equal(x.Scores, y.Scores)
	}) {
		t.Errorf("in two parts the scores are others (%v)", err)
	}
	s.Methods, parts = []rank.Method{rank.CES}, nil
	if a, err := rankAll(t.Context(), Material{Data: crowd(5, 80, 1)}, s, engine.NoProgress{},
		func(a Answer) { parts = append(parts, a) }); err != nil || len(parts) > 0 || len(a.Board.Rankings) != 1 {
		t.Errorf("CES alone: %d parts, %d rankings, %v", len(parts), len(a.Board.Rankings), err)
	}
}
