package kit

import (
	"cmp"
	"context"
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Ask asks for options in a dialog: a form of rows, below it what these options would do, and a
// button that is off while something is wrong with them. Where something is missing, the button
// says what.
//
//	ask := &kit.Ask[dscore.Run]{
//		Title: "Compute D-Scores", Button: "Start",
//		Form: &kit.Form[dscore.Run]{Host: host, Choices: choices},
//		Line: func(o dscore.Run) kit.Work[string] {
//			return func(context.Context, engine.Progress) (string, error) { return cost(o) }
//		},
//		Do: func(d *kit.Dialog, o dscore.Run) { d.Close(); start(o) }, // or Run
//	}
//	ask.Open()
type Ask[O any] struct {
	// Title is that of the dialog, Button what does it.
	Title, Button string
	// Size is the least size of the dialog.
	Size fyne.Size
	// Form asks; Open makes it and gives it Rows.
	Form *Form[O]
	// Start, which may be nil, changes the options that the form begins with.
	Start func(f *Form[O])
	// Above stands over the form, Beside at its right and Below under it, such as a preview; nil
	// for nothing.
	Above, Beside, Below fyne.CanvasObject
	// Ready, which may be nil, is asked about options of which nothing is wrong: what the button is
	// called with them, and whether it can be pressed.
	Ready func(O) (button string, ok bool)
	// More are further buttons before Button, which are off while something is wrong with the
	// options.
	More []Button[O]
	// Leave is what the button is called that closes the dialog, "" for Cancel.
	Leave string
	// In and Back show the form in a dialog that is open, with a button that goes back to what
	// stood there before; nil for a dialog of its own.
	In   *Dialog
	Back func()
	// Line says what the options would do, such as what it costs: it is called on the main
	// goroutine after each change, and what it returns runs in the background, until the next
	// change ends its context. An error is said in its place, and the button stays off. Nil for
	// nothing to say; nil work clears the line.
	Line func(O) Work[string]
	// Says, in place of Line, is called in the background and says it of the options alone.
	Says func(O) (string, error)
	// Look is Line where more follows from what is found than a line: what the work returns is
	// called on the main goroutine, and says the line. It is asked whatever is wrong with the
	// options.
	Look func(O) Work[func() string]
	// Warn, which may be nil, is what people should know before they press the button, "" for
	// nothing; it is called on the main goroutine after each change.
	Warn func(O) string
	// Writes, which may be nil, are the files and folders that are written. Where something is
	// there already, it is done only after a person has agreed that it is written over.
	Writes func(O) []string
	// Run does what was asked for, off the main goroutine. The dialog shows how far it is and then
	// what came of it, as Try does.
	Run func(ctx context.Context, o O, p *jobs.Progress) (Done, error)
	// Job is the name of the job of Run, "" for Title. Stopped says what a cancel leaves, "" for a
	// job of one step, which cannot be cancelled.
	Job, Stopped string
	// Do, in place of Run, is called on the main goroutine: it closes the dialog, or calls Try.
	Do func(d *Dialog, o O)
	// Closed, which may be nil, hears that the dialog is gone, in whatever way.
	Closed func()

	dialog  *Dialog
	more    []*fynewidget.Button
	shown   fyne.CanvasObject // in the dialog while it asks
	offered bool              // there is a command to copy
	line    *fynewidget.Label
	warned  *fynewidget.Label
	content *fyne.Container // the form and what stands above and below it
	button  *fynewidget.Button
	latest  jobs.Latest
	writing jobs.Latest // looks for what Do would write over
	said    error       // what Line refused last
}

// Button is a further button of Ask.
type Button[O any] struct {
	Text string
	Do   func(d *Dialog, o O)
}

// Open opens the dialog.
func (a *Ask[O]) Open() {
	a.Form.Rows = true
	own := a.Form.OnChange
	a.Form.OnChange = func(o O) {
		if own != nil {
			own(o)
		}
		a.look()
	}
	a.Form.OnSubmit = a.do
	a.Form.Make()
	a.line = fynewidget.NewLabel("")
	a.line.Wrapping, a.line.Selectable = fyne.TextWrapWord, a.Look != nil
	a.warned = widget.Wrapped("")
	a.warned.Importance = fynewidget.WarningImportance
	a.button = fynewidget.NewButton(a.Button, a.do)
	a.button.Importance = fynewidget.HighImportance
	for _, b := range a.More {
		a.more = append(a.more, fynewidget.NewButton(b.Text, func() {
			if a.complete() {
				b.Do(a.dialog, a.Form.Options())
			}
		}))
	}
	if a.dialog = a.In; a.dialog == nil {
		a.dialog = a.Form.NewDialog(a.Title, a.Size)
		a.dialog.OnClosed = a.Closed
	}
	a.Form.Offer()
	if a.Start != nil {
		a.Form.Prepare(func() { a.Start(a.Form) })
	}
	a.Again()
	a.look()
	if a.In != nil {
		return
	}
	var first fyne.Focusable
	for _, it := range a.Form.items {
		own, _ := it.own.Object.(fyne.Focusable)
		switch {
		case first != nil:
		case it.entry != nil && it.entry.Visible():
			first = it.entry
		case own != nil && it.own.Object.Visible():
			first = own
		}
	}
	a.dialog.Present(first)
}

// Again shows the form in the dialog, also in place of what came of the work.
func (a *Ask[O]) Again() {
	below := []fyne.CanvasObject{a.line, a.warned}
	if a.Below != nil {
		below = append(below, a.Below)
	}
	asked := a.Form.Object()
	if a.Look != nil { // what was found stays in sight below many options
		scroll := container.NewVScroll(asked)
		scroll.SetMinSize(fyne.NewSize(asked.MinSize().Width, leastForm))
		asked = scroll
	}
	a.content = container.NewBorder(a.Above, container.NewVBox(below...), nil, nil, asked)
	var form fyne.CanvasObject = a.content
	if a.Beside != nil {
		form = container.New(besideForm{}, form, a.Beside)
	}
	a.dialog.Show(form, a.buttons()...)
	a.shown = form
	a.dialog.Drop = a.Form.drop
}

// leastForm is the least height of a form that scrolls.
const leastForm = 180

// buttons are those below the form.
func (a *Ask[O]) buttons() (list []fyne.CanvasObject) {
	if a.Back != nil {
		list = append(list, fynewidget.NewButton("Back", a.Back))
	}
	if a.offered = a.Form.CommandLine() != ""; a.offered {
		list = append(list, fynewidget.NewButton("Copy as command", func() {
			if entries := a.Form.Entries(); a.complete() && len(entries) > 0 {
				entries[0].Action()
			}
		}))
	}
	list = append(list, a.dialog.CloseButton(cmp.Or(a.Leave, "Cancel")))
	for _, b := range a.more {
		list = append(list, b)
	}
	return append(list, a.button)
}

// Refuse shows the form again and says below it what was wrong with what Do tried, until something
// else is chosen. Where the dialog is closed already, the error is shown above the screens.
func (a *Ask[O]) Refuse(err error) {
	if a.dialog.Closed() {
		a.Form.Fail(err)
		return
	}
	a.latest.Next() // what Line says of the same options comes too late
	a.Again()
	a.say(present.Sentence(err), fynewidget.WarningImportance)
}

// Try runs a job in the dialog and shows what came of it. Where it fails, or is cancelled, and
// nothing came of it, the form is shown again with the reason, or with what stopped says.
func (a *Ask[O]) Try(name, stopped string, do func(context.Context, *jobs.Progress) (Done, error)) {
	a.dialog.carry(name, stopped, do, func(err error) {
		switch {
		case !present.Cancelled(err):
			a.Refuse(err)
		case a.dialog.Closed():
			a.Form.Say(stopped)
		default:
			a.Refuse(errors.New(stopped))
		}
	})
}

// Quick is Try for what is done at once: no progress is shown.
func (a *Ask[O]) Quick(name string, do func() (Done, error)) {
	var came Done
	a.Form.Work.Quiet(name, func(context.Context) (err error) {
		came, err = do()
		return err
	}, func(err error) {
		if err != nil {
			a.Refuse(err)
			return
		}
		a.dialog.end(came)
	})
}

// look says what the options would do, or lets the button be off where they are wrong.
func (a *Ask[O]) look() {
	if a.button == nil || a.dialog == nil {
		return
	}
	a.said = nil
	if a.Warn != nil {
		a.warned.SetText(a.Warn(a.Form.Options()))
	}
	widget.Show(a.warned, a.warned.Text != "")
	work := Work[func() string](nil)
	switch {
	case a.Look != nil:
		work = a.Look(a.Form.Options())
	case (a.Line != nil || a.Says != nil) && a.Form.Err() == nil:
		o := a.Form.Options()
		line := Work[string](func(context.Context, engine.Progress) (string, error) { return a.Says(o) })
		if a.Line != nil {
			line = a.Line(o)
		}
		if line != nil {
			work = func(ctx context.Context, p engine.Progress) (func() string, error) {
				text, err := line(ctx, p)
				return func() string { return text }, err
			}
		}
	}
	a.enable()
	if work == nil {
		a.latest.Next()
		a.say("", fynewidget.MediumImportance)
		return
	}
	load := jobs.Load[func() string]
	if a.Look != nil {
		load = jobs.LoadTyped // paths are written letter by letter
	}
	load(a.Form.Work, &a.latest, "look at "+a.Title, func(ctx context.Context) (func() string, error) {
		return work(ctx, nil)
	}, func(found func() string, err error) {
		switch {
		case err == nil:
			text := found()
			if a.Look != nil {
				a.enable()
				a.Form.showThose()
			}
			a.say(text, fynewidget.MediumImportance)
		case !present.Cancelled(err):
			a.said = err
			a.enable()
			importance := fynewidget.WarningImportance
			if !a.Form.typed { // it says what to do
				importance = fynewidget.MediumImportance
			}
			a.say(present.Sentence(err), importance)
		}
	})
}

func (a *Ask[O]) say(text string, importance fynewidget.Importance) {
	a.line.Importance = importance
	a.line.SetText(text)
	widget.Show(a.line, text != "" || a.Line != nil || a.Says != nil || a.Look != nil)
	if a.content != nil {
		a.content.Refresh() // the line takes more or less room
	}
}

func (a *Ask[O]) enable() {
	well := a.Form.Wrong() == nil && a.said == nil
	for _, b := range a.more {
		widget.Enable(b, well)
	}
	if well && a.Ready != nil && a.Form.Err() == nil {
		var text string
		text, well = a.Ready(a.Form.Options())
		a.button.SetText(text)
	}
	widget.Enable(a.button, well)
	if a.shown != nil && a.dialog.shown == a.shown && a.offered != (a.Form.CommandLine() != "") {
		a.dialog.dialog.SetButtons(a.buttons())
	}
}

func (a *Ask[O]) do() {
	if a.button.Disabled() || a.dialog.Closed() || !a.complete() {
		return
	}
	o := a.Form.Options()
	do := func() { a.Do(a.dialog, o) }
	if a.Run != nil {
		do = func() {
			a.Try(cmp.Or(a.Job, a.Title), a.Stopped, func(ctx context.Context, p *jobs.Progress) (Done, error) {
				return a.Run(ctx, o, p)
			})
		}
	}
	if a.Writes == nil {
		do()
		return
	}
	a.Form.overwriting(&a.writing, a.dialog.Closed, a.Writes(o), do)
}

// complete tells whether the options can be used; otherwise the form says why not.
func (a *Ask[O]) complete() bool {
	whole := a.Form.Complete()
	if !whole {
		a.enable()
	}
	return whole
}

// besideForm gives a form two fifths of the width, or what it needs, and what stands beside it the
// rest.
type besideForm struct{}

// Layout implements fyne.Layout.
func (besideForm) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	gap := 2 * theme.Padding()
	width := max(objects[0].MinSize().Width, 2*size.Width/5)
	objects[0].Resize(fyne.NewSize(width, size.Height))
	objects[1].Move(fyne.NewPos(width+gap, 0))
	objects[1].Resize(fyne.NewSize(max(0, size.Width-width-gap), size.Height))
}

// MinSize implements fyne.Layout.
func (besideForm) MinSize(objects []fyne.CanvasObject) fyne.Size {
	form, other := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(form.Width+2*theme.Padding()+other.Width, max(form.Height, other.Height))
}
