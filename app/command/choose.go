package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	desks "github.com/variscope/variscope/store/desk"
)

// absent says that nothing of a kind has a name in a workspace: what there is, or how one is made
// where there is none.
func absent(ws *store.Workspace, what, name string, there []string, way string) error {
	if len(there) == 0 {
		return fmt.Errorf("%s has no %s; %s", ws.Path(), what, way)
	}
	return fmt.Errorf("%s %s is not in %s; it has %s", what, name, ws.Path(), result.Some(there))
}

// each is what a function makes of every member of a list.
func each[T, R any](list []T, of func(T) R) (made []R) {
	for _, one := range list {
		made = append(made, of(one))
	}
	return made
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

// modelsOf are the models of a workspace that are named, all of them for none. A workspace without
// any is an error.
func modelsOf(ws *store.Workspace, names []string) ([]model.Model, error) {
	if len(names) > 0 {
		return modelsNamed(ws, names)
	}
	list, err := ws.Models()
	if err == nil && len(list) == 0 {
		err = absent(ws, "models", "", nil, "import some: variscope import "+ws.Path()+" PATH")
	}
	return list, err
}

func hashOf(m model.Model) string { return m.Hash }

// hashes turns ids into hashes; no ids mean all models and give nil.
func hashes(ws *store.Workspace, ids []string) ([]string, error) {
	list, err := modelsNamed(ws, ids)
	return each(list, hashOf), err
}

// ready are the models with these ids, or without any all that have signals, by what has says. left
// are the others; none says that there are no such models.
func ready(
	ws *store.Workspace, ids []string, has func(model.Model) (bool, error), none error,
) (chosen, left []model.Model, err error) {
	if len(ids) > 0 {
		chosen, err = modelsNamed(ws, ids)
		return chosen, nil, err
	}
	list, err := ws.Models()
	if err != nil {
		return nil, nil, err
	}
	for _, m := range list {
		if there, err := has(m); err != nil {
			return nil, nil, err
		} else if there {
			chosen = append(chosen, m)
		} else {
			left = append(left, m)
		}
	}
	if len(chosen) == 0 {
		return nil, nil, none
	}
	return chosen, left, nil
}

// readyUnder are the models with these ids, or all that have signals of a suite under a family.
func readyUnder(ws *store.Workspace, ids []string, suite, family string) (chosen, left []model.Model, err error) {
	has := func(m model.Model) (bool, error) {
		_, ok, err := ws.Summary(m, suite, family)
		return ok, err
	}
	return ready(ws, ids, has, fmt.Errorf("no model has signals for %s: run them first, or name models with --models",
		family))
}

// suiteAndFamily finds what the flags name, or the workspace's current suite and family. A
// transformation set is refused.
func suiteAndFamily(ws *store.Workspace, name, text string) (m suite.Manifest, family transform.Family, err error) {
	if m, err = suiteNamed(ws, name); err != nil {
		return m, family, err
	}
	if text, err = orCurrent(ws, text, "family"); err != nil {
		return m, family, err
	}
	family, err = transform.Parse(text)
	return m, family, err
}

// orCurrent is what the flag suite or family says, or for "" what the workspace remembers.
func orCurrent(ws *store.Workspace, text, flag string) (string, error) {
	if text != "" {
		return text, nil
	}
	current, err := ws.Current()
	if text = current.Suite; flag == "family" {
		text = current.Family
	}
	if err == nil && text == "" {
		err = fmt.Errorf("%s has no current %s; name one with --%[2]s", ws.Path(), flag)
	}
	return text, err
}

// suiteNamed finds a suite by what a flag says, or the workspace's current one for "", with its
// labels and files.
func suiteNamed(ws *store.Workspace, name string) (suite.Manifest, error) {
	name, err := orCurrent(ws, name, "suite")
	if err != nil {
		return suite.Manifest{}, err
	}
	return findSuite(ws, name)
}

// orOne is what a repeated flag names, or one empty name, which stands for the workspace's current
// suite or family.
func orOne(names []string) []string {
	if len(names) == 0 {
		return []string{""}
	}
	return names
}

// findSuite finds a suite by name, by hash, or by the path that it was imported from: its folder,
// or one of its files there. A suite that is made from another one has no path of its own.
func findSuite(ws *store.Workspace, name string) (suite.Manifest, error) {
	manifest, err := ws.FindSuite(name)
	if !errors.Is(err, store.ErrNotFound) {
		return manifest, err
	}
	list, err := ws.Suites()
	if err != nil {
		return suite.Manifest{}, err
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return suite.Manifest{}, err
	}
	var names []string
	for _, m := range slices.Backward(list) { // the newest first
		if m.Derived != nil {
			continue
		}
		whole, err := ws.Suite(m.Hash)
		if err != nil {
			return suite.Manifest{}, err
		}
		if whole.Derived == nil && (path == whole.Root || slices.ContainsFunc(whole.Files, func(f suite.File) bool {
			return filepath.Join(whole.Root, filepath.FromSlash(f.Path)) == path
		})) {
			return whole, nil
		}
		names = append(names, m.Name)
	}
	slices.Sort(names)
	err = absent(ws, "suite", name, names, "import one: variscope import "+ws.Path()+" PATH")
	if derived := len(list) - len(names); derived > 0 {
		err = fmt.Errorf("%w, and %d made from these", err, derived)
	}
	return suite.Manifest{}, err
}

// namesFile tells whether what names a file or a round is a file: there is one of this name, or
// one could be.
func namesFile(text string) bool {
	info, err := os.Stat(text)
	return err == nil && !info.IsDir() || slices.Contains([]string{".csv", desks.LabelsSuffix}, suffixOf(text))
}

// findRound finds a round by name or id; without a name it is the newest.
func findRound(ws *store.Workspace, name string) (label.Round, error) {
	rounds, err := ws.Rounds()
	if err != nil {
		return label.Round{}, err
	}
	if name == "" && len(rounds) > 0 {
		return slices.MaxFunc(rounds, func(a, b label.Round) int { return strings.Compare(a.ID, b.ID) }), nil
	}
	for _, r := range rounds {
		if r.Name == name || r.ID == name {
			return r, nil
		}
	}
	return label.Round{}, absent(ws, "round", name, each(rounds, func(r label.Round) string { return r.Name }),
		"make one with: variscope label "+ws.Path()+" round --name NAME --annotators A,B,C")
}

// findTable finds a keyword table of the workspace by name or by the beginning of its hash; the
// newest one for "".
func findTable(ws *store.Workspace, name string) (store.KeywordTable, error) {
	list, err := ws.KeywordTables()
	if err != nil {
		return store.KeywordTable{}, err
	}
	const shortestHash = 8
	for _, t := range slices.Backward(list) { // the newest first
		if name == "" || t.Name == name || len(name) >= shortestHash && strings.HasPrefix(t.Hash, name) {
			return t, nil
		}
	}
	return store.KeywordTable{}, absent(ws, "keyword table", name, each(list,
		func(t store.KeywordTable) string { return t.Name }),
		"bring one: variscope background keywords "+ws.Path()+" --table keywords.csv")
}

// findSelection finds a selection by name or by the beginning of its hash, whole.
func findSelection(ws *store.Workspace, name string) (store.SelectionRecord, error) {
	record, err := ws.FindSelection(name)
	if !errors.Is(err, store.ErrNotFound) {
		return record, err
	}
	list, err := ws.Selections()
	if err != nil {
		return record, err
	}
	return record, absent(ws, "selection", name, each(list, func(s store.SelectionRecord) string { return s.Name }),
		"make one: variscope background scenes "+ws.Path())
}

// findMasks finds the masks of a suite: those in a folder, which is brought in, or the newest that
// the workspace has for "".
func findMasks(
	s *Session, ws *store.Workspace, targets suite.Manifest, folder string, copyInside bool,
) (store.MaskSet, error) {
	if folder != "" {
		return ws.AddMasks(s.ctx, targets.Hash, folder, copyInside, s.bar("masks"))
	}
	list, err := ws.MaskSets(targets.Hash)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("suite %s has no masks, so that nothing says what its foregrounds are; bring them with "+
			"--masks DIR", targets.Name)
	}
	if err != nil {
		return store.MaskSet{}, err
	}
	return list[len(list)-1], nil
}
