package assessors

import (
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/present"
)

// pages are the keys of the tabs.
var pages = []string{"scores", "inside", "verdicts", "doubts", "stability"}

func TestTrainShowsTheBestAndEachOther(t *testing.T) {
	r := newRated(t, 40)
	l := r.train(nil)
	best, _ := r.screen.Subject()
	for _, e := range l.Entries {
		if e.Evaluation.Accuracy > best.Evaluation.Accuracy {
			t.Errorf("%s is better than %s", e.Title(), best.Name)
		}
	}
	for _, a := range assess.Algorithms() {
		r.choose(a)
		if s, _ := r.screen.Subject(); s.Assessor.Settings.Algorithm != a ||
			!strings.Contains(r.screen.widgets.name.Text, a.Title(false)) {
			t.Errorf("%s: %q is shown", a, r.screen.widgets.name.Text)
		}
		for _, page := range pages {
			r.turn(page)
		}
		r.turn("inside")
		for k := range viewNames() {
			r.screen.widgets.inside.views.SetSelectedIndex(k)
			r.settle()
			listed := a == assess.AdaBoost && view(k) == structure // its table saves itself
			if name := viewNames()[k]; a != assess.Baseline && !listed && r.screen.widgets.inside.save.Disabled() {
				t.Errorf("%s: %s cannot be saved", a, name)
			}
			if listed && len(r.screen.widgets.inside.stumps.Shown()) == 0 {
				t.Error("the trees of AdaBoost are not listed")
			}
		}
		inside := r.screen.widgets.inside
		if inside.views.SetSelectedIndex(0); a != assess.RandomForest {
			continue
		}
		r.stage.Until("a tree by its number", func() bool { return len(inside.number.Options) == 10 })
		inside.number.SetSelectedIndex(7)
		if title := inside.tree.Data().Title; title != "Tree 8 of random forest" || !inside.choose.Visible() {
			t.Error(title)
		}
	}
	if len(r.failed) > 0 {
		t.Error(r.failed)
	}
}

func TestVerdictsAreExplained(t *testing.T) {
	r := newRated(t, 40)
	r.train(nil)
	r.choose(assess.RandomForest)
	r.turn("verdicts")
	page := r.screen.widgets.judge
	all := page.list.Shown()
	if len(all) != len(r.screen.training.Data.Rows) {
		t.Errorf("%d lines", len(all))
	}
	selected := func() string { j, _ := page.list.Selected(); return j.Hash }
	r.stage.Until("the first model is explained", func() bool {
		return strings.HasPrefix(page.why.Text, all[0].ID+": ") && selected() == all[0].Hash
	})
	page.list.Select(all[4].Hash)
	page.explain(all[4])
	r.stage.Until("it is explained", func() bool {
		return page.bars.Data().Drawable() && len(page.row.Shown().Tiles) > 0
	})
	if !strings.HasPrefix(page.why.Text, all[4].ID+": judged") || len(page.row.Shown().Tiles) != 5 ||
		page.save.Disabled() {
		t.Errorf("%q with %d matrices", page.why.Text, len(page.row.Shown().Tiles))
	}
	page.row.Tiles()[0].Heatmap()
	chosen := all[4].Hash
	r.press("Open model")
	r.stage.Until("the model is opened", func() bool { return len(r.opened) > 0 })
	if len(r.opened) != 1 || r.opened[0] != chosen {
		t.Errorf("opened %v", r.opened)
	}
	for k, takes := range []func(assess.Judgement) bool{
		1: func(j assess.Judgement) bool { return j.Label == "" },
		2: func(j assess.Judgement) bool { return len(j.Differs) > 0 },
		3: func(j assess.Judgement) bool { return j.Verdict.Label == label.Variant },
		4: func(j assess.Judgement) bool { return j.Verdict.Label == label.Invariant },
	} {
		if page.menu.SetSelectedIndex(k); k == 0 {
			continue
		}
		shown := page.list.Shown()
		want := len(slices.DeleteFunc(slices.Clone(all), func(j assess.Judgement) bool { return !takes(j) }))
		if len(shown) != want || want == 0 {
			t.Errorf("%s: %d models, want %d", page.menu.Selected, len(shown), want)
		}
		if slices.ContainsFunc(shown, func(j assess.Judgement) bool { return !takes(j) }) {
			t.Errorf("%s has others", page.menu.Selected)
		}
	}
	page.list.SetFilter("no such model")
	page.explainModel(r.screen.training.Data.Rows[0].Hash)
	r.settle()
	if len(page.list.Shown()) != 32 || page.chosen != r.screen.training.Data.Rows[0].Hash {
		t.Error("a model that the list hides is not explained")
	}
	r.choose(assess.DecisionTree)
	r.stage.Until("the next assessor explains the same model", func() bool {
		return page.chosen == r.screen.training.Data.Rows[0].Hash && strings.HasPrefix(page.why.Text, all[0].ID+": ") &&
			page.bars.Data().Drawable()
	})
	r.choose(assess.Baseline)
	r.stage.Until("the baseline says why not", func() bool {
		return strings.Contains(page.why.Text, "columns") || strings.Contains(page.why.Text, "features")
	})
}

