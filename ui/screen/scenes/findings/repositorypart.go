package findings

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// repositoryPart are the statistics of the models: labels, accuracies and their histograms (the paper's Tables 5 and 6, Fig. 16).
type repositoryPart struct {
	p        *Page
	made     Statistics
	list     *widget.Table
	fitted   *fyne.Container
	labels   *widget.Bars
	round    *fynewidget.Button
	line     *fynewidget.Label
	head     *fyne.Container
	accuracy *widget.Stacked
	worst    *widget.Stacked
	content  fyne.CanvasObject
}

func newRepositoryPart(p *Page) *repositoryPart {
	r := &repositoryPart{p: p, labels: widget.NewBars(), accuracy: widget.NewStacked(), worst: widget.NewStacked(), line: note("")}
	r.list = widget.NewTable(nil, func() int { return len(r.made.figures()) }, func(row, col int) string {
		if lines := r.made.figureLines(); row >= 0 && row < len(lines) {
			return lines[row][col]
		}
		return ""
	})
	r.fitted = evidence.Fit(r.list, figureWidths)
	r.round = fynewidget.NewButtonWithIcon("New round…", theme.ContentAddIcon(), func() { p.deps.NewRound(p.view.Selection.Hash) })
	for _, one := range []struct {
		plot *widget.Stacked
		name string
	}{{r.accuracy, "accuracies"}, {r.worst, "worst-cases"}} {
		one.plot.OnHover = p.deps.Host.Say
		p.saver.ConnectStacked(one.plot, func() []string { return []string{one.name, p.view.Selection.Name} })
	}
	r.labels.OnHover = p.deps.Host.Say
	r.labels.Menu = func() []*fyne.MenuItem { return p.saver.Entries(barsFigure(r.labels, "labels", p.view.Selection.Name)) }
	r.head = container.NewBorder(nil, nil, nil, container.NewHBox(r.round, p.exportButton(r)), r.line)
	tables := container.NewGridWithColumns(2,
		container.NewBorder(heading("Accuracies"), nil, nil, nil, r.fitted),
		container.NewBorder(heading("Labels"), nil, nil, nil, container.NewVScroll(r.labels)))
	plots := container.NewGridWithColumns(2,
		container.NewBorder(heading("Models by accuracy"), nil, nil, nil, r.accuracy),
		container.NewBorder(heading("Models by worst-case accuracy"), nil, nil, nil, r.worst))
	split := container.NewVSplit(tables, plots)
	split.Offset = 0.34
	r.content = container.NewBorder(r.head, nil, nil, nil, split)
	return r
}

func figureWidths() []widget.Column {
	var list []widget.Column
	for k, title := range figureTitles() {
		width := float32(numberWidth)
		if k == 0 {
			width = recordWidth
		}
		list = append(list, widget.Column{Title: title, Width: width, Right: k > 0})
	}
	return list
}

func (r *repositoryPart) object() fyne.CanvasObject { return r.content }
func (r *repositoryPart) table() *widget.Table      { return r.list }
func (r *repositoryPart) moved()                    {}
func (r *repositoryPart) close()                    {}

func (r *repositoryPart) entries() []*fyne.MenuItem {
	items := with(r.p.tableEntries("repository", r.made.Table), "Models by accuracy", r.accuracy.Menu())
	items = with(items, "Models by worst-case accuracy", r.worst.Menu())
	return with(items, "Labels", r.labels.Menu())
}

// show implements part.
func (r *repositoryPart) show() {
	v := r.p.view
	r.made = v.Statistics()
	r.line.SetText(v.Caption())
	r.round.Hidden = v.Round.ID != "" || r.p.deps.NewRound == nil
	r.head.Refresh()
	r.fitted.Refresh()
	r.list.Reload()
	r.labels.SetData(r.made.LabelBars())
	r.accuracy.SetData(v.Histogram(fmt.Sprintf("Models by accuracy, scenes of %s", v.Selection.Name), "accuracy of the targets", accuracyOf))
	r.worst.SetData(v.Histogram(fmt.Sprintf("Models by worst-case accuracy, scenes of %s", v.Selection.Name), "worst-case accuracy", worstOf))
}
