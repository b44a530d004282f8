package kit

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/uitest/stage"
)

// TestRecordsUpdateInPlace: rows stay where they are until the next Set, and columns only grow.
func TestRecordsUpdateInPlace(t *testing.T) {
	told := run{}
	r := newRig(t, func(r *Records[run]) { r.OnSelect = func(one run, _ bool) { told = one } })
	r.Set(five())
	r.heading("accuracy")
	before := r.column("name")
	r.Select("e")
	later := five()
	later[4].accuracy, later[4].fold = 0.99, "a much longer fold than there was"
	wide := r.needs[1]
	r.Update(later)
	r.wants(t, "names", r.column("name"), before)
	if told.accuracy != 0.99 || r.needs[1] <= wide {
		t.Errorf("told %v, the column is %v wide", told.accuracy, r.needs[1])
	}
	if r.Set(later); r.column("name") == before {
		t.Error("Set does not sort")
	}
	if r.Update(later[:2]); len(r.Shown()) != 2 {
		t.Errorf("%d rows after an update by fewer", len(r.Shown()))
	}
}

func TestRecordsCheckMarks(t *testing.T) {
	r := newRig(t, func(r *Records[run]) {
		r.Ticks = true
		r.Colours = map[string]func(run) fyne.ThemeColorName{"fold": func(run) fyne.ThemeColorName {
			return theme.ColorNameError
		}}
	})
	r.Set(five())
	at := fyne.PointEvent{Position: fyne.NewPos(8, r.rowHeight()+10)}
	r.table.Tapped(&at)
	r.wants(t, "marked by the check mark", names(r.Marked()), "cnn1")
	r.wants(t, "selected", r.selected, "")
	r.table.OnTick(-1)
	r.wants(t, "all", r.caption.Text, "5 models, 5 marked")
	r.table.OnTick(-1)
	r.wants(t, "none", r.caption.Text, "5 models")
	r.wants(t, "order", r.order.Key, "name")
}

func TestRecordsReachWithShift(t *testing.T) {
	r := newRig(t, nil)
	r.Set(five())
	r.key(fyne.KeyDown)
	r.key(fyne.KeyDown)
	r.table.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	for _, key := range []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyUp} {
		r.key(key)
	}
	r.wants(t, "marked", names(r.Marked()), "cnn2 leak")
	r.wants(t, "selected", r.selected, "e")
	r.key(fyne.KeyHome)
	r.wants(t, "turned round", names(r.Marked()), "cnn1 cnn2")
	r.table.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	r.key(fyne.KeyDown)
	r.wants(t, "without Shift", names(r.Marked()), "cnn1 cnn2")
	r.SetFilter("cnn")
	r.key(fyne.KeyEscape)
	r.wants(t, "Escape unmarks", r.caption.Text, "2 of 5 models")
	r.key(fyne.KeyEscape)
	r.wants(t, "Escape clears the filter", r.Filter(), "")
}

// looked is a look that remembers what it was told.
type looked struct {
	fynewidget.BaseWidget
	drawn, scrolled int
}

func (l *looked) CreateRenderer() fyne.WidgetRenderer {
	return fynewidget.NewSimpleRenderer(fynewidget.NewLabel("gallery"))
}
func (l *looked) Refresh()                { l.drawn++ }
func (l *looked) ScrollTo(row int)        { l.scrolled = row }
func (l *looked) FocusGained()            {}
func (l *looked) FocusLost()              {}
func (l *looked) TypedRune(rune)          {}
func (l *looked) TypedKey(*fyne.KeyEvent) {}

