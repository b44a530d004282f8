package ranking

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/screen/sample"
)

func TestScreenRanksTheCurrentSuite(t *testing.T) {
	r := newRig(t, nil)
	v := r.idle()
	if got := r.screen.face.caption.Text; got != "12 models on 60 images of shapes" {
		t.Errorf("caption %q", got)
	}
	if r.screen.face.source.Selected != "shapes" || r.screen.face.truth.Selected != "of the suite" {
		t.Errorf("ranked on %q by %q", r.screen.face.source.Selected, r.screen.face.truth.Selected)
	}
	if v.Len() != 12 || v.Cell(0, 0) == "" || !r.screen.face.tabs.Visible() || r.screen.face.empty.Visible() {
		t.Errorf("%d rows", v.Len())
	}
	for k := range r.screen.face.tabs.Items {
		r.tab(k)
		r.stage.Capture(r.window, "", "") // draws without a fault
	}
	if c := r.window.Canvas(); c.Focused() != fyne.Focusable(r.screen.face.main.table) {
		t.Error("the table does not have the keyboard")
	}
}

func TestSelectSortAndOpen(t *testing.T) {
	r := newRig(t, nil)
	v := r.idle()
	table := r.screen.face.main.table
	table.OnSort(3) // CRC
	if col, _ := v.Order(); col != 3 {
		t.Errorf("sorted by %d", col)
	}
	table.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	first, _ := v.At(0)
	if v.selected != first.Hash || !strings.HasPrefix(r.said, first.ID+", ") {
		t.Errorf("selected %q, said %q", v.selected, r.said)
	}
	table.OnSort(0)
	if row := v.Row(); table.Selected() != row {
		t.Errorf("row %d is marked, the model is in row %d", table.Selected(), row)
	}
	table.OnOpen(v.Row())
	r.screen.face.main.bars.OnTapped(0)
	if want := []string{first.Hash, v.Board.Models[v.byLaF()[0]].Hash}; !slices.Equal(r.opened, want) {
		t.Errorf("opened %v, want %v", r.opened, want)
	}
	if got := r.screen.face.main.quality.Shown(); len(got) != len(v.Board.Rankings) || got[0].Ranking().Method != rank.LaFMethod {
		t.Errorf("qualities %+v", got)
	}
}

func TestAModelOfATableCannotBeOpened(t *testing.T) {
	r := newRig(t, func(r *rig) {
		d := r.store.data[r.ws.Shapes.Hash]
		d.Models = slices.Clone(d.Models)
		d.Models[3].Hash = ""
		r.store.data[r.ws.Shapes.Hash] = d
	})
	r.idle()
	r.screen.open(3)
	if len(r.opened) > 0 || !strings.Contains(r.said, "m03 is not in this workspace") {
		t.Errorf("opened %v, said %q", r.opened, r.said)
	}
	r.screen.open(99)
	r.screen.open(-1)
}

func TestImagesTab(t *testing.T) {
	r := newRig(t, nil)
	r.idle()
	r.tab(1)
	p := r.screen.face.pages[1].(*imagesPage)
	r.stage.Until("the pictures are read", func() bool { return len(p.pictures.made) == len(p.hard) })
	p.mosaic.OnTapped(3, 2)
	if p.cursor != 3 || p.spread.Data().Marked != p.hard[3].Difficulty || !strings.HasPrefix(r.said, "#") {
		t.Errorf("cursor %d, mark %v, said %q", p.cursor, p.spread.Data().Marked, r.said)
	}
	p.mosaic.OnHover(1, 0)
	if !strings.Contains(r.said, "(1 by LaF)") {
		t.Errorf("said %q", r.said)
	}
	p.judge.SetSelected(p.judge.Options[1])
	if d := p.mosaic.Data(); d.Kinds[0].Name != "agrees with LaF's class" || p.mosaic.Selected() != 3 {
		t.Errorf("kinds %v, row %d", d.Kinds, p.mosaic.Selected())
	}
	p.mosaic.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	best := r.screen.view.Board.Models[r.screen.view.byLaF()[0]].ID
	r.press("Inspect it with " + best)
	if !slices.Equal(r.looked, []int{p.hard[3].Image}) {
		t.Errorf("looked at %v", r.looked)
	}
	p.tapped(5, false)
	p.tapped(5, true)
	r.press("Close")
	if p.cursor != 5 {
		t.Errorf("cursor %d", p.cursor)
	}
}

func TestImagesThatAreGone(t *testing.T) {
	r := newRig(t, func(r *rig) { r.store.Store = noImages{r.store.Store} })
	r.idle()
	r.tab(1)
	p := r.screen.face.pages[1].(*imagesPage)
	r.stage.Until("the pictures are given up", func() bool { return p.pictures.problem != nil })
	if !p.missing.Object().Visible() || p.pictures.of(0) != nil {
		t.Error("nothing says that the images are gone")
	}
}

