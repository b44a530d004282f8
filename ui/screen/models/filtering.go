package models

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	parts "github.com/variscope/variscope/ui/widget"
)

// mostValues is how many values of a column the filter menu lists; a column with more is filtered
// by comparisons.
const mostValues = 200

// below is the position under a button, for what opens from it.
func below(o fyne.CanvasObject) fyne.Position {
	return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).AddXY(0, o.Size().Height)
}

func popUpMenu(menu *fyne.Menu, c fyne.Canvas, at fyne.Position) {
	widget.ShowPopUpMenuAtPosition(menu, c, at)
}

// popUp opens content under a button, inside the window.
func (s *Screen) popUp(under fyne.CanvasObject, content fyne.CanvasObject, size fyne.Size) *widget.PopUp {
	c := s.deps.Window.Canvas()
	ground := parts.NewSurface(content)
	p := widget.NewPopUp(ground, c)
	ground.OnKey = func(ev *fyne.KeyEvent) bool {
		if ev.Name == fyne.KeyEscape {
			p.Hide()
			s.Focus()
		}
		return true
	}
	at := below(under)
	at.X = max(0, min(at.X, c.Size().Width-size.Width-16))
	size.Height = min(size.Height, c.Size().Height-at.Y-24)
	p.ShowAtPosition(at)
	p.Resize(size)
	ground.TakeIn(c) // so that Escape closes it
	return p
}

// filterMenu shows the values of one column after the other and writes what is checked into the
// filter.
type filterMenu struct {
	screen *Screen
	column *widget.Select
	named  []Column
	rows   *fyne.Container
	note   *widget.Label
}

// openFilters opens the filter menu.
func (s *Screen) openFilters() {
	s.Focus()
	m := &filterMenu{screen: s, rows: container.NewVBox(), note: widget.NewLabel("")}
	m.note.Importance = widget.LowImportance
	m.note.Wrapping = fyne.TextWrapWord
	var titles []string
	for _, c := range s.view.AllColumns() {
		switch c.Key {
		case keyCheck, keyThumbs, keyAgreement, keyRatings, keyID:
			continue
		}
		m.named = append(m.named, c)
		titles = append(titles, c.Title)
	}
	m.column = widget.NewSelect(titles, nil)
	m.column.OnChanged = func(string) { m.list() }
	head := container.NewVBox(m.column)
	if s.view.labelled {
		disagree := widget.NewCheck("raters disagree", func(on bool) { s.filter.SetText(s.view.Query().SetDisagreement(on).String()) })
		disagree.Checked = s.view.Query().Disagreement()
		head.Add(disagree)
	}
	s.popUp(s.filters, container.NewBorder(head, m.note, nil, nil, container.NewVScroll(m.rows)), fyne.NewSize(320, 430))
	m.column.SetSelectedIndex(m.first())
}

// first is the column that the menu opens with: one that the filter speaks of, else the state.
func (m *filterMenu) first() int {
	query := m.screen.view.Query()
	if i := slices.IndexFunc(m.named, func(c Column) bool { return query.Chosen(c.Name()) != nil }); i >= 0 {
		return i
	}
	return slices.IndexFunc(m.named, func(c Column) bool { return c.Key == keyState })
}

// list shows the values of the chosen column.
func (m *filterMenu) list() {
	at := m.column.SelectedIndex()
	if at < 0 {
		return
	}
	column := m.named[at]
	values := m.screen.view.Values(column.Key)
	chosen := m.screen.view.Query().Chosen(column.Name())
	m.rows.RemoveAll()
	m.note.SetText("")
	if len(values) > mostValues {
		m.note.SetText(fmt.Sprintf("The first %d of %d values. Comparisons are written in the filter: %s>%s",
			mostValues, len(values), column.Name(), values[0].Text))
		values = values[:mostValues]
	}
	for _, v := range values {
		text := v.Text
		if text == "" {
			text = "empty"
		}
		check := widget.NewCheck(fmt.Sprintf("%s  (%d)", text, v.Count), nil)
		check.Checked = slices.Contains(chosen, v.Text)
		check.OnChanged = func(on bool) { m.choose(column, v.Text, on) }
		m.rows.Add(check)
	}
}

// choose admits a value of a column, or no longer.
func (m *filterMenu) choose(column Column, value string, on bool) {
	query := m.screen.view.Query()
	chosen := slices.DeleteFunc(slices.Clone(query.Chosen(column.Name())), func(v string) bool { return v == value })
	if on {
		chosen = append(chosen, value)
	}
	m.screen.filter.SetText(query.Choose(column.Name(), chosen).String())
}

// openColumns opens the list of columns, to hide and show them.
func (s *Screen) openColumns() {
	s.Focus()
	rows := container.NewVBox()
	for _, c := range s.view.AllColumns() {
		if c.fixed() {
			continue
		}
		check := widget.NewCheck(c.Title, nil)
		check.Checked = !s.view.Hidden(c.Key)
		check.OnChanged = func(on bool) {
			s.view.Hide(c.Key, !on)
			s.remember()
			s.apply()
		}
		rows.Add(check)
	}
	s.popUp(s.columns, container.NewVScroll(rows), fyne.NewSize(240, 460))
}
