package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// AsideFolder is where Repair puts what it takes out of a workspace: files under their own paths,
// records as lines of JSON.
const AsideFolder = "set-aside"

// DraftPackage begins the names of folders of the workspace in which packages are unpacked.
const DraftPackage = ".package-"

// UnitPath is the file of a unit inside the workspace, with slashes.
func UnitPath(unitKey string) string {
	return path.Join(SignalsFolder, unitKey[:2], unitKey+UnitSuffix)
}

// Places are the folders where files may be, likeliest first: root, and inside below the
// workspace, where they were copied or which leads to root.
func Places(path, root, inside string, copied bool) (places []string) {
	below := filepath.Join(path, filepath.FromSlash(inside))
	if copied {
		places = append(places, below)
	}
	if root != "" {
		places = append(places, root)
	}
	if !copied && inside != "" && below != root {
		places = append(places, below)
	}
	return places
}

// ListedFile is a file of the workspace, with slashes, relative to its folder.
type ListedFile struct {
	Name string
	Size int64
}

// FileKey says what a file of models, signals, suites, masks or predictions belongs to: the key is
// a model's hash, a unit's key, a suite's or mask set's hash or a table's id. Whoever writes the
// file holds the key's lock until the database names it.
type FileKey struct {
	Folder, Key string
	part        bool // the file was being written
}

// FileKeyOf is false for files that are not the workspace's own to remove. Unfinished files of
// models have names of their own, which tell no key; they go at the next opening.
func FileKeyOf(name string) (FileKey, bool) {
	folder, rest, _ := strings.Cut(name, "/")
	whole := strings.TrimSuffix(rest, PartSuffix)
	p, ok := FileKey{Folder: folder, part: whole != rest}, false
	switch folder {
	case ModelsFolder:
		p.Key, ok = strings.CutSuffix(whole, ModelSuffix)
	case SignalsFolder:
		p.Key, ok = strings.CutSuffix(path.Base(whole), UnitSuffix)
	case SuitesFolder, MasksFolder:
		p.Key, _, ok = strings.Cut(whole, "/")
	case PredictionsFolder:
		p.Key, ok = strings.CutSuffix(whole, UnitSuffix)
		return p, ok && IsULID(p.Key)
	}
	return p, ok && IsHash(p.Key)
}

// ListFiles lists the regular files below a folder of the workspace, "" for all. The workspace and
// the folders in it may be links, as to a larger disk. A file that disappears meanwhile does not
// count.
func ListFiles(ctx context.Context, path, folder string) ([]ListedFile, error) {
	var list []ListedFile
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
			inside, err := ListFiles(ctx, path, name)
			list = append(list, inside...)
			return err
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			list = append(list, ListedFile{filepath.ToSlash(name), info.Size()})
		}
		return nil
	})
	return list, err
}

// IsNamed tells whether the database names the file of a key; unfinished files are named by
// nothing.
func IsNamed(tx *Tx, p FileKey) (bool, error) {
	if p.part {
		return false, nil
	}
	switch p.Folder {
	case ModelsFolder:
		return Models.Has(tx, p.Key), nil
	case SuitesFolder:
		m, _, err := Suites.Get(tx, p.Key)
		return m.Copied, err
	case MasksFolder:
		m, _, err := Masks.Get(tx, p.Key)
		return m.Copied(), err
	case PredictionsFolder:
		return Predictions.Has(tx, p.Key), nil
	}
	return Units.Has(tx, p.Key), nil
}

// TablePath is the file of a table inside the workspace, with slashes.
func TablePath(id string) string { return path.Join(PredictionsFolder, id+UnitSuffix) }

// ThumbSuffix is the ending of a thumbnail's file.
const ThumbSuffix = ".png"

// ErrNotWorkspace: the path is no workspace folder, or its database is gone.
var ErrNotWorkspace = errors.New("not a Variscope workspace")

// Locate finds the workspace's folder; with an error, path is absolute all the same.
func Locate(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for _, folder := range []string{path, WithSuffix(path)} {
		info, err := os.Stat(filepath.Join(folder, File))
		if err == nil && info.Mode().IsRegular() {
			return folder, nil
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) && os.IsPermission(err) {
			return path, fmt.Errorf("workspace %s: %w", NameOf(folder), err)
		}
	}
	if _, err := os.Stat(path); err != nil {
		return path, fmt.Errorf("%s: %w: there is no such folder", path, ErrNotWorkspace)
	}
	return path, fmt.Errorf("%s: %w: it has no %s", path, ErrNotWorkspace, File)
}

// WithSuffix is a path that ends with .variscope.
func WithSuffix(path string) string {
	path = strings.TrimRight(path, string(filepath.Separator))
	if strings.HasSuffix(path, Suffix) {
		return path
	}
	return path + Suffix
}
