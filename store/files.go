package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// WriteFile puts a file of the workspace in place so that it is there whole or not at all. Its
// draft lies in the topmost folder on the way to it, where the next opening finds what a kill has
// left without looking into every folder.
func (w *Workspace) WriteFile(path string, fill func(io.Writer) error) error {
	if err := w.MayChange(); err != nil {
		return err
	}
	top := w.path
	if name, err := filepath.Rel(w.path, path); err == nil {
		if first, _, below := strings.Cut(name, string(filepath.Separator)); below {
			top = filepath.Join(top, first)
		}
	}
	return durable.Through(filepath.Join(top, w.NewID()+database.PartSuffix), path, fill)
}

// HashFile is the SHA-256 of a file, hexadecimal. It ends with ctx.
func HashFile(ctx context.Context, path string) (string, error) {
	in, err := outside.Open(path, outside.KeptOutside)
	if err != nil {
		return "", err
	}
	defer func() { _ = in.Close() }() // read only: nothing is lost
	return Hash(ctx, in)
}

// Hash is the SHA-256 of what in holds, hexadecimal. It ends with ctx.
func Hash(ctx context.Context, in io.Reader) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(&durable.Cancellable{Ctx: ctx, Out: sum}, in); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// PackageDraft makes a folder in the workspace to unpack a package in, on the same disk. The
// caller removes it; what a kill has left of it goes at the next opening.
func (w *Workspace) PackageDraft() (string, error) {
	return durable.Below(w.path, database.DraftPackage+w.NewID())
}

// removeDrafts removes files that were being written when a process died, and packages that were
// being unpacked. Nobody else writes at this moment, and what cannot be removed does no harm.
func (w *Workspace) removeDrafts() {
	for _, pattern := range []string{"*" + database.PartSuffix, "*/*" + database.PartSuffix, database.DraftPackage +
		"*"} {
		left, err := filepath.Glob(filepath.Join(escaped(w.path), filepath.FromSlash(pattern)))
		if err != nil {
			return
		}
		for _, path := range left {
			_ = durable.DeleteAll(path)
		}
	}
}

// escaped is a path as a pattern that it alone matches.
func escaped(path string) string {
	if filepath.Separator == '\\' {
		return path // Windows knows no escapes in patterns, and no asterisk in names
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// inPlace tells whether the database lies where it was opened. One that was removed or moved
// meanwhile takes every change without an error, and with it into nothing.
func (w *Workspace) inPlace() error {
	if w.database == nil {
		return nil // what the doctor has open is its own
	}
	there, err := os.Stat(filepath.Join(w.path, database.File))
	if err == nil && os.SameFile(there, w.database) {
		return nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return fmt.Errorf("%s: %w; what was saved until now is in the folder that was moved",
		filepath.Join(w.path, database.File), ErrGone)
}

// dropUnlessNamed removes a file whose record could not be stored. A transaction that fails in its
// very last step can be there all the same, and then the file must stay; where that cannot be
// told, it stays too, and RemoveUnusedFiles takes it.
func (w *Workspace) dropUnlessNamed(path string) {
	name, err := filepath.Rel(w.path, path)
	if err == nil {
		_ = w.removeUnlocked(filepath.ToSlash(name))
	}
}
