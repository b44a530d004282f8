package choose

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/kit"
)

// wish are the options of the dialog that chooses scenes.
type wish struct {
	Name        string `help:"Name of the selection; without one it says how scenes are chosen."`
	Targets     string `help:"Suite of the targets, which needs masks of their foregrounds." source:"targets"`
	Masks       string `help:"Masks of the targets' foregrounds." source:"masks"`
	Backgrounds string `help:"Suite of the backgrounds: images without any foreground object." source:"backgrounds"`
	Ontology    string `help:"Ontology by which keywords are expanded." source:"ontologies"`
	background.SceneChoice
	Vetoed bool `help:"Leave out the backgrounds that were vetoed." label:"Leave out vetoed" default:"true"`
}

// usualOntology begins the key of an ontology that is made for the selection; the hash of its
// table follows.
const usualOntology = "usual:"

// newWish begins with the defaults of the command, on what the workspace has: the newest masks,
// table and ontology.
func newWish(o Offer) (w wish) {
	option.SetDefaults(&w)
	for _, s := range o.Suites {
		switch {
		case len(o.Masks[s.Hash]) > 0:
			w.Targets, w.Masks = s.Hash, o.masks(s.Hash)[0].Key
		case s.Derived == nil:
			w.Backgrounds = s.Hash
		}
	}
	if list := o.ontologies(); len(list) > 0 {
		w.Ontology = list[0].Key
	}
	return w
}

// wishOf says again what was asked for.
func wishOf(ask scenes.Ask, o Offer) wish {
	w := wish{
		Name: nameOf(ask, o.Selections), Targets: ask.Targets, Masks: ask.Masks, Backgrounds: ask.Backgrounds, Ontology: ask.Ontology.ID,
		SceneChoice: background.SceneChoice{
			Method: ask.Choice.Method, N: ask.Choice.N, Seed: ask.Choice.Seed, Jitter: ask.Choice.Jitter,
			MinKeywords: ask.Expansion.MinKeywords, Levels: ask.Expansion.MaxLevels, Feather: ask.Feather, Align: ask.Align,
		},
		Vetoed: true,
	}
	if w.Align == "" {
		w.Align = background.Keep
	}
	if w.Ontology == "" {
		w.Ontology = usualOntology + ask.Ontology.Table
	}
	return w
}

// choices are what a source of the dialog offers when these suites of targets are chosen.
func (o Offer) choices(source, targets string) (list []kit.Option) {
	switch source {
	case "masks":
		return o.masks(targets)
	case "ontologies":
		return o.ontologies()
	}
	names, hashes := dialogs.SuiteNames(o.Suites)
	for _, name := range names {
		if source == "backgrounds" || len(o.Masks[hashes[name]]) > 0 {
			list = append(list, kit.Option{Key: hashes[name], Name: name})
		}
	}
	return list
}

// masks are those of a suite, the newest first.
func (o Offer) masks(targets string) (list []kit.Option) {
	for _, set := range slices.Backward(o.Masks[targets]) {
		name := set.Made
		switch {
		case name == "files" && set.Inside != "":
			name = "files in the workspace"
		case name == "files":
			name = fmt.Sprintf("files in %s", set.Root)
		}
		list = append(list, kit.Option{Key: set.Hash, Name: name})
	}
	return list
}

// ontologies are the ones that can be chosen by: those that are kept, the newest first, then for
// each table one with the usual thresholds.
func (o Offer) ontologies() (list []kit.Option) {
	for _, r := range slices.Backward(o.Ontologies) {
		list = append(list, kit.Option{Key: r.ID, Name: r.Name})
	}
	for _, t := range slices.Backward(o.Tables) {
		list = append(list, kit.Option{Key: usualOntology + t.Hash, Name: fmt.Sprintf("made of %s with the usual thresholds", t.Name)})
	}
	return list
}

