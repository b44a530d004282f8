package doctor

import (
	"errors"
	"fmt"

	"github.com/variscope/variscope/store/database"
)

// masks checks the suites of mask sets and that the masks are where they were.
func (e *exam) masks() {
	const what = "mask sets"
	e.parts(database.MaskDetails.RawBucket)
	eachRecord(e, database.Masks, func(hash string, m database.MaskSet) {
		where := "masks " + database.Short(hash)
		if !database.Suites.Has(e.tx, m.Suite) {
			e.absent(what, where, database.Suites.RawBucket, m.Suite, "suite", "they cannot be used",
				"import the suite again")
		}
		if m.Copied() {
			e.claimFolder(m.Inside)
		}
		m, err := database.GetMasks(e.tx, hash)
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
func (e *exam) masked(m database.MaskSet) string {
	problem := ""
	for _, root := range database.Places(e.Path, m.Root, m.Inside, m.Copied()) {
		sum, err := m.HashIn(e.ctx, root)
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
	e.parts(database.KeywordDetails.RawBucket)
	e.parts(database.KeywordVectors.RawBucket)
	eachRecord(e, database.Keywords, func(hash string, k database.KeywordTable) {
		table, err := database.GetKeywords(e.tx, hash)
		if e.isBad(database.KeywordDetails.RawBucket, hash) || e.isBad(database.KeywordVectors.RawBucket, hash) {
			return
		}
		if err == nil && database.HashKeywords(table) != hash {
			err = errors.New("its content is not that of its hash")
		}
		if err != nil {
			e.found(what, Finding{
				Kind: "keywords", Where: "keyword table " + k.Name, What: fmt.Sprintf("is not sound (%v)", err),
				Means: "nothing can be made of it", Remedy: "import or compute it again",
			})
		}
	})
	eachRecord(e, database.Ontologies, func(_ string, o database.OntologyRecord) {
		if !database.Keywords.Has(e.tx, o.Table) {
			e.absent("ontologies", "ontology "+o.Name, database.Keywords.RawBucket, o.Table, "keyword table",
				"it cannot be drawn", "import or compute the table again")
		}
	})
}

// selections checks what selections rest on.
func (e *exam) selections() {
	const what = "selections"
	e.parts(database.SelectionDetails.RawBucket)
	eachRecord(e, database.Selections, func(hash string, r database.SelectionRecord) {
		if e.isBad(database.SelectionDetails.RawBucket, hash) || !database.SelectionDetails.Has(e.tx, hash) {
			return
		}
		r, _, err := database.GetSelection(e.tx, hash)
		if err != nil {
			return
		}
		s, where, sound := r.Selection, "selection "+r.Name, true
		for _, part := range []struct {
			form      *database.RawBucket
			key, name string
		}{
			{database.Suites.RawBucket, s.Targets, "suite"},
			{database.Suites.RawBucket, s.Backgrounds, "suite"},
			{database.Masks.RawBucket, s.Masks, "mask set"},
			{database.Keywords.RawBucket, s.Table, "keyword table"},
		} {
			if part.key != "" && !part.form.Has(e.tx, part.key) {
				e.absent(what, where, part.form, part.key, part.name, "its composites cannot be made", "add it again")
				sound = false
			}
		}
		if !sound {
			return
		}
		if err := database.Selectable(e.tx, s); err != nil {
			e.found(what, Finding{
				Kind: "selection", Where: where, What: fmt.Sprintf("does not fit what it rests on (%v)", err),
				Means: "its composites cannot be made", Remedy: "choose the scenes again",
			})
		}
	})
}
