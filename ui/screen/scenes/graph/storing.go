package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
)

// revise changes a stored ontology and returns it as it was and as it is. What others changed of
// it meanwhile stays.
func revise(
	ws *store.Workspace, id string, change func(*store.OntologyRecord) error,
) (before, after store.OntologyRecord, err error) {
	if before, err = ws.FindOntology(id); err != nil {
		return before, after, err
	}
	after = before
	after.Edits = slices.Clone(before.Edits)
	if err := change(&after); err != nil {
		return before, after, err
	}
	after, err = ws.PutOntology(after)
	return before, after, err
}

// bring gives a record what a change took from it: what of before is not the same in after.
func bring(to *store.OntologyRecord, before, after store.OntologyRecord) {
	if before.Name != after.Name {
		to.Name = before.Name
	}
	if !slices.Equal(before.Edits, after.Edits) {
		to.Edits = before.Edits
	}
	if making(before) != making(after) {
		to.Table, to.Rule, to.MinSupport, to.MinConfidence = before.Table, before.Rule, before.MinSupport,
			before.MinConfidence
	}
}

// step makes a change in the background, notes how it is undone and says it; done, which may be
// nil, is called when it worked. Until then nothing else is stored, so that no change is made of
// what is out of date.
func (p *Page) step(name string, change func() (history.Step, error), done func()) {
	if p.busy {
		return
	}
	p.busy = true
	var made history.Step
	p.Work.Quiet(name, func(context.Context) (err error) {
		made, err = change()
		return err
	}, func(err error) {
		p.busy = false
		if err != nil {
			p.Fail(err)
			return
		}
		p.site.Did(made)
		p.Say(made.Title)
		if done != nil {
			done()
		}
	})
}

// store changes the ontology that is shown.
func (p *Page) store(title string, change func(*store.OntologyRecord) error, done func()) {
	ws, id := p.site.Workspace, p.view.Record.ID
	p.step("store ontology", func() (history.Step, error) {
		before, after, err := revise(ws, id, change)
		back := func(to, from store.OntologyRecord) func(context.Context) error {
			return func(context.Context) error {
				_, _, err := revise(ws, id, func(r *store.OntologyRecord) error {
					bring(r, to, from)
					return nil
				})
				return err
			}
		}
		return history.Step{Title: title, Undo: back(before, after), Redo: back(after, before)}, err
	}, done)
}

// addEdits appends edits. An edit that the graph refuses is an error, and nothing is stored.
func (p *Page) addEdits(title string, list ...itemset.Edit) {
	graph, why := p.view.Graph, p.edges.note
	said := why.Text
	p.store(title, func(r *store.OntologyRecord) error {
		if _, err := graph.With(list...); err != nil {
			return err
		}
		r.Edits = append(r.Edits, list...)
		return nil
	}, func() {
		if why.Text == said { // the reason was this edit's, not the next one's
			why.SetText("")
		}
	})
}

// takeBack removes one of the edits, by its index.
func (p *Page) takeBack(k int) {
	edit := p.view.Record.Edits[k]
	p.store(fmt.Sprintf("edit taken back: %s", p.view.editText(edit)), func(r *store.OntologyRecord) error {
		if k >= len(r.Edits) || r.Edits[k] != edit {
			return errors.New("the edits have changed meanwhile; choose the edit again")
		}
		r.Edits = slices.Delete(r.Edits, k, k+1)
		return nil
	}, nil)
}

// takeAllBack removes all edits.
func (p *Page) takeAllBack() {
	p.store(fmt.Sprintf("all edits of ontology %s taken back", p.view.Record.Name),
		func(r *store.OntologyRecord) error {
			r.Edits = nil
			return nil
		}, nil)
}

// rename gives the ontology another name.
func (p *Page) rename(name string) {
	p.store(fmt.Sprintf("ontology %s is called %s", p.view.Record.Name, name), func(r *store.OntologyRecord) error {
		r.Name = name
		return nil
	}, nil)
}

// withoutClasses excludes the names of the targets' classes from the keywords.
func withoutClasses(ws *store.Workspace, r *store.OntologyRecord) error {
	table, err := ws.Keywords(r.Table)
	r.Rule = r.Rule.Without(table.Classes()...)
	return err
}

// remake changes name, table, rule and thresholds of the ontology; its edits stay.
func (p *Page) remake(to store.OntologyRecord) {
	p.store(fmt.Sprintf("ontology %s is made anew", to.Name), func(r *store.OntologyRecord) error {
		to.ID, to.Edits = r.ID, r.Edits
		*r = to
		return withoutClasses(p.site.Workspace, r)
	}, nil) // its table follows when the screen has read the change
}

// keeping adds an ontology and removes it: each undoes the other.
func keeping(ws *store.Workspace, r store.OntologyRecord) (add, remove func(context.Context) error) {
	return func(context.Context) error {
		_, err := ws.PutOntology(r)
		return err
	}, func(context.Context) error { return ws.RemoveOntology(r.ID) }
}

// add keeps another ontology and looks at it.
func (p *Page) add(r store.OntologyRecord) {
	ws := p.site.Workspace
	r.ID = ""
	p.step("keep ontology", func() (s history.Step, err error) {
		if err = withoutClasses(ws, &r); err == nil {
			r, err = ws.PutOntology(r)
		}
		s.Title = fmt.Sprintf("ontology %s is added", r.Name)
		s.Redo, s.Undo = keeping(ws, r)
		return s, err
	}, func() {
		next := p.subject
		next.Table, next.Ontology = r.Table, r.ID
		p.site.Choose(next)
	})
}

// remove removes the ontology that is shown.
func (p *Page) remove() {
	ws, id := p.site.Workspace, p.view.Record.ID
	p.step("remove ontology", func() (s history.Step, err error) {
		r, err := ws.FindOntology(id)
		if err == nil {
			err = ws.RemoveOntology(id)
		}
		s.Title = fmt.Sprintf("ontology %s is removed", r.Name)
		s.Undo, s.Redo = keeping(ws, r)
		return s, err
	}, nil)
}
