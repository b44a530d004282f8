package widget

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"
)

func kappas() *KappaTable {
	k := NewKappaTable()
	k.SetCells("Cohen", []string{"A", "B"}, []string{"A", "B"}, [][]GridCell{
		{{Text: "1.000", Hint: "A with itself", Shade: 1}, {Text: "0.812", Hint: "A and B", Shade: 0.812}},
		{{Text: "-", Hint: "undefined: no common items", Shade: -1}, {Text: "1.000", Hint: "B with itself", Shade: 1}},
	})
	return k
}

func TestGridHintsAndTaps(t *testing.T) {
	k := kappas()
	var hints []string
	var tapped []string
	k.OnHint = func(text string) { hints = append(hints, text) }
	k.OnTapped = func(row, col int) { tapped = append(tapped, fmt.Sprint(row, col)) }
	w := show(t, k, k.MinSize())
	middle := func(row, col int) fyne.Position {
		return fyne.NewPos(k.sizes.head+k.sizes.cell*(float32(col)+0.5), k.sizes.line*(float32(row)+1.5))
	}
	for _, p := range []fyne.Position{middle(0, 1), middle(0, 1).AddXY(1, 1), middle(1, 0), fyne.NewPos(2, 2)} {
		test.MoveMouse(w.Canvas(), p)
	}
	k.MouseOut()
	if want := []string{"A and B", "undefined: no common items", ""}; !slices.Equal(hints, want) {
		t.Errorf("hints %q, want %q", hints, want)
	}
	test.TapCanvas(w.Canvas(), middle(1, 1))
	test.TapCanvas(w.Canvas(), fyne.NewPos(2, 2)) // a heading
	if row, col := k.Selected(); row != 1 || col != 1 || !slices.Equal(tapped, []string{"1 1"}) {
		t.Errorf("selected %d, %d; tapped %q", row, col, tapped)
	}
}

func TestGridKeys(t *testing.T) {
	k := kappas()
	w := show(t, k, k.MinSize())
	w.Canvas().Focus(k)
	confirmed, hint, runes := "", "", ""
	k.OnTapped = func(row, col int) { confirmed = fmt.Sprint(row, col) }
	k.OnHint = func(text string) { hint = text }
	k.OnRune = func(r rune) { runes += string(r) }
	for _, c := range []struct {
		key  fyne.KeyName
		want string
	}{
		{fyne.KeyDown, "0 0"}, // the first arrow only brings the cursor
		{fyne.KeyDown, "1 0"},
		{fyne.KeyDown, "1 0"},
		{fyne.KeyRight, "1 1"},
		{fyne.KeyUp, "0 1"},
		{fyne.KeyLeft, "0 0"},
		{fyne.KeyF1, "0 0"},
	} {
		k.TypedKey(key(c.key))
		if row, col := k.Selected(); fmt.Sprint(row, col) != c.want {
			t.Errorf("after %s: %d %d, want %s", c.key, row, col, c.want)
		}
	}
	k.TypedKey(key(fyne.KeyReturn))
	test.Type(k, "v")
	if confirmed != "0 0" || hint != "A with itself" || runes != "v" {
		t.Errorf("confirmed %q, hint %q, runes %q", confirmed, hint, runes)
	}
	k.SetCells("", []string{"A"}, nil, nil)
	k.TypedKey(key(fyne.KeyDown))
	if row, col := k.Selected(); row != -1 || col != -1 {
		t.Errorf("an emptied table keeps %d, %d selected", row, col)
	}
}

func TestGridTextsFit(t *testing.T) {
	test.NewTempApp(t)
	g := &Grid{}
	g.start()
	g.ExtendBaseWidget(g)
	long := strings.Repeat("a very long annotator's name ", 4)
	g.SetCells("corner", []string{long, "B"}, []string{long, "B"},
		[][]GridCell{
			{{Text: "0.1", Hint: "", Shade: 0}},
			{{Text: "0.2", Hint: "", Shade: 2}, {Text: "0.3", Hint: "", Shade: -1}},
		})
	g.Resize(g.MinSize())
	if err := checkTexts(test.WidgetRenderer(g).Objects(), g.MinSize()); err != nil {
		t.Error(err)
	}
	if w := g.MinSize().Width; w > 3*(widestHeading+2*cellPadding)+1 {
		t.Errorf("long names make the table %v wide", w)
	}
}

