// Package evaluate gathers effective invariance and accuracies of a workspace's models over suites
// and families, for tables and for studies over many models or many suites. What is measured once
// is kept in the workspace.
package evaluate

import (
	"cmp"
	"maps"
	"slices"

	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// Ask says what is measured: all models x suites x families that have a finished set of signals.
type Ask struct {
	Models   []string // hashes; nil for all
	Suites   []string // content hashes; nil for all
	Families []string // canonical texts of families and sets; nil for all that have signals
	Workers  int      // 0 for one per processor; the results are the same for any number
}

// Available are the suites (hashes, in the order of the workspace) and the families (canonical
// texts: the sets in the order of menus, then the others by text) that have a finished set for any
// model. What leaves the images as they are (plain, masks) does not count: without a
// transformation there is nothing to measure.
func Available(ws lookup.Signals) (suites, families []string, err error) {
	inSuites, inFamilies := map[string]bool{}, map[string]bool{}
	err = lookup.EachSet(ws, "", func(set store.SetInfo) {
		if changesImages(set.Spec.Family) {
			inSuites[set.Spec.Source], inFamilies[set.Spec.Family] = true, true
		}
	})
	if err == nil {
		suites, err = lookup.InOrder(ws, inSuites)
	}
	if err != nil {
		return nil, nil, err
	}
	return suites, slices.SortedFunc(maps.Keys(inFamilies), func(a, b string) int {
		return cmp.Or(cmp.Compare(Place(a), Place(b)), cmp.Compare(a, b))
	}), nil
}

// changesImages is false for what cannot be read, such as a family of a newer program.
func changesImages(text string) bool {
	f, err := transform.ParseAny(text)
	return err == nil && f.ChangesImages()
}

// Usual are the sets of the paper.
func Usual() []string { return []string{transform.Rot90, transform.Grayscale} }

// Place orders families and sets for menus: sets as menus have them, those that no menu has behind
// them, then families.
func Place(text string) int {
	order := transform.Sets()
	f, err := transform.ParseAny(text)
	if err != nil || !f.IsSet() {
		return len(order) + 1
	}
	if at := slices.Index(order, f.Name()); at >= 0 {
		return at
	}
	return len(order)
}
