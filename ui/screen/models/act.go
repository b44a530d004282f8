package models

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/variscope/variscope/ui/dialogs"
)

// mouse is a press of the mouse on a row or tile: it selects; on the check mark, or with Ctrl, it
// checks; with Shift it checks everything from the selected row on; the second button opens the
// menu.
func (s *Screen) mouse(e *desktop.MouseEvent, row int, onCheck bool) {
	r, ok := s.view.At(row)
	if !ok {
		return
	}
	hash := r.Model.Hash
	switch {
	case e.Button == desktop.MouseButtonSecondary:
	case e.Modifier&fyne.KeyModifierShift != 0:
		if selected, ok := s.view.Selected(); ok {
			s.view.CheckRange(s.view.Index(selected.Model.Hash), row)
		}
	case onCheck || e.Modifier&fyne.KeyModifierShortcutDefault != 0:
		s.view.Check(hash, !s.view.Checked(hash))
	}
	s.view.Select(hash)
	s.anchor = row
	s.Focus()
	s.redraw()
	s.refreshChoice()
	if e.Button == desktop.MouseButtonSecondary {
		s.openMenu(e.AbsolutePosition)
	}
}

func (s *Screen) openRow(row, col int) {
	if r, ok := s.view.At(row); ok && (col < 0 || s.view.Columns()[col].Key != keyCheck) {
		call1(s.deps.Open, r.Model.Hash)
	}
}

func (s *Screen) openSelected() {
	if r, ok := s.view.Selected(); ok {
		call1(s.deps.Open, r.Model.Hash)
	}
}

func (s *Screen) hover(row int) {
	if s.hovered == row {
		return
	}
	s.hovered = row
	s.redraw()
	s.refreshDetail()
}

// sortBy orders by a column; the head of the check column checks or clears all rows shown.
func (s *Screen) sortBy(col int) {
	columns := s.view.Columns()
	if col < 0 || col >= len(columns) {
		return
	}
	if columns[col].Key == keyCheck {
		s.view.CheckShown(!s.view.AllShownChecked())
	} else {
		s.view.SortBy(columns[col].Key)
		s.remember()
	}
	s.Focus()
	s.arranged()
}

// grid is how the keyboard moves: cells per row, and rows per page.
type grid struct{ columns, page int }

// step is how far a key moves the selected model; ok is false for other keys.
func (g grid) step(key fyne.KeyName, at, count int) (next int, ok bool) {
	switch key {
	case fyne.KeyDown:
		if at >= 0 {
			at += g.columns
		} else {
			at = 0
		}
	case fyne.KeyUp:
		at -= g.columns
	case fyne.KeyPageDown:
		at += g.page * g.columns
	case fyne.KeyPageUp:
		at -= g.page * g.columns
	case fyne.KeyHome:
		at = 0
	case fyne.KeyEnd:
		at = count - 1
	case fyne.KeyRight, fyne.KeyLeft:
		if g.columns == 1 {
			return at, false
		}
		if at++; key == fyne.KeyLeft {
			at -= 2
		}
	default:
		return at, false
	}
	return min(max(at, 0), count-1), true
}

// held follows the Shift key.
func (s *Screen) held(e *fyne.KeyEvent, down bool) {
	if e.Name == desktop.KeyShiftLeft || e.Name == desktop.KeyShiftRight {
		s.shift = down
	}
}

// typedKey is a key on the table or the gallery.
func (s *Screen) typedKey(key fyne.KeyName, g grid) {
	at := -1
	if r, ok := s.view.Selected(); ok {
		at = s.view.Index(r.Model.Hash)
	}
	if next, ok := g.step(key, at, s.view.Len()); ok {
		s.moveTo(next, at)
		return
	}
	switch key {
	case fyne.KeyReturn, fyne.KeyEnter:
		s.openSelected()
		return
	case fyne.KeySpace:
		if r, ok := s.view.Selected(); ok {
			s.view.Check(r.Model.Hash, !s.view.Checked(r.Model.Hash))
		}
	case fyne.KeyDelete:
		s.removeChosen()
		return
	case fyne.KeyEscape:
		s.clear()
	default:
		return
	}
	s.redraw()
	s.refreshChoice()
}

