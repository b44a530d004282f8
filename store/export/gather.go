package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// gather reads what is exported. With a round chosen these are its items under its suite, family
// and image filter; else all rounds and models, under the current suite and family, those of the
// rounds, and all others that have signals. The total of p is set for each piece of the work anew.
func gather(ctx context.Context, ws *store.Workspace, opts Options, p engine.Progress) (Set, error) {
	s := Set{
		Workspace: ws.Name(), Desk: ws.Desk(), Version: opts.Version,
		Events: map[string][]label.Event{}, IDs: map[string]string{}, Limited: opts.Models != nil,
	}
	g := gathering{ws: ws, opts: opts, set: &s}
	if err := g.labels(ctx); err != nil {
		return s, err
	}
	if err := g.views(); err != nil {
		return s, err
	}
	for k := range s.Views {
		if err := g.fill(ctx, &s.Views[k], p); err != nil {
			return s, err
		}
	}
	if !opts.has(Features) {
		return s, nil
	}
	for k := range s.Views {
		if err := g.measure(ctx, &s.Views[k], p); err != nil {
			return s, err
		}
	}
	return s, nil
}

type gathering struct {
	ws     *store.Workspace
	opts   Options
	set    *Set
	models []string // hashes of the workspace's models, by id
}

// labels reads rounds, events and the names of models, and measures agreement.
func (g *gathering) labels(ctx context.Context) error {
	models, err := g.ws.Models()
	if err != nil {
		return err
	}
	for _, m := range models {
		if g.opts.takes(m.Hash) {
			g.models = append(g.models, m.Hash)
		}
		g.set.IDs[m.Hash] = m.ID
	}
	rounds, err := g.rounds()
	if err != nil {
		return err
	}
	g.set.Rounds = g.opts.limit(rounds)
	for _, r := range g.set.Rounds {
		events, err := g.ws.Events(r.ID)
		if err != nil {
			return err
		}
		events = slices.DeleteFunc(events, func(ev label.Event) bool { return !g.opts.takes(ev.Model) })
		// orders what was left, and says nothing of a model
		planned := func(ev label.Event) bool { return ev.Kind == label.Plan }
		g.set.Events[r.ID] = label.Sorted(slices.DeleteFunc(events, planned))
		opts := agreement.Options{Intervals: true, Context: ctx}
		g.set.Agreement = append(g.set.Agreement, agreement.OfRound(r, events, g.set.modelIDs(r), r.Annotators, opts))
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// takes tells whether a model is exported.
func (o Options) takes(hash string) bool { return o.Models == nil || slices.Contains(o.Models, hash) }

// limit leaves the models that are exported in the rounds, and out the rounds without any.
func (o Options) limit(rounds []label.Round) []label.Round {
	if o.Models == nil {
		return rounds
	}
	var list []label.Round
	for _, r := range rounds {
		r.Models = slices.DeleteFunc(slices.Clone(r.Models), func(hash string) bool { return !o.takes(hash) })
		if len(r.Models) > 0 {
			list = append(list, r)
		}
	}
	return list
}

// rounds are all rounds, or the one that the options name by id or by a name that only one round
// has.
func (g *gathering) rounds() ([]label.Round, error) {
	rounds, err := g.ws.Rounds()
	if err != nil || g.opts.Round == "" {
		return rounds, err
	}
	var chosen []label.Round
	for _, r := range rounds {
		if r.ID == g.opts.Round {
			return []label.Round{r}, nil
		}
		if r.Name == g.opts.Round {
			chosen = append(chosen, r)
		}
	}
	switch len(chosen) {
	case 0:
		return nil, fmt.Errorf("workspace %s has no round %q", g.ws.Name(), g.opts.Round)
	case 1:
		return chosen, nil
	}
	return nil, fmt.Errorf("workspace %s has %d rounds named %q; give the id", g.ws.Name(), len(chosen), g.opts.Round)
}

// views lists what the items are seen by.
func (g *gathering) views() error {
	if g.opts.Round == "" {
		if err := g.unbound(); err != nil {
			return err
		}
	}
	for _, r := range g.set.Rounds {
		if r.Kind != label.VarianceRound {
			continue
		}
		v := g.view(View{Suite: r.Suite, Family: r.Family, Filter: r.Filter})
		v.Rounds = append(v.Rounds, r.ID)
		for _, modality := range r.Modalities {
			if !slices.Contains(v.Modalities, modality) {
				v.Modalities = append(v.Modalities, modality)
			}
			if c, ok := r.Ranges[modality]; ok && v.Ranges[modality] == (label.Range{}) {
				v.Ranges[modality] = c
			}
		}
		for _, hash := range r.Models {
			v.add(hash)
		}
	}
	if len(g.set.Views) == 0 { // no round with a family: only what is known of the models
		v := g.view(View{})
		for _, r := range g.set.Rounds {
			for _, hash := range r.Models {
				v.add(hash)
			}
		}
	}
	used := map[string]bool{}
	for k := range g.set.Views {
		v := &g.set.Views[k]
		folder := "view"
		if err := g.nameSuite(v); err != nil {
			return err
		}
		if v.Family != "" {
			f, err := transform.Parse(v.Family)
			if err != nil {
				return err
			}
			v.Axis = Axis{Name: f.Name(), Unit: f.Unit(), Family: v.Family, Values: f.Values()}
			folder = f.Name()
		}
		if k == 0 { // the top
			continue
		}
		v.Folder = folder
		for n := 2; used[v.Folder]; n++ {
			v.Folder = fmt.Sprintf("%s-%d", folder, n)
		}
		used[v.Folder] = true
	}
	return nil
}

// unbound adds what no round needs: the current suite and family, and all others with signals, for
// all models.
func (g *gathering) unbound() error {
	current, err := g.ws.Current()
	if err != nil {
		return err
	}
	list := []store.Current{current}
	for _, hash := range g.models {
		sets, err := g.ws.Sets(hash, "", "")
		if err != nil {
			return err
		}
		for _, info := range sets {
			c := store.Current{Suite: info.Spec.Source, Family: info.Spec.Family}
			if info.Finished && !transform.IsSet(c.Family) && !slices.Contains(list, c) { // sets have no matrices
				list = append(list, c)
			}
		}
	}
	slices.SortFunc(list[1:], func(a, b store.Current) int {
		return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Family, b.Family))
	})
	for _, c := range list {
		if c.Suite == "" && len(list) > 1 {
			continue
		}
		v := g.view(View{Suite: c.Suite, Family: c.Family, Filter: variance.AllImages().String()})
		for _, m := range signal.DefaultModalities() {
			v.Modalities = append(v.Modalities, m.String())
		}
		for _, hash := range g.models {
			v.add(hash)
		}
	}
	return nil
}

