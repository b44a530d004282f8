package ui

import (
	"fmt"
	"image/color"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	parts "github.com/variscope/variscope/ui/widget"
)

// box is a rectangle on the canvas.
type box struct{ left, top, right, bottom float32 }

func boxAt(pos fyne.Position, size fyne.Size) box {
	return box{pos.X, pos.Y, pos.X + size.Width, pos.Y + size.Height}
}

// within is the part of a box that lies in another one.
func (b box) within(o box) box {
	return box{max(b.left, o.left), max(b.top, o.top), min(b.right, o.right), min(b.bottom, o.bottom)}
}

// seen tells whether more than a sliver is left of a box.
func (b box) seen() bool { return b.right-b.left > sliver && b.bottom-b.top > sliver }

// sliver is how far texts may reach into each other: their boxes are higher than their letters.
const sliver = 3

// scrolls tells whether what an object shows can be moved to the side; the headings of a table move
// with its rows and lie in no scroll of their own.
func scrolls(o fyne.CanvasObject) bool {
	if table, ok := o.(*parts.Table); ok {
		return slices.ContainsFunc(parts.Inside(table), scrolls)
	}
	s, ok := o.(*container.Scroll)
	return ok && s.Direction != container.ScrollVerticalOnly && s.Content.Size().Width > s.Size().Width+1
}

// placed visits the visible objects below one with their places on the canvas, what can be seen of
// them, and what they lie in.
func placed(object fyne.CanvasObject, at fyne.Position, clip box, in []fyne.CanvasObject,
	visit func(fyne.CanvasObject, box, box, []fyne.CanvasObject),
) {
	if object == nil || !object.Visible() {
		return
	}
	at = at.Add(object.Position())
	whole := boxAt(at, object.Size())
	visit(object, whole, clip, in)
	in = append(slices.Clip(in), object)
	switch o := object.(type) {
	case *fyne.Container:
		for _, child := range o.Objects {
			placed(child, at, clip, in, visit)
		}
	case fyne.Widget:
		if _, ok := object.(fyne.Scrollable); ok {
			clip = clip.within(whole)
		}
		for _, child := range test.WidgetRenderer(o).Objects() {
			placed(child, at, clip, in, visit)
		}
	}
}

// letters is a text that can be seen, with the box that its letters take.
type letters struct {
	text  string
	box   box
	clip  box
	owner fyne.CanvasObject // the innermost widget
	moves bool              // something that it lies in scrolls to the side
	// how it is drawn
	colour color.NRGBA
	size   float32
	bold   bool
}

// lettersOf are the texts that can be seen below an object.
func lettersOf(root fyne.CanvasObject, window fyne.Size) (list []letters) {
	placed(root, fyne.Position{}, boxAt(fyne.Position{}, window), nil,
		func(object fyne.CanvasObject, whole, clip box, in []fyne.CanvasObject) {
			text, ok := object.(*canvas.Text)
			if !ok || strings.TrimSpace(text.Text) == "" {
				return
			}
			need := text.MinSize()
			b := boxAt(fyne.NewPos(whole.left, whole.top+(whole.bottom-whole.top-need.Height)/2), need)
			switch text.Alignment {
			case fyne.TextAlignCenter:
				b.left += (whole.right - whole.left - need.Width) / 2
			case fyne.TextAlignTrailing:
				b.left += whole.right - whole.left - need.Width
			}
			b.right = b.left + need.Width
			if !b.within(clip).seen() {
				return
			}
			one := letters{text: text.Text, box: b, clip: clip}
			one.drawnAs(text)
			one.moves = slices.ContainsFunc(in, scrolls)
			for _, o := range slices.Backward(in) {
				if _, ok := o.(fyne.Widget); ok {
					one.owner = o
					break
				}
			}
			list = append(list, one)
		})
	return list
}

