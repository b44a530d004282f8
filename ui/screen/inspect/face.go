package inspect

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// leastDetails is the least height of the tabs below the matrices, in Fyne's device-independent pixels.
const leastDetails = 190

// presetNames are the menu's words for evidence.Shared, Paper and Own, with their keys.
var presetNames = []string{"shared (D)", "0..0.15 (P)", "own (O)"}

// face holds the screen's widgets.
type face struct {
	s       *Screen
	root    *fyne.Container
	surface *widget.Surface
	quiet   bool // menus are being set, not chosen

	models, which, class, preset, colours, precision *fynewidget.Select
	share, reach                                     *slider
	shareText, reachText                             *fynewidget.Label
	before, after, save, run, choose, excluded       *fynewidget.Button
	title, state, readOut                            *fynewidget.Label
	row                                              *evidence.Row
	charts                                           *evidence.Charts
	details                                          *fyne.Container // charts and tables of the overview
	record, file, certainty                          *evidence.Lines
	form                                             *formFace
	tabs                                             *container.AppTabs
	split                                            *split
	body                                             fyne.CanvasObject
	empty                                            *fynewidget.Label
}

func newFace(s *Screen) *face {
	f := &face{s: s}
	f.row = evidence.NewRow(f.keys(), f.hover, s.focus)
	f.row.Outside = true
	f.row.OnCell, f.row.OnMoved, f.row.Keyed = f.pick, f.pick, f.tileKey
	f.buildTabs()
	f.split = newSplit(evidence.Area(f.row), f.tabs, f.row.BestHeight, leastDetails)
	f.split.moved = func(share float32) {
		s.memory.put(settingSplit, share, nil)
		s.focus()
	}
	f.body = container.NewBorder(f.buildTitle(), nil, nil, nil, f.split.box)
	f.empty = fynewidget.NewLabel("No model yet. Import one on the Models screen.")
	f.empty.Alignment = fyne.TextAlignCenter
	f.empty.Hide()
	content := container.NewStack(f.body, container.NewCenter(f.empty))
	menus := container.NewVBox(f.buildMenus(), f.buildControls())
	f.surface = widget.NewSurface(evidence.Margin(container.NewBorder(menus, nil, nil, nil, content)))
	f.surface.Keys = f.keys()
	f.surface.OnFocus = func(on bool) {
		if !on {
			s.deps.Work.Post(s.refocus)
		}
	}
	f.root = container.NewStack(f.surface)
	f.showControls()
	return f
}

func (f *face) buildTabs() {
	f.charts = evidence.NewCharts(f.hover)
	f.record = evidence.NewLines("training record", f.keys())
	f.file = evidence.NewLines("model file", f.keys())
	f.certainty = evidence.NewLines("matrix", f.keys())
	f.form = newFormFace(f.s)
	f.precision = f.menu(precisionNames(), func() { f.s.Precision(precisions[f.precision.SelectedIndex()]) })
	certainty := container.NewBorder(container.NewBorder(nil, nil, fynewidget.NewLabel("images needed for"), nil, f.precision), nil, nil, nil,
		f.certainty.Object())
	inner := container.NewAppTabs(
		container.NewTabItem("Record", f.record.Object()),
		container.NewTabItem("Certainty", certainty),
		container.NewTabItem("Settings", f.form.object),
		container.NewTabItem("File", f.file.Object()))
	inner.OnSelected = func(*container.TabItem) { f.s.focus() }
	f.details = evidence.Columns(f.charts.AccuracyBox(), f.charts.LossBox(), inner)
	f.tabs = container.NewAppTabs(container.NewTabItem("Overview", f.details))
	for _, p := range f.s.panes {
		f.tabs.Append(container.NewTabItem(p.Title(), p.Object()))
	}
	f.tabs.OnSelected = func(item *container.TabItem) {
		f.s.toFront(f.tabs.SelectedIndex())
		if !f.quiet {
			f.s.memory.put(settingTab, item.Text, nil)
			f.s.focus()
		}
	}
}

func (f *face) menu(options []string, chosen func()) *fynewidget.Select {
	return fynewidget.NewSelect(options, func(string) {
		if !f.quiet {
			chosen()
			f.s.focus()
		}
	})
}

