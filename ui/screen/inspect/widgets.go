package inspect

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// leastDetails is the least height of what stands below the matrices, in Fyne's device-independent
// pixels.
const leastDetails = 160

// presetNames are the menu's words for evidence.Shared, Paper and Own, with their keys.
func presetNames() []string {
	return []string{"shared (D)", "0..0.15 (P)", "own (O)"}
}

// widgets holds the screen's widgets.
type widgets struct {
	s       *Screen
	root    *fyne.Container
	surface *widget.Surface
	quiet   bool // sliders and tabs are being set, not used

	models, which, class, preset, colours, precision *widget.Picker
	share, reach                                     *slider
	shareText, reachText                             *fynewidget.Label
	before, after, save, choose, excluded, cross     *fynewidget.Button
	run                                              *kit.RunButton
	badge                                            *widget.Remark // on a model that is no better than chance
	wants                                            *widget.Remark // the recipe that the model looks as if it wants; a click takes it
	wanted                                           *fyne.Container
	head                                             *fyne.Container
	title, state, readOut                            *fynewidget.Label
	row                                              *evidence.Row
	charts                                           *evidence.Charts
	details                                          *fyne.Container // charts and tables of the overview
	record, file, certainty                          *evidence.Lines
	form                                             *formFace
	tabs                                             *container.AppTabs // the bar alone, above the matrices
	pages                                            []*widget.Page     // of the tabs, below the matrices
	wait                                             *kit.Wait          // for the signals, over the pages
	split                                            *split
	body                                             fyne.CanvasObject
	empty                                            *fynewidget.Label
}

func newWidgets(s *Screen) *widgets {
	f := &widgets{s: s}
	f.row = evidence.NewRow(f.s.keys(), f.hover, s.focus)
	f.row.OnBadge = s.TakeRanges
	f.row.Outside = true
	f.row.OnCell, f.row.OnMoved, f.row.Keyed = f.pick, f.pick, f.tileKey
	f.split = newSplit(evidence.Area(f.row), f.buildTabs(), f.row.BestHeight, leastDetails)
	f.split.moved = func(share float32) {
		s.keep(settingSplit, share)
		s.focus()
	}
	f.body = container.NewBorder(container.NewVBox(f.tabs, f.buildTitle()), nil, nil, nil, f.split.box)
	f.empty = fynewidget.NewLabel("No model yet. Import one on the Models screen.")
	f.empty.Alignment = fyne.TextAlignCenter
	f.empty.Hide()
	content := container.NewStack(f.body, container.NewCenter(f.empty))
	menus := container.NewVBox(f.buildMenus(), f.buildControls())
	f.surface = widget.NewSurface(evidence.Margin(container.NewBorder(menus, nil, nil, nil, content)))
	f.surface.Keys = f.s.keys()
	f.surface.OnFocus = func(on bool) {
		if !on {
			s.Work.Post(s.refocus)
		}
	}
	f.root = container.NewStack(f.surface)
	f.showControls()
	return f
}

// buildTabs makes the tabs and returns their pages.
func (f *widgets) buildTabs() fyne.CanvasObject {
	host := f.s.Host
	f.charts = evidence.NewCharts(host, f.hover)
	f.record = evidence.NewLines(host, "training record", f.s.keys())
	f.record.Empty = "No training record. Import a models.csv with the model's id, or edit its values on the Models screen."
	f.file = evidence.NewLines(host, "model file", f.s.keys())
	f.certainty = evidence.NewLines(host, "matrix", f.s.keys())
	f.form = newFormFace(f.s)
	f.precision = f.menu(func(string) { f.s.Precision(precisions[f.precision.SelectedIndex()]) })
	needed := container.NewBorder(nil, nil, fynewidget.NewLabel("images needed for"), nil, f.precision.Object())
	certainty := container.NewBorder(needed, nil, nil, nil, f.certainty.Object())
	inner := container.NewAppTabs(
		widget.NewTab("Record", f.record.Object()),
		widget.NewTab("Certainty", certainty),
		widget.NewTab("Settings", f.form.object),
		widget.NewTab("File", f.file.Object()))
	inner.OnSelected = func(*container.TabItem) { f.s.focus() }
	f.details = evidence.Columns(f.charts.AccuracyBox(), f.charts.LossBox(), inner)
	f.tabs, f.wait = container.NewAppTabs(), host.NewWait()
	pages := container.NewStack()
	add := func(title string, content fyne.CanvasObject) {
		page := widget.NewPage(content)
		widget.Show(page, len(f.pages) == 0)
		f.pages = append(f.pages, page)
		pages.Add(page)
		f.tabs.Append(container.NewTabItem(title, container.NewStack()))
	}
	add("Overview", f.details)
	for _, p := range f.s.panes {
		add(p.Title(), p.Object())
	}
	f.tabs.OnSelected = func(item *container.TabItem) {
		f.s.toFront(f.tabs.SelectedIndex())
		if !f.quiet {
			f.s.keep(settingTab, item.Text)
			f.s.focus()
		}
	}
	return container.NewStack(pages, f.wait.Object())
}

