package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// FileUse is what files of one kind take up on disk.
type FileUse struct {
	Files int
	Bytes int64
}

func (u *FileUse) add(size int64) {
	u.Files++
	u.Bytes += size
}

// RemoveUnusedFiles removes the files of models, signals, suites, masks and predictions that the
// database does not name, such as what a kill in the middle of a removal, an import or a run has
// left, and returns what was freed. Others may write meanwhile: what they are about to have named
// stays.
func (w *Workspace) RemoveUnusedFiles(ctx context.Context) (FileUse, error) {
	var freed FileUse
	for _, folder := range []string{
		database.ModelsFolder, database.SignalsFolder, database.SuitesFolder,
		database.MasksFolder, database.PredictionsFolder,
	} {
		files, err := database.ListFiles(ctx, w.path, folder)
		if err != nil {
			return freed, fmt.Errorf("list the %s of workspace %s: %w", folder, w.Name(), err)
		}
		loose, err := w.unnamed(files)
		if err != nil {
			return freed, err
		}
		for _, f := range loose {
			if err := ctx.Err(); err != nil {
				return freed, err
			}
			if err := w.removeUnnamed(f.Name); err != nil {
				return freed, fmt.Errorf("remove %s: %w", f.Name, database.Classify(err))
			}
			if _, err := os.Stat(filepath.Join(w.path, filepath.FromSlash(f.Name))); errors.Is(err, fs.ErrNotExist) {
				freed.add(f.Size)
			}
		}
	}
	return freed, nil
}

// removeUnnamed removes a file unless the database names it, with the lock of its key: who writes
// the file again at this moment keeps it, and an unfinished file is nobody's once its writer has
// let go.
func (w *Workspace) removeUnnamed(name string) error {
	p, ours := database.FileKeyOf(name)
	if !ours {
		return nil
	}
	unlock := w.lockKey(p.Key)
	defer unlock()
	return w.removeUnlocked(name)
}

// removeUnlocked is removeUnnamed for who has the lock of the file's key.
func (w *Workspace) removeUnlocked(name string) error {
	p, ours := database.FileKeyOf(name)
	if !ours {
		return nil
	}
	named, err := viewed(w, func(tx *database.Tx) (bool, error) { return database.IsNamed(tx, p) })
	if err != nil || named {
		return err
	}
	at := filepath.Join(w.path, filepath.FromSlash(name))
	if err := durable.Delete(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if p.Folder == database.SuitesFolder || p.Folder == database.MasksFolder {
		w.dropEmpty(filepath.Dir(at), filepath.Join(w.path, p.Folder))
	}
	return nil
}

// unnamed are those of some files that are the workspace's own and that the database does not name.
func (w *Workspace) unnamed(files []database.ListedFile) (loose []database.ListedFile, err error) {
	known := map[database.FileKey]bool{}
	err = w.View(func(tx *database.Tx) error {
		for _, f := range files {
			p, ours := database.FileKeyOf(f.Name)
			if _, asked := known[p]; ours && !asked {
				if known[p], err = database.IsNamed(tx, p); err != nil {
					return err
				}
			}
			if ours && !known[p] {
				loose = append(loose, f)
			}
		}
		return nil
	})
	return loose, err
}

// dropEmpty removes a folder and those above it as far as they are empty, below root. The caller
// holds the lock under which they are filled.
func (w *Workspace) dropEmpty(folder, root string) {
	for folder != root && durable.Delete(folder) == nil {
		folder = filepath.Dir(folder)
	}
}