func TestABlindOpenRoundIsRefused(t *testing.T) {
	r := newRig(t, 12)
	round := r.ws.NewRound(t, func(round *label.Round) { round.Blind = true })
	for k, m := range r.ws.Imported {
		r.ws.Put(t, round, "r1", m.Hash, label.Values(2)[k%2])
	}
	r.stage.Until("the round is offered", func() bool { return r.screen.widgets.form.Options().Labels == round.ID })
	refused := r.screen.widgets.form.Err()
	if refused == nil || !strings.Contains(refused.Error(), "first look is blind") {
		t.Error(refused)
	}
	if test.Tap(r.screen.widgets.form.train); !r.screen.widgets.form.train.Disabled() ||
		len(r.screen.host.Work.Jobs()) > 0 {
		t.Error("it trains all the same")
	}
	r.screen.Train(r.screen.widgets.form.Options()) // the engine refuses, too
	r.stage.Until("it is refused", func() bool { return len(r.failed) == 1 })
	if text := present.Sentence(r.failed[0]); text != refused.Error() || !strings.Contains(r.texts(), text) {
		t.Errorf("the form says %q, the refusal %q", refused, text)
	}
}

// Labels say how people saw the matrices of their round; the form warns where others are measured.
func TestLabelsOfAnotherFamilyAreWarnedOf(t *testing.T) {
	r := newRig(t, 12)
	f := r.screen.widgets.form
	round := r.ws.NewRound(t, func(round *label.Round) { round.Family = "rotation:-30:30:10" })
	r.stage.Until("the round is offered", func() bool { return f.Options().Labels == round.ID })
	if !f.caution.Visible() || !strings.Contains(f.caution.Text, "round first look is about shapes, ") ||
		!strings.Contains(f.caution.Text, "-30..30° step 10; the toolbar shows shapes, ") {
		t.Errorf("it warns %q", f.caution.Text)
	}
	if f.train.Disabled() {
		t.Error("a warning forbids to train")
	}
	testdata.OK(t, r.ws.SetCurrent(store.Current{Suite: round.Suite, Family: round.Family}))
	r.stage.Until("the toolbar's choice is heard", func() bool { return !f.caution.Visible() })
	round.Suite = strings.Repeat("0a", 32)
	o := FormChoices{Rounds: []label.Round{round}, Here: f.offer.Here, Suites: f.offer.Suites}
	if text := o.warning(f.Options()); !strings.Contains(text, "is about "+result.ID.SayText(round.Suite)) {
		t.Errorf("of a suite that is not here: %q", text)
	}
	if text := o.warning(assess.EvalOptions{DataOptions: assess.DataOptions{Column: "rule"}}); text != "" {
		t.Errorf("labels of a column: %q", text)
	}
}

