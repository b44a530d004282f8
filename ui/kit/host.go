// Package kit is what screens are made from. A screen declares what it loads, what it shows and
// what a click means; the kit does the rest, once for all screens:
//
//	Screen   loads in the background and shows: stale answers, cancel, progress, errors,
//	         emptiness, reading again after changes, nothing while hidden, focus, the line of text
//	About    what a screen answers, and how that is read, with a worked example
//	Tabs     pages of a screen, of which the one in front alone loads
//	Form     asks for the options of a method (engine/option), and remembers them
//	Ask      asks for them in a dialog: what they would do, a button, Copy as command
//	Dialog   is a dialog whose content changes as its work goes on: form, progress, report
//	Done     is what came of such work: what is said, what was written and where
//	Records  shows a table (engine/result): sort, filter, columns, selection, copy, save
//	Wall     shows items as cards with pictures (of an ImageCache): cursor, marks, keys, menu
//	Figure   draws a figure that is data (engine/result): read-out, zoom, save
//	Missing  what runs would bring: what that takes, a button, how far it is
//	Runs     what is queued and at work, so that nothing offers to start it again
//	Host     is what the window gives all of them
//
// Everything here is used on Fyne's main goroutine, except the functions that Load and the like
// return as Work. Whoever makes a part closes it; a Screen closes its Tabs, and these their pages.
package kit

import (
	"context"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/widget"
)

// Host is what the window gives its screens: one for all of them. Window and Work are needed. What
// is nil among the places to go is not offered; of the rest, what is nil is not done.
type Host struct {
	Window fyne.Window
	// Work runs what is slow, and ends with the window.
	Work *jobs.Group
	// Status shows a line of text at the foot of the window, "" for none.
	Status func(text string)
	// ShowError shows an error over the screens until it is dismissed. A cancel is not shown.
	ShowError func(err error)
	// Refocus gives the keyboard back to the screen in front, after a dialog or a menu.
	Refocus func()
	// Bar puts the screen's own bar in the place of the window's toolbar while the screen is shown;
	// nil brings the usual one back.
	Bar func(bar fyne.CanvasObject)
	// Changes has notify called after each change of the workspace, on any goroutine, until the
	// function that it returns is called.
	Changes func(notify func(store.Change)) (stop func())
	// Memory keeps settings from one start of the program to the next.
	Memory Memory

	// Runs are those of the engine; nil where there is none.
	Runs *Runs

	// Inspect opens a model (its hash) on the inspect screen.
	Inspect func(model string)
	// Assign opens a model (its hash) where other tensors are assigned to its positions.
	Assign func(model string)
	// Import opens the dialog that imports models and suites.
	Import func()
	// Run opens the dialog that starts a run of models (hashes; nil for all).
	Run func(models []string)
	// Start starts runs, one after the other, without asking.
	Start func(runs ...Run)
	// Cost says, off the main goroutine, what runs take. ShowRuns opens the screen of the runs.
	Cost     func(ctx context.Context, runs []Run) (job.Size, error)
	ShowRuns func()
	// Look makes a suite (its hash) the one that all screens look at.
	Look func(suite string)
	// InspectImage opens a model (its hash) with an image of the current suite.
	InspectImage func(model string, image int)
	// ImportPredictions opens the dialog for predictions that were made elsewhere.
	ImportPredictions func()
	// Locate asks where the images of a suite (its hash) are now.
	Locate func(suite string)
}

// Memory keeps texts by key. fyne.Preferences is one.
type Memory interface {
	StringWithFallback(key, fallback string) string
	SetString(key, value string)
}

// Say shows a line of text at the foot of the window.
func (h *Host) Say(text string) {
	if h.Status != nil {
		h.Status(text)
	}
}

// Fail shows an error over the screens.
func (h *Host) Fail(err error) {
	if h.ShowError != nil {
		h.ShowError(err)
	}
}

// SetBar gives the window's toolbar this content alone, whenever the screen is shown; nil brings
// the usual one back.
func (h *Host) SetBar(bar fyne.CanvasObject) {
	if h.Bar != nil {
		h.Bar(bar)
	}
}

// Quietly runs something short in the background, without a line among what is at work, and then
// calls then; where it failed, the error is shown instead.
func (h *Host) Quietly(name string, do func() error, then func()) {
	h.Work.Quiet(name, func(context.Context) error { return do() }, func(err error) {
		if err != nil {
			h.Fail(err)
			return
		}
		then()
	})
}

// Menu is a menu of options after a choice from which the screen has the keyboard again.
func (h *Host) Menu(chosen func(key string)) *widget.Picker {
	return widget.NewPicker(func(key string) {
		chosen(key)
		if h.Refocus != nil {
			h.Refocus()
		}
	})
}

// IconButton is a button with an icon alone that says at the foot of the window what it does while
// the pointer is on it.
func (h *Host) IconButton(icon fyne.Resource, hint string, tapped func()) *widget.HintButton {
	return widget.NewHintButton(icon, hint, h.Say, tapped)
}

// MenuButton is a button that opens a menu below itself.
func (h *Host) MenuButton(text string, icon fyne.Resource, items func() []*fyne.MenuItem) *fynewidget.Button {
	var b *fynewidget.Button
	b = fynewidget.NewButtonWithIcon(text, icon, func() { widget.PopUpBelow(b, h.Window.Canvas(), items()...) })
	return b
}

// Saver saves and copies what is shown. The keyboard goes back to the screen afterwards.
func (h *Host) Saver() *figures.Saver {
	return &figures.Saver{Window: h.Window, Work: h.Work, Status: h.Say, ShowError: h.Fail, Closed: h.Refocus}
}

// remembered is the text that is kept under a key, "" for none.
func (h *Host) remembered(key string) string {
	if h.Memory == nil {
		return ""
	}
	return h.Memory.StringWithFallback(key, "")
}

func (h *Host) remember(key, text string) {
	if h.Memory != nil {
		h.Memory.SetString(key, text)
	}
}
