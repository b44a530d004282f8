package dscore

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// Order is what is to be computed: D-Scores of models with several n and t, and what single
// convolutions contribute. Of the options count N, T, layers and what stands beside these.
type Order struct {
	Suite  string // content hash
	Models []model.Model
	score.Options
	// Alone leaves the scores out: only what single convolutions contribute is computed.
	Alone bool
}

// usualOrder is what a D-Score of models needs.
func usualOrder(suiteHash string, models []model.Model) Order {
	return Order{Suite: suiteHash, Models: models, Options: score.Defaults()}
}

// like has the masks of a grid: of small maps, and behind batch-norm.
func (o Order) like(g score.Grid) Order {
	if takesSmall(g) {
		o.Layers = []string{transform.AllLayers}
	}
	o.AfterBatchnorm = behindNorm(g)
	return o
}

// exactly are the options of scores with a grid and no other, also one of single layers.
func exactly(g score.Grid) score.Options {
	o := usualOrder("", nil).like(g).Options
	o.N, o.T = []int{g.N}, []int{g.T}
	if masks, err := g.Masks(); err == nil && len(masks.Layers) > 0 {
		o.Layers = nil
		for _, k := range masks.Layers {
			o.Layers = append(o.Layers, strconv.Itoa(k))
		}
	}
	return o
}

// command is the command that makes the score, with what each layer alone would lose if it is asked
// for.
func command(r Row, workspace string, perLayer bool) string {
	o := exactly(r.Grid)
	o.Suite, o.Models, o.PerLayer = []string{r.SuiteName}, []string{r.Model.ID}, perLayer
	return option.Command([]string{"variscope", "dscore", workspace}, &o)
}

// Runs are the runs that compute it: for every n the masks, of all convolutions and of each alone,
// then the shifts for every t. A model takes part in the masks of the convolutions that it has.
// The error is a sentence about what was asked for.
func (o Order) Runs() ([]kit.Run, error) {
	switch {
	case len(o.Models) == 0:
		return nil, errors.New("there is no model with a convolution: regions cannot be deleted")
	case len(o.N) == 0:
		return nil, errors.New("choose at least one n, such as 3")
	case len(o.T) == 0 && !o.Alone:
		return nil, errors.New("choose at least one t, such as 5")
	}
	var runs []kit.Run
	add := func(convolutions int, set transform.Family, err error) error {
		if models := o.having(convolutions); err == nil && len(models) > 0 {
			runs = append(runs, kit.Run{Models: models, Suite: o.Suite, Family: set.String()})
		}
		return err
	}
	mask := func(n int, layer ...int) error {
		masks := o.Masks(n, layer...)
		set, err := transform.Mask(masks)
		return add(slices.Max(append(masks.Layers, 1)), set, err)
	}
	for _, n := range score.Ascending(o.N) {
		if !o.Alone {
			if err := mask(n); err != nil {
				return nil, err
			}
		}
		for layer := 1; o.PerLayer && len(o.having(layer)) > 0; layer++ {
			if err := mask(n, layer); err != nil {
				return nil, err
			}
		}
		for _, t := range score.Ascending(o.T) {
			if o.Alone {
				break // shifts do not depend on masks: those of single convolutions need none of their own
			}
			set, err := transform.Shift(n, t)
			if err := add(1, set, err); err != nil {
				return nil, err
			}
		}
	}
	return runs, nil
}

// having are the models with so many convolutions.
func (o Order) having(convolutions int) []string {
	var list []string
	for _, m := range o.Models {
		if len(m.Graph.Convs) >= convolutions {
			list = append(list, m.Hash)
		}
	}
	return list
}

// without are the models with a convolution that have no score with the grid that is looked at.
func (d Data) without() []model.Model {
	return slices.DeleteFunc(d.withConvolution(), func(m model.Model) bool {
		return slices.ContainsFunc(d.Rows, func(r Row) bool { return r.Model.Hash == m.Hash && r.Grid == d.Grid })
	})
}

// askCompute asks for the options of the command dscore and starts what they say.
func (s *Screen) askCompute() {
	d := s.data()
	var marked []model.Model
	for _, r := range s.models.list.Marked() {
		marked = append(marked, r.Model)
	}
	ordered := func(o score.Options) Order {
		models := slices.DeleteFunc(d.withConvolution(),
			func(m model.Model) bool { return !slices.Contains(o.Models, m.ID) })
		return Order{Suite: d.Suite.Hash, Models: models, Options: o}
	}
	ask := &kit.Ask[score.Options]{
		Title: "Compute D-Scores on " + d.Suite.Name, Button: "Start", Size: fyne.NewSize(640, 420),
		Form: &kit.Form[score.Options]{
			Host: s.Host, Forget: true, Hide: []string{"suite", "over", "tolerance", "samples", "seed"},
			Choices: func(string) ([]kit.Option, string) {
				return groupsOf(marked, d.without(), d.withConvolution()), ""
			},
			Own: layersMenu,
			Command: func(o score.Options) ([]string, any) {
				o.Suite = []string{d.Suite.Name}
				return []string{"variscope", "dscore", s.store.Path()}, &o
			},
		},
		Start: func(f *kit.Form[score.Options]) {
			if d.Grid.N == 0 {
				return
			}
			o := f.Options()
			o.N, o.T, o.Layers, o.AfterBatchnorm = []int{d.Grid.N}, []int{d.Grid.T}, ordered(o).like(d.Grid).Layers,
				behindNorm(d.Grid)
			if err := f.Take(o); err != nil {
				s.Fail(err)
			}
		},
		Line: func(o score.Options) kit.Work[string] {
			return s.CostLine(ordered(o).Runs())
		},
		Do: func(dialog *kit.Dialog, o score.Options) {
			dialog.Close()
			s.order(ordered(o))
		},
	}
	ask.Open()
}

// groupsOf are choices of models, by the text of the option that names them.
func groupsOf(marked, without, all []model.Model) (list []kit.Option) {
	fields := option.Fields(&score.Options{})
	names := fields[slices.IndexFunc(fields, func(f option.Field) bool { return f.Name == "models" })]
	for k, models := range [][]model.Model{marked, without, all} {
		var ids []string
		for _, m := range models {
			ids = append(ids, m.ID)
		}
		if len(ids) > 0 {
			name := []string{"marked", "without a score", "all"}[k]
			list = append(list, kit.Option{Key: names.Join(ids), Name: fmt.Sprintf("%s (%d)", name, len(ids))})
		}
	}
	return list
}

// layersMenu offers the words for layers; single ones are the business of what would be lost.
func layersMenu(name string, take func(text string)) kit.Part {
	if name != "layers" {
		return kit.Part{}
	}
	menu := widget.NewPicker(take)
	list := []kit.Option{
		{Key: transform.AutoLayers, Name: "layers with maps of at least n × n"},
		{Key: transform.AllLayers, Name: "all layers, also smaller ones, as in the D-Score paper [5]"},
	}
	return kit.Part{Object: menu.Object(), Show: func(text string) { menu.Offer(list, text) }}
}