func (f *face) buildMenus() fyne.CanvasObject {
	f.models = f.menu(nil, func() {
		if at := f.models.SelectedIndex(); at >= 0 && at != f.s.answer.at && at < len(f.s.answer.models) {
			f.s.Open(f.s.answer.models[at].Hash)
		}
	})
	f.preset = f.menu(presetNames, func() { f.choosePreset(evidence.Preset(f.preset.SelectedIndex())) })
	f.colours = f.menu(matrixMaps(), func() { f.s.Map(f.colours.Selected) })
	f.before = fynewidget.NewButtonWithIcon("", theme.NavigateBackIcon(), func() { f.s.Step(-1); f.s.focus() })
	f.after = fynewidget.NewButtonWithIcon("", theme.NavigateNextIcon(), func() { f.s.Step(1); f.s.focus() })
	f.choose = fynewidget.NewButtonWithIcon("Matrices…", theme.GridIcon(), f.s.AskModalities)
	f.save = fynewidget.NewButtonWithIcon("Save…", theme.DocumentSaveIcon(), f.s.AskFigure)
	left := container.NewHBox(f.before, f.after)
	menus := container.NewGridWithColumns(2, f.preset, f.colours)
	return container.NewBorder(nil, nil, left, container.NewHBox(f.choose, f.save), container.New(sharesLayout{first: 0.5}, f.models, menus))
}

// matrixMaps are the colour maps for matrices; the diverging one is for differences.
func matrixMaps() []string {
	return slices.DeleteFunc(render.MapNames(), func(name string) bool { return name == "diverging" })
}

// buildControls makes what the matrices follow while it moves.
func (f *face) buildControls() fyne.CanvasObject {
	f.which = f.menu(whichMenu, func() {
		f.control(func(c *Controls) { c.Which = variance.Which(max(f.which.SelectedIndex(), 0)) })
	})
	f.class = f.menu([]string{anyClass}, func() { f.control(func(c *Controls) { c.Class = max(f.class.SelectedIndex(), 0) }) })
	f.share = f.slider(1, 100, func(v float64) { f.control(func(c *Controls) { c.Share = int(v) }) })
	f.reach = f.slider(1, 15, func(v float64) {
		f.control(func(c *Controls) {
			if c.Reach = int(v); v >= f.reach.Max {
				c.Reach = 0
			}
		})
	})
	f.shareText, f.reachText = fynewidget.NewLabel(""), fynewidget.NewLabel("")
	f.excluded = fynewidget.NewButton("none excluded", f.s.AskExcluded)
	named := func(name string, moving *slider, value *fynewidget.Label) fyne.CanvasObject {
		return container.NewBorder(nil, nil, fynewidget.NewLabel(name), container.New(wideLayout(92), value), moving)
	}
	return container.NewBorder(nil, nil, nil, f.excluded, container.NewGridWithColumns(3,
		container.NewGridWithColumns(2, f.which, f.class),
		named("share  [ ]", f.share, f.shareText), named("V  - +", f.reach, f.reachText)))
}

func (f *face) slider(low, high float64, changed func(float64)) *slider {
	return newSlider(low, high, f.keys(), func(v float64) {
		if !f.quiet {
			changed(v)
		}
	}, f.s.focus)
}

func (f *face) control(change func(*Controls)) {
	c := f.s.controls
	change(&c)
	f.s.Control(c)
}

func (f *face) buildTitle() fyne.CanvasObject {
	f.title = fynewidget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	f.title.SizeName = theme.SizeNameSubHeadingText
	f.state = fynewidget.NewLabel("")
	f.state.Truncation = fyne.TextTruncateEllipsis
	f.readOut = fynewidget.NewLabel("")
	f.run = fynewidget.NewButtonWithIcon("Compute signals…", theme.MediaPlayIcon(), func() {
		f.s.deps.Run([]string{f.s.answer.base.Model.Hash})
	})
	f.run.Hide()
	return container.NewBorder(nil, nil, f.title, container.NewHBox(f.run, f.readOut), f.state)
}

func (f *face) hover(text string) { f.readOut.SetText(text) }

