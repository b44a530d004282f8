package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// suiteAndFamily finds what the flags name, or the workspace's current suite and family.
func suiteAndFamily(ws *store.Workspace, name, text string) (suite.Manifest, transform.Family, error) {
	current, err := ws.Current()
	if err != nil {
		return suite.Manifest{}, transform.Family{}, err
	}
	if name == "" {
		name = current.Suite
	}
	if text == "" {
		text = current.Family
	}
	if name == "" {
		return suite.Manifest{}, transform.Family{}, fmt.Errorf("%s has no current suite; name one with --suite", ws.Path())
	}
	if text == "" {
		return suite.Manifest{}, transform.Family{}, fmt.Errorf("%s has no current family; name one with --family", ws.Path())
	}
	manifest, err := findSuite(ws, name)
	if err != nil {
		return suite.Manifest{}, transform.Family{}, err
	}
	family, err := transform.Parse(text)
	return manifest, family, err
}

// hashes turns ids into hashes; no ids mean all models and give nil.
func hashes(ws *store.Workspace, ids []string) ([]string, error) {
	var found []string
	for _, id := range ids {
		m, err := ws.FindModel(id)
		if err != nil {
			return nil, err
		}
		found = append(found, m.Hash)
	}
	return found, nil
}

// findSuite finds an imported suite by name, by hash, or by the path that it was imported from.
func findSuite(ws *store.Workspace, name string) (suite.Manifest, error) {
	manifest, err := ws.FindSuite(name)
	if !errors.Is(err, store.ErrNotFound) {
		return manifest, err
	}
	list, err := ws.Suites()
	if err != nil {
		return suite.Manifest{}, err
	}
	var names []string
	for _, m := range slices.Backward(list) { // the newest first
		whole, err := ws.Suite(m.Hash)
		if err != nil {
			return suite.Manifest{}, err
		}
		if liesAt(whole, name) {
			return whole, nil
		}
		names = append(names, m.Name)
	}
	slices.Sort(names)
	if len(names) == 0 {
		return suite.Manifest{}, fmt.Errorf("%s has no suites; import one: variscope import %s PATH", ws.Path(), ws.Path())
	}
	return suite.Manifest{}, fmt.Errorf("suite %s is not in %s; it has %s", name, ws.Path(), strings.Join(names, ", "))
}

// liesAt tells whether the path is a suite's folder or one of its files there.
func liesAt(m suite.Manifest, path string) bool {
	path, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	if path == m.Root {
		return true
	}
	return slices.ContainsFunc(m.Files, func(f suite.File) bool { return filepath.Join(m.Root, filepath.FromSlash(f.Path)) == path })
}
