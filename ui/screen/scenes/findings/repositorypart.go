package findings

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/ui/kit"
)

// repositoryPart are the statistics of the models: labels, accuracies and their histograms (the
// paper's Tables 5 and 6, Fig. 16).
type repositoryPart struct {
	kit.Panel
	p        *Page
	list     *kit.Records[tables.Named]
	labels   *kit.Figure
	round    *fynewidget.Button
	line     *fynewidget.Label
	head     *fyne.Container
	accuracy *kit.Figure
	worst    *kit.Figure
}

func newRepositoryPart(p *Page) *repositoryPart {
	r := &repositoryPart{
		p: p, labels: p.figure("labels"), accuracy: p.figure("accuracies"),
		worst: p.figure("worst-cases"), line: note(""),
	}
	r.labels.Command = func() string { return p.accuracy.Form.CommandLine() }
	r.accuracy.Command, r.worst.Command = p.matrices, p.matrices
	r.list = &kit.Records[tables.Named]{
		Host: p.Host, Table: tables.Accuracies, Plain: true,
		Empty: "The targets have no labels, so that no prediction is right or wrong.",
	}
	r.round = fynewidget.NewButtonWithIcon("New round…", theme.ContentAddIcon(),
		func() { p.site.NewRound(p.view.Selection.Hash) })
	r.head = container.NewBorder(nil, nil, nil, container.NewHBox(r.round,
		p.MenuButton("Export…", theme.DocumentSaveIcon(), r.entries)), r.line)
	upper := container.NewGridWithColumns(2,
		titled("Accuracies", r.list.Object()),
		titled("Labels", r.labels.Object()))
	plots := container.NewGridWithColumns(2,
		titled("Models by accuracy", r.accuracy.Object()),
		titled("Models by worst-case accuracy", r.worst.Object()))
	split := container.NewVSplit(upper, plots)
	split.Offset = 0.34
	r.Panel = kit.Panel{Body: container.NewBorder(r.head, nil, nil, nil, split), Show: r.show, Keys: r.list.Focus}
	return r
}

func (r *repositoryPart) entries() []*fyne.MenuItem {
	items := with(r.list.FileItems(), "Models by accuracy", r.accuracy.Entries())
	items = with(items, "Models by worst-case accuracy", r.worst.Entries())
	return with(items, "Labels", r.labels.Entries())
}

// show brings the part up to date.
func (r *repositoryPart) show() {
	v := r.p.view
	r.line.SetText(v.Caption())
	r.round.Hidden = v.Round.ID != "" || r.p.site.NewRound == nil
	r.head.Refresh()
	accuracies, err := tables.AccuraciesIn(v.Assess)
	if err != nil { // no share is outside of 0 to 1
		r.p.Fail(err)
	}
	r.list.Set(accuracies)
	r.labels.Set(v.LabelBars())
	r.accuracy.Set(v.Histogram(fmt.Sprintf("Models by accuracy, scenes of %s", v.Selection.Name),
		"accuracy of the targets", accuracyOf))
	r.worst.Set(v.Histogram(fmt.Sprintf("Models by worst-case accuracy, scenes of %s", v.Selection.Name),
		"worst-case accuracy", worstOf))
}