func TestConfusion(t *testing.T) {
	c := NewConfusion()
	c.SetCounts("A", "B", []string{"invariant", "variant"}, [][]int{{10, 0}, {2, 5}})
	show(t, c, c.MinSize())
	got, _ := c.cell(1, 0)
	want := GridCell{Text: "2", Shade: 0.2, Hint: "2 labelled variant by A and invariant by B"}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if zero, _ := c.cell(0, 1); zero.Shade >= 0 || zero.Text != "0" {
		t.Errorf("a count of 0 is not shaded: %+v", zero)
	}
	c.SetCounts("A", "B", []string{"invariant", "variant"}, [][]int{{0, 0}, {0, 0}})
}

func table(rows int) (*Table, *[]string) {
	var events []string
	tb := NewTable([]Column{
		{Title: "model", Width: 100}, {Title: "accuracy", Width: 90, Right: true, Hint: "how often it is right"},
	}, func() int { return rows },
		func(row, col int) string { return fmt.Sprintf("r%dc%d", row, col) })
	tb.OnRow = func(row int) { events = append(events, fmt.Sprint("row ", row)) }
	tb.OnOpen = func(row int) { events = append(events, fmt.Sprint("open ", row)) }
	tb.OnSort = func(col int) { events = append(events, fmt.Sprint("sort ", col)) }
	return tb, &events
}

func TestTableRows(t *testing.T) {
	tb, events := table(40)
	w := show(t, tb, fyne.NewSize(300, 300))
	test.TapCanvas(w.Canvas(), fyne.NewPos(50, 80))
	row := tb.Selected()
	if row < 0 || w.Canvas().Focused() != tb {
		t.Fatalf("a click selected row %d, focus is on %T", row, w.Canvas().Focused())
	}
	test.TapCanvas(w.Canvas(), fyne.NewPos(150, 80)) // soon after, another cell of the same row
	tb.TypedKey(key(fyne.KeyDown))
	tb.TypedKey(key(fyne.KeyEnd))
	tb.TypedKey(key(fyne.KeyPageUp))
	tb.TypedKey(key(fyne.KeyHome))
	tb.TypedKey(key(fyne.KeyUp))
	tb.TypedKey(key(fyne.KeyPageDown))
	tb.TypedKey(key(fyne.KeyReturn))
	want := []string{
		fmt.Sprint("row ", row), fmt.Sprint("open ", row), fmt.Sprint("row ", row+1), "row 39", "row 29",
		"row 0", "row 10", "open 10",
	}
	if !slices.Equal(*events, want) {
		t.Errorf("got %q, want %q", *events, want)
	}
}

func TestTableHeadingsSort(t *testing.T) {
	tb, events := table(3)
	w := show(t, tb, fyne.NewSize(300, 200))
	test.TapCanvas(w.Canvas(), fyne.NewPos(130, 10))
	if !slices.Equal(*events, []string{"sort 1"}) {
		t.Errorf("got %q, want the second heading", *events)
	}
	tb.Arranged(1, true, -1)
	heading := newTableHeading(nil)
	heading.Resize(fyne.NewSize(60, 30))
	tb.updateHeader(fynewidget.TableCellID{Row: -1, Col: 1}, heading)
	if text := heading.words.Text; !strings.HasSuffix(text, "… ↓") {
		t.Errorf("a narrow heading reads %q; the arrow must stay", text)
	}
	tb.updateHeader(fynewidget.TableCellID{Row: -1, Col: 7}, heading)
	wider := slices.Clone(tb.columns)
	wider[0].Width += 10
	if tb.SetColumns(wider); tb.sorted != 1 || !tb.descending {
		t.Errorf("with other widths it is sorted by %d", tb.sorted)
	}
	tb.SetColumns([]Column{{Title: "only", Width: 100}})
	if _, columns := tb.Length(); columns != 1 || tb.sorted != -1 {
		t.Errorf("%d columns, sorted by %d", columns, tb.sorted)
	}
}

func TestTableReload(t *testing.T) {
	rows := 5
	tb := NewTable([]Column{{Title: "a", Width: 80, Right: false}}, func() int { return rows },
		func(int, int) string { return "x" })
	called := 0
	tb.OnRow = func(int) { called++ }
	show(t, tb, fyne.NewSize(200, 200))
	tb.SelectRow(4)
	rows = 2
	tb.Reload()
	if tb.Selected() != -1 || called != 0 {
		t.Errorf("selected %d, OnRow called %d times", tb.Selected(), called)
	}
	tb.TypedKey(key(fyne.KeyUp))
	rows = 0
	tb.Reload()
	tb.TypedKey(key(fyne.KeyDown))
	tb.TypedKey(key(fyne.KeyReturn))
	if tb.Selected() != -1 {
		t.Errorf("an empty table has row %d selected", tb.Selected())
	}
}

