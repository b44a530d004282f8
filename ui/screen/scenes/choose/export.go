package choose

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/lookup"
	quiet "github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/present"
)

// exportMenu offers the selection, its table, the distances, and contact sheets. What is saved is
// made when a place for it was chosen: the table may have many thousands of rows.
func (p *Page) exportMenu() []*fyne.MenuItem {
	v := p.view
	name, s, d := v.Record.Name, v.Record.Selection, v.Data
	ask := func(text, file string, write func(w io.Writer) error) *fyne.MenuItem {
		return fyne.NewMenuItem(text, func() { p.saver.Ask(file, write) })
	}
	items := []*fyne.MenuItem{
		ask("Selection as JSON…", figures.FileName("json", name), s.WriteJSON),
		ask("Scenes of all targets as CSV…", figures.FileName("csv", name), func(w io.Writer) error { return figures.TableCSV(d.table())(w) }),
		ask("Distances as SVG…", figures.FileName("svg", name, "distances"), func(w io.Writer) error {
			return scenes.DistanceFigure(fmt.Sprintf("Distances of %s", name), s).Write(w, "svg")
		}),
		fyne.NewMenuItemSeparator(),
	}
	if t := v.Target(); t >= 0 {
		for _, format := range []string{"png", "svg", "pdf"} {
			items = append(items, ask(fmt.Sprintf("Contact sheet of %s as %s…", v.Name(t), format), figures.FileName(format, name, v.Name(t)), p.sheetOf(t, format)))
		}
	}
	all := make([]int, len(s.Chosen))
	for t := range all {
		all[t] = t
	}
	if v.Len() < len(all) {
		shown := append([]int(nil), v.shown...)
		items = append(items, fyne.NewMenuItem(fmt.Sprintf("Contact sheets of the %d targets in the list…", len(shown)), func() { p.askSheets(shown) }))
	}
	return append(items, fyne.NewMenuItem("Contact sheets of all targets…", func() { p.askSheets(all) }))
}

// table has a row per target and scene, as the command writes it, with the verdicts.
func (d Data) table() (head []string, rows [][]string) {
	head = []string{"target", "rank", "background", "keyword", "level", "distance", "verdict"}
	for t, chosen := range d.Record.Selection.Chosen {
		for k, scene := range chosen {
			word, level := "", ""
			if scene.Keyword >= 0 {
				level = strconv.Itoa(scene.Level)
				if scene.Keyword < len(d.Plan.Keywords.Items) {
					word = d.Plan.Keywords.Items[scene.Keyword]
				}
			}
			rows = append(rows, []string{
				d.Targets.ImageName(t), strconv.Itoa(k + 1), d.Backgrounds.ImageName(scene.Background), word, level,
				strconv.FormatFloat(scene.Distance, 'g', -1, 64), []string{"", "approved", "vetoed"}[d.Verdicts.Of(t, scene.Background)],
			})
		}
	}
	return head, rows
}

// sheetOf writes the contact sheet of one target.
func (p *Page) sheetOf(target int, format string) func(w io.Writer) error {
	ws, hash, items := p.deps.Workspace, p.view.Record.Hash, p.view.Plan.Keywords.Items
	return func(w io.Writer) error {
		c, err := scenes.Open(ws, hash)
		if err != nil {
			return err
		}
		defer func() { _ = c.Close() }() // it was only read from
		return writeSheet(context.Background(), c, target, items, format, w)
	}
}

func writeSheet(ctx context.Context, c *scenes.Composites, target int, items []string, format string, w io.Writer) error {
	pictures, err := c.Pictures(ctx, target)
	if err != nil {
		return err
	}
	return c.Sheet(target, pictures, items).Write(w, format)
}

// askSheets asks for a folder and writes the contact sheets of targets there.
func (p *Page) askSheets(targets []int) {
	picker := dialog.NewFolderOpen(func(folder fyne.ListableURI, err error) {
		switch {
		case err != nil:
			p.deps.Host.Fail(err)
		case folder != nil:
			p.sheets(folder.Path(), targets)
		}
		p.Focus()
	}, p.deps.Host.Window)
	picker.Show()
	picker.Resize(fyne.NewSize(760, 520))
}

// sheets writes contact sheets as a job that people see and can cancel; those that were written
// before stay.
func (p *Page) sheets(folder string, targets []int) {
	ws, record, items := p.deps.Workspace, p.view.Record, p.view.Plan.Keywords.Items
	var written atomic.Int64
	p.deps.Host.Work.Start(fmt.Sprintf("Contact sheets of %s", record.Name), func(ctx context.Context, progress *quiet.Progress) error {
		c, err := scenes.OpenContext(ctx, ws, record.Hash)
		if err != nil {
			return err
		}
		defer func() { _ = c.Close() }() // it was only read from
		return lookup.Each(ctx, len(targets), 0, progress, func(ctx context.Context, k int) error {
			err := writeSheetFile(ctx, c, targets[k], items, folder)
			if err == nil {
				written.Add(1)
			}
			return err
		})
	}, func(err error) {
		text := fmt.Sprintf("%s in %s", present.Counted(written.Load(), "contact sheet"), folder)
		switch {
		case present.Cancelled(err):
			text = fmt.Sprintf("Contact sheets: cancelled. %s", text)
		case err != nil:
			p.deps.Host.Fail(err)
			return
		}
		p.deps.Host.Say(text)
	})
}

// writeSheetFile writes one contact sheet below a folder, at the place that the target has in its
// suite.
func writeSheetFile(ctx context.Context, c *scenes.Composites, target int, items []string, folder string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	name := filepath.FromSlash(scenes.SheetName(c.Name(target)))
	if !filepath.IsLocal(name) {
		name = figures.FileName("", name) // nothing is written outside of the folder
	}
	path := filepath.Join(folder, name+".png")
	var content bytes.Buffer
	if err := writeSheet(ctx, c, target, items, "png", &content); err != nil {
		return err
	}
	err := durable.WriteFile(path, func(out io.Writer) error {
		_, err := out.Write(content.Bytes())
		return err
	})
	if err != nil {
		return fmt.Errorf("contact sheet %s: %w", path, err)
	}
	return nil
}
