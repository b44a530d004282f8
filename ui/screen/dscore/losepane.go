package dscore

import (
	"context"
	"fmt"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// losePane shows what deleting regions costs the selected model, in all convolutions together and
// in each alone.
type losePane struct {
	s         *Screen
	latest    background.Latest
	wanted    string // what is shown or on its way
	made      Losses
	known     bool
	model     *widget.Picker
	tolerance *fynewidget.RadioGroup
	quiet     bool // widgets are being filled: their callbacks do not count
	hint      *fynewidget.Label
	more      *fynewidget.Button
	maps      []*layerMap
	row       *fyne.Container
	bar       *widget.ColourBar
	table     *widget.Table
	split     *container.Split
	object    fyne.CanvasObject
}

// layerMap is the map of one line of the table, with its name above.
type layerMap struct {
	title   *fynewidget.Label
	regions *widget.Regions
}

func newLosePane(s *Screen) *losePane {
	p := &losePane{s: s, bar: widget.NewColourBar(), hint: fynewidget.NewLabel("")}
	p.hint.Wrapping = fyne.TextWrapWord
	p.model = widget.NewPicker(func(hash string) {
		s.view.Select(hash)
		p.show()
	})
	p.tolerance = fynewidget.NewRadioGroup(nil, nil)
	for _, o := range toleranceOptions() {
		p.tolerance.Options = append(p.tolerance.Options, o.Name)
	}
	p.tolerance.Horizontal, p.tolerance.Required = true, true
	p.tolerance.OnChanged = func(name string) {
		for k, o := range toleranceOptions() {
			if o.Name == name && !p.quiet {
				s.ShowTolerance(tolerances[k])
			}
		}
	}
	p.more = fynewidget.NewButtonWithIcon("Compute each layer alone", theme.MediaPlayIcon(), func() { s.order(p.order()) })
	p.table = widget.NewTable(nil, func() int { return len(p.made.Layers) }, func(row, col int) string { return p.made.Cell(row, col, s.settings.Tolerance) })
	p.table.StickyColumnCount = 1
	p.table.OnHint = s.deps.Status
	p.table.OnCell = func(row, col int) {
		if region := col - fixedLossColumns + 1; region > 0 {
			s.deps.Status(p.made.Layers[row].Line(region, s.settings.Tolerance))
		}
	}
	p.row = container.New(mapsLayout{})
	menus := container.NewHBox(
		fynewidget.NewLabel("model"), container.NewGridWrap(fyne.NewSize(pickWidth*widget.Grown(), p.model.MinSize().Height), p.model.Select),
		fynewidget.NewLabel("no loss means at most"), p.tolerance)
	head := container.NewVBox(menus, container.NewBorder(nil, nil, nil, container.NewVBox(p.more), p.hint))
	maps := container.NewBorder(nil, nil, nil, p.bar, container.NewHScroll(p.row))
	p.split = container.NewVSplit(maps, p.table)
	p.split.Offset = mapsShare
	p.object = container.NewBorder(head, nil, nil, nil, p.split)
	return p
}

// The width of the menu of models, the largest one of names in the table, and the share of the
// height that the maps take.
const pickWidth, tensorWidth, mapsShare = 160, 360, 0.55

// order is what is missing of the selected model: the convolutions that were not computed alone.
func (p *losePane) order() Order {
	return Order{Suite: p.s.view.Suite.Hash, Models: []model.Model{p.made.Model}, N: []int{p.made.Grid.N}, Each: true, AfterBatchNorm: behindNorm(p.made.Grid)}
}

// show reads the layers of the selected model, where they are not what is shown.
func (p *losePane) show() {
	v := p.s.view
	var list []widget.Option
	for k := range v.shown {
		r, _ := v.At(k)
		list = append(list, widget.Option{Key: r.Model.Hash, Name: r.Model.ID})
	}
	p.model.Offer(list, v.selected)
	p.quiet = true
	for k, t := range tolerances {
		if t == p.s.settings.Tolerance {
			p.tolerance.SetSelected(p.tolerance.Options[k])
		}
	}
	p.quiet = false
	r, ok := v.Selected()
	if !ok {
		p.latest.Next()
		p.wanted, p.known = "", false
		p.draw()
		return
	}
	p.load(r)
}

func (p *losePane) load(r Row) {
	if wanted := r.MaskKey + "/" + strconv.Itoa(r.N); wanted != p.wanted {
		p.wanted = wanted
		p.made, p.known = newLosses(r, nil), true // what is known at once
		p.draw()
	}
	store := p.s.deps.Store
	background.Load(p.s.deps.Work, &p.latest, "read what layers lose", func(ctx context.Context) (Losses, error) {
		return readLosses(ctx, store, r)
	}, func(made Losses, err error) {
		if err != nil {
			p.wanted = ""
			p.hint.SetText(present.Sentence(err))
			return
		}
		p.made = made
		p.draw()
	})
}

// readLosses reads the layers of a model, and what its file says of its feature maps. It is slow
// (files).
func readLosses(ctx context.Context, from Store, r Row) (Losses, error) {
	layers, err := from.LayersOf(ctx, r.Model, r.Suite, r.N)
	if err != nil {
		return Losses{}, err
	}
	l := newLosses(r, layers)
	maps, leftAlone, err := from.Maps(r.Model, r.Suite, r.Grid)
	if err != nil { // the numbers stand without it
		l.Notes = append(l.Notes, present.Sentence(err))
		return l, nil
	}
	l.note(maps, leftAlone)
	return l, nil
}

// draw shows what is there with the tolerance.
func (p *losePane) draw() {
	if !p.known {
		p.made = Losses{}
		p.hint.SetText("Select a model in the table.")
		p.more.Hide()
	} else {
		text := p.made.Hint(p.s.settings.Tolerance)
		for _, note := range p.made.Notes {
			text += "\n" + note + "."
		}
		p.hint.SetText(text)
		p.more.Hidden = p.s.deps.Start == nil || len(p.made.missing()) == 0
	}
	p.drawMaps()
	titles := []string{}
	if p.known {
		titles = p.made.Titles()
	}
	list := widths(titles, nil, len(p.made.Layers), func(row, col int) string { return p.made.Cell(row, col, p.s.settings.Tolerance) })
	for k := range min(2, len(list)) {
		list[k].Right = false
		list[k].Width = min(list[k].Width, tensorWidth*widget.Grown())
	}
	p.table.SetColumns(list)
	p.table.Reload()
	p.object.Refresh()
}

// drawMaps shows a map for every line that has numbers, all with the same colours; regions that
// nothing is lost with are marked.
func (p *losePane) drawMaps() {
	tolerance, used := p.s.settings.Tolerance, 0
	most := 0.0
	for _, l := range p.made.Layers {
		most = max(most, largest(l.Loss()))
	}
	end := ceiling(most)
	scale := render.Scale{Low: -end, High: end, Map: &render.Diverging}
	for _, l := range p.made.Layers {
		if !l.Reason.None() {
			continue
		}
		if used == len(p.maps) {
			p.maps = append(p.maps, newLayerMap())
		}
		m := p.maps[used]
		used++
		m.title.SetText(fmt.Sprintf("%s: %s", l.Name, l.FreeText(tolerance)))
		m.regions.SetPicture(widget.RegionPicture{
			Image: p.s.face.main.detail.average.picture, N: p.made.Grid.N, Values: l.Loss(), Scale: scale, Text: mapText(difference, p.made.Grid.N),
		})
		m.regions.SetMarked(l.Free(tolerance))
		m.regions.OnHover = func(region int) { p.s.deps.Status(l.Line(region, p.s.settings.Tolerance)) }
		m.regions.Menu = func() []*fyne.MenuItem { return p.s.saver.Entries(p.figure(l, scale)) }
	}
	p.row.Objects = nil
	for _, m := range p.maps[:used] {
		p.row.Objects = append(p.row.Objects, m.title, m.regions)
	}
	p.bar.SetScale(scale)
	p.bar.Hidden = used == 0
	p.row.Refresh()
}

func newLayerMap() *layerMap {
	m := &layerMap{title: fynewidget.NewLabelWithStyle("", fyne.TextAlignCenter, fyne.TextStyle{Bold: true}), regions: widget.NewRegions()}
	m.title.Truncation = fyne.TextTruncateEllipsis
	return m
}

// figure is the map of a layer as it is saved.
func (p *losePane) figure(l LossLayer, scale render.Scale) figures.Figure {
	marked, made := l.Free(p.s.settings.Tolerance), p.made
	drawing := render.Regions{
		Title: fmt.Sprintf("%s, %s", made.Model.ID, l.Name), Image: p.s.face.main.detail.average.image, N: made.Grid.N, Values: l.Loss(), Scale: scale,
		Legend: "accuracy lost, points", Text: mapText(difference, made.Grid.N), Marked: marked,
		Note: fmt.Sprintf("framed: deleted %s", toleranceText(p.s.settings.Tolerance)),
	}
	one := made
	one.Layers = []LossLayer{l}
	return figures.Figure{
		Name: []string{made.Model.ID, "lost", l.Name}, Write: drawing.Write,
		CSV: sheetCSV(one.sheet(p.s.settings.Tolerance)),
	}
}

// mapsLayout lays maps in a row, each as wide as it is high, with its title above. Objects: title,
// map, title, map, ….
type mapsLayout struct{}

// Layout implements fyne.Layout.
func (l mapsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for k := 0; k+1 < len(objects); k += 2 {
		title := objects[k].MinSize().Height
		side := max(size.Height-title, leastMap)
		width := side + mapRoom
		at := float32(k/2) * (width + 2*theme.Padding())
		objects[k].Move(fyne.NewPos(at, 0))
		objects[k].Resize(fyne.NewSize(width, title))
		objects[k+1].Move(fyne.NewPos(at, title))
		objects[k+1].Resize(fyne.NewSize(width, side))
	}
}

// MinSize implements fyne.Layout: the width depends on the height, which a scroll container gives
// first.
func (l mapsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	if len(objects) == 0 {
		return fyne.NewSquareSize(leastMap)
	}
	title := objects[0].MinSize().Height
	side := float32(leastMap)
	if height := objects[1].Size().Height; height > side {
		side = height
	}
	n := float32(len(objects) / 2)
	return fyne.NewSize(n*(side+mapRoom)+(n-1)*2*theme.Padding(), title+leastMap)
}
