package store

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/store/database"
)

// AddKeywords keeps a table. One with the same content is there already and is returned.
func (w *Workspace) AddKeywords(name, made string, t background.Table) (database.KeywordTable, error) {
	name = strings.TrimSpace(name)
	if err := checkKeywords(name, t); err != nil {
		return database.KeywordTable{}, fmt.Errorf("add keyword table %s: %w", name, err)
	}
	k := database.KeywordTable{
		Hash: database.HashKeywords(t), Name: name, Made: made, Images: len(t.Rows), Elements: len(t.Elements),
		Scenes: len(t.Scenes), Added: database.Now(),
	}
	details, numbers := parted(t)
	added := false
	err := w.Update(func(tx *database.Tx) error {
		there, found, err := database.Keywords.Get(tx, k.Hash)
		if err != nil || found {
			k = there
			return err
		}
		added = true
		if err := database.KeywordDetails.Put(tx, k.Hash, details); err != nil {
			return err
		}
		if err := database.KeywordVectors.Put(tx, k.Hash, numbers); err != nil {
			return err
		}
		return database.Keywords.Put(tx, k.Hash, k)
	})
	if err != nil {
		return k, fmt.Errorf("add keyword table %s: %w", name, err)
	}
	if added {
		w.changes.tell(BackgroundChanged, k.Hash)
	}
	return k, nil
}

func checkKeywords(name string, t background.Table) error {
	if name == "" {
		return errors.New("it needs a name")
	}
	if len(t.Rows) == 0 {
		return errors.New("it has no images")
	}
	width := len(t.Elements) + len(t.Scenes)
	for _, row := range t.Rows {
		if len(row.Vector) != width {
			return fmt.Errorf("image %s has %d numbers in place of %d", row.File, len(row.Vector), width)
		}
		for _, v := range row.Vector {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("image %s has the number %v in its vector", row.File, v)
			}
		}
	}
	return nil
}

// parted parts a table's numbers from the rest.
func parted(t background.Table) (d database.KeywordPart, numbers []float64) {
	d = database.KeywordPart{Elements: t.Elements, Scenes: t.Scenes, Rows: slices.Clone(t.Rows)}
	for i := range d.Rows {
		numbers = append(numbers, d.Rows[i].Vector...)
		d.Rows[i].Vector = nil
	}
	return d, numbers
}

// KeywordTables are all tables, oldest first; Keywords reads one whole.
func (w *Workspace) KeywordTables() ([]database.KeywordTable, error) {
	list, err := viewed(w, database.Keywords.All)
	slices.SortStableFunc(list, func(a, b database.KeywordTable) int { return a.Added.Compare(b.Added) })
	return list, err
}

// Keywords reads a table whole.
func (w *Workspace) Keywords(hash string) (background.Table, error) {
	return viewed(w, func(tx *database.Tx) (background.Table, error) { return database.GetKeywords(tx, hash) })
}

// RemoveKeywords removes a table. One that an ontology or a selection rests on stays.
func (w *Workspace) RemoveKeywords(hash string) error {
	err := w.Update(func(tx *database.Tx) error {
		if !database.Keywords.Has(tx, hash) {
			return database.Keywords.Missing(hash)
		}
		ontologies, err := database.Ontologies.All(tx)
		if err != nil {
			return err
		}
		for _, o := range ontologies {
			if o.Table == hash {
				return fmt.Errorf("ontology %s rests on it; remove that one first", o.Name)
			}
		}
		name, err := selectionOf(tx, func(s background.Selection) bool { return s.Table == hash })
		if err == nil && name != "" {
			err = fmt.Errorf("selection %s rests on it; remove that one first", name)
		}
		if err != nil {
			return err
		}
		return database.Keywords.Forget(tx, hash)
	})
	if err != nil {
		return fmt.Errorf("remove keyword table %.12s: %w", hash, err)
	}
	w.changes.tell(BackgroundChanged, hash)
	return nil
}

// selectionOf is the name of a selection for which has is true, "" where there is none.
func selectionOf(tx *database.Tx, has func(background.Selection) bool) (string, error) {
	list, err := database.Selections.All(tx)
	if err != nil {
		return "", err
	}
	for _, r := range list {
		selection, _, err := database.SelectionDetails.Get(tx, r.Hash)
		if err != nil {
			return "", err
		}
		if has(selection) {
			return r.Name, nil
		}
	}
	return "", nil
}
