package dscore

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// loseShown are the options of what deleting regions costs one model.
type loseShown struct {
	Model     string `help:"Model whose regions are deleted." source:"models"`
	Tolerance string `help:"Loss of accuracy that counts as nothing, with its 95 % interval." enum:"0,0.005,0.01" default:"0.01" label:"No loss means at most"`
}

// share is the tolerance, a share.
func (o loseShown) share() float64 {
	v, _ := strconv.ParseFloat(o.Tolerance, 64) // one of the choices
	return v
}

// Losses are what deleting regions costs one model: in the convolutions of the grid together, then
// in each alone for which that was computed.
type Losses struct {
	Row    Row
	Layers []score.Layer
	// Notes say what the numbers do not tell: regions that hold nothing, convolutions that are left
	// alone.
	Notes []string
}

// readLosses reads the layers of a model, and what its file says of its feature maps. It is slow
// (files).
func (s *Screen) readLosses(ctx context.Context, r Row) (Losses, error) {
	layers, err := diagnosis.Layers(ctx, s.store, r.Model, r.Suite, r.N)
	if err != nil {
		return Losses{}, err
	}
	l := Losses{Row: r, Layers: append([]score.Layer{r.Layer(model.FeatureMap{})}, layers...)}
	maps, leftAlone, err := s.mapsOf(r)
	if err != nil { // the numbers stand without it
		l.Notes = append(l.Notes, present.Sentence(err))
		return l, nil
	}
	l.note(maps, leftAlone)
	return l, nil
}

// note adds what the model's file says: regions that hold nothing, and convolutions that are left
// alone.
func (l *Losses) note(maps []model.FeatureMap, leftAlone []int) {
	for _, m := range maps {
		if m.Small {
			l.Notes = append(l.Notes, fmt.Sprintf("layer %d with its maps of %d × %d is left out",
				m.Number, m.Height, m.Width))
		}
		if len(m.Empty) > 0 {
			l.Notes = append(l.Notes, fmt.Sprintf("layer %d has maps of %d × %d: regions %s hold nothing there",
				m.Number, m.Height, m.Width, numbers(m.Empty)))
		}
	}
	if len(leftAlone) > 0 {
		l.Notes = append(l.Notes, fmt.Sprintf("layers %s have no maps of two dimensions and are left alone",
			numbers(leftAlone)))
	}
}

// missing are the numbers of the convolutions that were not computed alone.
func (l Losses) missing() []int {
	var list []int
	for n := 1; n <= len(l.Row.Model.Graph.Convs); n++ {
		if !slices.ContainsFunc(l.Layers, func(one score.Layer) bool { return one.Number == n && one.Reason.None() }) {
			list = append(list, n)
		}
	}
	return list
}

// Hint says in a sentence what the regions that nothing is lost with may be good for.
func (l Losses) Hint(tolerance float64) string {
	all := l.Layers[0]
	free, n := len(all.Free(tolerance)), len(all.Variants)
	most := score.Layer{}
	for _, one := range l.Layers[1:] {
		if len(one.Free(tolerance)) > len(most.Free(tolerance)) {
			most = one
		}
	}
	var text string
	switch {
	case n == 0:
		return ""
	case free == 0 && len(most.Free(tolerance)) == 0:
		return fmt.Sprintf("No region can be deleted %s: every part of the feature maps is used.", atMost(tolerance))
	case free == 0:
		text = fmt.Sprintf("No region can be deleted from %s %s.", all.Name(), atMost(tolerance))
	default:
		text = fmt.Sprintf("%d of %d regions can be deleted from %s %s, each alone.", free, n, all.Name(),
			atMost(tolerance))
	}
	if k := len(most.Free(tolerance)); k > 0 {
		text = fmt.Sprintf("%s Of single layers, %s has the most such regions, %d of %d.", text, most.Name(), k, n)
	}
	if len(l.Layers) == 1 && len(l.missing()) > 1 {
		text += " In which layers, computing each layer alone tells."
	}
	return fmt.Sprintf("%s This hints that a smaller network may do: a region is 1/%d of what a convolution computes.",
		text, n)
}

