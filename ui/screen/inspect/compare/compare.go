package compare

import (
	"context"
	"io"
	"slices"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

// Pane is the tab of the comparison. The first model is the one that the screen shows. All methods
// are called on the main goroutine.
type Pane struct {
	pane.Tab
	*widgets
	site    pane.Site
	page    *kit.Screen[struct{}, *answer]
	store   Store
	answer  *answer // what is shown; emptied while nobody looks
	visible bool

	others   []string // hashes of the models beside the subject's
	beside   string   // the family under which the subject's model stands beside itself, the last column; "" for none
	besideOf string   // model and family that beside was asked for
	picked   bool     // a person chose the rows
	modality string   // the one row; "" for all matrices
	same     bool
	minuend  int // sides whose difference is drawn
	subtract int
}

// answer is what a loading brings.
type answer struct {
	asked
	sides  []Side // of the others
	own    Side   // the subject's model under the family beside, where one is asked for
	result Result
}

// asked is what is to be compared.
type asked struct {
	query   Query
	hashes  []string // of the models beside the subject's
	beside  string
	version int // of the workspace
}

// New makes the tab. It has the room of the matrices: its first column has what they would show.
func New(site pane.Site, from Store) *Pane {
	p := &Pane{site: site, store: from, subtract: 1, answer: &answer{}}
	p.Tall = true
	body := p.build()
	p.page = kit.New(kit.Screen[struct{}, *answer]{
		Host: site.Host, Name: "Compare models", Doing: "Comparing…", Key: "inspect.compare", Quiet: true, Paced: true,
		Load: p.load, On: []store.ChangeKind{store.ModelChanged, store.SignalsChanged}, Body: body, Show: p.take,
		Keys: site.Refocus, OnShown: func() { p.visible = true },
		OnHidden: func() { // the other models' signals are let go
			p.visible, *p.answer = false, answer{}
			p.page.Changed()
		},
	})
	p.Tab.Tab = kit.Tab{Key: "compare", Title: "Compare", Page: p.page}
	return p
}

// load takes what is to be compared and returns the work that reads what is not in memory yet and
// compares. Where only the focus has moved nothing is compared anew.
func (p *Pane) load(struct{}) kit.Work[*answer] {
	s := p.subject()
	p.chooseRow(s)
	if p.besideOf != s.Model.Hash+s.Family {
		p.beside = ""
	}
	p.others = slices.DeleteFunc(p.others, func(hash string) bool { return hash == s.Model.Hash })
	a := &answer{asked: asked{
		query: p.query(s), hashes: slices.Clone(p.others), beside: p.beside, version: p.page.Version(),
	}}
	before, from := *p.answer, p.store
	if before.same(a.asked) {
		before.result.Query.Subject.Focus = s.Focus
		return func(context.Context, engine.Progress) (*answer, error) { return &before, nil }
	}
	return func(ctx context.Context, _ engine.Progress) (_ *answer, err error) {
		there := append(slices.Clone(before.sides), before.own)
		if a.sides, err = loadSides(ctx, from, s, a.hashes, there); err != nil {
			return nil, err
		}
		all := append([]Side{own(s)}, a.sides...)
		if a.beside != "" {
			if a.own, err = loadBeside(ctx, from, s, a.beside, there); err != nil {
				return nil, err
			}
			all = append(all, a.own)
		}
		a.result = Compute(all, a.query)
		return a, nil
	}
}

// same tells whether nothing but the focus is asked otherwise.
func (a asked) same(b asked) bool {
	s, o := a.query.Subject, b.query.Subject
	same := s.Set == o.Set && s.First == o.First && s.Last == o.Last && s.Model.Hash == o.Model.Hash &&
		s.Family == o.Family &&
		s.Suite.Hash == o.Suite.Hash && s.Images.String() == o.Images.String() && s.View.Map == o.View.Map &&
		slices.Equal(a.query.Modalities, b.query.Modalities) && a.query.Same == b.query.Same &&
		a.query.Minuend == b.query.Minuend &&
		a.query.Subtrahend == b.query.Subtrahend && slices.Equal(a.hashes, b.hashes) && a.beside == b.beside &&
		a.version == b.version
	return same && !slices.ContainsFunc(a.query.Modalities,
		func(name string) bool { return s.View.Scale(name) != o.View.Scale(name) })
}

// take shows what was compared, unless another model is shown by now. Models that are gone leave.
func (p *Pane) take(a *answer) {
	if p.answer = a; !p.visible {
		*a = answer{}
		return
	}
	if slices.Equal(a.hashes, p.others) {
		p.others = nil
		for _, side := range a.sides {
			p.others = append(p.others, side.Model.Hash)
		}
		a.hashes = slices.Clone(p.others)
	}
	if a.query.Subject.Model.Hash == p.subject().Model.Hash {
		p.show(a.result)
	}
}

func (p *Pane) subject() pane.Subject { return p.site.Screen.Subject() }

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

// Compare chooses the models that stand side by side, at most four. The first becomes the one that
// the screen shows, unless the one that it shows is among them.
func (p *Pane) Compare(hashes []string) {
	hashes = hashes[:min(len(hashes), Most)]
	if len(hashes) == 0 {
		return
	}
	shown := p.subject().Model.Hash
	if !slices.Contains(hashes, shown) {
		shown = hashes[0]
		p.others = slices.Clone(hashes[1:])
		p.site.Screen.Open(shown)
		return
	}
	p.others = slices.DeleteFunc(slices.Clone(hashes), func(hash string) bool { return hash == shown })
	p.page.Changed()
}

// Add sets another model beside the others.
func (p *Pane) Add(hash string) { p.put(len(p.others), hash) }

// put sets a model at a place, counted without the subject's.
func (p *Pane) put(at int, hash string) {
	if hash == p.subject().Model.Hash || slices.Contains(p.others, hash) || at >= p.room() {
		return
	}
	if at < len(p.others) {
		p.others[at] = hash
	} else {
		p.others = append(p.others, hash)
	}
	p.page.Changed()
}

// Beside sets the matrix of a modality of the model that is shown beside the same one under
// another family, such as one with another interpolation, until another model is shown; "" takes
// it away. Other models leave.
func (p *Pane) Beside(family, modality string) {
	p.beside, p.besideOf, p.others = family, p.subject().Model.Hash+p.subject().Family, nil
	p.modality, p.picked = modality, true
	p.page.Changed()
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
		p.page.Changed()
	}
	if place < 1 || place > len(p.others) {
		return
	}
	p.others = slices.Delete(p.others, place-1, place)
	p.page.Changed()
}

