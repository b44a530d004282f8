package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// passes is how often Repair looks again: what it takes out can leave something else without what
// it refers to.
const passes = 6

// Repaired is what Repair did.
type Repaired struct {
	// Backup is where the database as it was is kept, and Aside the folder with what was taken
	// out, both inside the workspace with slashes; "" without.
	Backup, Aside string
	Mended        []Finding
	After         Examination
}

// asideRecord is a line of records.jsonl: a record that Repair took out of the database.
type asideRecord struct {
	Bucket string `json:"bucket"`
	Key    string `json:"key"`
	Text   string `json:"text,omitempty"` // where the value is readable
	Value  []byte `json:"value"`          // as it was, base64
}

// repair is one pass of Repair over an open workspace.
type repair struct {
	path    string
	w       *store.Workspace
	tx      *database.Tx
	folder  string // for what is set aside, inside the workspace
	records []asideRecord
	// What is done once the database has forgotten it: files to set aside and to remove, and sets
	// to summarise.
	moves, removals, sets []string
}

// Repair mends what Examine finds and can be mended. The database as it was is kept first. Label
// events are only ever added or, where they cannot be read, set aside; so is everything else that
// is taken out, except caches. What remains is in After. Nobody may have the workspace open.
// Progress is that of one Examine after the other.
func Repair(ctx context.Context, place string, p engine.Progress) (Repaired, error) {
	var r Repaired
	var err error
	if r.After, err = Examine(ctx, place, p); err != nil {
		return r, err
	}
	folder := path.Join(database.AsideFolder, time.Now().UTC().Format(backup.TimeFormat))
	t := &repair{path: r.After.Path, folder: folder}
	for range passes {
		mendable := r.mendable()
		if len(mendable) == 0 {
			break
		}
		if err := t.pass(ctx, &r, mendable); err != nil {
			return r, fmt.Errorf("repair workspace %s: %w", database.NameOf(r.After.Path), database.Classify(err))
		}
		r.Mended = append(r.Mended, mendable...)
		if r.After, err = Examine(ctx, r.After.Path, p); err != nil {
			return r, err
		}
	}
	if _, err := os.Stat(filepath.Join(r.After.Path, filepath.FromSlash(t.folder))); err == nil {
		r.Aside = t.folder
	}
	return r, nil
}

// mendable are the findings to mend; nothing is touched of a workspace that a newer program made.
func (r Repaired) mendable() []Finding {
	if slices.ContainsFunc(r.After.Findings, func(f Finding) bool {
		return f.Kind == "newer" || f.Kind == "database" && f.fix == nil
	}) {
		return nil
	}
	list := slices.DeleteFunc(slices.Clone(r.After.Findings), func(f Finding) bool { return !f.Repairable })
	loose := func(f Finding) bool { return f.Kind == "loose" }
	if slices.ContainsFunc(list, func(f Finding) bool { return !loose(f) }) {
		return slices.DeleteFunc(list, loose) // a record that comes back may name them
	}
	return list
}

// pass mends a list of findings, a damaged database first and alone.
func (t *repair) pass(ctx context.Context, r *Repaired, list []Finding) error {
	if slices.ContainsFunc(list, func(f Finding) bool { return f.Kind == "database" }) {
		kept, err := t.rebuild(ctx)
		r.Backup = kept
		return err
	}
	var err error
	if t.w, err = store.OpenUnprepared(r.After.Path); err != nil {
		return err
	}
	defer func() { _ = t.w.Close() }()
	if err := t.unchanged(r.After.transaction); err != nil {
		return err
	}
	if err := t.keep(ctx, r); err != nil {
		return err
	}
	if err := t.w.Update(func(tx *database.Tx) error { t.tx = tx; return t.basics() }); err != nil {
		return err
	}
	if err := t.w.TakeOver(); err != nil {
		return err
	}
	return t.mend(ctx, list)
}

