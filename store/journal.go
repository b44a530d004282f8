package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
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
	form *form
	key  string
}

// putRound stores a round, and has the journal keep it.
func (w *Workspace) putRound(tx *bbolt.Tx, r label.Round) error {
	w.changed = append(w.changed, changed{bucketRounds.form, r.ID})
	return bucketRounds.put(tx, r.ID, r)
}

// removeRound removes a round, also for the journal.
func (w *Workspace) removeRound(tx *bbolt.Tx, id string) error {
	w.changed = append(w.changed, changed{bucketRounds.form, id})
	return bucketRounds.delete(tx, id)
}

// putEvent stores a label event, and has the journal keep it.
func (w *Workspace) putEvent(tx *bbolt.Tx, ev label.Event) error {
	key := keyOfEvent(ev.Round, ev.ID)
	w.changed = append(w.changed, changed{bucketEvents.form, string(key)})
	return bucketEvents.put(tx, key, ev)
}

func (w *Workspace) journalFile() string { return filepath.Join(w.path, journal.File) }

// storedEnd is the length of the journal that the database agrees with, 0 where it says none.
func storedEnd(tx *bbolt.Tx) int64 {
	end, _ := strconv.ParseInt(string(bucketMeta.bytes(tx, string(keyJournal))), 10, 64)
	return max(end, 0)
}

func putEnd(tx *bbolt.Tx, end int64) error {
	return bucketMeta.in(tx).Put(keyJournal, strconv.AppendInt(nil, end, 10))
}

// openJournal makes database and journal agree. A full disk must not keep people from what makes
// room on it: the first change tries again then.
func (w *Workspace) openJournal() error {
	err := w.view(func(tx *bbolt.Tx) error {
		if end := storedEnd(tx); end > 0 && end <= longest(tx) && w.reaches(end) {
			w.journalEnd = end
		}
		return nil
	})
	if err != nil || w.journalEnd > 0 {
		return err
	}
	if err := w.keep(w.agree); !errors.Is(err, ErrFull) {
		return err
	}
	return nil
}

// reaches tells whether the journal is a file of this length.
func (w *Workspace) reaches(end int64) bool {
	info, err := os.Lstat(w.journalFile())
	return err == nil && info.Mode().IsRegular() && info.Size() == end
}

// longest is how long a journal may become before an opening writes it anew, without the former
// states of rounds.
func longest(tx *bbolt.Tx) int64 { return 2*tx.Size() + 1<<20 }

// journalChanges appends to the journal what a transaction has changed.
func (w *Workspace) journalChanges(tx *bbolt.Tx) error {
	if len(w.changed) == 0 {
		return nil
	}
	if w.journalEnd == 0 || !w.reaches(w.journalEnd) {
		return w.agree(tx)
	}
	var lines []byte
	n := newNames(tx)
	for _, c := range w.changed {
		text, err := n.line(c.form, c.key, c.form.bytes(tx, c.key))
		if err != nil {
			return err
		}
		lines = append(lines, text...)
	}
	if err := durable.Append(w.journalFile(), w.journalEnd, lines); err != nil {
		return err
	}
	w.journalEnd += int64(len(lines))
	return putEnd(tx, w.journalEnd)
}

