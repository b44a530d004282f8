package store

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/journal"
)

// Rounds and label events stand in the journal, too (package journal). A transaction that changes
// any appends them to the journal and fsyncs that before it is committed itself, and stores how
// long the journal is then. So a journal of that length and the database agree. A longer one has
// what a killed process did not commit, or what came after a backup that was restored: the next
// opening adds it. A commit that fails has the journal cut to its former length.

// changed is a round or label event that a transaction has changed.
type changed struct {
	form *database.RawBucket
	key  string
}

// putRound stores a round, and has the journal keep it.
func (w *Workspace) putRound(tx *database.Tx, r label.Round) error {
	w.changed = append(w.changed, changed{database.Rounds.RawBucket, r.ID})
	return database.Rounds.Put(tx, r.ID, r)
}

// removeRound removes a round, also for the journal.
func (w *Workspace) removeRound(tx *database.Tx, id string) error {
	w.changed = append(w.changed, changed{database.Rounds.RawBucket, id})
	return database.Rounds.Delete(tx, id)
}

// putEvent stores a label event, and has the journal keep it.
func (w *Workspace) putEvent(tx *database.Tx, ev label.Event) error {
	key := database.KeyOfEvent(ev.Round, ev.ID)
	w.changed = append(w.changed, changed{database.Events.RawBucket, string(key)})
	return database.Events.Put(tx, key, ev)
}

func (w *Workspace) journalFile() string { return filepath.Join(w.path, journal.File) }

// openJournal makes database and journal agree. A full disk must not keep people from what makes
// room on it: the first change tries again then.
func (w *Workspace) openJournal() error {
	err := w.View(func(tx *database.Tx) error {
		if end := database.StoredEnd(tx); end > 0 && end <= database.Longest(tx) && w.reaches(end) {
			w.journalEnd = end
		}
		return nil
	})
	if err != nil || w.journalEnd > 0 {
		return err
	}
	if err := w.commit(w.SyncJournal); !errors.Is(err, ErrFull) {
		return err
	}
	return nil
}

// reaches tells whether the journal is a file of this length.
func (w *Workspace) reaches(end int64) bool {
	info, err := os.Lstat(w.journalFile())
	return err == nil && info.Mode().IsRegular() && info.Size() == end
}

// journalChanges appends to the journal what a transaction has changed.
func (w *Workspace) journalChanges(tx *database.Tx) error {
	if len(w.changed) == 0 {
		return nil
	}
	if w.journalEnd == 0 || !w.reaches(w.journalEnd) {
		return w.SyncJournal(tx)
	}
	var lines []byte
	n := database.NewNames(tx)
	for _, c := range w.changed {
		text, err := n.Line(c.form, c.key, c.form.Bytes(tx, c.key))
		if err != nil {
			return err
		}
		lines = append(lines, text...)
	}
	if err := durable.Append(w.journalFile(), w.journalEnd, lines); err != nil {
		return err
	}
	w.journalEnd += int64(len(lines))
	return database.PutEnd(tx, w.journalEnd)
}

// cutJournal cuts off what a transaction that failed has appended to the journal. One that failed
// in its last step may be there all the same.
func (w *Workspace) cutJournal() {
	if w.journalEnd == w.journalBegan {
		return
	}
	now := int64(0)
	err := w.View(func(tx *database.Tx) error {
		now = database.StoredEnd(tx)
		return nil
	})
	if err == nil && now == w.journalEnd {
		return
	}
	w.journalEnd = w.journalBegan
	if w.journalEnd > 0 && durable.Cut(w.journalFile(), w.journalEnd) != nil {
		w.journalEnd = 0
	}
}

// SyncJournal adds to the database what the journal alone has, and to the journal what the database
// alone has: that one is written anew then, and one with damaged lines is set aside.
func (w *Workspace) SyncJournal(tx *database.Tx) error {
	w.journalEnd, w.journalBegan = 0, 0
	c, err := database.ReadJournal(context.Background(), w.path, database.WholeJournal)
	if err != nil {
		return err
	}
	d := database.Compare(tx, c)
	for _, r := range d.Records {
		if err := r.Bucket.PutBytes(tx, r.Key, r.Value); err != nil {
			return err
		}
	}
	end := c.End
	switch {
	case end == 0, end > database.Longest(tx), c.Bad > 0, c.Ragged, d.Absent():
		end, err = w.writeJournal(tx, c.Bad > 0)
	case !w.reaches(end):
		err = durable.Cut(w.journalFile(), end)
	}
	if err != nil {
		return err
	}
	w.journalEnd = end
	return database.PutEnd(tx, end)
}

// writeJournal writes the whole journal from the database.
func (w *Workspace) writeJournal(tx *database.Tx, setAside bool) (end int64, err error) {
	if setAside {
		folder, err := durable.Below(w.path, database.AsideFolder, time.Now().UTC().Format(backup.TimeFormat))
		if err != nil {
			return 0, err
		}
		if err := durable.CopyFile(context.Background(), w.journalFile(), filepath.Join(folder, journal.File),
			nil); err != nil {
			return 0, err
		}
	}
	n := database.NewNames(tx)
	err = w.WriteFile(w.journalFile(), func(out io.Writer) error {
		buffered := bufio.NewWriter(out)
		_, _ = buffered.Write(journal.Head) // Flush has its error
		end = int64(len(journal.Head))
		for _, b := range []*database.RawBucket{database.Rounds.RawBucket, database.Events.RawBucket} {
			for key, value := range b.From(tx, "") {
				if b.Check(key, value) != nil {
					continue
				}
				text, err := n.Line(b, key, value)
				if err != nil {
					return err
				}
				end += int64(len(text))
				_, _ = buffered.Write(text)
			}
		}
		return buffered.Flush()
	})
	return end, err
}
