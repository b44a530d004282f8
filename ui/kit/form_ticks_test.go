package kit

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/uitest/stage"
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
}

// TestDialogCarriesWork: an error and a cancel end the dialog, each with its own word; a dialog
// that asks shows its form again with them, and what came before them is shown.
func TestDialogCarriesWork(t *testing.T) {
	said, failed := "", error(nil)
	dialog := func(d *Dialog, err error, came Done) {
		d.Carry("work", "nothing is left", func(context.Context, *jobs.Progress) (Done, error) { return came, err })
	}
	r := newFixture(t)
	r.host.Status, r.host.ShowError = func(text string) { said = text }, func(err error) { failed = err }
	shows := func(text string) bool {
		found := false
		stage.Walk(r.window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
			l, ok := o.(*fynewidget.Label)
			found = found || ok && strings.Contains(l.Text, text)
		})
		return found
	}
	no := errors.New("there is no room")
	ended := 0
	came := Done{Title: "Two sheep", Text: "one\ntwo", Said: "two came", Then: func() { ended++ }}
	for _, c := range []struct {
		err   error
		came  Done
		shown string // in the dialog, "" for none
		said  string
		fails bool
		ended int
	}{
		{nil, Done{Said: "well", Then: func() { ended++ }}, "", "well", false, 1},
		{nil, came, "one\ntwo", "two came", false, 2},
		{no, Done{}, "", "", true, 2},
		{context.Canceled, Done{}, "", "nothing is left", false, 2},
		{no, came, "one\ntwo\nThere is no room.", "two came", false, 3},
		{context.Canceled, came, "one\ntwo\nnothing is left", "two came", false, 4},
	} {
		said, failed = "", nil
		d := r.host.NewDialog("x", fyne.NewSize(100, 100))
		d.Present(nil)
		dialog(d, c.err, c.came)
		r.stage.Until("it ends", func() bool { return len(r.host.Work.Jobs()) == 0 })
		if d.Closed() != (c.shown == "") || c.shown != "" && !shows(c.shown) || said != c.said ||
			(failed != nil) != c.fails || ended != c.ended {
			t.Errorf("%v, %+v: closed %t, said %q, failed %v, ended %d", c.err, c.came, d.Closed(), said, failed, ended)
		}
		d.Close()
	}
	d := r.host.NewDialog("x", fyne.NewSize(100, 100))
	d.Present(nil)
	gate := make(chan struct{})
	d.Carry("work", "nothing", func(context.Context, *jobs.Progress) (Done, error) {
		<-gate
		return Done{Title: "Some", Failed: no}, nil
	})
	d.Close()
	close(gate)
	r.stage.Until("what failed is shown although the dialog is gone", func() bool { return failed == no })
	tries := []error{no, context.Canceled, nil}
	a := &Ask[pen]{Title: "Close a pen", Button: "Close", Stopped: "it was left open", Form: &Form[pen]{Host: r.host}}
	a.Run = func(context.Context, pen, *jobs.Progress) (Done, error) {
		err := tries[0]
		tries = tries[1:]
		return Done{Paths: []string{"/pen"}, Title: map[bool]string{true: "It is closed"}[err == nil]}, err
	}
	a.Warn = func(pen) string { return "the dog is away" }
	a.Open()
	for _, want := range []string{"There is no room.", "It was left open.", "It is closed"} {
		if !shows("the dog is away") {
			t.Error("nobody is warned")
		}
		r.stage.Press(r.window, "Close")
		r.stage.Until(want, func() bool { return shows(want) })
	}
	a.Quick("quick", func() (Done, error) { return Done{}, no })
	r.stage.Until("the reason", func() bool { return shows("There is no room.") })
	a.Quick("quick", func() (Done, error) { return Done{Title: "It is closed", Paths: []string{"/pen"}}, nil })
	r.stage.Until("it is done", func() bool { return shows("It is closed") })
	r.stage.Press(r.window, "Copy path")
	if text := r.stage.App().Clipboard().Content(); text != "/pen" {
		t.Errorf("on the clipboard: %q", text)
	}
	r.stage.Press(r.window, "Close")
	r.host.Confirm("Sure?", "It goes.", "Remove", fynewidget.DangerImportance, func() { ended++ })
	r.stage.Press(r.window, "Remove")
	if ended != 5 {
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
