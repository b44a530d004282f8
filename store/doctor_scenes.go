package store

import (
	"errors"
	"fmt"
)

// masks checks the suites of mask sets and that the masks are where they were.
func (e *exam) masks() {
	const what = "mask sets"
	e.parts(bucketMaskDetails.form)
	eachRecord(e, bucketMasks, func(hash string, m MaskSet) {
		where := "masks " + short(hash)
		if !bucketSuites.has(e.tx, m.Suite) {
			e.absent(what, where, bucketSuites.form, m.Suite, "suite", "they cannot be used", "import the suite again")
		}
		if m.copied() {
			e.claimFolder(m.Inside)
		}
		m, err := getMasks(e.tx, hash)
		if err != nil || len(m.Files) == 0 {
			return // said of their record
		}
		e.count("masks", len(m.Files))
		if problem := e.masked(m); problem != "" {
			e.found("masks", Finding{
				Kind: "masks", Where: where, What: problem, Means: "signals stay; new composites cannot be made",
				Remedy: "add the masks again from the folder where they are now",
			})
		}
	})
}

// masked says why the masks of a set are at none of their places. Every mask is hashed.
func (e *exam) masked(m MaskSet) string {
	problem := ""
	for _, root := range placesOf(e.Path, m.Root, m.Inside, m.copied()) {
		sum, err := m.hashIn(e.ctx, root)
		switch {
		case err == nil && sum == m.Hash:
			return ""
		case err == nil:
			problem = fmt.Sprintf("have changed in %s", root)
		case problem == "":
			problem = fmt.Sprintf("images not found (they were in %s)", root)
		}
	}
	return problem
}

// keywords checks keyword tables with their parts, and the ontologies that rest on them.
func (e *exam) keywords() {
	const what = "keyword tables"
	e.parts(bucketKeywordDetails.form)
	e.parts(bucketKeywordVectors.form)
	eachRecord(e, bucketKeywords, func(hash string, k KeywordTable) {
		table, err := getKeywords(e.tx, hash)
		if e.isBad(bucketKeywordDetails.form, hash) || e.isBad(bucketKeywordVectors.form, hash) {
			return
		}
		if err == nil && hashKeywords(table) != hash {
			err = errors.New("its content is not that of its hash")
		}
		if err != nil {
			e.found(what, Finding{
				Kind: "keywords", Where: "keyword table " + k.Name, What: fmt.Sprintf("is not sound (%v)", err),
				Means: "nothing can be made of it", Remedy: "import or compute it again",
			})
		}
	})
	eachRecord(e, bucketOntologies, func(_ string, o OntologyRecord) {
		if !bucketKeywords.has(e.tx, o.Table) {
			e.absent("ontologies", "ontology "+o.Name, bucketKeywords.form, o.Table, "keyword table",
				"it cannot be drawn", "import or compute the table again")
		}
	})
}

// selections checks what selections rest on.
func (e *exam) selections() {
	const what = "selections"
	e.parts(bucketSelectionDetails.form)
	eachRecord(e, bucketSelections, func(hash string, r SelectionRecord) {
		if e.isBad(bucketSelectionDetails.form, hash) || !bucketSelectionDetails.has(e.tx, hash) {
			return
		}
		r, _, err := getSelection(e.tx, hash)
		if err != nil {
			return
		}
		s, where, sound := r.Selection, "selection "+r.Name, true
		for _, part := range []struct {
			form      *form
			key, name string
		}{
			{bucketSuites.form, s.Targets, "suite"},
			{bucketSuites.form, s.Backgrounds, "suite"},
			{bucketMasks.form, s.Masks, "mask set"},
			{bucketKeywords.form, s.Table, "keyword table"},
		} {
			if part.key != "" && !part.form.has(e.tx, part.key) {
				e.absent(what, where, part.form, part.key, part.name, "its composites cannot be made", "add it again")
				sound = false
			}
		}
		if !sound {
			return
		}
		if err := selectable(e.tx, s); err != nil {
			e.found(what, Finding{
				Kind: "selection", Where: where, What: fmt.Sprintf("does not fit what it rests on (%v)", err),
				Means: "its composites cannot be made", Remedy: "choose the scenes again",
			})
		}
	})
}