func TestBudgetTab(t *testing.T) {
	r := newRig(t, nil)
	r.idle()
	r.tab(3)
	p := r.screen.face.budget
	r.press("Measure curves")
	r.stage.Until("the curves are measured", func() bool { return p.got != nil })
	if d := p.chart.Data(); len(d.Series) == 0 || d.Series[0].Name != "LaF" {
		t.Errorf("%d curves", len(d.Series))
	}
	p.measure.menu.SetSelectedIndex(1)
	if got := p.chart.Data().YName; got != "Kendall's τ-b" {
		t.Errorf("axis %q", got)
	}
	r.tab(0)
	r.tab(3)
	if p.got == nil || p.measure.chosen().Key != "kendall" {
		t.Error("the curves are gone after another tab")
	}
	next := r.screen.settings
	next.Seed = 7
	r.screen.Set(next)
	r.idle()
	if p.got != nil {
		t.Error("curves of another seed stay")
	}
}

func TestConditionsTab(t *testing.T) {
	r := newRig(t, nil)
	r.idle()
	r.tab(4)
	p := r.screen.face.conditions
	r.press("Measure impact")
	r.press("Measure suites")
	r.stage.Until("both are measured", func() bool { return p.impact.points != nil && len(p.got.Rows) == 1 })
	if d := p.figure.Data(); len(d.Points) != 1 || d.Points[0].Name != "shapes" {
		t.Errorf("%+v", d.Points)
	}
	p.table.OnOpen(p.table.Shown()[0])
	r.idle()
	if r.screen.face.tabs.SelectedIndex() != 0 {
		t.Error("a suite of the table is not opened")
	}
}

func TestStudiesWithoutTruth(t *testing.T) {
	r := newRig(t, func(r *rig) {
		s := newSettings()
		s.Truth, s.Repetitions = predictions.NoTruth, 3
		if err := r.ws.SetSetting(keySettings, s); err != nil {
			t.Fatal(err)
		}
	})
	v := r.idle()
	if v.Board.Truth != nil || r.screen.face.truth.Selected != "none" {
		t.Errorf("truth %v by %q", v.Board.Truth, r.screen.face.truth.Selected)
	}
	r.tab(3)
	if b := r.button("Measure curves"); !b.Disabled() || !strings.Contains(r.texts(), "need the true classes") {
		t.Error("curves are offered")
	}
	r.tab(4)
	if b := r.button("Measure impact"); !b.Disabled() {
		t.Error("the impact is offered")
	}
}

func TestLabelsByHand(t *testing.T) {
	truth := crowd(12, sample.Images, 1).Truth
	r := newRig(t, func(r *rig) {
		s := newSettings()
		s.Truth, s.Methods, s.Budget = predictions.NoTruth, []rank.Method{rank.LaFMethod, rank.Random}, 10
		if err := r.ws.SetSetting(keySettings, s); err != nil {
			t.Fatal(err)
		}
	})
	r.idle()
	if !strings.Contains(r.texts(), "random for 10 images") {
		t.Errorf("it says %q", r.screen.face.main.wanted.Text)
	}
	r.press("Label images…")
	if len(r.asked) != 1 || len(r.asked[0].Images) != 10 || r.asked[0].Suite != r.ws.Shapes.Hash || !slices.Equal(r.asked[0].Classes, sample.Classes) {
		t.Fatalf("asked for %+v", r.asked)
	}
	for _, image := range r.asked[0].Images {
		r.store.hand[image] = truth[image]
	}
	r.done()
	v := r.idle()
	if r.screen.settings.Truth != predictions.ByHand || !v.Board.Rankings[1].Reason.None() || r.screen.face.main.ask.Visible() {
		t.Errorf("truth %q, random %+v", r.screen.settings.Truth, v.Board.Rankings[1])
	}
	asked := r.store.asked
	r.done()
	r.idle()
	if r.store.asked != asked+1 {
		t.Error("labels that were given again are not read")
	}
}

func TestTooFewModelsSayWhy(t *testing.T) {
	r := newRig(t, func(r *rig) {
		r.store.data = nil
		r.store.left = []rank.LeftOut{{ID: "m00", Hash: "h0", Reason: result.Reason{Code: signal.NoSignals, Text: store.ErrNoSignals.Error()}}}
	})
	r.idle()
	text := r.screen.face.empty.Text()
	if !strings.Contains(text, "m00: ") || r.screen.face.tabs.Visible() {
		t.Errorf("%q", text)
	}
	r.press("Predict with them")
	if !slices.Equal(r.ran, []string{"h0"}) {
		t.Errorf("ran %v", r.ran)
	}
}

