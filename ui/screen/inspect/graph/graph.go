package graph

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

// Store is what the pane needs of a workspace; *store.Workspace is one.
type Store interface {
	ModelPath(hash string) string
	UpdateModel(hash string, change func(*model.Model) error) error
}

// Pane is the pane of the model's graph. All methods are called on the main goroutine.
type Pane struct {
	*pane.Base
	*widgets
	store    Store
	layers   func(path string) ([]model.Layer, error)
	did      func(history.Step)
	view     View
	read     string // hash of the model whose layers are shown
	selected int    // layer, -1 for none
	found    []int
}

var _ pane.Pane = (*Pane)(nil)

// New makes the pane. layers reads those of a model file (engine/onnx.Layers); did notes an
// assignment of a position, which can be undone. The matrices stay in sight, since picking a tensor
// adds one.
func New(site pane.Site, store Store, layers func(path string) ([]model.Layer, error), did func(history.Step)) *Pane {
	p := &Pane{Base: pane.NewBase(site, "Graph", false), store: store, layers: layers, did: did, selected: -1}
	p.build()
	return p
}

// Show implements pane.Pane.
func (p *Pane) Show(s pane.Subject) {
	if s.Model.Hash == p.read {
		p.view.Model = s.Model // its assigned positions may have changed
		p.show()
		return
	}
	m := s.Model
	p.clear("reading the graph…")
	if m.Hash == "" {
		p.Latest.Next()
		p.clear("no model")
		return
	}
	background.Load(p.Work, &p.Latest, "read graph", func(context.Context) (View, error) {
		layers, err := p.layers(p.store.ModelPath(m.Hash))
		if err != nil {
			return View{}, fmt.Errorf("graph of model %s: %w", m.ID, err)
		}
		return NewView(m, layers), nil
	}, func(v View, err error) {
		if err != nil {
			p.clear(fmt.Sprintf("the graph cannot be read: %s", present.Sentence(err)))
			return
		}
		p.view, p.read = v, m.Hash
		p.reload()
	})
}

// clear empties the list and says why.
func (p *Pane) clear(reason string) {
	p.view, p.read, p.selected, p.found = View{}, "", -1, nil
	p.empty.SetText(reason)
	p.reload()
}

// Select selects a layer and scrolls to it; -1 selects none.
func (p *Pane) Select(at int) {
	if at >= len(p.view.Layers) {
		at = -1
	}
	p.selected = at
	p.showSelected()
}

// Search marks the layers that a text stands in, and selects the first.
func (p *Pane) Search(text string) {
	p.found = p.view.Find(text)
	if len(p.found) > 0 {
		p.Select(p.found[0])
	}
	p.showFound(text)
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
		p.Screen.ShowPosition(tensor)
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
	p.Work.Quiet("assign position", func(context.Context) error { return set(tensor, &before) }, func(err error) {
		if err != nil {
			p.Fail(fmt.Errorf("assign %s of model %s: %w", position, m.ID, err))
			return
		}
		p.did(history.Step{
			Title: fmt.Sprintf("assignment of %s in %s", position, m.ID),
			Undo:  func(context.Context) error { return set(before, nil) },
			Redo:  func(context.Context) error { return set(tensor, nil) },
		})
		if tensor == "" {
			p.Say(fmt.Sprintf("%s of %s has its usual meaning again; run the model to see its matrices", position, m.ID))
			return
		}
		p.Say(fmt.Sprintf("%s of %s is now %s; run the model to see its matrices", position, m.ID, tensor))
	})
}