// ontology is the record behind a key. Words that name a class of the targets are no keywords of
// one that is made.
func (o Offer) ontology(key string, targets suite.Manifest) (store.OntologyRecord, error) {
	if table, usual := strings.CutPrefix(key, usualOntology); usual {
		r := store.OntologyRecord{
			Table: table, Rule: background.PaperRule(), MinSupport: itemset.DefaultMinSupport, MinConfidence: itemset.DefaultMinConfidence,
		}
		if targets.Named {
			r.Rule.Excluded = slices.Sorted(slices.Values(targets.Classes))
		}
		return r, nil
	}
	for _, r := range o.Ontologies {
		if r.ID == key {
			return r, nil
		}
	}
	return store.OntologyRecord{}, errors.New("choose an ontology")
}

func (o Offer) suite(hash string) (suite.Manifest, bool) {
	at := slices.IndexFunc(o.Suites, func(m suite.Manifest) bool { return m.Hash == hash })
	if at < 0 {
		return suite.Manifest{}, false
	}
	return o.Suites[at], true
}

// vetoes are images of a suite of backgrounds that may be left out.
type vetoes struct {
	backgrounds string // hash
	images      []int
}

// ask is what the wish says. The error is a sentence about the first thing that is wrong.
func (w wish) ask(o Offer, v vetoes) (ask scenes.Ask, err error) {
	targets, ok := o.suite(w.Targets)
	if !ok || w.Masks == "" {
		return ask, errors.New("choose a suite of targets that has masks")
	}
	backgrounds, ok := o.suite(w.Backgrounds)
	switch {
	case !ok:
		return ask, errors.New("choose a suite of backgrounds")
	case w.Backgrounds == w.Targets:
		return ask, errors.New("backgrounds are images without any foreground: choose another suite than that of the targets")
	}
	ask = scenes.Ask{
		Targets: w.Targets, Backgrounds: w.Backgrounds, Masks: w.Masks, Expansion: w.Expansion(), Choice: w.Choice(),
		Feather: w.Feather, Align: w.Align,
	}
	if ask.Ontology, err = o.ontology(w.Ontology, targets); err != nil {
		return ask, err
	}
	if w.Vetoed && v.backgrounds == w.Backgrounds {
		ask.Vetoed = v.images
	}
	if left := backgrounds.Images - len(ask.Vetoed); w.N > left {
		return ask, fmt.Errorf("there are %d backgrounds to choose from: take from 1 to %d scenes per target", left, left)
	}
	return ask, nil
}

// named is the name of the selection: the one that was typed, or one that says how scenes are
// chosen. The error is one that is taken.
func (w wish) named(ask scenes.Ask, o Offer) (string, error) {
	name := strings.TrimSpace(w.Name)
	switch {
	case name == "":
		return nameOf(ask, o.Selections), nil
	case taken(name, o.Selections):
		return "", fmt.Errorf("there is a selection %s already; take another name", name)
	}
	return name, nil
}

// nameOf is a name for what is asked for that no selection has.
func nameOf(ask scenes.Ask, there []store.SelectionRecord) string {
	c := ask.Choice
	name := fmt.Sprintf("%s-%d", c.Method, c.N) // as the command names selections
	if c.Jitter {
		name += "-jitter"
	}
	if c.Jitter || c.Method == background.Random {
		name += fmt.Sprintf("-seed-%d", c.Seed)
	}
	if n := len(ask.Vetoed); n > 0 {
		name += fmt.Sprintf("-without-%d", n)
	}
	if ask.Feather > 0 {
		name += fmt.Sprintf("-feather-%g", ask.Feather)
	}
	if ask.Align != "" && ask.Align != background.Keep {
		name += "-" + string(ask.Align)
	}
	free := name
	for k := 2; taken(free, there); k++ {
		free = fmt.Sprintf("%s-%d", name, k)
	}
	return free
}

func taken(name string, there []store.SelectionRecord) bool {
	return slices.ContainsFunc(there, func(r store.SelectionRecord) bool { return r.Name == name })
}
