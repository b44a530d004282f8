package features

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// alikePane shows the selected model and the ones nearest to it in feature space, with the matrix
// that the chosen feature is measured on; a click on a matrix opens its model.
type alikePane struct {
	s       *Screen
	latest  background.Latest
	text    *fynewidget.Label
	tiles   []*widget.MatrixTile
	grid    *fyne.Container
	shown   []Alike
	picture []widget.Picture
	object  fyne.CanvasObject
}

func newAlikePane(s *Screen) *alikePane {
	p := &alikePane{s: s, text: fynewidget.NewLabel(""), grid: container.New(tileGrid{})}
	p.text.Wrapping = fyne.TextWrapWord
	for k := range Neighbours + 1 {
		tile := widget.NewMatrixTile("")
		tile.Heatmap().OnKey = func(ev *fyne.KeyEvent) bool { return p.keyed(k, ev) }
		tile.OnTapped = func(widget.Cell) { p.open(k) }
		tile.OnHover = func(c widget.Cell) { p.hover(k, c) }
		tile.Hide() // until there is a model for it
		p.tiles = append(p.tiles, tile)
		p.grid.Add(tile)
	}
	p.object = container.NewBorder(p.text, nil, nil, nil, p.grid)
	return p
}

// keyed opens the model with Return; the heatmap keeps the other keys.
func (p *alikePane) keyed(k int, ev *fyne.KeyEvent) bool {
	if ev.Name != fyne.KeyReturn && ev.Name != fyne.KeyEnter {
		return false
	}
	p.open(k)
	return true
}

func (p *alikePane) open(k int) {
	if k < len(p.shown) {
		p.s.deps.Inspect(p.shown[k].Model.Hash)
	}
}

func (p *alikePane) hover(k int, c widget.Cell) {
	if !c.Inside || k >= len(p.shown) {
		p.s.deps.Status("")
		return
	}
	a, v := p.shown[k].Row, p.s.view
	p.s.deps.Status(fmt.Sprintf("%s, %s: %s, robust accuracy %s; click to inspect it", a.Model.ID, v.groupName(a), present.Number(c.Value), present.Number(a.Robust)))
}

func (p *alikePane) show() { p.selected() }

// selected finds the neighbours and makes their pictures in the background.
func (p *alikePane) selected() {
	v := p.s.view
	list, modality := v.Alikes(), v.Picture()
	scale, along := v.Scales[modality], v.Axis
	background.Load(p.s.deps.Work, &p.latest, "draw alike models", func(context.Context) ([]widget.Picture, error) {
		pictures := make([]widget.Picture, len(list))
		for k, a := range list {
			pictures[k] = widget.NewPicture(a.Matrices[modality], scale, along)
		}
		return pictures, nil
	}, func(pictures []widget.Picture, err error) {
		if err != nil {
			p.s.deps.ShowError(err)
			return
		}
		p.shown, p.picture = list, pictures
		p.place(v.alikeText(list, modality))
	})
}

// place puts the pictures on their tiles.
func (p *alikePane) place(text string) {
	p.text.SetText(text)
	for k, tile := range p.tiles {
		if k >= len(p.shown) {
			tile.Hide()
			continue
		}
		a := p.shown[k]
		tile.SetTitle(a.Title())
		tile.SetPicture(p.picture[k])
		tile.SetNotes([]string{p.s.view.groupName(a.Row), fmt.Sprintf("robust accuracy %s", present.Number(a.Robust))})
		tile.Show()
	}
	widget.LineUp(p.tiles)
	p.grid.Refresh()
}

// alikeText says what the pictures are.
func (v *View) alikeText(list []Alike, modality string) string {
	width := 0
	for _, c := range v.Columns() {
		if c.At >= 0 {
			width++
		}
	}
	switch {
	case len(list) == 0:
		return "Select a model in the table: the models nearest to it in feature space appear here with their matrices."
	case len(list) == 1:
		return fmt.Sprintf("%s is the only model that was measured: there is none to compare it with.", list[0].Model.ID)
	}
	return fmt.Sprintf("%s and the models nearest to it by %s: matrices %s, distance over z-scores.",
		list[0].Model.ID, present.Counted(int64(width), "feature"), modality)
}

// tileGrid lays tiles out in rows of three, not higher than their squares and notes need.
type tileGrid struct{}

// The tiles of a row, and the height of a tile's title, axis and notes above and below its square
// and bar.
const tilesPerRow, tileExtra = 3, 8

// Layout implements fyne.Layout.
func (tileGrid) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	gap := theme.Padding()
	rows := float32((len(objects) + tilesPerRow - 1) / tilesPerRow)
	width := (size.Width - gap*(tilesPerRow-1)) / tilesPerRow
	height := min((size.Height-gap*(rows-1))/max(rows, 1), width+tileExtra+widget.NotesHeight(2))
	for k, o := range objects {
		o.Resize(fyne.NewSize(width, height))
		o.Move(fyne.NewPos(float32(k%tilesPerRow)*(width+gap), float32(k/tilesPerRow)*(height+gap)))
	}
}

// MinSize implements fyne.Layout.
func (tileGrid) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := fyne.NewSize(0, 0)
	for _, o := range objects {
		least = least.Max(o.MinSize())
	}
	rows := float32((len(objects) + tilesPerRow - 1) / tilesPerRow)
	return fyne.NewSize(least.Width*tilesPerRow, least.Height*rows)
}
