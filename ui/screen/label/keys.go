package label

import (
	"unicode"

	"fyne.io/fyne/v2"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// press is one key: a rune, or a named key where Rune is 0.
type press struct {
	Rune rune
	Key  fyne.KeyName
}

var labelKeys = map[rune]labels.Value{'i': labels.Invariant, 'b': labels.Borderline, 'v': labels.Variant}

// acting are the letters that store something.
var acting = map[rune]bool{'i': true, 'b': true, 'v': true, 's': true, 'z': true, 'u': true}

// TypedRune takes a letter typed on the key surface.
func (s *Screen) TypedRune(r rune) { s.pressed(press{Rune: unicode.ToLower(r)}) }

// TypedKey takes a named key typed on the key surface.
func (s *Screen) TypedKey(k fyne.KeyName) { s.pressed(press{Key: k}) }

func (s *Screen) pressed(p press) {
	if s.session == nil {
		return
	}
	s.session.Touch(s.deps.Now())
	if s.saving {
		s.queue = append(s.queue, p)
		return
	}
	s.act(p)
}

// replay uses keys that were typed while an event was being stored. A label key among them is dropped: whoever typed it
// had not seen the item that it would now apply to. Letters after the note was opened go into the note.
func (s *Screen) replay(queue []press) {
	for k, p := range queue {
		switch {
		case s.saving:
			s.queue = append(s.queue, queue[k:]...)
			return
		case s.face.typing() && p.Rune != 0:
			s.face.typeIntoNote(p.Rune)
		case s.face.typing():
			s.face.noteKey(p.Key)
		case labelKeys[p.Rune] != "" || p.Rune == 's':
			s.face.message("a key typed while saving was not used; look at this model first", false)
		default:
			s.act(p)
		}
	}
}

func (s *Screen) act(p press) {
	if v, ok := labelKeys[p.Rune]; ok {
		s.Label(v)
		return
	}
	switch p.Rune {
	case 'u':
		s.ToggleSure()
	case 's':
		s.Skip()
	case 'z':
		s.Undo()
	case 'n':
		s.face.openNote()
	case 'g':
		s.face.toggleGuideline()
	case 'm':
		s.face.toggleDetails()
	case 'd':
		s.preset(evidence.Shared)
	case 'p':
		s.preset(evidence.Paper)
	case 'o':
		s.face.askRange()
	default:
		s.actKey(p.Key)
	}
}

func (s *Screen) actKey(k fyne.KeyName) {
	switch k {
	case fyne.KeyBackspace:
		s.Undo()
	case fyne.KeyLeft:
		s.Back()
	case fyne.KeyRight:
		s.Forward()
	case fyne.KeyEnd, fyne.KeyEscape:
		s.Return()
	}
}

// preset changes the colour ranges of the matrices; labels record the ranges that were seen.
func (s *Screen) preset(p evidence.Preset) {
	s.view.Preset = p
	s.face.repaint()
}