// pointsOf names a tolerance: "0.5 points", "1 point".
func pointsOf(tolerance float64) string {
	text := result.Number.Write(100*tolerance) + " point"
	if tolerance != 0.01 {
		text += "s"
	}
	return text
}

func atMost(tolerance float64) string {
	if tolerance == 0 {
		return "without any loss"
	}
	return "at a loss of at most " + pointsOf(tolerance)
}

// lineOf is everything about a region of a layer in one line.
func lineOf(l score.Layer, region int, tolerance float64) string {
	if region < 1 || region > len(l.Variants) {
		return ""
	}
	text := fmt.Sprintf("%s, region %d: deleting it costs %s", l.Name(), region,
		lost(l.Original-l.Variants[region-1], l.Intervals, region-1))
	if slices.Contains(l.Free(tolerance), region) {
		text += ": nothing is lost"
	}
	return text
}

// lossOf are the percentage points of accuracy lost per region.
func lossOf(l score.Layer) []float64 {
	list := make([]float64, len(l.Variants))
	for k, v := range l.Variants {
		list[k] = 100 * (l.Original - v)
	}
	return list
}

// losePage shows what deleting regions costs the selected model, in all convolutions together and
// in each alone.
type losePage struct {
	*kit.Screen[loseShown, Losses]
	s    *Screen
	more *fynewidget.Button
	maps []*layerMap
	row  *fyne.Container
	bar  *widget.ColourBar
	list *kit.Records[score.Layer]
}

// layerMap is the map of one line of the table, with its name above.
type layerMap struct {
	title   *fynewidget.Label
	regions *widget.Regions
}

// mapsShare is the share of the height that the maps take.
const mapsShare = 0.55

func newLose(s *Screen, host *kit.Host) *losePage {
	p := &losePage{s: s, bar: widget.NewColourBar(), row: container.New(mapsLayout{})}
	p.more = fynewidget.NewButtonWithIcon("Compute each layer alone", theme.MediaPlayIcon(),
		func() { s.ask(p.more.Text, p.order()) })
	p.list = &kit.Records[score.Layer]{Host: host, Table: score.Losses(0, 0), Plain: true}
	split := container.NewVSplit(container.NewBorder(nil, nil, nil, p.bar, container.NewHScroll(p.row)),
		p.list.Object())
	split.Offset = mapsShare
	p.Screen = kit.New(kit.Screen[loseShown, Losses]{
		Host: host, Name: "Read what layers lose", Doing: "Reading…", Key: "dscore.lose", Quiet: true,
		Form: &kit.Form[loseShown]{
			Choices: p.choices,
			Named:   func(_, choice string) string { return pointsOf(loseShown{Tolerance: choice}.share()) },
			OnChange: func(o loseShown) {
				if r, _ := s.models.list.Selected(); r.Model.Hash != o.Model {
					s.models.list.Select(o.Model)
				}
			},
		},
		Load: func(loseShown) kit.Work[Losses] {
			r, ok := s.models.list.Selected()
			if !ok {
				return nil
			}
			return func(ctx context.Context, _ engine.Progress) (Losses, error) { return s.readLosses(ctx, r) }
		},
		Body: split, Keys: p.list.Focus, OnShown: func() { p.follow() }, Show: p.show, Below: true, Line: p.hint,
		Head: []fyne.CanvasObject{container.NewStack(p.more)}, // it may be hidden
		Empty: func(l Losses) (kit.Empty, bool) {
			return kit.Empty{Text: "Select a model in the table."}, len(l.Layers) == 0
		},
	})
	return p
}

// follow shows the model that is selected in the table of models.
func (p *losePage) follow() {
	if r, ok := p.s.models.list.Selected(); ok && r.Model.Hash != p.Options().Model {
		p.Form.Offer()
		if err := p.Form.Put("model", r.Model.Hash); err != nil {
			p.Fail(err)
		}
	}
}

