package inspect

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// leastDetails is the least width of what stands right of the matrices, in Fyne's
// device-independent pixels: beside it, five matrices have sides of 200 in a window of 1280 x 800.
const leastDetails = 244

// widgets holds the screen's widgets.
type widgets struct {
	s       *Screen
	surface *widget.Surface

	models, which, class              *widget.Picker
	share, reach                      *widget.Slider
	shareText, reachText              *fynewidget.Label
	before, after                     *widget.HintButton
	matrices, excluded, cross, assign *fynewidget.Button
	run                               *kit.RunButton
	badge                             *widget.Remark // on a model that is no better than chance
	wants                             *widget.Remark // the recipe that the model looks as if it wants; a click takes it
	wanted, head                      *fyne.Container
	title, state, readOut             *fynewidget.Label
	row                               *evidence.Matrices
	overview                          *overview
	tabs                              *kit.Tabs // above the matrices

	latest jobs.Latest // of bands
	banded banded      // what bands are of, or will be
	bands  []band      // nil while they are not known
	split  *split      // the matrices and, right of them, the tab in front
}

func newWidgets(s *Screen) *widgets {
	f := &widgets{s: s}
	s.widgets = f // the parts use them
	f.row = evidence.NewMatrices(s.keys(), f.hover, nil)
	f.row.OnBadge, f.row.Menu = s.TakeRanges, s.tileMenu
	f.row.Outside = true
	f.row.OnMoved, f.row.Keyed = f.pick, f.tileKey
	f.row.OnCell = func(tile int, c widget.Cell) {
		f.pick(tile, c)
		s.Window.Canvas().Focus(f.row.Tiles()[tile].Heatmap()) // the arrow keys go on from there
	}
	f.overview = newOverview(f)
	tabs := []kit.Tab{{Key: "overview", Title: "Overview", Page: f.overview}}
	if s.deps.Panes != nil {
		s.panes = s.deps.Panes(pane.Site{
			Host: s.Host, Screen: s, Keys: s.keys(), Spend: func() bool { return f.surface.Spend() },
		})
	}
	for _, p := range s.panes {
		tabs = append(tabs, p.Tab)
	}
	var pages fyne.CanvasObject
	f.tabs, pages = kit.NewTabBar(s.Host, "inspect", tabs...)
	f.split = newSplit(evidence.Area(f.row), pages, f.row.BestWidth, leastDetails)
	f.split.moved = func(share float32) { s.keep(settingSplit, share) }
	f.tabs.OnTurned = func(string) { f.split.showLeft(!f.front().Tall) }
	f.tabs.OnTurned("")
	body := container.NewBorder(container.NewVBox(f.tabs.Object(), f.buildTitle()), nil, nil, nil, f.split.box)
	f.surface = widget.NewSurface(container.NewBorder(f.buildControls(), nil, nil, nil, body))
	f.surface.Keys = s.keys()
	f.surface.OnFocus = func(on bool) {
		if !on {
			s.Work.Post(func() { // a click on what takes no keys left them with nothing at all
				if s.Window.Canvas().Focused() == nil {
					s.Focus()
				}
			})
		}
	}
	f.showControls()
	return f
}

// take gives the screen the keyboard, unless a dialog lies over the window.
func (f *widgets) take() {
	if c := f.s.Window.Canvas(); c.Overlays().Top() == nil {
		f.surface.TakeIn(c) // also before the screen was ever drawn
	}
}

// front is the tab in front, the zero one for the overview.
func (f *widgets) front() (t pane.Tab) {
	for _, t := range f.s.panes {
		if t.Key == f.tabs.Front() {
			return t
		}
	}
	return t
}

