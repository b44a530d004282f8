package ui

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	own "github.com/variscope/variscope/ui/widget"
)

// choices are what the toolbar offers: suites, families, and which are current. It knows no
// widgets.
type choices struct {
	tree     []own.ChoiceNode  // suites by name, those that are made from one behind it
	hashes   map[string]string // name -> hash
	suite    string            // name of the current one, "" for none
	families []string          // texts for people, each once
	texts    map[string]string // text for people -> canonical
	family   string            // the current one for people, "" for none
}

// readChoices gathers the suites of the workspace, and the families that were run or labelled,
// then the usual ones.
func readChoices(ws *store.Workspace) (c choices, err error) {
	suites, noSuites := ws.Suites()
	runs, noRuns := ws.Runs()
	rounds, noRounds := ws.Rounds()
	current, err := ws.Current()
	if err = errors.Join(err, noSuites, noRuns, noRounds); err != nil {
		return c, err
	}
	texts := []string{current.Family}
	for _, r := range runs {
		texts = append(texts, r.Family)
	}
	for _, r := range rounds {
		texts = append(texts, r.Family)
	}
	for _, name := range transform.Names() {
		if text, ok := transform.Default(name); ok {
			texts = append(texts, text)
		}
	}
	return choose(suites, texts, current), nil
}

func choose(suites []suite.Manifest, families []string, current store.Current) choices {
	c := choices{texts: map[string]string{}, tree: dialogs.SuiteNodes(suites)}
	_, c.hashes = dialogs.SuiteNames(suites)
	for name, hash := range c.hashes {
		if hash == current.Suite {
			c.suite = name
		}
	}
	for _, text := range families {
		family, err := transform.Parse(text)
		if err != nil {
			continue // an empty text, a transformation set, or a family of a newer program
		}
		short, canonical := family.Short(), family.String()
		if old, known := c.texts[short]; known && old != canonical {
			short = canonical // two families that people would read the same
		}
		if !slices.Contains(c.families, short) {
			c.families = append(c.families, short)
			c.texts[short] = canonical
		}
		if canonical == current.Family {
			c.family = short
		}
	}
	return c
}

// toolbar is the window's first line.
type toolbar struct {
	window  *Window
	choices choices
	latest  jobs.Latest
	filling bool                          // the menus are being filled: their callbacks do not count
	storing bool                          // a choice is being stored
	wanted  atomic.Pointer[store.Current] // the choice that is stored next, nil for none

	suite      *own.Choice
	family     *widget.Select
	context    [2]fyne.CanvasObject // suite and family with their words
	line       *fyne.Container
	content    *fyne.Container // line, and the bar of a screen in its place
	add, run   *widget.Button
	undo, redo *own.HintButton
	look       *own.HintButton
	object     fyne.CanvasObject
}

func newToolbar(w *Window) *toolbar {
	t := &toolbar{window: w}
	name := own.Bold(w.deps.Workspace.Name())
	name.Truncation = fyne.TextTruncateEllipsis
	t.suite = own.NewChoice(func(string) { t.changed() })
	t.suite.PlaceHolder = "no suite"
	t.family = widget.NewSelect(nil, func(string) { t.changed() })
	t.family.PlaceHolder = "choose a family"
	t.add = widget.NewButtonWithIcon("Import…", theme.ContentAddIcon(), w.fromBar(func() { w.Import(nil) }))
	t.run = widget.NewButtonWithIcon("Run…", theme.MediaPlayIcon(), w.fromBar(w.newRun))
	out := widget.NewButtonWithIcon("Export…", theme.DocumentSaveIcon(), w.fromBar(w.export))
	t.undo = own.NewHintButton(theme.ContentUndoIcon(), "", w.hint, w.fromBar(w.takeBack))
	t.redo = own.NewHintButton(theme.ContentRedoIcon(), "", w.hint, w.fromBar(w.makeAgain))
	t.look = own.NewHintButton(theme.ColorAchromaticIcon(), "Light or dark", w.hint, w.fromBar(w.toggleLook))
	for _, b := range []*own.HintButton{t.undo, t.redo, t.look} {
		b.Importance = widget.LowImportance
	}
	t.showHistory("", "")
	t.context = [2]fyne.CanvasObject{
		container.NewHBox(widget.NewLabel("Suite"), container.New(fixedWidth(205), t.suite)),
		container.NewHBox(widget.NewLabel("Family"), container.New(fixedWidth(200), t.family)),
	}
	t.line = container.New(&lines{}, container.New(fixedWidth(134), name), t.context[0], t.context[1],
		container.NewHBox(t.undo, t.redo, t.add, t.run, out, t.look))
	t.content = container.New(barOf{t.add}, t.line)
	t.object = container.New(layout.NewCustomPaddedVBoxLayout(0),
		container.NewStack(own.NewGround(theme.ColorNameHeaderBackground), container.NewPadded(t.content)),
		widget.NewSeparator())
	return t
}

