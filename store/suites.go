package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// Suites returns all suites by name in natural order, without Labels and Files; Suite returns them
// whole.
func (w *Workspace) Suites() ([]suite.Manifest, error) {
	list, err := viewed(w, func(tx *database.Tx) ([]suite.Manifest, error) { return database.AllSuites(tx) })
	slices.SortStableFunc(list, func(a, b suite.Manifest) int {
		if c := result.Natural(a.Name, b.Name); c != 0 {
			return c
		}
		return a.Added.Compare(b.Added)
	})
	return list, err
}

// Suite returns the whole manifest of the suite with this content hash, or ErrNotFound. Labels,
// files and place of a derived suite are those of its base.
func (w *Workspace) Suite(hash string) (suite.Manifest, error) {
	return viewed(w, func(tx *database.Tx) (suite.Manifest, error) { return database.GetSuite(tx, hash) })
}

// FindSuite returns the whole manifest of the suite with this name, this hash or the only hash
// that starts with these (six or more) digits. Of several with the same name it is the newest.
func (w *Workspace) FindSuite(nameOrHash string) (suite.Manifest, error) {
	list, err := w.Suites()
	if err != nil {
		return suite.Manifest{}, err
	}
	for _, m := range slices.Backward(list) {
		if m.Name == nameOrHash {
			return w.Suite(m.Hash)
		}
	}
	var m suite.Manifest
	err = w.View(func(tx *database.Tx) (err error) {
		hash := database.Suites.Only(tx, strings.ToLower(nameOrHash))
		if hash == "" {
			return database.NotFound("suite", nameOrHash)
		}
		m, err = database.GetSuite(tx, hash)
		return err
	})
	return m, err
}

func needSuite(tx *database.Tx, hash string) error {
	if !database.Suites.Has(tx, hash) {
		return database.Suites.Missing(hash)
	}
	return nil
}

// AddSuite stores a scanned suite, which is referenced by its absolute path and by its path
// relative to the workspace. A suite that is there already is stored anew, so a second import can
// name a new place; a copy inside stays. On an error the workspace is unchanged. A derived suite
// has no images of its own; DeriveSuite adds it.
func (w *Workspace) AddSuite(m suite.Manifest) (suite.Manifest, error) {
	return w.addSuite(m, func(m, old suite.Manifest) (suite.Manifest, error) {
		m.Copied, m.Inside = old.Copied, old.Inside
		if !m.Copied {
			m.Inside = w.relative(m.Root)
		}
		return m, nil
	})
}

// CopySuite is AddSuite with the images copied into the workspace, and classes.txt beside them.
// When ctx ends, nothing is left of a copy that was not there before.
func (w *Workspace) CopySuite(ctx context.Context, m suite.Manifest) (suite.Manifest, error) {
	return w.addSuite(m, func(m, _ suite.Manifest) (suite.Manifest, error) {
		if err := w.copySuite(ctx, &m); err != nil {
			return m, fmt.Errorf("copy suite %s into the workspace: %w", m.Name, err)
		}
		return m, nil
	})
}

// addSuite stores a suite whose images place says where to find; old is the one that is there, if
// any.
func (w *Workspace) addSuite(
	m suite.Manifest, place func(m, old suite.Manifest) (suite.Manifest, error),
) (suite.Manifest, error) {
	if m.Derived != nil {
		return m, fmt.Errorf("suite %s is made from another one; add that one and derive it again", m.Name)
	}
	if m.Hash == "" || m.Root == "" {
		return m, fmt.Errorf("suite %s has no content hash or no folder", m.Name)
	}
	if m.Added.IsZero() {
		m.Added = database.Now()
	}
	m, err := w.placeSuite(m, place)
	if err == nil {
		w.tellSuite(m.Hash)
	}
	return m, err
}

// placeSuite holds the lock of the suite's hash until the database names a copy, so that nothing
// takes it.
func (w *Workspace) placeSuite(
	m suite.Manifest, place func(m, old suite.Manifest) (suite.Manifest, error),
) (suite.Manifest, error) {
	unlock := w.lockKey(m.Hash)
	defer unlock()
	old, err := w.Suite(m.Hash)
	if err != nil && !errors.Is(err, database.ErrNotFound) {
		return m, err
	}
	if m, err = place(m, old); err != nil {
		return m, err
	}
	return m, w.Update(func(tx *database.Tx) error { return database.PutSuite(tx, m) })
}

func (w *Workspace) storeSuite(m suite.Manifest) error {
	if err := w.Update(func(tx *database.Tx) error { return database.PutSuite(tx, m) }); err != nil {
		return err
	}
	w.tellSuite(m.Hash)
	return nil
}

// relative is root relative to the workspace with slashes, "" where there is no such path.
func (w *Workspace) relative(root string) string {
	inside, err := filepath.Rel(w.path, root)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(inside)
}

// copySuite copies a suite's files below suites/HASH and notes it in the manifest. Times are kept:
// they are checked when the suite is opened. The caller holds the lock of the suite's hash.
func (w *Workspace) copySuite(ctx context.Context, m *suite.Manifest) error {
	inside := path.Join(database.SuitesFolder, m.Hash)
	folder := filepath.Join(w.path, filepath.FromSlash(inside))
	_, absent := os.Stat(folder)
	if err := w.fillSuite(ctx, folder, *m); err != nil {
		if absent != nil { // an older copy stays
			_ = durable.DeleteAll(folder)
		}
		return err
	}
	m.Copied, m.Inside = true, inside
	return nil
}

