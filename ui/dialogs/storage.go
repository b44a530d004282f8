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

// held is something that takes room on the disk.
type held struct {
	part, what, key string
	bytes           int64
	// remove, nil for what stays, is the job that removes it, after a question, "" for none; a
	// whole one is one step and cannot be cancelled. Step, where it is not nil, takes it back.
	remove        func(context.Context, *jobs.Progress) error
	job, question string
	whole         bool
	step          *history.Step
	restore       func() // puts it in the place of the database, nil for nothing
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
	d.list.Actions = []kit.Action[held]{
		kit.One("Remove…", theme.DeleteIcon(), func(h held) bool { return h.remove != nil }, d.remove),
	}
	if ask.Restore != nil {
		d.list.Actions = append(d.list.Actions, kit.One("Restore…", theme.HistoryIcon(),
			func(h held) bool { return h.restore != nil }, func(h held) { h.restore() }))
	}
	now := widget.NewButton("Back up now", func() {
		host.Work.Start("Back up", func(ctx context.Context, _ *jobs.Progress) error {
			_, err := ask.Workspace.Backup(ctx)
			return err
		}, d.worked)
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
	ws := d.ask.Workspace
	if len(u.Stale) > 0 {
		list = append(list, held{
			part: "Stale signals", bytes: u.StaleBytes, job: "Remove stale signals",
			what: present.ByCount(len(u.Stale), "%d set that fits no model as it is set now",
				"%d sets that fit no model as it is set now", len(u.Stale)),
			question: fmt.Sprintf("Remove %s of signals (%s)? They were computed under settings that their models no "+
				"longer have, or their models were removed. If a model gets its old settings back, they must be "+
				"computed again.", result.Counted(len(u.Stale), "set"), store.SizeText(u.StaleBytes)),
			remove: func(ctx context.Context, p *jobs.Progress) error {
				if err := ws.BackUpFirst(ctx); err != nil {
					return err
				}
				return ws.RemoveSets(ctx, u.Stale, p)
			},
		})
	}
	if n := u.Loose.Files; n > 0 {
		list = append(list, held{
			part: "Leftovers", bytes: u.Loose.Bytes, job: "Remove leftover files",
			what: present.ByCount(n, "%d file that nothing refers to", "%d files that nothing refers to", n),
			question: fmt.Sprintf("Remove %s (%s) that an interrupted import or run has left? Nothing in the "+
				"workspace refers to them.", result.Counted(n, "file"), store.SizeText(u.Loose.Bytes)),
			remove: func(ctx context.Context, _ *jobs.Progress) error {
				_, err := ws.RemoveUnusedFiles(ctx)
				return err
			},
		})
	}
	for _, t := range tables { // no question: it can be undone until the workspace is closed
		step := tableStep(ws, t)
		list = append(list, held{
			part: "Predictions from elsewhere", key: t.ID, bytes: u.Tables[t.ID], whole: true, step: &step,
			what: fmt.Sprintf("%s: %s, %s", t.Name, result.Counted(len(t.Models), "model"),
				result.Counted(t.Samples, "image")),
			job:    "Remove the predictions " + t.Name,
			remove: func(ctx context.Context, _ *jobs.Progress) error { return step.Redo(ctx) },
		})
	}
	for _, b := range backups {
		list = append(list, d.backup(b))
	}
	add := func(part, what, key string, bytes int64) {
		list = append(list, held{part: part, what: what, key: key, bytes: bytes})
	}
	if u.Thumbnails > 0 {
		add("Thumbnails", "drawn again when they are needed", "", u.Thumbnails)
		h := &list[len(list)-1]
		h.job, h.whole = "Remove thumbnails", true
		h.remove = func(context.Context, *jobs.Progress) error {
			_, err := ws.RemoveThumbs()
			return err
		}
	}
	for _, s := range u.Signals {
		what := fmt.Sprintf("%s, %s: models %d", s.Name, ws.FamilyName(s.Family), s.Models)
		add("Signals", what, s.Suite+" "+s.Family, s.Bytes)
	}
	add("Database", "", "", u.Database)
	add("Models", "files that were imported", "", u.Models)
	add("Test suites inside", "images and masks", "", u.Suites)
	add("Assessors", "", "", u.Assessors)
	add("Other files", "", "", u.Other)
	return list
}

func (d *storageDialog) backup(b backup.Backup) held {
	when := b.At.Local().Format("2006-01-02 15:04:05")
	h := held{
		part: "Backups", what: when, key: b.Name, bytes: b.Size, job: "Remove backup", whole: true,
		question: fmt.Sprintf("Remove the backup of %v?", when),
		remove:   func(context.Context, *jobs.Progress) error { return d.ask.Workspace.RemoveBackup(b.Name) },
		restore: func() {
			d.sure(fmt.Sprintf("Put the database of %v in the place of the present one? What was imported or changed "+
				"since is out of sight then; rounds and labels stay. The present database is kept among the backups. "+
				"The workspace closes and opens again.", when), "Restore", func() {
				d.sheet.Close()
				d.ask.Restore(b.Name)
			})
		},
	}
	if b.Replaced {
		h.what += ", put aside by a restore"
	}
	return h
}

// sure does something, after a question where there is one, unless runs are at work.
func (d *storageDialog) sure(question, yes string, do func()) {
	switch {
	case d.ask.Busy():
		d.host.Fail(errors.New("a run is in progress: wait for its end or cancel it, then try again"))
	case question == "":
		do()
	default:
		d.host.Confirm("Storage", question, yes, widget.HighImportance, do)
	}
}

func (d *storageDialog) remove(h held) {
	done := func(err error) {
		if err == nil && h.step != nil {
			did(d.ask.Did, *h.step)
		}
		d.worked(err)
	}
	d.sure(h.question, "Remove", func() {
		if h.whole {
			d.host.Work.StartWhole(h.job, func() error { return h.remove(context.Background(), nil) }, done)
			return
		}
		d.host.Work.Start(h.job, h.remove, done)
	})
}

// worked says what failed, and counts again.
func (d *storageDialog) worked(err error) {
	if err != nil {
		d.host.Fail(err)
	}
	if !d.sheet.Closed() {
		d.load()
	}
}
