package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// Workspace is an open workspace. Its methods are safe for many goroutines; after Close they fail
// with ErrClosed.
type Workspace struct {
	path string
	desk string
	db   *database.DB
	// database is the file that db was opened on.
	database os.FileInfo

	ids     database.IDs
	changes Broadcast
	// keyLocks serialises what changes a file and the database together, one lock per first digit
	// of the name.
	keyLocks [16]sync.Mutex
	backups  sync.Mutex // one backup at a time
	// assessors serialises changes of the folder of assessors.
	assessors sync.Mutex
	// verified remembers which signal files were hashed by this process: unit key -> fileStamp.
	verified sync.Map
	// packaged remembers where in its bucket evidence lies: key of its summary -> key in the
	// bucket.
	packaged sync.Map
	// removed are the ids of tables of predictions that this process removed; their files go when
	// it closes the workspace.
	removed sync.Map
	thumbs  thumbnails

	// writing serialises transactions that change something. Under it, changed are the rounds and
	// label events that the one under way has changed, journalEnd is the length of the journal, 0
	// where it may not agree with the database, and journalBegan what it was before what was
	// appended, 0 where it was written anew.
	writing                  sync.Mutex
	changed                  []changed
	journalEnd, journalBegan int64

	shared *share // what hands out copies to readers; nil where nothing can
	// readOnly is set where the workspace can only be read: db is a copy then, for a while in the
	// file copied, and readOnly is the error of every change. reading is set besides where another
	// process owns the workspace.
	readOnly error
	reading  *Reading
	copied   string
}

// Is tells whether a workspace lies at a path, whatever its name.
func Is(path string) bool {
	_, err := os.Stat(filepath.Join(path, database.File))
	return err == nil
}

// Create makes a new workspace folder and opens it. The suffix .variscope is added to path when it
// is not there. An empty folder in its place is taken; anything else there is ErrExists. On an
// error nothing is left behind.
func Create(path string) (*Workspace, error) {
	durable.ReportLimits()
	path, err := filepath.Abs(database.WithSuffix(path))
	if err != nil {
		return nil, err
	}
	name := database.NameOf(path)
	if err := free(path); err != nil {
		return nil, fmt.Errorf("workspace %s: %s %w", name, path, err)
	}
	durable.RemoveDrafts(path)
	draft := durable.DraftOf(path)
	if err := build(draft, path); err != nil {
		_ = durable.DeleteAll(draft)
		return nil, fmt.Errorf("create workspace %s in %s: %w", name, filepath.Dir(path), database.Classify(err))
	}
	return openWith(path, database.CurrentSchema())
}

// free reports ErrExists unless path is free or an empty folder, which is removed.
func free(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return ErrExists
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return ErrExists
	}
	return durable.Delete(path)
}

// build makes the whole workspace as a draft beside its place, then renames it.
func build(draft, path string) error {
	if err := durable.DeleteAll(draft); err != nil {
		return err
	}
	if err := durable.Mkdir(draft); err != nil {
		return err
	}
	for _, folder := range []string{database.ModelsFolder, database.SignalsFolder, database.SuitesFolder} {
		if err := durable.Mkdir(filepath.Join(draft, folder)); err != nil {
			return err
		}
	}
	if err := database.Create(filepath.Join(draft, database.File)); err != nil {
		return err
	}
	if err := durable.SyncDir(draft); err != nil {
		return err
	}
	if err := durable.Move(draft, path); err != nil {
		return err
	}
	return durable.SyncDir(filepath.Dir(path))
}

// Open opens a workspace folder; path may leave out the suffix .variscope. Errors:
// ErrNotWorkspace, *OpenElsewhereError (within a second), ErrNewer, ErrReadOnly, ErrFull,
// ErrDamaged. A workspace that cannot be opened is not changed.
func Open(path string) (*Workspace, error) { return openWith(path, database.CurrentSchema()) }

func openWith(path string, s database.Schema) (*Workspace, error) {
	durable.ReportLimits()
	path, err := database.Locate(path)
	if err != nil {
		return nil, restorable(database.WithSuffix(path), err)
	}
	w := &Workspace{path: path}
	if err := w.open(s); err != nil {
		var elsewhere *database.OpenElsewhereError
		if errors.As(err, &elsewhere) {
			return nil, err
		}
		return nil, restorable(path, fmt.Errorf("workspace %s: %w", w.Name(), database.Classify(err)))
	}
	return w, nil
}

// restorable names the newest backup where a database is damaged.
func restorable(path string, err error) error {
	if newest, ok := backup.Newest(path); ok &&
		(errors.Is(err, database.ErrDamaged) || errors.Is(err, database.ErrNotWorkspace)) {
		return &backup.RestorableError{Path: path, Newest: newest, Err: err}
	}
	return err
}

func (w *Workspace) open(s database.Schema) error {
	if err := w.openDatabase(); err != nil {
		return err
	}
	err := w.prepare(s)
	if err != nil {
		_ = w.db.Close()
	}
	return err
}

