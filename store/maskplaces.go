package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/database"
)

// MaskFolder is the folder where the masks of a set lie now: the copy inside, the absolute path,
// or the path relative to the workspace. Their sizes and times are those of the set; where a time
// differs, as in a copied workspace, all of them are hashed and the times of now are noted. The
// error is ErrNoImages when they are nowhere, suite.ErrChanged when they are not those of the
// import; both name a file.
func (w *Workspace) MaskFolder(ctx context.Context, set database.MaskSet) (string, error) {
	places := database.Places(w.path, set.Root, set.Inside, set.Copied())
	var problem error
	for _, root := range places {
		err := w.masksIn(ctx, set, root)
		if err == nil {
			return root, nil
		}
		if !errors.Is(err, suite.ErrMissing) {
			problem = errors.Join(problem, err)
		}
	}
	if problem != nil {
		return "", problem
	}
	return "", fmt.Errorf("masks %.12s: %w (they were in %s); add the masks again from the folder where they are now",
		set.Hash, ErrNoImages, strings.Join(places, ", "))
}

// masksIn says why the masks of a set do not lie below root.
func (w *Workspace) masksIn(ctx context.Context, set database.MaskSet, root string) error {
	if len(set.Files) == 0 {
		return fmt.Errorf("masks %.12s: %w (no files)", set.Hash, database.ErrDamaged)
	}
	files, same := slices.Clone(set.Files), true
	for i, want := range set.Files {
		if !filepath.IsLocal(filepath.FromSlash(want.Path)) {
			return fmt.Errorf("masks %.12s: %w (%s lies outside of their folder)", set.Hash, database.ErrDamaged,
				want.Path)
		}
		info, err := os.Stat(filepath.Join(root, filepath.FromSlash(want.Path)))
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || err == nil &&
			!info.Mode().IsRegular():
			return fmt.Errorf("masks %.12s: %w: %s cannot be read in %s", set.Hash, suite.ErrMissing, want.Path, root)
		case err != nil:
			return fmt.Errorf("masks %.12s: %w", set.Hash, err)
		case info.Size() != want.Size:
			return changedMasks(set, want.Path, root)
		}
		same = same && info.ModTime().Equal(want.Modified)
		files[i].Modified = info.ModTime()
	}
	if same {
		return nil
	}
	sum, err := set.HashIn(ctx, root)
	if err != nil {
		return fmt.Errorf("masks %.12s: %w", set.Hash, err)
	}
	if sum != set.Hash {
		return changedMasks(set, "one of them", root)
	}
	set.Files = files
	return w.storeMasks(set)
}

func changedMasks(set database.MaskSet, what, root string) error {
	return fmt.Errorf("masks %.12s: %w: %s in %s is not what it was when they were added; add them as new masks",
		set.Hash, suite.ErrChanged, what, root)
}
