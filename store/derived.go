package store

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/database"
)

// derivedCache is how many bytes of computed images an opened derived suite keeps: all of 10,000
// images of 32 x 32 RGB pixels, and a part of larger suites.
const derivedCache = 256 << 20

// DeriveSuite adds the suite that a change (a corruption or a shift) makes of another one, named
// "NAME, SHORT" unless name says otherwise; one that is there already is returned as it is. A
// suite that is derived itself cannot be changed again. Nothing is computed.
func (w *Workspace) DeriveSuite(of string, change derive.Change, name string) (suite.Manifest, error) {
	if err := change.Check(); err != nil {
		return suite.Manifest{}, err
	}
	var m suite.Manifest
	added := false
	err := w.Update(func(tx *database.Tx) error {
		base, err := database.GetSuite(tx, of)
		if err != nil {
			return err
		}
		if base.Derived != nil {
			return fmt.Errorf("suite %s is changed already (%s); start from the suite that it is made from",
				base.Name, base.Derived.Change)
		}
		if name == "" {
			name = base.Name + ", " + change.Short()
		}
		m = base.Derive(change.String(), name)
		if added = needSuite(tx, m.Hash) != nil; !added {
			m, err = database.GetSuite(tx, m.Hash)
			return err
		}
		m.Added = database.Now()
		return database.PutSuite(tx, m)
	})
	if err == nil && added {
		w.changes.tell(SuiteChanged, m.Hash)
	}
	return m, err
}

// openDerived opens the base wherever it lies now and changes its images as they are read.
func (w *Workspace) openDerived(ctx context.Context, m suite.Manifest) (*suite.Suite, error) {
	change, err := derive.Parse(m.Derived.Change)
	if err != nil {
		return nil, fmt.Errorf("suite %s: %w", m.Name, err)
	}
	apply, err := change.Prepare()
	if err != nil {
		return nil, fmt.Errorf("suite %s: %w", m.Name, err)
	}
	base, err := w.OpenSuiteContext(ctx, m.Derived.Of)
	if err != nil {
		return nil, fmt.Errorf("suite %s is made from another one: %w", m.Name, err)
	}
	return base.Through(database.Over(base.Manifest(), m), apply, derivedCache), nil
}

// tellSuite says that a suite and those that are made from it have changed.
func (w *Workspace) tellSuite(hash string) {
	w.changes.tell(SuiteChanged, hash)
	list, err := w.Suites()
	if err != nil {
		return // whoever reads the suites next is told
	}
	for _, m := range list {
		if m.Derived != nil && m.Derived.Of == hash {
			w.changes.tell(SuiteChanged, m.Hash)
		}
	}
}