func TestStabilityAndTransferAreComputedOnce(t *testing.T) {
	r := newRated(t, 30)
	for k, m := range r.ws.Imported {
		err := r.ws.UpdateModel(m.Hash, func(m *model.Model) error {
			m.Record = append(m.Record, model.Field{Name: "half", Value: []string{"even", "odd"}[k%2]})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	r.stage.Until("the groups are offered", func() bool {
		return slices.Contains(r.screen.widgets.form.offer.Groups, "half")
	})
	r.train(func(o *assess.EvalOptions) { o.Algorithm = []assess.Algorithm{assess.DecisionTree, assess.Baseline} })
	r.turn("stability")
	page := r.screen.widgets.stability
	for k, q := range questions(false, r.screen.widgets.form.offer.Groups) {
		if q.Key == "suite" || q.Key == "family" {
			continue // there is one of each
		}
		page.menu.SetSelectedIndex(k)
		if len(page.room.Objects) != 0 {
			t.Errorf("%s has an answer before it was asked", q.Name)
		}
		r.press("Compute")
		if !page.compute.Disabled() {
			t.Error("a second question can be asked while the first is computed")
		}
		r.stage.Until(q.Name, func() bool { return len(page.room.Objects) > 0 || len(r.failed) > 0 })
	}
	if m := page.chart.Data().Matrix; len(page.transfers.Shown()) != 8 || m == nil || m.Rows != 2 {
		t.Errorf("%d transfers, %+v", len(page.transfers.Shown()), m)
	}
	if text := r.screen.trained(page.asked); !strings.Contains(text, "--transfer column=half") {
		t.Error(text)
	}
	if !strings.Contains(page.note.Text, "no second convolution") {
		t.Errorf("who takes no part in a transfer between groups is not said: %s", page.note.Text)
	}
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SHOTS"), "transfer")
	page.menu.SetSelectedIndex(2)
	if len(page.curves.Shown()) == 0 || len(page.chart.Data().Lines) != 2 {
		t.Error("the course has no chart")
	}
	page.menu.SetSelectedIndex(0)
	if len(page.studies.Shown()) != 2 || !slices.Contains(page.room.Objects, page.studies.Object()) {
		t.Errorf("%v", page.studies.Shown())
	}
	r.screen.show(r.screen.training)
	if len(page.room.Objects) != 0 {
		t.Error("another training has the answers of the one before")
	}
}

func TestWhatWasLeftOutIsListed(t *testing.T) {
	r := newRated(t, 30)
	r.train(func(o *assess.EvalOptions) { o.Algorithm = []assess.Algorithm{assess.DecisionTree} })
	r.press(r.screen.widgets.left.Text)
	if !strings.Contains(r.texts(), "max@CONV-2: no second convolution") {
		t.Errorf("%s", r.texts())
	}
}

func TestTheScreenFitsItsWindow(t *testing.T) {
	r := newRated(t, 30)
	r.train(nil)
	for _, k := range append(pages, "pairs", "ceiling") { // the last two are parts of the first
		if r.turn(k); k == "pairs" || k == "ceiling" {
			r.turn("scores")
			r.screen.widgets.scores.parts.Select(k)
			r.stage.Draw(r.window, os.Getenv("VARISCOPE_SHOTS"), "scores-"+k)
		}
		if size := r.screen.Object().MinSize(); size.Width > 940 || size.Height > 600 {
			t.Errorf("page %s needs %v", k, size)
		}
	}
	// what scrolls the kappas to the side has room below their last line
	table := r.screen.widgets.scores.kappas
	stage.Walk(r.screen.widgets.scores.Object(), func(o fyne.CanvasObject) {
		view, ok := o.(*container.Scroll)
		if !ok || view.Direction != container.ScrollHorizontalOnly {
			return
		}
		if free := view.MinSize().Height - table.MinSize().Height; free < theme.ScrollBarSize()/2 {
			t.Errorf("%g are left for the bar below the kappas", free)
		}
	})
	form := func() bool {
		return slices.Contains(r.screen.widgets.room.Objects, fyne.CanvasObject(r.screen.widgets.split))
	}
	if form() {
		t.Error("the form is not folded after training")
	}
	page := r.screen.widgets.tabs.Object().Size().Height
	r.press("Hide table")
	if r.screen.widgets.fitted.Visible() || r.screen.widgets.tabs.Object().Size().Height < page+100 {
		t.Errorf("without the table the pages have %g in place of %g",
			r.screen.widgets.tabs.Object().Size().Height, page)
	}
	r.press("Show table")
	if !r.screen.widgets.fitted.Visible() || r.screen.widgets.tabs.Object().Size().Height != page {
		t.Error("the table does not come back")
	}
	r.press("Show form")
	if !form() {
		t.Error("the form does not come back")
	}
	r.train(nil)
	if !form() {
		t.Error("a form that was opened by hand is folded")
	}
	r.press("Hide form")
	if form() {
		t.Error("the form stays")
	}
}

// TestVerdictsOnResamples: they stand beside the verdicts of all images, and stay with their
// assessor.
func TestVerdictsOnResamples(t *testing.T) {
	r := newRated(t, 30)
	r.train(func(o *assess.EvalOptions) { o.Algorithm = []assess.Algorithm{assess.DecisionTree, assess.Baseline} })
	r.choose(assess.DecisionTree)
	r.turn("verdicts")
	page := r.screen.widgets.judge
	page.list.SetFilter("model=m00|m01")
	r.press("Resample…")
	r.press("Resample")
	if !page.resamples.Disabled() {
		t.Error("resamples can be asked for while others are under way")
	}
	known := func() (n int) {
		for _, j := range page.list.Shown() {
			if j.Resampled.Resamples == 1000 {
				n++
			}
		}
		return n
	}
	r.stage.Until("the images are resampled", func() bool {
		return !r.screen.busy() && page.Idle() && known() > 0 || len(r.failed) > 0
	})
	if known() != 2 || len(r.failed) > 0 {
		t.Errorf("%d models have resamples, %v", known(), r.failed)
	}
	r.stage.Until("the verdict says so", func() bool { return strings.Contains(page.why.Text, "of 1000 resamples") })
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SHOTS"), "verdicts-resampled")
	r.choose(assess.Baseline)
	if known() != 0 {
		t.Error("another assessor has these resamples")
	}
	if r.choose(assess.DecisionTree); known() != 2 {
		t.Error("the resamples are forgotten")
	}
}

func TestTrainingIsCancelled(t *testing.T) {
	r := newRated(t, 30)
	d := r.screen.widgets.form.Options()
	d.Repetitions, d.Trees = 1000, 2000
	r.screen.Train(d)
	if !r.screen.busy() || !r.screen.widgets.form.cancel.Visible() || r.screen.widgets.form.train.Visible() {
		t.Error("a training that is under way does not show")
	}
	r.screen.Train(d) // one at a time
	r.press("Cancel")
	r.stage.Until("it is cancelled", func() bool { return !r.screen.busy() })
	if r.screen.training != nil || len(r.failed) != 0 || r.screen.widgets.form.cancel.Visible() ||
		!r.screen.widgets.form.train.Visible() {
		t.Errorf("after cancelling: %q, %v", r.said, r.failed)
	}
}
