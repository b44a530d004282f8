package dialogs

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/internal/uitest/stage"
)

func (d *rig) all() []label.Round {
	d.Helper()
	list, err := d.ws.Rounds()
	if err != nil {
		d.Fatal(err)
	}
	return list
}

// back takes the newest step back; again makes it again.
func (d *rig) back()  { d.Helper(); d.step(d.steps[len(d.steps)-1].Undo) }
func (d *rig) again() { d.Helper(); d.step(d.steps[len(d.steps)-1].Redo) }

func (d *rig) step(do func(context.Context) error) {
	d.Helper()
	if err := do(d.Context()); err != nil {
		d.Fatal(err)
	}
}

// form waits for the form of a round and writes its name and its annotators, "" for those that are
// there.
func (d *rig) form(name, annotators string) {
	d.Helper()
	d.stage.Until("the form", func() bool { return len(d.entries()) > 1 })
	for k, text := range []string{name, annotators} {
		if text != "" {
			d.entries()[k].SetText(text)
		}
	}
}

func TestDrawnText(t *testing.T) {
	kinds := map[string]string{"m": "x"}
	if text := drawnText([]string{"m", "o"}, 3, func(model string) string {
		return kinds[model]
	}); text != "2 of 3 models: without a value 1, x 1" {
		t.Error(text)
	}
}

func TestRoundIsMadeChangedAndTakenBack(t *testing.T) {
	d := newRig(t, 4)
	d.rounds.Chosen = func() []string { return []string{d.ws.Imported[0].Hash, d.ws.Imported[1].Hash} }
	d.rounds.New()
	d.form("", "")
	name := stage.Entries(d.host.Window.Canvas().Focused().(fyne.CanvasObject))
	if !slices.Equal(name, d.entries()[:1]) || d.button("Create") == nil {
		t.Fatal("the keyboard is not at the name, or there is no button")
	}
	if d.press("Create"); len(d.all()) > 0 || d.host.Window.Canvas().Overlays().Top() == nil {
		t.Error("a round without a name can be made")
	}
	d.form("first", "a, b")
	d.press("Create")
	d.stage.Until("the round", func() bool { return len(d.steps) == 1 })
	made := d.all()[0]
	if len(made.Models) != 2 || made.RepeatShare != 0.05 || !made.Blind || len(made.Ranges) != 5 ||
		made.Guideline == "" {
		t.Errorf("made %+v", made)
	}
	d.rounds.Edit(made.ID)
	d.stage.Until("the form", func() bool { return len(d.entries()) > 1 && d.entries()[0].Text == "first" })
	d.form("second", "")
	d.press("Change")
	d.stage.Until("the change", func() bool { return len(d.steps) == 2 })
	if got := d.all()[0]; got.Name != "second" || got.ID != made.ID || !slices.Equal(got.Annotators, made.Annotators) ||
		!slices.Equal(got.Models, made.Models) {
		t.Errorf("changed %+v", got)
	}
	d.back()
	if got := d.all()[0].Name; got != "first" {
		t.Errorf("taken back it is called %q", got)
	}
	d.again()
	d.rounds.Delete(made.ID)
	d.stage.Until("the deletion", func() bool { return len(d.steps) == 3 })
	if len(d.all()) != 0 {
		t.Fatal("the round is still there")
	}
	d.back()
	if got := d.all(); len(got) != 1 || got[0].Name != "second" {
		t.Errorf("brought back %+v", got)
	}
	if len(d.failed) > 0 {
		t.Error(d.failed)
	}
}

// sealed gives a round a known answer that is not at this desk.
func sealed(r *label.Round) { r.Known = map[string]label.Value{r.Models[0]: ""} }

func TestRoundWithLabelsChangesOnlyItsGuideline(t *testing.T) {
	d := newRig(t, 4)
	r := d.ws.NewRound(t, sealed)
	d.ws.Put(t, r, "r1", r.Models[0], label.Variant)
	d.rounds.Edit(r.ID)
	d.stage.Until("the form", func() bool { return len(d.entries()) == 1 })
	d.entries()[0].SetText("Look **twice**.")
	d.press("Change")
	d.stage.Until("the change", func() bool { return len(d.steps) == 1 })
	if got := d.all()[0]; got.Guideline != "Look **twice**." || got.Name != r.Name || !maps.Equal(got.Known, r.Known) {
		t.Errorf("%+v", got)
	}
	d.rounds.Delete(r.ID)
	if d.fails(1, "close it instead"); len(d.all()) != 1 {
		t.Error("a round with labels is deleted")
	}
}

