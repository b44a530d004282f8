package suite

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/progress"
)

// Verify reads the suite's files below root again and compares labels and bytes with the import,
// whatever their times: after a suite was copied or moved without its times. It returns the
// manifest with Root set to root and the times that the files have now, ready for Open. The error
// wraps ErrMissing when a file is gone and ErrChanged when the content is not that of the import. p
// (may be nil) counts files.
func Verify(ctx context.Context, m Manifest, root string, p progress.Progress) (Manifest, error) {
	p = progress.Or(p)
	now := m
	now.Root, now.Files = root, slices.Clone(m.Files)
	p.SetTotal(int64(len(m.Files)))
	for i, file := range m.Files {
		if entry, err := stat(root, file.Path); err == nil {
			now.Files[i].Modified = entry.Modified
		}
	}
	if err := check(now, root); err != nil {
		return Manifest{}, err
	}
	digests := make([]digest, len(now.Files))
	for i, file := range now.Files {
		if err := ctx.Err(); err != nil {
			return Manifest{}, err
		}
		var err error
		if digests[i], err = digestFile(ctx, filepath.Join(root, filepath.FromSlash(file.Path))); err != nil {
			return Manifest{}, fmt.Errorf("suite %s: %w", m.Name, err)
		}
		p.Add(1)
	}
	labels := m.Labels
	read := map[Format]func(string) ([]int, error){IDX: readLabelsIDX, Arrays: readLabelsArray}[m.Format]
	if read != nil && len(now.Files) > 1 { // the labels file counts by its labels
		digests = digests[:1]
		var err error
		if labels, err = read(filepath.Join(root, filepath.FromSlash(now.Files[1].Path))); err != nil {
			return Manifest{}, fmt.Errorf("suite %s: %w", m.Name, err)
		}
	}
	if contentHash(m.Classes, labels, digests) != m.Hash {
		return Manifest{}, fmt.Errorf("suite %s: %w: the files in %s are not those of the import; "+
			"import the folder as a new suite", m.Name, ErrChanged, root)
	}
	return now, nil
}

func digestFile(ctx context.Context, path string) (digest, error) {
	f, err := outside.Open(path, outside.Images)
	if err != nil {
		return digest{}, err
	}
	defer f.Close()
	return newHashing(outside.Until(ctx, f)).finish()
}
