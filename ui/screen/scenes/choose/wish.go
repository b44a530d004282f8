package choose

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/widget"
)

// wish is what the dialog says, as it is typed.
type wish struct {
	Name                        string
	Targets, Masks, Backgrounds string // hashes
	Ontology                    string // key of an ontology, see ontologies
	Method                      background.Method
	N, Seed                     string
	Jitter                      bool
	MinKeywords, Levels         string
	Feather                     string
	Align                       background.Alignment
	Vetoed                      []int
}

// usualOntology begins the key of an ontology that is made for the selection; the hash of its
// table follows.
const usualOntology = "usual:"

// newWish begins with the defaults of the command, on what the workspace has: the newest masks,
// table and ontology.
func newWish(o Offer) wish {
	expansion := background.DefaultExpansion()
	w := wish{
		Method: background.ByKeywords, N: "32", Seed: "1", Feather: "0", Align: background.Keep,
		MinKeywords: strconv.Itoa(expansion.MinKeywords), Levels: strconv.Itoa(expansion.MaxLevels),
	}
	for _, s := range o.Suites {
		switch {
		case len(o.Masks[s.Hash]) > 0:
			w.Targets, w.Masks = s.Hash, newest(o.Masks[s.Hash])
		case s.Derived == nil:
			w.Backgrounds = s.Hash
		}
	}
	if list := o.ontologies(); len(list) > 0 {
		w.Ontology = list[0].Key
	}
	return w
}

func newest(sets []store.MaskSet) string {
	if len(sets) == 0 {
		return ""
	}
	return sets[len(sets)-1].Hash
}

// wishOf says again what was asked for.
func wishOf(ask scenes.Ask, o Offer) wish {
	w := wish{
		Targets: ask.Targets, Masks: ask.Masks, Backgrounds: ask.Backgrounds, Ontology: ask.Ontology.ID, Method: ask.Choice.Method,
		N: strconv.Itoa(ask.Choice.N), Seed: strconv.FormatUint(ask.Choice.Seed, 10), Jitter: ask.Choice.Jitter,
		MinKeywords: strconv.Itoa(ask.Expansion.MinKeywords), Levels: strconv.Itoa(ask.Expansion.MaxLevels),
		Feather: strconv.FormatFloat(ask.Feather, 'g', -1, 64), Align: ask.Align, Vetoed: ask.Vetoed,
	}
	if w.Align == "" {
		w.Align = background.Keep
	}
	if w.Ontology == "" {
		w.Ontology = usualOntology + ask.Ontology.Table
	}
	if !slices.ContainsFunc(o.ontologies(), func(k widget.Option) bool { return k.Key == w.Ontology }) {
		w.Ontology = ""
	}
	w.Name = nameOf(ask, o.Selections)
	return w
}

// ontologies are the ones that can be chosen by: those that are kept, the newest first, then for
// each table one with the usual thresholds.
func (o Offer) ontologies() (list []widget.Option) {
	for _, r := range slices.Backward(o.Ontologies) {
		list = append(list, widget.Option{Key: r.ID, Name: r.Name})
	}
	for _, t := range slices.Backward(o.Tables) {
		list = append(list, widget.Option{Key: usualOntology + t.Hash, Name: fmt.Sprintf("made of %s with the usual thresholds", t.Name)})
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

// widest bounds the blending of edges; a wider one blends whole images.
const widest = 64

// ask is what the wish says. The error is a sentence about the first thing that is wrong.
func (w wish) ask(o Offer) (scenes.Ask, error) {
	var ask scenes.Ask
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
	ontology, err := o.ontology(w.Ontology, targets)
	if err != nil {
		return ask, err
	}
	left := backgrounds.Images - len(w.Vetoed)
	n, err := whole("scenes per target", w.N, 1, left)
	if err != nil {
		return ask, err
	}
	seed, err := strconv.ParseUint(strings.TrimSpace(w.Seed), 10, 64)
	if err != nil {
		return ask, fmt.Errorf("seed %q is not a whole number from 0 on", w.Seed)
	}
	expansion, err := w.expansion()
	if err != nil {
		return ask, err
	}
	feather, err := strconv.ParseFloat(strings.TrimSpace(w.Feather), 64)
	if err != nil || !(feather >= 0 && feather <= widest) {
		return ask, fmt.Errorf("feather %q is not a number of pixels from 0 to %d", w.Feather, widest)
	}
	choice := background.Choice{Method: w.Method, N: n, Seed: seed, Jitter: w.Jitter && w.jitters()}
	return scenes.Ask{
		Targets: w.Targets, Backgrounds: w.Backgrounds, Masks: w.Masks, Ontology: ontology, Expansion: expansion, Choice: choice,
		Feather: feather, Align: w.Align, Vetoed: w.Vetoed,
	}, nil
}

// jitters tells whether the method can draw among the nearest.
func (w wish) jitters() bool {
	return w.Method == background.ByKeywords || w.Method == background.ByIntervals
}

// mostLevels and mostKeywords bound the expansion.
const mostLevels, mostKeywords = 100, 1_000_000

func (w wish) expansion() (e background.Expansion, err error) {
	if e.MinKeywords, err = whole("keywords to expand to", w.MinKeywords, 0, mostKeywords); err != nil {
		return e, err
	}
	e.MaxLevels, err = whole("levels", w.Levels, 0, mostLevels)
	return e, err
}

func whole(name, text string, low, high int) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("%s: %q is not a whole number from %d to %d", name, text, low, high)
	}
	return n, nil
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
