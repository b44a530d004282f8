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
func revise(ws *store.Workspace, id string, change func(*store.OntologyRecord) error) (before, after store.OntologyRecord, err error) {
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

// The parts of an ontology that a change is about: what undoing it brings back.
func takeName(to *store.OntologyRecord, from store.OntologyRecord)  { to.Name = from.Name }
func takeEdits(to *store.OntologyRecord, from store.OntologyRecord) { to.Edits = from.Edits }

func takeMaking(to *store.OntologyRecord, from store.OntologyRecord) {
	to.Name, to.Table, to.Rule, to.MinSupport, to.MinConfidence = from.Name, from.Table, from.Rule, from.MinSupport, from.MinConfidence
}

// store changes the ontology that is shown, in the background, and notes how that is undone: by
// bringing back what take takes. done, which may be nil, is called when it worked.
func (p *Page) store(title string, change func(*store.OntologyRecord) error, take func(to *store.OntologyRecord, from store.OntologyRecord), done func()) {
	if p.busy || !p.view.Has {
		return
	}
	ws, id := p.deps.Workspace, p.view.Record.ID
	var before, after store.OntologyRecord
	bring := func(back *store.OntologyRecord) func(context.Context) error {
		return func(context.Context) error {
			_, _, err := revise(ws, id, func(r *store.OntologyRecord) error {
				take(r, *back)
				return nil
			})
			return err
		}
	}
	p.quietly("store ontology", func() (err error) {
		before, after, err = revise(ws, id, change)
		return err
	}, func() {
		p.deps.Did(history.Step{Title: title, Undo: bring(&before), Redo: bring(&after)})
		p.deps.Host.Say(title)
		if done != nil {
			done()
		}
	})
}

// quietly stores something without showing it; until that is done nothing else is stored, so that
// no change is made of what is out of date.
func (p *Page) quietly(name string, do func() error, done func()) {
	p.busy = true
	p.deps.Host.Work.Quiet(name, func(context.Context) error { return do() }, func(err error) {
		p.busy = false
		if err != nil {
			p.deps.Host.Fail(err)
			return
		}
		done()
	})
}

// addEdits appends edits. An edit that the graph refuses is an error, and nothing is stored.
func (p *Page) addEdits(title string, list ...itemset.Edit) {
	graph, why := p.view.Graph, p.face.edges.note
	said := why.Text
	p.store(title, func(r *store.OntologyRecord) error {
		if _, err := graph.With(list...); err != nil {
			return err
		}
		r.Edits = append(r.Edits, list...)
		return nil
	}, takeEdits, func() {
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
	}, takeEdits, nil)
}

// takeAllBack removes all edits.
func (p *Page) takeAllBack() {
	p.store(fmt.Sprintf("all edits of ontology %s taken back", p.view.Record.Name), func(r *store.OntologyRecord) error {
		r.Edits = nil
		return nil
	}, takeEdits, nil)
}

// rename gives the ontology another name.
func (p *Page) rename(name string) {
	p.store(fmt.Sprintf("ontology %s is called %s", p.view.Record.Name, name), func(r *store.OntologyRecord) error {
		r.Name = name
		return nil
	}, takeName, nil)
}

// remake changes name, table, rule and thresholds of the ontology; its edits stay.
func (p *Page) remake(to store.OntologyRecord) {
	p.store(fmt.Sprintf("ontology %s is made anew", to.Name), func(r *store.OntologyRecord) error {
		takeMaking(r, to)
		return nil
	}, takeMaking, nil) // its table follows when the screen has read the change
}

// add keeps another ontology and looks at it.
func (p *Page) add(r store.OntologyRecord) {
	if p.busy {
		return
	}
	ws := p.deps.Workspace
	r.ID = ""
	p.quietly("keep ontology", func() (err error) {
		r, err = ws.PutOntology(r)
		return err
	}, func() {
		title := fmt.Sprintf("ontology %s is added", r.Name)
		p.deps.Did(history.Step{
			Title: title,
			Undo:  func(context.Context) error { return ws.RemoveOntology(r.ID) },
			Redo:  func(context.Context) error { return again(ws, r) },
		})
		p.deps.Host.Say(title)
		p.look(r.Table, r.ID)
	})
}

// remove removes the ontology that is shown.
func (p *Page) remove() {
	if p.busy || !p.view.Has {
		return
	}
	ws, id := p.deps.Workspace, p.view.Record.ID
	var r store.OntologyRecord
	p.quietly("remove ontology", func() (err error) {
		if r, err = ws.FindOntology(id); err != nil {
			return err
		}
		return ws.RemoveOntology(id)
	}, func() {
		title := fmt.Sprintf("ontology %s is removed", r.Name)
		p.deps.Did(history.Step{
			Title: title,
			Undo:  func(context.Context) error { return again(ws, r) },
			Redo:  func(context.Context) error { return ws.RemoveOntology(r.ID) },
		})
		p.deps.Host.Say(title)
	})
}

// again keeps an ontology that was removed, with its ID.
func again(ws *store.Workspace, r store.OntologyRecord) error {
	_, err := ws.PutOntology(r)
	return err
}

// look looks at another ontology.
func (p *Page) look(table, ontology string) {
	next := p.subject
	next.Table, next.Ontology = table, ontology
	p.deps.Choose(next)
}
