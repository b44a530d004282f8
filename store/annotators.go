package store

import (
	"fmt"
	"slices"
	"strings"
)

// settingAnnotators is the key of the table of annotators.
const settingAnnotators = "annotators"

// Annotator is a person who labels. The id stands in rounds, label events and files and never changes; the name is what
// screens show, so that renaming touches no event and merging with other desks still works.
type Annotator struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Retired annotators are not offered for new rounds; what they labelled stays.
	Retired bool `json:"retired,omitempty"`
}

// Annotators are the people who are in any round, or were renamed or retired, by name in natural order.
func (w *Workspace) Annotators() ([]Annotator, error) {
	table, err := w.annotatorTable()
	if err != nil {
		return nil, err
	}
	rounds, err := w.Rounds()
	if err != nil {
		return nil, err
	}
	for _, r := range rounds {
		for _, id := range r.Annotators {
			if !slices.ContainsFunc(table, func(a Annotator) bool { return a.ID == id }) {
				table = append(table, Annotator{ID: id, Name: id})
			}
		}
	}
	slices.SortStableFunc(table, func(a, b Annotator) int { return CompareNatural(a.Name, b.Name) })
	return table, nil
}

// AnnotatorNames maps ids to the names to show; an id that is not in the map is its own name.
func (w *Workspace) AnnotatorNames() (map[string]string, error) {
	table, err := w.annotatorTable()
	names := make(map[string]string, len(table))
	for _, a := range table {
		names[a.ID] = a.Name
	}
	return names, err
}

func (w *Workspace) annotatorTable() ([]Annotator, error) {
	var table []Annotator
	_, err := w.Setting(settingAnnotators, &table)
	return table, err
}

// PutAnnotator renames, retires or brings back an annotator. A name that another annotator has, as name or id, is refused.
func (w *Workspace) PutAnnotator(a Annotator) error {
	a.Name = strings.TrimSpace(a.Name)
	if a.ID == "" || a.Name == "" {
		return fmt.Errorf("annotator %q: the name is empty; give one", a.ID)
	}
	all, err := w.Annotators()
	if err != nil {
		return err
	}
	for _, other := range all {
		if other.ID != a.ID && (other.Name == a.Name || other.ID == a.Name) {
			return fmt.Errorf("annotator %s: there is another annotator called %s; choose another name", a.ID, a.Name)
		}
	}
	table, err := w.annotatorTable()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(table, func(known Annotator) bool { return known.ID == a.ID })
	if at < 0 {
		table = append(table, a)
	} else {
		table[at] = a
	}
	return w.SetSetting(settingAnnotators, table)
}
