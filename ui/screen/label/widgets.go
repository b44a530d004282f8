package label

import (
	"fmt"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// widgets holds the screen's widgets. It decides nothing: it shows the session and forwards actions
// to the screen.
type widgets struct {
	s       *Screen
	root    *fyne.Container
	layers  *fyne.Container // the work, and the panel over it
	signIn  *signIn
	surface *widget.Surface
	paint   jobs.Latest
	next    jobs.Latest // what follows the round that is done

	bar                            *fyne.Container // round, person, progress; in the toolbar's place
	top                            *fyne.Container // holds the bar where the window has no place for it
	roundName, progress, pace      *fynewidget.Label
	track                          *widget.Track
	title, chip                    *fynewidget.Label
	badge                          *widget.Remark // on a model that is no better than chance
	row                            *evidence.Matrices
	evidence                       *evidence.Panel
	items                          *kit.Records[Item]
	head, details                  *fyne.Container
	guideline                      *widget.Guideline
	drawer                         *fyne.Container
	desk, over, done, rest, listed *fyne.Container
	ending                         ending
	line, readOut                  *fynewidget.Label
	retry                          *fynewidget.Button // beside the line that says that something was not saved
	note                           *widget.Entry
	noteTurn                       labels.Turn // what the text in the note belongs to
	noteStored                     string      // the text that was put there
	buttons                        map[labels.Value]*widget.AnswerButton
	sure                           *fynewidget.Check
	worded                         []worded
	offers                         *fyne.Container // the buttons of the round's labels
	detailsOn                      bool
	listing                        bool              // the list of one's own models is open
	named                          evidence.Evidence // whose name stands in the header, while the list does not
	panel                          panel
}

// worded is something whose text names the key of an action.
type worded struct {
	id   keymap.ID
	word string
	set  func(string)
}

func newWidgets(s *Screen, host *kit.Host) *widgets {
	f := &widgets{s: s, detailsOn: true, buttons: map[labels.Value]*widget.AnswerButton{}}
	f.signIn = newSignIn(s, host)
	f.row = evidence.NewMatrices(f.strayKeys(), f.hover, s.focus)
	f.evidence = evidence.NewPanel(host, f.hover)
	f.items = newItems(f, host)
	work := f.build(host)
	f.panel.init(f)
	f.layers = container.NewStack(work, f.panel.object)
	f.surface = widget.NewSurface(f.layers)
	f.surface.Keys = f.pressedKeys()
	f.root = container.NewStack(f.signIn.object, f.surface)
	f.surface.Hide()
	f.relabel()
	return f
}

// strayKeys hands the keys of every other focusable widget on the screen to the screen, and the
// focus back to the key surface, where the repeats of a key that is held down are known.
func (f *widgets) strayKeys() widget.Keys {
	return widget.Keys{OnRune: func(r rune) {
		f.s.focus()
		f.s.TypedRune(r)
	}, OnKey: func(ev *fyne.KeyEvent) bool {
		f.s.focus()
		f.s.TypedKey(ev.Name)
		return true
	}}
}

// pressedKeys are the keys of the surface, without the repeats of a key that acts once per press.
func (f *widgets) pressedKeys() widget.Keys {
	pass := func(k keymap.Key, ok bool) {
		if ok && (!f.s.once(k) || f.surface.Spend()) {
			f.s.pressed(k)
		}
	}
	return widget.Keys{OnRune: func(r rune) { pass(keymap.Typed(r)) }, OnKey: func(ev *fyne.KeyEvent) bool {
		pass(keymap.Pressed(ev.Name, held()))
		return true
	}}
}

func (f *widgets) build(host *kit.Host) fyne.CanvasObject {
	f.guideline = widget.NewGuideline(drawerWidth - 30)
	f.drawer = container.New(drawerLayout{}, f.guideline.Object())
	f.details = container.New(drawerLayout{}, f.evidence.Object())
	f.over = evidence.Above(f.row, nil) // the matrices take all the room that there is
	f.done, f.rest = f.buildDone(host), f.buildPaused()
	f.listed = container.NewStack(f.items.Object())
	for _, o := range []fyne.CanvasObject{f.drawer, f.done, f.rest, f.listed} {
		o.Hide()
	}
	f.offers = container.New(offersLayout{})
	groups := labels.Groups(labels.Values(3), false)
	for k, v := range labels.Values(3) {
		f.buttons[v] = widget.NewAnswerButton(string(v), groups[k].Look, f.then(func() { f.s.Label(v) }))
		f.offers.Add(f.buttons[v])
	}
	room := container.New(roomLayout{}, f.over, f.done, f.rest, f.listed)
	f.desk = container.New(deskLayout{f}, room, f.offers, f.details, f.drawer)
	f.buildBar()
	f.top = container.NewStack()
	return container.NewBorder(container.NewVBox(f.top, f.buildHeader()), f.buildFoot(), nil, nil, f.desk)
}

func (f *widgets) buildHeader() fyne.CanvasObject {
	f.title = widget.Bold("")
	f.title.SizeName, f.title.Truncation = theme.SizeNameSubHeadingText, fyne.TextTruncateEllipsis
	f.chip = fynewidget.NewLabel("")
	f.chip.Truncation = fyne.TextTruncateEllipsis
	f.badge = widget.NewRemark(f.hover)
	f.head = container.New(headLayout{f}, f.title, f.chip, f.badge)
	return f.head
}

// buildBar makes the line that says who labels what and how far that is, with what is needed at
// times.
func (f *widgets) buildBar() {
	f.roundName = widget.Bold("")
	f.roundName.Truncation = fyne.TextTruncateEllipsis
	f.progress, f.pace, f.track = fynewidget.NewLabel(""), fynewidget.NewLabel(""), widget.NewTrack()
	f.pace.Importance = fynewidget.LowImportance
	right := container.NewHBox(
		f.button(keymap.Items, "My models", f.toggleItems), f.button(keymap.Guideline, "Guideline", f.toggleGuideline),
		f.button(keymap.Details, "Details", f.toggleDetails), f.button(keymap.Help, "Keys", f.openHelp),
		f.icon(theme.MediaPauseIcon(), "Pause", f.s.Pause),
		f.icon(theme.ViewFullScreenIcon(), "Full screen", f.s.ToggleFull),
		f.icon(theme.LogoutIcon(), "Sign out", f.s.SignOut))
	f.bar = container.New(barLayout{f}, f.roundName, f.progress, f.track, f.pace, right)
}

// placeBar shows the bar in the place of the window's toolbar, or over the work where the window
// has no toolbar; while nobody labels it is nowhere.
func (f *widgets) placeBar() {
	working := f.s.session != nil && f.surface.Visible()
	outside := working && f.s.shown && f.s.Bar != nil && !f.s.full
	f.top.RemoveAll()
	if outside {
		f.s.SetBar(f.bar)
		return
	}
	f.s.SetBar(nil)
	if working {
		f.top.Add(f.bar)
	}
}

// icon is a small button; its key stands under the key of help.
func (f *widgets) icon(icon fyne.Resource, hint string, action func()) *widget.HintButton {
	b := widget.NewHintButton(icon, hint, f.hover, f.then(action))
	b.Importance = fynewidget.LowImportance
	return b
}

// buildFoot makes what is said, and the small things that can be done with the item shown.
func (f *widgets) buildFoot() fyne.CanvasObject {
	f.line = fynewidget.NewLabel("")
	f.line.Truncation = fyne.TextTruncateEllipsis
	f.readOut = fynewidget.NewLabel("")
	f.retry = fynewidget.NewButton("Try again", nil)
	f.retry.Importance = fynewidget.HighImportance
	f.retry.Hide()
	lines := container.NewBorder(nil, nil, nil, container.NewHBox(f.retry, f.readOut), f.line)
	f.note = widget.NewEntry()
	leave := func() { f.s.KeepNote(); f.s.focus() }
	f.note.OnSubmitted = func(string) { leave() }
	f.note.OnEscape = leave
	f.note.OnChanged = func(string) { f.touch() }
	f.keyed(keymap.Note, "note", f.note.SetPlaceHolder)
	f.sure = fynewidget.NewCheck("", nil)
	f.sure.OnChanged = func(bool) {
		f.then(f.s.ToggleSure)()
		f.update()
	}
	f.keyed(keymap.Unsure, "Unsure", f.sure.SetText)
	aside := container.NewHBox(f.sure,
		f.button(keymap.Flag, "Flag", f.openFlag), f.button(keymap.Skip, "Skip", f.s.Skip),
		f.button(keymap.Undo, "Undo", f.s.Undo), f.button(keymap.Redo, "Redo", f.s.Redo),
		f.button(keymap.Back, "Back", f.s.Back), f.button(keymap.Forward, "Next", f.s.Forward))
	return container.NewVBox(lines, container.NewBorder(nil, nil, nil, aside, f.note))
}

// valueKeys are the actions that give a label.
var valueKeys = map[labels.Value]keymap.ID{
	labels.Invariant: keymap.Invariant, labels.Borderline: keymap.Borderline, labels.Variant: keymap.Variant,
}

// nameOffers writes the round's words, with their keys, on the buttons of the labels.
func (f *widgets) nameOffers() {
	if f.s.session == nil {
		return
	}
	for v, button := range f.buttons {
		widget.Show(button, f.s.session.Offers(v))
		button.SetText(f.s.keys().Text(capital(f.s.session.Round().Word(v)), valueKeys[v]))
	}
	f.offers.Refresh()
}

// capital is a text that begins with a capital letter.
func capital(text string) string {
	letters := []rune(text)
	letters[0] = unicode.ToUpper(letters[0])
	return string(letters)
}

// button is a button with the key of its action.
func (f *widgets) button(id keymap.ID, word string, action func()) *fynewidget.Button {
	b := fynewidget.NewButton("", f.then(action))
	b.Importance = fynewidget.LowImportance
	f.keyed(id, word, b.SetText)
	return b
}

// keyed notes what has to be worded anew when the key of an action changes.
func (f *widgets) keyed(id keymap.ID, word string, set func(string)) {
	f.worded = append(f.worded, worded{id, word, set})
}

// relabel words everything that names a key.
func (f *widgets) relabel() {
	keys := f.s.keys()
	for _, w := range f.worded {
		w.set(keys.Text(w.word, w.id))
	}
	f.nameOffers()
	f.panel.relabel()
}

// then wraps a button's action: the click counts as activity and the keys get the focus back. In a
// pause a click only ends it, since nobody sees what would be judged.
func (f *widgets) then(action func()) func() {
	return func() {
		if f.s.paused {
			f.s.Resume()
			return
		}
		f.touch()
		f.panel.close()
		if f.listing { // nobody sees what would be judged
			f.closeItems()
		} else {
			action()
		}
		f.s.focus()
	}
}

// touch notes a sign of activity.
func (f *widgets) touch() {
	if f.s.session != nil {
		f.s.session.Touch(f.s.deps.Now())
	}
}

// buildPaused is what covers the matrices in a pause, so that nobody judges while the clock stands.
func (f *widgets) buildPaused() *fyne.Container {
	say := fynewidget.NewLabelWithStyle("Press any key to go on. The time of the pause does not count.",
		fyne.TextAlignCenter, fyne.TextStyle{})
	on := fynewidget.NewButtonWithIcon("Go on", theme.MediaPlayIcon(), f.s.Resume)
	return container.NewVBox(layout.NewSpacer(), bigWord("Paused"), say, container.NewCenter(on), layout.NewSpacer())
}

func bigWord(word string) fyne.CanvasObject {
	head := fynewidget.NewLabelWithStyle(word, fyne.TextAlignCenter, fyne.TextStyle{Bold: true})
	head.SizeName = theme.SizeNameHeadingText
	return head
}

func (f *widgets) hover(text string) {
	f.touch()
	f.readOut.SetText(text)
}

// focus gives the key surface the focus, unless a dialog lies over the window or somebody types
// elsewhere.
func (s *Screen) focus() {
	if !s.shown || s.Window.Canvas().Overlays().Top() != nil {
		return
	}
	if s.session == nil {
		s.widgets.signIn.surface.TakeIn(s.Window.Canvas())
		return
	}
	if s.widgets.panel.typing() {
		return
	}
	if s.widgets.listed.Visible() {
		s.widgets.items.Focus()
		return
	}
	s.widgets.surface.TakeIn(s.Window.Canvas())
}

// busy tells whether a dialog lies over the window.
func (f *widgets) busy() bool {
	return f.s.Window.Canvas().Overlays().Top() != nil
}

// askRange asks for one's own colour range.
func (f *widgets) askRange() {
	evidence.AskRange(f.s.Host, f.s.view.Own, func(r labels.Range) {
		f.s.view.Own = r
		f.s.preset(evidence.Own)
	}, f.s.focus)
}

// message shows a line at the foot; a problem is shown in the colour of errors.
func (f *widgets) message(text string, problem bool) {
	f.retry.Hide()
	f.line.Importance = fynewidget.MediumImportance
	if problem {
		f.line.Importance = fynewidget.DangerImportance
	}
	f.line.SetText(text)
	if f.s.shown {
		f.s.Say("") // one line is enough, and what was said of another screen is past
	}
}

// unsaved says that what was done is not on disk, and offers to store it again as long as nothing
// else is said.
func (f *widgets) unsaved(err error, again func()) {
	f.message(fmt.Sprintf("Not saved: %s", present.Sentence(err)), true)
	f.retry.OnTapped = func() {
		f.retry.Hide()
		f.s.focus()
		again()
	}
	f.retry.Show()
}