// Swap has the screen show the model at a place; the one that it shows takes the place.
func (p *Pane) Swap(place int) {
	if place < 1 || place > len(p.others) {
		return
	}
	hash := p.others[place-1]
	p.others[place-1] = p.subject().Model.Hash
	p.site.Screen.Open(hash)
}

// Difference chooses the two places whose difference is drawn; none where they are equal.
func (p *Pane) Difference(minuend, subtrahend int) {
	p.minuend, p.subtract = minuend, subtrahend
	p.page.Changed()
}

// query is what is to be compared of a subject.
func (p *Pane) query(s pane.Subject) Query {
	q := Query{Subject: s, Modalities: s.Evidence.Modalities(), Same: p.same}
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

// Save asks where a figure of the comparison shall lie.
func (p *Pane) Save(format string) {
	r := p.answer.result
	p.site.Saver().Ask(figures.FileName(format, p.fileParts()...), func(w io.Writer) error {
		return render.WriteGrid(w, r.Figures(), r.Title(), format)
	})
}

// fileParts begin the name of a file that is saved of the comparison.
func (p *Pane) fileParts() []string {
	parts := []string{"compare"}
	for _, c := range p.answer.result.Columns {
		parts = append(parts, c.Model.ID)
	}
	return parts
}

// candidates is the table of the models that can be chosen, found by their ids and training
// records.
var candidates = result.Table[model.Model]{
	Name: "models_to_compare", Title: "Models", Noun: "model", ID: func(m model.Model) string { return m.Hash },
	First: result.Order{Key: "model_id"},
	Columns: []result.Column[model.Model]{
		result.Texts("model_id", "model", "", func(m model.Model) string { return m.ID }),
		result.Texts("record", "training record", "", func(m model.Model) (text string) {
			for _, f := range m.Record {
				text += f.Value + "  "
			}
			return text
		}),
	},
}

// ask opens a dialog that chooses the model for a place; one behind the last adds a model.
func (p *Pane) ask(place int) {
	without := append(slices.Clone(p.others), p.subject().Model.Hash)
	var models []model.Model
	p.site.Quietly("list models", func() (err error) {
		models, err = p.store.Models()
		models = slices.DeleteFunc(models, func(m model.Model) bool { return slices.Contains(without, m.Hash) })
		return err
	}, func() {
		d := p.site.NewDialog("Choose a model to compare", fyne.NewSize(680, 460))
		choose := func(m model.Model) {
			d.Close()
			p.put(place-1, m.Hash)
		}
		list := &kit.Records[model.Model]{
			Host: p.site.Host, Table: candidates, OnOpen: choose,
			Actions: []kit.Action[model.Model]{
				{
					Name: "Compare", Button: true, Can: func(l []model.Model) bool { return len(l) == 1 },
					Do: func(l []model.Model) { choose(l[0]) },
				},
			},
		}
		d.Show(list.Object(), d.CloseButton("Cancel"))
		d.Present(nil)
		list.Set(models)
		list.Focus()
	})
}