// pick puts the focus on an element of a tile, or takes it away.
func (f *face) pick(tile int, c widget.Cell) {
	if tile >= len(f.s.frame.shown.Tiles) {
		return
	}
	focus := pane.Whole(f.s.frame.shown.Tiles[tile].Modality)
	if c.Inside {
		focus.I, focus.J = c.I+f.s.frame.first, c.J+f.s.frame.first
	}
	f.s.setFocus(focus)
}

// mark outlines the element in focus in all matrices and judges it.
func (f *face) mark() {
	i, j := -1, -1
	if cell := f.s.cell; cell.Cell() && cell.I <= f.s.frame.last && cell.J <= f.s.frame.last {
		i, j = cell.I-f.s.frame.first, cell.J-f.s.frame.first
	}
	f.row.Mark(i, j)
	f.judge()
}

// readFocus reads out the element in focus of its matrix, or of the first one.
func (f *face) readFocus() {
	shown, cell := f.s.frame.shown, f.s.cell
	k := slices.IndexFunc(shown.Tiles, func(t evidence.Tile) bool { return t.Modality == cell.Modality })
	f.hover(shown.ReadOut(max(k, 0), cell.I-f.s.frame.first, cell.J-f.s.frame.first))
}

// judge writes below each matrix how certain it is.
func (f *face) judge() {
	f.quiet = true
	f.precision.SetSelectedIndex(max(slices.Index(precisions, f.s.kept.precision), 0))
	f.quiet = false
	if f.s.session == nil {
		var room [][]string
		if f.s.answer.summary.Key != "" { // they come with the signals; nothing jumps then
			room = [][]string{judged{}.lines()}
		}
		f.row.Note(room)
		f.certainty.Show(nil)
		return
	}
	list := judge(f.s.frame, f.s.cell, f.s.kept.precision)
	notes := make([][]string, len(list))
	for k, j := range list {
		notes[k] = j.lines()
	}
	f.row.Note(notes)
	f.certainty.Show(certaintyLines(list))
}

// busy says that a model is being read; what is shown stays until the answer is there.
func (f *face) busy() { f.state.SetText("reading…") }

// broken says what could not be read.
func (f *face) broken(err error) {
	f.state.Importance = fynewidget.DangerImportance
	f.state.SetText(present.Sentence(err))
}

// showNothing is the screen without any model.
func (f *face) showNothing() {
	f.body.Hide()
	f.empty.Show()
	f.state.SetText("")
}

// restore brings back what the workspace remembers: tab and division.
func (f *face) restore() {
	f.split.set(float32(f.s.kept.split))
	f.quiet = true
	for k, item := range f.tabs.Items {
		if item.Text == f.s.kept.tab {
			f.tabs.SelectIndex(k)
		}
	}
	f.quiet = false
}

// arrange gives a tall pane the room of the matrices as well.
func (f *face) arrange(tall bool) { f.split.showUpper(!tall) }

// show puts the frame on the screen.
func (f *face) show() {
	e := f.s.frame.shown
	f.empty.Hide()
	f.body.Show()
	if f.title.Text != e.Model.ID || len(f.models.Options) != len(f.s.answer.models) {
		f.showModels()
	}
	f.showControls()
	f.enable()
	f.showState()
	f.row.Show(e)
	f.mark()
	if f.charts.Show(e.Evidence) {
		f.details.Refresh()
	}
	if lines := evidence.RecordLines(e.Model); !slices.Equal(lines, f.record.Lines()) {
		f.record.Show(lines)
	}
	if lines := evidence.FileLines(e.Model); !slices.Equal(lines, f.file.Lines()) {
		f.file.Show(lines)
	}
	f.form.show(e.Model)
}

func (f *face) showModels() {
	names := make([]string, len(f.s.answer.models))
	for k, m := range f.s.answer.models {
		names[k] = m.ID
	}
	f.quiet = true
	f.models.SetOptions(names)
	f.models.SetSelectedIndex(f.s.answer.at)
	f.quiet = false
	f.title.SetText(f.s.frame.shown.Model.ID)
}