// buildControls makes the row that chooses the model, what the matrices follow while it moves, and
// how they are drawn.
func (f *widgets) buildControls() fyne.CanvasObject {
	f.models = f.s.Menu(func(hash string) {
		if hash != f.s.data().base.Model.Hash {
			f.s.Open(hash)
		}
	})
	f.before = f.s.IconButton(theme.NavigateBackIcon(), "The model before", func() { f.s.Step(-1) })
	f.after = f.s.IconButton(theme.NavigateNextIcon(), "The next model", func() { f.s.Step(1) })
	f.matrices = f.s.MenuButton("Matrices…", theme.SettingsIcon(), f.matricesMenu)
	f.which = f.s.Menu(func(string) {
		f.control(func(c *Controls) {
			c.Which = variance.Which(f.which.SelectedIndex())
		})
	})
	f.class = f.s.Menu(func(string) { f.control(func(c *Controls) { c.Class = f.class.SelectedIndex() }) })
	keys, back := f.s.keys(), func() { f.s.Focus() }
	f.share = widget.NewSlider(1, 100, keys,
		func(v float64) { f.control(func(c *Controls) { c.Share = int(v) }) }, back)
	f.reach = widget.NewSlider(1, 15, keys, func(v float64) {
		f.control(func(c *Controls) {
			if c.Reach = int(v); v >= f.reach.Max {
				c.Reach = 0
			}
		})
	}, back)
	f.shareText, f.reachText = fynewidget.NewLabel(""), fynewidget.NewLabel("")
	moving := func(name string, slider *widget.Slider, value *fynewidget.Label, width float32) fyne.CanvasObject {
		least := canvas.NewRectangle(color.Transparent) // so that nothing jumps while the text changes
		least.SetMinSize(fyne.NewSize(width*widget.Grown(), 0))
		return container.NewBorder(nil, nil, fynewidget.NewLabel(name), container.NewStack(least, value), slider)
	}
	return container.NewBorder(nil, nil, container.NewHBox(f.before, f.after), f.matrices, evidence.Columns(
		widget.Named(nil, f.models.Object()), widget.Named(nil, f.which.Object()), widget.Named(nil, f.class.Object()),
		moving("share", f.share, f.shareText, 52), moving("V", f.reach, f.reachText, 76)))
}

// matricesMenu chooses the matrices, their ranges and colours, and saves them.
func (f *widgets) matricesMenu() []*fyne.MenuItem {
	view, ready := f.s.kept.view, f.s.data().frame.shown.Ready()
	choice := func(name string, chosen bool, do func()) *fyne.MenuItem {
		item := fyne.NewMenuItem(name, do)
		item.Checked = chosen
		return item
	}
	alone := choice("One alone, large (M)", f.row.Enlarged() >= 0, f.alone)
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Choose matrices…", f.s.AskModalities), alone, fyne.NewMenuItemSeparator(),
	}
	for k, name := range []string{"Shared range (D)", "Range 0..0.15 (P)", "Own range… (O)"} {
		items = append(items, choice(name, int(view.Preset) == k, func() { f.takePreset(evidence.Preset(k)) }))
	}
	items = append(items, fyne.NewMenuItemSeparator())
	for _, name := range render.MapNames() {
		if name != "diverging" { // which is for differences
			items = append(items, choice(name, name == view.Map, func() { f.s.Map(name) }))
		}
	}
	save := fyne.NewMenuItemWithIcon("Save figure…", theme.DocumentSaveIcon(), f.s.AskFigure)
	alone.Disabled, save.Disabled = !ready, !ready
	return append(items, fyne.NewMenuItemSeparator(), save)
}

// takePreset takes a colour range, and asks for one's own.
func (f *widgets) takePreset(p evidence.Preset) {
	if p == evidence.Own {
		f.askRange()
		return
	}
	f.s.Preset(p)
}

// alone shows the matrix in focus, or the first, alone, and all of them again.
func (f *widgets) alone() {
	only := -1
	if f.row.Enlarged() < 0 {
		only = f.tile()
	}
	f.row.Enlarge(only)
	f.split.divide()
}

// tile is the matrix of the focus, else the first.
func (f *widgets) tile() int {
	return max(slices.IndexFunc(f.s.data().frame.shown.Tiles,
		func(t evidence.Tile) bool { return t.Modality == f.s.cell.Modality }), 0)
}

func (f *widgets) control(change func(*Controls)) {
	c := f.s.controls
	change(&c)
	f.s.Control(c)
}

func (f *widgets) buildTitle() fyne.CanvasObject {
	f.title = widget.Bold("")
	f.state = fynewidget.NewLabel("")
	f.state.Truncation = fyne.TextTruncateEllipsis
	f.readOut = fynewidget.NewLabel("")
	f.run = f.s.NewRunButton(f.s.AskCompute)
	f.run.Hide()
	f.cross = fynewidget.NewButtonWithIcon("Cross at 0: from resampling?", theme.QuestionIcon(), f.s.BesideNearest)
	f.cross.Hide()
	f.excluded = fynewidget.NewButton("none excluded", f.s.AskExcluded)
	f.assign = fynewidget.NewButton("Assign another position…", func() { f.s.AskSettings() })
	f.assign.Hide()
	f.badge = widget.NewRemark(f.s.Say)
	f.head = container.NewBorder(nil, nil, container.NewHBox(f.title, container.NewCenter(f.badge), f.cross),
		container.NewHBox(f.readOut, f.assign, f.run.Button, f.excluded), f.state)
	f.wants = widget.NewRemark(f.s.Say)
	f.wants.OnTapped = f.s.TakeRecipe
	f.wanted = container.NewHBox(f.wants)
	f.wanted.Hide()
	return container.NewVBox(f.head, f.wanted)
}

