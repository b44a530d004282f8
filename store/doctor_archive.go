package store

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"

	"go.etcd.io/bbolt"
)

// archive reads records from a workspace's backups, newest first. Backups that cannot be read are
// passed over.
type archive struct {
	ctx    context.Context
	path   string
	opened bool
	list   []*bbolt.DB
}

func newArchive(ctx context.Context, path string) *archive { return &archive{ctx: ctx, path: path} }

func (a *archive) open() []*bbolt.DB {
	if a.opened {
		return a.list
	}
	a.opened = true
	backups, err := Backups(a.path)
	if err != nil {
		return nil
	}
	for _, b := range backups {
		file := filepath.Join(a.path, backupsFolder, b.Name)
		if b.Replaced || checkBackup(a.ctx, file) != nil {
			continue
		}
		options := &bbolt.Options{ReadOnly: true, Timeout: lockPatience}
		var db *bbolt.DB
		if guard(func() (err error) { db, err = bbolt.Open(file, 0o644, options); return err }) == nil {
			a.list = append(a.list, db)
		}
	}
	return a.list
}

func (a *archive) close() {
	for _, db := range a.list {
		_ = db.Close()
	}
	a.list, a.opened = nil, false
}

// view reads each backup until use says that it has enough.
func (a *archive) view(use func(tx *bbolt.Tx) (enough bool)) {
	for _, db := range a.open() {
		enough := false
		_ = guard(func() error {
			return db.View(func(tx *bbolt.Tx) error {
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
func (a *archive) find(f form, key string) (value []byte) {
	a.view(func(tx *bbolt.Tx) bool {
		b := tx.Bucket(f.bucket)
		if b == nil {
			return false
		}
		kept := b.Get([]byte(key))
		if kept == nil || f.read(key, kept) != nil {
			return false
		}
		value = bytes.Clone(kept)
		return true
	})
	return value
}

// record is one record of the database.
type record struct {
	bucket []byte
	key    string
	value  []byte
}

// whole is the newest readable record of a key with its parts, empty without.
func (a *archive) whole(bucket []byte, key string) []record {
	value := a.find(formOf(bucket), key)
	if value == nil {
		return nil
	}
	list := []record{{bucket, key, value}}
	for _, part := range allForms() {
		if bytes.Equal(part.of, bucket) {
			if value := a.find(part, key); value != nil {
				list = append(list, record{part.bucket, key, value})
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

// events are the readable label events of all backups, by key.
func (a *archive) events() []keptEvent {
	found := map[string]keptEvent{}
	a.view(func(tx *bbolt.Tx) bool {
		b := tx.Bucket(bucketEvents)
		if b == nil {
			return false
		}
		_ = b.ForEach(func(key, value []byte) error {
			if _, known := found[string(key)]; known || eventForm(string(key), value) != nil {
				return a.ctx.Err()
			}
			ev, _ := readEvent(value)
			found[string(key)] = keptEvent{ev.ID, ev.Round, string(key), bytes.Clone(value)}
			return a.ctx.Err()
		})
		return false
	})
	return slices.SortedFunc(maps.Values(found), func(a, b keptEvent) int { return cmp.Compare(a.key, b.key) })
}

// formOf is the form of a bucket's records.
func formOf(bucket []byte) form {
	list := allForms()
	return list[slices.IndexFunc(list, func(f form) bool { return bytes.Equal(f.bucket, bucket) })]
}
