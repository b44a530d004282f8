package store

import (
	"errors"
	"fmt"

	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// What can be wrong with a workspace. The texts are meant to be read by people, after the
// workspace's name.
var (
	// ErrNotWorkspace: the path is no workspace folder, or its database is gone.
	ErrNotWorkspace = database.ErrNotWorkspace
	// ErrExists: Create found something in its place.
	ErrExists = errors.New("exists already")
	// ErrNewer: a newer program made the workspace.
	ErrNewer = database.ErrNewer
	// ErrDamaged: the database cannot be read.
	ErrDamaged = database.ErrDamaged
	// ErrClosed: the workspace was closed.
	ErrClosed = database.ErrClosed
	// ErrNotFound: no model, suite, round, run or set of that name.
	ErrNotFound = database.ErrNotFound
	// ErrReadOnly: files cannot be written.
	ErrReadOnly = durable.ErrReadOnly
	// ErrFull: the disk, the quota or the file-size limit is exhausted.
	ErrFull = durable.ErrFull
	// ErrDisk: the disk itself failed.
	ErrDisk = durable.ErrDisk
	// ErrGone: the folder or its database was moved or removed while the workspace was open.
	ErrGone = durable.ErrGone
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
