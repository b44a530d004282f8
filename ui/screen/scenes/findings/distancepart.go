package findings

import (
	"context"
	"fmt"
	"io"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	scenes "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/scatter"
	store "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// distancePart is accuracy by the distance of scenes, and how steady the matrices of one model
// are: with fewer targets (B3), and from run to run (B4).
type distancePart struct {
	kit.Panel
	p           *Page
	model       *widget.Picker
	measure     *widget.Picker
	chosen      store.Measure
	shares      Shares
	runs        Runs
	draw        *task
	compare     *task
	over, share *kit.Figure
	bars        *kit.Figure
}

func newDistancePart(p *Page) *distancePart {
	d := &distancePart{p: p, chosen: store.ConfMax}
	d.bars = &kit.Figure{
		Host: p.Host, Name: func() []string { return []string{"runs", d.runs.Model} }, Command: func() string {
			if len(d.runs.List) == 0 {
				return ""
			}
			return p.site.Matrices([]string{d.runs.Model}, d.runs.Of, func(o *scenes.MatrixOptions) {
				o.Measure = []string{string(d.runs.Measure)}
			})
		},
	}
	d.over = &kit.Figure{Host: p.Host, Name: func() []string {
		return []string{"accuracy-over-distance", p.view.Selection.Name}
	}}
	d.share = &kit.Figure{Host: p.Host, Name: func() []string {
		return []string{"share-of-targets", d.shares.Model, string(d.shares.Measure)}
	}}
	d.model = widget.NewPicker(func(hash string) {
		p.view.Select(hash)
		d.forget()
		d.show()
		p.models.Changed()
	})
	d.measure = widget.NewPicker(func(name string) {
		d.chosen = store.Measure(name)
		d.forget()
		d.show()
	})
	d.draw = newTask(p, "Draw shares of the targets", d.drawShares)
	d.compare = newTask(p, "Compare runs", d.compareRuns)
	menus := container.NewGridWithColumns(2, evidence.Named("model", d.model.Select),
		evidence.Named("matrices of", d.measure.Select))
	head := container.NewBorder(nil, nil, nil, container.NewHBox(d.draw.object(), d.compare.object(),
		p.MenuButton("Export…", theme.DocumentSaveIcon(), d.entries)), menus)
	steady := container.NewGridWithRows(2,
		titled("Fewer targets: how far the matrix moves", d.share.Object()),
		titled("Other seeds: how far runs lie apart", d.bars.Object()))
	split := container.NewHSplit(titled("Accuracy in scenes by their distance", d.over.Object()), steady)
	d.Panel = kit.Panel{Body: container.NewBorder(head, nil, nil, nil, split), Show: d.show, OnClosed: d.forget}
	return d
}

func (d *distancePart) drawShares() {
	r, ok := d.p.view.Selected()
	if !ok {
		return
	}
	var made Shares
	whole := false
	selection, measure := d.p.view.Selection.Hash, d.chosen
	d.draw.start(fmt.Sprintf("Draw shares of the targets for %s", r.Model.ID),
		func(ctx context.Context, p *jobs.Progress) (err error) {
			made, err = shares(ctx, d.p.site.Workspace, selection, r.Model, measure, p)
			whole = err == nil
			return err
		}, func() {
			if whole {
				d.shares = made
			}
			d.show()
		})
}

func (d *distancePart) compareRuns() {
	r, ok := d.p.view.Selected()
	if !ok {
		return
	}
	made := Runs{Model: r.Model.ID, Measure: d.chosen}
	selections, whole := d.p.view.Repeats, false
	d.compare.start(fmt.Sprintf("Compare runs of %s", r.Model.ID),
		func(ctx context.Context, p *jobs.Progress) (err error) {
			var left map[string]string
			made.List, left, err = store.Repeated(ctx, d.p.site.Workspace, r.Model, made.Measure, scatter.DefaultRaster,
				selections, p)
			for _, s := range selections {
				if left[s.Name] == "" {
					made.Of = append(made.Of, s.Name)
				}
			}
			whole = err == nil
			return err
		}, func() {
			if whole {
				d.runs = made
			}
			d.show()
		})
}

// forget drops what was measured of another model.
func (d *distancePart) forget() {
	d.draw.drop()
	d.compare.drop()
	d.shares, d.runs = Shares{}, Runs{}
}

func (d *distancePart) entries() []*fyne.MenuItem {
	sheet, saver := scenes.OverDistances.Sheet(d.p.view.overDistance()), d.p.Saver()
	table := func(w io.Writer) error { return sheet.CSV(w, false) }
	items := with([]*fyne.MenuItem{
		fyne.NewMenuItem("Copy table (CSV)", func() { saver.Copy(table) }),
		fyne.NewMenuItem("Save table as CSV…", func() {
			saver.Ask(figures.FileName("csv", sheet.Name,
				d.p.view.Selection.Name), table)
		}),
	}, "Accuracy in scenes", d.over.Entries())
	if d.shares.Effects != nil {
		items = with(items, "Fewer targets", d.share.Entries())
	}
	if len(d.runs.List) > 0 {
		items = with(items, "Other seeds", d.bars.Entries())
	}
	return items
}

// show brings the part up to date.
func (d *distancePart) show() {
	v := d.p.view
	var models, measures []widget.Option
	for _, r := range v.Rows {
		models = append(models, widget.Option{Key: r.Model.Hash, Name: r.Model.ID})
	}
	for _, m := range store.Measures() {
		measures = append(measures, widget.Option{Key: string(m), Name: string(m)})
	}
	selected, ok := v.Selected()
	d.model.Offer(models, selected.Model.Hash)
	d.measure.Offer(measures, string(d.chosen))
	if ok && (d.shares.Model != "" && d.shares.Model != selected.Model.ID || d.runs.Model != "" &&
		d.runs.Model != selected.Model.ID) {
		d.forget() // another model was selected in the table
	}
	d.draw.name("Draw shares of the targets", ok)
	d.compare.name("Compare runs", ok && len(v.Repeats) > 1)
	d.over.Set(scenes.AccuracyFigure("Accuracy over semantic distance, scenes of "+v.Selection.Name, v.Caption(),
		v.overDistance(), v.selected))
	d.share.Set(scenes.ShareFigure(fmt.Sprintf("Share of the targets, %s of %s", d.shares.Measure, d.shares.Model),
		scatter.Interpolants(), d.shares.Effects))
	d.bars.Set(d.runs.Bars())
}
