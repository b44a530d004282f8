package images

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

var _ pane.Pane = (*Extremes)(nil)

// Extremes shows which images make a whole matrix what it is: the distribution of dif with the
// extreme images marked, the matrix before and after their removal, and all images by their
// contribution.
type Extremes struct {
	*ranked
	report Report

	lines            *fynewidget.Label
	modality         *widget.Picker
	leave            *fynewidget.Button
	histogram        *kit.Figure
	before, after    *widget.MatrixTile
	matrices, layout *fyne.Container
}

// NewExtremes makes the pane. It has the room of the matrices, since it shows the one in focus
// before and after. preview, which may be nil, shows an image under the whole family.
func NewExtremes(site pane.Site, store picture.Store, preview func(image int)) *Extremes {
	p := &Extremes{ranked: newRanked(site, store, preview, "Extremes", true)}
	p.answer = func() { answer(p.ranked, "find extreme images", Examine, p.show) }
	p.lines = fynewidget.NewLabel("")
	p.lines.Wrapping = fyne.TextWrapWord
	p.modality = p.Menu(func(name string) { p.Screen.Focus(pane.Whole(name)) })
	p.leave = p.Button("", nil, p.leaveOutExtremes)
	p.leave.Importance = fynewidget.MediumImportance
	p.histogram = &kit.Figure{Host: p.Host, Name: func() []string { return []string{p.subject.Evidence.Model.ID, "dif", p.report.Modality} }}
	p.build()
	return p
}

// leftShare is the part of the width that the plot and the matrices take.
const leftShare = 0.4

func (p *Extremes) build() {
	p.before, p.after = widget.NewMatrixTile("before"), widget.NewMatrixTile("after")
	for _, tile := range []*widget.MatrixTile{p.before, p.after} {
		tile.Heatmap().Keys = p.Onward()
		tile.OnHover = func(c widget.Cell) { p.hover(tile, c) }
		tile.OnTapped = func(c widget.Cell) { p.tapped(c) }
	}
	p.matrices = evidence.Columns(p.before, p.after)
	foot := container.NewBorder(nil, nil, nil, container.NewCenter(p.leave), p.lines)
	left := container.NewBorder(nil, foot, nil, nil, container.New(plotOver{}, p.histogram.Object(), p.matrices))
	p.layout = container.New(picture.Split{First: leftShare}, left, p.wall.Object())
	head := p.head(picture.Wide(150, p.modality.Object()), nil)
	p.Lay(container.NewBorder(head, nil, nil, nil, p.layout), p.rune, p.wall.Key)
}

// plotOver gives two matrices side by side the height that makes them squares, half of it all at
// most, and the plot above them the rest.
type plotOver struct{}

// Layout implements fyne.Layout.
func (plotOver) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const beside, above = 78, 62 // of a tile's square
	matrices := max(objects[1].MinSize().Height, min(size.Height/2, size.Width/2-beside+above))
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(size.Width, size.Height-matrices))
	objects[1].Move(fyne.NewPos(0, size.Height-matrices))
	objects[1].Resize(fyne.NewSize(size.Width, matrices))
}

// MinSize implements fyne.Layout.
func (plotOver) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(max(a.Width, b.Width), a.Height+b.Height)
}

func (p *Extremes) show(r Report) {
	p.report = r
	p.ranked.show(r.Ranking)
	p.modality.Offer(widget.ByName(p.subject.Evidence.Modalities()...), r.Modality)
	p.histogram.Set(r.Distribution)
	p.lines.SetText(strings.Join(r.Lines, "\n"))
	_, badge := p.subject.View.Range(r.Modality)
	showTile(p.before, r.Before, badge, r.Reason)
	showTile(p.after, r.After, badge, "nothing to remove")
	p.leave.SetText(fmt.Sprintf("Leave out %s (L)", result.Whole(len(r.Removed))))
	widget.Show(p.leave, len(r.Removed) > 0)
	p.layout.Refresh()
}

func showTile(t *widget.MatrixTile, p widget.Picture, badge, reason string) {
	if p.Matrix.N == 0 {
		t.SetAbsent(reason)
		t.SetBadge("")
		return
	}
	t.SetPicture(p)
	t.SetBadge(badge)
}

// hover reads both matrices off at the same cell.
func (p *Extremes) hover(over *widget.MatrixTile, c widget.Cell) {
	if !c.Inside {
		p.Say("")
		return
	}
	shown := over.Heatmap().Picture()
	text := p.report.Modality + "   " + present.Hover(shown.Axis, shown.Matrix, c.I, c.J)
	if after := p.report.After.Matrix; after.N > 0 {
		text = fmt.Sprintf("%s, before %s, after %s", text, result.Significant(p.report.Before.Matrix.At(c.I, c.J), 3), result.Significant(after.At(c.I, c.J), 3))
	}
	p.Say(text)
}

// tapped moves the focus to a cell, for the pane of images.
func (p *Extremes) tapped(c widget.Cell) {
	p.Screen.Focus(pane.Focus{Modality: p.report.Modality, I: c.I + p.report.first, J: c.J + p.report.first})
	p.TakeBack()
}

// leaveOutExtremes excludes the images that the rule removes.
func (p *Extremes) leaveOutExtremes() {
	if len(p.report.Removed) > 0 {
		p.Screen.Exclude(p.report.Removed)
	}
}

func (p *Extremes) rune(r rune) bool {
	if r != 'l' {
		return p.letter(r)
	}
	if p.Spend() {
		p.leaveOutExtremes()
	}
	return true
}
