package dialogs_test

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
)

// counter is a window over a workspace with a selection, in which dialogs of rounds open. It is no
// rig: the workspace's package imports this one.
type counter struct {
	*testing.T
	stage  *stage.Stage
	ws     *scenestest.Workspace
	window fyne.Window
	rounds dialogs.Rounds
	failed []error
}

func newCounter(t *testing.T, models int) *counter {
	d := &counter{T: t, stage: stage.New(t), ws: scenestest.New(t, models)}
	work := jobs.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	d.window = d.stage.Window(widget.NewLabel(""), fyne.NewSize(1280, 800))
	host := &kit.Host{Window: d.window, Work: work, ShowError: func(err error) { d.failed = append(d.failed, err) }}
	d.rounds = dialogs.Rounds{Host: host, Workspace: d.ws.Workspace}
	return d
}

// found is the first visible widget of a type in the dialog on top that fits.
func found[W fyne.CanvasObject](d *counter, fits func(W) bool) (w W) {
	done := false
	if overlay := d.window.Canvas().Overlays().Top(); overlay != nil {
		stage.Walk(overlay, func(o fyne.CanvasObject) {
			if one, ok := o.(W); ok && !done && fits(one) {
				w, done = one, true
			}
		})
	}
	return w
}

// show opens a page of the dialog.
func (d *counter) show(page string) {
	d.Helper()
	var tabs *container.AppTabs
	d.stage.Until("the dialog", func() bool {
		tabs = found(d, func(*container.AppTabs) bool { return true })
		return tabs != nil
	})
	for k, item := range tabs.Items {
		if item.Text == page {
			tabs.SelectIndex(k)
			return
		}
	}
	d.Fatalf("no page %s", page)
}

func (d *counter) press(text string) {
	d.Helper()
	button := func() *widget.Button {
		return found(d, func(b *widget.Button) bool { return b.Text == text && !b.Disabled() })
	}
	d.stage.Until("button "+text, func() bool { return button() != nil })
	test.Tap(button())
}

// menu is the menu with an option that begins so, ticks the list with one; nil without any.
func (d *counter) menu(option string) *widget.Select {
	return found(d, func(m *widget.Select) bool {
		return slices.ContainsFunc(m.Options, func(o string) bool { return strings.HasPrefix(o, option) })
	})
}

func (d *counter) ticks(option string) *widget.CheckGroup {
	return found(d, func(g *widget.CheckGroup) bool { return slices.Contains(g.Options, option) })
}

func (d *counter) says(text string) bool {
	return found(d, func(l *widget.Label) bool { return strings.Contains(l.Text, text) }) != nil
}

// fill writes name and annotators.
func (d *counter) fill(name string) {
	d.Helper()
	d.show("Round")
	entries := stage.Entries(d.window.Canvas().Overlays().Top())
	entries[0].SetText(name)
	entries[1].SetText("a, b, c")
}

// made is the last of n rounds, once the dialog is gone.
func (d *counter) made(n int) (r label.Round) {
	d.Helper()
	d.stage.Until("the round", func() bool {
		all, err := d.ws.Rounds()
		if err != nil {
			d.Fatal(err)
		}
		if len(all) == n {
			r = all[n-1]
		}
		return len(all) == n && d.window.Canvas().Overlays().Top() == nil
	})
	return r
}

func same(t *testing.T, want, got label.Round) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestARoundOfScenes(t *testing.T) {
	d := newCounter(t, 3)
	var hashes []string
	for _, m := range d.ws.Models {
		hashes = append(hashes, m.Hash)
	}
	d.rounds.OfScenes(d.ws.Selection.Hash)
	d.fill("scenes, first pass")
	if three := d.menu("3: with borderline"); three.Selected != "3: with borderline" {
		t.Errorf("classes %q", three.Selected)
	}
	d.show("Models")
	if g := d.menu("with signals in these scenes"); g.Selected != "with signals in these scenes (2)" {
		t.Errorf("models %q of %q", g.Selected, g.Options)
	}
	if !d.says("8 scenes per target; 2 models ran in them") || d.says("can only be skipped") {
		t.Error("it does not say what ran in the scenes")
	}
	d.press("Create")
	r := d.made(1)
	want := label.Round{
		ID: r.ID, Created: r.Created, Name: "scenes, first pass", Kind: label.BackgroundRound, Suite: d.ws.Targets.Hash,
		Selection: d.ws.Selection.Hash, Modalities: []string{"max@CONF", "max@HEAD"},
		Interpolants: []string{"I1", "I2", "I3"}, Filter: "all", Classes: 3, Blind: true,
		Guideline: assets.BackgroundGuideline, Annotators: []string{"a", "b", "c"}, OrderSeed: 1, RepeatShare: 0.05,
		Models: hashes[:2], Fields: []string{"output_kind", "fold", "architecture", "class_names"},
		Ranges: map[string]label.Range{"max@CONF": {High: 0.3}, "max@HEAD": {High: 0.3}},
	}
	same(t, want, r)
	// Changing it keeps the kind, and offers no other.
	d.rounds.Edit(r.ID)
	d.show("Models")
	if d.menu("backgrounds") != nil {
		t.Error("the kind of a round that is there can be changed")
	}
	d.ticks("true@CONF").SetSelected([]string{"true@CONF", "max@CONF"})
	d.ticks("I3 (width 32, σ 10)").SetSelected([]string{"I3 (width 32, σ 10)"})
	d.menu("all models").SetSelected("all models (3)")
	if !d.says("1 model has no signals in these scenes yet (m02): run it on the Background screen") {
		t.Error("a model without signals is not named")
	}
	d.press("Change")
	d.stage.Until("the change", func() bool { got, _ := d.ws.Round(r.ID); return len(got.Models) == 3 })
	want.Modalities, want.Interpolants, want.Models = []string{"max@CONF", "true@CONF"}, []string{"I3"}, hashes
	want.Ranges = map[string]label.Range{"max@CONF": {High: 0.3}, "true@CONF": {High: 0.3}}
	same(t, want, d.made(1))
	d.rounds.Duplicate(r.ID)
	d.press("Create")
	want.Name += " (copy)"
	copied := d.made(2)
	want.ID, want.Created = copied.ID, copied.Created
	same(t, want, copied)
	if len(d.failed) > 0 {
		t.Error(d.failed)
	}
}

// The kind of a new round can be chosen where there are selections; classes and guideline are those
// of the kind.
func TestTheKindOfANewRound(t *testing.T) {
	d := newCounter(t, 2)
	d.rounds.New()
	d.fill("r")
	d.show("Models")
	d.menu("backgrounds").SetSelected("backgrounds")
	d.ticks("I1 (width 16, σ 5)").SetSelected(nil)
	d.stage.Until("a sentence", func() bool { return d.says("Choose at least one interpolated matrix") })
	d.menu("changes of the image").SetSelected("changes of the image")
	if d.ticks("true@CONF") != nil {
		t.Error("a round of a family asks for signals of scenes")
	}
	d.menu("backgrounds").SetSelected("backgrounds")
	d.ticks("I1 (width 16, σ 5)").SetSelected([]string{"I2 (width 32, σ 2)"})
	d.press("Create")
	r := d.made(1)
	if r.Kind != label.BackgroundRound || r.Classes != 3 || r.Guideline != assets.BackgroundGuideline ||
		!slices.Equal(r.Interpolants, []string{"I2"}) {
		t.Errorf("%+v", r)
	}
	d.rounds.OfScenes("nowhere")
	d.stage.Until("a refusal", func() bool { return len(d.failed) == 1 })
}
