package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/pages"
)

// Tx and DB are those of bbolt, which only this package opens.
type (
	Tx = bbolt.Tx
	DB = bbolt.DB
)

// Write writes the database as a transaction sees it.
func Write(ctx context.Context, tx *Tx, out io.Writer) (int64, error) {
	c := &durable.Cancellable{Ctx: ctx, Out: out}
	n, err := tx.WriteTo(c)
	if err != nil && c.Err != nil {
		err = c.Err // bbolt hands on some of them as text
	}
	return n, err
}

// LockPatience is how long Open waits for the database's lock; with reading the owner file it
// stays well below the second of DESIGN.md section 6.
const LockPatience = 300 * time.Millisecond

// Open locks and checks the database of a workspace, then hands it to bbolt. It also returns
// which file that is.
func Open(path string) (db *DB, file os.FileInfo, err error) {
	var opened *os.File
	options := boltOptions()
	options.OpenFile = func(path string, _ int, _ os.FileMode) (*os.File, error) {
		f, err := durable.OpenBoth(path)
		if err != nil {
			return nil, err
		}
		if err := Lock(f, LockPatience); err != nil {
			_ = f.Close()
			return nil, err
		}
		if err := pages.Check(context.Background(), f, nil); err != nil {
			_ = f.Close()
			return nil, fmt.Errorf("%w (%w)", ErrDamaged, err)
		}
		opened = f
		file, err = f.Stat()
		handOver(f)
		return f, err
	}
	db, err = openWithOptions(filepath.Join(path, File), options)
	if err == nil {
		return db, file, nil
	}
	if opened != nil {
		_ = opened.Close() // after a panic bbolt leaves the file open, and locked with it
	}
	if errors.Is(err, ErrLocked) {
		err = OpenElsewhere(path)
	}
	return nil, nil, err
}

// OpenReadOnly opens a database to read it, over a file of it that is locked; closing the database
// closes the file.
func OpenReadOnly(f *os.File) (*DB, error) {
	options := boltOptions()
	options.ReadOnly = true
	options.OpenFile = func(string, int, os.FileMode) (*os.File, error) {
		handOver(f)
		return f, nil
	}
	return openWithOptions(f.Name(), options)
}

// OpenScratch opens a copy of a database that nobody needs after this process: nothing is synced.
func OpenScratch(ctx context.Context, f *os.File) (*DB, error) {
	if err := pages.Check(ctx, f, nil); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	options := boltOptions()
	options.NoSync, options.NoGrowSync = true, true
	options.OpenFile = func(string, int, os.FileMode) (*os.File, error) { return f, nil }
	return openWithOptions(f.Name(), options)
}

func openWithOptions(path string, options *bbolt.Options) (db *DB, err error) {
	err = Guard(func() (err error) {
		db, err = bbolt.Open(path, 0o644, options)
		return err
	})
	if errors.Is(err, berrors.ErrTimeout) {
		err = ErrLocked
	}
	return db, err
}

// OpenNew opens a database that nobody else knows, and makes its file where there is none.
func OpenNew(path string) (*DB, error) { return openWithOptions(path, boltOptions()) }

// OpenBackup opens a backup to read it; others may, too.
func OpenBackup(path string) (*DB, error) {
	return openWithOptions(path, &bbolt.Options{ReadOnly: true, Timeout: LockPatience})
}

// Compact copies what is in a database into an empty one.
func Compact(to, from *DB) error { return bbolt.Compact(to, from, 0) }

// View runs a read transaction.
func View(db *DB, read func(tx *Tx) error) error {
	return Classify(Guard(func() error { return db.View(read) }))
}

func boltOptions() *bbolt.Options {
	return &bbolt.Options{Timeout: LockPatience, FreelistType: bbolt.FreelistMapType, NoStatistics: true}
}

// Guard turns a panic, also one from a page that cannot be read, into ErrDamaged. The functions
// that it runs are this package's own and short; callbacks of callers run outside.
func Guard(run func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%w (%v)", ErrDamaged, reason)
		}
	}()
	return run()
}
