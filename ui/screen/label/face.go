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
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// leastDetails is the least height of charts and record below the matrices, in Fyne's device-independent pixels.
const leastDetails = 150

// face holds the screen's widgets. It decides nothing: it shows the session and forwards actions to the screen.
type face struct {
	s       *Screen
	root    *fyne.Container
	signIn  *signIn
	surface *widget.Surface
	paint   background.Latest

	title, chip, progress *fynewidget.Label
	bar                   *fynewidget.ProgressBar
	row                   *evidence.Row
	charts                *evidence.Charts
	record                *evidence.Lines
	details, guide, rest  *fyne.Container
	guideline             *fynewidget.RichText
	work, over, done      *fyne.Container
	doneText              *fynewidget.Label
	line, readOut         *fynewidget.Label
	note                  *widget.Entry
	noteItem              string // the model that the text in the note belongs to
	buttons               map[labels.Value]*fynewidget.Button
	sure                  *fynewidget.Check
	offers                *fyne.Container // the buttons of the round's labels
	detailsOn             bool
}

func newFace(s *Screen) *face {
	f := &face{s: s, detailsOn: true, buttons: map[labels.Value]*fynewidget.Button{}}
	f.signIn = newSignIn(s)
	f.row = evidence.NewRow(f.keys(), f.hover, s.focus)
	f.charts = evidence.NewCharts(f.hover)
	f.record = evidence.NewLines("training record", f.keys())
	f.build()
	f.surface = widget.NewSurface(evidence.Margin(f.work))
	f.surface.Keys = f.pressedKeys()
	f.root = container.NewStack(f.signIn.object, f.surface)
	f.surface.Hide()
	return f
}

// keys hands the keys of every focusable widget on the screen to the screen.
func (f *face) keys() widget.Keys {
	return widget.Keys{OnRune: f.s.TypedRune, OnKey: func(ev *fyne.KeyEvent) bool {
		f.s.TypedKey(ev.Name)
		return true
	}}
}

// pressedKeys are keys without the repeats of a key that acts on labels: while it is held down, a repeat would label
// models that nobody has looked at. Arrows may repeat.
func (f *face) pressedKeys() widget.Keys {
	return widget.Keys{OnRune: func(r rune) {
		if !acting[unicode.ToLower(r)] || f.surface.Spend() {
			f.s.TypedRune(r)
		}
	}, OnKey: func(ev *fyne.KeyEvent) bool {
		if ev.Name != fyne.KeyBackspace || f.surface.Spend() {
			f.s.TypedKey(ev.Name)
		}
		return true
	}}
}

func (f *face) build() {
	f.guideline = fynewidget.NewRichTextWithText("")
	f.guideline.Wrapping = fyne.TextWrapWord
	f.details = evidence.Columns(f.charts.LossBox(), f.record.Object(), f.charts.AccuracyBox())
	f.guide = container.NewStack(container.NewVScroll(f.guideline))
	f.guide.Hide()
	f.rest = container.NewStack(f.details, f.guide)
	f.over = evidence.Over(f.row, f.rest, leastDetails)
	f.done = f.buildDone()
	f.done.Hide()
	f.work = container.NewBorder(f.buildHeader(), f.buildFoot(), nil, nil, container.NewStack(f.over, f.done))
}

func (f *face) buildHeader() fyne.CanvasObject {
	f.title = fynewidget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	f.title.SizeName = theme.SizeNameSubHeadingText
	f.chip = fynewidget.NewLabel("")
	f.chip.Truncation = fyne.TextTruncateEllipsis
	f.progress = fynewidget.NewLabel("")
	f.bar = fynewidget.NewProgressBar()
	f.bar.TextFormatter = func() string { return "" }
	bar := container.NewGridWrap(fyne.NewSize(110, 12), f.bar)
	who := fynewidget.NewButtonWithIcon("Sign out", theme.LogoutIcon(), f.then(f.s.SignOut))
	right := container.NewHBox(f.progress, container.NewCenter(bar), who)
	return container.NewBorder(nil, nil, f.title, right, f.chip)
}

func (f *face) buildFoot() fyne.CanvasObject {
	f.line = fynewidget.NewLabel("")
	f.line.Truncation = fyne.TextTruncateEllipsis
	f.readOut = fynewidget.NewLabel("")
	lines := container.NewBorder(nil, nil, nil, f.readOut, f.line)
	f.note = widget.NewEntry()
	f.note.SetPlaceHolder("note on this model: N opens it, Enter or Esc goes back to the keys")
	leave := func() { f.s.KeepNote(); f.s.focus() }
	f.note.OnSubmitted = func(string) { leave() }
	f.note.OnEscape = leave
	return container.NewVBox(lines, f.note, f.buildButtons())
}