// prepare does what needs the database: version, migration, desk, journal, owner file.
func (w *Workspace) prepare(s database.Schema) error {
	if err := w.migrate(s); err != nil {
		return err
	}
	if err := w.readDesk(); err != nil {
		return err
	}
	w.removeDrafts()
	if err := w.openJournal(); err != nil {
		return err
	}
	durable.RemoveDrafts(w.path)
	w.share()
	// The owner file only names who has the workspace. A full disk must not keep people from what
	// makes room on it.
	if err := w.putOwner(); err != nil && !errors.Is(err, ErrFull) {
		w.unshare()
		return err
	}
	return nil
}

// OpenUnprepared opens the database of a workspace and nothing else, for package doctor: an older
// one is not migrated, and the journal is not read.
func OpenUnprepared(path string) (*Workspace, error) {
	w := &Workspace{path: path}
	return w, w.openDatabase()
}

// TakeOver migrates an older database and names this process in the owner file.
func (w *Workspace) TakeOver() error {
	if err := w.migrate(database.CurrentSchema()); err != nil {
		return err
	}
	return w.putOwner()
}

// openDatabase opens the database of this workspace alone.
func (w *Workspace) openDatabase() (err error) {
	w.db, w.database, err = database.Open(w.path)
	return err
}

func (w *Workspace) readDesk() error {
	return w.View(func(tx *database.Tx) error {
		w.desk = string(database.Meta.In(tx).Get(database.KeyDesk))
		if w.desk == "" {
			return fmt.Errorf("%w (no desk)", database.ErrDamaged)
		}
		return nil
	})
}

// Close waits for transactions under way and gives the workspace free. Closing twice does nothing.
func (w *Workspace) Close() error {
	if w.readOnly == nil {
		w.unshare()
		w.dropRemovedPredictions()
		if who, err := database.ReadOwner(w.path); err == nil && who.Process == os.Getpid() {
			_ = durable.Delete(filepath.Join(w.path, database.OwnerFile)) // a stale file is ignored
		}
	}
	err := w.db.Close()
	if w.readOnly != nil {
		_ = durable.Delete(w.copied) // where it could not go while it was open
	}
	if err != nil {
		return fmt.Errorf("close workspace %s: %w", w.Name(), err)
	}
	return nil
}

// Empty tells whether nothing has come into the workspace yet: no model, suite, round or table.
func (w *Workspace) Empty() (bool, error) {
	models, err := w.Models()
	suites, err2 := w.Suites()
	rounds, err3 := w.Rounds()
	predictions, err4 := w.PredictionTables()
	keywords, err5 := w.KeywordTables()
	assessors, err6 := w.Assessors()
	there := len(models) + len(suites) + len(rounds) + len(predictions) + len(keywords) + len(assessors)
	return there == 0, errors.Join(err, err2, err3, err4, err5, err6)
}

// Path is the absolute path of the workspace's folder.
func (w *Workspace) Path() string { return w.path }

// QueueFolder is where a coordinator of other machines keeps its secrets and packs of images; it
// is there once one was started. Copies and packages leave it out.
func (w *Workspace) QueueFolder() string { return filepath.Join(w.path, database.QueueFolder) }

// Name is the folder's name without .variscope.
func (w *Workspace) Name() string { return database.NameOf(w.path) }

// Desk is the ULID that label events made in this workspace carry.
func (w *Workspace) Desk() string { return w.desk }

// NewID returns a ULID that is larger than every one that this process made before. It is safe for
// many goroutines.
func (w *Workspace) NewID() string { return w.ids.Next().String() }

// View runs a read transaction.
func (w *Workspace) View(read func(tx *database.Tx) error) error {
	return database.View(w.db, read)
}

// viewed is what a read transaction reads.
func viewed[T any](w *Workspace, read func(tx *database.Tx) (T, error)) (v T, err error) {
	err = w.View(func(tx *database.Tx) (err error) {
		v, err = read(tx)
		return err
	})
	return v, err
}

// Update runs a write transaction. It is on disk, in the workspace's folder, when update returns
// without an error.
func (w *Workspace) Update(write func(tx *database.Tx) error) error {
	if err := w.MayChange(); err != nil {
		return err
	}
	return w.commit(write)
}

// updateAndTell is update, after which the change is told.
func (w *Workspace) updateAndTell(kind ChangeKind, id string, write func(tx *database.Tx) error) error {
	err := w.Update(write)
	if err == nil {
		w.changes.tell(kind, id)
	}
	return err
}

// commit is update for what can be computed again. Where the workspace can only be read, it goes
// into the copy that is read, and with it.
func (w *Workspace) commit(write func(tx *database.Tx) error) error {
	if err := w.inPlace(); err != nil {
		return err
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	written := false
	err := database.Classify(database.Guard(func() error {
		return w.db.Update(func(tx *database.Tx) error {
			w.changed, w.journalBegan = nil, w.journalEnd
			err := write(tx)
			if err == nil {
				err = w.journalChanges(tx)
			}
			written = err == nil
			return err
		})
	}))
	if err != nil {
		w.cutJournal()
	}
	switch {
	case err == nil:
		return w.inPlace()
	case !written, errors.Is(err, database.ErrDamaged), errors.Is(err, database.ErrClosed):
		return err
	}
	return fmt.Errorf("write %s: %w", filepath.Join(w.path, database.File), err)
}
