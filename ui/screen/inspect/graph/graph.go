package graph

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

// Store is what the pane needs of a workspace; *store.Workspace is one.
type Store interface {
	ModelPath(hash string) string
	UpdateModel(hash string, change func(*model.Model) error) error
}

// Pane is the tab of the model's graph. All methods are called on the main goroutine.
type Pane struct {
	pane.Tab
	*widgets
	site     pane.Site
	page     *kit.Screen[struct{}, View]
	store    Store
	did      func(history.Step)
	view     View
	selected int // layer, -1 for none
	found    []int
}

// New makes the tab. layers reads those of a model file (engine/onnx.Layers); did notes an
// assignment of a position, which can be undone. The matrices stay in sight, since picking a tensor
// adds one.
func New(site pane.Site, store Store, layers func(path string) ([]model.Layer, error), did func(history.Step)) *Pane {
	p := &Pane{site: site, store: store, did: did, selected: -1, widgets: &widgets{}}
	p.OnKey = p.key
	p.page = kit.New(kit.Screen[struct{}, View]{
		Host: site.Host, Name: "Read the graph", Doing: "Reading the graph…", Key: "inspect.graph", Quiet: true,
		Load: func(struct{}) kit.Work[View] {
			m, shown := site.Screen.Subject().Model, p.view
			return func(context.Context, engine.Progress) (View, error) {
				if shown.Model.Hash == m.Hash && shown.problem == "" {
					shown.Model = m // its assigned positions may have changed
					return shown, nil
				}
				layers, err := layers(store.ModelPath(m.Hash))
				v := NewView(m, layers)
				if err != nil {
					v.problem = fmt.Sprintf("The graph of model %s cannot be read. %s", m.ID, present.Sentence(err))
				}
				return v, nil
			}
		},
		Body: p.build(), Show: p.show, Keys: site.Refocus,
		Empty: func(v View) (kit.Empty, bool) {
			if v.problem != "" {
				p.show(v)
			}
			return kit.Empty{Text: v.problem}, v.problem != ""
		},
	})
	p.Tall = true
	p.Tab.Tab = kit.Tab{Key: "graph", Title: "Graph", Page: p.page}
	return p
}

// show draws the layers and the facts anew.
func (p *Pane) show(v View) {
	other := v.Model.Hash != p.view.Model.Hash
	if p.view = v; !other {
		p.list.Refresh()
		p.showFacts()
		return
	}
	p.selected, p.found, p.lanes = -1, nil, width(v.lanes)
	p.list.UnselectAll()
	p.sum.SetText(v.Sum())
	p.list.ScrollToTop()
	p.Search(p.search.Text)
	p.showFacts()
}

// Select selects a layer and scrolls to it; -1 selects none.
func (p *Pane) Select(at int) {
	if at >= len(p.view.Layers) {
		at = -1
	}
	p.selected = at
	chosen := p.list.OnSelected
	p.list.OnSelected = nil // it was not a click: the focus stays where it is
	if p.selected < 0 {
		p.list.UnselectAll()
	} else {
		p.list.Select(p.selected)
	}
	p.list.OnSelected = chosen
	p.showFacts()
}

// Search marks the layers that a text stands in, and selects the first.
func (p *Pane) Search(text string) {
	p.found = p.view.Find(text)
	if len(p.found) > 0 {
		p.Select(p.found[0])
	}
	hits := ""
	if strings.TrimSpace(text) != "" {
		hits = fmt.Sprintf("%d found", len(p.found))
	}
	p.hits.SetText(hits)
	p.list.Refresh()
}

// Next selects the next of the layers found (by 1), or the one before (by -1), around the ends.
func (p *Pane) Next(by int) {
	n := len(p.found)
	if n == 0 {
		return
	}
	at := 0
	if by < 0 {
		at = n - 1
	}
	for k, layer := range p.found {
		if layer == p.selected {
			at = (k + by + n) % n
		}
	}
	p.Select(p.found[at])
}

// key takes up and down, which select layers while the pane has the keyboard. It returns false for
// all others.
func (p *Pane) key(key fyne.KeyName) bool {
	by := map[fyne.KeyName]int{fyne.KeyUp: -1, fyne.KeyDown: 1}[key]
	if by == 0 || len(p.view.Layers) == 0 {
		return false
	}
	p.Select(min(max(p.selected+by, 0), len(p.view.Layers)-1))
	return true
}

// tensor is the tensor that the selected layer makes and that can be a position; "" when there is
// none.
func (p *Pane) tensor() string {
	if p.selected < 0 || p.selected >= len(p.view.Layers) {
		return ""
	}
	return p.view.Tensor(p.selected)
}

// ShowPosition asks the screen for the matrices of the selected layer's tensor.
func (p *Pane) ShowPosition() {
	if tensor := p.tensor(); tensor != "" {
		p.site.Screen.ShowPosition(tensor)
	}
}

// Assign gives a position of this model to the selected layer's tensor; Release leaves a position
// to its usual meaning.
func (p *Pane) Assign(position string) {
	if tensor := p.tensor(); tensor != "" {
		p.change(position, tensor)
	}
}

// Release takes the assignment of a position back.
func (p *Pane) Release(position string) { p.change(position, "") }

func (p *Pane) change(position, tensor string) {
	m, store := p.view.Model, p.store
	set := func(to string, before *string) error {
		return store.UpdateModel(m.Hash, func(m *model.Model) error {
			old := assign(m, position, to)
			if before != nil {
				*before = old
			}
			return nil
		})
	}
	var before string
	p.site.Work.Quiet("assign position", func(context.Context) error { return set(tensor, &before) }, func(err error) {
		if err != nil {
			p.site.Fail(fmt.Errorf("assign %s of model %s: %w", position, m.ID, err))
			return
		}
		p.did(history.Step{
			Title: fmt.Sprintf("assignment of %s in %s", position, m.ID),
			Undo:  func(context.Context) error { return set(before, nil) },
			Redo:  func(context.Context) error { return set(tensor, nil) },
		})
		if tensor == "" {
			p.site.Say(fmt.Sprintf("%s of %s has its usual meaning again; run the model to see its matrices",
				position, m.ID))
			return
		}
		p.site.Say(fmt.Sprintf("%s of %s is now %s; run the model to see its matrices", position, m.ID, tensor))
	})
}
