package features

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// alike shows the selected model and the ones nearest to it in feature space, with the matrix that
// the chosen feature is measured on; a click on a matrix opens its model.
type alike struct {
	*kit.Screen[struct{}, pictured]
	tiles []*widget.MatrixTile
	shown []likeness
}

// pictured are alike models with the pictures of one matrix, by how many features.
type pictured struct {
	list     []likeness
	pictures []widget.Picture
	matrix   string
	features int
}

func newAlike(s *Screen, host *kit.Host) *alike {
	p := &alike{}
	grid := container.New(tileGrid{})
	for k := range neighbours + 1 {
		open := func() {
			if k < len(p.shown) {
				host.Inspect(p.shown[k].Model.Hash)
			}
		}
		tile := widget.NewMatrixTile("")
		tile.Heatmap().OnKey = func(ev *fyne.KeyEvent) bool {
			opens := ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter // the heatmap keeps the other keys
			if opens {
				open()
			}
			return opens
		}
		tile.OnTapped = func(widget.Cell) { open() }
		tile.OnHover = func(c widget.Cell) {
			if !c.Inside || k >= len(p.shown) {
				host.Say("")
				return
			}
			a := p.shown[k]
			host.Say(fmt.Sprintf("%s, %s: %s, robust accuracy %s; click to inspect it", a.Model.ID, groupName(a.Row),
				result.Number.Say(c.Value, 0), result.Share.Say(a.Scores.CorrectProduct, 0)))
		}
		tile.Hide() // until there is a model for it
		p.tiles = append(p.tiles, tile)
		grid.Add(tile)
	}
	p.Screen = kit.New(kit.Screen[struct{}, pictured]{
		Host: host, Name: "Draw alike models", Doing: "Drawing…", Key: "features.alike", Quiet: true,
		Keys: s.list.Focus, Body: grid, Below: true, Line: pictured.text,
		Load: func(struct{}) kit.Work[pictured] {
			d, matrix := s.data(), s.shownMatrix()
			selected, _ := s.list.Selected()
			made := pictured{matrix: s.picture(), features: len(places(d.Layout, matrix))}
			return func(context.Context, engine.Progress) (pictured, error) {
				made.list = d.alikes(selected.Model.Hash, matrix)
				for _, a := range made.list {
					m := a.Vector.Matrices[made.matrix]
					made.pictures = append(made.pictures, widget.NewPicture(m, d.Scales[made.matrix], d.Axis))
				}
				return made, nil
			}
		},
		Show: func(made pictured) {
			p.place(made)
			grid.Refresh()
		},
	})
	return p
}

// picture is the modality whose matrices belong to the chosen feature, else the table's, else the
// first.
func (s *Screen) picture() string {
	l := s.data().Layout
	for k, name := range l.Names() {
		if name == s.chosen {
			return l.Modalities[k/feature.Count]
		}
	}
	if matrix := s.shownMatrix(); matrix != "" || len(l.Modalities) == 0 {
		return matrix
	}
	return l.Modalities[0]
}

// place puts the pictures on their tiles.
func (p *alike) place(made pictured) {
	p.shown = made.list
	for k, tile := range p.tiles {
		if k >= len(p.shown) {
			tile.Hide()
			continue
		}
		a := p.shown[k]
		tile.SetTitle(a.title())
		tile.SetPicture(made.pictures[k])
		tile.SetNotes([]string{groupName(a.Row), "robust accuracy " + result.Share.Say(a.Scores.CorrectProduct, 0)})
		tile.Show()
	}
	widget.LineUp(p.tiles)
}

// text says what the pictures are.
func (m pictured) text() string {
	switch {
	case len(m.list) == 0:
		return "Select a model in the table: the models nearest to it in feature space appear here with their matrices."
	case len(m.list) == 1:
		return fmt.Sprintf("%s is the only model that was measured: "+
			"there is none to compare it with.", m.list[0].Model.ID)
	}
	return fmt.Sprintf("%s and the models nearest to it by %s: matrices %s, distance over z-scores.",
		m.list[0].Model.ID, result.Counted(m.features, "feature"), m.matrix)
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