func (f *widgets) hover(text string) { f.readOut.SetText(text) }

// pick puts the focus on an element of a tile, or takes it away.
func (f *widgets) pick(tile int, c widget.Cell) {
	frame := f.s.data().frame
	if tile >= len(frame.shown.Tiles) {
		return
	}
	focus := pane.Whole(frame.shown.Tiles[tile].Modality)
	if c.Inside {
		focus.I, focus.J = c.I+frame.first, c.J+frame.first
	}
	f.s.Mark(focus)
}

// mark outlines the element in focus in all matrices and judges it.
func (f *widgets) mark() {
	frame, cell := f.s.data().frame, f.s.cell
	i, j := -1, -1
	if cell.Cell() && cell.I <= frame.last && cell.J <= frame.last {
		i, j = cell.I-frame.first, cell.J-frame.first
	}
	f.row.Mark(i, j)
	f.judge()
}

// readFocus reads out the element in focus of its matrix, or of the first one.
func (f *widgets) readFocus() {
	frame, cell := f.s.data().frame, f.s.cell
	f.hover(frame.shown.ReadOut(f.tile(), cell.I-frame.first, cell.J-frame.first))
}

// rest lets go of bands, and ends what computes some.
func (f *widgets) rest() {
	f.latest.Next()
	f.banded, f.bands = banded{}, nil
}

// show puts what was loaded on the screen.
func (f *widgets) show() {
	d := f.s.data()
	e := d.frame.shown
	list := make([]widget.Option, len(d.models))
	for k, m := range d.models {
		list[k] = widget.Option{Key: m.Hash, Name: m.ID}
	}
	f.models.Offer(list, e.Model.Hash)
	word, wanted := e.Chance.Code.Word(), f.wants
	_, _, crossed := crossed(d.family, e.Tiles)
	crossed = crossed && f.s.deps.Beside != nil
	if f.title.Text != e.Model.ID || word != "" || word != f.badge.Text() || crossed != f.cross.Visible() {
		f.title.SetText(e.Model.ID)
		f.badge.Explain(word, e.Chance.Sentence())
		f.cross.Hidden = !crossed
		f.head.Refresh() // they take other widths
	}
	recipe, ok := e.Looks.Wanted()
	wanted.Explain(e.Looks.Sentence(), hintOf(recipe, ok))
	widget.Show(f.wanted, ok)
	f.showControls()
	f.showState()
	f.row.Show(e)
	f.mark()
}

// hintOf says what a click on the recipe that a model wants does.
func hintOf(wanted chance.Tried, ok bool) string {
	if !ok {
		return ""
	}
	return fmt.Sprintf("click to take it: %s becomes the model's correction, "+
		"and its signals count as stale", wanted.Recipe)
}

// showControls brings menus, sliders and buttons in line with what is chosen.
func (f *widgets) showControls() {
	c, d := f.s.controls, f.s.data()
	base, labelled, signals := d.base, len(d.base.Classes) > 0, d.session != nil
	which := int(c.Which)
	if !labelled { // then all images count
		which = 0
	}
	offer(f.which, []string{"all images (A)", "correct only (C)", "wrong only (W)"}, which)
	offer(f.class, classNames(base.Classes), min(c.Class, len(base.Classes)))
	half := max((len(base.Values)-1)/2, 1)
	reach := c.Reach
	if reach <= 0 || reach > half {
		reach = half
	}
	f.share.Put(c.Share, 100)
	f.reach.Put(reach, half)
	f.shareText.SetText(fmt.Sprintf("%d %%", c.Share))
	first, last := c.interval(len(base.Values))
	f.reachText.SetText(intervalText(base.Values, first, last, base.Unit))
	text := "none excluded"
	if n := len(f.s.excluded); n > 0 {
		text = fmt.Sprintf("%s excluded…", result.Whole(n))
	}
	if f.excluded.Text != text {
		f.excluded.SetText(text)
	}
	for o, on := range map[fyne.Disableable]bool{
		f.which: labelled && signals, f.class: labelled && signals, f.share: signals, f.reach: signals &&
			len(base.Values) > 3, f.excluded: len(f.s.excluded) > 0, f.before: d.at > 0,
		f.after: d.at < len(d.models)-1,
	} {
		widget.Enable(o, on)
	}
}

