package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/database"
)

// models checks the names and files of models. A model of a round package has no file and needs
// none.
func (e *exam) models() {
	const what = "model files"
	e.parts(database.ModelDetails.RawBucket)
	eachRecord(e, database.Models, func(hash string, m model.Model) {
		e.modelName(hash, m)
		file := path.Join(database.ModelsFolder, hash+database.ModelSuffix)
		size, there := e.files[file]
		e.claim(file)
		if !there {
			if !e.isPackaged(hash) {
				e.found(what, Finding{
					Kind: "model-file", Where: file, What: fmt.Sprintf("of model %s is gone", m.ID),
					Means: "its matrices and labels stay, but it cannot be run", Remedy: "import the model file again",
				})
			}
			return
		}
		e.count(what, 1)
		reason, err := e.differs(file, size, m.Size, hash)
		if reason == "" {
			return
		}
		f := Finding{
			Kind: "model-file", Where: file, What: fmt.Sprintf("of model %s %s", m.ID, reason),
			Means: "it is not the model that was imported", Remedy: "repair sets it aside; import the model file again",
			fix: func(t *repair) error { return t.aside(file) },
		}
		if err != nil {
			f.Means, f.Remedy, f.fix = "it cannot be run", untouched, nil
		}
		e.found(what, f)
	})
	e.modelIDs()
}

// isPackaged tells whether a model is known from round packages and was never run here.
func (e *exam) isPackaged(hash string) bool {
	has := func(b *database.RawBucket) bool {
		for range b.From(e.tx, hash+database.Separator) {
			return true
		}
		return false
	}
	return has(database.RoundEvidence) && !has(database.SetIndex)
}

// differs says why a file is not the one that was hashed, "" when it is. err says that it could
// not be read, which a file that is whole may have in common with a damaged one.
func (e *exam) differs(name string, size, want int64, hash string) (reason string, err error) {
	if size != want {
		return fmt.Sprintf("has %d bytes in place of %d", size, want), nil
	}
	sum, err := e.hash(name)
	switch {
	case err != nil:
		return unreadable(err), err
	case sum != hash:
		return "is damaged: its content does not match its hash", nil
	}
	return "", nil
}

// unreadable is what is said of a file that could not be read, and untouched the remedy: it may be
// whole, so Repair leaves it.
func unreadable(err error) string { return "cannot be read (" + err.Error() + ")" }

const untouched = "make it readable (rights, disk, network) and check again; repair leaves it alone"

// isReading tells whether an error came of reading a file rather than of what is in it.
func isReading(err error) bool {
	var reading *fs.PathError
	return errors.As(err, &reading)
}

// hash is the SHA-256 of a file of the workspace, hexadecimal.
func (e *exam) hash(name string) (string, error) {
	return store.HashFile(e.ctx, filepath.Join(e.Path, filepath.FromSlash(name)))
}

// modelName checks that a model is found by its name.
func (e *exam) modelName(hash string, m model.Model) {
	other := string(database.ModelIDs.Bytes(e.tx, m.ID))
	if other == hash {
		return
	}
	f := Finding{
		Kind: "index", Where: "model " + m.ID, What: "is not in the index of names",
		Means: "commands do not find it by its name", Remedy: "repair enters it",
		fix: func(t *repair) error { return t.put(database.ModelIDs, m.ID, []byte(hash)) },
	}
	if e.calls(other, m.ID) {
		f.What = "has the name of another model"
		f.Remedy = "repair gives it the next free name"
		f.fix = func(t *repair) error { return t.rename(hash) }
	}
	e.found("names of models", f)
}

// calls tells whether a model is there and has this name.
func (e *exam) calls(hash, id string) bool {
	m, found, err := database.Models.Get(e.tx, hash)
	return found && err == nil && m.ID == id
}

// modelIDs checks that every name leads to its model.
func (e *exam) modelIDs() {
	for name, hash := range database.ModelIDs.From(e.tx, "") {
		of := string(hash)
		if !e.isBad(database.ModelIDs, name) && !e.isBad(database.Models.RawBucket, of) && !e.calls(of, name) {
			e.found("names of models", Finding{
				Kind: "index", Where: "the index of names",
				What: fmt.Sprintf("has %q for a model that is not here", name), Means: "no model can be called so",
				Remedy: "repair removes the entry", Litter: true,
				fix: func(t *repair) error { return t.drop(database.ModelIDs, name) },
			})
		}
	}
}

