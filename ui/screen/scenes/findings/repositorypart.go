package findings

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// repositoryPart are the statistics of the models: labels, accuracies and their histograms (the
// paper's Tables 5 and 6, Fig. 16).
type repositoryPart struct {
	p        *Page
	made     Statistics
	list     *kit.Records[namedFigures]
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
	r.list = &kit.Records[namedFigures]{Host: p.host(), Table: figuresTable, Bare: true}
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
		container.NewBorder(heading("Accuracies"), nil, nil, nil, r.list.Object()),
		container.NewBorder(heading("Labels"), nil, nil, nil, container.NewVScroll(r.labels)))
	plots := container.NewGridWithColumns(2,
		container.NewBorder(heading("Models by accuracy"), nil, nil, nil, r.accuracy),
		container.NewBorder(heading("Models by worst-case accuracy"), nil, nil, nil, r.worst))
	split := container.NewVSplit(tables, plots)
	split.Offset = 0.34
	r.content = container.NewBorder(r.head, nil, nil, nil, split)
	return r
}

func (r *repositoryPart) object() fyne.CanvasObject   { return r.content }
func (r *repositoryPart) table() interface{ Focus() } { return r.list }
func (r *repositoryPart) moved()                      {}
func (r *repositoryPart) close()                      {}

func (r *repositoryPart) entries() []*fyne.MenuItem {
	items := with(r.list.FileItems(), "Models by accuracy", r.accuracy.Menu())
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
	r.list.Set(r.made.figures())
	r.labels.SetData(r.made.LabelBars())
	r.accuracy.SetData(v.Histogram(fmt.Sprintf("Models by accuracy, scenes of %s", v.Selection.Name), "accuracy of the targets", accuracyOf))
	r.worst.SetData(v.Histogram(fmt.Sprintf("Models by worst-case accuracy, scenes of %s", v.Selection.Name), "worst-case accuracy", worstOf))
}
