package store

import (
	"os"
	"reflect"
	"testing"
	"unsafe"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/durable"
)

// faulty has bbolt's own steps asked like those of package durable: bbolt writes with a function
// that it keeps, and fsyncs the file that it keeps. Both are replaced in its memory; there is no
// other way in.
type faulty struct {
	file  **os.File
	whole *os.File
	dead  *os.File // no write and no fsync of it succeeds
	path  string
	// begun is true from a transaction's first page to its meta page.
	begun bool
}

// metaPages are the first pages, which end a transaction.
const metaPages = 2

// makeFaulty begins that; mend must be called before the database is closed.
func makeFaulty(tb testing.TB, db *bbolt.DB) (mend func()) {
	tb.Helper()
	inside := reflect.ValueOf(db).Elem()
	ops := inside.FieldByName("ops")
	write := (*func([]byte, int64) (int, error))(unsafe.Pointer(ops.FieldByName("writeAt").UnsafeAddr()))
	f := &faulty{file: (**os.File)(unsafe.Pointer(inside.FieldByName("file").UnsafeAddr())), path: db.Path()}
	f.whole = *f.file
	dead := testdata.Must(os.Open(os.DevNull))(tb)
	f.dead = dead
	tb.Cleanup(func() { _ = dead.Close() })
	real := *write
	*write = func(p []byte, at int64) (int, error) {
		*f.file = f.whole
		if err := durable.Ask(durable.Write, f.path); err != nil {
			n, _ := real(p[:len(p)/2], at)
			return n, err
		}
		f.sync(at < metaPages*int64(os.Getpagesize()))
		return real(p, at)
	}
	return func() { *f.file = f.whole }
}

// sync asks for the fsync that follows the pages of a transaction, with the first of them, and for
// the one that follows its meta page.
func (f *faulty) sync(meta bool) {
	first := !f.begun
	f.begun = !meta
	if (meta || first) && durable.Ask(durable.Sync, f.path) != nil {
		*f.file = f.dead
	}
}
