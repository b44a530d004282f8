package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// backgroundCommand is background invariance (spec/background.md), step by step.
type backgroundCommand struct {
	Keywords backgroundKeywordsCommand `cmd:"" help:"What images contain: keywords by two context networks or from a table."`
	Rules    backgroundRulesCommand    `cmd:"" help:"What goes together: frequent itemsets, association rules, the ontology and how far it expands keywords."`
	Scenes   backgroundScenesCommand   `cmd:"" help:"Choose testing scenes for every target: a selection, which is kept in the workspace."`
	Run      backgroundRunCommand      `cmd:"" help:"Run models on the targets in the scenes of a selection."`
	Matrix   backgroundMatrixCommand   `cmd:"" help:"Accuracy in the scenes, worst case, scatter plots over semantic distances and interpolated variance matrices."`
}

// modelsOf are the models of a workspace that are named, all of them for none. A workspace without
// any is an error.
func modelsOf(ws *store.Workspace, names []string) ([]model.Model, error) {
	if len(names) > 0 {
		return modelsNamed(ws, names)
	}
	list, err := ws.Models()
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s has no models; import some: variscope import %s PATH", ws.Path(), ws.Path())
	}
	return list, err
}

// findTable finds a keyword table of the workspace by name or by the beginning of its hash; the
// newest one for "".
func findTable(ws *store.Workspace, name string) (store.KeywordTable, error) {
	list, err := ws.KeywordTables()
	if err != nil {
		return store.KeywordTable{}, err
	}
	if len(list) == 0 {
		return store.KeywordTable{}, fmt.Errorf("%s has no keyword table; bring one: variscope background keywords %s --table keywords.csv", ws.Path(), ws.Path())
	}
	if name == "" {
		return list[len(list)-1], nil
	}
	names := make([]string, len(list))
	for i, t := range slices.Backward(list) { // the newest first
		if t.Name == name || meansHash(t.Hash, name) {
			return t, nil
		}
		names[i] = t.Name
	}
	return store.KeywordTable{}, fmt.Errorf("keyword table %s is not in %s; it has %s", name, ws.Path(), strings.Join(names, ", "))
}

// findSelection finds a selection by name or by the beginning of its hash, whole; the error lists
// what there is.
func findSelection(ws *store.Workspace, name string) (store.SelectionRecord, error) {
	record, err := ws.FindSelection(name)
	if !errors.Is(err, store.ErrNotFound) {
		return record, err
	}
	list, err := ws.Selections()
	if err != nil {
		return record, err
	}
	if len(list) == 0 {
		return record, fmt.Errorf("%s has no selection; make one: variscope background scenes %s", ws.Path(), ws.Path())
	}
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.Name
	}
	return record, fmt.Errorf("selection %s is not in %s; it has %s", name, ws.Path(), result.Some(names))
}

// shortestHash is how many digits of a hash name what it belongs to.
const shortestHash = 8

func meansHash(hash, text string) bool {
	return len(text) >= shortestHash && strings.HasPrefix(hash, text)
}

// masksOf are the masks of a suite: those in a folder, which is brought in, or the newest that the
// workspace has for "".
func masksOf(s *session, ws *store.Workspace, targets suite.Manifest, folder string, copyInside bool) (store.MaskSet, error) {
	if folder != "" {
		var set store.MaskSet
		err := withBar(s, "masks", func(p engine.Progress) (err error) {
			set, err = ws.AddMasks(s.ctx, targets.Hash, folder, copyInside, p)
			return err
		})
		return set, err
	}
	list, err := ws.MaskSets(targets.Hash)
	if err != nil {
		return store.MaskSet{}, err
	}
	if len(list) == 0 {
		return store.MaskSet{}, fmt.Errorf("suite %s has no masks, so that nothing says what its foregrounds are; bring them with --masks DIR", targets.Name)
	}
	return list[len(list)-1], nil
}
