package evidence

import (
	"context"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
)

// SharedRanges are the default colour ranges of modalities over all models of the source that have
// signals for the suite and family: 0..0.3 for CONF, else 0..p99 rounded up. It reads every model's
// matrices: call it off the UI goroutine.
func SharedRanges(ctx context.Context, from Source, suiteHash, family string, modalities []string) (Ranges, error) {
	models, err := from.Models()
	if err != nil {
		return nil, err
	}
	return RangesOver(ctx, models, modalities, func(m model.Model, values map[string][]float64) error {
		summary, _, err := from.Summary(m, suiteHash, family)
		for _, name := range modalities {
			values[name] = append(values[name], summary.Matrices[name].Data...)
		}
		return err
	})
}

// RangesOver are the default colour ranges of modalities over models; gather adds the elements of a
// model's matrices by modality.
func RangesOver(
	ctx context.Context, models []model.Model, modalities []string,
	gather func(m model.Model, values map[string][]float64) error,
) (Ranges, error) {
	values := map[string][]float64{}
	for _, m := range models {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := gather(m, values); err != nil {
			return nil, err
		}
	}
	ranges := Ranges{}
	for _, name := range modalities {
		ranges[name] = DefaultRange(name, values[name])
	}
	return ranges, nil
}

// DefaultRange is the colour range for values of a modality.
func DefaultRange(modality string, values []float64) label.Range {
	low, high := render.DefaultRange(modality, values)
	return label.Range{Low: low, High: high}
}

// Cases are worked examples of matrices, in the colours of the default range.
func Cases() (list []result.Figure, err error) {
	cases, err := variance.Cases()
	for _, c := range cases {
		list = append(list, c.Figure(render.Scale{High: DefaultRange("max@CONF", nil).High}))
	}
	return list, err
}
