package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// SaveCopy saves a copy of the workspace as it is now in a new folder and returns the folder; the
// suffix .variscope is added where it is missing. The copy is a desk of its own, so that labels
// made in both stay apart when they are merged. Others may read and write meanwhile. Progress
// counts bytes. After an error or a kill nothing is left at the place of the copy.
func (w *Workspace) SaveCopy(ctx context.Context, to string, p engine.Progress) (string, error) {
	to, err := target(to)
	if err != nil {
		return "", err
	}
	c := transfer{from: w.path, to: to, progress: p}
	err = c.run(ctx, func(draft string) error {
		if err := w.saveDatabase(ctx, filepath.Join(draft, database.File), p); err != nil {
			return err
		}
		return c.settle(draft, true)
	})
	if err != nil {
		return "", fmt.Errorf("copy workspace %s to %s: %w", w.Name(), to, database.Classify(err))
	}
	return to, nil
}

// saveDatabase writes the database of one moment.
func (w *Workspace) saveDatabase(ctx context.Context, path string, p engine.Progress) error {
	return durable.Through(path+database.PartSuffix, path, func(out io.Writer) error {
		return w.View(func(tx *database.Tx) error {
			n, err := database.Write(ctx, tx, out)
			p.Add(n)
			return err
		})
	})
}

// target is the absolute path of a new workspace, which must be free. What a killed copy has left
// there goes.
func target(to string) (string, error) {
	to, err := filepath.Abs(database.WithSuffix(to))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Dir(to)); err != nil {
		return "", fmt.Errorf("workspace %s: its folder %s is not there; make it first", database.NameOf(to),
			filepath.Dir(to))
	}
	if err := free(to); err != nil {
		return "", fmt.Errorf("workspace %s: %s %w; choose another name", database.NameOf(to), to, err)
	}
	durable.RemoveDrafts(to)
	return to, nil
}

// Move moves a workspace that nobody has open to a new place and returns it; the suffix .variscope
// is added where it is missing. On the same disk that is one rename. Between disks everything is
// copied first, the copy gets its name when it is whole, and the old folder goes last: after an
// error or a kill at any moment at least one of the two is whole.
func Move(ctx context.Context, from, to string, p engine.Progress) (string, error) {
	from, err := database.Locate(from)
	if err != nil {
		return "", err
	}
	if to, err = target(to); err != nil {
		return "", err
	}
	held, err := database.LockClosed(from)
	if err != nil {
		return "", err
	}
	defer held.Unlock()
	c := transfer{from: from, to: to, progress: p}
	if err := c.move(ctx, held); err != nil {
		return "", fmt.Errorf("move workspace %s to %s: %w", database.NameOf(from), to, database.Classify(err))
	}
	return to, nil
}

// CheckName returns the name that a workspace gets for what was typed, without the suffix
// .variscope.
func CheckName(name string) (string, error) {
	name = strings.TrimSuffix(strings.TrimSpace(name), database.Suffix)
	if name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) {
		return "", fmt.Errorf("%q is no name for a workspace: "+
			"take letters and digits, no slash, backslash or colon", name)
	}
	return name, nil
}

// transfer brings a workspace from one folder to another.
type transfer struct {
	from, to string
	progress engine.Progress
}

// move runs under the lock of the database.
func (c transfer) move(ctx context.Context, held *database.ClosedLock) error {
	held.ReleaseToRename()
	err := durable.Move(c.from, c.to)
	if err == nil {
		held.Unlock()
		// It is moved whatever happens now. The absolute paths of the suites are right without the
		// relative ones.
		_ = errors.Join(durable.SyncDir(filepath.Dir(c.from)), durable.SyncDir(filepath.Dir(c.to)),
			c.settle(c.to, false))
		return nil
	}
	if !durable.IsOtherDisk(err) {
		return err
	}
	if err := held.Retake(); err != nil {
		return err
	}
	err = c.run(ctx, func(draft string) error {
		from := filepath.Join(c.from, database.File)
		if err := durable.CopyFile(ctx, from, filepath.Join(draft, database.File), c.progress.Add); err != nil {
			return err
		}
		return c.settle(draft, false)
	})
	if err != nil {
		return err
	}
	// A folder that is half removed must not look like a workspace.
	leftover := durable.DraftOf(c.from)
	if err := durable.MoveUnless(c.from, leftover, held.BeforeRename); err != nil {
		return err
	}
	if err := durable.DeleteAll(leftover); err != nil {
		return fmt.Errorf("it is moved, but its old folder could not be removed; remove %s: %w", leftover, err)
	}
	return nil
}