func (f *face) buildButtons() fyne.CanvasObject {
	left := container.NewHBox()
	f.offers = left
	for _, b := range []struct {
		value labels.Value
		text  string
	}{{labels.Invariant, "Invariant (I)"}, {labels.Borderline, "Borderline (B)"}, {labels.Variant, "Variant (V)"}} {
		button := fynewidget.NewButton(b.text, f.then(func() { f.s.Label(b.value) }))
		f.buttons[b.value] = button
		left.Add(button)
	}
	f.sure = fynewidget.NewCheck("Unsure (U)", nil)
	f.sure.OnChanged = func(bool) { f.s.ToggleSure(); f.s.focus() }
	left.Add(f.sure)
	right := container.NewHBox(
		fynewidget.NewButton("Skip (S)", f.then(f.s.Skip)),
		fynewidget.NewButton("Undo (Z)", f.then(f.s.Undo)),
		fynewidget.NewButtonWithIcon("", theme.NavigateBackIcon(), f.then(f.s.Back)),
		fynewidget.NewButtonWithIcon("", theme.NavigateNextIcon(), f.then(f.s.Forward)),
		fynewidget.NewButton("Details (M)", f.then(f.toggleDetails)),
		fynewidget.NewButton("Guideline (G)", f.then(f.toggleGuideline)),
	)
	return container.NewHBox(left, layout.NewSpacer(), right)
}

// then wraps a button's action: the click counts as activity, the note is kept and the keys get the focus back.
func (f *face) then(action func()) func() {
	return func() {
		if f.s.session != nil {
			f.s.session.Touch(f.s.deps.Now())
		}
		action()
		f.s.focus()
	}
}

func (f *face) buildDone() *fyne.Container {
	f.doneText = fynewidget.NewLabelWithStyle("", fyne.TextAlignCenter, fyne.TextStyle{})
	f.doneText.Wrapping = fyne.TextWrapWord
	back := fynewidget.NewButtonWithIcon("Look back", theme.NavigateBackIcon(), f.then(f.s.Back))
	out := fynewidget.NewButtonWithIcon("Another annotator", theme.AccountIcon(), f.then(f.s.SignOut))
	head := fynewidget.NewLabelWithStyle("Done", fyne.TextAlignCenter, fyne.TextStyle{Bold: true})
	head.SizeName = theme.SizeNameHeadingText
	return container.NewVBox(layout.NewSpacer(), head, f.doneText,
		container.NewCenter(container.NewHBox(back, out)), layout.NewSpacer())
}

func (f *face) hover(text string) {
	if f.s.session != nil {
		f.s.session.Touch(f.s.deps.Now())
	}
	f.readOut.SetText(text)
}

// focus gives the key surface the focus, unless a dialog lies over the window or somebody types elsewhere.
func (s *Screen) focus() {
	if !s.shown || s.session == nil || s.deps.Window == nil || s.deps.Window.Canvas().Overlays().Top() != nil {
		return
	}
	s.face.surface.TakeIn(s.deps.Window.Canvas())
}

// askRange asks for one's own colour range.
func (f *face) askRange() {
	evidence.AskRange(f.s.deps.Window, f.s.view.Own, func(r labels.Range) {
		f.s.view.Own = r
		f.s.preset(evidence.Own)
	}, f.s.focus)
}

// message shows a line at the foot; a problem is shown in the colour of errors.
func (f *face) message(text string, problem bool) {
	f.line.Importance = fynewidget.MediumImportance
	if problem {
		f.line.Importance = fynewidget.DangerImportance
	}
	f.line.SetText(text)
	if text != "" {
		f.s.deps.Status(text)
	}
}

func (f *face) toggleDetails() {
	f.detailsOn = !f.detailsOn
	f.guide.Hide()
	f.arrange()
	f.s.remember(settingDetails, f.detailsOn)
}

func (f *face) toggleGuideline() {
	if f.guide.Visible() {
		f.guide.Hide()
	} else {
		f.guide.Show()
	}
	f.arrange()
}

// arrange shows the guideline in place of the details, the details, or neither.
func (f *face) arrange() {
	switch {
	case f.guide.Visible():
		f.details.Hide()
		f.rest.Show()
	case f.detailsOn:
		f.details.Show()
		f.rest.Show()
	default:
		f.rest.Hide()
	}
	f.over.Refresh()
}

// confirmClosed is the sentence shown when a closed round is opened.
func confirmClosed(r labels.Round) string {
	return fmt.Sprintf("round %s is closed; labels can be looked at, not changed", r.Name)
}
