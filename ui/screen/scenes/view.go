package scenes

import (
	"slices"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// View is what the screen's menus show. It knows no Fyne.
type View struct {
	page.Choices
	Subject page.Subject
}

// Take shows another offer. What was chosen stays where it is still there, else the newest comes in
// its place.
func (v *View) Take(o page.Choices) {
	v.Choices = o
	u := &v.Subject
	if n := len(o.Selections); !slices.ContainsFunc(o.Selections,
		func(r store.SelectionRecord) bool { return r.Hash == u.Selection }) {
		u.Selection = ""
		if n > 0 {
			u.Selection = o.Selections[n-1].Hash
		}
	}
	switch {
	case slices.ContainsFunc(o.Ontologies, func(r store.OntologyRecord) bool { return r.ID == u.Ontology }):
	case slices.ContainsFunc(o.Tables, func(t store.KeywordTable) bool { return t.Hash == u.Table }):
		u.Ontology = v.newestOf(u.Table)
	case len(o.Ontologies) > 0:
		u.Ontology = o.Ontologies[len(o.Ontologies)-1].ID
	case len(o.Tables) > 0:
		u.Table, u.Ontology = o.Tables[len(o.Tables)-1].Hash, ""
	default:
		u.Table, u.Ontology = "", ""
	}
	*u = v.joined(*u)
}

// joined is a subject in which table and ontology go together: another ontology brings its table,
// another table its newest ontology, or none.
func (v *View) joined(next page.Subject) page.Subject {
	if next.Table != v.Subject.Table && next.Ontology == v.Subject.Ontology {
		next.Ontology = v.newestOf(next.Table)
	}
	for _, o := range v.Ontologies {
		if o.ID == next.Ontology {
			next.Table = o.Table
		}
	}
	return next
}

// newestOf is the ID of the newest ontology of a table, empty where it has none.
func (v *View) newestOf(table string) string {
	for _, o := range slices.Backward(v.Ontologies) {
		if o.Table == table {
			return o.ID
		}
	}
	return ""
}

// options are the entries of a menu: 0 tables, 1 ontologies, 2 selections; the newest first.
func (v *View) options(menu int) (list []widget.Option) {
	switch menu {
	case 0:
		for _, t := range v.Tables {
			list = append(list, widget.Option{Key: t.Hash, Name: t.Name})
		}
	case 1:
		for _, o := range v.Ontologies {
			list = append(list, widget.Option{Key: o.ID, Name: o.Name})
		}
	case 2:
		for _, r := range v.Selections {
			list = append(list, widget.Option{Key: r.Hash, Name: r.Name})
		}
	}
	slices.Reverse(list)
	return list
}
