package images

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
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
	deps    Deps
	board   *board
	surface *widget.Surface
	pace    pace
	subject pane.Subject
	report  Report
	ask     Order
	quiet   bool // menus are being set, not chosen

	title, lines     *fynewidget.Label
	modality, order  *fynewidget.Select
	exclude, leave   *fynewidget.Button
	histogram        *widget.Histogram
	before, after    *widget.MatrixTile
	matrices, layout *fyne.Container
}

// NewExtremes makes the pane.
func NewExtremes(deps Deps) *Extremes {
	p := &Extremes{deps: deps, pace: pace{work: deps.Work}, histogram: widget.NewHistogram()}
	p.board = newBoard(deps, p.selection, p.take)
	p.title, p.lines = fynewidget.NewLabel(""), fynewidget.NewLabel("")
	p.title.Truncation, p.lines.Wrapping = fyne.TextTruncateEllipsis, fyne.TextWrapWord
	p.modality = fynewidget.NewSelect(nil, func(name string) {
		if !p.quiet {
			p.deps.Host.Focus(pane.Whole(name))
			p.take()
		}
	})
	p.order = fynewidget.NewSelect(orderNames(), func(string) {
		if at := Order(p.order.SelectedIndex()); !p.quiet && at != p.ask {
			p.ask = at
			p.load()
			p.take()
		}
	})
	p.quiet = true
	p.order.SetSelectedIndex(int(ByShare))
	p.quiet = false
	p.exclude = fynewidget.NewButton("Exclude (X)", func() { p.board.exclude(); p.take() })
	p.leave = fynewidget.NewButton("", func() { p.leaveOut(); p.take() })
	p.histogram.OnHover = p.deps.Host.Status
	p.build()
	p.selection()
	return p
}

// leftShare is the part of the width that the plot and the matrices take.
const leftShare = 0.4

func (p *Extremes) build() {
	p.before, p.after = widget.NewMatrixTile("before"), widget.NewMatrixTile("after")
	keys := widget.Keys{OnRune: p.rune, OnKey: p.key}
	for _, tile := range []*widget.MatrixTile{p.before, p.after} {
		tile.Heatmap().Keys = keys
		tile.OnHover = func(c widget.Cell) { p.hover(tile, c) }
		tile.OnTapped = func(c widget.Cell) { p.tapped(c) }
	}
	p.matrices = evidence.Columns(p.before, p.after)
	foot := container.NewBorder(nil, nil, nil, container.NewCenter(p.leave), p.lines)
	left := container.NewBorder(nil, foot, nil, nil, container.New(plotOver{}, p.histogram, p.matrices))
	p.layout = container.New(picture.Split{First: leftShare}, left, p.board.body)
	menus := container.NewHBox(picture.Wide(155, p.order), picture.Wide(140, p.exclude))
	head := container.NewBorder(nil, nil, picture.Wide(150, p.modality), menus, p.title)
	p.surface = widget.NewSurface(container.NewBorder(head, nil, nil, nil, p.layout))
	p.surface.Keys = keys
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

// Title implements pane.Pane.
func (p *Extremes) Title() string { return "Extremes" }

// Object implements pane.Pane.
func (p *Extremes) Object() fyne.CanvasObject { return p.surface }

// Tall implements pane.Pane: the matrix before and after is shown here.
func (p *Extremes) Tall() bool { return true }

// Show implements pane.Pane.
func (p *Extremes) Show(s pane.Subject) {
	p.subject = s
	p.load()
}

// Hidden implements pane.Pane.
func (p *Extremes) Hidden() { p.board.shelf.Rest() }

// Close implements pane.Pane.
func (p *Extremes) Close() {
	p.pace.closed = true
	p.board.shelf.Close()
}

func (p *Extremes) load() {
	s, order := p.subject, p.ask
	ask(&p.pace, "find extreme images", func() Report { return Examine(s, order) }, func(r Report, err error) {
		switch {
		case err != nil:
			p.deps.Host.ShowError(err)
		case s.Model.Hash == p.subject.Model.Hash: // else the answer for the model that is shown now follows
			p.show(r)
		}
	})
}

func (p *Extremes) show(r Report) {
	p.report = r
	p.board.show(r.Ranking)
	p.title.SetText(r.Title)
	var names []string
	for _, t := range p.subject.Evidence.Tiles {
		names = append(names, t.Modality)
	}
	p.quiet = true
	p.modality.SetOptions(names)
	p.modality.SetSelected(r.Modality)
	p.quiet = false
	p.histogram.SetData(r.Distribution)
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
		p.deps.Host.Status("")
		return
	}
	shown := over.Heatmap().Picture()
	text := p.report.Modality + "   " + present.Hover(shown.Axis, shown.Matrix, c.I, c.J)
	if after := p.report.After.Matrix; after.N > 0 {
		text = fmt.Sprintf("%s, before %s, after %s", text, result.Significant(p.report.Before.Matrix.At(c.I, c.J), 3), result.Significant(after.At(c.I, c.J), 3))
	}
	p.deps.Host.Status(text)
}

// tapped moves the focus to a cell, for the pane of images.
func (p *Extremes) tapped(c widget.Cell) {
	p.deps.Host.Focus(pane.Focus{Modality: p.report.Modality, I: c.I + p.report.first, J: c.J + p.report.first})
	p.take()
}

// leaveOut excludes the images that the rule removes.
func (p *Extremes) leaveOut() {
	if len(p.report.Removed) > 0 {
		p.deps.Host.Exclude(p.report.Removed)
	}
}

func (p *Extremes) selection() {
	p.exclude.SetText(p.board.excludeText())
	widget.Enable(p.exclude, len(p.board.picked()) > 0)
}

// take gives the keys to the pane.
func (p *Extremes) take() { p.surface.TakeIn(p.deps.Window.Canvas()) }

func (p *Extremes) rune(r rune) {
	switch r {
	case 'x', 'X':
		if p.surface.Spend() {
			p.board.exclude()
		}
	case 'l', 'L':
		if p.surface.Spend() {
			p.leaveOut()
		}
	case 's', 'S':
		p.order.SetSelectedIndex((p.order.SelectedIndex() + 1) % len(orderNames()))
	default:
		if p.deps.Keys.OnRune != nil {
			p.deps.Keys.OnRune(r)
		}
	}
}

func (p *Extremes) key(ev *fyne.KeyEvent) bool {
	return p.board.key(ev.Name) || p.deps.Keys.OnKey != nil && p.deps.Keys.OnKey(ev)
}