// unchanged refuses to apply findings to a database that somebody has changed since: they may be
// wrong by now.
func (t *repair) unchanged(examined int) error {
	return t.w.View(func(tx *database.Tx) error {
		if tx.ID() != examined {
			return errors.New("somebody has changed it since it was examined; close it everywhere and repair it again")
		}
		return nil
	})
}

// keep keeps the database as it was, once, where what is taken out is put. It makes no backup:
// that would push out the oldest one, which may have the only readable form of a record.
func (t *repair) keep(ctx context.Context, r *Repaired) error {
	if r.Backup != "" {
		return nil
	}
	kept, err := t.keepDatabase(ctx)
	r.Backup = kept
	return err
}

// keepDatabase copies the database beside what is set aside and says where it lies then.
func (t *repair) keepDatabase(ctx context.Context) (kept string, err error) {
	folder, err := durable.Below(t.path, strings.Split(t.folder, "/")...)
	if err != nil {
		return "", err
	}
	if err := durable.CopyFile(ctx, filepath.Join(t.path, database.File), filepath.Join(folder, database.File),
		nil); err != nil {
		return "", err
	}
	return path.Join(t.folder, database.File), nil
}

// mend applies the fixes in one transaction, and moves files once it is on disk.
func (t *repair) mend(ctx context.Context, list []Finding) error {
	moved := len(t.moves)
	err := t.w.Update(func(tx *database.Tx) error {
		t.tx = tx
		for _, f := range list {
			if err := f.fix(t); err != nil {
				return fmt.Errorf("%s: %w", f.Where, err)
			}
		}
		return t.writeRecords()
	})
	if err != nil {
		return err
	}
	for _, name := range t.moves[moved:] {
		if err := t.move(name); err != nil {
			return err
		}
	}
	for _, name := range t.removals {
		if err := durable.Delete(t.file(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, key := range t.sets {
		if err := t.finish(ctx, key); err != nil {
			return err
		}
	}
	t.removals, t.sets = nil, nil
	return nil
}

func (t *repair) file(name string) string {
	return filepath.Join(t.path, filepath.FromSlash(name))
}

// move puts a file below the folder for what is set aside, under its own path.
func (t *repair) move(name string) error {
	to := path.Join(t.folder, name)
	if _, err := durable.Below(t.path, strings.Split(path.Dir(to), "/")...); err != nil {
		return err
	}
	if err := durable.Move(t.file(name), t.file(to)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// finish computes the summary of a set that is whole; one that cannot be summarised waits for a
// run.
func (t *repair) finish(ctx context.Context, key string) error {
	var s database.SetRecord
	err := t.w.View(func(tx *database.Tx) error {
		_, err := database.Sets.Into(tx, key, &s)
		return err
	})
	if err != nil {
		return err
	}
	_ = t.w.Finish(ctx, engine.Task{
		ID: database.Short(s.Spec.Model), Spec: s.Spec, Absent: s.Absent, Classes: s.ClassMap, MappedBy: s.MappedBy,
		Skipped: s.Skipped,
	})
	return ctx.Err()
}

// writeRecords keeps the records that were taken out, before the database forgets them.
func (t *repair) writeRecords() error {
	if len(t.records) == 0 {
		return nil
	}
	var lines bytes.Buffer
	for _, r := range t.records {
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		lines.Write(append(text, '\n'))
	}
	folder, err := durable.Below(t.path, strings.Split(t.folder, "/")...)
	if err != nil {
		return err
	}
	return t.w.WriteFile(filepath.Join(folder, "records.jsonl"), func(out io.Writer) error {
		_, err := out.Write(lines.Bytes())
		return err
	})
}

func (t *repair) nothing() error { return nil }

// aside moves a file out of the way, remove removes one of a cache.
func (t *repair) aside(name string) error { t.moves = append(t.moves, name); return nil }

func (t *repair) remove(name string) error { t.removals = append(t.removals, name); return nil }

// drop takes a record out and keeps it.
func (t *repair) drop(b *database.RawBucket, key string) error {
	value := b.Bytes(t.tx, key)
	if value == nil {
		return nil
	}
	r := asideRecord{Bucket: b.Name, Key: key, Value: bytes.Clone(value)}
	if json.Valid(value) {
		r.Text = string(value)
	}
	t.records = append(t.records, r)
	return b.Delete(t.tx, key)
}

// put stores a record; another one in its place is kept.
func (t *repair) put(b *database.RawBucket, key string, value []byte) error {
	if old := b.Bytes(t.tx, key); old != nil && !bytes.Equal(old, value) {
		if err := t.drop(b, key); err != nil {
			return err
		}
	}
	return b.PutBytes(t.tx, key, value)
}

// putAll adds records that are not there.
func (t *repair) putAll(list []database.Record) error {
	for _, r := range list {
		if r.Bucket.Has(t.tx, r.Key) {
			continue
		}
		if err := r.Bucket.PutBytes(t.tx, r.Key, r.Value); err != nil {
			return err
		}
	}
	return nil
}

// refileEvent takes a label event out that lies under a key that is not its own, and puts it where
// it belongs if that place is free.
func (t *repair) refileEvent(key string, value []byte) error {
	if err := t.drop(database.Events.RawBucket, key); err != nil {
		return err
	}
	ev, err := readEvent(value)
	if err != nil {
		return nil // it is kept aside as it is
	}
	return t.putAll([]database.Record{
		{Bucket: database.Events.RawBucket, Key: string(database.KeyOfEvent(ev.Round, ev.ID)), Value: value},
	})
}

// dropUnit takes a unit with its file out; its set, "" for none, waits for a run.
func (t *repair) dropUnit(key, set string) error {
	t.moves = append(t.moves, database.UnitPath(key))
	if err := t.drop(database.Units.RawBucket, key); err != nil || set == "" {
		return err
	}
	return t.unfinish(set)
}

// unfinish calls a set incomplete; its summary goes, which is made from the units.
func (t *repair) unfinish(key string) error {
	s, found, err := database.Sets.Get(t.tx, key)
	if err != nil || !found {
		return err
	}
	s.Finished = false
	return errors.Join(database.Summaries.Delete(t.tx, key), database.Sets.Put(t.tx, key, s))
}

// summarise has a set's summary computed anew.
func (t *repair) summarise(key string) error {
	t.sets = append(t.sets, key)
	return t.unfinish(key)
}

// rename gives a model the next free name.
func (t *repair) rename(hash string) error {
	m, found, err := database.Models.Get(t.tx, hash)
	if err != nil || !found {
		return err
	}
	m.ID = database.FreeID(t.tx, m.ID)
	if err := database.Models.Put(t.tx, hash, m); err != nil {
		return err
	}
	return t.put(database.ModelIDs, m.ID, []byte(hash))
}

// recount sets the counter of a bucket to the bytes that are in it.
func (t *repair) recount(b *database.RawBucket) error { return b.In(t.tx).SetSequence(b.Size(t.tx)) }

// basics makes what every workspace has: all buckets of its schema, the schema's number, a desk.
func (t *repair) basics() error {
	meta, err := t.tx.CreateBucketIfNotExists([]byte(database.Meta.Name))
	if err != nil {
		return err
	}
	version, _ := strconv.Atoi(string(meta.Get(database.KeySchema)))
	if version < 1 {
		version = newestBucket(t.tx)
		if err := database.PutSchema(t.tx, version); err != nil {
			return err
		}
	}
	for _, b := range database.RecordBuckets {
		if b.Since > version {
			continue
		}
		if _, err := t.tx.CreateBucketIfNotExists([]byte(b.Name)); err != nil {
			return err
		}
	}
	if len(meta.Get(database.KeyDesk)) == 0 {
		var ids database.IDs
		return meta.Put(database.KeyDesk, []byte(ids.Next().String()))
	}
	return nil
}

// newestBucket tells the schema from the newest bucket that is there.
func newestBucket(tx *database.Tx) int {
	version := 1
	for _, b := range database.RecordBuckets {
		if b.In(tx) != nil {
			version = max(version, b.Since)
		}
	}
	return version
}
