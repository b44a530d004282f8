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
	"github.com/variscope/variscope/ui/widget"
)

// Store is what the pane needs of a workspace; *store.Workspace is one.
type Store interface {
	ModelPath(hash string) string
	UpdateModel(hash string, change func(*model.Model) error) error
}

// Deps is what the pane is made from. Host, Work, Store and Layers are needed.
type Deps struct {
	Host  pane.Host
	Work  *background.Group
	Store Store
	// Layers reads the layers of a model file (engine/onnx.Layers).
	Layers func(path string) ([]model.Layer, error)
	// Did notes an assignment of a position, which can be undone; may be nil.
	Did func(history.Step)
	// Keys gets the keys that the pane does not use.
	Keys widget.Keys
}

// Pane is the pane of the model's graph. All methods are called on the main goroutine.
type Pane struct {
	deps     Deps
	latest   background.Latest
	view     View
	read     string // hash of the model whose layers are shown
	selected int    // layer, -1 for none
	found    []int
	face     *face
}

var _ pane.Pane = (*Pane)(nil)

// New makes the pane.
func New(deps Deps) *Pane {
	if deps.Did == nil {
		deps.Did = func(history.Step) {}
	}
	p := &Pane{deps: deps, selected: -1}
	p.face = newFace(p)
	return p
}

// Title implements pane.Pane.
func (p *Pane) Title() string { return "Graph" }

// Object implements pane.Pane.
func (p *Pane) Object() fyne.CanvasObject { return p.face.ground.Surface }

// Tall implements pane.Pane: the matrices stay in sight, since picking a tensor adds one.
func (p *Pane) Tall() bool { return false }

// Hidden implements pane.Pane.
func (p *Pane) Hidden() { p.latest.Next() }

// Close implements pane.Pane.
func (p *Pane) Close() { p.latest.Next() }

// Show implements pane.Pane.
func (p *Pane) Show(s pane.Subject) {
	p.face.ground.Shown()
	if s.Model.Hash == p.read {
		p.view = p.view.With(s.Model)
		p.face.show()
		return
	}
	m := s.Model
	p.clear("reading the graph…")
	if m.Hash == "" {
		p.latest.Next()
		p.clear("no model")
		return
	}
	background.Load(p.deps.Work, &p.latest, "read graph", func(context.Context) (View, error) {
		layers, err := p.deps.Layers(p.deps.Store.ModelPath(m.Hash))
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
		p.face.reload()
	})
}

// clear empties the list and says why.
func (p *Pane) clear(reason string) {
	p.view, p.read, p.selected, p.found = View{}, "", -1, nil
	p.face.empty.SetText(reason)
	p.face.reload()
}

// Select selects a layer and scrolls to it; -1 selects none.
func (p *Pane) Select(at int) {
	if at >= len(p.view.Layers) {
		at = -1
	}
	p.selected = at
	p.face.showSelected()
}

// Search marks the layers that a text stands in, and selects the first.
func (p *Pane) Search(text string) {
	p.found = p.view.Find(text)
	if len(p.found) > 0 {
		p.Select(p.found[0])
	}
	p.face.showFound(text)
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

// TypedKey takes up and down, which select layers while the pane has the keyboard. It returns
// false for all others.
func (p *Pane) TypedKey(key fyne.KeyName) bool {
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
		p.deps.Host.ShowPosition(tensor)
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
	m := p.view.Model
	store := p.deps.Store
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
	p.deps.Work.Quiet("assign position", func(context.Context) error { return set(tensor, &before) }, func(err error) {
		if err != nil {
			p.deps.Host.ShowError(fmt.Errorf("assign %s of model %s: %w", position, m.ID, err))
			return
		}
		p.deps.Did(history.Step{
			Title: fmt.Sprintf("assignment of %s in %s", position, m.ID),
			Undo:  func(context.Context) error { return set(before, nil) },
			Redo:  func(context.Context) error { return set(tensor, nil) },
		})
		if tensor == "" {
			p.deps.Host.Status(fmt.Sprintf("%s of %s has its usual meaning again; run the model to see its matrices", position, m.ID))
			return
		}
		p.deps.Host.Status(fmt.Sprintf("%s of %s is now %s; run the model to see its matrices", position, m.ID, tensor))
	})
}
