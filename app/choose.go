package app

import (
	"fmt"

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
	manifest, err := ws.FindSuite(name)
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
