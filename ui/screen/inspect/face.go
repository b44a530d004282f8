package inspect

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// leastDetails is the least height of charts and tables below the matrices, in Fyne's device-independent pixels.
const leastDetails = 190

// presetNames are the menu's words for evidence.Shared, Paper and Own, with their keys.
var presetNames = []string{"shared (D)", "0..0.15 (P)", "own (O)"}

// face holds the screen's widgets.
type face struct {
	s       *Screen
	root    *fyne.Container
	surface *widget.Surface
	quiet   bool // menus are being set, not chosen

	models, which, class, share, preset, colours *fynewidget.Select
	before, after, save, run                     *fynewidget.Button
	title, state, readOut                        *fynewidget.Label
	row                                          *evidence.Row
	charts                                       *evidence.Charts
	details                                      *fyne.Container // charts and tables below the matrices
	record, file                                 *evidence.Lines
	form                                         *formFace
	body                                         fyne.CanvasObject
	empty                                        *fynewidget.Label
}

func newFace(s *Screen) *face {
	f := &face{s: s}
	f.row = evidence.NewRow(f.keys(), f.hover, s.focus)
	f.charts = evidence.NewCharts(f.hover)
	f.record = evidence.NewLines("training record", f.keys())
	f.file = evidence.NewLines("model file", f.keys())
	f.form = newFormFace(s)
	tabs := container.NewAppTabs(
		container.NewTabItem("Record", f.record.Object()),
		container.NewTabItem("Settings", f.form.object),
		container.NewTabItem("File", f.file.Object()))
	f.details = evidence.Columns(f.charts.AccuracyBox(), f.charts.LossBox(), tabs)
	f.body = container.NewBorder(f.buildTitle(), nil, nil, nil, evidence.Over(f.row, f.details, leastDetails))
	f.empty = fynewidget.NewLabel("No model yet. Import one on the Models screen.")
	f.empty.Alignment = fyne.TextAlignCenter
	f.empty.Hide()
	content := container.NewStack(f.body, container.NewCenter(f.empty))
	f.surface = widget.NewSurface(evidence.Margin(container.NewBorder(f.buildMenus(), nil, nil, nil, content)))
	f.surface.Keys = f.keys()
	f.root = container.NewStack(f.surface)
	return f
}

func (f *face) buildMenus() fyne.CanvasObject {
	menu := func(options []string, chosen func()) *fynewidget.Select {
		m := fynewidget.NewSelect(options, func(string) {
			if !f.quiet {
				chosen()
				f.s.focus()
			}
		})
		return m
	}
	images := func() { f.s.Choose(f.which.SelectedIndex(), f.class.SelectedIndex(), f.share.SelectedIndex()) }
	f.models = menu(nil, func() {
		if at := f.models.SelectedIndex(); at >= 0 && at != f.s.answer.at && at < len(f.s.answer.models) {
			f.s.Open(f.s.answer.models[at].Hash)
		}
	})
	f.which = menu(whichNames, images)
	f.class = menu([]string{anyClass}, images)
	f.share = menu(shares, images)
	f.preset = menu(presetNames, func() { f.choosePreset(evidence.Preset(f.preset.SelectedIndex())) })
	f.colours = menu(render.MapNames(), func() { f.s.Map(f.colours.Selected) })
	f.quiet = true
	for _, m := range []*fynewidget.Select{f.which, f.class, f.share, f.preset} {
		m.SetSelectedIndex(0)
	}
	f.colours.SetSelected(evidence.DefaultMap)
	f.quiet = false
	f.before = fynewidget.NewButtonWithIcon("", theme.NavigateBackIcon(), func() { f.s.Step(-1); f.s.focus() })
	f.after = fynewidget.NewButtonWithIcon("", theme.NavigateNextIcon(), func() { f.s.Step(1); f.s.focus() })
	f.save = fynewidget.NewButtonWithIcon("Save…", theme.DocumentSaveIcon(), f.s.AskFigure)
	left := container.NewHBox(f.before, f.after)
	menus := container.NewGridWithColumns(5, f.which, f.class, f.share, f.preset, f.colours)
	return container.NewBorder(nil, nil, left, f.save, container.New(sharesLayout{first: 0.2}, f.models, menus))
}

func (f *face) buildTitle() fyne.CanvasObject {
	f.title = fynewidget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	f.title.SizeName = theme.SizeNameSubHeadingText
	f.state = fynewidget.NewLabel("")
	f.state.Truncation = fyne.TextTruncateEllipsis
	f.readOut = fynewidget.NewLabel("")
	f.run = fynewidget.NewButtonWithIcon("Compute signals…", theme.MediaPlayIcon(), func() {
		f.s.deps.Run([]string{f.s.answer.evidence.Model.Hash})
	})
	f.run.Hide()
	return container.NewBorder(nil, nil, f.title, container.NewHBox(f.run, f.readOut), f.state)
}

// keys hands the keys of every focusable widget on the screen to the screen.
func (f *face) keys() widget.Keys {
	return widget.Keys{OnRune: f.s.TypedRune, OnKey: func(ev *fyne.KeyEvent) bool { return f.s.TypedKey(ev.Name) }}
}