func TestTablePassesKeysOn(t *testing.T) {
	tb, _ := table(3)
	show(t, tb, fyne.NewSize(200, 200))
	runes := ""
	tb.OnRune = func(r rune) { runes += string(r) }
	tb.OnKey = func(ev *fyne.KeyEvent) bool { return ev.Name == fyne.KeyDown }
	test.Type(tb, "i?")
	tb.TypedKey(key(fyne.KeyDown))
	if runes != "i?" || tb.Selected() != -1 {
		t.Errorf("runes %q, selected %d", runes, tb.Selected())
	}
}

func TestTableTellsWhichCell(t *testing.T) {
	tb, events := table(3)
	show(t, tb, fyne.NewSize(300, 200))
	var cells [][2]int
	tb.OnCell = func(row, col int) { cells = append(cells, [2]int{row, col}) }
	tb.Select(fynewidget.TableCellID{Row: 1, Col: 1})
	tb.Select(fynewidget.TableCellID{Row: 1, Col: 0}) // another cell of the selected row
	tb.Select(fynewidget.TableCellID{Row: 9, Col: 0})
	if want := [][2]int{{1, 1}, {1, 0}}; !slices.Equal(cells, want) || tb.Selected() != 1 {
		t.Errorf("cells %v, want %v; row %d is selected", cells, want, tb.Selected())
	}
	if n := len(*events); n != 1 {
		t.Errorf("the row was reported %d times: %q", n, *events)
	}
}

// TestTableLinesFollowTheTheme: also those of a table that was hidden while the theme changed.
func TestTableLinesFollowTheTheme(t *testing.T) {
	tb, _ := table(3)
	w := show(t, tb, fyne.NewSize(300, 200))
	tb.Reload()
	w.SetContent(fynewidget.NewLabel("")) // the table is gone from the window
	test.ApplyTheme(t, darkTheme)
	w.SetContent(tb)
	tb.Resize(fyne.NewSize(300, 200))
	tb.Reload()
	if rows, _ := tb.Length(); rows != 3 || tb.empty {
		t.Errorf("%d rows", rows)
	}
	want := theme.ColorForWidget(theme.ColorNameSeparator, tb)
	lines := 0
	stageWalk(tb, func(o fyne.CanvasObject) {
		if _, ok := o.(*fynewidget.Separator); !ok || !o.Visible() {
			return
		}
		for _, inner := range test.WidgetRenderer(o.(fyne.Widget)).Objects() {
			lines++
			if got := inner.(*canvas.Rectangle).FillColor; got != want {
				t.Errorf("a line is %v, want %v", got, want)
			}
		}
	})
	if lines < 3 {
		t.Errorf("%d lines", lines)
	}
}

// stageWalk visits every visible object below one.
func stageWalk(object fyne.CanvasObject, visit func(fyne.CanvasObject)) {
	visit(object)
	switch o := object.(type) {
	case *fyne.Container:
		for _, child := range o.Objects {
			stageWalk(child, visit)
		}
	case fyne.Widget:
		for _, child := range test.WidgetRenderer(o).Objects() {
			stageWalk(child, visit)
		}
	}
}

// The heading under the pointer says what its column tells; rows and headings without a hint say
// nothing.
func TestTableHeadingsHint(t *testing.T) {
	tb, _ := table(5)
	var said []string
	tb.OnHint = func(hint string) { said = append(said, hint) }
	w := show(t, tb, fyne.NewSize(300, 200))
	for _, at := range []fyne.Position{
		fyne.NewPos(50, 12), fyne.NewPos(150, 12), fyne.NewPos(160, 12),
		fyne.NewPos(150, 80), fyne.NewPos(150, 12), fyne.NewPos(290, 190),
	} {
		test.MoveMouse(w.Canvas(), at)
	}
	test.MoveMouse(w.Canvas(), fyne.NewPos(150, 12))
	tb.MouseOut()
	want := []string{"how often it is right", "", "how often it is right", "", "how often it is right", ""}
	if !slices.Equal(said, want) {
		t.Errorf("said %q", said)
	}
}

// TestTableKeepsNoHeadingsItDoesNotShow: Fyne makes a heading to measure it whenever the table is
// drawn anew.
func TestTableKeepsNoHeadingsItDoesNotShow(t *testing.T) {
	tb, _ := table(5)
	show(t, tb, fyne.NewSize(300, 200))
	for row := range 100 {
		tb.SelectRow(row % 5)
		tb.Reload()
	}
	if n := len(tb.headings); n == 0 || n > 4*len(tb.columns) {
		t.Errorf("%d headings are kept of %d columns", n, len(tb.columns))
	}
}