// TestRecordsInAnotherLook: selection, marks, menus and filter are the table's.
func TestRecordsInAnotherLook(t *testing.T) {
	opened := ""
	r := newRig(t, func(r *Records[run]) { r.OnOpen = func(one run) { opened += one.name } })
	l := &looked{}
	l.ExtendBaseWidget(l)
	r.Set(five())
	r.Select("b")
	r.SetLook(l)
	if r.table.Visible() || !l.Visible() || l.scrolled != 3 {
		t.Errorf("table %v, look %v at row %d", r.table.Visible(), l.Visible(), l.scrolled)
	}
	r.Press(1, &desktop.MouseEvent{}, false, l)
	r.wants(t, "selected", r.selected, "d")
	r.Press(2, &desktop.MouseEvent{}, true, l)
	r.wants(t, "marked", names(r.Marked()), "leak")
	r.Move(0, false)
	r.Move(1, true)
	r.wants(t, "reached", names(r.Marked()), "cnn1 cnn2 leak")
	if !r.IsSelected(1) || r.IsSelected(0) || !r.IsMarked(0) || r.Place() != 1 ||
		r.window.Canvas().Focused() != fyne.Focusable(l) {
		t.Error("the row is not the selected one, or the keyboard is elsewhere")
	}
	r.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	r.Open(9)
	r.wants(t, "opened", opened, "cnn2")
	r.TypedShortcut(&fyne.ShortcutSelectAll{})
	r.wants(t, "all", r.caption.Text, "5 models, 5 marked")
	r.Press(0, &desktop.MouseEvent{Button: desktop.MouseButtonSecondary}, false, l)
	if r.window.Canvas().Overlays().Top() == nil {
		t.Error("no menu")
	}
	r.window.Canvas().Overlays().Top().Hide()
	before := l.drawn
	r.TypedRune('v')
	if r.Filter() != "v" || l.drawn == before || r.Len() != 2 {
		t.Errorf("filter %q shows %d rows, drawn %d times", r.Filter(), r.Len(), l.drawn-before)
	}
	if _, ok := r.At(7); ok {
		t.Error("there is no row 7")
	}
	if r.SetFilter("nobody"); l.Visible() {
		t.Error("the look covers that nothing meets the filter")
	}
	r.SetFilter("")
	r.SetOrder(result.Order{Key: "ei"})
	if r.SetLook(nil); !r.table.Visible() || r.Order().Key != "ei" {
		t.Error("the table does not come back")
	}
}

func TestRecordsFilterMenu(t *testing.T) {
	r := newRig(t, func(r *Records[run]) { r.Clauses = []Clause{{"doubtful", "accuracy<85%"}} })
	r.Set(five())
	check := func(text string) {
		t.Helper()
		var found *fynewidget.Check
		stage.Walk(r.window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
			if c, ok := o.(*fynewidget.Check); ok && c.Text == text {
				found = c
			}
		})
		if found == nil {
			t.Fatalf("there is no %q", text)
		}
		found.SetChecked(!found.Checked)
	}
	test.Tap(r.filters)
	check("holdout  (2)")
	check("missing  (1)")
	r.wants(t, "filter", r.Filter(), `fold="holdout"|""`)
	r.wants(t, "shown", r.column("name"), "cnn1 cnn2 leak")
	check("doubtful")
	r.wants(t, "shown", r.column("name"), "leak")
	check("doubtful")
	check("missing  (1)")
	check("holdout  (2)")
	r.wants(t, "filter", r.Filter(), "")
	r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	many := make([]run, mostValues+1)
	for k := range many {
		many[k] = run{id: string(rune('A' + k)), name: "m", fold: string(rune('A' + k))}
	}
	r.Set(many)
	r.openFilters()
	var notes []string
	stage.Walk(r.window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
		if l, ok := o.(*fynewidget.Label); ok {
			notes = append(notes, l.Text)
		}
	})
	if !slices.ContainsFunc(notes, func(note string) bool {
		return strings.HasPrefix(note, "The first 200 of 201 values.")
	}) {
		t.Errorf("%q", notes)
	}
	r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if r.window.Canvas().Overlays().Top() != nil {
		t.Error("Escape leaves the menu open")
	}
	r.window.Canvas().Unfocus()
	r.openFilters()
	test.TapCanvas(r.window.Canvas(), fyne.NewPos(1, 1))
	if r.window.Canvas().Overlays().Top() != nil || r.window.Canvas().Focused() == nil {
		t.Error("a click beside the menu leaves it open, or nothing has the keyboard")
	}
}
