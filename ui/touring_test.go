package ui

import (
	"fmt"
	"image"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/ui/tour"
)

func (o *opened) touring() bool {
	_, ok := o.over().(*tour.Tour)
	return ok
}

// TestTheTourComesOnce: at the first window on the demo, not at the second, and never on a
// workspace of one's own.
func TestTheTourComesOnce(t *testing.T) {
	if testing.Short() {
		return // the cards are the main goroutine's alone
	}
	o := open(t, 3, func(d *Deps) { d.Tour = true })
	if !o.touring() {
		t.Fatal("the first start has no tour")
	}
	o.TakeKey(fyne.KeyEscape)
	o.settled()
	o.screenHasKeys(t, "the tour")
	if o.walk != nil {
		t.Error("the window still has a tour that was left")
	}
	o.offerTour()
	if o.touring() {
		t.Error("the tour comes twice")
	}
	o.deps.Tour = false
	o.deps.Preferences.SetString(keyTour, "")
	o.offerTour()
	if o.touring() {
		t.Error("the tour comes over a workspace of one's own")
	}
}

// TestTheTourLeadsThroughTheWindow walks it from the menu, by keyboard, from a screen that it
// comes back to. Each step but the last, whose menu this window has elsewhere, lights a part of
// the window; with VARISCOPE_SCREENS the pictures are kept there.
func TestTheTourLeadsThroughTheWindow(t *testing.T) {
	if testing.Short() {
		return // the cards are the main goroutine's alone
	}
	folder := os.Getenv("VARISCOPE_SCREENS")
	o := open(t, 3, nil)
	o.Window.Window().Resize(fyne.NewSize(1280, 800))
	o.Go(Ranking)
	for _, look := range []Look{LookLight, LookDark} {
		o.SetLook(look)
		o.startTour()
		want := []Place{Models, Models, Models, Inspect, Label, Agreement, Agreement}
		steps := o.tourSteps()
		if len(steps) != len(want) {
			t.Fatalf("%d steps", len(steps))
		}
		var before image.Image
		for i, place := range want {
			o.settle()
			if !o.touring() || o.walk.At() != i || o.place != place {
				t.Fatalf("step %d: tour %v on %s", i, o.walk, o.place)
			}
			_, size := steps[i].Target()
			if last := i == len(want)-1; last != (size.Height == 0) || size.Width == 0 {
				t.Errorf("step %d lights %v", i, size)
			}
			if folder != "" || look == LookLight && i < 2 { // drawing in software is slow
				picture := o.stage.Capture(o.Window.Window(), folder, fmt.Sprintf("tour-%d-%s", i, look))
				if before != nil && samePictures(before, picture) {
					t.Errorf("step %d looks like the one before", i)
				}
				before = picture
			}
			o.Window.Window().Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		}
		if o.over() != nil || o.place != Ranking {
			t.Errorf("after the tour %v lies over %s", o.over(), o.place)
		}
	}
}

// TestTheTourKnowsTheDemo: one's own workspace is not called the demo.
func TestTheTourKnowsTheDemo(t *testing.T) {
	if testing.Short() {
		return // the cards are the main goroutine's alone
	}
	o := open(t, 1, nil)
	for _, demo := range []bool{false, true} {
		o.deps.Demo = demo
		if text := o.tourSteps()[0].Text; strings.Contains(text, "demo") != demo {
			t.Errorf("the demo's window: %v, but the tour says %q", demo, text)
		}
	}
}

func samePictures(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				return false
			}
		}
	}
	return true
}

// A tour goes with its window, and starts over one that shows nothing but a screen.
func TestTheTourOverABareWindow(t *testing.T) {
	if testing.Short() {
		return // the cards are the main goroutine's alone
	}
	o := open(t, 1, nil)
	o.FocusMode(true)
	o.startTour()
	if o.focusMode || !o.touring() {
		t.Error("the tour cannot show what is hidden")
	}
}
