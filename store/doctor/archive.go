package doctor

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/journal"
)

// archive reads records from a workspace's journal and backups, newest first. Backups that cannot
// be read are passed over.
type archive struct {
	ctx    context.Context
	path   string
	opened bool
	list   []*database.DB
	// journal is read once, up to these bytes.
	journalBytes int64
	journal      func() (journal.Content, error)
}

func newArchive(ctx context.Context, path string) *archive {
	a := &archive{ctx: ctx, path: path, journalBytes: database.WholeJournal}
	a.journal = sync.OnceValues(func() (journal.Content, error) {
		return database.ReadJournal(ctx, path, a.journalBytes)
	})
	return a
}

func (a *archive) open() []*database.DB {
	if a.opened {
		return a.list
	}
	a.opened = true
	backups, err := backup.List(a.path)
	if err != nil {
		return nil
	}
	for _, b := range backups {
		if !b.Replaced {
			a.add(filepath.Join(a.path, database.BackupsFolder, b.Name))
		}
	}
	return a.list
}

// add opens a database behind the others, if it can be read.
func (a *archive) add(file string) {
	if backup.Check(a.ctx, file) != nil {
		return
	}
	if db, err := database.OpenBackup(file); err == nil {
		a.list = append(a.list, db)
	}
}

func (a *archive) close() {
	for _, db := range a.list {
		_ = db.Close()
	}
	a.list, a.opened = nil, false
}

// view reads each backup until use says that it has enough.
func (a *archive) view(use func(tx *database.Tx) (enough bool)) {
	for _, db := range a.open() {
		enough := false
		_ = database.Guard(func() error {
			return db.View(func(tx *database.Tx) error {
				enough = use(tx)
				return nil
			})
		})
		if enough {
			return
		}
	}
}

// find is the newest readable record of a key, nil without.
func (a *archive) find(b *database.RawBucket, key string) (value []byte) {
	if c, err := a.journal(); err == nil {
		if value := map[*database.RawBucket]map[string][]byte{
			database.Rounds.RawBucket: c.Rounds,
			database.Events.RawBucket: c.Events,
		}[b][key]; value != nil {
			return value
		}
	}
	a.view(func(tx *database.Tx) bool {
		kept := b.Bytes(tx, key)
		if kept == nil || b.Check(key, kept) != nil {
			return false
		}
		value = bytes.Clone(kept)
		return true
	})
	return value
}

// whole is the newest readable record of a key with its parts, empty without.
func (a *archive) whole(b *database.RawBucket, key string) []database.Record {
	value := a.find(b, key)
	if value == nil {
		return nil
	}
	list := []database.Record{{Bucket: b, Key: key, Value: value}}
	for _, part := range database.RecordBuckets {
		if part.Of == b {
			if value := a.find(part, key); value != nil {
				list = append(list, database.Record{Bucket: part, Key: key, Value: value})
			}
		}
	}
	return list
}

// keptEvent is a label event in a backup.
type keptEvent struct {
	id, round, key string
	value          []byte
}

// events are the readable label events of all backups, in the order of keys.
func (a *archive) events() []keptEvent {
	found := map[string]keptEvent{}
	a.view(func(tx *database.Tx) bool {
		for key, value := range database.Events.From(tx, "") {
			if _, known := found[key]; !known && database.CheckEvent(key, value) == nil {
				ev, _ := readEvent(value)
				found[key] = keptEvent{ev.ID, ev.Round, key, bytes.Clone(value)}
			}
			if a.ctx.Err() != nil {
				break
			}
		}
		return false
	})
	return slices.SortedFunc(maps.Values(found), func(a, b keptEvent) int { return cmp.Compare(a.key, b.key) })
}