func (p *losePage) choices(string) (list []kit.Option, first string) {
	for _, r := range p.s.models.list.Shown() {
		list = append(list, kit.Option{Key: r.Model.Hash, Name: r.Model.ID})
	}
	r, _ := p.s.models.list.Selected()
	return list, r.Model.Hash
}

// order is what is missing of the model: the convolutions that were not computed alone.
func (p *losePage) order() Order {
	l, _ := p.Data()
	o := usualOrder(l.Row.Suite, []model.Model{l.Row.Model}).like(l.Row.Grid)
	o.N, o.PerLayer, o.Alone = []int{l.Row.N}, true, true
	return o
}

// hint is the text below the table.
func (p *losePage) hint(l Losses) string {
	text := l.Hint(p.Options().share())
	for _, note := range l.Notes {
		text += "\n" + note + "."
	}
	return text
}

// file is what is saved of the model that is shown; "" without one.
func (p *losePage) file() (text, name string, sheet func() *result.Sheet) {
	l, _ := p.Data()
	if len(l.Layers) == 0 {
		return "", "", nil
	}
	text, name = fmt.Sprintf("What %s would lose as CSV…", l.Row.Model.ID),
		figures.FileName("csv", l.Row.Model.ID, "lost")
	return text, name, p.sheet(l.Layers...)
}

// sheet has a row per layer and region.
func (p *losePage) sheet(layers ...score.Layer) func() *result.Sheet {
	tolerance := p.Options().share()
	return func() *result.Sheet { return score.LayerRegions.Sheet(score.LayerRegionsOf(layers, tolerance)) }
}

// show shows a map for every layer that has numbers, all with the same colours; regions that
// nothing is lost with are marked.
func (p *losePage) show(l Losses) {
	tolerance, used := p.Options().share(), 0
	widget.Show(p.more, p.s.Start != nil && len(l.missing()) > 0)
	p.list.Table = score.Losses(l.Row.N, tolerance)
	p.list.Set(l.Layers)
	var all []float64
	for _, one := range l.Layers {
		all = append(all, lossOf(one)...)
	}
	scale := score.SignedScale(all)
	p.row.Objects = nil
	for _, one := range l.Layers {
		if !one.Reason.None() {
			continue
		}
		if used == len(p.maps) {
			p.maps = append(p.maps, newLayerMap())
		}
		m := p.maps[used]
		used++
		m.title.SetText(one.Name() + ": " + one.FreeText(tolerance))
		m.regions.SetPicture(widget.RegionPicture{
			Image: p.s.data().picture, N: l.Row.N, Values: lossOf(one), Scale: scale,
			Text: score.RegionText(l.Row.N, true),
		})
		m.regions.SetMarked(one.Free(tolerance))
		m.regions.OnHover = func(region int) { p.Say(lineOf(one, region, tolerance)) }
		m.regions.Menu = func() []*fyne.MenuItem { return p.Saver().Entries(p.figure(l.Row, one, scale)) }
		p.row.Objects = append(p.row.Objects, m.title, m.regions)
	}
	p.bar.SetScale(scale)
	p.row.Refresh()
}

func newLayerMap() *layerMap {
	m := &layerMap{regions: widget.NewRegions()}
	m.title = fynewidget.NewLabelWithStyle("", fyne.TextAlignCenter, fyne.TextStyle{Bold: true})
	m.title.Truncation = fyne.TextTruncateEllipsis
	return m
}

// figure is the map of a layer as it is saved.
func (p *losePage) figure(r Row, l score.Layer, scale render.Scale) figures.Figure {
	tolerance := p.Options().share()
	f := score.RegionFigure(r.N, lossOf(l), scale, p.s.data().average, "accuracy lost, points", true)
	f.Title, f.Note = fmt.Sprintf("%s, %s", r.Model.ID, l.Name()), "framed: deleted "+atMost(tolerance)
	for _, region := range l.Free(tolerance) {
		f.Matrix.Marked = append(f.Matrix.Marked, region-1)
	}
	saved := figures.Of(f, r.Model.ID, "lost", l.Name())
	saved.CSV, saved.Command = csvOf(p.sheet(l)), command(r, p.s.store.Path(), true)
	return saved
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
