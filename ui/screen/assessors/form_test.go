package assessors

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store/training"
)

func TestPlansAsInThePapers(t *testing.T) {
	asked := usual()
	asked.Column, asked.Holdout = "rule_label", " fold = holdout "
	p, err := newPlan(asked)
	want := training.Labels{
		Column: "rule_label", Borderline: training.Leave, HoldoutColumn: "fold", HoldoutValue: "holdout",
	}
	if err != nil || p.Labels != want || p.Scheme != (assess.Scheme{Kind: assess.PaperScheme, Seed: 1}) || p.Tune {
		t.Errorf("%+v, %v", p, err)
	}
	if !slices.Equal(p.Layout.Modalities, feature.DefaultLayout().Modalities) ||
		len(p.AllSettings(p.Layout)) != len(assess.Algorithms()) {
		t.Errorf("%+v", p)
	}
	boosted := assess.Settings{Algorithm: assess.AdaBoost, Seed: 1, Boosting: tree.SAMMER}
	if s := p.Settings(assess.AdaBoost, p.Layout); s != boosted {
		t.Errorf("%+v", s)
	}
	asked = usual()
	asked.Labels, asked.Selection, asked.Measurements = "r", "s", feature.AllSet
	p, err = newPlan(asked)
	if err != nil || p.Labels.Borderline != training.Keep || len(p.Layout.Measurements()) != 20 ||
		!slices.Contains(p.Layout.Names(), "max@CONF.I1.g_overall") {
		t.Errorf("%+v, %v", p, err)
	}
}

// record makes a model with a training record.
func record(pairs ...string) model.Model {
	var m model.Model
	for k := 0; k+1 < len(pairs); k += 2 {
		m.Record = append(m.Record, model.Field{Name: pairs[k], Value: pairs[k+1]})
	}
	return m
}

func TestOfferKnowsTheColumns(t *testing.T) {
	var o FormChoices
	o.read([]model.Model{
		record("rule_label", "0", "fold", "regular", "kind", "a", "size", "1", "verdict", "variant"),
		record("rule_label", "1", "fold", "holdout", "kind", "b", "size", "2", "verdict", ""),
		record("rule_label", "1", "fold", "regular", "kind", "a", "size", "3", "verdict", "invariant"),
		record("rule_label", "", "fold", "regular", "kind", "b", "size", "4", "same", "1"),
	})
	if !slices.Equal(o.Labels, []string{"rule_label", "verdict"}) ||
		!slices.Equal(o.Groups, []string{"fold", "kind"}) ||
		o.Holdout != "fold=holdout" || o.Models != 4 || o.usualSource() != "column rule_label" {
		t.Errorf("%+v", o)
	}
	o.Rounds = []label.Round{{ID: "01AAAAAA", Name: "first"}, {ID: "01BBBBBB", Name: "first"}}
	var names []string
	for _, source := range o.sources() {
		names = append(names, source.Name)
	}
	if got := strings.Join(names, "|"); got != "round first|round first (BBBBBB)|column rule_label|column verdict" {
		t.Error(got)
	}
}

func TestFormBegins(t *testing.T) {
	r := newRig(t, 30)
	f := r.screen.widgets.form
	r.stage.Until("the form can be used", func() bool { return !f.train.Disabled() })
	if strings.Contains(r.texts(), "Choose where the labels come from") {
		t.Error("something is wrong before anything was chosen")
	}
	if test.Tap(f.train); !strings.Contains(r.texts(), "Choose where the labels come from") ||
		len(r.screen.host.Work.Jobs()) > 0 {
		t.Error("it trains without labels, or does not say that they are missing")
	}
	round := rate(t, r.ws)
	r.stage.Until("the round is offered", func() bool { return f.Options().Labels == round.ID })
	if f.train.Disabled() || f.Err() != nil || f.labels.Selected != "round first look" {
		t.Errorf("%q is offered: %v", f.labels.Selected, f.Err())
	}
	f.put("scheme", "group")
	if text := r.texts(); !strings.Contains(text, "Groups by") || strings.Contains(text, "Hold-out") ||
		!f.train.Disabled() || !f.copy.Disabled() {
		t.Error("leaving groups out asks for no group")
	}
	for _, p := range [][2]string{
		{"scheme", "kfold"},
		{"folds", "2"},
		{"repetitions", "1"},
		{"trees", "5"},
		{"algorithm", "tree,forest"},
	} {
		f.put(p[0], p[1])
	}
	r.press("Copy as command")
	command := "variscope assess eval " + r.ws.Path() +
		" --suite shapes --family 'rotation:-15:15:1;interpolation=bilinear;border=zero' --labels " +
		round.ID + " --algorithm tree,forest --scheme kfold --folds 2 --repetitions 1 --trees 5"
	if text := fyne.CurrentApp().Clipboard().Content(); text != command {
		t.Errorf("the command is %s", text)
	}
	r.press("Train and compare")
	r.stage.Until("it is trained", func() bool { return r.screen.training != nil })
	if got := len(r.screen.training.Entries); got != 2 || r.screen.training.Plan.Scheme.Folds != 2 {
		t.Errorf("%d assessors, %+v", got, r.screen.training.Plan.Scheme)
	}
}

