package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/jobs"
	parts "github.com/variscope/variscope/ui/widget"
)

// mostDrawn is how often an object of the screen that is shown may be drawn anew for another look,
// on average: by its widget, by what that lies in, such as a table, and where it moves.
const mostDrawn = 5

// TestANewLookDrawsTheShownScreenAlone: a change between light and dark draws nothing of the
// screens that are not shown, and what is shown about once, whichever screen that is.
func TestANewLookDrawsTheShownScreenAlone(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	o := openLabelled(t)
	for p := range places {
		o.Go(p)
		o.idle()
	}
	look := LookDark
	for shown := range places {
		o.Go(shown)
		o.idle()
		of := map[fyne.CanvasObject]Place{}
		for p, s := range o.screens {
			eachInside(s.Object(), func(object fyne.CanvasObject) { of[object] = Place(p) })
		}
		asked := o.stage.Refreshed(func() { o.SetLook(look) })
		objects, times, hidden := 0, 0, 0
		for object, n := range asked {
			switch p, known := of[object]; {
			case known && p != shown:
				hidden++
			case known:
				objects, times = objects+1, times+n
			}
		}
		t.Logf("%s: %d objects are drawn %d times", shown, objects, times)
		if hidden > 0 || objects == 0 || times > mostDrawn*objects {
			t.Errorf("%s: %d objects are drawn %d times, and %d of other screens", shown, objects, times, hidden)
		}
		if look = LookLight; o.theme.Look() == LookLight {
			look = LookDark
		}
	}
}

// eachInside visits an object and all that it shows or could show.
func eachInside(object fyne.CanvasObject, visit func(fyne.CanvasObject)) {
	visit(object)
	for _, child := range parts.Inside(object) {
		if child != nil {
			eachInside(child, visit)
		}
	}
}

// BenchmarkLook changes between light and dark after all screens were visited, with each of them
// shown.
func BenchmarkLook(b *testing.B) {
	o := openLabelled(b)
	for p := range places {
		o.Go(p)
		o.idle()
	}
	for p := range places {
		o.Go(p)
		o.idle()
		b.Run(p.String(), func(b *testing.B) {
			for b.Loop() {
				o.toggleLook()
			}
		})
	}
}

// widgetPlaces are the places of all widgets that can be seen, those of notices and of the status
// line left out.
func (o *opened) widgetPlaces() map[fyne.CanvasObject]box {
	size := o.Window.Window().Canvas().Size()
	list := map[fyne.CanvasObject]box{}
	whole := boxAt(fyne.Position{}, size)
	placed(o.Window.Window().Content(), fyne.Position{}, whole, nil,
		func(object fyne.CanvasObject, at, _ box, in []fyne.CanvasObject) {
			_, isWidget := object.(fyne.Widget)
			in = append(in, object)
			if isWidget && !slices.Contains(in, fyne.CanvasObject(o.banner.object)) &&
				!slices.Contains(in, o.status.object) {
				list[object] = at
			}
		})
	return list
}

// TestNoticesMoveNothing: on every screen all widgets (rail, tabs, buttons, what the screen shows)
// stay where they are when notices and errors come, show what lies behind them, and go, and
// whatever the status line and the rail say: messages, hints, what is at work and how far it is.
func TestNoticesMoveNothing(t *testing.T) {
	if testing.Short() {
		return // one goroutine lays out what is shown
	}
	o := openLabelled(t)
	for p := range places {
		o.Go(p)
		o.screens[p].Refresh() // labels were given since
		o.idle()
		before := o.widgetPlaces()
		if len(before) < 20 {
			t.Fatalf("%s has %d widgets", p, len(before))
		}
		check := func(when string) {
			t.Helper()
			now := o.widgetPlaces()
			for object, at := range before {
				if is, there := now[object]; !there || is != at {
					t.Errorf("%s, %s: %T is at %v, before at %v", p, when, object, is, at)
				}
			}
		}
		o.ShowError(fmt.Errorf("show %s: %w", p, errors.New("the disk is on fire")))
		check("with a notice")
		o.press(t, "Details")
		check("with its details")
		o.ShowError(errors.New(strings.Repeat("the network is away ", 30)))
		check("with a second one")
		o.press(t, "Dismiss (1 more)")
		o.press(t, "Dismiss")
		check("without them")
		o.banner.add(notice{text: "A run was not finished.", action: "Resume"})
		check("with a notice that offers something")
		o.press(t, "Resume")
		o.Say(strings.Repeat("a long message ", 40))
		check("with a long message")
		o.toolbar.look.MouseIn(nil)
		check("with a hint")
		o.toolbar.look.MouseOut()
		work := o.work.Start("Count sheep", func(ctx context.Context, p *jobs.Progress) error {
			p.SetTotal(9)
			p.Add(4)
			<-ctx.Done()
			return ctx.Err()
		}, nil)
		o.stage.Until("it is at work", func() bool { return o.status.right.Visible() })
		o.rail.mark(Runs, "44 %")
		check("while something is at work")
		work.Cancel()
		o.idle()
		o.rail.mark(Runs, "")
		check("after that")
	}
}

// TestEveryScreenSaysWhyItCannotLoad: on every screen, shown anew or with data in it, a loading
// that fails says why, once, and offers to try again.
func TestEveryScreenSaysWhyItCannotLoad(t *testing.T) {
	if testing.Short() {
		return // the words are tested with the kit
	}
	o := openLabelled(t)
	for p := range places {
		if p%2 == 0 {
			o.Go(p)
			o.idle()
		}
	}
	if err := o.workspace.Close(); err != nil {
		t.Fatal(err)
	}
	for p := range places {
		o.Go(p)
		o.screens[p].Refresh()
		o.idle()
		again, why := 0, 0
		stage.Walk(o.screens[p].Object(), func(object fyne.CanvasObject) {
			switch w := object.(type) {
			case *widget.Button:
				again += strings.Count(w.Text, "Try again")
			case *widget.Label:
				why += strings.Count(w.Text, "Variscope is closing")
			}
		})
		if again != 1 || why != 1 {
			t.Errorf("%s: %d buttons to try again, the reason %d times", p, again, why)
		}
	}
}

// TestTabBarsKeepTheirPlace: the bar of tabs stays where it is, whichever tab is chosen.
func TestTabBarsKeepTheirPlace(t *testing.T) {
	if testing.Short() {
		return // the tour of the window goes the same way
	}
	o := openLabelled(t)
	for p := range places {
		o.Go(p)
		o.idle()
		var all []*container.AppTabs
		stage.Walk(o.screens[p].Object(), func(object fyne.CanvasObject) {
			if tabs, ok := object.(*container.AppTabs); ok {
				all = append(all, tabs)
			}
		})
		for _, tabs := range all {
			place := func() fyne.Position { return fyne.CurrentApp().Driver().AbsolutePositionForObject(tabs) }
			at := place()
			for k, item := range tabs.Items {
				tabs.SelectIndex(k)
				o.settle()
				if now := place(); now != at {
					t.Errorf("%s, %s: the bar of the tabs is at %v, before at %v", p, item.Text, now, at)
				}
			}
			tabs.SelectIndex(0)
			o.settle()
		}
	}
}