func TestCancelAndFailure(t *testing.T) {
	r := newRig(t, func(r *rig) { r.store.gate = make(chan struct{}) })
	r.stage.Until("it gathers", func() bool { return strings.HasPrefix(r.screen.face.caption.Text, "Ranking: 1 of 2") })
	if r.screen.face.cancel.Hidden {
		t.Error("ranking cannot be cancelled")
	}
	r.press("Cancel")
	r.stage.Until("it has stopped", func() bool { return !r.screen.board.busy() })
	if !strings.Contains(r.screen.face.empty.Text(), "cancelled") {
		t.Errorf("%q", r.screen.face.empty.Text())
	}
	close(r.store.gate)
	r.store.fails = errors.New("the disk is gone")
	r.press("Rank again")
	r.stage.Until("it has failed", func() bool { return len(r.errs) == 1 })
	if !strings.Contains(r.screen.face.empty.Text(), "The disk is gone.") {
		t.Errorf("%q", r.screen.face.empty.Text())
	}
	r.store.fails, r.errs = nil, nil
	r.press("Rank again")
	r.idle()
	if !r.screen.face.tabs.Visible() {
		t.Error("nothing is shown")
	}
}

// What is known before the slow rankers have answered is shown, and says what is still to come.
func TestRankersThatAnswerSoonAreShownFirst(t *testing.T) {
	var parts []Answer
	s := newSettings()
	s.Repetitions = 2
	a, err := rankAll(t.Context(), Material{Data: crowd(5, 80, 1)}, s, engine.NoProgress{}, func(a Answer) { parts = append(parts, a) })
	if err != nil || len(parts) != 1 {
		t.Fatalf("%d parts, %v", len(parts), err)
	}
	part := parts[0].Board
	if len(part.Rankings) != len(a.Board.Rankings) || part.Rankings[4].Method != rank.CES || part.Rankings[4].Reason.None() || !a.Board.Rankings[4].Reason.None() {
		t.Errorf("before %+v, after %+v", part.Rankings[4], a.Board.Rankings[4])
	}
	if slices.Contains(part.Compared, rank.CES) || !slices.Contains(a.Board.Compared, rank.CES) || len(a.Board.Spearman) != len(a.Board.Compared) {
		t.Errorf("compared %v, then %v", part.Compared, a.Board.Compared)
	}
	all, err := rank.MakeBoard(t.Context(), crowd(5, 80, 1), s.options(), engine.NoProgress{})
	if err != nil || !slices.EqualFunc(all.Rankings, a.Board.Rankings, func(x, y rank.Ranking) bool {
		return x.Method == y.Method && slices.Equal(x.Scores, y.Scores)
	}) {
		t.Errorf("in two parts the scores are others (%v)", err)
	}
	s.Methods, parts = []rank.Method{rank.CES}, nil
	if a, err := rankAll(t.Context(), Material{Data: crowd(5, 80, 1)}, s, engine.NoProgress{}, func(a Answer) { parts = append(parts, a) }); err != nil || len(parts) > 0 || len(a.Board.Rankings) != 1 {
		t.Errorf("CES alone: %d parts, %d rankings, %v", len(parts), len(a.Board.Rankings), err)
	}
}

// Labels and signals that change while the screen is away are read when it is back; answers to
// older settings are dropped.
func TestScreenFollowsTheStore(t *testing.T) {
	r := newRig(t, nil)
	r.idle()
	asked := r.store.asked
	r.screen.Hidden()
	if err := r.ws.SetImageLabel(r.ws.Shapes.Hash, store.ImageLabel{Image: 1, Class: 2}); err != nil {
		t.Fatal(err)
	}
	r.stage.Until("it is stale", func() bool { return r.screen.renewal.Stale() })
	if r.store.asked != asked {
		t.Error("it gathers while nobody looks")
	}
	r.screen.Shown()
	r.idle()
	if r.store.asked != asked+1 {
		t.Errorf("gathered %d times", r.store.asked-asked)
	}
	for seed := range uint64(5) {
		next := r.screen.settings
		next.Seed = 100 + seed
		r.screen.Set(next)
	}
	if v := r.idle(); v.Board.Seed != 104 || v.Settings.Seed != 104 {
		t.Errorf("seed %d is shown", v.Board.Seed)
	}
}

func TestExportMenu(t *testing.T) {
	r := newRig(t, nil)
	r.idle()
	test.Tap(r.screen.face.export)
	if len(r.window.Canvas().Overlays().List()) != 1 {
		t.Error("no menu")
	}
}
