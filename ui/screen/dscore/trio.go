package dscore

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/ui/widget"
)

// trio are the three maps of a model side by side: features and attention with one colour bar, and
// their difference with its own.
type trio struct {
	maps   [score.Kinds]*widget.Regions
	titles [score.Kinds]*fynewidget.Label
	bars   [2]*widget.ColourBar // of both shares, of the difference
	object *fyne.Container
	shown  score.Distributions
}

// newTrio makes empty maps that report to marks.
func newTrio(m *marks) *trio {
	t := &trio{}
	objects := make([]fyne.CanvasObject, 0, 2*score.Kinds+len(t.bars))
	for kind := range score.Kinds {
		t.titles[kind] = widget.Bold(score.KindTitle(kind))
		t.titles[kind].Truncation = fyne.TextTruncateEllipsis
		t.maps[kind] = widget.NewRegions()
		t.maps[kind].OnHover, t.maps[kind].OnChosen = m.hover, m.choose
		m.follow(t.maps[kind].SetMarked)
		objects = append(objects, t.titles[kind], t.maps[kind])
	}
	for k := range t.bars {
		t.bars[k] = widget.NewColourBar()
		objects = append(objects, t.bars[k])
	}
	t.object = &fyne.Container{Layout: trioLayout{}, Objects: objects}
	return t
}

// show shows maps over an image, nil for none; a reason stands in place of maps of no regions.
func (t *trio) show(m score.Distributions, over image.Image, why string) {
	t.shown = m
	for kind, r := range t.maps {
		r.SetPicture(widget.RegionPicture{
			Image: over, N: m.N, Values: m.Values[kind], Scale: m.Scales[kind],
			Text: score.RegionText(m.N, kind == score.Difference), Absent: why,
		})
	}
	t.bars[0].SetScale(m.Scales[score.Features])
	t.bars[1].SetScale(m.Scales[score.Difference])
	for _, bar := range t.bars {
		bar.Hidden = m.N == 0
	}
	t.object.Refresh()
}

// trioLayout gives the maps equal sides, as large as width and height allow, with the bars beside
// the second and the third.
type trioLayout struct{}

// trioGap is the room between maps and bars, mapRoom what a map has beside its square: the sign of
// its menu and its ring.
const trioGap, mapRoom = 2, 24

// Layout implements fyne.Layout.
func (l trioLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	title := objects[0].MinSize().Height
	bars := [2]float32{objects[2*score.Kinds].MinSize().Width, objects[2*score.Kinds+1].MinSize().Width}
	width := (size.Width - bars[0] - bars[1] - (score.Kinds+1)*trioGap) / score.Kinds
	height := max(size.Height-title, 0)
	width = max(min(width, height+mapRoom), 0)
	height = min(height, max(width-mapRoom, 0)+trioGap)
	at := float32(0)
	place := func(o fyne.CanvasObject, y, w, h float32) {
		o.Move(fyne.NewPos(at, y))
		o.Resize(fyne.NewSize(w, h))
	}
	for kind := range score.Kinds {
		room := width // a title may stand over the bar as well
		if kind > score.Features {
			room += bars[kind-score.Attention]
		}
		place(objects[2*kind], 0, room, title)
		place(objects[2*kind+1], title, width, height)
		at += width + trioGap
		if kind > score.Features {
			place(objects[2*score.Kinds+kind-score.Attention], title, bars[kind-score.Attention], height)
			at += bars[kind-score.Attention] + trioGap
		}
	}
}

// widthFor is the width that gives maps the whole of a height.
func (trioLayout) widthFor(objects []fyne.CanvasObject, height float32) float32 {
	title := objects[0].MinSize().Height
	bars := objects[2*score.Kinds].MinSize().Width + objects[2*score.Kinds+1].MinSize().Width
	return score.Kinds*(max(height-title, 0)+mapRoom) + bars + (score.Kinds+1)*trioGap
}

// leastMap is the least side of a map.
const leastMap = 96

// MinSize implements fyne.Layout.
func (l trioLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	title := objects[0].MinSize().Height
	return fyne.NewSize(l.widthFor(objects, title+leastMap), title+leastMap)
}

// besideLayout puts a trio and a table side by side: first the maps get a comfortable size, as long
// as the table keeps its least width, then the table the width of all its columns, then the maps
// what is left. Children: trio, table.
type besideLayout struct {
	least float32        // of the table
	whole func() float32 // width of all columns
}

// comfort is the height of a trio whose maps are easy to read.
const comfort = 220

// Layout implements fyne.Layout.
func (l besideLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	three := objects[0].(*fyne.Container)
	gap := 2 * theme.Padding()
	wanted := func(height float32) float32 { return trioLayout{}.widthFor(three.Objects, min(height, size.Height)) }
	width := min(wanted(size.Height), max(size.Width-gap-l.whole(), wanted(comfort)),
		size.Width-gap-l.least*widget.Grown())
	width = max(width, three.MinSize().Width)
	three.Move(fyne.NewPos(0, 0))
	three.Resize(fyne.NewSize(width, size.Height))
	objects[1].Move(fyne.NewPos(width+gap, 0))
	objects[1].Resize(fyne.NewSize(max(size.Width-width-gap, 0), size.Height))
}

// MinSize implements fyne.Layout.
func (l besideLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	three, table := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(three.Width+2*theme.Padding()+table.Width, max(three.Height, table.Height))
}

// marks are the region under the pointer and the chosen one, shown in all maps and tables that
// follow. A region that is chosen again is chosen no longer.
type marks struct {
	over, chosen int
	followers    []func(regions []int)
	// changed hears of the region that is marked now, 0 for none.
	changed func(region int)
}

func (m *marks) follow(show func(regions []int)) { m.followers = append(m.followers, show) }

// region is the one that is marked, 0 for none.
func (m *marks) region() int {
	if m.over > 0 {
		return m.over
	}
	return m.chosen
}

func (m *marks) hover(region int) {
	before := m.region()
	m.over = region
	m.tell(before)
}

func (m *marks) choose(region int) {
	before := m.region()
	if m.chosen == region {
		region = 0
	}
	m.chosen = region
	m.tell(before)
}

// set chooses a region, also one that is chosen already.
func (m *marks) set(region int) {
	before := m.region()
	m.chosen = region
	m.tell(before)
}

// within forgets regions beyond n x n.
func (m *marks) within(n int) {
	before := m.region()
	if m.over > n*n {
		m.over = 0
	}
	if m.chosen > n*n {
		m.chosen = 0
	}
	m.tell(before)
}

func (m *marks) tell(before int) {
	now := m.region()
	if now == before {
		return
	}
	var list []int
	if now > 0 {
		list = []int{now}
	}
	for _, show := range m.followers {
		show(list)
	}
	if m.changed != nil {
		m.changed(now)
	}
}
