package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"go.etcd.io/bbolt"

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

// diskFile is a file of the workspace, with slashes, relative to its folder.
type diskFile struct {
	name string
	size int64
}

// claim says what a file of models, signals, suites, masks or predictions belongs to: the key is a
// model's hash, a unit's key, a suite's or mask set's hash or a table's id. Whoever writes the
// file holds the key's lock until the database names it.
type claim struct {
	folder, key string
	part        bool // the file was being written
}

// claimOf is false for files that are not the workspace's own to remove. Unfinished files of
// models have names of their own, which tell no key; they go at the next opening.
func claimOf(name string) (claim, bool) {
	folder, rest, _ := strings.Cut(name, "/")
	whole := strings.TrimSuffix(rest, partSuffix)
	p, ok := claim{folder: folder, part: whole != rest}, false
	switch folder {
	case modelsFolder:
		p.key, ok = strings.CutSuffix(whole, modelSuffix)
	case signalsFolder:
		p.key, ok = strings.CutSuffix(path.Base(whole), unitSuffix)
	case suitesFolder, masksFolder:
		p.key, _, ok = strings.Cut(whole, "/")
	case predictionsFolder:
		p.key, ok = strings.CutSuffix(whole, unitSuffix)
		return p, ok && isULID(p.key)
	}
	return p, ok && isHash(p.key)
}

// filesOf lists the regular files below a folder of the workspace, "" for all. The workspace and the
// folders in it may be links, as to a larger disk. A file that disappears meanwhile does not
// count.
func filesOf(ctx context.Context, path, folder string) ([]diskFile, error) {
	var list []diskFile
	root := filepath.Join(path, folder)
	if linked, err := filepath.EvalSymlinks(root); err == nil {
		root = linked // a walk does not follow where it begins
	}
	err := filepath.WalkDir(root, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case entry.IsDir():
			return nil
		}
		below, err := filepath.Rel(root, at)
		if err != nil {
			return err
		}
		name := filepath.Join(folder, below)
		if entry.Type()&fs.ModeSymlink != 0 && folder == "" && !strings.ContainsRune(below, filepath.Separator) {
			inside, err := filesOf(ctx, path, name)
			list = append(list, inside...)
			return err
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			list = append(list, diskFile{filepath.ToSlash(name), info.Size()})
		}
		return nil
	})
	return list, err
}

// Sweep removes the files of models, signals, suites, masks and predictions that the database does
// not name, such as what a kill in the middle of a removal, an import or a run has left, and
// returns what was freed. Others may write meanwhile: what they are about to have named stays.
func (w *Workspace) Sweep(ctx context.Context) (FileUse, error) {
	var freed FileUse
	for _, folder := range []string{modelsFolder, signalsFolder, suitesFolder, masksFolder, predictionsFolder} {
		files, err := filesOf(ctx, w.path, folder)
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
			if err := w.removeUnnamed(f.name); err != nil {
				return freed, fmt.Errorf("remove %s: %w", f.name, classify(err))
			}
			if _, err := os.Stat(filepath.Join(w.path, filepath.FromSlash(f.name))); errors.Is(err, fs.ErrNotExist) {
				freed.add(f.size)
			}
		}
	}
	return freed, nil
}

// removeUnnamed removes a file unless the database names it, with the lock of its key: who writes
// the file again at this moment keeps it, and an unfinished file is nobody's once its writer has
// let go.
func (w *Workspace) removeUnnamed(name string) error {
	p, ours := claimOf(name)
	if !ours {
		return nil
	}
	unlock := w.lockPlace(p.key)
	defer unlock()
	return w.removeUnlocked(name)
}

// removeUnlocked is removeUnnamed for who has the lock of the file's key.
func (w *Workspace) removeUnlocked(name string) error {
	p, ours := claimOf(name)
	if !ours {
		return nil
	}
	named, err := viewed(w, func(tx *bbolt.Tx) (bool, error) { return isNamed(tx, p) })
	if err != nil || named {
		return err
	}
	at := filepath.Join(w.path, filepath.FromSlash(name))
	if err := durable.Delete(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if p.folder == suitesFolder || p.folder == masksFolder {
		w.dropEmpty(filepath.Dir(at), filepath.Join(w.path, p.folder))
	}
	return nil
}

// unnamed are those of some files that are the workspace's own and that the database does not name.
func (w *Workspace) unnamed(files []diskFile) (loose []diskFile, err error) {
	known := map[claim]bool{}
	err = w.view(func(tx *bbolt.Tx) error {
		for _, f := range files {
			p, ours := claimOf(f.name)
			if _, asked := known[p]; ours && !asked {
				if known[p], err = isNamed(tx, p); err != nil {
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

func isNamed(tx *bbolt.Tx, p claim) (bool, error) {
	if p.part {
		return false, nil
	}
	switch p.folder {
	case modelsFolder:
		return bucketModels.has(tx, p.key), nil
	case suitesFolder:
		m, _, err := bucketSuites.get(tx, p.key)
		return m.Copied, err
	case masksFolder:
		m, _, err := bucketMasks.get(tx, p.key)
		return m.copied(), err
	case predictionsFolder:
		return bucketPredictions.has(tx, p.key), nil
	}
	return bucketUnits.has(tx, p.key), nil
}

// dropEmpty removes a folder and those above it as far as they are empty, below root. The caller
// holds the lock under which they are filled.
func (w *Workspace) dropEmpty(folder, root string) {
	for folder != root && durable.Delete(folder) == nil {
		folder = filepath.Dir(folder)
	}
}
