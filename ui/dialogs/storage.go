package dialogs

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/words"
)

// StorageAsk is what the storage dialog works with.
type StorageAsk struct {
	Workspace *store.Workspace
	// Busy tells whether runs are at work; nothing is removed meanwhile.
	Busy func() bool
	// Restore puts a backup in the place of the database; nil hides it.
	Restore func(backup string)
}

// StorageDialog shows what the workspace takes on disk, its backups, and what can be removed.
func StorageDialog(host Host, ask StorageAsk) {
	d := &storageDialog{host: host, ask: ask, sheet: host.open(lang.L("Storage"), fyne.NewSize(780, 560))}
	d.sheet.show(widget.NewLabel(lang.L("Counting …")), d.sheet.closeButton(lang.L("Close")))
	d.sheet.present(nil)
	d.load()
}

type storageDialog struct {
	host  Host
	ask   StorageAsk
	sheet *sheet
	last  background.Latest
}

// stored is what the dialog shows.
type stored struct {
	usage   store.Usage
	backups []store.Backup
}

func (d *storageDialog) load() {
	background.Load(d.host.Work, &d.last, "storage", func(ctx context.Context) (s stored, err error) {
		if s.backups, err = store.Backups(d.ask.Workspace.Path()); err != nil {
			return s, err
		}
		s.usage, err = d.ask.Workspace.Usage(ctx)
		return s, err
	}, func(s stored, err error) {
		if err != nil {
			d.sheet.close()
			d.host.Failed(err)
			return
		}
		d.show(s)
	})
}

func (d *storageDialog) show(s stored) {
	rows := container.NewVBox(d.sizes(s.usage), widget.NewSeparator())
	rows.Add(titled(lang.L("Signals"), d.signals(s.usage)))
	rows.Add(titled(lang.L("What nothing uses"), d.unused(s.usage)))
	rows.Add(titled(lang.L("Backups of the database"), d.backups(s.backups)))
	d.sheet.show(container.NewVScroll(rows), d.sheet.closeButton(lang.L("Close")))
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
	total := lang.L("The whole workspace")
	if u.Free >= 0 {
		total += ", " + lang.L("{{.Free}} free on its disk", map[string]any{"Free": store.SizeText(u.Free)})
	}
	thumbnails := widget.NewButton(lang.L("Remove"), func() {
		d.work(lang.L("Remove thumbnails"), func(context.Context, *background.Progress) error {
			_, err := d.ask.Workspace.RemoveThumbs()
			return err
		})
	})
	if u.Thumbnails == 0 {
		thumbnails.Disable()
	}
	return container.New(layout.NewCustomPaddedVBoxLayout(0),
		line(total, u.Total()), line(lang.L("Database"), u.Database), line(lang.L("Models"), u.Models),
		line(lang.L("Signals"), u.SignalBytes()), line(lang.L("Test suites inside"), u.Suites),
		line(lang.L("Thumbnails; they are drawn again when needed"), u.Thumbnails, thumbnails),
		line(lang.L("Backups"), u.Backups), line(lang.L("Other files"), u.Other))
}

func (d *storageDialog) signals(u store.Usage) fyne.CanvasObject {
	rows := container.New(layout.NewCustomPaddedVBoxLayout(0))
	for _, s := range u.Signals {
		rows.Add(line(lang.L("{{.Suite}}, {{.Family}}: models {{.Models}}",
			map[string]any{"Suite": s.Name, "Family": s.Family, "Models": s.Models}), s.Bytes))
	}
	if len(u.Signals) == 0 {
		rows.Add(widget.NewLabel(lang.L("No signals yet: they come with a run.")))
	}
	return rows
}

func (d *storageDialog) unused(u store.Usage) fyne.CanvasObject {
	stale := widget.NewButton(lang.L("Remove…"), func() {
		d.confirm(words.F("Remove %s of signals (%s)? They were computed under settings that their models no longer have, or their models were removed. If a model gets its old settings back, they must be computed again.",
			present.Counted(int64(len(u.Stale)), "set"), store.SizeText(u.StaleBytes)), lang.L("Remove stale signals"),
			func(ctx context.Context, p *background.Progress) error {
				if err := backUpFirst(ctx, d.ask.Workspace); err != nil {
					return err
				}
				return d.ask.Workspace.RemoveSets(ctx, u.Stale, p)
			})
	})
	loose := widget.NewButton(lang.L("Remove…"), func() {
		d.confirm(words.F("Remove %s (%s) that an interrupted import or run has left? Nothing in the workspace refers to them.",
			present.Counted(int64(u.Loose.Files), "file"), store.SizeText(u.Loose.Bytes)), lang.L("Remove leftover files"),
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
		line(words.N(len(u.Stale), "Stale signals: %d set that fits no model as it is set now",
			"Stale signals: %d sets that fit no model as it is set now", len(u.Stale)), u.StaleBytes, stale),
		line(words.N(u.Loose.Files, "Leftovers: %d file that nothing refers to", "Leftovers: %d files that nothing refers to", u.Loose.Files),
			u.Loose.Bytes, loose))
}

func (d *storageDialog) backups(list []store.Backup) fyne.CanvasObject {
	rows := container.New(layout.NewCustomPaddedVBoxLayout(0))
	now := widget.NewButton(lang.L("Back up now"), func() {
		d.work(lang.L("Back up"), func(ctx context.Context, _ *background.Progress) error {
			_, err := d.ask.Workspace.Backup(ctx)
			return err
		})
	})
	hint := widget.NewLabel(lang.L("Made when the workspace is opened and before what could go wrong; the last five are kept. Models, signals and images are not in them."))
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
		text += ", " + lang.L("put aside by a restore")
	}
	remove := widget.NewButton(lang.L("Remove…"), func() {
		d.confirm(lang.L("Remove the backup of {{.When}}?", map[string]any{"When": when}), lang.L("Remove backup"),
			func(context.Context, *background.Progress) error { return d.ask.Workspace.RemoveBackup(b.Name) })
	})
	if d.ask.Restore == nil {
		return line(text, b.Size, remove)
	}
	restore := widget.NewButton(lang.L("Restore…"), func() {
		d.sure(lang.L("Put the database of {{.When}} in the place of the present one? Everything that was labelled, imported or changed since is out of sight then. The present database is kept among the backups. The window closes and opens again.",
			map[string]any{"When": when}), lang.L("Restore"), func() {
			d.sheet.close()
			d.ask.Restore(b.Name)
		})
	})
	return line(text, b.Size, restore, remove)
}

var errBusy = errors.New("a run is at work: wait for its end or cancel it, then try again")

// confirm asks before what cannot be undone, and then does it.
func (d *storageDialog) confirm(question, name string, do func(context.Context, *background.Progress) error) {
	d.sure(question, lang.L("Remove"), func() { d.work(name, do) })
}

func (d *storageDialog) sure(question, yes string, do func()) {
	if d.ask.Busy() {
		d.host.Failed(errBusy)
		return
	}
	text := widget.NewLabel(question)
	text.Wrapping = fyne.TextWrapWord
	ask := dialog.NewCustomConfirm(lang.L("Storage"), yes, lang.L("Cancel"), text, func(yes bool) {
		if yes {
			do()
		}
	}, d.host.Window)
	ask.Resize(fyne.NewSize(520, 220))
	ask.Show()
}

// work does something to the workspace and counts again.
func (d *storageDialog) work(name string, do func(context.Context, *background.Progress) error) {
	d.host.Work.Start(name, do, func(err error) {
		if err != nil {
			d.host.Failed(err)
		}
		if !d.sheet.closed {
			d.load()
		}
	})
}