func (w *Workspace) fillSuite(ctx context.Context, folder string, m suite.Manifest) error {
	if _, err := durable.Below(w.path, database.SuitesFolder, m.Hash); err != nil {
		return err
	}
	if err := w.copyFiles(ctx, m.Root, folder, m.Files); err != nil || m.Format != suite.Folder {
		return err
	}
	return w.WriteFile(filepath.Join(folder, "classes.txt"), func(out io.Writer) error {
		_, err := io.WriteString(out, strings.Join(m.ClassLines(), "\n")+"\n")
		return err
	})
}

func (w *Workspace) copyFiles(ctx context.Context, from, to string, files []suite.File) error {
	made := map[string]bool{}
	for _, f := range files {
		local, err := filepath.Localize(f.Path)
		if err != nil {
			return fmt.Errorf("%s lies outside the suite's folder; move it inside or import without a copy", f.Path)
		}
		if folder := filepath.Dir(local); folder != "." && !made[folder] {
			if _, err := durable.Below(to, strings.Split(folder, string(filepath.Separator))...); err != nil {
				return err
			}
			made[folder] = true
		}
		if err := w.copyFile(ctx, filepath.Join(from, local), filepath.Join(to, local), f); err != nil {
			return err
		}
	}
	return nil
}

// copyFile copies one file that must still have the size it was scanned with.
func (w *Workspace) copyFile(ctx context.Context, from, to string, f suite.File) error {
	in, err := outside.Open(from, outside.Images)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	err = w.WriteFile(to, func(out io.Writer) error {
		n, err := io.Copy(&durable.Cancellable{Ctx: ctx, Out: out}, in)
		if err == nil && n != f.Size {
			err = fmt.Errorf("%s changed since it was scanned; import the suite again", f.Path)
		}
		return err
	})
	if err != nil {
		return err
	}
	return durable.SetTime(to, f.Modified)
}

// OpenSuite is OpenSuiteContext for who has nothing to end it with.
func (w *Workspace) OpenSuite(hash string) (*suite.Suite, error) {
	return w.OpenSuiteContext(context.Background(), hash)
}

// OpenSuiteContext opens a suite's images where they are now: the copy inside, the absolute path,
// or the path relative to the workspace. The error is ErrNoImages when they are nowhere,
// suite.ErrChanged when they are not those of the import. A derived suite opens its base with the
// same errors, which name the base. What is wrong with the images is a *SuiteError. It is quick,
// but for a copy inside whose files have lost their times: they are hashed as long as ctx lasts.
func (w *Workspace) OpenSuiteContext(ctx context.Context, hash string) (*suite.Suite, error) {
	m, err := w.Suite(hash)
	if err != nil {
		return nil, err
	}
	opened, err := w.openSuite(ctx, m)
	switch {
	case err == nil:
		return opened, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, &SuiteError{Suite: hash, Err: err}
}

func (w *Workspace) openSuite(ctx context.Context, m suite.Manifest) (*suite.Suite, error) {
	if m.Derived != nil {
		return w.openDerived(ctx, m)
	}
	if m.Root == "" && len(m.Files) == 0 {
		return nil, fmt.Errorf("suite %s: %w (it came with a round package, without images; import the suite)",
			m.Name, ErrNoImages)
	}
	var problem error
	for _, root := range database.Places(w.path, m.Root, m.Inside, m.Copied) {
		s, err := suite.Open(m, root)
		if errors.Is(err, suite.ErrChanged) && m.Copied && root != m.Root {
			s, err = w.openMoved(ctx, m, root)
		}
		if err == nil {
			return s, nil
		}
		if !errors.Is(err, suite.ErrMissing) {
			problem = errors.Join(problem, err)
		}
	}
	if problem != nil {
		return nil, problem // it names the suite
	}
	return nil, fmt.Errorf("suite %s: %w (they were in %s)", m.Name, ErrNoImages, m.Root)
}

// openMoved opens a copy inside whose files have lost their times, as when the workspace was
// copied: it hashes them and notes the times of now.
func (w *Workspace) openMoved(ctx context.Context, m suite.Manifest, root string) (*suite.Suite, error) {
	verified, err := suite.Verify(ctx, m, root, engine.NoProgress{})
	if err != nil {
		return nil, err
	}
	m.Files = verified.Files
	if err := w.storeSuite(m); err != nil {
		return nil, err
	}
	return suite.Open(m, root)
}

// RelocateSuite notes that a suite's images lie in the folder root now. They must be the same
// images; where their times differ, all of them are hashed. For a derived suite it is its base's
// images that are located.
func (w *Workspace) RelocateSuite(ctx context.Context, hash, root string) error {
	m, err := w.Suite(hash)
	if err != nil {
		return err
	}
	if m.Derived != nil {
		return w.RelocateSuite(ctx, m.Derived.Of, root)
	}
	if root, err = filepath.Abs(root); err != nil {
		return err
	}
	if m, err = confirm(ctx, m, root); ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		return fmt.Errorf("suite %s is not in %s: %w", m.Name, root, err)
	}
	m.Root, m.Copied, m.Inside = root, false, w.relative(root)
	return w.storeSuite(m)
}

// confirm checks that a folder holds the suite and returns the manifest with the files' times of
// now.
func confirm(ctx context.Context, m suite.Manifest, root string) (suite.Manifest, error) {
	s, err := suite.Open(m, root)
	if errors.Is(err, suite.ErrChanged) {
		verified, err := suite.Verify(ctx, m, root, engine.NoProgress{})
		if err == nil {
			m.Files = verified.Files
		}
		return m, err
	}
	if err != nil {
		return m, err
	}
	return m, s.Close()
}
