package background

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// Masks are the opened masks of a suite. They hold no files.
type Masks struct {
	set  store.MaskSet
	root string
}

// OpenMasks opens a mask set wherever it lies now; missing or changed files are errors as those of
// suites (store.Workspace.MaskFolder).
func OpenMasks(ctx context.Context, ws *store.Workspace, set store.MaskSet) (*Masks, error) {
	root, err := ws.MaskFolder(ctx, set)
	if err != nil {
		return nil, err
	}
	return &Masks{set: set, root: root}, nil
}

// AddMade adds the masks that MasksFromSegmentation wrote into a folder to their suite, inside the
// workspace, together with what made them. The folder is not needed any more afterwards. The
// errors are those of store.Workspace.AddMasks.
func AddMade(
	ctx context.Context, ws *store.Workspace, s Segmenter, of suite.Manifest, folder string, p engine.Progress,
) (store.MaskSet, error) {
	return ws.AddMadeMasks(ctx, of.Hash, s.Made(), func(i int) ([]byte, error) {
		return os.ReadFile(filepath.Join(folder, filepath.FromSlash(MaskFile(of.ImageName(i)))))
	}, p)
}

// Set is the mask set that is opened.
func (m *Masks) Set() store.MaskSet { return m.set }

// Len is the number of masks, one per image of their suite.
func (m *Masks) Len() int { return len(m.set.Files) }

// Mask reads the mask of image i, which has height x width pixels. Safe for many goroutines.
// Errors name the file.
func (m *Masks) Mask(i, height, width int) (background.Mask, error) {
	if i < 0 || i >= len(m.set.Files) {
		return background.Mask{}, fmt.Errorf("masks %.12s: no mask %d; there are %d", m.set.Hash, i, len(m.set.Files))
	}
	return ReadMask(m.root, m.set.Files[i].Path, height, width)
}

// ReadMask reads a mask of height x width pixels from a folder. Errors name the file.
func ReadMask(folder, name string, height, width int) (mask background.Mask, err error) {
	data, err := outside.Read(filepath.Join(folder, filepath.FromSlash(name)), outside.Picture)
	if errors.Is(err, fs.ErrNotExist) {
		return mask, fmt.Errorf("mask %s is not in %s", name, folder)
	}
	if err == nil {
		mask, err = background.DecodeMask(data, height, width)
	}
	if err != nil {
		return mask, fmt.Errorf("mask %s: %w", name, err)
	}
	return mask, nil
}