func TestTheFormFollowsTheKindOfItsRound(t *testing.T) {
	w := scenestest.New(t, 3)
	round := rateScenes(t, w)
	plain := round
	plain.ID, plain.Name, plain.Kind, plain.Family, plain.Selection, plain.Interpolants = "", "turns",
		label.VarianceRound, "rotation:-15:15:5", "", nil
	turns := testdata.Must(w.CreateRound(t.Context(), plain))(t)
	r := placesRig(t, w)
	f := r.screen.widgets.form
	f.offer.Labels = []string{"three"}
	f.choose("round " + round.ID)
	is := func(what, selection string, scheme assess.SchemeKind, borderline, boosting string) {
		t.Helper()
		if o := f.Options(); o.Selection != selection || o.Scheme != scheme ||
			f.named("borderline", "") != borderline+" (default)" || f.named("boosting", "") != boosting+" (default)" {
			t.Errorf("%s: %+v", what, o)
		}
	}
	is("a round about scenes", w.Selection.Hash, assess.KFold, "a class of its own", "SAMME")
	if got := f.offer.interpolants(f.Options()); !slices.Equal(got, []string{"I1", "I2", "I3", "8,2,4"}) {
		t.Errorf("interpolants %q", got)
	}
	f.put("interpolant", "I1")
	f.put("modalities", "max@HEAD")
	f.choose("round " + turns.ID)
	is("a round of matrices of a family", "", assess.PaperScheme, "left out", "SAMME.R")
	if o := f.Options(); len(o.Modalities)+len(o.Interpolant) > 0 {
		t.Errorf("it asks for %q, %q", o.Modalities, o.Interpolant)
	}
	f.choose("round " + round.ID)
	if o := f.Options(); !slices.Equal(o.Modalities, []string{"max@HEAD"}) ||
		!slices.Equal(o.Interpolant, []string{"I1"}) {
		t.Errorf("it forgets %q, %q", o.Modalities, o.Interpolant)
	}
	f.choose("column three")
	is("a column", "", assess.PaperScheme, "left out", "SAMME.R")
	f.put("selection", w.Selection.Hash)
	f.choose("column three")
	is("another column", w.Selection.Hash, assess.KFold, "a class of its own", "SAMME")
	f.offer.Scenes = nil
	f.show(f.offer)
	is("a selection that was removed", "", assess.PaperScheme, "left out", "SAMME.R")
	f.choose("round " + round.ID)
	if err := f.Err(); err == nil || !strings.Contains(err.Error(), "not in this workspace") {
		t.Errorf("a round whose selection is gone: %v", err)
	}
}

// Matrices are typed with any separators; none are the usual ones.
func TestMatricesAreTyped(t *testing.T) {
	r := newRated(t, 12)
	f := r.screen.widgets.form
	var typed *fynewidget.Entry
	stage.Walk(f.object, func(o fyne.CanvasObject) {
		if e, ok := o.(*fynewidget.Entry); ok && e.MultiLine {
			typed = e
		}
	})
	if !strings.HasPrefix(typed.Text, "max@CONF, ") || len(f.Options().Modalities) != 0 {
		t.Errorf("it begins with %q, %q", typed.Text, f.Options().Modalities)
	}
	typed.SetText("max@CONF; mean@CONV-1")
	if got := f.Options().Modalities; !slices.Equal(got, []string{"max@CONF", "mean@CONV-1"}) || f.train.Disabled() {
		t.Errorf("%q", got)
	}
	typed.SetText("most@CONF")
	if err := f.Err(); err == nil || !f.train.Disabled() {
		t.Error("a matrix that is none is taken")
	}
	typed.SetText("")
	if f.Err() != nil || len(f.Options().Modalities) != 0 {
		t.Errorf("%q, %v", f.Options().Modalities, f.Err())
	}
}