// showControls brings menus and sliders in line with what is chosen.
func (f *face) showControls() {
	c, base := f.s.controls, f.s.answer.base
	f.quiet = true
	defer func() { f.quiet = false }()
	if names := classNames(base.Classes); !slices.Equal(names, f.class.Options) {
		f.class.SetOptions(names)
	}
	selectAt(f.which, int(c.Which))
	selectAt(f.class, min(c.Class, len(base.Classes)))
	selectAt(f.preset, int(f.s.kept.view.Preset))
	selectAt(f.colours, max(slices.Index(f.colours.Options, f.s.kept.view.Map), 0))
	f.share.SetValue(float64(c.Share))
	f.shareText.SetText(fmt.Sprintf("%d %%", c.Share))
	half := max((len(base.Values)-1)/2, 1)
	if f.reach.Max != float64(half) {
		f.reach.Max = float64(half)
		f.reach.Refresh()
	}
	reach := c.Reach
	if reach <= 0 || reach > half {
		reach = half
	}
	f.reach.SetValue(float64(reach))
	first, last := c.interval(len(base.Values))
	f.reachText.SetText(intervalText(base.Values, first, last, base.Unit))
	text := "none excluded"
	if n := len(f.s.excluded); n > 0 {
		text = present.Count(int64(n)) + " excluded…"
	}
	if f.excluded.Text != text {
		f.excluded.SetText(text)
	}
}

// selectAt chooses a menu's entry, and does nothing where it is chosen already: setting a text draws it anew.
func selectAt(menu *fynewidget.Select, at int) {
	if menu.SelectedIndex() != at {
		menu.SetSelectedIndex(at)
	}
}

func (f *face) enable() {
	set := func(w fyne.Disableable, on bool) {
		if on == !w.Disabled() {
			return
		}
		if on {
			w.Enable()
		} else {
			w.Disable()
		}
	}
	labelled, signals := len(f.s.answer.base.Classes) > 0, f.s.answer.summary.Key != ""
	set(f.which, labelled && signals)
	set(f.class, labelled && signals)
	set(f.share, signals)
	set(f.reach, signals && len(f.s.answer.base.Values) > 3)
	set(f.excluded, len(f.s.excluded) > 0)
	set(f.before, f.s.answer.at > 0)
	set(f.after, f.s.answer.at < len(f.s.answer.models)-1)
	set(f.save, f.s.frame.shown.Ready())
}

func (f *face) showState() {
	e := f.s.frame.shown
	importance := fynewidget.MediumImportance
	text := e.Note()
	if e.Suite != "" {
		text = e.Suite + ", " + e.Family + ": " + text
	}
	missing := slices.ContainsFunc(e.Tiles, func(t evidence.Tile) bool { return strings.HasPrefix(t.Reason, notComputed) })
	switch {
	case f.s.frame.none != nil:
		importance = fynewidget.WarningImportance
		text = "No images left for " + noneLeft(e.Evidence) + "; choose more images."
	case e.State != "":
		importance = fynewidget.WarningImportance
		text = e.State
	}
	f.state.Importance = importance
	f.state.SetText(text)
	if (e.State != "" || missing) && f.s.deps.Run != nil {
		f.run.Show()
	} else {
		f.run.Hide()
	}
}

// noneLeft names the choice that leaves no image.
func noneLeft(e evidence.Evidence) string {
	var parts []string
	if e.Filter != "" {
		parts = append(parts, e.Filter)
	}
	if e.Excluded > 0 {
		parts = append(parts, present.Count(int64(e.Excluded))+" excluded")
	}
	return strings.Join(parts, ", ")
}

// sharesLayout gives its first child a share of the width and the second the rest.
type sharesLayout struct{ first float32 }

// Layout implements fyne.Layout.
func (l sharesLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	gap := theme.Padding()
	width := (size.Width - gap) * l.first
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(width, size.Height))
	objects[1].Move(fyne.NewPos(width+gap, 0))
	objects[1].Resize(fyne.NewSize(size.Width-gap-width, size.Height))
}

// MinSize implements fyne.Layout.
func (l sharesLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(a.Width+b.Width+theme.Padding(), max(a.Height, b.Height))
}

// wideLayout gives its one child at least a width, so that nothing jumps while a text changes.
type wideLayout float32

// Layout implements fyne.Layout.
func (l wideLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(size)
	objects[0].Move(fyne.NewPos(0, 0))
}

// MinSize implements fyne.Layout.
func (l wideLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := objects[0].MinSize()
	return fyne.NewSize(max(size.Width, float32(l)), size.Height)
}