// view returns the view with this suite, family and filter, a new one when there is none.
func (g *gathering) view(like View) *View {
	for k, v := range g.set.Views {
		if v.Suite == like.Suite && v.Family == like.Family && v.Filter == like.Filter {
			return &g.set.Views[k]
		}
	}
	like.Ranges = ColourMap{}
	g.set.Views = append(g.set.Views, like)
	return &g.set.Views[len(g.set.Views)-1]
}

func (v *View) add(hash string) {
	if !slices.ContainsFunc(v.Items, func(it Item) bool { return it.Hash == hash }) {
		v.Items = append(v.Items, Item{Model: model.Model{Hash: hash}})
	}
}

// nameSuite says what a view's suite is called and what it is made from.
func (g *gathering) nameSuite(v *View) error {
	if v.Suite == "" {
		return nil
	}
	manifest, err := g.ws.Suite(v.Suite)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	v.SuiteName, v.Derived = cmp.Or(manifest.Name, short(v.Suite)), manifest.Derived
	if v.Derived == nil {
		return nil
	}
	base, err := g.ws.Suite(v.Derived.Of)
	v.BaseName = base.Name
	return err
}

// fill reads the items of a view and sets the colour ranges that no round has set.
func (g *gathering) fill(ctx context.Context, v *View, p engine.Progress) error {
	filter, err := v.images()
	if err != nil {
		return err
	}
	p.SetTotal(int64(len(v.Items)))
	for k := range v.Items {
		if err := ctx.Err(); err != nil {
			return err
		}
		it, err := g.item(ctx, v, v.Items[k].Hash, filter)
		if err != nil {
			return err
		}
		v.Items[k] = it
		p.Add(1)
	}
	for _, modality := range v.Modalities {
		if v.Ranges[modality] != (label.Range{}) {
			continue
		}
		var values []float64
		for _, it := range v.Items {
			values = append(values, it.Matrices[modality].Data...)
		}
		low, high := render.DefaultRange(modality, values)
		v.Ranges[modality] = label.Range{Low: low, High: high}
	}
	return nil
}

