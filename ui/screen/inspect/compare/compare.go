package compare

import (
	"context"
	"io"
	"slices"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// Pane is the pane of the comparison. The first model is the one that the screen shows. All
// methods are called on the main goroutine.
type Pane struct {
	*pane.Base
	*widgets
	store   Store
	visible bool
	pace    background.Pace
	subject pane.Subject
	others  []string // hashes of the models beside the subject's
	beside  string   // the family under which the subject's model stands beside itself, the last column; "" for none
	sides   []Side   // of the others, in memory while the pane is visible
	own     Side     // of the family beside, likewise

	besideOf string // model and family that beside was asked for
	result   Result

	picked   bool   // a person chose the rows
	modality string // the one row; "" for all matrices
	same     bool
	minuend  int // sides whose difference is drawn
	subtract int
}

var _ pane.Pane = (*Pane)(nil)

// New makes the pane. It has the room of the matrices: its first column has what they would show.
func New(site pane.Site, store Store) *Pane {
	p := &Pane{Base: pane.NewBase(site, "Compare", true), store: store, subtract: 1}
	p.build()
	return p
}

// Hidden implements pane.Pane: the other models' signals are let go.
func (p *Pane) Hidden() {
	p.visible = false
	p.sides, p.own, p.subject, p.result = nil, Side{}, pane.Subject{}, Result{}
	p.clear()
}

// Close implements pane.Pane.
func (p *Pane) Close() { p.Hidden() }

// Show implements pane.Pane.
func (p *Pane) Show(s pane.Subject) {
	onlyFocus := p.visible && p.unchanged(s)
	p.chooseRow(s)
	if p.besideOf != s.Model.Hash+s.Family {
		p.beside = ""
	}
	p.visible, p.subject = true, s
	p.others = slices.DeleteFunc(p.others, func(hash string) bool { return hash == s.Model.Hash })
	if onlyFocus {
		p.mark(s.Focus)
		return
	}
	p.refresh()
}

// chooseRow takes the matrix in focus as the one row, until a person chose another that is there.
func (p *Pane) chooseRow(s pane.Subject) {
	names := s.Evidence.Modalities()
	if p.picked && (p.modality == "" || slices.Contains(names, p.modality)) || len(names) == 0 {
		return
	}
	p.modality = s.Focus.Modality
	if !slices.Contains(names, p.modality) {
		p.modality = names[0]
	}
}

// unchanged tells whether nothing but the focus differs from what is shown.
func (p *Pane) unchanged(s pane.Subject) bool {
	o := p.subject
	same := s.Model.Hash == o.Model.Hash && s.Set == o.Set && s.First == o.First && s.Last == o.Last && s.Family == o.Family &&
		s.Suite.Hash == o.Suite.Hash && s.Images.String() == o.Images.String() && slices.Equal(s.Evidence.Modalities(), o.Evidence.Modalities())
	if !same || s.View.Map != o.View.Map {
		return false
	}
	for _, name := range s.Evidence.Modalities() {
		if s.View.Scale(name) != o.View.Scale(name) {
			return false
		}
	}
	return true
}

// Compare chooses the models that stand side by side, at most four. The first becomes the one that
// the screen shows, unless the one that it shows is among them.
func (p *Pane) Compare(hashes []string) {
	hashes = hashes[:min(len(hashes), Most)]
	if len(hashes) == 0 {
		return
	}
	shown := p.subject.Model.Hash
	if !slices.Contains(hashes, shown) {
		shown = hashes[0]
		p.others = slices.Clone(hashes[1:])
		p.Screen.Open(shown)
		return
	}
	p.others = slices.DeleteFunc(slices.Clone(hashes), func(hash string) bool { return hash == shown })
	p.refresh()
}

// Add sets another model beside the others.
func (p *Pane) Add(hash string) { p.put(len(p.others), hash) }

// put sets a model at a place, counted without the subject's.
func (p *Pane) put(at int, hash string) {
	if hash == p.subject.Model.Hash || slices.Contains(p.others, hash) || at >= p.room() {
		return
	}
	if at < len(p.others) {
		p.others[at] = hash
	} else {
		p.others = append(p.others, hash)
	}
	p.refresh()
}

// Beside sets the matrix of a modality of the model that is shown beside the same one under
// another family, such as one with another interpolation, until another model is shown; "" takes
// it away. Other models leave.
func (p *Pane) Beside(family, modality string) {
	p.beside, p.besideOf, p.others = family, p.subject.Model.Hash+p.subject.Family, nil
	p.modality, p.picked = modality, true
	p.refresh()
}

// room is how many other models have room.
func (p *Pane) room() int {
	if p.beside != "" {
		return Most - 2
	}
	return Most - 1
}

// Remove takes a model away; place 0 is the subject's, which stays.
func (p *Pane) Remove(place int) {
	if p.beside != "" && place == len(p.others)+1 {
		p.beside = ""
		p.refresh()
	}
	if place < 1 || place > len(p.others) {
		return
	}
	p.others = slices.Delete(p.others, place-1, place)
	p.refresh()
}

// Swap has the screen show the model at a place; the one that it shows takes the place.
func (p *Pane) Swap(place int) {
	if place < 1 || place > len(p.others) {
		return
	}
	hash := p.others[place-1]
	p.others[place-1] = p.subject.Model.Hash
	p.Screen.Open(hash)
}

// Difference chooses the two places whose difference is drawn; none where they are equal.
func (p *Pane) Difference(minuend, subtrahend int) {
	p.minuend, p.subtract = minuend, subtrahend
	p.refresh()
}

// answer is what a refresh brings.
type answer struct {
	hashes []string // of the models asked for beside the subject's
	beside string
	own    Side // the subject's model under the family beside, where one is asked for
	sides  []Side
	result Result
}

// query is what is to be compared now.
func (p *Pane) query() Query {
	q := Query{Subject: p.subject, Modalities: p.subject.Evidence.Modalities(), Same: p.same}
	if p.modality != "" {
		q.Modalities = []string{p.modality}
	}
	n := len(p.others) + 1
	if p.beside != "" {
		n++
	}
	if p.minuend < n && p.subtract < n {
		q.Minuend, q.Subtrahend = p.minuend, p.subtract
	} else if n > 1 {
		q.Subtrahend = 1
	}
	return q
}

// refresh reads what is not in memory yet and computes the comparison anew, off the main
// goroutine.
func (p *Pane) refresh() {
	if !p.visible || p.subject.Model.Hash == "" || !p.pace.Begin(p.refresh) {
		return
	}
	q, before, from := p.query(), slices.Clone(p.sides), p.store
	a := answer{hashes: slices.Clone(p.others), beside: p.beside}
	there := append(slices.Clone(before), p.own)
	if !slices.Equal(hashesOf(before), a.hashes) {
		p.readOut.SetText("reading…")
	}
	p.Work.Quiet("compare models", func(ctx context.Context) (err error) {
		if a.sides, err = loadSides(ctx, from, q.Subject, a.hashes, there); err != nil {
			return err
		}
		all := append([]Side{own(q.Subject)}, a.sides...)
		if a.beside != "" {
			if a.own, err = loadBeside(ctx, from, q.Subject, a.beside, there); err != nil {
				return err
			}
			all = append(all, a.own)
		}
		a.result = Compute(all, q)
		return nil
	}, func(err error) { p.arrived(a, err) })
}

// arrived shows an answer, unless the pane was left or other models were chosen meanwhile.
func (p *Pane) arrived(a answer, err error) {
	defer p.pace.End()
	switch {
	case !p.visible:
	case present.Cancelled(err):
	case err != nil:
		p.problem(present.Sentence(err))
		p.Fail(err)
	case a.result.Query.Subject.Model.Hash != p.subject.Model.Hash, !slices.Equal(a.hashes, p.others), a.beside != p.beside:
		p.sides = a.sides // what both have in common is not read again
	default:
		p.sides, p.result, p.others, p.own = a.sides, a.result, hashesOf(a.sides), a.own
		p.show(a.result)
		p.mark(p.subject.Focus)
	}
}

func hashesOf(sides []Side) []string {
	hashes := make([]string, len(sides))
	for k, s := range sides {
		hashes[k] = s.Model.Hash
	}
	return hashes
}

// tapped moves the screen's focus to an element that was clicked.
func (p *Pane) tapped(modality int, c widget.Cell) {
	if modality < len(p.result.Query.Modalities) {
		first := p.result.Query.Subject.First
		p.Screen.Focus(pane.Focus{Modality: p.result.Query.Modalities[modality], I: first + c.I, J: first + c.J})
	}
	p.TakeBack()
}

// Save asks where a figure of the comparison shall lie.
func (p *Pane) Save(format string) {
	r := p.result
	p.Saver().Ask(figures.FileName(format, p.fileParts()...), func(w io.Writer) error {
		return render.WriteGrid(w, r.Figures(), r.Title(), format)
	})
}

// fileParts begin the name of a file that is saved of the comparison.
func (p *Pane) fileParts() []string {
	parts := []string{"compare"}
	for _, c := range p.result.Columns {
		parts = append(parts, c.Model.ID)
	}
	return parts
}
