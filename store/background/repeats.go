package background

import (
	"context"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/store"
)

// Way says how scenes were chosen, as far as selections are repeated runs of each other: "keywords, n = 32, with jitter".
func Way(c background.Choice) string {
	text := fmt.Sprintf("%s, n = %d", c.Method, c.N)
	if c.Jitter {
		text += ", with jitter"
	}
	return text
}

// Repeats is how far the matrices of one model lie apart in selections that were made in one way (spec/background.md section 12, B4).
type Repeats struct {
	Way         string
	Selections  []string // names
	Interpolant scatter.Interpolant
	Mean        float64 // root mean square difference, mean over the pairs; NaN for fewer than two selections
	Pairs       []float64
}

// Repeated compares the matrices of a model in the scenes of several selections with each other, way by way and interpolant by interpolant, on common axes:
// their end is the largest distance of all. A selection without signals of the model takes no part and is named in left, with the reason; ways with fewer
// than two selections are left out. Progress counts selections.
func Repeated(ctx context.Context, ws *store.Workspace, m model.Model, measure Measure, raster int, selections []store.SelectionRecord, p engine.Progress) (list []Repeats, left map[string]string, err error) {
	clouds, ways, names, left, err := repeatedClouds(ctx, ws, m, measure, selections)
	if err != nil {
		return nil, nil, err
	}
	far := 0.0
	for _, c := range clouds {
		far = max(far, c.D)
	}
	p.SetTotal(int64(len(clouds)))
	fields := make([][]scatter.Matrix, len(clouds)) // selection, interpolant
	for k, c := range clouds {
		c.D = far
		if fields[k], err = scatter.Interpolate(ctx, c, raster, scatter.Interpolants()); err != nil {
			return nil, nil, fmt.Errorf("model %s, %s in the scenes of %s: %w", m.ID, measure, names[k], err)
		}
		p.Add(1)
	}
	for _, way := range distinct(ways) {
		for i, interpolant := range scatter.Interpolants() {
			one := Repeats{Way: way, Interpolant: interpolant}
			var runs []scatter.Matrix
			for k := range clouds {
				if ways[k] == way {
					one.Selections, runs = append(one.Selections, names[k]), append(runs, fields[k][i])
				}
			}
			if len(runs) < 2 {
				continue
			}
			one.Mean, one.Pairs = scatter.Pairwise(runs)
			list = append(list, one)
		}
	}
	return list, left, nil
}

// repeatedClouds are the clouds of the selections that the model ran in, with their ways and names.
func repeatedClouds(ctx context.Context, ws *store.Workspace, m model.Model, measure Measure, selections []store.SelectionRecord) (clouds []scatter.Cloud, ways, names []string, left map[string]string, err error) {
	left = map[string]string{}
	for _, s := range selections {
		e, reason, err := Read(ctx, ws, m, s.Hash)
		if err != nil {
			return nil, nil, nil, nil, err
		}
		cloud, ok := e.Clouds[measure]
		if !ok {
			if reason == "" {
				reason = e.Absent[measure]
			}
			left[s.Name] = reason
			continue
		}
		clouds, ways, names = append(clouds, cloud), append(ways, Way(e.Selection.Selection.Choice)), append(names, s.Name)
	}
	return clouds, ways, names, left, nil
}

// distinct are the texts of a list, each once, in the order in which they come first.
func distinct(list []string) []string {
	var once []string
	for _, text := range list {
		if !slices.Contains(once, text) {
			once = append(once, text)
		}
	}
	return once
}
