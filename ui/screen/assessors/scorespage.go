package assessors

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// scoresPage is what lies behind a line of the comparison: confusion, curves, and the assessor
// among the annotators.
type scoresPage struct {
	s          *Screen
	object     fyne.CanvasObject
	confusion  *widget.Confusion
	kappas     *widget.KappaTable
	kappaNote  *fynewidget.Label
	roc, pr    *widget.Chart
	calibre    *widget.Chart
	facts      *evidence.Lines
	none, seen *fyne.Container
	why        *fynewidget.Label
}

func newScoresPage(s *Screen) *scoresPage {
	p := &scoresPage{s: s, confusion: widget.NewConfusion(), kappas: widget.NewKappaTable(), kappaNote: wrapped("")}
	p.confusion.OnHint, p.kappas.OnHint = s.deps.Status, s.deps.Status
	p.kappaNote.SizeName = theme.SizeNameCaptionText
	p.roc, p.pr, p.calibre = p.chart("roc"), p.chart("precision-recall"), p.chart("calibration")
	p.facts = evidence.NewLines(s.host(), "measure", widget.Keys{})
	charts := container.NewGridWithColumns(3, p.roc, p.pr, p.calibre)
	verdicts := container.NewVBox(caption("Verdicts on unseen models"), p.confusion)
	kappas := container.NewVBox(caption("Among the annotators: Cohen's kappa"), container.NewHScroll(aboveBar(p.kappas)), p.kappaNote)
	tables := container.NewBorder(nil, nil, verdicts, nil, kappas)
	lower := container.NewHSplit(container.NewVScroll(tables), p.facts.Object())
	lower.Offset = 0.74 // three annotators, the assessor and the majority side by side
	split := container.NewVSplit(charts, lower)
	split.Offset = 0.5
	p.seen = container.NewStack(split)
	p.why = wrapped("")
	p.none = container.NewVBox(p.why)
	p.none.Hide()
	p.object = container.NewStack(p.seen, p.none)
	return p
}

// aboveBar keeps room below an object for the bar that scrolls it to the side, which would cover
// its last line.
func aboveBar(o fyne.CanvasObject) fyne.CanvasObject {
	return container.New(layout.NewCustomPaddedLayout(0, theme.ScrollBarSize(), 0, 0), o)
}

func (p *scoresPage) chart(name string) *widget.Chart {
	c := widget.NewChart()
	c.OnHover = func(_ float64, text string) { p.s.deps.Status(text) }
	p.s.saver.Connect(c, func() []string { return []string{p.s.fileName(), name} })
	return c
}

func (p *scoresPage) clear() {
	empty := widget.ChartData{Empty: "…"}
	p.roc.SetData(empty)
	p.pr.SetData(empty)
	p.calibre.SetData(empty)
	p.facts.Show(nil)
	p.confusion.Hide()
	p.kappas.Hide()
	p.kappaNote.Hide()
}

func (p *scoresPage) show() {
	subject := p.s.subject
	p.seen.Hidden, p.none.Hidden = subject.Evaluation == nil, subject.Evaluation != nil
	if subject.Evaluation == nil {
		p.why.SetText(subject.savedScores())
		p.object.Refresh()
		return
	}
	v := p.s.insight.scores
	p.roc.SetData(v.ROC)
	p.pr.SetData(v.PR)
	p.calibre.SetData(v.Calibre)
	p.facts.Show(v.Facts)
	p.confusion.SetCounts("label", "verdict", v.Classes, v.Confusion)
	p.confusion.Show()
	p.kappas.SetCells("", v.KappaColumns, v.KappaRows, v.Kappas)
	p.kappas.Show()
	p.kappaNote.SetText(v.KappaNote)
	p.kappaNote.Show()
	p.object.Refresh()
}
