package kit

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/ui/jobs"
)

// pen are options whose lists are ticked.
type pen struct {
	Sheep []string `help:"Sheep by name."`
	Dogs  []string `help:"Dogs by name."`
	Gate  string   `help:"How it closes."`
}

// TestFormTicksLists: a list is ticked from what there is now; many have a filter, which hides and
// does not untick; what is written beside is taken, too, and the name of a value stands for it.
func TestFormTicksLists(t *testing.T) {
	r := newFixture(t)
	count := 8
	f := &Form[pen]{
		Host: r.host, Rows: true,
		Ticks: map[string]func() []Option{
			"sheep": func() (list []Option) {
				for k := range count {
					list = append(list, Option{Key: fmt.Sprint(k), Name: fmt.Sprintf("sheep %d", k)})
				}
				return list
			},
			"dogs": func() []Option { return options("r", "Rex") },
		},
		Others: map[string]string{"dogs": "further dogs"},
	}
	f.Make()
	f.Offer()
	r.window.SetContent(f.Object())
	sheep, dogs := f.items[0].ticks, f.items[1].ticks
	if len(sheep.groups) != 3 || !slices.Equal(sheep.groups[1].Options, []string{"sheep 3", "sheep 4", "sheep 5"}) {
		t.Errorf("eight stand in %d columns", len(sheep.groups))
	}
	sheep.groups[2].SetSelected([]string{"sheep 7"})
	sheep.groups[0].SetSelected([]string{"sheep 1"})
	count = 30
	f.Offer()
	sheep.filter.SetText("SHEEP 2")
	if len(sheep.groups) != 1 || len(sheep.groups[0].Options) != 11 {
		t.Fatalf("%d of thirty have the filter's words", len(sheep.groups[0].Options))
	}
	sheep.groups[0].SetSelected([]string{"sheep 29", "sheep 2"})
	dogs.others.SetText("Ben; Rex, Ben,")
	want := (pen{Sheep: []string{"1", "2", "7", "29"}, Dogs: []string{"Ben", "r"}})
	if !reflect.DeepEqual(f.Options(), want) {
		t.Errorf("%+v", f.Options())
	}
	if f.Offer(); dogs.others.Text != "Ben; Rex, Ben," {
		t.Errorf("what is written becomes %q", dogs.others.Text)
	}
	if err := f.Put("dogs", "r,Tim"); err != nil || dogs.others.Text != "Tim" ||
		!slices.Equal(dogs.groups[0].Selected, []string{"Rex"}) {
		t.Errorf("%q, %q, %v", dogs.others.Text, dogs.groups[0].Selected, err)
	}
}

// TestAskActsOnWhatItFinds: what is found decides what else is asked and what the button does;
// while newer options are looked at, the button is off.
func TestAskActsOnWhatItFinds(t *testing.T) {
	r := newFixture(t)
	found := ""
	a := &Ask[pen]{Title: "Close a pen", Button: "Close", Form: &Form[pen]{
		Host: r.host, Shown: func(name string) bool { return name != "gate" || found == "wide" },
		Headings: map[string]string{"gate": "Of wide ones"},
	}}
	a.Look = func(o pen) Work[func() string] {
		found = ""
		return func(context.Context, engine.Progress) (func() string, error) {
			if len(o.Dogs) == 0 {
				return nil, errors.New("a pen needs a dog")
			}
			return func() string { found = o.Dogs[0]; return "it is " + found }, nil
		}
	}
	a.Ready = func(pen) (string, bool) { return "Close it", found != "" }
	a.Open()
	says := func(text string) {
		t.Helper()
		r.stage.Until(text, func() bool { return a.line.Text == text })
	}
	says("A pen needs a dog.")
	a.Form.items[1].entry.SetText("wide")
	if gate := a.Form.items[2].shown; !a.button.Disabled() || len(gate) != 4 || gate[0].Visible() {
		t.Error("it acts before it has looked")
	}
	says("it is wide")
	if a.button.Disabled() || a.button.Text != "Close it" || !a.Form.items[2].visible() {
		t.Error("it does not act on what it has found")
	}
	ended := 0
	for _, err := range []error{errors.New("the gate is stuck"), context.Canceled, nil} {

		a.Try("close", "it was left open", func(context.Context, *jobs.Progress) error { return err },
			func() { ended++ })
		switch {
		case err == nil:
			r.stage.Until("it is done", func() bool { return ended == 1 })
		case errors.Is(err, context.Canceled):
			says("It was left open.")
		default:
			says("The gate is stuck.")
		}
	}
}

// TestDialogCarriesWork: an error and a cancel end the dialog, each with its own word.
func TestDialogCarriesWork(t *testing.T) {
	r := newFixture(t)
	said, failed, ended := "", error(nil), 0
	r.host.Status, r.host.ShowError = func(text string) { said = text }, func(err error) { failed = err }
	for _, err := range []error{errors.New("no room"), context.Canceled, nil} {
		d := r.host.NewDialog("x", fyne.NewSize(100, 100))
		d.Present(nil)
		d.Carry("work", "nothing is left", func(context.Context, *jobs.Progress) error { return err },
			func() { ended++ })
		r.stage.Until("it ends", func() bool { return d.Closed() || ended > 0 })
		switch {
		case err == nil:
			if d.Closed() || ended != 1 {
				t.Error("what is well is not gone on with")
			}
		case errors.Is(err, context.Canceled):
			if said != "nothing is left" {
				t.Errorf("%q", said)
			}
		default:
			if failed != err || said != "" {
				t.Errorf("%v, %q", failed, said)
			}
		}
	}
	r.host.Confirm("Sure?", "It goes.", "Remove", fynewidget.DangerImportance, func() { ended++ })
	r.stage.Press(r.window, "Remove")
	if ended != 2 {
		t.Error("it is not done")
	}
}

// TestFormTicksInALine: a menu says what is ticked and opens the list; a list that is not taken is
// ticked as it was.
func TestFormTicksInALine(t *testing.T) {
	r := newFixture(t)
	f := &Form[struct {
		Coats []string `help:"Coats." enum:"white,grey,black" default:"grey" required:""`
	}]{Host: r.host}
	f.Make()
	r.window.SetContent(f.Object())
	coats := f.items[0].ticks
	coats.menu.Disable()
	if coats.menu.Tapped(nil); r.window.Canvas().Overlays().Top() != nil {
		t.Error("a menu that is off opens its list")
	}
	coats.menu.Enable()
	coats.menu.Tapped(nil)
	if r.window.Canvas().Overlays().Top() == nil || len(coats.groups) != 1 {
		t.Fatal("no list is open")
	}
	coats.groups[0].SetSelected([]string{"grey", "white"})
	if coats.menu.Selected != "white, grey" || !slices.Equal(f.Options().Coats, []string{"white", "grey"}) {
		t.Errorf("%q says the menu of %q", coats.menu.Selected, f.Options().Coats)
	}
	coats.groups[0].SetSelected(nil)
	if coats.menu.Selected != "white, grey" || f.wrong.Text == "" || len(coats.groups[0].Selected) != 2 {
		t.Errorf("%q is taken, said %q", coats.menu.Selected, f.wrong.Text)
	}
}
