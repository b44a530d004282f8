package dialogs

import (
	"context"
	"errors"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
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

type storageDialog struct {
	host  *kit.Host
	ask   StorageAsk
	sheet *kit.Dialog
	list  *kit.Records[held]
	last  jobs.Latest
}

// held is something that takes room on the disk, with what removes it and what puts it in the
// database's place, nil for neither.
type held struct {
	part, what, key string
	bytes           int64
	remove, restore func()
}

var heldTable = result.Table[held]{
	Name: "storage", Title: "Storage", Noun: "line", ID: func(h held) string { return h.part + " " + h.key },
	Columns: []result.Column[held]{
		result.Texts("part", "part", "part of the workspace", func(h held) string { return h.part }),
		result.Texts("what", "what", "what takes the room", func(h held) string { return h.what }),
		result.Numbers("bytes", "size", "bytes on the disk", result.Bytes,
			func(h held) float64 { return float64(h.bytes) }),
	},
}

// StorageDialog shows what the workspace takes on disk, its backups, and what can be removed.
func StorageDialog(host *kit.Host, ask StorageAsk) {
	d := &storageDialog{host: host, ask: ask, sheet: host.NewDialog("Storage", fyne.NewSize(860, 560))}
	d.list = &kit.Records[held]{Host: host, Table: heldTable}
	add := func(name string, icon fyne.Resource, of func(held) func()) {
		d.list.Actions = append(d.list.Actions, kit.Action[held]{
			Name: name, Icon: icon, Button: true, Do: func(rows []held) { of(rows[0])() },
			Can: func(rows []held) bool { return len(rows) == 1 && of(rows[0]) != nil },
		})
	}
	add("Remove…", theme.DeleteIcon(), func(h held) func() { return h.remove })
	if ask.Restore != nil {
		add("Restore…", theme.HistoryIcon(), func(h held) func() { return h.restore })
	}
	now := widget.NewButton("Back up now", func() {
		d.work("Back up", func(ctx context.Context, _ *jobs.Progress) error {
			_, err := ask.Workspace.Backup(ctx)
			return err
		})
	})
	hint := own.Wrapped("Backups of the database are made when the workspace is opened and before what could go " +
		"wrong; the last five are kept. Models, signals and images are not in them.")
	d.sheet.Show(container.NewBorder(nil, hint, nil, nil, d.list.Object()), now, d.sheet.CloseButton("Close"))
	d.sheet.Present(nil)
	d.load()
}

func (d *storageDialog) load() {
	ws, rows := d.ask.Workspace, []held(nil)
	jobs.Load(d.host.Work, &d.last, "storage", func(ctx context.Context) (u store.Usage, err error) {
		backups, err := backup.List(ws.Path())
		if err != nil {
			return u, err
		}
		tables, err := ws.PredictionTables()
		if err != nil {
			return u, err
		}
		if u, err = ws.Usage(ctx); err == nil {
			rows = d.rows(u, tables, backups)
		}
		return u, err
	}, func(u store.Usage, err error) {
		if err != nil {
			d.sheet.Close()
			d.host.Fail(err)
			return
		}
		total := fmt.Sprintf("The whole workspace takes %s", store.SizeText(u.Total()))
		if u.Free >= 0 {
			total += fmt.Sprintf("; %s free on its disk", store.SizeText(u.Free))
		}
		d.list.Note = func([]held) string { return total + "." }
		d.list.Set(rows)
		d.list.Focus()
	})
}

// rows are all that takes room, first what can be removed.
func (d *storageDialog) rows(u store.Usage, tables []store.PredictionTable, backups []backup.Backup) (list []held) {
	add := func(part, what, key string, bytes int64, remove func()) {
		list = append(list, held{part: part, what: what, key: key, bytes: bytes, remove: remove})
	}
	if len(u.Stale) > 0 {
		add("Stale signals", present.ByCount(len(u.Stale), "%d set that fits no model as it is set now",
			"%d sets that fit no model as it is set now", len(u.Stale)), "", u.StaleBytes, func() { d.removeStale(u) })
	}
	if u.Loose.Files > 0 {
		add("Leftovers", present.ByCount(u.Loose.Files, "%d file that nothing refers to",
			"%d files that nothing refers to", u.Loose.Files),
			"", u.Loose.Bytes, func() { d.removeLoose(u) })
	}
	for _, t := range tables {
		add("Predictions from elsewhere", fmt.Sprintf("%s: %s, %s", t.Name, result.Counted(len(t.Models), "model"),
			result.Counted(t.Samples, "image")), t.ID, u.Tables[t.ID], func() { d.removeTable(t) })
	}
	for _, b := range backups {
		list = append(list, d.backup(b))
	}
	if u.Thumbnails > 0 {
		add("Thumbnails", "drawn again when they are needed", "", u.Thumbnails, func() {
			d.workWhole("Remove thumbnails", func() error {
				_, err := d.ask.Workspace.RemoveThumbs()
				return err
			})
		})
	}
	for _, s := range u.Signals {
		what := fmt.Sprintf("%s, %s: models %d", s.Name, d.ask.Workspace.FamilyName(s.Family), s.Models)
		add("Signals", what, s.Suite+" "+s.Family, s.Bytes, nil)
	}
	add("Database", "", "", u.Database, nil)
	add("Models", "files that were imported", "", u.Models, nil)
	add("Test suites inside", "images and masks", "", u.Suites, nil)
	add("Assessors", "", "", u.Assessors, nil)
	add("Other files", "", "", u.Other, nil)
	return list
}

func (d *storageDialog) removeStale(u store.Usage) {
	d.confirm(fmt.Sprintf("Remove %s of signals (%s)? They were computed under settings that their models no longer "+
		"have, or their models were removed. If a model gets its old settings back, they must be computed again.",
		result.Counted(len(u.Stale), "set"), store.SizeText(u.StaleBytes)),
		"Remove stale signals", func(ctx context.Context, p *jobs.Progress) error {
			if err := backUpFirst(ctx, d.ask.Workspace); err != nil {
				return err
			}
			return d.ask.Workspace.RemoveSets(ctx, u.Stale, p)
		})
}

func (d *storageDialog) removeLoose(u store.Usage) {
	d.confirm(fmt.Sprintf("Remove %s (%s) that an interrupted import or run has left? Nothing in the workspace "+
		"refers to them.", result.Counted(u.Loose.Files, "file"), store.SizeText(u.Loose.Bytes)),
		"Remove leftover files",
		func(ctx context.Context, _ *jobs.Progress) error {
			_, err := d.ask.Workspace.RemoveUnusedFiles(ctx)
			return err
		})
}

func (d *storageDialog) backup(b backup.Backup) held {
	when := b.At.Local().Format("2006-01-02 15:04:05")
	h := held{part: "Backups", what: when, key: b.Name, bytes: b.Size, remove: func() {
		d.sure(fmt.Sprintf("Remove the backup of %v?", when), "Remove", func() {
			d.workWhole("Remove backup", func() error { return d.ask.Workspace.RemoveBackup(b.Name) })
		})
	}, restore: func() {
		d.sure(fmt.Sprintf("Put the database of %v in the place of the present one? What was imported or changed "+
			"since is out of sight then; rounds and labels stay. "+
			"The present database is kept among the backups. The workspace closes and opens again.", when), "Restore",
			func() {
				d.sheet.Close()
				d.ask.Restore(b.Name)
			})
	}}
	if b.Replaced {
		h.what += ", put aside by a restore"
	}
	return h
}

var errBusy = errors.New("a run is in progress: wait for its end or cancel it, then try again")

// confirm asks before what cannot be undone, and then does it.
func (d *storageDialog) confirm(question, name string, do func(context.Context, *jobs.Progress) error) {
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
func (d *storageDialog) work(name string, do func(context.Context, *jobs.Progress) error) {
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
