package assessors

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// scoresPage is what lies behind a line of the comparison: confusion, curves, and the assessor
// among the annotators.
type scoresPage struct {
	*kit.Screen[struct{}, Scores]
	s         *Screen
	confusion *widget.Confusion
	kappas    *widget.KappaTable
	kappaNote *fynewidget.Label
	roc, pr   *widget.Chart
	calibre   *widget.Chart
	facts     *evidence.Lines
}

func newScoresPage(s *Screen) *scoresPage {
	p := &scoresPage{s: s, confusion: widget.NewConfusion(), kappas: widget.NewKappaTable(), kappaNote: wrapped("")}
	p.confusion.OnHint, p.kappas.OnHint = s.host.Say, s.host.Say
	p.kappaNote.SizeName = theme.SizeNameCaptionText
	p.roc, p.pr, p.calibre = p.chart("roc"), p.chart("precision-recall"), p.chart("calibration")
	p.facts = evidence.NewLines(s.host, "measure", widget.Keys{})
	charts := container.NewGridWithColumns(3, p.roc, p.pr, p.calibre)
	verdicts := container.NewVBox(caption("Verdicts on unseen models"), p.confusion)
	kappas := container.NewVBox(caption("Among the annotators: Cohen's kappa"), container.NewHScroll(aboveBar(p.kappas)), p.kappaNote)
	tables := container.NewBorder(nil, nil, verdicts, nil, kappas)
	lower := container.NewHSplit(container.NewVScroll(tables), p.facts.Object())
	lower.Offset = 0.74 // three annotators, the assessor and the majority side by side
	split := container.NewVSplit(charts, lower)
	split.Offset = 0.5
	p.Screen = kit.New(kit.Screen[struct{}, Scores]{
		Host: s.host, Name: "Measure scores", Doing: "Measuring scores…", Key: "assessors.scores", Quiet: true,
		Load: func(struct{}) kit.Work[Scores] {
			subject := *s.subject
			return func(context.Context, engine.Progress) (Scores, error) { return BuildScores(subject), nil }
		},
		Body:  split,
		Empty: func(v Scores) (kit.Empty, bool) { return kit.Empty{Text: v.None}, v.None != "" },
		Show:  p.show,
	})
	return p
}

// aboveBar keeps room below an object for the bar that scrolls it to the side, which would cover
// its last line.
func aboveBar(o fyne.CanvasObject) fyne.CanvasObject {
	return container.New(layout.NewCustomPaddedLayout(0, theme.ScrollBarSize(), 0, 0), o)
}

func (p *scoresPage) chart(name string) *widget.Chart {
	c := widget.NewChart()
	c.OnHover = func(_ float64, text string) { p.s.host.Say(text) }
	p.s.saver.Connect(c, func() []string { return []string{p.s.fileName(), name} })
	return c
}

func (p *scoresPage) show(v Scores) {
	p.roc.SetData(v.ROC)
	p.pr.SetData(v.PR)
	p.calibre.SetData(v.Calibre)
	p.facts.Show(v.Facts)
	p.confusion.SetCounts("label", "verdict", v.Classes, v.Confusion)
	p.kappas.SetCells("", v.KappaColumns, v.KappaRows, v.Kappas)
	p.kappaNote.SetText(v.KappaNote)
	p.Body.Refresh()
}
