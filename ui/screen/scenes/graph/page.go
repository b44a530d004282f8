// Package graph is the page Ontology of the Background screen: the association ontology as a graph
// and as rules, with its edits by hand.
package graph

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// Page is the page. All methods are called on Fyne's main goroutine.
type Page struct {
	deps    page.Deps
	saver   *figures.Saver
	view    *View
	subject page.Subject
	renewal *background.Renewal
	known   origins
	placing task // finds places of the nodes
	mining  task // finds rules
	listing background.Latest
	spots   []render.Point
	placed  []string // names of the nodes that spots are for
	busy    bool     // something is being stored
	closed  bool
	face    *face
}

var _ page.Page = (*Page)(nil)

// New makes the page; it reads when it is shown.
func New(deps page.Deps) *Page {
	p := &Page{deps: deps, view: NewView(), placing: task{work: deps.Host.Work}, mining: task{work: deps.Host.Work}}
	p.saver = &figures.Saver{Window: deps.Host.Window, Work: deps.Host.Work, Status: deps.Host.Say, ShowError: deps.Host.Fail, Closed: p.Focus}
	p.renewal = background.NewRenewal(deps.Host.Work, "refresh the ontology", p.refresh)
	p.face = newFace(p)
	return p
}

// Title implements page.Page.
func (p *Page) Title() string { return "Ontology" }

// Object implements page.Page.
func (p *Page) Object() fyne.CanvasObject { return p.face.root }

// Show implements page.Page.
func (p *Page) Show(s page.Subject) {
	if s.Table != p.subject.Table || s.Ontology != p.subject.Ontology {
		p.renewal.Spoil()
	}
	p.subject = s
	if !p.renewal.Show() {
		p.face.grow()
	}
}

// Hide implements page.Page.
func (p *Page) Hide() { p.renewal.Hide() }

// Changed implements page.Page.
func (p *Page) Changed(c store.Change) {
	if c.Kind == store.BackgroundChanged {
		p.renewal.Changed()
	}
}

// Focus implements page.Page.
func (p *Page) Focus() {
	if p.face.body.Visible() && p.renewal.Shown() {
		p.deps.Host.Window.Canvas().Focus(p.face.graph.net)
	}
}

// Close implements page.Page.
func (p *Page) Close() {
	p.closed = true
	if job := p.renewal.Job(); job != nil {
		job.Drop()
	}
	p.placing.stop()
	p.mining.stop()
	p.listing.Next()
}

// refresh reads what is looked at, in place of what an older reading was after.
func (p *Page) refresh() {
	subject, known := p.subject, p.known
	var d Data
	p.renewal.Start("Build the ontology", func(ctx context.Context, _ *background.Progress) (err error) {
		d, known, err = read(ctx, p.deps.Workspace, subject, known)
		return err
	}, func(err error) { p.ended(d, known, err) })
}

// ended shows what was read, or why nothing was.
func (p *Page) ended(d Data, known origins, err error) {
	switch {
	case p.closed:
	case err == nil:
		p.known = known
		p.view.Take(d)
		p.place()
		p.mine()
		p.face.show()
	case errors.Is(err, background.ErrClosed):
	default:
		p.renewal.Spoil()
		p.face.stopped(present.Sentence(err))
		if !present.Cancelled(err) {
			p.deps.Host.Fail(err)
		}
	}
}

// place finds places for the nodes, unless there are some: an edit of an edge moves nothing.
func (p *Page) place() {
	v := p.view
	network := render.OntologyNetwork(v.Shown)
	names := make([]string, len(network.Nodes))
	for k, node := range network.Nodes {
		names[k] = node.Name
	}
	if slices.Equal(names, p.placed) && len(p.spots) == len(names) {
		return
	}
	p.placed, p.spots = names, nil
	p.placing.stop()
	if len(names) == 0 {
		return
	}
	var spots []render.Point
	p.placing.start("Lay out the ontology", func(ctx context.Context, _ *background.Progress) (err error) {
		spots, err = network.Places(ctx)
		return err
	}, func(err error) {
		p.spots = spots
		switch {
		case err == nil:
			p.face.graph.show()
		case errors.Is(err, background.ErrClosed):
		case present.Cancelled(err):
			p.placed = nil
			p.renewal.Spoil()
		default:
			p.deps.Host.Fail(err)
		}
	})
}

// mine finds the rules where they are not those of the ontology that is shown.
func (p *Page) mine() {
	v := p.view
	if v.current() {
		p.list()
		return
	}
	v.mining = false
	p.mining.stop()
	p.listing.Next() // what is being arranged is no longer shown
	if !v.Has || v.Fault != nil {
		return
	}
	v.mining = true
	m := Mined{making: making(v.Record)}
	baskets, items, support, confidence := v.Present, len(v.Graph.Names), v.Record.MinSupport, v.Record.MinConfidence
	p.mining.start("Find rules", func(ctx context.Context, _ *background.Progress) (err error) {
		m.Sets, m.Rules, err = mine(ctx, baskets, items, support, confidence)
		return err
	}, func(err error) {
		v.mining = false
		if errors.Is(err, background.ErrClosed) {
			return
		}
		m.Err = err
		v.Mined = m
		p.list()
	})
}

// mineAgain finds the rules after a cancel.
func (p *Page) mineAgain() {
	p.view.Mined = Mined{}
	p.mine()
	p.face.rules.show()
}

// list arranges the rules, in the background: there may be a million of them.
func (p *Page) list() {
	rules, names, q := p.view.Mined.Rules, p.view.Shown.Names, p.view.query()
	background.Load(p.deps.Host.Work, &p.listing, "arrange rules", func(context.Context) ([]int32, error) {
		return arrange(rules, names, q), nil
	}, func(rows []int32, err error) {
		if err == nil {
			p.view.rows = rows
			p.face.rules.show()
		}
	})
}

// choose chooses a keyword by its item, -1 for none, wherever that was asked for.
func (p *Page) choose(item int) {
	if item == p.view.chosen {
		return
	}
	p.view.Choose(item)
	p.face.graph.net.Select(p.view.node(item))
	p.face.chosen()
	if p.view.only {
		p.list()
	}
}

// chooseEdge shows an edge where it can be changed.
func (p *Page) chooseEdge(e itemset.Edge) {
	p.face.edges.take(e)
	p.face.tabs.SelectIndex(tabEdges)
	p.deps.Host.Say(present.OntologyEdge(p.view.Shown, e))
}

// task is a job that people see and can cancel, of which the newest counts.
type task struct {
	work   *background.Group
	job    *background.Job
	latest background.Latest
}

func (t *task) start(title string, do func(context.Context, *background.Progress) error, done func(error)) {
	t.stop()
	id := t.latest.Next()
	t.job = t.work.Start(title, do, func(err error) {
		if t.latest.Is(id) {
			t.job = nil
			done(err)
		}
	})
}

// stop ends what is under way; its answer is dropped.
func (t *task) stop() {
	t.latest.Next()
	if t.job != nil {
		t.job.Drop()
		t.job = nil
	}
}
