package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/screen/ranking"
)

// openLabelled is a window on a workspace with a labelled round and with models whose layers are
// known.
func openLabelled(t testing.TB) *opened {
	t.Helper()
	o := open(t, 7, func(d *Deps) {
		d.Layers = func(string) ([]model.Layer, error) {
			return []model.Layer{
				{
					Name: "conv1", Op: "Conv", Inputs: []string{"input"}, Outputs: []string{"conv1"}, From: []int{-1},
					Attributes: "3×3", Parameters: 40,
				},
				{
					Name: "conv2", Op: "Conv", Inputs: []string{"conv1"}, Outputs: []string{"conv2"}, From: []int{0},
					Shape: []int64{-1}, Shaped: true,
				},
			}, nil
		}
	})
	round := o.workspace.NewRound(t, nil)
	for i, m := range o.workspace.Imported[:6] {
		for k, who := range round.Annotators {
			value := label.Invariant
			if i > 3+k || i == 2*k {
				value = label.Variant
			}
			o.workspace.Put(t, round, who, m.Hash, value)
		}
	}
	return o
}

// tour shows every screen with its tabs, presses every button once, labels, and opens what the
// menus open; visit is called with a name for each thing that is shown.
func (o *opened) tour(t *testing.T, visit func(where string)) {
	t.Helper()
	settled := func(where string) {
		o.settle()
		visit(where)
	}
	pressed := map[*widget.Button]bool{} // those of the toolbar are on every screen
	for p := range places {
		o.Go(p)
		settled(p.String())
		o.tabs(p.String(), settled)
		o.pressAll(p, pressed, settled)
	}
	rounds, err := o.workspace.Rounds()
	if err != nil {
		t.Fatal(err)
	}
	o.label.SignIn(rounds[0].ID, rounds[0].Annotators[0])
	o.Go(Label)
	settled("labelling")
	o.pressAll(Label, pressed, settled)
	o.labelImages(ranking.Labelling{
		Suite: o.workspace.Shapes.Hash, Title: "Labels", Images: []int{0, 1}, Classes: []string{"0", "1", "2"},
	}, nil)
	o.settle()
	settled("labels of images")
	o.dismiss()
	o.modelSettings(settled)
	o.menus(settled)
}

// modelSettings opens the form of a model's settings, which stands behind a tab of Inspect.
func (o *opened) modelSettings(visit func(where string)) {
	o.Go(Inspect)
	o.idle()
	o.inspect.AskSettings()
	o.settle()
	visit("settings of a model")
	o.dismiss()
}

// everything is what the window shows, the dialog or menu on top of it included.
func (o *opened) everything() []fyne.CanvasObject {
	return append([]fyne.CanvasObject{o.Window.Window().Content()}, o.Window.Window().Canvas().Overlays().List()...)
}

// tabs shows each tab of the screen in turn.
func (o *opened) tabs(where string, visit func(string)) {
	var tabs []*container.AppTabs
	for _, root := range o.everything() {
		stage.Walk(root, func(object fyne.CanvasObject) {
			if a, ok := object.(*container.AppTabs); ok {
				tabs = append(tabs, a)
			}
		})
	}
	for _, a := range tabs {
		for k := range a.Items {
			a.SelectIndex(k)
			visit(where + ", " + a.Items[k].Text)
		}
		a.SelectIndex(0)
	}
}

// buttons are the texts and places of the buttons that can be pressed.
func (o *opened) buttons() []*widget.Button {
	var list []*widget.Button
	for _, root := range o.everything() {
		stage.Walk(root, func(object fyne.CanvasObject) {
			if b, ok := object.(*widget.Button); ok && !b.Disabled() {
				list = append(list, b)
			}
		})
	}
	return list
}

// pressAll presses each button of a screen that could be pressed at first.
func (o *opened) pressAll(p Place, pressed map[*widget.Button]bool, visit func(string)) {
	for _, b := range o.buttons() {
		if b.OnTapped == nil || b.Disabled() || pressed[b] {
			continue
		}
		pressed[b] = true
		if b.Icon != nil && b.Icon.Name() == theme.HelpIcon().Name() {
			continue // the guide is a text of its own, in English
		}
		b.OnTapped()
		visit(p.String() + ", after " + b.Text)
		o.dismiss()
		if o.Place() != p {
			o.Go(p)
		}
	}
}

// dismiss closes dialogs and menus.
func (o *opened) dismiss() {
	overlays := o.Window.Window().Canvas().Overlays()
	for overlays.Top() != nil {
		top := overlays.Top()
		top.Hide()
		overlays.Remove(top)
	}
	o.settle()
}

// menus opens what the entries of the menus open and closes it again.
func (o *opened) menus(visit func(string)) {
	for _, menu := range o.menu.Items {
		for _, item := range menu.Items {
			if item.Action == nil || item.Disabled || !strings.HasSuffix(entryText(item), "…") {
				continue
			}
			item.Action()
			o.idle()
			visit(entryText(item))
			o.tabs(entryText(item), visit)
			o.dismiss()
		}
	}
}