// misplaced are the faults of the texts below an object: those that reach into each other, and
// those that reach out of what shows them to the side, where nothing scrolls.
func misplaced(root fyne.CanvasObject, window fyne.Size) (faults []string) {
	list := lettersOf(root, window)
	for i, a := range list {
		if !a.moves && (a.box.right > a.clip.right+sliver || a.box.left < a.clip.left-sliver) {
			faults = append(faults, fmt.Sprintf("%q (%T) %v is cut at the side of %v", a.text, a.owner, a.box, a.clip))
		}
		for _, b := range list[i+1:] {
			if a.box.within(a.clip).within(b.box.within(b.clip)).seen() {
				faults = append(faults, fmt.Sprintf("%q (%T) lies over %q (%T)", a.text, a.owner, b.text, b.owner))
			}
		}
	}
	return faults
}

// scales are sizes of everything in windows of so many units; the first is a display of 1280 x 800
// pixels on which the desktop draws everything twice as large, less the menu.
var scales = []struct {
	name  string
	scale float64
	size  fyne.Size
}{
	{"half", 1, fyne.NewSize(leastWidth, leastHeight-26)},
	{"080", 0.8, fyne.NewSize(1280, 774)},
	{"100", 1, fyne.NewSize(1280, 774)},
	{"140", 1.4, fyne.NewSize(1280, 774)},
	{"200", 2, fyne.NewSize(1280, 774)},
	{"200-wide", 2, fyne.NewSize(1920, 1054)},
}

// TestScales shows every screen and every dialog of the menus in the least window and at the
// largest size: nothing makes the window larger, dialogs stay inside, and no text lies over
// another one or is cut where nothing scrolls. With VARISCOPE_SCREENS it tours tabs and buttons
// too, at all sizes or at that of VARISCOPE_SCALE, and keeps pictures in that folder.
func TestScales(t *testing.T) {
	if testing.Short() {
		return // the tour of the window goes the same way at one size
	}
	folder := os.Getenv("VARISCOPE_SCREENS")
	for _, one := range scales {
		if want := os.Getenv("VARISCOPE_SCALE"); want != "" && want != one.name || folder == "" && one.name != "half" &&
			one.name != "200" {
			continue
		}
		t.Run(one.name, func(t *testing.T) {
			o := openLabelled(t)
			o.deps.Preferences.SetFloat(keyScale, one.scale)
			o.applyTheme()
			o.Window.Window().Resize(one.size)
			n := 0
			visit := func(where string) {
				o.fits(t, where, one.size)
				if n++; folder != "" {
					name := strings.Map(func(r rune) rune {
						if r == '/' || r == ' ' {
							return '_'
						}
						return r
					}, where)
					o.stage.Capture(o.Window.Window(), folder, fmt.Sprintf("%s-%03d-%s", one.name, n, name))
				}
			}
			if folder != "" {
				o.tour(t, visit)
				return
			}
			for p := range places {
				o.Go(p)
				o.idle()
				visit(p.String())
			}
			o.modelSettings(visit)
			o.menus(visit)
		})
	}
}

// fits reports what does not fit into the window.
func (o *opened) fits(t *testing.T, where string, size fyne.Size) {
	t.Helper()
	c := o.Window.Window().Canvas()
	// The test's canvas does not lay out anew by itself what asks for more room than it had, as a
	// real one does before it draws.
	o.Window.Window().Resize(size.AddWidthHeight(1, 1))
	o.Window.Window().Resize(size)
	if least := o.Window.Window().Content().MinSize(); least.Width > size.Width || least.Height > size.Height {
		t.Errorf("%s: the window needs %v", where, least)
	}
	if c.Size() != size {
		t.Errorf("%s: the window is %v", where, c.Size())
	}
	root := o.Window.Window().Content()
	if top := c.Overlays().Top(); top != nil {
		root = top
		if content := contentOf(top); content != nil {
			if need := content.MinSize(); need.Width > size.Width || need.Height > size.Height {
				t.Errorf("%s: the dialog needs %v", where, need)
			}
		}
	}
	faults := misplaced(root, size)
	if notice := o.banner.object; root == o.Window.Window().Content() && notice.Visible() { // it lies over the screen
		notice.Hide()
		faults = misplaced(root, size)
		notice.Show()
		faults = append(faults, misplaced(notice, size)...)
	}
	for _, fault := range faults {
		t.Errorf("%s: %s", where, fault)
	}
}
