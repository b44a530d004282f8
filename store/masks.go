package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// madeOfFiles is MaskSet.Made of masks that were given as files.
const madeOfFiles = "files"

// AddMasks adds the masks in a folder to a suite: every mask is read and checked
// (background.DecodeMask). Errors name the file. With copyInside they are copied into the
// workspace. Masks that are there already are stored anew, so that they can be copied inside, or
// found in a new place. Progress counts images.
func (w *Workspace) AddMasks(
	ctx context.Context, suite, folder string, copyInside bool, p engine.Progress,
) (database.MaskSet, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return database.MaskSet{}, err
	}
	read := func(_ int, name string) ([]byte, error) {
		return outside.Read(filepath.Join(folder, filepath.FromSlash(name)), outside.Picture)
	}
	return w.addMasks(ctx, database.MaskSet{Suite: suite, Root: folder, Made: madeOfFiles}, read, copyInside, p)
}

// AddMadeMasks adds masks that were made here, such as by a segmentation model that made names:
// png is the mask of image i as the bytes of a PNG file. They lie inside the workspace. Otherwise
// it is AddMasks.
func (w *Workspace) AddMadeMasks(
	ctx context.Context, suite, made string, png func(i int) ([]byte, error), p engine.Progress,
) (database.MaskSet, error) {
	read := func(i int, _ string) ([]byte, error) { return png(i) }
	return w.addMasks(ctx, database.MaskSet{Suite: suite, Made: made}, read, true, p)
}

// addMasks reads and checks all masks twice where they are copied: once for the hash that names
// their folder, once to write them there.
func (w *Workspace) addMasks(
	ctx context.Context, m database.MaskSet, read func(i int, name string) ([]byte, error), inside bool,
	p engine.Progress,
) (database.MaskSet, error) {
	of, err := w.Suite(m.Suite)
	if err != nil {
		return m, err
	}
	failed := func(err error) (database.MaskSet, error) { return m, fmt.Errorf("masks of suite %s: %w", of.Name, err) }
	sizes, closeSizes := w.sizesOf(ctx, of)
	defer closeSizes()
	h := database.NewMaskHash(m.Suite)
	p.SetTotal(int64(of.Images))
	for i := range of.Images {
		if err := ctx.Err(); err != nil {
			return m, err
		}
		name := database.MaskName(of.ImageName(i))
		data, err := read(i, name)
		if err != nil {
			return failed(maskError(m.Root, name, err))
		}
		height, width, err := sizes(i)
		if err != nil {
			return failed(err)
		}
		if _, err := background.DecodeMask(data, height, width); err != nil {
			return failed(fmt.Errorf("mask %s: %w", name, err))
		}
		sum := sha256.Sum256(data)
		h.Write(sum[:])
		file := suite.File{Path: name, Size: int64(len(data))}
		if m.Root != "" {
			info, err := os.Stat(filepath.Join(m.Root, filepath.FromSlash(name)))
			if err != nil {
				return failed(maskError(m.Root, name, err))
			}
			file.Modified = info.ModTime()
		}
		m.Files = append(m.Files, file)
		p.Add(1)
	}
	m.Hash, m.Added = hex.EncodeToString(h.Sum(nil)), database.Now()
	if m, err = w.putMasks(ctx, m, read, inside); err != nil {
		return failed(err)
	}
	w.changes.tell(BackgroundChanged, m.Hash)
	return m, nil
}

// putMasks holds the lock of the set's hash until the database names the copy, so that nothing
// takes it.
func (w *Workspace) putMasks(
	ctx context.Context, m database.MaskSet, read func(i int, name string) ([]byte, error), inside bool,
) (database.MaskSet, error) {
	unlock := w.lockKey(m.Hash)
	defer unlock()
	old, err := w.MaskSet(m.Hash)
	if err != nil && !errors.Is(err, database.ErrNotFound) {
		return m, err
	}
	if err == nil {
		m.Added, m.Root = old.Added, cmp.Or(m.Root, old.Root)
		if m.Made == madeOfFiles { // what is known of them stays known
			m.Made = old.Made
		}
	}
	switch {
	case inside:
		if err := w.copyMasks(ctx, &m, read); err != nil {
			return m, fmt.Errorf("copy them into the workspace: %w", err)
		}
	case old.Copied():
		m.Inside, m.Files = old.Inside, old.Files
	default:
		m.Inside = w.relative(m.Root)
	}
	return m, w.storeMasks(m)
}

func (w *Workspace) storeMasks(m database.MaskSet) error {
	return w.Update(func(tx *database.Tx) error {
		if err := needSuite(tx, m.Suite); err != nil {
			return err
		}
		if err := database.MaskDetails.Put(tx, m.Hash, database.MaskPart{Files: m.Files}); err != nil {
			return err
		}
		m.Files = nil
		return database.Masks.Put(tx, m.Hash, m)
	})
}

