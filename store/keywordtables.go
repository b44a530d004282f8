package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/background"
)

// KeywordTable is a table of keyword vectors that the workspace has.
type KeywordTable struct {
	Hash     string    `json:"hash"` // over the table's content
	Name     string    `json:"name"`
	Made     string    `json:"made"` // "file", or the two networks that made it
	Images   int       `json:"images"`
	Elements int       `json:"elements"`
	Scenes   int       `json:"scenes"`
	Added    time.Time `json:"added"`
}

// keywordDetails is a table without its vectors.
type keywordDetails struct {
	Elements []string         `json:"elements"`
	Scenes   []string         `json:"scenes"`
	Rows     []background.Row `json:"rows"` // without vectors
}

// AddKeywords keeps a table. One with the same content is there already and is returned.
func (w *Workspace) AddKeywords(name, made string, t background.Table) (KeywordTable, error) {
	name = strings.TrimSpace(name)
	if err := checkKeywords(name, t); err != nil {
		return KeywordTable{}, fmt.Errorf("add keyword table %s: %w", name, err)
	}
	k := KeywordTable{
		Hash: hashKeywords(t), Name: name, Made: made, Images: len(t.Rows), Elements: len(t.Elements),
		Scenes: len(t.Scenes), Added: now(),
	}
	details, numbers := parted(t)
	added := false
	err := w.update(func(tx *bbolt.Tx) error {
		there, found, err := bucketKeywords.get(tx, k.Hash)
		if err != nil || found {
			k = there
			return err
		}
		added = true
		if err := bucketKeywordDetails.put(tx, k.Hash, details); err != nil {
			return err
		}
		if err := bucketKeywordVectors.put(tx, k.Hash, numbers); err != nil {
			return err
		}
		return bucketKeywords.put(tx, k.Hash, k)
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

// hashKeywords is SHA-256 over everything in a table, hexadecimal.
func hashKeywords(t background.Table) string {
	h := sha256.New()
	fmt.Fprintf(h, "variscope keywords 1\n%q\n%q\n%d\n", t.Elements, t.Scenes, len(t.Rows))
	var line []byte
	for _, row := range t.Rows {
		line = fmt.Appendf(line[:0], "%q %q %q %q %d\n", row.File, row.Kind, row.Label, row.Scene, row.Visible)
		for _, v := range row.Vector {
			line = binary.LittleEndian.AppendUint64(line, math.Float64bits(v))
		}
		h.Write(line)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// parted parts a table's numbers from the rest.
func parted(t background.Table) (d keywordDetails, numbers []float64) {
	d = keywordDetails{Elements: t.Elements, Scenes: t.Scenes, Rows: slices.Clone(t.Rows)}
	for i := range d.Rows {
		numbers = append(numbers, d.Rows[i].Vector...)
		d.Rows[i].Vector = nil
	}
	return d, numbers
}

// KeywordTables are all tables, oldest first; Keywords reads one whole.
func (w *Workspace) KeywordTables() ([]KeywordTable, error) {
	list, err := viewed(w, bucketKeywords.all)
	slices.SortStableFunc(list, func(a, b KeywordTable) int { return a.Added.Compare(b.Added) })
	return list, err
}

// Keywords reads a table whole.
func (w *Workspace) Keywords(hash string) (background.Table, error) {
	return viewed(w, func(tx *bbolt.Tx) (background.Table, error) { return getKeywords(tx, hash) })
}

func getKeywords(tx *bbolt.Tx, hash string) (t background.Table, err error) {
	if !bucketKeywords.has(tx, hash) {
		return t, bucketKeywords.missing(hash)
	}
	d, _, err := bucketKeywordDetails.get(tx, hash)
	if err != nil {
		return t, err
	}
	width := len(d.Elements) + len(d.Scenes)
	numbers, _, err := bucketKeywordVectors.get(tx, hash)
	if err != nil {
		return t, err
	}
	if len(numbers) != width*len(d.Rows) {
		return t, bucketKeywordVectors.damaged(hash,
			fmt.Errorf("%d numbers in place of %d", len(numbers), width*len(d.Rows)))
	}
	for i := range d.Rows {
		d.Rows[i].Vector = numbers[i*width : (i+1)*width : (i+1)*width]
	}
	return background.Table{Elements: d.Elements, Scenes: d.Scenes, Rows: d.Rows}, nil
}

// RemoveKeywords removes a table. One that an ontology or a selection rests on stays.
func (w *Workspace) RemoveKeywords(hash string) error {
	err := w.update(func(tx *bbolt.Tx) error {
		if !bucketKeywords.has(tx, hash) {
			return bucketKeywords.missing(hash)
		}
		ontologies, err := bucketOntologies.all(tx)
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
		return bucketKeywords.forget(tx, hash)
	})
	if err != nil {
		return fmt.Errorf("remove keyword table %.12s: %w", hash, err)
	}
	w.changes.tell(BackgroundChanged, hash)
	return nil
}

// selectionOf is the name of a selection for which has is true, "" where there is none.
func selectionOf(tx *bbolt.Tx, has func(background.Selection) bool) (string, error) {
	list, err := bucketSelections.all(tx)
	if err != nil {
		return "", err
	}
	for _, r := range list {
		selection, _, err := bucketSelectionDetails.get(tx, r.Hash)
		if err != nil {
			return "", err
		}
		if has(selection) {
			return r.Name, nil
		}
	}
	return "", nil
}