// item reads what the workspace knows of a model under the view.
func (g *gathering) item(ctx context.Context, v *View, hash string, filter variance.Images) (Item, error) {
	it := Item{Model: model.Model{Hash: hash}, State: "not in the workspace"}
	m, err := g.ws.Model(hash)
	if errors.Is(err, store.ErrNotFound) {
		return it, nil
	}
	if err != nil {
		return it, err
	}
	it.Model, it.Known, it.State = m, true, string(store.None)
	if _, it.Problem = m.Settings(); it.Problem != nil || v.Suite == "" || v.Family == "" {
		return it, nil
	}
	state, err := g.ws.State(m, v.Suite, v.Family)
	if err != nil {
		return it, err
	}
	it.State = string(state)
	answer, err := g.ws.Matrices(ctx, store.MatrixRequest{
		Model: m, Suite: v.Suite, Family: v.Family,
		Modalities: v.Modalities, Images: filter,
	})
	if errors.Is(err, store.ErrNoSignals) || errors.Is(err, variance.ErrNoImages) {
		return it, nil
	}
	reason, err := lookup.Reason(err)
	if err != nil {
		return it, err
	}
	if !reason.None() {
		it.Problem = fmt.Errorf("model %s: %s", it.name(), reason.Text)
		return it, nil
	}
	it.Accuracy, it.Robust, it.Images, it.Skipped = answer.Accuracy, answer.Robust, answer.Chosen, answer.Skipped
	it.Matrices, it.Absent = answer.Matrices, answer.Absent
	sets, err := g.ws.Sets(hash, v.Suite, v.Family)
	for _, info := range sets {
		if spec := info.Spec; info.Key == answer.Set {
			it.set, it.Inference = info, fmt.Sprintf("ONNX Runtime %s, %s, batch %d",
				spec.Runtime, spec.Computer(), spec.Batch)
		}
	}
	return it, err
}

// ViewFeatures are the features of a view's models that have all matrices of the default layout,
// and why others are left out.
type ViewFeatures struct {
	FeatureTable
	LeftOut map[string]string // hash to reason
}

// measure measures the models of a view that has a family and a suite, several at a time; it reads
// their signals.
func (g *gathering) measure(ctx context.Context, v *View, p engine.Progress) error {
	manifest, err := g.ws.Suite(v.Suite)
	if errors.Is(err, store.ErrNotFound) || v.Family == "" {
		return nil
	}
	if err != nil {
		return err
	}
	images, err := v.images()
	if err != nil {
		return err
	}
	layout := feature.DefaultLayout()
	rows, reasons := make([]FeatureRow, len(v.Items)), make([]string, len(v.Items))
	err = lookup.Each(ctx, len(v.Items), 0, p, func(ctx context.Context, k int) (err error) {
		it := v.Items[k]
		if !it.Known {
			reasons[k] = it.State
			return nil
		}
		q := store.FeatureRequest{Model: it.Model, Suite: manifest, Family: v.Family, Layout: layout, Images: images}
		rows[k], err = g.row(ctx, q)
		var lacks *store.NoFeaturesError
		if errors.As(err, &lacks) {
			reasons[k] = lacks.Reason.Text
			return nil
		}
		reason, err := lookup.Reason(err)
		reasons[k] = reason.Text
		return err
	})
	if err != nil {
		return err
	}
	of := subject.Subject{Suite: manifest.Name, SuiteHash: v.Suite, Family: v.Family}
	v.Features = ViewFeatures{FeatureTable{Names: layout.Names(), Layout: &layout, Of: of}, map[string]string{}}
	finals := g.set.finals(*v)
	for k, it := range v.Items {
		if reasons[k] != "" {
			v.Features.LeftOut[it.Hash] = reasons[k]
			continue
		}
		rows[k].Final = finals[it.Hash]
		v.Features.Rows = append(v.Features.Rows, rows[k])
	}
	return nil
}

// row measures one model.
func (g *gathering) row(ctx context.Context, q store.FeatureRequest) (r FeatureRow, err error) {
	info, err := g.ws.FeatureSet(q)
	if err != nil {
		return r, err
	}
	list, err := g.ws.Features(ctx, info, q)
	if err != nil {
		return r, err
	}
	return FeatureRow{ModelID: q.Model.ID, ModelHash: q.Model.Hash, Values: list[0].Vector.Shown()}, nil
}

// images is the view's choice of images.
func (v View) images() (variance.Images, error) {
	if v.Filter == "" {
		return variance.AllImages(), nil
	}
	return variance.ParseImages(v.Filter)
}

// finals are the training labels of the view's rounds by model: of several rounds, those of the
// newest that has one.
func (s Set) finals(v View) map[string]label.Value {
	finals := map[string]label.Value{}
	for _, r := range s.Rounds {
		if r.Suite != v.Suite || r.Family != v.Family || r.Filter != v.Filter {
			continue
		}
		for _, d := range label.Training(r, s.Events[r.ID], false) {
			if d.Value != "" {
				finals[d.Model] = d.Value
			}
		}
	}
	return finals
}