// run copies everything but the database, which put makes there, into a draft beside the place
// and renames it.
func (c transfer) run(ctx context.Context, put func(draft string) error) error {
	files, bytes, err := c.list()
	if err != nil {
		return err
	}
	if space, err := FreeSpace(filepath.Dir(c.to)); err == nil && space < bytes {
		return fmt.Errorf("%w (%s is needed, %s is free)", ErrFull, SizeText(bytes), SizeText(space))
	}
	c.progress.SetTotal(bytes)
	draft := durable.DraftOf(c.to)
	if err := c.fill(ctx, draft, files, put); err != nil {
		_ = durable.DeleteAll(draft)
		return err
	}
	return durable.SyncDir(filepath.Dir(c.to))
}

func (c transfer) fill(ctx context.Context, draft string, files []string, put func(draft string) error) error {
	if err := durable.DeleteAll(draft); err != nil {
		return err
	}
	if err := durable.Mkdir(draft); err != nil {
		return err
	}
	// The database first: the files that it names are there by then, and those that are added
	// meanwhile do no harm.
	if err := put(draft); err != nil {
		return err
	}
	for _, file := range files {
		if err := c.file(ctx, draft, file); err != nil {
			return err
		}
	}
	return durable.Move(draft, c.to)
}

// file copies one file and keeps its time, which tells whether a suite's images are those of the
// import. One that was removed meanwhile is passed over.
func (c transfer) file(ctx context.Context, draft, name string) error {
	from, to := filepath.Join(c.from, name), filepath.Join(draft, name)
	info, err := os.Stat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if folder := filepath.Dir(name); folder != "." {
		if _, err := durable.Below(draft, strings.Split(folder, string(filepath.Separator))...); err != nil {
			return err
		}
	}
	if err := durable.CopyFile(ctx, from, to, c.progress.Add); err != nil {
		return err
	}
	return durable.SetTime(to, info.ModTime())
}

// list gives the files to copy, relative to the folder, and the size of everything with the
// database. What belongs to this process or this place stays: the owner, files that are being
// written, backups, and the queue for other machines.
func (c transfer) list() (files []string, bytes int64, err error) {
	err = filepath.WalkDir(c.from, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(c.from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name == database.BackupsFolder || name == database.QueueFolder {
				return fs.SkipDir
			}
			return nil
		}
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() || name == database.OwnerFile ||
			strings.HasSuffix(name, database.PartSuffix) {
			return nil
		}
		bytes += info.Size()
		if name != database.File {
			files = append(files, name)
		}
		return nil
	})
	return files, bytes, err
}

// settle makes the relative paths of referenced suites right for the place to, in the database
// that lies in folder, and gives it a desk of its own if asked to.
func (c transfer) settle(folder string, newDesk bool) error {
	db, err := database.OpenNew(filepath.Join(folder, database.File))
	if err != nil {
		return err
	}
	err = database.Guard(func() error {
		return db.Update(func(tx *database.Tx) error {
			if newDesk {
				var ids database.IDs
				if err := database.Meta.In(tx).Put(database.KeyDesk, []byte(ids.Next().String())); err != nil {
					return err
				}
			}
			return relate(tx, c.to)
		})
	})
	return errors.Join(err, db.Close())
}

// relate writes the paths of referenced suites and masks relative to a workspace's place.
func relate(tx *database.Tx, place string) error {
	list, err := database.Suites.All(tx)
	if err != nil {
		return err
	}
	there := Workspace{path: place}
	for _, m := range list {
		inside := there.relative(m.Root)
		if m.Copied || m.Derived != nil || inside == m.Inside {
			continue
		}
		m.Inside = inside
		if err := database.Suites.Put(tx, m.Hash, m); err != nil {
			return err
		}
	}
	masks, err := database.Masks.All(tx)
	if err != nil {
		return err
	}
	for _, m := range masks {
		inside := there.relative(m.Root)
		if m.Copied() || inside == m.Inside {
			continue
		}
		m.Inside = inside
		if err := database.Masks.Put(tx, m.Hash, m); err != nil {
			return err
		}
	}
	return nil
}