// offer fills a menu and shows one of its entries as chosen.
func offer(menu *widget.Picker, names []string, at int) {
	menu.Offer(widget.ByName(names...), names[at])
}

// showState says what is shown, and how far the run is that computes what the model lacks.
func (f *widgets) showState() {
	d := f.s.data()
	e := d.frame.shown
	importance, text := fynewidget.MediumImportance, e.Note()
	if e.Suite != "" {
		text = e.Suite + ", " + e.Family + ": " + text
	}
	var runs []kit.Run
	lacks := e.State != "" || slices.ContainsFunc(e.Tiles,
		func(t evidence.Tile) bool { return strings.HasPrefix(t.Reason, notComputed) })
	if missing := f.s.Subject().Missing(); lacks && len(missing) > 0 {
		runs = missing[0].Runs
	}
	switch atWork := f.s.AtWork(runs...); {
	case d.frame.none != nil:
		importance = fynewidget.WarningImportance
		text = fmt.Sprintf("No images left for %s; choose more images.", noneLeft(e.Evidence))
	case atWork != "":
		text = fmt.Sprintf("The signals are being computed: %s.", atWork)
	case e.State != "":
		importance, text = fynewidget.WarningImportance, e.State
	}
	f.state.Importance = importance
	f.state.SetText(text)
	f.run.Offer("Compute signals…", true, runs...)
	widget.Show(f.run, len(runs) > 0 && f.s.Start != nil)
	if on := slices.ContainsFunc(e.Tiles, func(t evidence.Tile) bool {
		return lacking(e.Model, t)
	}); on != f.assign.Visible() {
		widget.Show(f.assign, on)
		f.head.Refresh() // it takes from the line beside it
	}
}

// lacking tells whether a matrix is absent because the model has no such tensor: no run brings it,
// another tensor in its place does.
func lacking(m model.Model, t evidence.Tile) bool {
	wanted, err := signal.ParseModality(t.Modality)
	if err != nil || !t.Absent() {
		return false
	}
	_, there := m.Graph.Tensor(wanted.Position, m.Correction.Positions)
	return !there
}

// noneLeft names the choice that leaves no image.
func noneLeft(e evidence.Evidence) string {
	var parts []string
	if e.Filter != "" {
		parts = append(parts, e.Filter)
	}
	if e.Excluded > 0 {
		parts = append(parts, fmt.Sprintf("%s excluded", result.Whole(e.Excluded)))
	}
	return strings.Join(parts, ", ")
}

// askRange asks for one's own colour range.
func (f *widgets) askRange() {
	evidence.AskRange(f.s.Host, f.s.kept.view.Own, f.s.OwnRange, func() { f.s.Focus() })
}

// crossed is the first matrix whose row and column of the identity stand out where that can come
// from resampling, and the family that resamples by the nearest pixel instead; ok is false where
// there is none.
func crossed(family string, tiles []evidence.Tile) (modality, nearest string, ok bool) {
	f, err := transform.Parse(family)
	if err != nil || !f.Geometric() || f.Interpolation() == transform.Nearest {
		return "", "", false
	}
	other, err := f.With(transform.Nearest, "")
	if err != nil {
		return "", "", false
	}
	for _, t := range tiles {
		if variance.Cross(t.Matrix) {
			return t.Modality, other.String(), true
		}
	}
	return "", "", false
}

// BesideNearest shows the matrix with a cross at 0 beside the same one under nearest-neighbour
// interpolation. Where its signals are not there, it offers to compute them.
func (s *Screen) BesideNearest() {
	subject := s.Subject()
	modality, nearest, ok := crossed(subject.Family, subject.Evidence.Tiles)
	if !ok || s.deps.Beside == nil {
		return
	}
	var there bool
	s.Quietly("look for signals", func() (err error) {
		_, there, err = s.store.SetFor(subject.Model, subject.Suite.Hash, nearest, []string{modality})
		return err
	}, func() {
		if subject.Model.Hash != s.data().base.Model.Hash {
			return
		}
		s.deps.Beside(nearest, modality)
		if subject.Family = nearest; !there && s.Start != nil {
			s.AskMissing(subject.Missing())
		}
	})
}
