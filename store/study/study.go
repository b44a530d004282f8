// Package study gathers effective invariance and accuracies of a workspace's models over suites and families, for tables and for
// studies over many models or many suites. What is measured once is kept in the workspace.
package study

import (
	"cmp"
	"maps"
	"slices"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
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

// Measured is one model on one suite under one family or set.
type Measured struct {
	Model     model.Model
	Suite     string // content hash
	SuiteName string
	Change    string // suite.Derived's, of a suite that is made from another one; "" for any other
	Family    string // canonical text
	Key       string // of the set of signals
	invariance.Result
}

// LeftOut is a combination that was not measured, with the reason in words: "no signals for this suite and set yet", "one
// channel: grayscale changes nothing" (spec/ei.md: not applicable).
type LeftOut struct{ ID, Hash, Suite, Family, Reason string }

// Available are the suites (hashes, in the order of the workspace) and the families (canonical texts: the sets in the order of
// menus, then the others by text) that have a finished set for any model. What leaves the images as they are (plain, masks)
// does not count: without a transformation there is nothing to measure.
func Available(ws *store.Workspace) (suites, families []string, err error) {
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
	return suites, inOrder(inFamilies), nil
}

// changesImages is false for what cannot be read, such as a family of a newer program.
func changesImages(text string) bool {
	f, err := transform.ParseAny(text)
	return err == nil && f.ChangesImages()
}

// inOrder puts sets before families, and sets that no menu has behind the others.
func inOrder(texts map[string]bool) []string {
	order := transform.Sets()
	place := func(text string) int {
		f, err := transform.ParseAny(text)
		if err != nil || !f.IsSet() {
			return len(order) + 1
		}
		if at := slices.Index(order, f.Name()); at >= 0 {
			return at
		}
		return len(order)
	}
	return slices.SortedFunc(maps.Keys(texts), func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
	})
}

// Points of a study: one per measured entry, with the score, the accuracy and the value of a column of the training records
// ("" for none; "family" of an architecture and so on) as group; for a study over suites the suite is the point, and its corruption
// the group ("" for a suite that is not corrupted).
func Points(measured []Measured, score invariance.Score, column string, overSuites bool) []invariance.Point {
	points := make([]invariance.Point, len(measured))
	for k, m := range measured {
		p := invariance.Point{Score: score.Of(m.Result), Accuracy: m.Accuracy, Chance: m.Chance.Level()}
		if overSuites {
			p.ID, p.Hash, p.Group = m.SuiteName, m.Suite, kindOf(m.Change)
		} else {
			p.ID, p.Hash = m.Model.ID, m.Model.Hash
			if column != "" {
				p.Group = m.Model.Value(column)
			}
		}
		points[k] = p
	}
	return points
}

// kindOf is the title of the corruption, or of the shift without its region, in a derived suite's change; a change that is not known
// is named as it is.
func kindOf(change string) string {
	kind, _ := derive.Kind(change)
	return corrupt.Title(kind)
}

// FewestImages is the smallest number of labelled images of what was measured, which accuracies are clipped by
// (invariance.StudyOptions.Images); 0 where no suite has labels.
func FewestImages(measured []Measured) int {
	fewest := 0
	for _, m := range measured {
		if m.Labelled > 0 && (fewest == 0 || m.Labelled < fewest) {
			fewest = m.Labelled
		}
	}
	return fewest
}
