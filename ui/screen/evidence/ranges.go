package evidence

import (
	"context"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
)

// SharedRanges are the default colour ranges of modalities over all models of the source that have signals for the suite
// and family: 0..0.3 for CONF, else 0..p99 rounded up. It reads every model's matrices: call it off the UI goroutine.
func SharedRanges(ctx context.Context, from Source, suiteHash, family string, modalities []string) (Ranges, error) {
	models, err := from.Models()
	if err != nil {
		return nil, err
	}
	values := map[string][]float64{}
	for _, m := range models {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		summary, ok, err := from.Summary(m, suiteHash, family)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		for _, name := range modalities {
			values[name] = append(values[name], summary.Matrices[name].Data...)
		}
	}
	ranges := Ranges{}
	for _, name := range modalities {
		ranges[name] = defaultRange(name, values[name])
	}
	return ranges, nil
}

func defaultRange(modality string, values []float64) label.Range {
	low, high := render.DefaultRange(modality, values)
	return label.Range{Low: low, High: high}
}