// moveTo selects the row at an index. With Shift, what lies between it and where Shift was pressed
// is checked.
func (s *Screen) moveTo(next, from int) {
	if s.shift && from >= 0 {
		if s.anchor < 0 || s.anchor >= s.view.Len() {
			s.anchor = from
		}
		s.view.UncheckRange(s.anchor, from)
		s.view.CheckRange(s.anchor, next)
	} else {
		s.anchor = next
	}
	if r, ok := s.view.At(next); ok {
		s.view.Select(r.Model.Hash)
		s.showRow(next)
	}
	s.redraw()
	s.refreshChoice()
}

// clear takes the checks away; without any, the filter.
func (s *Screen) clear() {
	if s.view.Unchecked() {
		s.filter.SetText("")
		return
	}
	s.view.CheckNone()
}

// typedRune begins to filter: what is typed over the list goes into the filter.
func (s *Screen) typedRune(r rune) {
	if r == ' ' {
		return // Space checks the row, see typedKey
	}
	s.deps.Window.Canvas().Focus(s.filter)
	s.filter.TypedRune(r)
}

// typedShortcut takes Ctrl+A; all others are the window's.
func (s *Screen) typedShortcut(shortcut fyne.Shortcut) {
	if _, all := shortcut.(*fyne.ShortcutSelectAll); all {
		s.view.CheckShown(true)
		s.redraw()
		s.refreshChoice()
		return
	}
	if window, ok := s.deps.Window.Canvas().(fyne.Shortcutable); ok {
		window.TypedShortcut(shortcut)
	}
}

// action is something that can be done with the chosen models.
type action struct {
	name    string
	do      func(hashes []string)
	enabled func(n int) bool
}

const mostCompared = 4

// actions are those that the window offers, in the order of the menu.
func (s *Screen) actions() []action {
	some := func(n int) bool { return n > 0 }
	var list []action
	add := func(name string, do func([]string), enabled func(int) bool) {
		if do != nil {
			list = append(list, action{name, do, enabled})
		}
	}
	add("Run…", s.deps.Run, some)
	add("Add to round…", s.deps.AddToRound, some)
	add("Compare (2 to 4)", s.deps.Compare, func(n int) bool { return n >= 2 && n <= mostCompared })
	add("Export…", s.deps.Export, some)
	add("Report…", s.deps.Report, some)
	add("Edit record…", s.editRecords, some)
	add("Remove…", s.removeModels, some)
	return list
}

// openMenu shows the actions at a position of the window.
func (s *Screen) openMenu(at fyne.Position) {
	chosen := s.view.Chosen()
	var items []*fyne.MenuItem
	if _, ok := s.view.Selected(); ok && s.deps.Open != nil {
		items = append(items, fyne.NewMenuItem("Inspect", s.openSelected))
	}
	for _, a := range s.actions() {
		item := fyne.NewMenuItem(a.name, func() {
			s.Focus()
			a.do(chosen)
		})
		item.Disabled = !a.enabled(len(chosen))
		items = append(items, item)
	}
	popUpMenu(fyne.NewMenu("", items...), s.deps.Window.Canvas(), at)
}

// editRecords opens the dialog of records, which shows all of their fields and is therefore closed
// to who labels a blind round.
func (s *Screen) editRecords(hashes []string) {
	if s.deps.Blind != nil {
		if round := s.deps.Blind(); round != nil {
			s.deps.Say(fmt.Sprintf("Records cannot be edited while %s, a blind round, is labelled here: sign out first.", round.Name))
			return
		}
	}
	dialogs.RecordDialog(s.host(), s.deps.Store, hashes, s.deps.Did)
}

func (s *Screen) removeChosen() {
	if chosen := s.view.Chosen(); len(chosen) > 0 {
		s.removeModels(chosen)
	}
}

func (s *Screen) removeModels(hashes []string) {
	dialogs.RemoveDialog(s.host(), s.deps.Store, hashes, func() []string { return busy(s.statuses) }, nil)
}
