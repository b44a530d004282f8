package images

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// Extremes shows which images make a whole matrix what it is: the distribution of dif with the
// extreme images marked, the matrix before and after their removal, and all images by their
// contribution.
type Extremes struct {
	*ranked
	report Report

	lines         *fynewidget.Label
	modality      *widget.Picker
	leave         *fynewidget.Button
	histogram     *kit.Figure
	before, after *widget.MatrixTile
	layout        *fyne.Container
}

// leftShare is the part of the width that the plot and the matrices take.
const leftShare = 0.4

// NewExtremes makes the tab. It has the room of the matrices, since it shows the one in focus
// before and after. follow and preview are those of New.
func NewExtremes(site pane.Site, store picture.Store, follow, preview func(image int)) *Extremes {
	p := &Extremes{ranked: newRanked(site, store, follow, preview), lines: fynewidget.NewLabel("")}
	p.Tall = true
	p.lines.Wrapping = fyne.TextWrapWord
	p.modality = site.Menu(func(name string) { site.Screen.Mark(pane.Whole(name)) })
	p.leave = fynewidget.NewButton("", p.leaveOutExtremes)
	p.histogram = &kit.Figure{Host: site.Host, Name: func() []string {
		return []string{p.report.subject.Model.ID, "dif", p.report.Modality}
	}}
	p.before, p.after = widget.NewMatrixTile("before"), widget.NewMatrixTile("after")
	var link widget.Link
	for _, tile := range []*widget.MatrixTile{p.before, p.after} {
		heat := tile.Heatmap()
		heat.OnRune = site.Keys.OnRune
		link.Add(&heat.Plot)
		tile.OnHover = func(c widget.Cell) { p.hover(tile, c) }
		tile.OnTapped = func(c widget.Cell) { // moves the focus to a cell, for the tab of images
			site.Screen.Mark(pane.Focus{Modality: p.report.Modality, I: c.I + p.report.first, J: c.J + p.report.first})
		}
	}
	foot := container.NewBorder(nil, nil, nil, container.NewCenter(p.leave), p.lines)
	plots := container.New(plotOver{}, p.histogram.Object(), evidence.Columns(p.before, p.after))
	p.layout = container.New(picture.Split{First: leftShare}, container.NewBorder(nil, foot, nil, nil, plots),
		p.wall.Object())
	p.OnRune = func(r rune) bool {
		if r != 'l' {
			return p.letter(r)
		}
		if site.Spend() {
			p.leaveOutExtremes()
		}
		return true
	}
	p.make("Extremes", kit.Screen[struct{}, Report]{
		Name: "Find extreme images", Doing: "Looking for extreme images…", Quiet: true, Body: p.layout,
		Tools: []fyne.CanvasObject{picture.Wide(305, p.menus(p.modality)), picture.Wide(140, p.exclude)}, Show: p.show,
		Line: func(r Report) string { return r.Title },
	}, Examine)
	return p
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
	p.modality.Offer(widget.ByName(r.subject.Evidence.Modalities()...), r.Modality)
	p.histogram.Set(r.Distribution)
	p.lines.SetText(strings.Join(append([]string{r.Why}, r.Lines...), "\n"))
	_, badge := r.subject.View.Range(r.Modality)
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
		p.site.Say("")
		return
	}
	shown := over.Heatmap().Picture()
	text := p.report.Modality + "   " + present.Hover(shown.Axis, shown.Matrix, c.I, c.J)
	if after := p.report.After.Matrix; after.N > 0 {
		text = fmt.Sprintf("%s, before %s, after %s", text, result.Significant(p.report.Before.Matrix.At(c.I, c.J), 3),
			result.Significant(after.At(c.I, c.J), 3))
	}
	p.site.Say(text)
}

// leaveOutExtremes excludes the images that the rule removes.
func (p *Extremes) leaveOutExtremes() {
	if len(p.report.Removed) > 0 {
		p.site.Screen.Exclude(p.report.Removed)
	}
}
