package dialogs

import (
	"context"
	"errors"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// StorageAsk is what the storage dialog works with.
type StorageAsk struct {
	Workspace *store.Workspace
	// Busy tells whether runs are at work; nothing is removed meanwhile.
	Busy func() bool
	// Restore puts a backup in the place of the database; nil hides it.
	Restore func(backup string)
	// Did takes what can be undone; it may be nil.
	Did func(history.Step)
}

// StorageDialog shows what the workspace takes on disk, its backups, and what can be removed.
func StorageDialog(host *kit.Host, ask StorageAsk) {
	d := &storageDialog{host: host, ask: ask, sheet: host.NewDialog("Storage", fyne.NewSize(780, 560))}
	d.sheet.Show(widget.NewLabel("Counting …"), d.sheet.CloseButton("Close"))
	d.sheet.Present(nil)
	d.load()
}

type storageDialog struct {
	host  *kit.Host
	ask   StorageAsk
	sheet *kit.Dialog
	last  background.Latest
}

// stored is what the dialog shows.
type stored struct {
	usage   store.Usage
	backups []store.Backup
	tables  []store.PredictionTable
}

func (d *storageDialog) load() {
	background.Load(d.host.Work, &d.last, "storage", func(ctx context.Context) (s stored, err error) {
		if s.backups, err = store.Backups(d.ask.Workspace.Path()); err != nil {
			return s, err
		}
		if s.tables, err = d.ask.Workspace.PredictionTables(); err != nil {
			return s, err
		}
		s.usage, err = d.ask.Workspace.Usage(ctx)
		for k, use := range s.usage.Signals {
			s.usage.Signals[k].Family = d.ask.Workspace.FamilyName(use.Family)
		}
		return s, err
	}, func(s stored, err error) {
		if err != nil {
			d.sheet.Close()
			d.host.Fail(err)
			return
		}
		d.show(s)
	})
}

func (d *storageDialog) show(s stored) {
	rows := container.NewVBox(d.sizes(s.usage), widget.NewSeparator())
	rows.Add(titled("Signals", d.signals(s.usage)))
	if len(s.tables) > 0 {
		rows.Add(titled("Predictions from elsewhere", d.tables(s.tables, s.usage)))
	}
	rows.Add(titled("What nothing uses", d.unused(s.usage)))
	rows.Add(titled("Backups of the database", d.backups(s.backups)))
	d.sheet.Show(container.NewVScroll(rows), d.sheet.CloseButton("Close"))
}

// line is a text with a size and up to two buttons in columns of their own.
func line(text string, bytes int64, buttons ...fyne.CanvasObject) fyne.CanvasObject {
	label := widget.NewLabel(text)
	label.Truncation = fyne.TextTruncateEllipsis
	size := widget.NewLabelWithStyle(store.SizeText(bytes), fyne.TextAlignTrailing, fyne.TextStyle{})
	height := size.MinSize().Height
	right := container.NewHBox(
		container.New(layout.NewGridWrapLayout(fyne.NewSize(80, height)), size),
		container.New(layout.NewGridWrapLayout(fyne.NewSize(170, height)), container.NewHBox(buttons...)))
	return container.NewBorder(nil, nil, nil, right, label)
}

func (d *storageDialog) sizes(u store.Usage) fyne.CanvasObject {
	total := "The whole workspace"
	if u.Free >= 0 {
		total += ", " + fmt.Sprintf("%v free on its disk", store.SizeText(u.Free))
	}
	thumbnails := widget.NewButton("Remove", func() {
		d.workWhole("Remove thumbnails", func() error {
			_, err := d.ask.Workspace.RemoveThumbs()
			return err
		})
	})
	if u.Thumbnails == 0 {
		thumbnails.Disable()
	}
	return container.New(layout.NewCustomPaddedVBoxLayout(0),
		line(total, u.Total()), line("Database", u.Database), line("Models", u.Models),
		line("Signals", u.SignalBytes()), line("Test suites inside", u.Suites),
		line("Thumbnails; they are drawn again when needed", u.Thumbnails, thumbnails),
		line("Assessors", u.Assessors), line("Predictions from elsewhere", u.Predictions),
		line("Backups", u.Backups), line("Other files", u.Other))
}

func (d *storageDialog) signals(u store.Usage) fyne.CanvasObject {
	rows := container.New(layout.NewCustomPaddedVBoxLayout(0))
	for _, s := range u.Signals {
		rows.Add(line(fmt.Sprintf("%v, %v: models %v", s.Name, s.Family, s.Models), s.Bytes))
	}
	if len(u.Signals) == 0 {
		rows.Add(widget.NewLabel("No signals yet: they come with a run."))
	}
	return rows
}

func (d *storageDialog) unused(u store.Usage) fyne.CanvasObject {
	stale := widget.NewButton("Remove…", func() {
		d.confirm(fmt.Sprintf("Remove %s of signals (%s)? They were computed under settings that their models no longer have, or their models were removed. If a model gets its old settings back, they must be computed again.",
			result.Counted(len(u.Stale), "set"), store.SizeText(u.StaleBytes)), "Remove stale signals",
			func(ctx context.Context, p *background.Progress) error {
				if err := backUpFirst(ctx, d.ask.Workspace); err != nil {
					return err
				}
				return d.ask.Workspace.RemoveSets(ctx, u.Stale, p)
			})
	})
	loose := widget.NewButton("Remove…", func() {
		d.confirm(fmt.Sprintf("Remove %s (%s) that an interrupted import or run has left? Nothing in the workspace refers to them.",
			result.Counted(u.Loose.Files, "file"), store.SizeText(u.Loose.Bytes)), "Remove leftover files",
			func(ctx context.Context, _ *background.Progress) error {
				_, err := d.ask.Workspace.Sweep(ctx)
				return err
			})
	})
	if len(u.Stale) == 0 {
		stale.Disable()
	}
	if u.Loose.Files == 0 {
		loose.Disable()
	}
	return container.New(layout.NewCustomPaddedVBoxLayout(0),
		line(present.ByCount(len(u.Stale), "Stale signals: %d set that fits no model as it is set now",
			"Stale signals: %d sets that fit no model as it is set now", len(u.Stale)), u.StaleBytes, stale),
		line(present.ByCount(u.Loose.Files, "Leftovers: %d file that nothing refers to", "Leftovers: %d files that nothing refers to", u.Loose.Files),
			u.Loose.Bytes, loose))
}

func (d *storageDialog) backups(list []store.Backup) fyne.CanvasObject {
	rows := container.New(layout.NewCustomPaddedVBoxLayout(0))
	now := widget.NewButton("Back up now", func() {
		d.work("Back up", func(ctx context.Context, _ *background.Progress) error {
			_, err := d.ask.Workspace.Backup(ctx)
			return err
		})
	})
	hint := widget.NewLabel("Made when the workspace is opened and before what could go wrong; the last five are kept. Models, signals and images are not in them.")
	hint.Wrapping = fyne.TextWrapWord
	rows.Add(container.NewBorder(nil, nil, nil, now, hint))
	for _, b := range list {
		rows.Add(d.backup(b))
	}
	return rows
}

func (d *storageDialog) backup(b store.Backup) fyne.CanvasObject {
	when := b.At.Local().Format("2006-01-02 15:04:05")
	text := when
	if b.Replaced {
		text += ", " + "put aside by a restore"
	}
	remove := widget.NewButton("Remove…", func() {
		d.sure(fmt.Sprintf("Remove the backup of %v?", when), "Remove", func() {
			d.workWhole("Remove backup", func() error { return d.ask.Workspace.RemoveBackup(b.Name) })
		})
	})
	if d.ask.Restore == nil {
		return line(text, b.Size, remove)
	}
	restore := widget.NewButton("Restore…", func() {
		d.sure(fmt.Sprintf("Put the database of %v in the place of the present one? Everything that was labelled, imported or changed since is out of sight then. The present database is kept among the backups. The window closes and opens again.", when), "Restore", func() {
			d.sheet.Close()
			d.ask.Restore(b.Name)
		})
	})
	return line(text, b.Size, restore, remove)
}

var errBusy = errors.New("a run is in progress: wait for its end or cancel it, then try again")

// confirm asks before what cannot be undone, and then does it.
func (d *storageDialog) confirm(question, name string, do func(context.Context, *background.Progress) error) {
	d.sure(question, "Remove", func() { d.work(name, do) })
}

func (d *storageDialog) sure(question, yes string, do func()) {
	if d.ask.Busy() {
		d.host.Fail(errBusy)
		return
	}
	d.host.Confirm("Storage", question, yes, widget.HighImportance, do)
}

// work does something to the workspace and counts again.
func (d *storageDialog) work(name string, do func(context.Context, *background.Progress) error) {
	d.host.Work.Start(name, do, d.worked)
}

// workWhole is work of what is one step and cannot be cancelled.
func (d *storageDialog) workWhole(name string, do func() error) {
	d.host.Work.StartWhole(name, do, d.worked)
}

func (d *storageDialog) worked(err error) {
	if err != nil {
		d.host.Fail(err)
	}
	if !d.sheet.Closed() {
		d.load()
	}
}

// tables lists the tables of predictions, each with a button that removes it.
func (d *storageDialog) tables(list []store.PredictionTable, u store.Usage) fyne.CanvasObject {
	rows := container.New(layout.NewCustomPaddedVBoxLayout(0))
	for _, t := range list {
		text := fmt.Sprintf("%s: %s, %s", t.Name, result.Counted(len(t.Models), "model"), result.Counted(t.Samples, "image"))
		rows.Add(line(text, u.Tables[t.ID], widget.NewButton("Remove", func() { d.removeTable(t) })))
	}
	return rows
}

// removeTable needs no question: it can be undone until the workspace is closed.
func (d *storageDialog) removeTable(t store.PredictionTable) {
	if d.ask.Busy() {
		d.host.Fail(errBusy)
		return
	}
	ws := d.ask.Workspace
	remove := func(context.Context) error {
		_, err := ws.RemovePredictions(t.ID)
		return err
	}
	d.workWhole(fmt.Sprintf("Remove the predictions %s", t.Name), func() error {
		if err := remove(context.Background()); err != nil {
			return err
		}
		d.host.Work.Post(func() {
			did(d.ask.Did, history.Step{
				Title: fmt.Sprintf("removal of the predictions %s", t.Name),
				Undo:  func(context.Context) error { return ws.RestorePredictions(t) }, Redo: remove,
			})
		})
		return nil
	})
}