func TestRoundIsClosedAndDuplicated(t *testing.T) {
	d := newRig(t, 4)
	r := d.ws.NewRound(t, sealed)
	d.ws.Put(t, r, "r1", r.Models[0], label.Variant)
	d.rounds.Close(r.ID, true)
	d.press("Cancel")
	if d.all()[0].Closed || len(d.steps) > 0 {
		t.Error("it is closed without an answer")
	}
	d.rounds.Close(r.ID, true)
	d.press("Close round")
	d.stage.Until("closed", func() bool { return len(d.steps) == 1 })
	if !d.all()[0].Closed {
		t.Error("it is open")
	}
	d.back()
	if d.all()[0].Closed {
		t.Error("closing cannot be taken back")
	}
	d.again()
	d.rounds.Duplicate(r.ID)
	d.press("Create")
	d.stage.Until("the copy", func() bool { return len(d.steps) == 2 })
	copied := d.all()[1]
	if copied.Name != "first look (copy)" || copied.Closed || copied.ID == r.ID ||
		!slices.Equal(copied.Models, r.Models) || copied.Parent != "" || copied.Known != nil {
		t.Errorf("%+v", copied)
	}
}

func TestRoundOnDisagreements(t *testing.T) {
	d := newRig(t, 4)
	r := d.ws.NewRound(t, nil)
	d.rounds.Disagreements(r.ID)
	d.fails(1, "do not differ anywhere")
	blind := d.ws.NewRound(t, func(x *label.Round) { x.Blind = true })
	d.rounds.Disagreements(blind.ID)
	d.fails(2, "blind and still open")
	if _, err := d.ws.DeleteRound(blind.ID); err != nil {
		t.Fatal(err)
	}
	d.ws.Put(t, r, "r1", r.Models[1], label.Variant)
	d.ws.Put(t, r, "r2", r.Models[1], label.Invariant)
	d.ws.Put(t, r, "r1", r.Models[2], label.Variant)
	d.ws.Put(t, r, "r2", r.Models[2], label.Variant)
	d.rounds.Disagreements(r.ID)
	d.press("Create")
	d.stage.Until("the round", func() bool { return len(d.steps) == 1 })
	second := d.all()[1]
	if second.Parent != r.ID || !slices.Equal(second.Models, r.Models[1:2]) || second.OrderSeed == r.OrderSeed ||
		!slices.Equal(second.Annotators, r.Annotators) {
		t.Errorf("%+v", second)
	}
}

func TestAddToRound(t *testing.T) {
	d := newRig(t, 4)
	hashes := []string{d.ws.Imported[0].Hash, d.ws.Imported[1].Hash}
	AddToRoundDialog(d.host, d.ws.Workspace, hashes, d.rounds.Did) // no round yet: the form of a new one
	d.stage.Until("the form", func() bool { return d.button("Create") != nil })
	d.press("Cancel")
	r := d.ws.NewRound(t, func(x *label.Round) { x.Models = x.Models[:1] })
	AddToRoundDialog(d.host, d.ws.Workspace, hashes, d.rounds.Did)
	d.press("Add")
	d.stage.Until("the models", func() bool { return len(d.steps) == 1 })
	if got := d.all()[0].Models; !slices.Equal(got, hashes) {
		t.Errorf("models %v", got)
	}
	d.back()
	if got := d.all()[0].Models; !slices.Equal(got, r.Models) {
		t.Errorf("taken back: %v", got)
	}
	d.again()
	if text := growth(d.all()[0], append(hashes, "x")); text != "1 model comes to the 2 of the round. "+
		"2 are in it already. Annotators who had finished have more to do then." {
		t.Error(text)
	}
	AddToRoundDialog(d.host, d.ws.Workspace, hashes, nil)
	d.press("Add")
	d.fails(1, "")
}

