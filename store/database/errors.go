package database

import (
	"errors"
	"fmt"
	"time"

	berrors "go.etcd.io/bbolt/errors"

	"github.com/variscope/variscope/store/durable"
)

// ErrNewer: a newer program made the workspace.
var ErrNewer = errors.New("made by a newer Variscope; update Variscope to open it")

// ErrDamaged: the database cannot be read.
var ErrDamaged = errors.New("the database is damaged; variscope doctor --repair makes a new one of a backup and of " +
	"labels.jsonl")

// ErrClosed: the workspace was closed.
var ErrClosed = errors.New("the workspace is closed")

// ErrNotFound: no model, suite, round, run or set of that name.
var ErrNotFound = errors.New("not found")

// OpenElsewhereError says that another process owns the workspace. Process is 0 when the owner did
// not say who it is.
type OpenElsewhereError struct {
	Name    string
	Process int
	Host    string
	Since   time.Time
}

// Error is the sentence of DESIGN.md section 6.
func (e *OpenElsewhereError) Error() string {
	return fmt.Sprintf("workspace %s; close it there or work on a copy", e.Where())
}

// Where says who has the workspace of this name open.
func (e *OpenElsewhereError) Where() string {
	if e.Process == 0 {
		return e.Name + " is open in another program"
	}
	return fmt.Sprintf("%s is open in Variscope (process %d on host %s) since %s",
		e.Name, e.Process, e.Host, e.Since.Local().Format("2006-01-02 15:04:05"))
}

// Classify puts the sentinel for what the operating system or bbolt said in front of it.
func Classify(err error) error {
	switch {
	case errors.Is(err, ErrDamaged):
		return err
	case errors.Is(err, berrors.ErrDatabaseNotOpen):
		return ErrClosed
	}
	return durable.Classify(err)
}

// NotFound is ErrNotFound for a record of this kind and name.
func NotFound(kind, name string) error {
	return fmt.Errorf("%s %s: %w in this workspace", kind, name, ErrNotFound)
}
