package export

import (
	"context"
	"errors"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

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
		q := store.FeatureQuestion{Model: it.Model, Suite: manifest, Family: v.Family, Layout: layout, Images: images}
		rows[k], err = g.row(ctx, q)
		var lacks *store.LacksError
		if errors.As(err, &lacks) {
			reasons[k], err = lacks.Reason.Text, nil
		}
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
func (g *gathering) row(ctx context.Context, q store.FeatureQuestion) (FeatureRow, error) {
	info, err := g.ws.FeatureSet(q)
	if err != nil {
		return FeatureRow{}, err
	}
	list, err := g.ws.Features(ctx, info, q)
	if err != nil {
		return FeatureRow{}, err
	}
	values, err := FeaturesOf(q.Layout, list[0].Vector)
	return FeatureRow{ModelID: q.Model.ID, ModelHash: q.Model.Hash, Values: values}, err
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
