package keymap

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
)

// Key is one key as it is pressed: a character as typed, in lower case, or a named key such as
// Left, where Rune is 0; with Alt, or for named keys Shift, held down. Characters with Alt are
// named keys too, since nothing is typed then.
type Key struct {
	Rune     rune
	Name     fyne.KeyName
	Modifier fyne.KeyModifier
}

// named are the keys that type nothing, or whose character says less than their name.
var named = map[fyne.KeyName]string{
	fyne.KeyLeft: "Left", fyne.KeyRight: "Right", fyne.KeyUp: "Up", fyne.KeyDown: "Down", fyne.KeyHome: "Home",
	fyne.KeyEnd: "End", fyne.KeyPageUp: "PageUp", fyne.KeyPageDown: "PageDown", fyne.KeyInsert: "Insert",
	fyne.KeyDelete: "Delete", fyne.KeyBackspace: "Backspace", fyne.KeyReturn: "Return", fyne.KeyEnter: "Enter",
	fyne.KeySpace: "Space", fyne.KeyEscape: "Escape", fyne.KeyF1: "F1", fyne.KeyF2: "F2", fyne.KeyF3: "F3",
	fyne.KeyF4: "F4", fyne.KeyF5: "F5", fyne.KeyF6: "F6", fyne.KeyF7: "F7", fyne.KeyF8: "F8", fyne.KeyF9: "F9",
	fyne.KeyF10: "F10", fyne.KeyF11: "F11", fyne.KeyF12: "F12",
}

// short are the labels of named keys on buttons, where they differ from their names.
var short = map[string]string{
	"Left": "←", "Right": "→", "Up": "↑", "Down": "↓", "Backspace": "⌫", "PageDown": "Page ↓",
	"PageUp": "Page ↑", "Escape": "Esc",
}

// Typed is the key of a character; ok is false for a blank, which is the named key Space, and for
// what cannot be seen.
func Typed(r rune) (k Key, ok bool) {
	if !unicode.IsGraphic(r) || unicode.IsSpace(r) {
		return Key{}, false
	}
	return Key{Rune: unicode.ToLower(r)}, true
}

// Pressed is the key of a key event with what was held down; ok is false for keys that type a
// character, which arrive by themselves, unless Alt is held down.
func Pressed(name fyne.KeyName, held fyne.KeyModifier) (k Key, ok bool) {
	if held&fyne.KeyModifierAlt != 0 && name != fyne.KeyUnknown {
		return Key{Name: name, Modifier: held}, true
	}
	if _, ok := named[name]; !ok {
		return Key{}, false
	}
	return Key{Name: name, Modifier: held}, true
}

// problem says why a key cannot be chosen, nil when it can.
func (k Key) problem() error {
	switch {
	case k.Modifier&(fyne.KeyModifierControl|fyne.KeyModifierSuper) != 0:
		return fmt.Errorf("%s belongs to the window's menu; choose a key without it", k.Word())
	case k == (Key{}):
		return errors.New("that is no key")
	}
	return nil
}

// modifiers in the order in which they are written.
var modifiers = []struct {
	bit  fyne.KeyModifier
	name string
}{
	{fyne.KeyModifierControl, "Ctrl"},
	{fyne.KeyModifierSuper, "Super"},
	{fyne.KeyModifierAlt, "Alt"},
	{fyne.KeyModifierShift, "Shift"},
}

// String is the key as it is kept: v, Left, Shift+Left, Alt+V.
func (k Key) String() string {
	if k.Rune != 0 {
		return string(k.Rune)
	}
	name := named[k.Name]
	if name == "" {
		name = string(k.Name)
	}
	return k.held() + name
}

func (k Key) held() string {
	text := ""
	for _, m := range modifiers {
		if k.Modifier&m.bit != 0 {
			text += m.name + "+"
		}
	}
	return text
}

// Label is the key as it stands on buttons: V, ←, Shift+←.
func (k Key) Label() string {
	if k.Rune != 0 {
		return string(unicode.ToUpper(k.Rune))
	}
	name := strings.TrimPrefix(k.String(), k.held())
	if s, ok := short[name]; ok {
		name = s
	}
	return k.held() + name
}

// Word is the key as it stands in lists and sentences: V, Left, Shift+Left.
func (k Key) Word() string {
	if k.Rune != 0 {
		return string(unicode.ToUpper(k.Rune))
	}
	return k.String()
}

// ParseKey reads what String wrote; letters may be of either case.
func ParseKey(text string) (Key, error) {
	if letters := []rune(text); len(letters) == 1 {
		if k, ok := Typed(letters[0]); ok {
			return k, nil
		}
	}
	var k Key
	rest := text
	for _, m := range modifiers {
		if after, found := strings.CutPrefix(rest, m.name+"+"); found {
			rest = after
			k.Modifier |= m.bit
		}
	}
	for name, word := range named {
		if rest == word {
			k.Name = name
			return k, nil
		}
	}
	if k.Modifier&fyne.KeyModifierAlt != 0 && len(rest) > 0 && !strings.ContainsAny(rest, "+ ") {
		k.Name = fyne.KeyName(rest)
		return k, nil
	}
	return Key{}, fmt.Errorf("%q is no key; write a character, or a name such as Left, PageDown or F5", text)
}

// Digit is which class the digit chooses, counted from 0: 1 is the first. The digits count the
// labels that a round offers, so they are not in the map; a digit that was made the key of an
// action is that key instead. ok is false for other keys, and where the round has fewer classes.
func (m Map) Digit(k Key, classes int) (class int, ok bool) {
	if _, taken := m.Action(k); taken || k.Rune < '1' || k.Rune >= '1'+rune(classes) {
		return 0, false
	}
	return int(k.Rune - '1'), true
}

// Shortcuts are the keys of the map that arrive as shortcuts of the window and not at what has the
// focus: those with Alt.
func (m Map) Shortcuts() []Key {
	var list []Key
	for _, a := range actions() {
		for _, k := range m.keys[a.ID] {
			if k.Modifier&fyne.KeyModifierAlt != 0 && !slices.Contains(list, k) {
				list = append(list, k)
			}
		}
	}
	return list
}