// show shows of suite and family what the screen of a place is about, or bar alone.
func (t *toolbar) show(p Place, bar fyne.CanvasObject) {
	t.content.Objects = []fyne.CanvasObject{t.line}
	if bar != nil {
		t.content.Add(bar)
	}
	own.Show(t.line, bar == nil)
	for k, shown := range p.context() {
		own.Show(t.context[k], shown)
	}
	t.content.Refresh()
}

// refresh reads suites and families anew in the background. What was chosen and is not stored yet
// stays in the menus: storing it has them read again.
func (t *toolbar) refresh() {
	jobs.Load(t.window.work, &t.latest, "load toolbar", func(context.Context) (choices, error) {
		return readChoices(t.window.deps.Workspace)
	}, func(c choices, err error) {
		switch {
		case err != nil:
			t.window.ShowError(err)
		case !t.storing:
			t.fill(c)
		}
	})
}

func (t *toolbar) fill(c choices) {
	t.filling = true
	defer func() { t.filling = false }()
	t.choices = c
	t.suite.Selected = c.suite
	t.suite.SetNodes(c.tree)
	t.family.Options, t.family.Selected = c.families, c.family
	t.family.Refresh()
}

// changed makes what the menus show the workspace's current suite and family.
func (t *toolbar) changed() {
	if t.filling {
		return
	}
	t.window.focusScreen()
	current := store.Current{Suite: t.choices.hashes[t.suite.Selected], Family: t.choices.texts[t.family.Selected]}
	t.want(&current)
	if !t.storing {
		t.keep()
	}
}

// keep stores the choice that is wanted, and then the one that was made meanwhile: the last one
// stays.
func (t *toolbar) keep() {
	ws, current := t.window.deps.Workspace, *t.want(nil)
	t.storing = true
	var before store.Current
	t.window.work.Quiet("choose", func(context.Context) (err error) {
		if before, err = ws.Current(); err != nil {
			return err
		}
		err = ws.SetCurrent(current)
		// It is stored here, so that it is also if the window closes.
		for next := t.want(nil); next != nil; next = t.want(nil) {
			current = *next
			err = ws.SetCurrent(current)
		}
		return err
	}, func(err error) {
		t.storing = false
		if t.window.closing {
			return
		}
		switch {
		case err != nil:
			t.window.ShowError(err)
		case before != current:
			t.window.history.Did(history.Step{
				Title: "choice of suite and family",
				Undo:  func(context.Context) error { return ws.SetCurrent(before) },
				Redo:  func(context.Context) error { return ws.SetCurrent(current) },
			})
		}
		if last := t.want(nil); last != nil { // it came after the loop's last look
			t.want(last)
			t.keep()
			return
		}
		t.refresh()
	})
}

// want notes the choice that is to be stored next and returns the one that was noted.
func (t *toolbar) want(next *store.Current) *store.Current { return t.wanted.Swap(next) }

// showHistory enables the buttons and says what they would do.
func (t *toolbar) showHistory(undo, redo string) {
	t.undo.SetHint(historyText("Undo", undo))
	t.redo.SetHint(historyText("Redo", redo))
	own.Enable(t.undo, undo != "")
	own.Enable(t.redo, redo != "")
}

// barOf lays objects over each other, at least as high as one of the usual buttons: what lies below
// stays where it is when a screen has the bar.
type barOf struct{ button fyne.CanvasObject }

// Layout implements fyne.Layout.
func (barOf) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	layout.NewStackLayout().Layout(objects, size)
}

// MinSize implements fyne.Layout.
func (l barOf) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return layout.NewStackLayout().MinSize(objects).Max(fyne.NewSize(0, l.button.MinSize().Height))
}

// fixedWidth is a layout of one object with this width, larger where letters are, and the object's
// height.
type fixedWidth float32

// Layout implements fyne.Layout.
func (w fixedWidth) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(fyne.NewSize(float32(w)*grown(), size.Height))
	}
}

// MinSize implements fyne.Layout.
func (w fixedWidth) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(float32(w)*grown(), objects[0].MinSize().Height)
}