// TestGuidelineEditorPutsPicturesIn: a picture has a name by its content; what is none, or too
// large, is refused.
func TestGuidelineEditorPutsPicturesIn(t *testing.T) {
	d := newRig(t, 1)
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	path := write(t, filepath.Join(folder, "x.png"), data.String())
	name, read, err := readPicture(path)
	if err != nil || !bytes.Equal(read, data.Bytes()) || !strings.HasSuffix(name, ".png") || len(name) != 20 {
		t.Errorf("%q %v", name, err)
	}
	for want, text := range map[string]string{
		"neither PNG nor JPEG": "no picture", "make it smaller": strings.Repeat("0", label.MaxPictures+1),
	} {
		if _, _, err := readPicture(write(t, filepath.Join(folder, "y.png"), text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Error(err)
		}
	}
	e := newGuidelineEditor(d.host, nil, func(string) {})
	e.set("Look.")
	e.add(path)
	d.stage.Until("the picture", func() bool {
		return len(e.decoded) == 1 && strings.Contains(e.entry.Text, "![what the picture shows]("+name)
	})
	if shown := shownPictures(e.entry.Text, e.pictures); len(shown) != 1 {
		t.Errorf("the text shows %d pictures", len(shown))
	}
	e.add("nowhere.png")
	d.fails(1, "")
}

func TestRoundFormOffersModels(t *testing.T) {
	d := newRig(t, 4)
	facts, err := gatherRound(d.ws.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	hashes := func(n int) (list []string) {
		for _, m := range d.ws.Imported[:n] {
			list = append(list, m.Hash)
		}
		return list
	}
	var start label.Options
	option.SetDefaults(&start)
	f := newRoundDialog(d.host, facts, roundTask{
		options: start, title: "New round", button: "Create",
		offers: []modelGroup{{"ticked", hashes(2)}, {"nothing", nil}}, more: []modelGroup{{"shown", hashes(1)}},
		fresh: true,
	})
	d.page("Models")
	models := d.menu("ticked")
	if want := []string{"ticked (2)", "with signals (3)", "shown (1)", "all models (4)"}; !slices.Equal(models.Options,
		want) || models.Selected != want[0] {
		t.Errorf("offers %q, chosen %q", models.Options, models.Selected)
	}
	models.SetSelected("all models (4)")
	sample := func(text string) {
		if err := f.ask.Form.Put("sample", text); err != nil {
			t.Fatal(err)
		}
	}
	if sample("2"); f.preview.Text != "2 of 4 models" {
		t.Errorf("preview %q", f.preview.Text)
	}
	if sample("9"); !strings.Contains(f.ask.Form.Err().Error(), "ask for 1 to 4") || !d.button("Create").Disabled() {
		t.Errorf("a sample that is too large: %v", f.ask.Form.Err())
	}
	if got := columnsOf(facts.models); slices.Contains(got, "architecture") ||
		slices.Contains(got, "augmentation_range") {
		t.Errorf("columns %v: one value, or another one for each model, tells nothing", got)
	}
}

func TestARoundAsListedKeepsTheOrder(t *testing.T) {
	d := newRig(t, 4)
	listed := []string{d.ws.Imported[2].Hash, d.ws.Imported[0].Hash, d.ws.Imported[1].Hash}
	d.rounds.Of("second look", listed)
	d.form("again", "r1")
	d.press("Create")
	d.stage.Until("the round", func() bool { return len(d.all()) == 1 })
	round := d.all()[0]
	if !round.Ordered || !slices.Equal(round.Models, listed) || !slices.Equal(label.Order(round, "r1"), listed) {
		t.Errorf("%v %v, want %v", round.Ordered, round.Models, listed)
	}
	// The round is on disk before the dialog hears of it; a second one would open under the first.
	d.stage.Until("the dialog closes", func() bool { return d.host.Window.Canvas().Overlays().Top() == nil })
	d.rounds.New()
	d.form("third", "r1")
	d.press("Create")
	d.stage.Until("the other round", func() bool { return len(d.all()) == 2 })
	if d.all()[1].Ordered {
		t.Error("a round that was not asked for as listed is")
	}
}

// TestFieldsOfRecords: what tells the answer is not ticked at first; a round that lists its fields
// begins with those.
func TestFieldsOfRecords(t *testing.T) {
	models := []model.Model{
		{Record: []model.Field{{Name: "epochs", Value: "3"}, {Name: "rule_label", Value: "1"}}},
		{Record: []model.Field{{Name: "epochs", Value: "4"}, {Name: "kind", Value: "variant"}}},
	}
	f := fieldsOfRecords(models, label.Round{})
	if !slices.Equal(f.names, []string{"epochs", "rule_label", "kind"}) ||
		!slices.Equal(f.allowed, []string{"epochs"}) {
		t.Errorf("%+v", f)
	}
	if got := f.told([]string{"epochs", "kind"}); !slices.Equal(got, []string{"kind"}) {
		t.Errorf("%q tell the answer", got)
	}
	if got := fieldsOfRecords(models, label.Round{Fields: []string{"kind"}}).allowed; !slices.Equal(got,
		[]string{"kind"}) {
		t.Errorf("a listed round begins with %q", got)
	}
}

// TestRoundFormAsksForCalibration: known answers of an earlier round and written ones, words,
// overlap, order and pinned evidence make the round, and the form of a copy begins with them.
func TestRoundFormAsksForCalibration(t *testing.T) {
	d := newRig(t, 4)
	r := d.ws.NewRound(t, func(r *label.Round) { r.Name = "judged" })
	final := label.Event{
		Round: r.ID, Model: r.Models[1], Annotator: "judge", Kind: label.Adjudicate, Value: label.Variant,
	}
	if _, err := d.ws.Append(final); err != nil {
		t.Fatal(err)
	}
	facts, err := gatherRound(d.ws.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	var start label.Options
	option.SetDefaults(&start)
	start.Guideline = assets.VarianceGuideline
	f := newRoundDialog(d.host, facts, roundTask{
		options: start, title: "New round", button: "Create", offers: []modelGroup{{"first", r.Models[:2]}},
		fresh: true,
	})
	id := facts.ids[d.ws.Imported[2].Hash]
	for _, put := range [][2]string{
		{"name", "n"},
		{"annotators", "a,b,c"},
		{"classes", "3"},
		{"word-borderline", "so so"},
		{"order", "useful"},
		{"overlap", "2"},
		{"known", r.ID},
		{"known-models", id + "=so so"},
		{"known-first", "true"},
	} {
		if err := f.ask.Form.Put(put[0], put[1]); err != nil {
			t.Errorf("%s: %v", put[0], err)
		}
	}
	if !strings.HasSuffix(f.preview.Text, "2 of 3 with a known answer; each annotator labels 2 to 3 of them") {
		t.Errorf("preview %q", f.preview.Text)
	}
	got, err := f.round(f.ask.Form.Options())
	want := map[string]label.Value{r.Models[1]: label.Variant, d.ws.Imported[2].Hash: label.Borderline}
	if err != nil || !maps.Equal(got.Known, want) || !got.KnownFirst || got.Overlap != 2 ||
		got.Order != label.OrderUseful ||
		got.Word(label.Borderline) != "so so" || got.Curves != nil || !strings.Contains(got.Guideline, "borderline") {
		t.Errorf("%+v, %v", got, err)
	}
	if err := f.ask.Form.Put("pinned", "rule_label"); err != nil ||
		!strings.Contains(fmt.Sprint(f.ask.Form.Err()), "rule_label is pinned, but annotators do not see it") {
		t.Errorf("%v, %v", err, f.ask.Form.Err())
	}
	copied := newRoundDialog(d.host, facts, roundTask{
		title: "Duplicate round", button: "Create", base: got, offers: []modelGroup{{"as in the original", got.Models}},
	})
	again, err := copied.round(copied.ask.Form.Options())
	if err != nil || !maps.Equal(again.Known, want) || again.Overlap != 2 || again.Words[label.Borderline] != "so so" ||
		!again.KnownFirst {
		t.Errorf("a copy: %+v, %v", again, err)
	}
}
