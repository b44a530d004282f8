package choose

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

	measure "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/ui/figures"
	quiet "github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/present"
)

// exportMenu offers the selection, its table, the distances, and contact sheets. What is saved is
// made when a place for it was chosen: the table may have many thousands of rows.
func (p *Page) exportMenu() []*fyne.MenuItem {
	v := p.view
	name, s, d := v.Record.Name, v.Record.Selection, v.Data
	ask := func(text, file string, write func(w io.Writer) error) *fyne.MenuItem {
		return fyne.NewMenuItem(text, func() { p.Saver().Ask(file, write) })
	}
	items := []*fyne.MenuItem{
		ask("Selection as JSON…", figures.FileName("json", name), s.WriteJSON),
		ask("Scenes of all targets as CSV…", figures.FileName("csv", name), func(w io.Writer) error {
			return measure.ScenesTable.Sheet(d.chosen()).CSV(w, false)
		}),
		ask("Distances as SVG…", figures.FileName("svg", name, "distances"), func(w io.Writer) error {
			return render.Draw(w, scenes.DistanceFigure("Distances of "+name, scenes.DistancesOf(s)), render.Part{},
				"svg")
		}),
		fyne.NewMenuItemSeparator(),
	}
	if t := v.Target(); t >= 0 {
		for _, format := range []string{"png", "svg", "pdf"} {
			items = append(items, ask(fmt.Sprintf("Contact sheet of %s as %s…", v.Name(t), format),
				figures.FileName(format, name, v.Name(t)), p.sheetOf(t, format)))
		}
	}
	all := make([]int, len(s.Chosen))
	for t := range all {
		all[t] = t
	}
	if listed := p.list.Shown(); len(listed) < len(all) {
		var shown []int
		for _, t := range listed {
			shown = append(shown, t.Target)
		}
		items = append(items, fyne.NewMenuItem(fmt.Sprintf("Contact sheets of the %d targets in the list…", len(shown)),
			func() { p.askSheets(shown) }))
	}
	return append(items, fyne.NewMenuItem("Contact sheets of all targets…", func() { p.askSheets(all) }))
}

// chosen are the scenes of all targets with the verdicts.
func (d Data) chosen() []measure.ChosenScene {
	verdict := func(target, image int) string { return verdictNames[d.Verdicts.Of(target, image)] }
	return scenes.ChosenScenes(d.Record.Selection, d.Targets, d.Backgrounds, d.Plan.Keywords.Items, verdict)
}

// sheetOf writes the contact sheet of one target.
func (p *Page) sheetOf(target int, format string) func(w io.Writer) error {
	ws, hash, items := p.site.Workspace, p.view.Record.Hash, p.view.Plan.Keywords.Items
	return func(w io.Writer) error {
		c, err := scenes.Open(ws, hash)
		if err != nil {
			return err
		}
		defer func() { _ = c.Close() }() // it was only read from
		return c.WriteSheet(context.Background(), w, target, items, format)
	}
}

// askSheets asks for a folder and writes the contact sheets of targets there.
func (p *Page) askSheets(targets []int) {
	picker := dialog.NewFolderOpen(func(folder fyne.ListableURI, err error) {
		switch {
		case err != nil:
			p.Fail(err)
		case folder != nil:
			paths := make([]string, len(targets))
			for k, t := range targets {
				paths[k] = scenes.SheetPath(folder.Path(), p.view.Targets.ImageName(t)) + ".png"
			}
			p.Overwriting(paths, func() { p.sheets(folder.Path(), targets) })
		}
		p.Focus()
	}, p.Window)
	picker.Show()
	picker.Resize(fyne.NewSize(760, 520))
}

// sheets writes contact sheets as a job that people see and can cancel; those that were written
// before stay.
func (p *Page) sheets(folder string, targets []int) {
	ws, record, items := p.site.Workspace, p.view.Record, p.view.Plan.Keywords.Items
	var written atomic.Int64
	p.Work.Start(fmt.Sprintf("Contact sheets of %s", record.Name),
		func(ctx context.Context, progress *quiet.Progress) error {
			c, err := scenes.OpenContext(ctx, ws, record.Hash)
			if err != nil {
				return err
			}
			defer func() { _ = c.Close() }() // it was only read from
			return lookup.Each(ctx, len(targets), 0, progress, func(ctx context.Context, k int) error {
				err := durable.WriteFile(c.Below(folder, targets[k])+".png", func(w io.Writer) error {
					return c.WriteSheet(ctx, w, targets[k], items, "png")
				})
				if err == nil {
					written.Add(1)
				}
				return err
			})
		}, func(err error) {
			text := fmt.Sprintf("%s in %s", result.Counted(written.Load(), "contact sheet"), folder)
			switch {
			case present.Cancelled(err):
				text = fmt.Sprintf("Contact sheets: cancelled. %s", text)
			case err != nil:
				p.Fail(err)
				return
			}
			p.Say(text)
		})
}
