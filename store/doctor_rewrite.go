package store

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/store/durable"
)

// salvage writes the database anew from what can be read, and puts the old one aside. kept is
// where that lies.
func (t *treatment) salvage(ctx context.Context, workspace string) (kept string, err error) {
	t.w = &Workspace{path: workspace}
	database := filepath.Join(workspace, databaseFile)
	held, err := lockClosed(workspace)
	if err != nil {
		return "", err
	}
	defer held.unlock()
	a := newArchive(ctx, workspace)
	defer a.close()
	r, err := salvageFrom(workspace, a)
	if err != nil {
		return "", err
	}
	durable.SweepDrafts(database)
	draft := durable.DraftOf(database)
	err = r.write(draft)
	if err == nil && held.database != nil {
		kept, err = t.keepDatabase(ctx)
	}
	if err != nil {
		_ = durable.Delete(draft)
		return "", err
	}
	return kept, durable.PlaceUnless(draft, database, held.last)
}

// write makes a database of the records.
func (r rescued) write(file string) error {
	if err := durable.DeleteAll(file); err != nil {
		return err
	}
	db, err := bbolt.Open(file, 0o644, boltOptions())
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		meta := r.records[bucketMeta.name]
		if version, err := strconv.Atoi(string(meta[string(keySchema)])); err == nil && version > SchemaVersion {
			return fmt.Errorf("%w (its version is %d, this program reads up to %d)", ErrNewer, version, SchemaVersion)
		}
		for _, bucket := range slices.Sorted(maps.Keys(r.records)) {
			b, err := tx.CreateBucketIfNotExists([]byte(bucket))
			if err != nil {
				return err
			}
			for _, key := range slices.Sorted(maps.Keys(r.records[bucket])) {
				if err := b.Put([]byte(key), r.records[bucket][key]); err != nil {
					return err
				}
			}
		}
		if len(meta[string(keySchema)]) == 0 && len(r.lost) > 0 {
			if _, err := tx.CreateBucketIfNotExists([]byte(bucketMeta.name)); err != nil {
				return err
			}
			if err := putSchema(tx, SchemaVersion); err != nil {
				return err
			}
		}
		t := treatment{tx: tx}
		return t.basics()
	})
	if closeErr := db.Close(); err == nil {
		err = closeErr
	}
	return err
}
