package dialogs

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// KeysDialog opens the editor of the keys in a dialog of its own.
func KeysDialog(host *kit.Host, book *keymap.Book) {
	s := host.NewDialog("Keys", fyne.NewSize(640, 560))
	s.Show(KeysPage(host.Window, book), s.CloseButton("Done"))
	s.Present(nil)
}

// KeysPage edits the keys of the label screen: a list of actions, each with its keys, one that
// waits for a key to add, and one that gives back the usual ones. Changes apply at once.
func KeysPage(window fyne.Window, book *keymap.Book) fyne.CanvasObject {
	p := &keysPage{window: window, book: book, list: container.NewVBox(), said: own.Wrapped("")}
	all := widget.NewButton("The usual keys for everything", func() {
		book.Set(keymap.Default())
		p.say("all keys are the usual ones", false)
		p.fill()
	})
	hint := own.Wrapped("Keys are what is typed, " +
		"so they work on any keyboard layout. 1, 2 and 3 are the labels in their order.")
	p.fill()
	return container.NewBorder(hint, container.NewBorder(nil, nil, nil, all, p.said), nil, nil,
		container.NewVScroll(p.list))
}

type keysPage struct {
	window fyne.Window
	book   *keymap.Book
	list   *fyne.Container
	said   *widget.Label
}

func (p *keysPage) say(text string, problem bool) {
	p.said.Importance = widget.MediumImportance
	if problem {
		p.said.Importance = widget.DangerImportance
	}
	p.said.SetText(text)
}

// fill makes the list anew.
func (p *keysPage) fill() {
	p.list.RemoveAll()
	group := ""
	for _, a := range keymap.Actions() {
		if a.Group != group {
			group = a.Group
			p.list.Add(own.Bold(group))
		}
		p.list.Add(p.line(a))
	}
	p.list.Refresh()
}

func (p *keysPage) line(a keymap.Action) fyne.CanvasObject {
	name := widget.NewLabel(a.Title)
	name.Truncation = fyne.TextTruncateEllipsis
	keys := container.NewHBox()
	for _, k := range p.book.Map().Keys(a.ID) {
		remove := widget.NewButton(k.Word()+"  ×", func() { p.remove(a, k) })
		remove.Importance = widget.LowImportance
		keys.Add(remove)
	}
	catch := &keyCatcher{caught: func(k keymap.Key) { p.add(a, k) }, window: p.window}
	catch.Text = "Add key"
	catch.OnTapped = catch.wait
	catch.ExtendBaseWidget(catch)
	keys.Add(layout.NewSpacer())
	keys.Add(catch)
	return container.New(layout.NewGridLayoutWithColumns(2), name, keys)
}

func (p *keysPage) remove(a keymap.Action, gone keymap.Key) {
	left := slices.Clone(p.book.Map().Keys(a.ID))
	p.set(a, slices.DeleteFunc(left, func(k keymap.Key) bool { return k == gone }))
}

func (p *keysPage) add(a keymap.Action, k keymap.Key) { p.set(a, append(p.book.Map().Keys(a.ID), k)) }

// set gives an action its keys, or says why not.
func (p *keysPage) set(a keymap.Action, keys []keymap.Key) {
	m, err := p.book.Map().With(a.ID, keys...)
	if err != nil {
		p.say(sentence(err), true)
		return
	}
	p.book.Set(m)
	said := fmt.Sprintf("%s has no key", a.Title)
	for k, key := range keys {
		if k == 0 {
			said = a.Title + ": " + key.Word()
		} else {
			said += ", " + key.Word()
		}
	}
	p.say(said, false)
	p.fill()
}

// keyCatcher is a button that waits for one key after it was clicked. It takes Tab and Escape for
// what they usually do.
type keyCatcher struct {
	widget.Button
	window  fyne.Window
	caught  func(keymap.Key)
	waiting bool
}

var _ fyne.Shortcutable = (*keyCatcher)(nil)

func (c *keyCatcher) wait() {
	c.waiting = true
	c.SetText("Press a key…")
	if c.window != nil {
		c.window.Canvas().Focus(c)
	}
}

// Waiting tells the window that Escape and Return are meant for this button.
func (c *keyCatcher) Waiting() bool { return c.waiting }

func (c *keyCatcher) rest() {
	c.waiting = false
	c.SetText("Add key")
}

// FocusLost implements fyne.Focusable.
func (c *keyCatcher) FocusLost() {
	c.Button.FocusLost()
	if c.waiting {
		c.rest()
	}
}

// TypedRune implements fyne.Focusable.
func (c *keyCatcher) TypedRune(r rune) {
	if k, ok := keymap.Typed(r); ok && c.waiting {
		c.take(k)
	}
}

// TypedKey implements fyne.Focusable.
func (c *keyCatcher) TypedKey(ev *fyne.KeyEvent) {
	if !c.waiting {
		c.Button.TypedKey(ev)
		return
	}
	if ev.Name == fyne.KeyEscape {
		c.rest()
		return
	}
	var held fyne.KeyModifier
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		held = d.CurrentKeyModifiers()
	}
	if k, ok := keymap.Pressed(ev.Name, held); ok {
		c.take(k)
	}
}

// TypedShortcut implements fyne.Shortcutable: keys with Alt or Ctrl arrive here.
func (c *keyCatcher) TypedShortcut(s fyne.Shortcut) {
	if custom, ok := s.(*desktop.CustomShortcut); ok && c.waiting {
		c.take(keymap.Key{Name: custom.KeyName, Modifier: custom.Modifier})
	}
}

func (c *keyCatcher) take(k keymap.Key) {
	c.rest()
	if c.window != nil {
		c.window.Canvas().Unfocus() // the list is made anew
	}
	c.caught(k)
}