// parts checks that every record of a bucket has its part, and that no part is left alone.
func (e *exam) parts(of *database.RawBucket) {
	whole := of.Of
	if of.In(e.tx) == nil || whole.In(e.tx) == nil {
		return
	}
	for key := range of.From(e.tx, "") {
		if !whole.Has(e.tx, key) && !e.isBad(of, key) {
			e.found(of.Plural, Finding{
				Kind: "part", Where: fmt.Sprintf("%s %s", of.Name, database.Short(key)),
				What: "belongs to nothing that is here", Means: "it takes room", Remedy: "repair sets it aside",
				Litter: true, fix: func(t *repair) error { return t.drop(of, key) },
			})
		}
	}
	for key, value := range whole.From(e.tx, "") {
		if of.Has(e.tx, key) || e.isBad(whole, key) || whole == database.Suites.RawBucket && isDerived(value) {
			continue
		}
		f := Finding{
			Kind: "part", Where: fmt.Sprintf("%s %s", whole.Name, database.Short(key)),
			What: fmt.Sprintf("lacks its part in %s", of.Name), Means: of.Loss, Remedy: "import it again",
		}
		if value := e.archive.find(of, key); value != nil {
			f.Remedy = "repair takes it from a backup"
			f.fix = func(t *repair) error { return t.put(of, key, value) }
		}
		e.found(of.Plural, f)
	}
}

// suites checks what suites are made from and that their images are where they were.
func (e *exam) suites() {
	const what = "images of suites"
	e.parts(database.SuiteDetails.RawBucket)
	eachRecord(e, database.Suites, func(hash string, m suite.Manifest) {
		if m.Derived != nil {
			e.base(m)
			return
		}
		if m.Copied {
			e.claimFolder(m.Inside)
		}
		if e.isBad(database.SuiteDetails.RawBucket, hash) || !database.SuiteDetails.Has(e.tx, hash) {
			return // said of its parts
		}
		m, err := database.GetSuite(e.tx, hash)
		if err != nil || m.Root == "" && len(m.Files) == 0 {
			return // it came with a round package
		}
		e.count(what, m.Images)
		if err := e.lies(m); err != nil {
			e.found(what, e.misplaced(m, err))
		}
	})
}

// isDerived tells whether a suite's record is that of a derived one, which has no parts.
func isDerived(value []byte) bool {
	var m suite.Manifest
	return json.Unmarshal(value, &m) == nil && m.Derived != nil
}

func (e *exam) base(m suite.Manifest) {
	base, found, err := database.Suites.Get(e.tx, m.Derived.Of)
	switch {
	case err != nil: // said of its own record
	case !found:
		e.absent("suites", "suite "+m.Name, database.Suites.RawBucket, m.Derived.Of, "suite",
			"the list of suites cannot be shown",
			"import the suite again that it is made from")
	case base.Derived != nil:
		e.found("suites", Finding{
			Kind: "reference", Where: "suite " + m.Name, What: "is made from a suite that is derived itself",
			Means: "the list of suites cannot be shown", Remedy: "repair sets its record aside; derive it again",
			fix: func(t *repair) error { return t.drop(database.Suites.RawBucket, m.Hash) },
		})
	}
}

// lies says why a suite's images are at none of its places, or those that were copied not inside
// the workspace. The latter are hashed.
func (e *exam) lies(m suite.Manifest) error {
	var problem error
	places := database.Places(e.Path, m.Root, m.Inside, m.Copied)
	if m.Copied {
		places = places[:1]
	}
	for _, root := range places {
		s, err := suite.Open(m, root)
		if err == nil {
			err = s.Close()
		}
		if m.Copied && err == nil || errors.Is(err, suite.ErrChanged) {
			_, err = suite.Verify(e.ctx, m, root, engine.NoProgress{})
		}
		if err == nil {
			return nil
		}
		if problem == nil || !errors.Is(err, suite.ErrMissing) {
			problem = err
		}
	}
	return problem
}

// misplaced is the finding for images that are not where they were.
func (e *exam) misplaced(m suite.Manifest, err error) Finding {
	f := Finding{
		Kind: "images", Where: "suite " + m.Name,
		Means:  "everything from its signals still works; new runs and previews do not",
		What:   fmt.Sprintf("has changed (%v)", err),
		Remedy: "put its files back, or import the folder as a new suite",
	}
	switch {
	case errors.Is(err, suite.ErrMissing) && m.Copied:
		f.What, f.Remedy = fmt.Sprintf("lacks images in the workspace (%v)", err), "import the suite again with a copy"
	case errors.Is(err, suite.ErrMissing):
		f.What, f.Remedy = fmt.Sprintf("images not found (they were in %s)", m.Root), "locate the suite's folder"
	}
	return f
}