// menu is a menu after which the screen has the keyboard.
func (f *widgets) menu(chosen func(key string)) *widget.Picker {
	return widget.NewPicker(func(key string) {
		chosen(key)
		f.s.focus()
	})
}

func (f *widgets) buildMenus() fyne.CanvasObject {
	f.models = f.menu(func(hash string) {
		if hash != f.s.answer.base.Model.Hash {
			f.s.Open(hash)
		}
	})
	f.preset = f.menu(func(string) { f.choosePreset(evidence.Preset(f.preset.SelectedIndex())) })
	f.colours = f.menu(f.s.Map)
	f.before = fynewidget.NewButtonWithIcon("", theme.NavigateBackIcon(), func() { f.s.Step(-1); f.s.focus() })
	f.after = fynewidget.NewButtonWithIcon("", theme.NavigateNextIcon(), func() { f.s.Step(1); f.s.focus() })
	f.choose = fynewidget.NewButtonWithIcon("Matrices…", theme.GridIcon(), f.s.AskModalities)
	f.save = fynewidget.NewButtonWithIcon("Save…", theme.DocumentSaveIcon(), f.s.AskFigure)
	left := container.NewHBox(f.before, f.after)
	menus := container.NewGridWithColumns(2, f.preset.Object(), f.colours.Object())
	return container.NewBorder(nil, nil, left, container.NewHBox(f.choose, f.save), evidence.Columns(f.models.Object(), menus))
}

// matrixMaps are the colour maps for matrices; the diverging one is for differences.
func matrixMaps() []string {
	return slices.DeleteFunc(render.MapNames(), func(name string) bool { return name == "diverging" })
}

// buildControls makes what the matrices follow while it moves.
func (f *widgets) buildControls() fyne.CanvasObject {
	f.which = f.menu(func(string) { f.control(func(c *Controls) { c.Which = variance.Which(f.which.SelectedIndex()) }) })
	f.class = f.menu(func(string) { f.control(func(c *Controls) { c.Class = f.class.SelectedIndex() }) })
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
	named := func(name string, moving *slider, value *fynewidget.Label, width float32) fyne.CanvasObject {
		least := canvas.NewRectangle(color.Transparent) // so that nothing jumps while the text changes
		least.SetMinSize(fyne.NewSize(width, 0))
		return container.NewBorder(nil, nil, fynewidget.NewLabel(name), container.NewStack(least, value), moving)
	}
	menus := container.NewGridWithColumns(2, f.which.Object(), f.class.Object())
	return container.NewBorder(nil, nil, nil, f.excluded, evidence.Columns(menus,
		named("share  [ ]", f.share, f.shareText, 60), named("V  - +", f.reach, f.reachText, 92)))
}

func (f *widgets) slider(low, high float64, changed func(float64)) *slider {
	return newSlider(low, high, f.s.keys(), func(v float64) {
		if !f.quiet {
			changed(v)
		}
	}, f.s.focus)
}

func (f *widgets) control(change func(*Controls)) {
	c := f.s.controls
	change(&c)
	f.s.Control(c)
}

func (f *widgets) buildTitle() fyne.CanvasObject {
	f.title = fynewidget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	f.title.SizeName = theme.SizeNameSubHeadingText
	f.state = fynewidget.NewLabel("")
	f.state.Truncation = fyne.TextTruncateEllipsis
	f.readOut = fynewidget.NewLabel("")
	f.run = f.s.NewRunButton(func() {
		f.s.deps.Run([]string{f.s.answer.base.Model.Hash}, slices.Clone(f.s.kept.modalities))
	})
	f.run.Hide()
	f.cross = fynewidget.NewButtonWithIcon("Cross at 0: from resampling?", theme.QuestionIcon(), f.s.BesideNearest)
	f.cross.Hide()
	state := container.NewVBox(layout.NewSpacer(), f.state, layout.NewSpacer()) // on one line with the larger title
	f.badge = widget.NewRemark(f.s.Say)
	f.head = container.NewBorder(nil, nil, container.NewHBox(f.title, container.NewCenter(f.badge), f.cross), container.NewHBox(f.run.Button, f.readOut), state)
	f.wants = widget.NewRemark(f.s.Say)
	f.wants.OnTapped = f.s.TakeRecipe
	f.wanted = container.NewHBox(f.wants)
	f.wanted.Hide()
	return container.NewVBox(f.head, f.wanted)
}
