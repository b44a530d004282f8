package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/database"
)

// settingAnnotators is the key of the table of annotators.
const settingAnnotators = "annotators"

// Annotator is a person who labels. The id stands in rounds, label events and files and never
// changes; the name is what screens show, so that renaming touches no event and merging with other
// desks still works.
type Annotator struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Retired annotators are not offered for new rounds; what they labelled stays.
	Retired bool `json:"retired,omitempty"`
}

// Annotators are the people who are in any round, or were renamed or retired, by name in natural
// order.
func (w *Workspace) Annotators() ([]Annotator, error) {
	var list []Annotator
	err := w.View(func(tx *database.Tx) error {
		table, err := annotatorTable(tx)
		if err != nil {
			return err
		}
		list, err = everyone(tx, table)
		return err
	})
	slices.SortStableFunc(list, func(a, b Annotator) int { return result.Natural(a.Name, b.Name) })
	return list, err
}

// AnnotatorNames maps ids to the names to show; an id that is not in the map is its own name.
func (w *Workspace) AnnotatorNames() (map[string]string, error) {
	names := map[string]string{}
	err := w.View(func(tx *database.Tx) error {
		table, err := annotatorTable(tx)
		for _, a := range table {
			names[a.ID] = a.Name
		}
		return err
	})
	return names, err
}

// annotatorTable are the annotators who were renamed or retired.
func annotatorTable(tx *database.Tx) ([]Annotator, error) {
	var table []Annotator
	_, err := database.Settings.Into(tx, settingAnnotators, &table)
	return table, err
}

// everyone is the table with those who are in a round besides.
func everyone(tx *database.Tx, table []Annotator) ([]Annotator, error) {
	rounds, err := database.Rounds.All(tx)
	if err != nil {
		return nil, err
	}
	list := slices.Clone(table)
	for _, r := range rounds {
		for _, id := range r.Annotators {
			if placeOfAnnotator(list, id) < 0 {
				list = append(list, Annotator{ID: id, Name: id})
			}
		}
	}
	return list, nil
}

func placeOfAnnotator(list []Annotator, id string) int {
	return slices.IndexFunc(list, func(a Annotator) bool { return a.ID == id })
}

// namesake tells whether another annotator has the name, as name or id.
func namesake(list []Annotator, a Annotator) bool {
	return slices.ContainsFunc(list, func(other Annotator) bool {
		return other.ID != a.ID && (other.Name == a.Name || other.ID == a.Name)
	})
}

// PutAnnotator renames, retires or brings back an annotator. A name that another annotator has, as
// name or id, is refused.
func (w *Workspace) PutAnnotator(a Annotator) error {
	a.Name = strings.TrimSpace(a.Name)
	if a.ID == "" || a.Name == "" {
		return fmt.Errorf("annotator %q: the name is empty; give one", a.ID)
	}
	return w.updateAndTell(SettingChanged, settingAnnotators,
		func(tx *database.Tx) error { return putAnnotator(tx, a) })
}

// putAnnotator looks at all names and takes one in the same transaction, so that nobody takes it
// in between.
func putAnnotator(tx *database.Tx, a Annotator) error {
	table, err := annotatorTable(tx)
	if err != nil {
		return err
	}
	others, err := everyone(tx, table)
	if err != nil {
		return err
	}
	if namesake(others, a) {
		return fmt.Errorf("annotator %s: there is another annotator called %s; choose another name", a.ID, a.Name)
	}
	if at := placeOfAnnotator(table, a.ID); at >= 0 {
		table[at] = a
	} else {
		table = append(table, a)
	}
	return database.Settings.Put(tx, settingAnnotators, table)
}

// takeNames gives annotators of a round package the names that they have at the desk which wrote
// it, and tells whether there were any. A name that is taken here is passed over: names are for
// people, ids tell them apart.
func takeNames(tx *database.Tx, p Package) (took bool, err error) {
	table, err := annotatorTable(tx)
	if err != nil {
		return false, err
	}
	others, err := everyone(tx, table)
	if err != nil {
		return false, err
	}
	for _, id := range p.Round.Annotators {
		a := Annotator{ID: id, Name: strings.TrimSpace(p.Names[id])}
		if a.Name == "" || a.Name == id || placeOfAnnotator(table, id) >= 0 || namesake(others, a) {
			continue
		}
		table, others, took = append(table, a), append(others, a), true
	}
	if !took {
		return false, nil
	}
	return true, database.Settings.Put(tx, settingAnnotators, table)
}