// copyMasks writes the masks below masks/HASH and notes it in the set. Masks that two images share
// are written twice, alike.
func (w *Workspace) copyMasks(ctx context.Context, m *database.MaskSet,
	read func(i int, name string) ([]byte, error),
) error {
	_, absent := os.Stat(filepath.Join(w.path, database.MasksFolder, m.Hash))
	root, err := durable.Below(w.path, database.MasksFolder, m.Hash)
	if err != nil {
		return err
	}
	if err := w.fillMasks(ctx, root, m, read); err != nil {
		if absent != nil { // an older copy stays
			_ = durable.DeleteAll(root)
		}
		return err
	}
	m.Inside = path.Join(database.MasksFolder, m.Hash)
	return nil
}

func (w *Workspace) fillMasks(
	ctx context.Context, root string, m *database.MaskSet, read func(i int, name string) ([]byte, error),
) error {
	for i, f := range m.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		local, err := filepath.Localize(f.Path)
		if err != nil {
			return fmt.Errorf("%s lies outside the suite's folder", f.Path)
		}
		data, err := read(i, f.Path)
		if err == nil && int64(len(data)) != f.Size {
			err = errors.New("it has changed meanwhile")
		}
		if err != nil {
			return maskError(m.Root, f.Path, err)
		}
		if folder := filepath.Dir(local); folder != "." {
			if _, err := durable.Below(root, strings.Split(folder, string(filepath.Separator))...); err != nil {
				return err
			}
		}
		at := filepath.Join(root, local)
		err = w.WriteFile(at, func(out io.Writer) error {
			_, err := out.Write(data)
			return err
		})
		if err != nil {
			return err
		}
		info, err := os.Stat(at)
		if err != nil {
			return err
		}
		m.Files[i].Modified = info.ModTime()
	}
	return nil
}

func maskError(root, name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("mask %s is not in %s; every image needs one, a picture of its name with the ending .png",
			name, cmp.Or(root, "the workspace"))
	}
	return fmt.Errorf("mask %s: %w", name, err)
}

// sizesOf gives the height and width of a suite's images: from the manifest where all have one
// size, else from the images themselves.
func (w *Workspace) sizesOf(
	ctx context.Context, of suite.Manifest,
) (size func(i int) (height, width int, err error), closed func()) {
	if of.Shape[1] > 0 && of.Shape[2] > 0 {
		return func(int) (int, int, error) { return of.Shape[1], of.Shape[2], nil }, func() {}
	}
	opened, err := w.OpenSuiteContext(ctx, of.Hash)
	if err != nil {
		return func(int) (int, int, error) { return 0, 0, err }, func() {}
	}
	read := func(i int) (int, int, error) {
		img, err := opened.Image(i)
		return img.Height, img.Width, err
	}
	return read, func() { _ = opened.Close() }
}

// MaskSets are the mask sets of a suite, oldest first.
func (w *Workspace) MaskSets(suite string) ([]database.MaskSet, error) {
	var list []database.MaskSet
	err := w.View(func(tx *database.Tx) error {
		every, err := database.Masks.All(tx)
		if err != nil {
			return err
		}
		for _, m := range every {
			if m.Suite != suite {
				continue
			}
			if m, err = database.GetMasks(tx, m.Hash); err != nil {
				return err
			}
			list = append(list, m)
		}
		return nil
	})
	slices.SortStableFunc(list, func(a, b database.MaskSet) int { return a.Added.Compare(b.Added) })
	return list, err
}

// MaskSet reads one by its hash; ErrNotFound where there is none.
func (w *Workspace) MaskSet(hash string) (database.MaskSet, error) {
	return viewed(w, func(tx *database.Tx) (database.MaskSet, error) { return database.GetMasks(tx, hash) })
}

// RemoveMasks removes a mask set, and its files where they lie inside. One that a selection rests
// on stays.
func (w *Workspace) RemoveMasks(hash string) error {
	var m database.MaskSet
	err := w.Update(func(tx *database.Tx) (err error) {
		if m, err = database.GetMasks(tx, hash); err != nil {
			return err
		}
		name, err := selectionOf(tx, func(s background.Selection) bool { return s.Masks == hash })
		if err == nil && name != "" {
			err = fmt.Errorf("selection %s rests on them; remove that one first", name)
		}
		if err != nil {
			return err
		}
		return database.Masks.Forget(tx, hash)
	})
	if err != nil {
		return fmt.Errorf("remove masks %.12s: %w", hash, err)
	}
	if m.Copied() {
		for _, f := range m.Files {
			_ = w.removeUnnamed(path.Join(m.Inside, f.Path)) // what stays all the same is taken by RemoveUnusedFiles
		}
	}
	w.changes.tell(BackgroundChanged, hash)
	return nil
}
