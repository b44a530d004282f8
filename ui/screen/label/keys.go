package label

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// deeds are what the actions of the key map do.
func (s *Screen) deeds() map[keymap.ID]func() {
	return map[keymap.ID]func(){
		keymap.Invariant: func() { s.LabelClass(0) }, keymap.Borderline: s.borderline, keymap.Variant: s.variant,
		keymap.Skip: s.Skip, keymap.Unsure: s.ToggleSure, keymap.Note: s.widgets.openNote,
		keymap.Flag: s.widgets.openFlag, keymap.Undo: s.Undo, keymap.Redo: s.Redo,
		keymap.Back: s.Back, keymap.Forward: s.Forward, keymap.Return: s.Escape, keymap.AutoAdvance: s.ToggleAuto,
		keymap.NextMatrix: func() { s.widgets.enlarge(1) }, keymap.PrevMatrix: func() { s.widgets.enlarge(-1) },
		keymap.AllMatrices: func() { s.widgets.enlarge(0) }, keymap.ColourMap: s.nextMap,
		keymap.RangeShared: func() { s.preset(evidence.Shared) },
		keymap.RangePaper:  func() { s.preset(evidence.Paper) }, keymap.RangeOwn: s.widgets.askRange,
		keymap.Details: s.widgets.toggleDetails, keymap.Guideline: s.widgets.toggleGuideline,
		keymap.RecordDown: func() { s.widgets.evidence.Scroll(1) },
		keymap.RecordUp:   func() { s.widgets.evidence.Scroll(-1) }, keymap.Items: s.widgets.toggleItems,
		keymap.NextFlagged: s.NextFlagged, keymap.FullScreen: s.ToggleFull, keymap.Pause: s.Pause,
		keymap.SignOut: s.SignOut, keymap.Help: s.widgets.openHelp,
	}
}

// labelling are the actions that judge the item shown.
var labelling = []keymap.ID{keymap.Invariant, keymap.Borderline, keymap.Variant, keymap.Skip}

// TypedRune takes a character typed on the key surface.
func (s *Screen) TypedRune(r rune) {
	if k, ok := keymap.Typed(r); ok {
		s.pressed(k)
	}
}

// TypedKey takes a named key typed on the key surface.
func (s *Screen) TypedKey(name fyne.KeyName) {
	if k, ok := keymap.Pressed(name, held()); ok {
		s.pressed(k)
	}
}

// held are the modifiers that are held down now, as far as the driver knows.
func held() fyne.KeyModifier {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}

// once tells whether a key must act once per press, however long it is held down: a repeat would
// label models that nobody has looked at. Only looking back and forth may repeat.
func (s *Screen) once(k keymap.Key) bool {
	a, ok := s.keys().Action(k)
	return !ok || !a.Repeats || s.paused || s.widgets.panelOpen()
}

func (s *Screen) pressed(k keymap.Key) {
	switch {
	case s.session == nil:
	case s.paused:
		s.Resume()
	default:
		s.session.Touch(s.deps.Now())
		s.arrived(k)
	}
}

func (s *Screen) arrived(k keymap.Key) {
	switch {
	case s.widgets.panelOpen():
		s.widgets.panelKey(k)
	case s.widgets.listing:
		s.widgets.closeItems()
	case s.saving:
		s.queue = append(s.queue, k)
	default:
		s.act(k)
	}
}

// replay uses keys that were typed while an event was being stored. A label key among them is
// dropped: whoever typed it had not seen the item that it would now apply to. Letters after the
// note was opened go into the note.
func (s *Screen) replay(queue []keymap.Key) {
	for n, k := range queue {
		switch {
		case s.saving:
			s.queue = append(s.queue, queue[n:]...)
			return
		case s.widgets.typing() && k.Rune != 0:
			s.widgets.note.TypedRune(k.Rune)
		case s.widgets.typing():
			s.widgets.note.TypedKey(&fyne.KeyEvent{Name: k.Name})
		case s.judges(k):
			s.widgets.message("a key typed while saving was not used; look at this model first", false)
		default:
			s.arrived(k)
		}
	}
}

// judges tells whether a key labels or skips the item shown.
func (s *Screen) judges(k keymap.Key) bool {
	if a, ok := s.keys().Action(k); ok {
		return slices.Contains(labelling, a.ID)
	}
	_, digit := s.keys().Digit(k, 3)
	return digit
}

func (s *Screen) act(k keymap.Key) {
	if a, ok := s.keys().Action(k); ok {
		s.deeds()[a.ID]()
	} else if class, ok := s.keys().Digit(k, s.session.Round().Classes); ok {
		s.LabelClass(class)
	} else {
		help := s.keys().First(keymap.Help)
		s.widgets.message(fmt.Sprintf("%s does nothing here: %s; %s shows all keys",
			k.Word(), s.offerKeys(), help), false)
	}
}

// chord takes the keys with Alt, which reach the window and not what has the focus; unchord gives
// them back.
func (s *Screen) chord() {
	s.unchord()
	if !s.shown {
		return
	}
	for _, k := range s.keys().Shortcuts() {
		shortcut := &desktop.CustomShortcut{KeyName: k.Name, Modifier: k.Modifier}
		s.chords = append(s.chords, shortcut)
		s.Window.Canvas().AddShortcut(shortcut, func(fyne.Shortcut) { s.chorded(k) })
	}
}

// chorded takes a key with Alt, unless somebody types elsewhere.
func (s *Screen) chorded(k keymap.Key) {
	if s.Working() && (!s.once(k) || s.widgets.surface.Spend()) {
		s.pressed(k)
	}
}

func (s *Screen) unchord() {
	for _, shortcut := range s.chords {
		s.Window.Canvas().RemoveShortcut(shortcut)
	}
	s.chords = nil
}

// rekey follows a change of the key map.
func (s *Screen) rekey() {
	s.chord()
	s.widgets.relabel()
}
