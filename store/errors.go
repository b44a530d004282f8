package store

import (
	"errors"
	"fmt"
	"time"

	berrors "go.etcd.io/bbolt/errors"

	"github.com/variscope/variscope/store/durable"
)

// What can be wrong with a workspace. The texts are meant to be read by people, after the
// workspace's name.
var (
	// ErrNotWorkspace: the path is no workspace folder, or its database is gone.
	ErrNotWorkspace = errors.New("not a Variscope workspace")
	// ErrExists: Create found something in its place.
	ErrExists = errors.New("exists already")
	// ErrNewer: a newer program made the workspace.
	ErrNewer = errors.New("made by a newer Variscope; update Variscope to open it")
	// ErrReadOnly: files cannot be written.
	ErrReadOnly = durable.ErrReadOnly
	// ErrFull: the disk, the quota or the file-size limit is exhausted.
	ErrFull = durable.ErrFull
	// ErrDisk: the disk itself failed.
	ErrDisk = durable.ErrDisk
	// ErrGone: the folder or its database was moved or removed while the workspace was open.
	ErrGone = durable.ErrGone
	// ErrDamaged: the database cannot be read.
	ErrDamaged = errors.New("the database is damaged; " +
		"variscope doctor --repair makes a new one of a backup and of labels.jsonl")
	// ErrClosed: the workspace was closed.
	ErrClosed = errors.New("the workspace is closed")
	// ErrNotFound: no model, suite, round, run or set of that name.
	ErrNotFound = errors.New("not found")
	// ErrNoImages: a suite's images are not where they were.
	ErrNoImages = errors.New("images not found: locate the suite's folder")
	// ErrFrozen: a round with labels cannot change in that way.
	ErrFrozen = errors.New("the round has labels already: duplicate it to change it")
	// ErrRoundClosed: a closed round takes no labels.
	ErrRoundClosed = errors.New("is closed; reopen it to label")
	// ErrIncomplete: units of a set are missing.
	ErrIncomplete = errors.New("signals are missing: run the model again; only what is missing is computed")
)

// SuiteError says of which suite the images could not be opened, where several are needed at once.
// Its text is that of Err, which names the suite.
type SuiteError struct {
	Suite string // hash
	Err   error
}

func (e *SuiteError) Error() string { return e.Err.Error() }

// Unwrap gives what is wrong.
func (e *SuiteError) Unwrap() error { return e.Err }

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
	return fmt.Sprintf("workspace %s; close it there or work on a copy", e.where())
}

// where says who has the workspace of this name open.
func (e *OpenElsewhereError) where() string {
	if e.Process == 0 {
		return e.Name + " is open in another program"
	}
	return fmt.Sprintf("%s is open in Variscope (process %d on host %s) since %s",
		e.Name, e.Process, e.Host, e.Since.Local().Format("2006-01-02 15:04:05"))
}

// DamagedError says that a signal file is gone or does not match its hash. The next run computes
// its unit anew.
type DamagedError struct {
	Path   string // inside the workspace
	Reason string
	// Reading is set where another process has the workspace open.
	Reading *Reading
}

// Error names the file and what to do.
func (e *DamagedError) Error() string {
	if e.Reading != nil {
		return fmt.Sprintf("signal file %s %s; this was read %s", e.Path, e.Reason, e.Reading.Missed())
	}
	return fmt.Sprintf("signal file %s %s; run the model again: only this part is computed anew", e.Path, e.Reason)
}

// classify puts the sentinel for what the operating system or bbolt said in front of it.
func classify(err error) error {
	switch {
	case errors.Is(err, ErrDamaged):
		return err
	case errors.Is(err, berrors.ErrDatabaseNotOpen):
		return ErrClosed
	}
	return durable.Classify(err)
}

func missing(kind, name string) error {
	return fmt.Errorf("%s %s: %w in this workspace", kind, name, ErrNotFound)
}
