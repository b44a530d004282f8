package store

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/suite"
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
	err := w.update(func(tx *bbolt.Tx) error {
		base, err := getSuite(tx, of)
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
			m, err = getSuite(tx, m.Hash)
			return err
		}
		m.Added = now()
		return putSuite(tx, m)
	})
	if err == nil && added {
		w.changes.tell(SuiteChanged, m.Hash)
	}
	return m, err
}

// over is a derived suite with what belongs to its base.
func over(base, own suite.Manifest) suite.Manifest {
	base.Hash, base.Name, base.Added, base.Derived = own.Hash, own.Name, own.Added, own.Derived
	return base
}

// allSuites returns every suite without labels and files, in the order of hashes.
func allSuites(tx *bbolt.Tx) ([]suite.Manifest, error) {
	list, err := bucketSuites.all(tx)
	if err != nil {
		return nil, err
	}
	bases := make(map[string]suite.Manifest, len(list))
	for _, m := range list {
		bases[m.Hash] = m
	}
	for i, m := range list {
		if m.Derived == nil {
			continue
		}
		base, ok := bases[m.Derived.Of]
		if !ok || base.Derived != nil {
			return nil, withoutBase(m)
		}
		list[i] = over(base, m)
	}
	return list, nil
}

func withoutBase(m suite.Manifest) error {
	return fmt.Errorf("%w (suite %s is made from suite %.12s, which is not here or is made from another one itself)",
		ErrDamaged, m.Name, m.Derived.Of)
}

// headOfSuite reads a suite without labels and files; found is false where it is not there.
func headOfSuite(tx *bbolt.Tx, hash string) (m suite.Manifest, found bool, err error) {
	if m, found, err = bucketSuites.get(tx, hash); err != nil || !found || m.Derived == nil {
		return m, found, err
	}
	base, there, err := bucketSuites.get(tx, m.Derived.Of)
	if err != nil {
		return m, true, err
	}
	if !there || base.Derived != nil {
		return m, true, withoutBase(m)
	}
	return over(base, m), true, nil
}

// needHead is headOfSuite of a suite that must be there; kind is what ErrNotFound calls it.
func needHead(tx *bbolt.Tx, kind, hash string) (suite.Manifest, error) {
	m, found, err := headOfSuite(tx, hash)
	if err == nil && !found {
		err = missing(kind, hash)
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
	return base.Through(over(base.Manifest(), m), apply, derivedCache), nil
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