// takeBack cuts off what a transaction that failed has appended to the journal. One that failed in
// its last step may be there all the same.
func (w *Workspace) takeBack() {
	if w.journalEnd == w.journalBegan {
		return
	}
	now := int64(0)
	err := w.view(func(tx *bbolt.Tx) error {
		now = storedEnd(tx)
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

// agree adds to the database what the journal alone has, and to the journal what the database
// alone has: that one is written anew then, and one with damaged lines is set aside.
func (w *Workspace) agree(tx *bbolt.Tx) error {
	w.journalEnd, w.journalBegan = 0, 0
	c, err := readJournal(context.Background(), w.path, wholeJournal)
	if err != nil {
		return err
	}
	d := compare(tx, c)
	for _, r := range d.records {
		if err := r.form.putBytes(tx, r.key, r.value); err != nil {
			return err
		}
	}
	end := c.End
	switch {
	case end == 0, end > longest(tx), c.Bad > 0, c.Ragged, d.absent():
		end, err = w.writeJournal(tx, c.Bad > 0)
	case !w.reaches(end):
		err = durable.Cut(w.journalFile(), end)
	}
	if err != nil {
		return err
	}
	w.journalEnd = end
	return putEnd(tx, end)
}

// writeJournal writes the whole journal from the database.
func (w *Workspace) writeJournal(tx *bbolt.Tx, setAside bool) (end int64, err error) {
	if setAside {
		folder, err := durable.Below(w.path, asideFolder, time.Now().UTC().Format(backupTime))
		if err != nil {
			return 0, err
		}
		if err := copyFile(context.Background(), w.journalFile(), filepath.Join(folder, journal.File),
			nil); err != nil {
			return 0, err
		}
	}
	n := newNames(tx)
	err = w.write(w.journalFile(), func(out io.Writer) error {
		buffered := bufio.NewWriter(out)
		_, _ = buffered.Write(journal.Head) // Flush has its error
		end = int64(len(journal.Head))
		for _, b := range []*form{bucketRounds.form, bucketEvents.form} {
			for key, value := range b.from(tx, "") {
				if b.read(key, value) != nil {
					continue
				}
				text, err := n.line(b, key, value)
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

// names puts names beside the ids and hashes of lines.
type names struct {
	tx             *bbolt.Tx
	rounds, models map[string]string
}

func newNames(tx *bbolt.Tx) names { return names{tx, map[string]string{}, map[string]string{}} }

// line is the line of a round or label event; value is nil where it was removed.
func (n names) line(b *form, key string, value []byte) ([]byte, error) {
	var line journal.Line
	switch {
	case value == nil:
		line.Removed = key
	case b == bucketRounds.form:
		var r label.Round
		if err := b.decode(key, value, &r); err != nil {
			return nil, err
		}
		line.Round, line.State = r.Name, value
		if s, found, _ := headOfSuite(n.tx, r.Suite); found {
			line.Suite = s.Name
		}
		for _, hash := range r.Models {
			line.Models = append(line.Models, n.model(hash))
		}
	default:
		var ev label.Event
		if err := b.decode(key, value, &ev); err != nil {
			return nil, err
		}
		line.Round, line.Model, line.Event = n.round(ev.Round), n.model(ev.Model), value
	}
	return line.Bytes()
}

func (n names) round(id string) string {
	if _, known := n.rounds[id]; !known {
		r, _, _ := bucketRounds.get(n.tx, id) // one that is not here has no name
		n.rounds[id] = r.Name
	}
	return n.rounds[id]
}

func (n names) model(hash string) string {
	if _, known := n.models[hash]; !known {
		m, _, _ := bucketModels.get(n.tx, hash)
		n.models[hash] = m.ID
	}
	return n.models[hash]
}

// wholeJournal is the length to read of a journal that nobody writes.
const wholeJournal = -1

// readJournal reads a workspace's journal, or its first bytes. One that is not there is empty.
func readJournal(ctx context.Context, path string, length int64) (journal.Content, error) {
	file, err := durable.OpenRegular(filepath.Join(path, journal.File))
	if errors.Is(err, fs.ErrNotExist) {
		return journal.Content{}, nil
	}
	if err != nil {
		return journal.Content{}, err
	}
	defer func() { _ = file.Close() }()
	var in io.Reader = file
	if length != wholeJournal {
		in = io.LimitReader(file, length)
	}
	c, err := journal.Read(ctx, in)
	if err != nil {
		err = fmt.Errorf("%s: %w", file.Name(), err)
	}
	return c, err
}

// difference is what database and journal do not have in common.
type difference struct {
	records        []record // of the journal, for the database
	states         int      // how many of them are rounds
	rounds, events int      // of the database, which the journal does not have as they are
}

// absent tells whether the journal lacks anything of the database.
func (d difference) absent() bool { return d.rounds+d.events > 0 }

// compare finds what a journal and the database do not have in common. A label event of the
// database never changes; a round may become that of a longer journal, if it may change so.
func compare(tx *bbolt.Tx, c journal.Content) (d difference) {
	longer := c.End > storedEnd(tx)
	for key, value := range c.Rounds {
		if !bucketRounds.has(tx, key) {
			d.records = append(d.records, record{bucketRounds.form, key, value})
		}
	}
	for key, value := range bucketRounds.from(tx, "") {
		switch line := c.Rounds[key]; {
		case bucketRounds.read(key, value) != nil || isLine(value, line):
		case longer && line != nil && mayBecome(tx, value, line):
			d.records = append(d.records, record{bucketRounds.form, key, line})
		default:
			d.rounds++
		}
	}
	d.states = len(d.records)
	for key, value := range c.Events {
		if !bucketEvents.form.has(tx, key) {
			d.records = append(d.records, record{bucketEvents.form, key, value})
		}
	}
	for key, value := range bucketEvents.from(tx, "") {
		if bucketEvents.read(key, value) == nil && !isLine(value, c.Events[key]) {
			d.events++
		}
	}
	return d
}

// isLine tells whether a record of the database is what a line of the journal has of it.
func isLine(value, line []byte) bool {
	text, err := json.Marshal(json.RawMessage(value))
	return err == nil && bytes.Equal(text, line)
}

// mayBecome tells whether a round may change to a later one.
func mayBecome(tx *bbolt.Tx, old, later []byte) bool {
	var from, to label.Round
	if json.Unmarshal(old, &from) != nil || json.Unmarshal(later, &to) != nil {
		return false
	}
	frozen, err := hasLabels(tx, from)
	return err == nil && from.CheckChange(to, frozen) == nil
}
