package scenes

import (
	"slices"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// Offer is what can be looked at, oldest first.
type Offer struct {
	Tables     []store.KeywordTable
	Ontologies []store.OntologyRecord
	Selections []store.SelectionRecord // without their scenes
}

func offer(ws *store.Workspace) (o Offer, err error) {
	if o.Tables, err = ws.KeywordTables(); err != nil {
		return o, err
	}
	if o.Ontologies, err = ws.Ontologies(); err != nil {
		return o, err
	}
	o.Selections, err = ws.Selections()
	return o, err
}

// View is what the screen's menus show. It knows no Fyne.
type View struct {
	Offer
	Subject page.Subject
}

// Take shows another offer. What was chosen stays where it is still there, else the newest comes in its place.
func (v *View) Take(o Offer) {
	v.Offer = o
	u := &v.Subject
	if !slices.ContainsFunc(o.Selections, func(r store.SelectionRecord) bool { return r.Hash == u.Selection }) {
		u.Selection = ""
		if n := len(o.Selections); n > 0 {
			u.Selection = o.Selections[n-1].Hash
		}
	}
	if !slices.ContainsFunc(o.Ontologies, func(r store.OntologyRecord) bool { return r.ID == u.Ontology }) {
		u.Ontology = ""
		if n := len(o.Ontologies); n > 0 {
			u.Ontology = o.Ontologies[n-1].ID
		}
	}
	if !slices.ContainsFunc(o.Tables, func(r store.KeywordTable) bool { return r.Hash == u.Table }) {
		u.Table = ""
		if n := len(o.Tables); n > 0 {
			u.Table = o.Tables[n-1].Hash
		}
	}
	*u = v.joined(*u)
}

// joined is a subject whose table is that of its ontology, where another ontology was chosen; another table takes an ontology of its own.
func (v *View) joined(next page.Subject) page.Subject {
	if next.Table != v.Subject.Table && next.Ontology == v.Subject.Ontology {
		for _, o := range slices.Backward(v.Ontologies) {
			if o.Table == next.Table {
				next.Ontology = o.ID
				return next
			}
		}
		return next
	}
	for _, o := range v.Ontologies {
		if o.ID == next.Ontology {
			next.Table = o.Table
		}
	}
	return next
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
