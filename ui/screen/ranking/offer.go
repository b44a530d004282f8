package ranking

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// Source is something whose images are ranked on: a suite, a suite that a corruption made of it,
// or a table of predictions that stands for itself.
type Source struct {
	ID      string // content hash of a suite, or id of a table
	Name    string // for people, each once
	Command string // what commands call it: its name, or its ID where others have that name
	Base    string // content hash of the suite that it is made from, "" for the others
	Change  string // canonical text of what was done to that one
	Table   bool
	Images  int
	Labels  bool // whether there are true classes
	Classes []string
}

// sources are the suites, each with those that are made from it behind it, then the tables that
// belong to no suite. Those that are made from a suite which is not here stand at the end of the
// suites.
func sources(suites []suite.Manifest, tables []store.PredictionTable) []Source {
	var list []Source
	for _, m := range suites {
		if m.Derived == nil {
			list = append(list, sourceOf(m))
			list = append(list, derivedFrom(m.Hash, suites)...)
		}
	}
	for _, m := range suites {
		if !slices.ContainsFunc(list, func(s Source) bool { return s.ID == m.Hash }) {
			list = append(list, sourceOf(m))
		}
	}
	for _, t := range tables {
		if t.Suite == "" {
			list = append(list, Source{
				ID: t.ID, Name: t.Name, Command: t.Name, Table: true, Images: t.Samples,
				Labels: t.Truth, Classes: t.ClassNames,
			})
		}
	}
	uses := map[string]int{}
	for _, s := range list {
		uses[s.Name]++
	}
	for k, s := range list {
		if uses[s.Name] > 1 || s.Name == "" {
			list[k].Name, list[k].Command = fmt.Sprintf("%s (%s)", s.Name, s.ID[max(0, len(s.ID)-8):]), s.ID
		}
	}
	return list
}

func sourceOf(m suite.Manifest) Source {
	s := Source{
		ID: m.Hash, Name: m.Name, Command: m.Name, Images: m.Images, Labels: len(m.Classes) > 0, Classes: m.Classes,
	}
	if m.Derived != nil {
		s.Base, s.Change = m.Derived.Of, m.Derived.Change
	}
	return s
}

// derivedFrom are the suites that are made from one, as people sort their names.
func derivedFrom(base string, suites []suite.Manifest) []Source {
	var list []Source
	for _, m := range suites {
		if m.Derived != nil && m.Derived.Of == base {
			list = append(list, sourceOf(m))
		}
	}
	slices.SortStableFunc(list, func(a, b Source) int { return result.Natural(a.Name, b.Name) })
	return list
}

// title is what the menu shows where the source is chosen.
func (s Source) title() string {
	if s.Table {
		return fmt.Sprintf("%s (imported)", s.Name)
	}
	return s.Name
}

// sourceWith is the source with an id; ok is false without one.
func sourceWith(list []Source, id string) (Source, bool) {
	if at := slices.IndexFunc(list, func(s Source) bool { return s.ID == id }); at >= 0 {
		return list[at], true
	}
	return Source{}, false
}