func (f *face) hover(text string) { f.readOut.SetText(text) }

// focus gives the key surface the focus, unless a dialog lies over the window.
func (s *Screen) focus() {
	if s.shown && s.deps.Window != nil && s.deps.Window.Canvas().Overlays().Top() == nil {
		s.face.surface.Take()
	}
}

// TypedRune takes a letter: D, P, O choose colour ranges, A, C, W the images.
func (s *Screen) TypedRune(r rune) {
	switch r {
	case 'd', 'D':
		s.face.preset.SetSelectedIndex(int(evidence.Shared))
	case 'p', 'P':
		s.face.preset.SetSelectedIndex(int(evidence.Paper))
	case 'o', 'O':
		s.face.askRange()
	case 'a', 'A':
		s.face.which.SetSelectedIndex(0)
	case 'c', 'C':
		s.face.which.SetSelectedIndex(1)
	case 'w', 'W':
		s.face.which.SetSelectedIndex(2)
	}
}

// TypedKey takes a named key: left and right, or page up and down, step through the models. It returns false for keys
// that it does not use.
func (s *Screen) TypedKey(k fyne.KeyName) bool {
	switch k {
	case fyne.KeyLeft, fyne.KeyPageUp:
		s.Step(-1)
	case fyne.KeyRight, fyne.KeyPageDown:
		s.Step(1)
	case fyne.KeyHome:
		s.Step(-len(s.answer.models))
	case fyne.KeyEnd:
		s.Step(len(s.answer.models))
	default:
		return false
	}
	return true
}

func (f *face) choosePreset(p evidence.Preset) {
	if p == evidence.Own {
		f.askRange()
		return
	}
	f.s.Preset(p)
}

// askRange asks for one's own colour range; without an answer the menu shows what is in force.
func (f *face) askRange() {
	evidence.AskRange(f.s.deps.Window, f.s.view.Own, f.s.OwnRange, func() {
		f.showPreset()
		f.s.focus()
	})
}

func (f *face) showPreset() {
	f.quiet = true
	f.preset.SetSelectedIndex(int(f.s.view.Preset))
	f.quiet = false
}

// busy says that matrices are being read; what is shown stays until the answer is there.
func (f *face) busy() { f.state.SetText("reading…") }

// broken says what could not be read.
func (f *face) broken(err error) {
	f.state.Importance = fynewidget.DangerImportance
	f.state.SetText(present.Sentence(err))
}

// show applies what was read.
func (f *face) show(a answer) {
	if a.at < 0 {
		f.body.Hide()
		f.empty.Show()
		f.state.SetText("")
		return
	}
	f.empty.Hide()
	f.body.Show()
	e := a.evidence
	f.quiet = true
	names := make([]string, len(a.models))
	for k, m := range a.models {
		names[k] = m.ID
	}
	f.models.SetOptions(names)
	f.models.SetSelectedIndex(a.at)
	f.class.SetOptions(classNames(e.Classes))
	f.class.SetSelectedIndex(min(max(f.s.class, 0), len(e.Classes)))
	f.colours.SetSelected(e.View.Map)
	f.quiet = false
	f.enable(a)
	f.title.SetText(e.Model.ID)
	f.showState(a)
	f.paint(e)
	if f.charts.Show(e.Evidence) {
		f.details.Refresh()
	}
	f.record.Show(evidence.RecordLines(e.Model))
	f.file.Show(evidence.FileLines(e.Model))
	f.form.show(e.Model)
}

func (f *face) enable(a answer) {
	set := func(w fyne.Disableable, on bool) {
		if on {
			w.Enable()
		} else {
			w.Disable()
		}
	}
	labelled := len(a.evidence.Classes) > 0
	set(f.which, labelled)
	set(f.class, labelled)
	set(f.before, a.at > 0)
	set(f.after, a.at < len(a.models)-1)
	set(f.save, a.evidence.Ready())
}

func (f *face) showState(a answer) {
	e := a.evidence
	f.state.Importance = fynewidget.MediumImportance
	text := e.Counts()
	if e.Suite != "" {
		text = e.Suite + ", " + e.Family + ": " + text
	}
	switch {
	case a.none != nil:
		f.state.Importance = fynewidget.WarningImportance
		text = present.Sentence(a.none)
	case e.State != "":
		f.state.Importance = fynewidget.WarningImportance
		text = e.State
	case a.images.String() != "all":
		text += " (" + a.images.String() + ")"
	}
	f.state.SetText(text)
	if e.State != "" && f.s.deps.Run != nil {
		f.run.Show()
	} else {
		f.run.Hide()
	}
}

// paint puts the pictures on the row.
func (f *face) paint(p evidence.Prepared) {
	f.row.Show(p)
	f.showPreset()
}

// sharesLayout gives its first child a share of the width and the second the rest.
type sharesLayout struct{ first float32 }

func (l sharesLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	gap := theme.Padding()
	width := (size.Width - gap) * l.first
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(width, size.Height))
	objects[1].Move(fyne.NewPos(width+gap, 0))
	objects[1].Resize(fyne.NewSize(size.Width-gap-width, size.Height))
}

func (l sharesLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(a.Width+b.Width+theme.Padding(), max(a.Height, b.Height))
}
