package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/uitest/stage"
	wide "github.com/variscope/variscope/ui/widget"
)

// labelled makes a round in which three annotators have labelled all models but the last ones: the
// more a model varies, the more of them call it variant.
func (o *opened) labelled(t *testing.T) label.Round {
	t.Helper()
	round := o.workspace.NewRound(t, nil)
	n := len(o.workspace.Imported)
	for i, m := range o.workspace.Imported[:n-6] {
		for k, who := range round.Annotators {
			value := label.Invariant
			if i > n/3+2*k || i == 3*k+1 {
				value = label.Variant
			}
			o.workspace.Put(t, round, who, m.Hash, value)
		}
	}
	round.Closed = true
	if err := o.workspace.UpdateRound(round); err != nil {
		t.Fatal(err)
	}
	return round
}

// tap presses a button of the screen by its text.
func (o *opened) tap(t *testing.T, text string) {
	t.Helper()
	for _, b := range o.buttons() {
		if b.Text == text {
			test.Tap(b)
			return
		}
	}
	t.Fatalf("there is no button %q", text)
}

// tabsWith are the tabs that have one of this text.
func (o *opened) tabsWith(t *testing.T, text string) (tabs *container.AppTabs, at int) {
	t.Helper()
	stage.Walk(o.Window.Window().Content(), func(object fyne.CanvasObject) {
		if a, ok := object.(*container.AppTabs); ok {
			for k, item := range a.Items {
				if item.Text == text {
					tabs, at = a, k
				}
			}
		}
	})
	if tabs == nil {
		t.Fatalf("there is no tab %q", text)
	}
	return tabs, at
}

// TestAssessorsLook trains on a round in the window and looks at every page; VARISCOPE_SCREENS
// keeps the pictures.
func TestAssessorsLook(t *testing.T) {
	if testing.Short() {
		return // the tour of the window shows this screen too
	}
	folder := os.Getenv("VARISCOPE_SCREENS")
	o := open(t, 48, nil)
	o.labelled(t)
	sizes := []fyne.Size{{Width: 1280, Height: 800}, {Width: 1920, Height: 1080}, {Width: 1024, Height: 700}}
	if folder == "" {
		sizes = sizes[:1]
	}
	o.Window.Window().Resize(sizes[0])
	o.Go(Assessors)
	o.settle()
	o.stage.Until("the form is filled", func() bool {
		for _, b := range o.buttons() {
			if b.Text == "Train and compare" {
				return true
			}
		}
		return false
	})
	o.tap(t, "Train and compare")
	o.stage.Until("it is trained", func() bool {
		_, ok := o.assessors.Subject()
		return ok
	})
	o.settle()
	for _, size := range sizes {
		o.Window.Window().Resize(size)
		for _, look := range []Look{LookLight, LookDark} {
			o.SetLook(look)
			for _, page := range []string{"Scores", "Inside", "Verdicts", "Doubts", "Stability and transfer"} {
				tabs, at := o.tabsWith(t, page)
				tabs.SelectIndex(at)
				o.settle()
				o.look(page)
				o.stage.Capture(o.Window.Window(), folder,
					filepath.Join("assessors-"+page+"-"+string(look)+"-"+sizeName(size)))
			}
		}
	}
}

// look chooses on a page what there is most to see of.
func (o *opened) look(page string) {
	stage.Walk(o.Window.Window().Content(), func(object fyne.CanvasObject) {
		if table, ok := object.(*wide.Table); ok && page == "Verdicts" {
			if rows, _ := table.Length(); rows > 8 {
				table.OnRow(8)
			}
		}
		if b, ok := object.(*widget.Button); ok && page == "Stability and transfer" && b.Text == "Compute" &&
			!b.Disabled() {
			test.Tap(b)
		}
		if menu, ok := object.(*widget.Select); ok && page == "Stability and transfer" && len(menu.Options) > 4 &&
			strings.Contains(menu.Options[0], "Table VII") {
			menu.SetSelectedIndex(2)
		}
		if menu, ok := object.(*widget.Select); ok && page == "Inside" && len(menu.Options) == 4 &&
			menu.Options[0] == "Structure" {
			menu.SetSelectedIndex((menu.SelectedIndex() + 1) % 4)
		}
	})
	o.settle()
}
