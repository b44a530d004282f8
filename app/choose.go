package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// suiteAndFamily finds what the flags name, or the workspace's current suite and family. A
// transformation set is refused.
func suiteAndFamily(ws *store.Workspace, name, text string) (suite.Manifest, transform.Family, error) {
	manifest, err := suiteNamed(ws, name)
	if err != nil {
		return suite.Manifest{}, transform.Family{}, err
	}
	if text, err = familyText(ws, text); err != nil {
		return suite.Manifest{}, transform.Family{}, err
	}
	family, err := transform.Parse(text)
	return manifest, family, err
}

// suiteNamed finds a suite by what a flag says, or the workspace's current one for "".
func suiteNamed(ws *store.Workspace, name string) (suite.Manifest, error) {
	if name == "" {
		current, err := ws.Current()
		if err != nil {
			return suite.Manifest{}, err
		}
		if name = current.Suite; name == "" {
			return suite.Manifest{}, fmt.Errorf("%s has no current suite; name one with --suite", ws.Path())
		}
	}
	return findSuite(ws, name)
}

// modelsNamed finds models by id or hash, each once, in the order in which they are named.
func modelsNamed(ws *store.Workspace, names []string) (list []model.Model, err error) {
	for _, name := range names {
		m, err := ws.FindModel(name)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(list, func(other model.Model) bool { return other.Hash == m.Hash }) {
			list = append(list, m)
		}
	}
	return list, nil
}

// suiteName is the name of a suite, or its hash where it is gone.
func suiteName(ws *store.Workspace, hash string) string {
	if m, err := ws.Suite(hash); err == nil {
		return m.Name
	}
	return hash
}

// familyOrSet reads a family or transformation set, or takes the workspace's current family for "".
func familyOrSet(ws *store.Workspace, text string) (transform.Family, error) {
	text, err := familyText(ws, text)
	if err != nil {
		return transform.Family{}, err
	}
	return transform.ParseAny(text)
}

func familyText(ws *store.Workspace, text string) (string, error) {
	if text != "" {
		return text, nil
	}
	current, err := ws.Current()
	if err == nil && current.Family == "" {
		err = fmt.Errorf("%s has no current family; name one with --family", ws.Path())
	}
	return current.Family, err
}

// hashes turns ids into hashes; no ids mean all models and give nil.
func hashes(ws *store.Workspace, ids []string) (found []string, err error) {
	list, err := modelsNamed(ws, ids)
	for _, m := range list {
		found = append(found, m.Hash)
	}
	return found, err
}

// findSuite finds a suite by name, by hash, or by the path that it was imported from. A suite that
// is made from another one has no path of its own.
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
	derived := 0
	for _, m := range slices.Backward(list) { // the newest first
		if m.Derived != nil {
			derived++
			continue
		}
		whole, err := ws.Suite(m.Hash)
		if err != nil {
			return suite.Manifest{}, err
		}
		if whole.Derived == nil && liesAt(whole, name) {
			return whole, nil
		}
		names = append(names, m.Name)
	}
	slices.Sort(names)
	if len(names) == 0 {
		return suite.Manifest{}, fmt.Errorf("%s has no suites; import one: variscope import %s PATH", ws.Path(), ws.Path())
	}
	known := strings.Join(names, ", ")
	if derived > 0 {
		known += fmt.Sprintf(", and %d made from these", derived)
	}
	return suite.Manifest{}, fmt.Errorf("suite %s is not in %s; it has %s", name, ws.Path(), known)
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
